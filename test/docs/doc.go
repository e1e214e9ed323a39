// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Package docs holds what the documentation says against what is.
//
// Every fenced block of every page has a language and falls under one rule:
//
//   - yaml: a manifest. It is applied to a real API server that serves our kinds and
//     Crossplane's, with the provider and the simulator behind it, and what it declares of
//     ours becomes Ready. "yaml pending" need not become Ready, "yaml dry-run" is only
//     held against the schema, "yaml file=NAME" becomes a file for the commands after it,
//     and "yaml fragment" is part of something: it is parsed, and with "fragment=Record"
//     (any of our kinds) merged into one and held against the schema.
//   - console: each line that begins with "$ " is run, in the order of the page, and what
//     stands below it is compared with what it prints, as far as the lines go: IDs, ages
//     and times may differ, and "..." is anything. A command that has to fail shows a line
//     that begins with "error" or "Error". What can be run nowhere here is in a list, with
//     the reason.
//   - sh: a script, or a program the page goes on to use with "sh file=NAME".
//   - "console e2e" and "yaml e2e" need a Crossplane that runs: here they are only parsed.
//     test/e2e runs the commands of the former, each of which has to succeed, and does not
//     compare what they print; test/compositions holds the latter against the examples.
//   - json, jq and the like are parsed, "file=NAME" becomes a file; text, mermaid and hcl
//     show something.
//
// A page is a scenario: setup_test.go says what it finds. One that a walkthrough
// of docs/README.md has, and no Crossplane, is followed in a cluster that is empty before,
// or in a copy of the checkout, as a reader does. Beside that, every link and anchor leads
// somewhere, every make target and flag exists, every target that is shown behind a prompt
// is run by CI, and the page of messages has those that the code has.
package docs

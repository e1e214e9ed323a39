// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Package docs tests that the documentation is true.
//
// Every fenced block of every page has a language, and one of these rules:
//
//   - yaml: a manifest. It is applied to a real API server that serves the kinds of this
//     provider and of Crossplane, with the provider and the simulator behind it. Each
//     managed resource in it becomes Ready. "yaml pending" need not become Ready. "yaml
//     dry-run" is only checked against the schema. "yaml file=NAME" becomes a file for the
//     commands after it. "yaml fragment" is a part of a manifest, which is parsed. With
//     "fragment=Record" (or another kind of this provider) it is merged into an object of
//     that kind and checked against the schema.
//   - console: each line that begins with "$ " is run, in the order of the page. The lines
//     below it are compared with its output. The output may have more lines. IDs, ages and
//     times may differ, and "..." matches any text. A command that has to fail shows a line
//     that begins with "error" or "Error". A list has the commands that cannot be run here,
//     with the reason.
//   - sh: a script. With "sh file=NAME" it is a program that the page uses later.
//   - "console e2e" and "yaml e2e" need a running Crossplane: here they are only parsed.
//     test/e2e runs the commands of the former, each of which has to succeed, and does not
//     compare their output. test/compositions compares the latter with the examples.
//   - json, jq and similar languages are parsed, and "file=NAME" becomes a file. text,
//     mermaid and hcl are only shown.
//
// A page is a scenario, and setup_test.go has its initial state. A page of a walkthrough in
// docs/README.md that needs no Crossplane starts with an empty cluster, or with a copy of the
// checkout, as a reader does. Other tests check that every link, anchor, make target and flag
// exists, that CI runs every target behind a prompt, and that the page of messages has the
// messages of the code.
package docs

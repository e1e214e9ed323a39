// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
)

// How the demo marks what it does.
const (
	titleMark = "=== "
	prompt    = "$ "
	more      = "    " // begins a line that a command goes on in
)

// folder stands for the demo's own folder in a command.
const folder = "$DEMO"

// widest is how wide a command is before it goes on in the next line.
const widest = 100

// A step is one thing the demo shows. Its commands of kubectl are declared: whoever
// holds a recording against the demo sees what it would run, and do runs them in turn.
type step struct {
	title    string
	commands [][]string
	do       func(context.Context) error
}

// manifests of the demo, from the examples.
func manifests() []string {
	files := []string{"providerconfig/providerconfig.yaml", "zone/zone.yaml"}
	for _, r := range []string{"a", "txt", "mx", "srv", "caa", "cname"} {
		files = append(files, "record/"+r+".yaml")
	}
	for i, f := range files {
		files[i] = filepath.Join("examples", f)
	}
	return files
}

func (s *stage) setUp() []step {
	apply := []string{"apply"}
	for _, f := range manifests() {
		apply = append(apply, "-f", f)
	}
	wait := func(kinds string) []string {
		return []string{"wait", kinds, "--all", "--for=condition=Ready", "--timeout=50s"}
	}
	return []step{
		{"A Kubernetes API server", nil, s.startControlPlane},
		{"A simulated Cloudflare", nil, s.startSimulator},
		{"The provider", nil, s.startProvider},
		{"A credential, a zone that exists already, and six DNS records", [][]string{
			{"create", "secret", "generic", "cloudflare", "--from-file=token=" + folder + "/token"}, apply,
		}, s.apply},
		{"Everything is Ready", [][]string{wait("providerconfig"), wait("zones,records"), {"get", "zones"}, {"get", "records"}}, s.runAll},
	}
}

func (s *stage) lifecycle() []step {
	return []step{
		{"Somebody edits the A record in the dashboard", nil, s.drift},
		{"kubectl delete deletes the DNS record", [][]string{{"delete", "record", "example-mx"}}, s.deleteOne},
		{"deletionPolicy: Orphan keeps it", [][]string{
			{"patch", "record", "example-txt", "--type=merge", "-p", `{"spec":{"deletionPolicy":"Orphan"}}`},
			{"delete", "record", "example-txt"},
		}, s.orphanOne},
		{"A firewall rule beside one of somebody else", [][]string{
			{"apply", "-f", filepath.Join("examples", "rulesetrule", "rulesetrule.yaml")},
			{"wait", "rulesetrule", "--all", "--for=condition=Ready", "--timeout=50s"},
			{"delete", "rulesetrule", "example-block-admin"},
		}, s.sharePhase},
	}
}

// shows are the lines with which the demo says what a step is and what it runs.
func (st step) shows() []string {
	out := []string{titleMark + st.title}
	for _, c := range st.commands {
		out = append(out, strings.Split(prompt+typed(c), "\n")...)
	}
	return out
}

// typed gives the arguments of kubectl as one types them into a shell.
func typed(args []string) string {
	line, out := "kubectl", ""
	for i := 0; i < len(args); i++ {
		a := args[i]
		if strings.ContainsAny(a, ` {}"`) {
			a = "'" + a + "'"
		}
		if a == "-f" && i+1 < len(args) { // A file stays beside its flag.
			i++
			a += " " + args[i]
		}
		if len(line)+1+len(a) > widest {
			out += line + " \\\n"
			line = more + a
			continue
		}
		line += " " + a
	}
	return out + line
}

// runAll runs what the step declares.
func (s *stage) runAll(ctx context.Context) error {
	for len(s.next) > 0 {
		if err := s.kubectl(ctx); err != nil {
			return err
		}
	}
	return nil
}

// ended says what is wrong when a step has ended: a recording shows what steps declare.
func (s *stage) ended() error {
	if len(s.next) > 0 {
		return fmt.Errorf("it did not run kubectl %s", strings.Join(s.next[0], " "))
	}
	return nil
}

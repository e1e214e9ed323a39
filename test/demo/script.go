// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
)

// The marks of the lines that the demo prints.
const (
	titleMark = "=== "
	prompt    = "$ "
	more      = "    " // begins a line that continues a command
)

// folder stands for the demo's folder in a command.
const folder = "$DEMO"

// widest is the most columns of a command before it continues in the next line.
const widest = 100

// A step is one part of the demo. It declares its kubectl commands, so that a test can compare
// them with a recording. do runs them in order.
type step struct {
	title    string
	commands [][]string
	do       func(context.Context) error
}

// manifests returns the paths of the demo's manifests, which are examples.
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

// shows returns the lines in which the demo prints a step's title and commands.
func (st step) shows() []string {
	out := []string{titleMark + st.title}
	for _, c := range st.commands {
		out = append(out, strings.Split(prompt+typed(c), "\n")...)
	}
	return out
}

// typed returns the arguments of kubectl as a shell command.
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

// runAll runs all commands of the step.
func (s *stage) runAll(ctx context.Context) error {
	for len(s.next) > 0 {
		if err := s.kubectl(ctx); err != nil {
			return err
		}
	}
	return nil
}

// ended returns an error if a step has ended with commands that it did not run: a recording
// must show what the steps declare.
func (s *stage) ended() error {
	if len(s.next) > 0 {
		return fmt.Errorf("it did not run kubectl %s", strings.Join(s.next[0], " "))
	}
	return nil
}

// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestTyped checks that the demo shows valid shell commands.
func TestTyped(t *testing.T) {
	for _, c := range []struct {
		reason string
		args   []string
		want   string
	}{
		{"braces are the shell's", []string{"patch", "a", "-p", `{"a":"b"}`}, `kubectl patch a -p '{"a":"b"}'`},
		{"a long command goes on", []string{"apply", strings.Repeat("f", 80), "-f", "more.yaml"}, "kubectl apply " + strings.Repeat("f", 80) + " \\\n    -f more.yaml"},
	} {
		if got := typed(c.args); got != c.want {
			t.Errorf("%s: %s, want %s", c.reason, got, c.want)
		}
	}
}

// TestAdded checks that a change of another owner's rule is detected.
func TestAdded(t *testing.T) {
	theirs, ours := json.RawMessage(`{"a":1,"b":2}`), json.RawMessage(`{"c":3}`)
	for _, c := range []struct {
		reason string
		now    []json.RawMessage
		more   int
		ok     bool
	}{
		{"ours is there as well", []json.RawMessage{theirs, ours}, 1, true},
		{"ours is gone again", []json.RawMessage{theirs}, 0, true},
		{"ours is missing", []json.RawMessage{theirs}, 1, false},
		{"theirs is gone", []json.RawMessage{ours}, 0, false},
		{"theirs says the same in other bytes", []json.RawMessage{json.RawMessage(`{"b":2,"a":1}`), ours}, 1, false},
	} {
		if err := added([]json.RawMessage{theirs}, c.now, c.more); (err == nil) != c.ok {
			t.Errorf("%s: %v", c.reason, err)
		}
	}
}

// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package page

import (
	"strings"
	"testing"
)

func TestAlike(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		reason, shown, printed string
		want                   bool
	}{
		{"the same", "a\nb", "a\nb\n", true},
		{"spaces and empty lines do not matter", "NAME  AGE\n\nx   3s", "NAME   AGE\nx      2m5s\n", true},
		{"IDs may differ", "record 99e252235b0c3894b22ed5fb7f53a1bd", "record 61d58fc998811c8ce70035dbe91e1cb4", true},
		{"words may not", "record a created", "record b created", false},
		{"nor numbers that are no age", "192.0.2.1", "192.0.2.2", false},
		{"lines left out", "a\n...\nd", "a\nb\nc\nd\n", true},
		{"part of a line left out", "spec: ... done", "spec: something else done", true},
		{"a line that is missing", "a\nb", "a\n", false},
		{"a line that was not shown", "a", "a\nb\n", false},
		{"a watch that ends while kubectl does", "a met", "I1127 16:20:16.665890    9004 reflector.go:664] \"Warning: watch ended\"\na met\n", true},
		{"another warning is shown", "a met", "W1127 16:20:16.665890    9004 loader.go:1] no config\na met\n", false},
		{"letters of patterns are themselves", "a.c", "abc", false},
	} {
		if got := Alike(strings.Split(c.shown, "\n"), c.printed); got != c.want {
			t.Errorf("%s: %t, want %t", c.reason, got, c.want)
		}
	}
}

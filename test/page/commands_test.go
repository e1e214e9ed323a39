// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package page

import (
	"strings"
	"testing"
)

func TestCommands(t *testing.T) {
	t.Parallel()
	b := Block{Line: 10, Lines: strings.Split("$ a 'b\nc' \\\n  d\n\nout\n$ cat <<END\n$ no command\nEND\nerror: so\n$ e # f", "\n")}
	got, err := b.Commands(t.Context())
	if err != nil || len(got) != 3 {
		t.Fatalf("%d commands (%v): %+v", len(got), err, got)
	}
	if got[0].Text != "a 'b\nc' \\\n  d" || !got[0].Shows() || got[0].Fails() || got[0].Line != 11 {
		t.Errorf("the first is %+v", got[0])
	}
	if !strings.HasSuffix(got[1].Text, "\nEND") || !got[1].Fails() || len(got[1].Shown) != 1 {
		t.Errorf("the second is %+v", got[1])
	}
	if got[2].Text != "e # f" || got[2].Shows() {
		t.Errorf("the third is %+v", got[2])
	}
	for _, text := range []string{"no prompt", "$ open 'quote"} {
		if _, err := (Block{Lines: []string{text}}).Commands(t.Context()); err == nil {
			t.Errorf("%s: taken", text)
		}
	}
}

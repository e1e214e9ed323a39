// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/yaml"
)

const (
	recording = "../../docs/assets/demo.svg"
	// again is the message for an outdated recording.
	again = "run 'make recording' and commit docs/assets/demo.svg"
)

// textsOf returns the lines that a recording shows.
func textsOf(t *testing.T, svg string) []string {
	t.Helper()
	var out []string
	for d := xml.NewDecoder(strings.NewReader(svg)); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return out
		}
		if err != nil {
			t.Fatalf("the recording is no XML: %v", err)
		}
		if start, ok := token.(xml.StartElement); ok && start.Name.Local == "text" {
			var text string
			if err := d.DecodeElement(&text, &start); err != nil {
				t.Fatal(err)
			}
			out = append(out, text)
		}
	}
}

// scriptOf returns the lines of a recording that show titles and commands.
func scriptOf(lines []string) []string {
	var out []string
	goesOn := false
	for _, l := range lines {
		if goesOn || strings.HasPrefix(l, titleMark) || strings.HasPrefix(l, prompt) {
			out = append(out, l)
			goesOn = strings.HasSuffix(l, `\`)
		}
	}
	return out
}

// TestRecordingIsNotStale compares the recording in the README with what the demo would do now,
// and with the columns that kubectl would print.
func TestRecordingIsNotStale(t *testing.T) {
	raw, err := os.ReadFile(recording)
	if err != nil {
		t.Fatal(err)
	}
	if len(raw) > 300_000 {
		t.Errorf("the recording has %d bytes, want 300,000 at most", len(raw))
	}
	lines := textsOf(t, string(raw))
	s := &stage{}
	var want []string
	for _, st := range slices.Concat(s.setUp(), s.lifecycle()) {
		want = append(want, st.shows()...)
	}
	want = append(want, titleMark+"Summary")
	if diff := cmp.Diff(want, scriptOf(lines)); diff != "" {
		t.Errorf("the demo is another one now: %s (-the demo +the recording):\n%s", again, diff)
	}
	for command, crd := range map[string]string{
		"kubectl get zones": "zone.cloudflare.m.crossplane.io_zones.yaml", "kubectl get records": "dns.cloudflare.m.crossplane.io_records.yaml",
	} {
		at := slices.Index(lines, prompt+command)
		if at < 0 || at+1 == len(lines) {
			t.Errorf("the recording does not show %s: %s", command, again)
			continue
		}
		if diff := cmp.Diff(columnsOf(t, crd), strings.Fields(lines[at+1])); diff != "" {
			t.Errorf("%s prints other columns now: %s (-now +the recording):\n%s", command, again, diff)
		}
	}
}

// columnsOf returns the columns that kubectl prints for a kind.
func columnsOf(t *testing.T, crd string) []string {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("..", "..", "package", "crds", crd))
	if err != nil {
		t.Fatal(err)
	}
	kind := &apiextensionsv1.CustomResourceDefinition{}
	if err := yaml.UnmarshalStrict(raw, kind); err != nil {
		t.Fatal(err)
	}
	out := []string{"NAME"}
	for _, c := range kind.Spec.Versions[0].AdditionalPrinterColumns {
		if c.Priority == 0 {
			out = append(out, strings.Fields(strings.ToUpper(c.Name))...)
		}
	}
	return out
}

func TestRecorder(t *testing.T) {
	t.Parallel()
	at := time.Unix(0, 0)
	r := newRecorder(func() time.Time { return at })
	for _, part := range []string{"=== A\nhalf ", "a line\n", "no end"} {
		if _, err := io.WriteString(r, part); err != nil {
			t.Fatal(err)
		}
		at = at.Add(time.Second)
	}
	want := []line{{0, "=== A"}, {time.Second, "half a line"}}
	if diff := cmp.Diff(want, r.lines, cmp.AllowUnexported(line{})); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	path := filepath.Join(t.TempDir(), "demo.svg")
	if err := r.save(path, strings.NewReplacer("a line", "something")); err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"=== A", "half something"}, textsOf(t, string(raw))); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestPaced(t *testing.T) {
	t.Parallel()
	in := []line{{20 * time.Second, "a"}, {20 * time.Second, "b"}, {21 * time.Second, "c"}, {21 * time.Second, "=== d"}}
	want := []line{
		{longestWait, "a"},                                                // a wait of 20 s is shortened
		{longestWait + shortestWait, "b"},                                 // lines at the same time are spread
		{longestWait + shortestWait + time.Second, "c"},                   // one second stays one second
		{longestWait + shortestWait + time.Second + beforeTitle, "=== d"}, // time to read the lines before
	}
	if diff := cmp.Diff(want, paced(in), cmp.AllowUnexported(line{})); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// TestAnimate checks that every row becomes visible: it appears, and it moves into the picture.
func TestAnimate(t *testing.T) {
	t.Parallel()
	lines := []line{{0, strings.Repeat("x", cols+1)}, {0, `$ a <&> "b"`}}
	for range rowsShown {
		lines = append(lines, line{time.Second, "more"})
	}
	svg := animate(lines)
	texts := textsOf(t, svg)
	if len(texts) != rowsShown+3 || texts[0] != strings.Repeat("x", cols) || texts[1] != "x" || texts[2] != `$ a <&> "b"` {
		t.Errorf("%d rows: %q", len(texts), texts[:3])
	}
	if n := strings.Count(svg, "@keyframes r"); n != len(texts) {
		t.Errorf("%d of %d rows appear", n, len(texts))
	}
	if !strings.Contains(svg, "100%{transform:translateY(-57px)}") {
		t.Error("the last three rows stay below the picture")
	}
	if texts := textsOf(t, animate(nil)); len(texts) != 0 {
		t.Errorf("nothing shows %q", texts)
	}
}

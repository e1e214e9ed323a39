// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package operations

import (
	"bytes"
	"encoding/json"
	"slices"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// lines keeps the output of a process.
type lines struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

// about returns the lines with that message, and the number of all lines.
func (l *lines) about(t *testing.T, message string) (found []map[string]any, all int) {
	t.Helper()
	l.mu.Lock()
	defer l.mu.Unlock()
	for line := range bytes.Lines(l.text.Bytes()) {
		all++
		var fields map[string]any
		if err := json.Unmarshal(line, &fields); err != nil {
			continue // Go's runtime and klog write such lines before the logger is set.
		}
		if fields["msg"] == message {
			found = append(found, fields)
		}
	}
	return found, all
}

// TestDriftIsAWarningInTheLog reads the log of the process, as a collector does.
func TestDriftIsAWarningInTheLog(t *testing.T) {
	found, all := shared.log.about(t, "DriftDetected")
	i := slices.IndexFunc(found, func(l map[string]any) bool { return l["name"] == "reverting" })
	if i < 0 {
		t.Fatalf("%d lines, and none about the drift of the Record reverting: %v", all, found)
	}
	got := found[i]
	for _, own := range []string{"ts", "uid", "id", "namespace"} {
		if got[own] == "" || got[own] == nil {
			t.Errorf("the line has no %s: %v", own, got)
		}
		delete(got, own)
	}
	want := map[string]any{
		"level": "warn", "msg": "DriftDetected", "kind": "Record", "name": "reverting", "zone": shared.zone.Name, "zoneId": shared.zone.ID, "undone": true,
		"differences": []any{map[string]any{"field": "content", "live": "203.0.113.66", "desired": "192.0.2.9"}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the line (-want +got):\n%s", diff)
	}
}

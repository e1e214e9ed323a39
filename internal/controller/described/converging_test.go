// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package described

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"

	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
	"github.com/provider-cloudflare/provider-cloudflare/internal/parent"
)

// TestConvergingIsLookedAt: a zone's DNSSEC is pending until its DS record is in the parent zone.
// Each reconcile reads it meanwhile, however seldom it is swept; what is ready is not read.
func TestConvergingIsLookedAt(t *testing.T) {
	t.Parallel()
	for name, read := range map[string]bool{"DNSSEC": true, "KVNamespace": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStage(t, entryOf(t, name))
			s.settle(s.kind, s.key)
			s.reconcile(s.kind, s.key)
			for range 3 {
				s.reconcile(s.kind, s.key)
				reads := 0
				for _, a := range s.log {
					if a.of == "cloudflare" && strings.HasPrefix(a.what, http.MethodGet) {
						reads++
					}
				}
				if (reads > 0) != read {
					t.Errorf("a reconcile of a %s made %d reads: %v", name, reads, s.log)
				}
			}
		})
	}
}

func TestConvergingIsPolled(t *testing.T) {
	t.Parallel()
	const hour = time.Hour
	at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	for _, tc := range []struct {
		because    string
		interval   time.Duration
		converging time.Duration // since when, 0 for not at all
		unnamed    bool
		most       time.Duration
	}{
		{"it is ready", 10 * time.Minute, 0, false, hour},
		{"it has begun to converge", 10 * time.Minute, time.Second, false, 5 * time.Second},
		{"it has been converging for a while", 10 * time.Minute, 20 * time.Second, false, 20 * time.Second},
		{"it has been converging for minutes", 10 * time.Minute, 2 * time.Minute, false, time.Minute},
		{"it has been converging for longer than anybody waits", 10 * time.Minute, 30 * time.Minute, false, hour},
		{"the sweep sees it later", time.Minute, time.Second, false, 5 * time.Second},
		{"the sweep sees it as soon", time.Minute, time.Minute, false, hour},
		{"it has not found its resource", 10 * time.Minute, 0, true, 10 * time.Minute},
	} {
		k := &described{memory: newMemory(), terms: parent.Terms{Interval: tc.interval}, now: func() time.Time { return at }}
		mg := entryOf(t, "DNSSEC").New()
		mg.SetUID("uid")
		if !tc.unnamed {
			meta.SetExternalName(mg, "dnssec")
		}
		if tc.converging > 0 {
			k.memory.converges("uid", true, at.Add(-tc.converging))
			k.memory.converges("uid", true, at) // It has been so since then.
		}
		if got := k.poll(mg, hour); got > tc.most*11/10 || got < tc.most/2 {
			t.Errorf("%s: it is looked at after %s, want about %s", tc.because, got, tc.most)
		}
		k.memory.converges("uid", false, at)
		if _, does := k.memory.convergingSince("uid"); does {
			t.Errorf("%s: it still converges", tc.because)
		}
	}
}

func TestConverging(t *testing.T) {
	t.Parallel()
	d := kind.Description{Status: []kind.Status{{Path: "s", Converging: []string{"pending"}, Failed: []string{"failed"}, Human: map[string]string{"waiting": "do it"}}}}
	for status, want := range map[string]bool{"pending": true, "waiting": true, "failed": false, "active": false} {
		if _, got := readiness(d, kind.Document{"s": status}); got != want {
			t.Errorf("%s: converging is %t", status, got)
		}
	}
}

// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package described

import (
	"errors"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/types"

	tunnelv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/tunnel/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
	"github.com/provider-cloudflare/provider-cloudflare/internal/parent"
)

// TestAnOlderReadIsNotSentBack checks that an update does not send back what a copy that is behind shows of changes
// by others. A read that began a lag later is believed.
func TestAnOlderReadIsNotSentBack(t *testing.T) {
	const noon, later = "2026-11-28T12:00:00Z", "2026-11-28T12:00:01Z"
	type (
		doc = kind.Document
		// A read began after that long, and shows that document.
		read struct {
			began    time.Duration
			shows    doc
			disputed bool
		}
	)
	known := doc{"theirs": "2", "more": "x"}
	for _, tc := range []struct {
		reason string
		known  doc
		reads  []read
	}{
		{"it shows what is known", known, []read{{0, known, false}}},
		{"it is older", known, []read{{0, doc{"theirs": "1", "more": "x"}, true}}},
		{"it shows so until each copy has what is known", known, []read{
			{0, doc{"more": "x"}, true}, {parent.Lag - time.Second, doc{"more": "x"}, true}, {parent.Lag, doc{"more": "x"}, false},
		}},
		{"what moves on and on is believed, too", known, []read{
			{0, doc{"theirs": "3", "more": "x"}, true}, {parent.Lag, doc{"theirs": "4", "more": "x"}, false},
		}},
		{"something else is older a lag later", known, []read{{0, doc{"more": "x"}, true}, {parent.Lag, doc{"theirs": "2"}, true}}},
		{"it is older again, after a read that was not", known, []read{
			{0, doc{"more": "x"}, true}, {time.Second, known, false}, {parent.Lag, doc{"more": "x"}, true},
		}},
		{"it is older again, after one was believed", known, []read{
			{0, doc{"more": "x"}, true}, {parent.Lag, doc{"more": "x"}, false}, {parent.Lag, doc{"more": "x"}, true},
		}},
		{"it is older again, long after", known, []read{{0, doc{"more": "x"}, true}, {doubtLife, doc{"more": "x"}, true}}},
		{"it says that it is older", doc{"theirs": "1", "modified_on": later}, []read{{0, doc{"theirs": "0", "modified_on": noon}, true}}},
		{"it says that it is later", doc{"theirs": "1", "modified_on": noon}, []read{{0, doc{"modified_on": later}, false}}},
		{"nothing says when what is known was so", doc{"theirs": "1"}, []read{{0, doc{"modified_on": later}, true}}},
	} {
		t.Run(tc.reason, func(t *testing.T) {
			began := time.Now()
			now := began
			mg := &tunnelv1alpha1.Tunnel{}
			mg.SetUID(types.UID("u"))
			d := kind.Description{Noun: "thing", ReadOnly: []string{"modified_on"}}
			a := &adapter{mg: mg, want: doc{"name": "ours"}, described: &described{entry: entry{Description: d}, memory: newMemory(), now: func() time.Time { return now }}}
			for i, r := range tc.reads {
				now = began.Add(r.began)
				err := a.newer(Live{id: "one", doc: r.shows}, Live{id: "one", doc: tc.known}, now)
				var disputed *parent.DisputedError
				switch is := errors.As(err, &disputed); {
				case is != r.disputed, !is && err != nil:
					t.Fatalf("read %d: got %v", i, err)
				case is && (disputed.Wait <= 0 || disputed.Wait > parent.Lag):
					t.Errorf("read %d is to be made again in %s", i, disputed.Wait)
				}
			}
		})
	}
}

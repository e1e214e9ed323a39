// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package described

import (
	"fmt"
	"strings"
	"time"

	"github.com/provider-cloudflare/provider-cloudflare/internal/parent"
)

// newer returns nil if an update may send back what a read shows of values that the object does not declare. It
// returns a *parent.DisputedError if the update would lose something that is known, and the read does not say that it
// is the later state: a copy that is behind may have answered. A read that began a lag after the first doubt is
// believed: no copy is that far behind.
func (a *adapter) newer(read, known Live, began time.Time) error {
	uid, now := a.mg.GetUID(), a.now()
	lost := a.Description.Lost(a.updatable(), known.doc, read.doc)
	later := known.changedOn() != "" && read.changedOn() > known.changedOn()
	if len(lost) == 0 || later {
		a.memory.believes(uid)
		return nil
	}
	paths := make([]string, len(lost))
	for i, d := range lost {
		paths[i] = d.Path
	}
	since := a.memory.doubts(uid, strings.Join(paths, "\x00"), now)
	if began.Sub(since) < parent.Lag {
		return &parent.DisputedError{Says: fmt.Sprintf("the %s is older than %s", a.Description.Noun, "what is known"), Wait: since.Add(parent.Lag).Sub(now)}
	}
	a.memory.believes(uid)
	return nil
}

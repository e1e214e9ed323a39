// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package described

import (
	"context"
	"fmt"
	"time"

	"github.com/provider-cloudflare/provider-cloudflare/internal/drift"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
)

// refreshDue reports whether the end of l has to be postponed now.
func (a *adapter) refreshDue(l Live) bool {
	r := a.Description.Refresh
	if r == nil {
		return false
	}
	before, err := time.ParseDuration(a.options()[r.Before])
	return err == nil && r.Due(a.now(), l.doc, before)
}

func (a *adapter) refreshDifferences(l Live) drift.Differences {
	if !a.refreshDue(l) {
		return nil
	}
	ends, _ := a.Description.Refresh.Ends(l.doc)
	return drift.Differences{{Field: a.Description.Noun, Says: fmt.Sprintf("it ends at %s, and is refreshed before", ends.UTC().Format(time.RFC3339))}}
}

// refresh postpones the end of l if it is near.
func (a *adapter) refresh(ctx context.Context, l Live) (Live, error) {
	if !a.refreshDue(l) {
		return l, nil
	}
	v, err := a.all.Call(ctx, a.Description.Refresh.Do, l.id, nil)
	if err != nil {
		return l, fmt.Errorf("cannot refresh the %s: %w", a.Description.Noun, err)
	}
	doc, ok := v.(kind.Document)
	if !ok {
		return l, nil // The next look shows the outcome.
	}
	out := a.withoutSecrets(newLive(a.Description, l.id, doc))
	a.coll.Written(out)
	return out, nil
}

// endedSays returns a message if l has ended, "" if it has not.
func (a *adapter) endedSays(l Live) string {
	if a.Description.Refresh == nil {
		return ""
	}
	ends, does := a.Description.Refresh.Ends(l.doc)
	if !does || a.now().Before(ends) {
		return ""
	}
	return fmt.Sprintf("the %s ended at %s", a.Description.Noun, ends.UTC().Format(time.RFC3339))
}

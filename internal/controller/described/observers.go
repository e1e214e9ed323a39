// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package described

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/crossplane/crossplane-runtime/v2/pkg/event"

	cfv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/v1alpha1"
)

const (
	// EventWithheld is about secrets that the connection secret lacks because the object does not manage the resource.
	EventWithheld event.Reason = "WithheldSecrets"
	// EventWithdrawn is about secrets that are removed from the connection secret for that reason.
	EventWithdrawn event.Reason = "WithdrewSecrets"
)

// publishPublic publishes the values that are no secrets, for an object that does not manage the resource. It removes
// the secrets of a resource that is not the object's own: an earlier version or an earlier setting of the provider
// config published them. An object keeps what it got while it managed its own resource. It also keeps values that are
// shown once: a user put them there.
func (a *adapter) publishPublic(ctx context.Context, l Live, own bool) error {
	if a.issues() {
		return nil // The private key in the connection secret was made for this object.
	}
	values := map[string][]byte{}
	for _, d := range a.Description.Details {
		if !d.Public {
			continue
		}
		v, err := a.detail(ctx, l, d, nil)
		if err != nil {
			return fmt.Errorf("cannot get %s for the connection secret: %w", d.Key, err)
		}
		if len(v) > 0 {
			values[d.Key] = v
		}
	}
	var withdrawn []string
	if !own {
		withdrawn = slices.DeleteFunc(a.Description.SecretsShown(), func(key string) bool { return len(a.published[key]) == 0 })
	}
	if drop := slices.Concat(a.ended(l), withdrawn); len(drop) > 0 || a.news(values) {
		if err := a.send(ctx, values, drop...); err != nil {
			return err
		}
		a.sayWithheld(withdrawn)
	}
	a.noteDetails(slices.DeleteFunc(slices.Clone(a.sync.Details), func(h cfv1alpha1.FieldHash) bool { return slices.Contains(withdrawn, h.Path) }))
	return nil
}

// sayWithheld emits an event about the secrets that were removed, or, if there are none, about those that are not
// published.
func (a *adapter) sayWithheld(withdrawn []string) {
	const allow = "to publish them for objects that only observe, set spec.secretsForObservers to Publish in the provider config"
	noun := a.Description.Noun
	if len(withdrawn) > 0 {
		a.events.Event(a.mg, event.Warning(EventWithdrawn, fmt.Errorf("removed %s from the connection secret: this object does not manage the %s. Whoever could read the Secret may have kept them: "+
			"make new ones at Cloudflare; %s", strings.Join(withdrawn, ", "), noun, allow)))
		return
	}
	if secret := a.Description.SecretsShown(); len(secret) > 0 {
		a.events.Event(a.mg, event.Normal(EventWithheld, fmt.Sprintf("the connection secret does not get %s of the %s, which this object does not manage; %s", strings.Join(secret, ", "), noun, allow)))
	}
}

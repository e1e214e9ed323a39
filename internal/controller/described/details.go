// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package described

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/crossplane/crossplane-runtime/v2/pkg/event"
	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	cfv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/controller/described/connectionsecret"
	"github.com/provider-cloudflare/provider-cloudflare/internal/controller/described/keypair"
	"github.com/provider-cloudflare/provider-cloudflare/internal/drift"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
)

// A publisher writes connection secrets.
type publisher interface {
	Publish(ctx context.Context, owner client.Object, s connectionsecret.Secret) error
}

// readPublished reads the connection secret of the object, if the kind has connection details and the object asks for
// them.
func (a *adapter) readPublished(ctx context.Context) error {
	name := a.mg.GetConnectionSecretName()
	if name == "" || len(a.Description.Details) == 0 {
		return nil
	}
	s := &corev1.Secret{}
	err := a.api.Get(ctx, types.NamespacedName{Namespace: a.mg.GetNamespace(), Name: name}, s)
	if client.IgnoreNotFound(err) != nil {
		return fmt.Errorf("cannot read the connection secret: %w", err)
	}
	a.published = map[string][]byte{}
	switch {
	case s.UID == "":
		return a.recall(ctx)
	case connectionsecret.Owned(s, a.mg):
		maps.Copy(a.published, s.Data)
		a.checkOrder()
	default:
		a.foreign = &connectionsecret.NotOwnedError{Secret: client.ObjectKeyFromObject(s)}
	}
	return nil
}

// checkOrder drops an order whose request was not made with its private key. A user who may write the connection
// secret can put the request of any certificate there, and the request decides which certificates are the object's.
func (a *adapter) checkOrder() {
	if a.Description.Issue != nil && !keypair.Requests(a.published[keyPending], a.published[requestPending]) {
		delete(a.published, keyPending)
		delete(a.published, requestPending)
	}
}

// recall reads the values that are shown once from another Secret of the object, if no Secret has the name that the
// object asks for. The name was changed, so the values are not lost.
func (a *adapter) recall(ctx context.Context) error {
	if !a.Description.ShowsOnce() || len(a.sync.Details) == 0 || len(a.memory.unpublished(a.mg.GetUID())) > 0 {
		return nil
	}
	all := &corev1.SecretList{}
	if err := a.api.List(ctx, all, client.InNamespace(a.mg.GetNamespace())); err != nil {
		return fmt.Errorf("cannot look for the connection secret: %w", err)
	}
	for i := range all.Items {
		if !connectionsecret.Owned(&all.Items[i], a.mg) {
			continue
		}
		once := map[string][]byte{}
		for _, d := range a.Description.Details {
			v := all.Items[i].Data[d.Key]
			known := a.ofLostKey(d.Key) || slices.Contains(a.sync.Details, a.onceHash(meta.GetExternalName(a.mg), d.Key, v))
			if d.Once && len(v) > 0 && known {
				once[d.Key] = v
			}
		}
		if len(once) > 0 {
			a.memory.keep(a.mg.GetUID(), once)
			return nil
		}
	}
	return nil
}

// publishable returns an error if it is known that the connection secret cannot be written. It comes before each call
// whose answer shows a value only once.
func (a *adapter) publishable() error {
	if a.foreign != nil {
		return fmt.Errorf("cannot write the connection secret: %w", a.foreign)
	}
	return nil
}

// PublishConnection brings the connection secret up to date. Secrets are for the object that manages the resource, unless the
// provider config publishes them for observers.
func (a *adapter) PublishConnection(ctx context.Context, l Live, own bool) error {
	if a.published == nil {
		return nil
	}
	if !a.session.SecretsForObservers && (!own || !a.manages()) {
		return a.publishPublic(ctx, l, own)
	}
	if a.issues() {
		return a.publishIssued(ctx, l)
	}
	lost := a.lost(l)
	if len(lost) > 0 && a.Description.Rolls() {
		return nil // A Secret with a part of the values would look complete. A roll makes all of them.
	}
	values, err := a.details(ctx, l)
	if err != nil {
		return err
	}
	a.rememberDetails(l, values)
	ended := a.ended(l)
	if len(ended) == 0 && !a.news(values) {
		return nil
	}
	return a.send(ctx, values, slices.Concat(lost, ended)...)
}

// news reports whether the connection secret lacks any of those values.
func (a *adapter) news(values map[string][]byte) bool {
	for key, v := range values {
		if !bytes.Equal(a.published[key], v) {
			return true
		}
	}
	return false
}

// ended returns the keys of the connection secret whose values an answer shows as empty. A value that the answer
// omits has not ended: the answer to a write may show less than a look, and no answer has values that are derived or
// fetched.
func (a *adapter) ended(l Live) []string {
	var out []string
	for _, d := range a.Description.Details {
		if !d.Once && kind.Empty(l.doc, d.Path) && len(a.published[d.Key]) > 0 {
			out = append(out, d.Key)
		}
	}
	return out
}

// publishChanged publishes the values that an update changed. Without another change, the next look at the object is
// far off.
func (a *adapter) publishChanged(ctx context.Context, l Live) {
	if err := a.PublishConnection(ctx, l, true); err != nil {
		a.events.Event(a.mg, event.Warning(EventNotPublished, err))
	}
}

// send writes values to the connection secret.
func (a *adapter) send(ctx context.Context, values map[string][]byte, drop ...string) error {
	err := a.publish.Publish(ctx, a.mg, connectionsecret.Secret{
		Name: a.mg.GetConnectionSecretName(), Type: a.secretType(), Owner: a.GVK, Data: values, Drop: drop,
	})
	if err != nil {
		return fmt.Errorf("cannot write the connection secret: %w", err)
	}
	maps.Copy(a.published, values)
	for _, key := range drop {
		delete(a.published, key)
	}
	a.memory.published(a.mg.GetUID())
	return nil
}

// secretType returns the type of the connection secret, "" for Crossplane's own.
func (a *adapter) secretType() corev1.SecretType {
	if a.Description.Issue != nil && !a.issues() {
		return "" // The Secret has no private key.
	}
	return corev1.SecretType(a.Description.SecretType)
}

// details returns the values of the connection secret. A value that takes a call comes from the Secret if it was
// fetched for this resource in its present state. If other values cannot be derived from it, it is fetched again. A
// value that is shown once comes from the answer, from memory, or from the Secret.
func (a *adapter) details(ctx context.Context, l Live) (map[string][]byte, error) {
	out, err := a.derived(ctx, l)
	if err != nil && a.stored(l) {
		a.sync.Details = nil
		out, err = a.derived(ctx, l)
	}
	return out, err
}

func (a *adapter) derived(ctx context.Context, l Live) (map[string][]byte, error) {
	out := map[string][]byte{}
	for _, d := range a.Description.Details {
		v, err := a.detail(ctx, l, d, out)
		if err != nil {
			return nil, fmt.Errorf("cannot get %s for the connection secret: %w", d.Key, err)
		}
		if len(v) > 0 {
			out[d.Key] = v
		}
	}
	return out, nil
}

func (a *adapter) detail(ctx context.Context, l Live, d kind.Detail, before map[string][]byte) ([]byte, error) {
	have := a.published[d.Key]
	switch {
	case d.Value != nil:
		return d.Value(kind.DetailInput{Answer: l.doc, Details: before, Params: a.params, Options: a.options()})
	case d.Once:
		if v := kind.Text(l.doc, d.Path); v != "" {
			return []byte(v), nil
		}
		if v := a.memory.unpublished(a.mg.GetUID())[d.Key]; len(v) > 0 {
			return v, nil
		}
		if a.ofAnother(l, d) {
			return nil, nil
		}
		return have, nil
	case d.From != "" && a.fetched(l, d.Key, have):
		return have, nil
	case d.From != "":
		v, err := a.all.Call(ctx, d.From, l.id, nil)
		if err == nil {
			a.fetches.note(a.mg.GetUID(), d.Key, a.now())
		}
		path := strings.TrimSuffix("result."+d.Path, ".")
		return []byte(kind.Text(kind.Document{"result": v}, path)), err
	}
	return []byte(kind.Text(l.doc, d.Path)), nil
}

// fetched reports whether a value was fetched for l in its present state.
func (a *adapter) fetched(l Live, key string, value []byte) bool {
	known := func(sent []cfv1alpha1.FieldHash) bool {
		return slices.Contains(a.sync.Details, a.fetchedHash(l, key, value, sent))
	}
	return len(value) > 0 && (known(a.sync.Secrets) || known(a.unsealed())) && !a.mayHaveChanged(l, key)
}

// unsealed returns the hashes of what was sent last, in the form of earlier versions.
func (a *adapter) unsealed() []cfv1alpha1.FieldHash {
	out := slices.Clone(a.sync.Secrets)
	for i := range out {
		for _, in := range a.inputs {
			if in.path == out[i].Path {
				out[i].Hash = saltedHash(a.sync.Salt, in)
			}
		}
	}
	return out
}

// stored reports whether the Secret has a value that was fetched for l in its present state.
func (a *adapter) stored(l Live) bool {
	return slices.ContainsFunc(a.Description.Details, func(d kind.Detail) bool {
		return d.From != "" && a.fetched(l, d.Key, a.published[d.Key])
	})
}

// fetchedHash returns a hash that identifies a value that was fetched for l. It changes with the resource, with the
// time of its last change, and with the inputs that were sent: Cloudflare then shows another value.
func (a *adapter) fetchedHash(l Live, key string, value []byte, sent []cfv1alpha1.FieldHash) cfv1alpha1.FieldHash {
	about := l.id
	if at := l.changedOn(); at != "" {
		about += "\x00" + at
	}
	for _, in := range sent {
		about += "\x00" + in.Path + "\x00" + in.Hash
	}
	return cfv1alpha1.FieldHash{Path: key, Hash: a.hashOf(input{path: key, value: about + "\x00" + string(value)})}
}

// onceHash returns a hash that identifies a value that is shown once, and its resource. Without an ID it identifies
// the value alone.
func (a *adapter) onceHash(id, key string, value []byte) cfv1alpha1.FieldHash {
	h := cfv1alpha1.FieldHash{Path: key, Hash: a.hashOf(input{path: key, value: id + "\x00" + string(value)})}
	if id == "" {
		h.Path += valueAlone
	}
	return h
}

// valueAlone ends the path of a hash that identifies no resource.
const valueAlone = "/value"

// ofAnother reports whether the connection secret has a value that was shown once for an earlier resource than l. It
// returns false for a value that the provider did not record: a user put it there.
func (a *adapter) ofAnother(l Live, d kind.Detail) bool {
	have := a.published[d.Key]
	return d.Once && len(have) > 0 && slices.Contains(a.sync.Details, a.onceHash("", d.Key, have)) &&
		!slices.Contains(a.sync.Details, a.onceHash(l.id, d.Key, have))
}

// rememberDetails records which values were fetched or shown once, and for which resource. It keeps the records of
// keys without a value in values: without them, an outdated value in the Secret would be trusted.
func (a *adapter) rememberDetails(l Live, values map[string][]byte) {
	var now []cfv1alpha1.FieldHash
	for _, d := range a.Description.Details {
		v := values[d.Key]
		switch {
		case !d.Once && d.From == "":
		case len(v) == 0:
			for _, h := range a.sync.Details {
				if h.Path == d.Key || h.Path == d.Key+valueAlone {
					now = append(now, h)
				}
			}
		case d.Once:
			a.salted()
			now = append(now, a.onceHash(l.id, d.Key, v), a.onceHash("", d.Key, v))
		default:
			a.salted()
			now = append(now, a.fetchedHash(l, d.Key, v, a.sync.Secrets))
		}
	}
	a.noteDetails(now)
}

// noteDetails records which values the connection secret has, and for which resource.
func (a *adapter) noteDetails(now []cfv1alpha1.FieldHash) {
	if slices.Equal(now, a.sync.Details) {
		return
	}
	a.sync.Details = now
	a.memory.wrote(a.mg.GetUID(), a.sync)
	*a.mg.GetSync() = *a.sync.DeepCopy()
}

// publishOnce writes the values that only this answer shows, and those that follow from them without a call. A value
// that cannot be written now stays in memory until it is written: only the end of the process loses it.
func (a *adapter) publishOnce(ctx context.Context, l Live) error {
	if a.published == nil || !a.Description.ShowsOnce() {
		return nil
	}
	values, once := map[string][]byte{}, map[string][]byte{}
	for _, d := range a.Description.Details {
		if d.From != "" {
			continue
		}
		v, err := a.detail(ctx, l, d, values)
		if err != nil || len(v) == 0 {
			continue // The next look reports the error. It must not keep the rest from being written.
		}
		values[d.Key] = v
		if d.Once {
			once[d.Key] = v
		}
	}
	a.memory.keep(a.mg.GetUID(), once)
	a.rememberDetails(l, values)
	return a.send(ctx, values)
}

// lost returns the keys of the values that Cloudflare shows once and the connection secret lacks.
func (a *adapter) lost(l Live) []string {
	if a.published == nil || meta.GetExternalName(a.mg) == "" || !a.manages() {
		return nil
	}
	var out []string
	for _, d := range a.Description.Details {
		missing := len(a.published[d.Key]) == 0 || a.ofAnother(l, d)
		if d.Once && d.Of(l.doc) && missing && len(a.memory.unpublished(a.mg.GetUID())[d.Key]) == 0 {
			out = append(out, d.Key)
		}
	}
	return out
}

// lostSays returns a message about what is lost and what to do about it, "" if nothing is lost.
func (a *adapter) lostSays(l Live) string {
	lost := a.lost(l)
	if len(lost) == 0 {
		return ""
	}
	do := fmt.Sprintf("set spec.secretPolicy to %s to make a new one, which ends the old one", cfv1alpha1.RollSecretIfMissing)
	if !a.Description.Rolls() {
		do = a.remedy(lost)
	}
	return fmt.Sprintf("Cloudflare shows %s of the %s only once, and the connection secret does not have it: %s", strings.Join(lost, ", "), a.Description.Noun, do)
}

// remedy returns what to do about lost keys that no operation makes again.
func (a *adapter) remedy(lost []string) string {
	var out []string
	for _, d := range a.Description.Details {
		if slices.Contains(lost, d.Key) && !slices.Contains(out, d.Remedy) {
			out = append(out, d.Remedy)
		}
	}
	return strings.Join(out, "; ")
}

// lostDifferences returns the lost values that have to be made again, if the object allows that.
func (a *adapter) lostDifferences(l Live) drift.Differences {
	var out drift.Differences
	if a.rolls() {
		for _, key := range a.lost(l) {
			out = append(out, drift.Difference{Field: key, Says: "the connection secret does not have it, and a new one is made"})
		}
	}
	return out
}

// rolls reports whether the object allows the provider to make a lost value again.
func (a *adapter) rolls() bool {
	return a.Description.Rolls() && a.mg.GetSecretPolicy() == cfv1alpha1.RollSecretIfMissing
}

// roll makes new values for what is lost, and publishes them before another step can fail. It returns false if
// nothing is lost, or the object does not allow it.
func (a *adapter) roll(ctx context.Context, l Live) (bool, error) {
	if !a.rolls() || len(a.lost(l)) == 0 {
		return false, nil
	}
	if err := cmp.Or(a.publishable(), a.notOwn(ctx, l)); err != nil {
		return false, err
	}
	if err := a.still(ctx); err != nil {
		return false, err
	}
	v, err := a.all.Call(ctx, a.Description.Roll, l.id, kind.Document{})
	if err != nil {
		return false, fmt.Errorf("cannot make a new secret of the %s: %w", a.Description.Noun, err)
	}
	doc := a.Description.CreateBody(l.doc)
	fresh, isObject := v.(kind.Document)
	for _, d := range a.Description.Details {
		switch {
		case !d.Once || d.Path == "":
		case isObject:
			kind.Put(doc, d.Path, kind.Text(fresh, d.Path))
		default:
			kind.Put(doc, d.Path, v)
		}
	}
	return true, a.publishOnce(ctx, newLive(a.Description, l.id, doc))
}

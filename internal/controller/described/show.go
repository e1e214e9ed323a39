// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package described

import (
	"cmp"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/crossplane/crossplane-runtime/v2/pkg/event"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	cfv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/drift"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
)

// EventNormalized is about fields for which Cloudflare answered another value than the one that was sent.
const EventNormalized event.Reason = "NormalizedByCloudflare"

// different returns the fields that differ, without what Cloudflare made of our own last write.
func (a *adapter) different(l Live) []kind.Difference {
	return kind.WithoutEchoes(a.Description.Differences(a.declared(), l.doc), a.echoes())
}

// echoes returns what Cloudflare made of values that the object wrote.
func (a *adapter) echoes() []kind.Normalization {
	var out []kind.Normalization
	for _, e := range a.sync.Echo {
		out = append(out, kind.Normalization{Path: e.Path, Want: e.Desired, Answer: e.Answer})
	}
	return out
}

// Compare returns how l differs from what the object declares.
func (a *adapter) Compare(l Live) (drift.Differences, bool) {
	if len(a.want) == 0 {
		return nil, false
	}
	var out drift.Differences
	for _, d := range a.different(l) {
		live, want := d.Values()
		out = append(out, drift.Difference{Field: d.Name(a.names), Live: live, Desired: want})
	}
	if a.manages() { // What another object sent is unknown.
		out = append(out, a.secretDifferences()...)
		out = append(out, a.leftDifferences(l)...)
		out = append(out, a.fileDifferences(l)...)
	}
	out = append(out, a.issueDifferences(l)...)
	out = append(out, a.refreshDifferences(l)...)
	return append(out, a.lostDifferences(l)...), true
}

// LogLocation returns the parent of the resource, as a key and a value for the log.
func (a *adapter) LogLocation() []any { return []any{"parent", a.sync.Parent} }

// everything is for a write that sends all that is declared.
func everything(string) bool { return true }

// remember records what Cloudflare answered to our own write, and which values of Secrets were sent. before is the
// resource before the write. A difference in a field that was not sent is drift, from a change outside of this
// object. A normalization that was not known is shown once.
func (a *adapter) remember(l, before Live, sent func(path string) bool) {
	sync := &a.sync
	was, known := sync.Echo, a.echoes()
	sync.Echo = nil
	var news []string
	for _, e := range a.Description.Echoes(a.declared(), before.doc, l.doc, known) {
		echo := cfv1alpha1.FieldEcho{Path: e.Path, Desired: e.Want, Answer: e.Answer}
		known := slices.Contains(was, echo)
		if !known && !sent(e.Path) {
			continue
		}
		sync.Echo = append(sync.Echo, echo)
		if !known {
			news = append(news, kind.Difference{Path: e.Path}.Name(a.names))
		}
	}
	a.rememberInputs()
	a.rememberFiles(l)
	a.memory.wrote(a.mg.GetUID(), *sync)
	if len(news) > 0 {
		a.events.Event(a.mg, event.Normal(EventNormalized, fmt.Sprintf("Cloudflare holds another value than the one that was sent, and it is left as it is: %s",
			strings.Join(news, ", "))))
	}
}

// SetStatus puts l on the object's status.
func (a *adapter) SetStatus(l Live, synced *metav1.Time) {
	a.waiting.Remove(client.ObjectKeyFromObject(a.mg))
	doc := a.withShown(l)
	a.ClearStatus()
	kind.Decode(doc, a.mg.GetAtProvider())
	setID(a.mg.GetAtProvider(), l.id)
	a.sync.LastSyncedAt = synced
	*a.mg.GetSync() = *a.sync.DeepCopy()
}

// withShown returns what l shows, completed by what the status shows: what Read lacks is missing while the list
// fails.
func (a *adapter) withShown(l Live) kind.Document {
	if len(a.Description.ReadLacks) == 0 || seenID(a.mg) != l.id {
		return l.doc
	}
	shown, err := kind.Encode(a.mg.GetAtProvider())
	if err != nil {
		return l.doc
	}
	out := maps.Clone(l.doc)
	for _, path := range a.Description.ReadLacks {
		if v, has := shown[path]; has && out[path] == nil {
			out[path] = v
		}
	}
	return out
}

// LastWrite returns when a write last succeeded, by the status.
func (a *adapter) LastWrite() *metav1.Time { return a.sync.LastSyncedAt }

// ClearStatus clears what the status shows of the resource.
func (a *adapter) ClearStatus() {
	at := reflect.ValueOf(a.mg.GetAtProvider()).Elem()
	at.Set(reflect.Zero(at.Type()))
}

// fieldID is the field of each generated observation that holds the identity.
const fieldID = "ID"

func setID(atProvider any, id string) {
	if f := reflect.ValueOf(atProvider).Elem().FieldByName(fieldID); f.IsValid() && f.Kind() == reflect.String {
		f.SetString(id)
	}
}

// seenID returns the identity that the status shows.
func seenID(o Object) string {
	f := reflect.ValueOf(o.GetAtProvider()).Elem().FieldByName(fieldID)
	if !f.IsValid() || f.Kind() != reflect.String {
		return ""
	}
	return f.String()
}

// Ready returns the Ready condition of the resource.
func (a *adapter) Ready(l Live) xpv2.Condition {
	if why := cmp.Or(a.keyLost(l), a.lostSays(l), a.endedSays(l)); why != "" {
		return xpv2.Unavailable().WithMessage(why)
	}
	if was := a.mg.GetCondition(xpv2.TypeReady); a.Description.Partial(l.doc) && was.Status != corev1.ConditionUnknown {
		return was
	}
	if a.Description.NotSet(l.doc) {
		return xpv2.Unavailable().WithMessage(fmt.Sprintf("there is no %s at Cloudflare: nobody has set one", a.Description.Noun))
	}
	ready, converges := readiness(a.Description, l.doc)
	a.memory.converges(a.mg.GetUID(), converges, a.now())
	return ready
}

// readiness returns the condition for the status in an answer. converges reports whether that status is on its way to
// ready by itself. A resource that waits for a person does not converge, because that may take weeks: the list that
// all objects share shows when it is ready.
func readiness(d kind.Description, doc kind.Document) (ready xpv2.Condition, converges bool) {
	for _, s := range d.Status {
		v := kind.Text(doc, s.Path)
		switch {
		case slices.Contains(s.Converging, v), s.Unknown != "" && v == s.Unknown:
			return xpv2.Unavailable().WithMessage(fmt.Sprintf("the %s is %s at Cloudflare, which passes by itself", d.Noun, v)), true
		case slices.Contains(s.Failed, v):
			return xpv2.Unavailable().WithMessage(fmt.Sprintf("the %s is %s at Cloudflare: correct its spec", d.Noun, v)), false
		case s.Human[v] != "":
			return xpv2.Unavailable().WithMessage(fmt.Sprintf("the %s waits for a person: %s", d.Noun, s.Human[v])), false
		}
	}
	return xpv2.Available(), false
}

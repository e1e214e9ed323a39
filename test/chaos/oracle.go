// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/yaml"

	dnsv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
	zonev1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/zone/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

// roleLabel is the label with an object's role.
const roleLabel = "chaos.test/role"

// journalLabel is on the ConfigMaps of the journal. journalKey is their key with the entries.
const (
	journalLabel = "cloudflare.m.crossplane.io/journal"
	journalKey   = "entries"
)

// pendingAnnotation holds the key of a creation whose outcome is unknown.
const pendingAnnotation = "dns.cloudflare.m.crossplane.io/pending-record"

// A liveRecord is a record at Cloudflare.
type liveRecord struct {
	ID       string  `json:"id"`
	Name     string  `json:"name"`
	Type     string  `json:"type"`
	Content  string  `json:"content"`
	Priority *int64  `json:"priority"`
	TTL      int64   `json:"ttl"`
	Proxied  bool    `json:"proxied"`
	Comment  *string `json:"comment"`

	raw json.RawMessage
}

func (r liveRecord) key() string {
	return r.Type + " " + r.Name + " " + plain(r.Type, r.Content, r.Priority)
}

// A grant allows for one orphan: at most one record under one of these names, or the zone if it
// has no names.
type grant struct {
	Object string   `json:"object"`
	Zone   string   `json:"zone"`
	Names  []string `json:"names"` // relative to the zone
	// ID is the record or zone that must stay, "" if none has to.
	ID string `json:"id,omitempty"`
}

// facts are the state of both sides after everything has come to rest.
type facts struct {
	Objects []dnsv1alpha1.Record
	Zones   map[string]string       // IDs by name, of those that no object manages
	Live    map[string][]liveRecord // by the zone's name
	Foreign map[string]json.RawMessage
	Grants  []grant

	ZoneObjects []zonev1alpha1.Zone
	LiveZones   []simulator.Zone
	Namespaces  []corev1.Namespace
	// Journal are the ConfigMaps in which the provider keeps creations with an unknown outcome.
	Journal []corev1.ConfigMap

	// ResourceObjects are the objects of described kinds. LiveResources are the resources of
	// these kinds at Cloudflare, and Strangers the foreign ones.
	ResourceObjects []described
	LiveResources   []liveResource
	Strangers       map[string]json.RawMessage
}

// The kinds of violations.
const (
	vNotReady  = "not-ready"       // an object did not reach the state of its role
	vStuck     = "stuck"           // an object is not deleted
	vHuman     = "waits-for-human" // an object waits for a user
	vLost      = "lost"            // an expected record does not exist
	vWrong     = "differs"         // a record is not as declared
	vDuplicate = "duplicate"       // a record exists twice
	vOrphan    = "orphan"          // a record or a zone without an object
	vForeign   = "foreign-touched" // a foreign record was changed
	vRefusal   = "not-refused"     // an object was not refused for the expected reason
	vOpen      = "left-open"       // the journal has a creation that is not open
	vWriters   = "two-writers"     // two processes wrote at the same time
	vHot       = "hot-loop"        // too many calls
	vLocked    = "locked-out"      // Cloudflare blocked a credential for its rate
	vUnsteady  = "unsteady"        // something changes at rest
	vLeak      = "leak"            // a credential is in a log
	vPanic     = "panic"           // a process crashed
)

// A violation is a fact that must not be true.
type violation struct {
	Kind       string   `json:"kind"`
	Object     string   `json:"object,omitempty"`
	Record     string   `json:"record,omitempty"`
	Detail     string   `json:"detail"`
	Conditions string   `json:"conditions,omitempty"` // YAML
	Log        []string `json:"log,omitempty"`        // the simulator's, about the record and its name
	History    []string `json:"history,omitempty"`    // of the objects with that name

	names []string // to search the log for
}

// An object is a Record, a Zone, or an object of a described kind.
type object interface {
	client.Object
	GetCondition(xpv2.ConditionType) xpv2.Condition
}

func nameOf(o client.Object) string { return o.GetNamespace() + "/" + o.GetName() }

// nameAtCloudflare returns the name that an object declares.
func nameAtCloudflare(o client.Object) string {
	switch o := o.(type) {
	case *dnsv1alpha1.Record:
		return ptr.Deref(o.Spec.ForProvider.Name, "")
	case *zonev1alpha1.Zone:
		return firstLabel(ptr.Deref(o.Spec.ForProvider.Name, ""))
	case described:
		key, _ := declaredBy(o)
		return key
	}
	return ""
}

func about(o object, kind, format string, args ...any) violation {
	return violation{
		Kind: kind, Object: nameOf(o), Record: meta.GetExternalName(o), Detail: fmt.Sprintf(format, args...), Conditions: shown(o),
		names: []string{nameAtCloudflare(o)},
	}
}

// shown returns the part of an object that a report has.
func shown(o object) string {
	parts := map[string]any{"annotations": o.GetAnnotations(), "generation": o.GetGeneration()}
	switch o := o.(type) {
	case *dnsv1alpha1.Record:
		parts["conditions"], parts["spec"] = o.Status.Conditions, o.Spec.ForProvider
	case *zonev1alpha1.Zone:
		parts["conditions"], parts["spec"] = o.Status.Conditions, o.Spec.ForProvider
	case described:
		parts["kind"], parts["status"], parts["spec"] = o.GetKind(), o.Object["status"], o.Object["spec"]
	}
	text, err := yaml.Marshal(parts)
	if err != nil {
		return err.Error()
	}
	return string(text)
}

// judgement holds facts and the violations found in them.
type judgement struct {
	facts
	zoneOf  map[string]string // names of zones by ID
	live    map[string]liveRecord
	holders map[string]*dnsv1alpha1.Record // by the ID of the record that they manage
	found   []violation
}

// judge returns all violations in f. It knows nothing of how the provider works.
func judge(f facts) []violation {
	j := &judgement{facts: f, zoneOf: map[string]string{}, live: map[string]liveRecord{}, holders: map[string]*dnsv1alpha1.Record{}}
	for name, id := range f.Zones {
		j.zoneOf[id] = name
	}
	for _, all := range f.Live {
		for _, r := range all {
			j.live[r.ID] = r
		}
	}
	contenders := map[string][]*dnsv1alpha1.Record{}
	for i := range f.Objects {
		r := &f.Objects[i]
		if r.DeletionTimestamp != nil {
			j.add(about(r, vStuck, "it is being deleted since %s", r.DeletionTimestamp))
			continue
		}
		switch role(r.Labels[roleLabel]) {
		case roleRefuse:
			j.refused(r)
		case roleObserve:
			j.observes(r)
		case roleContend:
			k := j.zone(r) + " " + j.key(r)
			contenders[k] = append(contenders[k], r)
		default:
			j.ready(r)
		}
	}
	for _, all := range contenders {
		j.contend(all)
	}
	j.records()
	j.zones()
	j.resources()
	j.namespaces()
	j.journal()
	j.foreign()
	slices.SortStableFunc(j.found, func(a, b violation) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Object, b.Object), cmp.Compare(a.Record, b.Record))
	})
	return j.found
}

// journal finds creations that are open although everything has come to rest.
func (j *judgement) journal() {
	for i := range j.Journal {
		cm := &j.Journal[i]
		var entries []json.RawMessage
		if err := json.Unmarshal([]byte(cm.Data[journalKey]), &entries); err != nil {
			j.add(violation{Kind: vOpen, Object: nameOf(cm), Detail: fmt.Sprintf("the journal cannot be read: %v", err)})
		}
		for _, e := range entries {
			j.add(violation{Kind: vOpen, Object: nameOf(cm), Detail: fmt.Sprintf("the journal has a creation: %s", e)})
		}
	}
}

func (j *judgement) add(v ...violation) { j.found = append(j.found, v...) }

func (j *judgement) zone(r *dnsv1alpha1.Record) string {
	return cmp.Or(ptr.Deref(r.Spec.ForProvider.ZoneName, ""), j.zoneOf[ptr.Deref(r.Spec.ForProvider.ZoneID, "")])
}

// key returns the key of an object's declared record, in the form of liveRecord.key.
func (j *judgement) key(r *dnsv1alpha1.Record) string {
	p := r.Spec.ForProvider
	typ := ptr.Deref(p.Type, "")
	return typ + " " + ptr.Deref(p.Name, "") + "." + j.zone(r) + " " + plain(typ, ptr.Deref(p.Content, ""), p.Priority)
}

// settled returns what is wrong with an object that should be Ready and Synced.
func settled(r object) []violation {
	for _, typ := range []xpv2.ConditionType{xpv2.TypeSynced, xpv2.TypeReady, "UpToDate"} {
		c := r.GetCondition(typ)
		if c.Status == corev1.ConditionTrue && (typ == xpv2.TypeSynced || c.ObservedGeneration == r.GetGeneration()) {
			continue
		}
		kind := vNotReady
		if strings.Contains(c.Message, "cannot determine creation result") || strings.Contains(c.Message, "look at Cloudflare") {
			kind = vHuman
		}
		return []violation{about(r, kind, "%s is %q for generation %d of %d: %s", typ, c.Status, c.ObservedGeneration, r.GetGeneration(), c.Message)}
	}
	return nil
}

// ready judges an object that should manage a record.
func (j *judgement) ready(r *dnsv1alpha1.Record) {
	if v := settled(r); len(v) > 0 {
		j.add(v...)
		if id := meta.GetExternalName(r); id != "" && j.holders[id] == nil {
			j.holders[id] = r
		}
		return
	}
	id := meta.GetExternalName(r)
	if id == "" || id != r.Status.AtProvider.ID {
		j.add(about(r, vWrong, "the external name is %q, atProvider.id %q", id, r.Status.AtProvider.ID))
	}
	if v := r.Annotations[pendingAnnotation]; v != "" {
		j.add(about(r, vOpen, "a creation counts as open: %s", v))
	}
	if other := j.holders[id]; other != nil {
		j.add(about(r, vDuplicate, "it manages the record of %s", nameOf(other)))
	}
	j.holders[id] = r
	l, ok := j.live[id]
	if !ok {
		j.add(about(r, vLost, "there is no record %s", id))
		return
	}
	if got, want := l.key(), j.key(r); got != want {
		j.add(about(r, vWrong, "the live record is %q, want %q", got, want))
	}
	p := r.Spec.ForProvider
	proxied := ptr.Deref(p.Proxied, false)
	switch {
	case l.Proxied != proxied,
		p.TTL != nil && !proxied && *p.TTL != l.TTL,
		p.Comment != nil && *p.Comment != ptr.Deref(l.Comment, ""):
		j.add(about(r, vWrong, "the live record is %s", l.raw))
	}
}

// refused judges an object that may not adopt the existing record.
func (j *judgement) refused(r *dnsv1alpha1.Record) {
	for id := range j.Foreign {
		l, ok := j.live[id]
		if !ok || l.key() != j.key(r) {
			continue
		}
		c := r.GetCondition(xpv2.TypeSynced)
		if c.Status != corev1.ConditionFalse || !strings.Contains(c.Message, "an identical record exists with ID "+id) ||
			r.GetCondition(xpv2.TypeReady).Status == corev1.ConditionTrue || meta.GetExternalName(r) != "" {
			j.add(about(r, vRefusal, "it is to be refused, because of record %s; Synced is %q: %s", id, c.Status, c.Message))
		}
		return
	}
	j.add(about(r, vForeign, "the foreign record that it may not adopt is not there any more: %s", j.key(r)))
}

// observes judges an object that observes a foreign record.
func (j *judgement) observes(r *dnsv1alpha1.Record) {
	j.add(settled(r)...)
	if l, ok := j.live[r.Status.AtProvider.ID]; !ok || l.key() != j.key(r) {
		j.add(about(r, vWrong, "it shows record %q, want %s", r.Status.AtProvider.ID, j.key(r)))
	}
}

// contend judges objects that claim the same record: one manages it, and the others are
// refused.
func (j *judgement) contend(all []*dnsv1alpha1.Record) {
	var winners, losers []*dnsv1alpha1.Record
	for _, r := range all {
		if r.GetCondition(xpv2.TypeSynced).Status == corev1.ConditionTrue {
			winners = append(winners, r)
		} else {
			losers = append(losers, r)
		}
	}
	if len(winners) != 1 {
		for _, r := range all {
			j.add(about(r, vNotReady, "%d of %d objects that claim the same are Synced, want 1: %s", len(winners), len(all), r.GetCondition(xpv2.TypeSynced).Message))
		}
		return
	}
	j.ready(winners[0])
	for _, r := range losers {
		want := "already managed by " + nameOf(winners[0])
		if c := r.GetCondition(xpv2.TypeSynced); !strings.Contains(c.Message, want) {
			j.add(about(r, vRefusal, "its message does not say %q: %s", want, c.Message))
		}
	}
}

// records judges the live records: each has an object or a grant, or is foreign, and none exists
// twice.
func (j *judgement) records() {
	// A grant with an ID covers that record only, not another one left under its name.
	known := map[string]grant{}
	var left []grant
	for _, g := range j.Grants {
		if g.ID != "" && len(g.Names) > 0 {
			known[g.ID] = g
		} else {
			left = append(left, g)
		}
	}
	for _, zone := range slices.Sorted(slices.Values(zoneNames())) {
		seen := map[string]string{}
		for _, l := range j.Live[zone] {
			if other := seen[l.key()]; other != "" {
				j.add(violation{Kind: vDuplicate, Record: l.ID, Detail: fmt.Sprintf("it is the same as %s: %s", other, l.raw), names: []string{relative(l.Name, zone)}})
			}
			seen[l.key()] = l.ID
			if j.Foreign[l.ID] != nil || j.holders[l.ID] != nil {
				continue
			}
			name := relative(l.Name, zone)
			if g, ok := known[l.ID]; ok && g.Zone == zone && slices.Contains(g.Names, name) {
				delete(known, l.ID)
				continue
			}
			i := slices.IndexFunc(left, func(g grant) bool { return g.Zone == zone && slices.Contains(g.Names, name) })
			if i < 0 {
				j.add(violation{Kind: vOrphan, Record: l.ID, Detail: "nobody claims it: " + string(l.raw), names: []string{name}})
				continue
			}
			left = slices.Delete(left, i, i+1)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(known)) {
		g := known[id]
		j.add(violation{Kind: vLost, Object: g.Object, Record: id, Detail: "the record was to stay when its object went", names: g.Names})
	}
}

func relative(fqdn, zone string) string { return strings.TrimSuffix(fqdn, "."+zone) }

// foreign judges the foreign records: not a byte has changed.
func (j *judgement) foreign() {
	for id, was := range j.Foreign {
		l, ok := j.live[id]
		switch {
		case !ok:
			j.add(violation{Kind: vForeign, Record: id, Detail: "it is gone: " + string(was)})
		case !bytes.Equal(l.raw, was):
			j.add(violation{Kind: vForeign, Record: id, Detail: fmt.Sprintf("it was %s and is %s", was, l.raw)})
		case j.holders[id] != nil:
			j.add(about(j.holders[id], vForeign, "it manages the foreign record %s", id))
		}
	}
}

// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
)

// resources judges the objects and live resources of described kinds. Each object has exactly
// one resource, which is as declared. Each resource has an object, was to stay, or is foreign.
// No byte of a foreign resource has changed.
func (j *judgement) resources() {
	byKey := map[string][]liveResource{}
	for _, l := range j.LiveResources {
		byKey[l.Family+" "+l.Key] = append(byKey[l.Family+" "+l.Key], l)
	}
	claimed := map[string]string{}
	for i := range j.ResourceObjects {
		o := j.ResourceObjects[i]
		key, want := declaredBy(o)
		k := o.GetKind() + " " + key
		if other := claimed[k]; other != "" {
			j.add(about(o, vDuplicate, "it declares what %s declares: %s", other, k))
		}
		claimed[k] = nameOf(o)
		j.resource(o, want, byKey[k])
	}
	left := slices.Clone(j.Grants)
	for _, l := range j.LiveResources {
		if j.Strangers[l.id()] != nil || claimed[l.Family+" "+l.Key] != "" || familyOf(l.Family).keys != nil {
			continue
		}
		if i := slices.IndexFunc(left, func(g grant) bool { return g.Zone == l.Family && slices.Contains(g.Names, l.Key) }); i >= 0 {
			left = slices.Delete(left, i, i+1)
			continue
		}
		j.add(violation{Kind: vOrphan, Record: l.ID, Detail: fmt.Sprintf("nobody claims the %s: %s", l.Family, l.raw), names: []string{l.Key}})
	}
	j.strangers()
}

// declaredBy returns what an object declares.
func declaredBy(o described) (key, value string) {
	f := familyOf(o.GetKind())
	return text(o.parameter(f.keyAt)), f.shown(o.parameter(f.valueAt))
}

// resource judges one object. want is its desired value, and live are the resources with its
// key.
func (j *judgement) resource(o described, want string, live []liveResource) {
	if t := o.GetDeletionTimestamp(); t != nil {
		j.add(about(o, vStuck, "it is being deleted since %s", t))
		return
	}
	if v := settled(o); len(v) > 0 {
		j.add(v...)
		return
	}
	switch {
	case len(live) == 0:
		j.add(about(o, vLost, "there is no %s of its key", o.GetKind()))
	case len(live) > 1:
		j.add(about(o, vDuplicate, "there are %d of its key", len(live)))
	case j.Strangers[live[0].id()] != nil:
		j.add(about(o, vForeign, "it manages the foreign %s", live[0].id()))
	case live[0].Value != want:
		j.add(about(o, vWrong, "what is live is %q, want %q", live[0].Value, want))
	}
}

// strangers judges the foreign resources.
func (j *judgement) strangers() {
	live := map[string]liveResource{}
	for _, l := range j.LiveResources {
		live[l.id()] = l
	}
	for _, id := range slices.Sorted(maps.Keys(j.Strangers)) {
		was := j.Strangers[id]
		switch l, ok := live[id]; {
		case !ok:
			j.add(violation{Kind: vForeign, Record: id, Detail: "it is gone: " + string(was)})
		case !bytes.Equal(l.raw, was):
			j.add(violation{Kind: vForeign, Record: l.ID, Detail: fmt.Sprintf("it was %s and is %s", was, l.raw), names: []string{l.Key}})
		}
	}
}

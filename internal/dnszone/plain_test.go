// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package dnszone

import (
	"maps"
	"reflect"
	"slices"
	"time"

	"github.com/provider-cloudflare/provider-cloudflare/internal/dnsrecord"
	"github.com/provider-cloudflare/provider-cloudflare/internal/parent"
)

// plainView is a view in its simplest form: two maps, and nothing to save memory.
type plainView struct {
	base    map[string]dnsrecord.Live
	changes map[string]plainChange
	begun   uint64
}

type plainChange struct {
	live          dnsrecord.Live
	gone, written bool
	at            uint64
	when          time.Time
}

func (v *plainView) get(id string) (l dnsrecord.Live, ok, gone bool) {
	if c, changed := v.changes[id]; changed {
		_, listed := v.base[id]
		disputed := !c.written && listed && c.at < v.begun
		return c.live, !c.gone, c.gone && !disputed
	}
	l, ok = v.base[id]
	return l, ok, false
}

func (v *plainView) all() map[string]dnsrecord.Live {
	all := maps.Clone(v.base)
	for id, c := range v.changes {
		if all[id] = c.live; c.gone {
			delete(all, id)
		}
	}
	return all
}

func (v *plainView) byName() map[nameType][]dnsrecord.Live {
	all, out := v.all(), map[nameType][]dnsrecord.Live{}
	for _, id := range slices.Sorted(maps.Keys(all)) {
		r := dnsrecord.FromLive(all[id])
		nt := nameType{r.Name, r.Type}
		out[nt] = append(out[nt], all[id])
	}
	return out
}

func (v *plainView) rebase(list []dnsrecord.Live, begun uint64, began time.Time) []string {
	before := v.all()
	v.base, v.begun = map[string]dnsrecord.Live{}, begun
	for _, l := range list {
		v.base[l.ID] = l
	}
	maps.DeleteFunc(v.changes, func(id string, c plainChange) bool {
		shown, listed := v.base[id]
		switch {
		case c.at >= begun:
			return false
		case listed && c.gone && c.written:
			return began.After(c.when.Add(parent.GoneDisputed))
		case listed && c.gone:
			return began.After(c.when.Add(parent.Lag))
		case listed && !shown.ModifiedOn.Equal(c.live.ModifiedOn):
			return shown.ModifiedOn.After(c.live.ModifiedOn)
		}
		if c.gone {
			return began.After(c.when.Add(parent.GoneKept))
		}
		return began.After(c.when.Add(parent.Lag)) || !c.written
	})
	var differ []string
	now := v.all()
	for id, l := range now {
		if old, was := before[id]; !was || !sameLive(old, l) {
			differ = append(differ, id)
		}
	}
	for id := range before {
		if _, is := now[id]; !is {
			differ = append(differ, id)
		}
	}
	slices.Sort(differ)
	return differ
}

// plainly returns l without what has no meaning. Off, empty and absent are one, and so
// are numbers of all types. meta says only who owns the record.
func plainly(l dnsrecord.Live) dnsrecord.Live {
	if l.Settings != nil && *l.Settings == (dnsrecord.Settings{}) {
		l.Settings = nil
	}
	if len(l.Tags) == 0 {
		l.Tags = nil
	}
	if _, foreign := l.Foreign(); !foreign {
		l.Meta = nil
	}
	var data dnsrecord.Data
	for k, v := range l.Data {
		if n, ok := v.(int64); ok {
			v = float64(n)
		}
		if data == nil {
			data = dnsrecord.Data{}
		}
		data[k] = v
	}
	l.Data, l.CreatedOn, l.ModifiedOn = data, l.CreatedOn.UTC(), l.ModifiedOn.UTC()
	return l
}

func sameLive(a, b dnsrecord.Live) bool { return reflect.DeepEqual(plainly(a), plainly(b)) }

// canonical returns the Record that an Entry of l should have.
func canonical(l dnsrecord.Live) dnsrecord.Record {
	r := dnsrecord.FromLive(l)
	if len(r.Data) == 0 {
		r.Data = nil
	}
	return r
}

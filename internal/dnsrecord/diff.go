// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package dnsrecord

import (
	"iter"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Diff returns the fields that desired manages and that have another value in live, in a fixed
// order (name, type, content or data, priority, ttl, proxied, comment, tags, settings). It is
// empty exactly if Equal returns true.
//
// Nil fields are not managed. If the record is proxied once desired is applied, its ttl is not
// managed either, because the API sets it to 1, and neither is flatten_cname, because the API
// drops it.
func Diff(desired, live Record) []Difference {
	return slices.Collect(differences(desired, live))
}

// Equal reports whether live has the desired value of every field that desired manages.
func Equal(desired, live Record) bool {
	for range differences(desired, live) {
		return false
	}
	return true
}

// differences yields until yield returns false. It formats values only if they differ.
func differences(desired, live Record) iter.Seq[Difference] {
	return func(yield func(Difference) bool) {
		_ = identityDiffers(desired, live, yield) &&
			rdataDiffers(desired, live, yield) &&
			attributesDiffer(desired, live, yield) &&
			settingsDiffer(desired, live, yield)
	}
}

// Each of the following functions yields the differences in its part, and returns false if yield
// did.

func identityDiffers(desired, live Record, yield func(Difference) bool) bool {
	if desired.Name != live.Name && !yield(Difference{"name", live.Name, desired.Name}) {
		return false
	}
	return desired.Type == live.Type || yield(Difference{"type", live.Type, desired.Type})
}

func rdataDiffers(desired, live Record, yield func(Difference) bool) bool {
	if desired.Data != nil && !dataDiffers(desired, live, yield) {
		return false
	}
	// The content of structured types is a rendering of their data.
	if desired.Data == nil || desired.literal() {
		if desired.Content != live.Content && !yield(Difference{"content", live.Content, desired.Content}) {
			return false
		}
	}
	if desired.Priority != nil && *desired.Priority != live.priority() {
		return yield(Difference{"priority", strconv.Itoa(int(live.priority())), strconv.Itoa(int(*desired.Priority))})
	}
	return true
}

// dataDiffers compares the declared members of the type. If the type is not known, it compares
// all members of both sides.
func dataDiffers(desired, live Record, yield func(Difference) bool) bool {
	member := func(key string) bool {
		want, have := desired.Data[key], live.Data[key]
		return want == have || yield(Difference{"data." + camel(key), show(have), show(want)})
	}
	if t, ok := lookup(desired.Type); ok && t.structured() {
		for i := range t.fields {
			if _, declared := desired.Data[t.fields[i].key]; declared && !member(t.fields[i].key) {
				return false
			}
		}
		return true
	}
	keys := slices.AppendSeq(slices.Collect(maps.Keys(desired.Data)), maps.Keys(live.Data))
	slices.Sort(keys)
	for _, key := range slices.Compact(keys) {
		if !member(key) {
			return false
		}
	}
	return true
}

// literal reports whether the record's type is not known here. The content of such a record may
// say more than its data.
func (r Record) literal() bool {
	_, known := lookup(r.Type)
	return !known
}

func attributesDiffer(desired, live Record, yield func(Difference) bool) bool {
	if desired.TTL != nil && !willBeProxied(desired, live) && *desired.TTL != live.ttl() {
		if !yield(Difference{"ttl", strconv.FormatInt(live.ttl(), 10), strconv.FormatInt(*desired.TTL, 10)}) {
			return false
		}
	}
	if desired.Proxied != nil && *desired.Proxied != live.proxied() {
		if !yield(Difference{"proxied", strconv.FormatBool(live.proxied()), strconv.FormatBool(*desired.Proxied)}) {
			return false
		}
	}
	if desired.Comment != nil && *desired.Comment != live.comment() {
		if !yield(Difference{"comment", live.comment(), *desired.Comment}) {
			return false
		}
	}
	if desired.Tags != nil && !slices.Equal(desired.Tags, live.Tags) {
		return yield(Difference{"tags", strings.Join(live.Tags, ", "), strings.Join(desired.Tags, ", ")})
	}
	return true
}

func settingsDiffer(desired, live Record, yield func(Difference) bool) bool {
	if desired.Settings == nil {
		return true
	}
	want, have := *desired.Settings, live.settings()
	if willBeProxied(desired, live) {
		have.FlattenCNAME = want.FlattenCNAME
	}
	for _, s := range [...]struct {
		field      string
		have, want bool
	}{
		{"settings.flattenCname", have.FlattenCNAME, want.FlattenCNAME},
		{"settings.ipv4Only", have.IPv4Only, want.IPv4Only},
		{"settings.ipv6Only", have.IPv6Only, want.IPv6Only},
	} {
		if s.have != s.want && !yield(Difference{s.field, strconv.FormatBool(s.have), strconv.FormatBool(s.want)}) {
			return false
		}
	}
	return true
}

// willBeProxied reports whether live is proxied once desired is applied.
func willBeProxied(desired, live Record) bool {
	if desired.Proxied != nil {
		return *desired.Proxied
	}
	return live.proxied()
}

// The following methods return the value of a field, or the API's default if the field is not
// set.

func (r Record) priority() uint16 {
	if r.Priority == nil {
		return 0
	}
	return *r.Priority
}

func (r Record) ttl() int64 {
	if r.TTL == nil {
		return automaticTTL
	}
	return *r.TTL
}

func (r Record) proxied() bool { return r.Proxied != nil && *r.Proxied }

func (r Record) comment() string {
	if r.Comment == nil {
		return ""
	}
	return *r.Comment
}

func (r Record) settings() Settings {
	if r.Settings == nil {
		return Settings{}
	}
	return *r.Settings
}

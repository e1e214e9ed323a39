// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package record

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"k8s.io/utils/ptr"

	"github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/dnsrecord"
	"github.com/provider-cloudflare/provider-cloudflare/internal/dnszone"
	"github.com/provider-cloudflare/provider-cloudflare/internal/external"
)

// input returns what p declares, as an input of dnsrecord.
func input(p v1alpha1.RecordParameters) (dnsrecord.Input, error) {
	in := dnsrecord.Input{
		Name:     ptr.Deref(p.Name, ""),
		Type:     ptr.Deref(p.Type, ""),
		Content:  p.Content,
		Priority: p.Priority,
		TTL:      p.TTL,
		Proxied:  p.Proxied,
		Comment:  p.Comment,
	}
	if p.Tags != nil {
		in.Tags = append([]string{}, *p.Tags...)
	}
	if s := p.Settings; s != nil {
		in.Settings = &dnsrecord.Settings{
			FlattenCNAME: ptr.Deref(s.FlattenCNAME, false),
			IPv4Only:     ptr.Deref(s.IPv4Only, false),
			IPv6Only:     ptr.Deref(s.IPv6Only, false),
		}
	}
	if p.TunnelID != nil {
		in.Content, in.Proxied = ptr.To(*p.TunnelID+tunnelSuffix), ptr.To(true)
	}
	var err error
	in.Data, err = wireData(p.Data)
	return in, err
}

// tunnelSuffix completes the ID of a tunnel to the name that a CNAME leads to.
const tunnelSuffix = ".cfargotunnel.com."

// wireData returns d under the names of the API ("keyTag" is "key_tag").
func wireData[T v1alpha1.RecordData | v1alpha1.ObservedRecordData](d *T) (dnsrecord.Data, error) {
	if d == nil {
		return nil, nil
	}
	raw, err := json.Marshal(d)
	if err != nil {
		return nil, fmt.Errorf("cannot encode data: %w", err)
	}
	var camel map[string]any
	if err := json.Unmarshal(raw, &camel); err != nil {
		return nil, fmt.Errorf("cannot decode data: %w", err)
	}
	out := make(dnsrecord.Data, len(camel))
	for k, v := range camel {
		out[snake(k)] = v
	}
	return out, nil
}

// shownData returns d under the names of the Kubernetes API. It returns nil if d does not
// fit: fields that Cloudflare adds later must not cause an error.
func shownData(d dnsrecord.Data) *v1alpha1.ObservedRecordData {
	if len(d) == 0 {
		return nil
	}
	camelled := make(map[string]any, len(d))
	for k, v := range d {
		camelled[camel(k)] = shownValue(v)
	}
	raw, err := json.Marshal(camelled)
	if err != nil {
		return nil
	}
	out := &v1alpha1.ObservedRecordData{}
	if json.Unmarshal(raw, out) != nil {
		return nil
	}
	return out
}

// shownValue returns fractions as strings: the Kubernetes API has no floats.
func shownValue(v any) any {
	if f, ok := v.(float64); ok && f != math.Trunc(f) {
		return strconv.FormatFloat(f, 'f', -1, 64)
	}
	return v
}

func snake(s string) string {
	var b strings.Builder
	for _, r := range s {
		if unicode.IsUpper(r) {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

func camel(s string) string {
	parts := strings.Split(s, "_")
	for i, p := range parts[1:] {
		if p != "" {
			parts[i+1] = strings.ToUpper(p[:1]) + p[1:]
		}
	}
	return strings.Join(parts, "")
}

// lastSeen returns the key of the record that a status shows, if it shows one.
func lastSeen(o v1alpha1.RecordObservation) (dnsrecord.Key, bool) {
	in := dnsrecord.Input{Name: o.FQDN + ".", Type: o.Type, Priority: o.Priority}
	data, err := wireData(o.Data)
	if in.Data = data; data == nil {
		in.Content = &o.Content
	}
	if err != nil || o.FQDN == "" {
		return dnsrecord.Key{}, false
	}
	r, err := dnsrecord.Parse("", in)
	return r.Key(), err == nil
}

// observation returns a live record as status.atProvider shows it. It shares no memory
// with the record.
func observation(zoneID string, e dnszone.Entry) v1alpha1.RecordObservation {
	l, r := e.Live, e.Record
	o := v1alpha1.RecordObservation{
		ID:     l.ID,
		ZoneID: zoneID,
		Name:   l.Name,
		FQDN:   r.Name,
		Type:   l.Type,
		// The API separates some contents by tabs, which would break kubectl's columns.
		Content:    strings.ReplaceAll(l.Content, "\t", " "),
		Data:       shownData(r.Data),
		TTL:        ptr.To(int64(l.TTL)),
		Proxied:    ptr.To(l.Proxied),
		Proxiable:  ptr.To(l.Proxiable),
		Comment:    copied(l.Comment),
		Tags:       slices.Clone(l.Tags),
		CreatedOn:  external.ShownTime(&l.CreatedOn),
		ModifiedOn: external.ShownTime(&l.ModifiedOn),
	}
	if r.Priority != nil {
		o.Priority = ptr.To(int64(*r.Priority))
	}
	if s := l.Settings; s != nil && *s != (dnsrecord.Settings{}) {
		o.Settings = &v1alpha1.RecordSettings{
			FlattenCNAME: ptr.To(s.FlattenCNAME), IPv4Only: ptr.To(s.IPv4Only), IPv6Only: ptr.To(s.IPv6Only),
		}
	}
	return o
}

// copied returns a pointer to a copy. A status is decoded in place, and records share
// memory.
func copied(s *string) *string {
	if s == nil {
		return nil
	}
	return ptr.To(*s)
}

// lateInitialize fills in fields that p leaves open and Cloudflare has decided: ttl,
// unless the record is proxied, and proxied, if the type can be proxied. It reports
// whether it changed anything, which is at most once for each field.
func lateInitialize(p *v1alpha1.RecordParameters, e dnszone.Entry) bool {
	changed := false
	if p.TTL == nil && !e.Live.Proxied && !ptr.Deref(p.Proxied, false) && e.Live.TTL > 0 {
		p.TTL, changed = ptr.To(int64(e.Live.TTL)), true
	}
	if p.Proxied == nil && dnsrecord.Proxiable(e.Live.Type) {
		p.Proxied, changed = ptr.To(e.Live.Proxied), true
	}
	return changed
}

// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package export

import (
	"cmp"
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strings"

	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/provider-cloudflare/provider-cloudflare/internal/cloudflare"
	"github.com/provider-cloudflare/provider-cloudflare/internal/dnsrecord"
)

// A Result is the outcome of an export.
type Result struct {
	// Objects are sorted by kind, the Zone first, and by name.
	Objects []client.Object
	LeftOut []LeftOut
	// Observed are resources whose objects only observe although Options.Manage is set.
	Observed []LeftOut
}

// A Filter chooses records. Its zero value takes all of them.
type Filter struct {
	// Types are types of records, such as "TXT".
	Types []string
	// Names are patterns of path.Match, each for the full name of a record or for its name
	// relative to the zone, such as "*.dev" or "www.example.com".
	Names []string
	// IDs are IDs of records. Nil means all.
	IDs map[string]bool
}

// Validate returns an error about the first type or pattern that is not valid.
func (f Filter) Validate() error {
	for _, t := range f.Types {
		if !slices.Contains(dnsrecord.Types(), t) {
			return fmt.Errorf("%q is no type of record: use %s", t, strings.Join(dnsrecord.Types(), ", "))
		}
	}
	for _, p := range f.Names {
		if _, err := path.Match(p, ""); err != nil {
			return fmt.Errorf("%q is no pattern of names: %w", p, err)
		}
	}
	return nil
}

func (f Filter) takes(zone, id string, r dnsrecord.Record) bool {
	named := func(pattern string) bool {
		whole, _ := path.Match(pattern, r.Name)
		short, _ := path.Match(pattern, relative(zone, r.Name))
		return whole || short
	}
	return (f.IDs == nil || f.IDs[id]) && (len(f.Types) == 0 || slices.Contains(f.Types, r.Type)) && (len(f.Names) == 0 || slices.ContainsFunc(f.Names, named))
}

// WholeZone returns the manifests of a zone and of its records. records are as the API writes them.
func (o Options) WholeZone(z cloudflare.Zone, records []json.RawMessage, f Filter) Result {
	out := o.Records(z, records, f)
	out.Objects = append([]client.Object{o.Zone(z)}, out.Objects...)
	return out
}

// Records returns the manifests of records of a zone, which refer to the object of the zone. It
// leaves out records that belong to other controllers or tools, and records that it cannot read.
func (o Options) Records(z cloudflare.Zone, records []json.RawMessage, f Filter) Result {
	var out Result
	lives := make([]dnsrecord.Live, 0, len(records))
	for _, raw := range records {
		l := dnsrecord.Live{}
		if err := json.Unmarshal(raw, &l); err != nil || !cloudflare.ValidID(l.ID) || l.Name == "" || l.Type == "" {
			out.leaveOut("a record", "it cannot be read")
			continue
		}
		lives = append(lives, l)
	}
	owners := ownersOf(lives)
	for _, l := range lives {
		live := dnsrecord.FromLive(l)
		if !f.takes(z.Name, l.ID, live) {
			continue
		}
		what := fmt.Sprintf("record %s %s (%s)", live.Name, live.Type, l.ID)
		if why := owners.of(l, live); why != "" {
			out.leaveOut(what, why)
			continue
		}
		r, err := o.Record(z, l)
		if err != nil {
			out.leaveOut(what, err.Error())
			continue
		}
		out.Objects = append(out.Objects, r)
	}
	slices.SortStableFunc(out.Objects, func(a, b client.Object) int { return cmp.Compare(a.GetName(), b.GetName()) })
	slices.SortFunc(out.LeftOut, func(a, b LeftOut) int { return cmp.Or(cmp.Compare(a.What, b.What), cmp.Compare(a.Why, b.Why)) })
	return out
}

func (r *Result) leaveOut(what, why string) {
	r.LeftOut = append(r.LeftOut, LeftOut{What: what, Why: why})
}

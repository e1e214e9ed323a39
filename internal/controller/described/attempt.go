// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package described

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"

	"github.com/provider-cloudflare/provider-cloudflare/internal/external"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
	"github.com/provider-cloudflare/provider-cloudflare/internal/parent"
)

// An attempted is a creation with an unknown outcome, as its journal entry records it.
type attempted struct {
	Spec json.RawMessage `json:"spec"`
	Note string          `json:"note"`
	// Cut is true if Spec lacks a part of what was sent.
	Cut bool `json:"cut"`
	// Others are the IDs of the resources that existed before the creation and look like its work. It is nil if they
	// were not listed.
	Others []string `json:"others"`
}

// ResumeCreate records a creation with an unknown outcome, from its journal entry.
func (a *adapter) ResumeCreate(about json.RawMessage, _ time.Time) error {
	s := &attempted{}
	err := json.Unmarshal(about, s)
	a.attempted, a.tried = s, &s.Note
	if i := a.Description.Issue; i != nil && !s.declares(a.names[i.Request]) {
		a.ordered = strings.TrimSpace(kind.Text(a.noted(), i.Request))
	}
	return err
}

// declares reports whether the spec of the creation has a field of that name.
func (s *attempted) declares(field string) bool {
	var spec map[string]json.RawMessage
	return json.Unmarshal(s.Spec, &spec) == nil && spec[field] != nil
}

// seeOthers records which resources exist before a creation and look like its work.
func (a *adapter) seeOthers(ctx context.Context) error {
	if err := a.coll.CatchUp(ctx, time.Time{}); err != nil {
		return err
	}
	a.others = []string{}
	for _, l := range a.coll.Shown(keyAny) {
		if len(a.Description.Differences(plain(a.declared()), l.doc)) == 0 {
			a.others = append(a.others, l.id)
		}
	}
	return nil
}

// FindCreated returns the resource that an earlier attempt created and that no other object has. It returns an
// *external.AmbiguousCreateError if nothing distinguishes that resource from the work of others.
func (a *adapter) FindCreated(ctx context.Context, w external.Window) (Live, error) {
	all, judge, err := a.candidates(ctx, w)
	if err != nil {
		return Live{}, err
	}
	free, err := a.unclaimed(ctx, all, judge)
	switch own := free[ours]; {
	case err != nil:
		return Live{}, err
	case len(own) == 1, len(own) > 1 && !a.Description.Undated: // Any of several equal resources serves.
		return own[0], nil
	}
	var unsure []string
	for _, l := range append(free[ours], free[unclear]...) {
		unsure = append(unsure, l.id)
	}
	if len(unsure) == 0 || slices.Contains(unsure, meta.GetExternalName(a.mg)) { // The user has decided.
		return Live{}, external.ErrAbsent
	}
	return Live{}, &external.AmbiguousCreateError{Name: a.Description.Noun, IDs: unsure}
}

// unclaimed groups the resources that no other object has by the judge's verdict. It omits those that the attempt did
// not create.
func (a *adapter) unclaimed(ctx context.Context, all []Live, judge func(Live) whose) (map[whose][]Live, error) {
	out := map[whose][]Live{}
	for _, l := range all {
		of := judge(l)
		if of == theirs {
			continue
		}
		taken, err := a.claims.Taken(ctx, a.mg, l.id)
		if err != nil {
			return nil, err
		}
		if !taken {
			out[of] = append(out[of], l)
		}
	}
	return out, nil
}

// A whose is the verdict on a resource: whether an attempt created it.
type whose int

const (
	theirs whose = iota
	// unclear means that nothing decides it.
	unclear
	ours
)

// candidates returns the resources that an attempt may have created, and a function that decides which of them it
// created. A resource with the noted name is newer than the search that preceded the attempt.
func (a *adapter) candidates(ctx context.Context, w external.Window) ([]Live, func(Live) whose, error) {
	note := a.noted()
	if key, named := a.Description.NaturalKey(note); named {
		all, err := a.coll.Find(ctx, parent.Query{Key: key, Since: w.Visible})
		all, err = a.admitZones(ctx, all, err)
		return all, func(l Live) whose {
			if made := l.made(); !made.IsZero() && !w.Includes(made) || len(a.Description.Differences(note, l.doc)) > 0 {
				return theirs
			}
			return ours
		}, err
	}
	body, alone, err := a.body(ctx, note)
	if err != nil {
		return nil, nil, err
	}
	if err := a.coll.CatchUp(ctx, w.Visible); err != nil {
		return nil, nil, err
	}
	return a.coll.Shown(keyAny), func(l Live) whose { return a.attempted.whose(a.Description, l, body, alone, w) }, nil
}

// body returns what the attempt sent, without the values of Secrets. alone reports whether the body has a value that
// no other resource has: a request that the provider signed with a key of its own.
func (a *adapter) body(ctx context.Context, note kind.Document) (body kind.Document, alone bool, err error) {
	spec := a.New().GetForProvider()
	if err := json.Unmarshal(a.attempted.Spec, spec); err != nil {
		return nil, false, fmt.Errorf("cannot read what was sent: %w", err)
	}
	if body, err = kind.Encode(spec); err != nil {
		return nil, false, fmt.Errorf("cannot read what was sent: %w", err)
	}
	if i := a.Description.Issue; i != nil {
		alone = kind.Text(body, i.Request) == "" && kind.Text(note, i.Request) != ""
	}
	if err := a.lookUp(ctx, body); err != nil {
		return nil, false, err
	}
	maps.Copy(body, note)
	return body, alone, nil
}

// whose decides whether l is the work of the attempt, which sent that body. The work of an attempt has all values of
// the body, did not exist before the attempt, and is as old as the attempt. The verdict is unclear if only values
// inside of other values differ: Cloudflare may have changed them.
func (s *attempted) whose(d kind.Description, l Live, body kind.Document, alone bool, w external.Window) whose {
	made := l.made()
	switch {
	case len(d.Differences(plain(body), l.doc)) > 0, slices.Contains(s.Others, l.id), !made.IsZero() && !w.Includes(made):
		return theirs
	case alone:
		return ours
	case s.Cut, made.IsZero() && s.Others == nil, len(d.Differences(body, l.doc)) > 0:
		return unclear
	}
	return ours
}

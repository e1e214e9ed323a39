// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package behaviour

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	dnsv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

// These are the records that exist under the name of a Record before its creation.
const (
	livesNothing   = "nothing"
	livesIdentical = "an identical record"
	livesOther     = "one with other content"
	livesTwo       = "two with other content"
	livesCNAME     = "a CNAME in the way"
	livesLocked    = "an identical one that is locked"
)

// These are the outcomes for a Record.
const (
	// isCreated means that the Record owns a new record.
	isCreated = "created"
	// isAdopted means that the Record owns an existing record, unchanged.
	isAdopted = "adopted"
	// isChanged means that the Record owns an existing record, which was changed to
	// match the spec.
	isChanged = "adopted and changed"
	// isDrifted means that the Record owns an existing record, and does not revert its
	// difference.
	isDrifted = "adopted, difference left alone"
	// isObserved means that the Record shows an existing record without owning it.
	isObserved = "observed"
	// isAbsent means that the Record has no record, and reports this.
	isAbsent = "absent"
	// isRefused means that the Record has no record, and reports what is in the way.
	isRefused = "refused"
)

// A cell is one combination of the policies and records that decide about ownership.
type cell struct {
	lives    string
	adoption dnsv1alpha1.AdoptionPolicy
	policies xpv2.ManagementPolicies
	deletion xpv2.DeletionPolicy
}

func (c cell) String() string {
	return fmt.Sprintf("%s, %s, %v, %s", c.lives, c.adoption, c.policies, c.deletion)
}

// may reports whether the policies of the cell include a. With Orphan they do not
// include a deletion.
func (c cell) may(a xpv2.ManagementAction) bool {
	if a == xpv2.ManagementActionDelete && c.deletion == xpv2.DeletionOrphan {
		return false
	}
	return slices.Contains(c.policies, a) || slices.Contains(c.policies, xpv2.ManagementActionAll)
}

func (c cell) creates() bool { return c.may(xpv2.ManagementActionCreate) }
func (c cell) updates() bool { return c.may(xpv2.ManagementActionUpdate) }
func (c cell) deletes() bool { return c.may(xpv2.ManagementActionDelete) }
func (c cell) manages() bool { return c.creates() || c.updates() || c.deletes() }

// owns reports whether a Record of that outcome owns a record.
func owns(outcome string) bool {
	return slices.Contains([]string{isCreated, isAdopted, isChanged, isDrifted}, outcome)
}

// cells returns all combinations, with every set of management policies that the
// runtime supports. It skips sets that differ from others only in late initialization.
func cells() []cell {
	const (
		observe = xpv2.ManagementActionObserve
		create  = xpv2.ManagementActionCreate
		update  = xpv2.ManagementActionUpdate
		remove  = xpv2.ManagementActionDelete
		late    = xpv2.ManagementActionLateInitialize
	)
	var out []cell
	for _, p := range []xpv2.ManagementPolicies{
		{xpv2.ManagementActionAll},
		{observe, create, update, remove},
		{observe, create, update},
		{observe, create, remove},
		{observe, create},
		{observe, update},
		{observe, remove},
		{observe, late},
		{observe},
	} {
		for _, lives := range []string{livesNothing, livesIdentical, livesOther, livesTwo, livesCNAME, livesLocked} {
			for _, a := range []dnsv1alpha1.AdoptionPolicy{dnsv1alpha1.AdoptIdentical, dnsv1alpha1.AdoptNameAndType, dnsv1alpha1.AdoptNever} {
				for _, d := range []xpv2.DeletionPolicy{xpv2.DeletionDelete, xpv2.DeletionOrphan} {
					c := cell{lives, a, p, d}
					if d == xpv2.DeletionOrphan && !(cell{policies: p}).deletes() {
						continue // It is the same as with Delete.
					}
					out = append(out, c)
				}
			}
		}
	}
	return out
}

// A rule is the outcome for the Records of some cells.
type rule struct {
	reason  string
	of      func(cell) bool
	outcome string
	// says is a part of the message of Synced if it is False.
	says string
}

// rules returns the rules of docs/kinds/record.md. Exactly one matches each cell.
func rules() []rule {
	never := func(c cell) bool { return c.adoption == dnsv1alpha1.AdoptNever }
	nameAndType := func(c cell) bool { return c.adoption == dnsv1alpha1.AdoptNameAndType }
	sees := func(c cell) bool { return c.lives == livesIdentical || c.lives == livesLocked }
	takes := func(c cell) bool { return c.lives == livesOther && nameAndType(c) }
	chooses := func(c cell) bool { return c.lives == livesTwo && nameAndType(c) }
	free := func(c cell) bool { return !sees(c) && !takes(c) && !chooses(c) }
	return []rule{
		{"an identical record is shown by who only observes, locked or not", func(c cell) bool { return !c.manages() && sees(c) }, isObserved, ""},
		{"who only observes sees no other content", func(c cell) bool { return !c.manages() && !sees(c) }, isAbsent, "does not exist"},
		{"Never does not take over what is identical", func(c cell) bool { return c.manages() && sees(c) && never(c) }, isRefused, "spec.adoptionPolicy is Never"},
		{"what is locked is its owner's", func(c cell) bool { return c.manages() && c.lives == livesLocked && !never(c) }, isRefused, "belongs to Email Routing"},
		{"what is identical is taken over", func(c cell) bool { return c.manages() && c.lives == livesIdentical && !never(c) }, isAdopted, ""},
		{"NameAndType takes over other content and changes it", func(c cell) bool { return c.manages() && takes(c) && c.updates() }, isChanged, ""},
		{"without Update other content is taken over as it is", func(c cell) bool { return c.manages() && takes(c) && !c.updates() }, isDrifted, ""},
		{"NameAndType does not choose", func(c cell) bool { return c.manages() && chooses(c) }, isRefused, "there are 2 records"},
		{"a CNAME is in the way", func(c cell) bool { return c.creates() && c.lives == livesCNAME }, isRefused, "81054"},
		{"what is not there is created", func(c cell) bool { return c.creates() && free(c) && c.lives != livesCNAME }, isCreated, ""},
		{"what is not there is not created without Create", func(c cell) bool { return c.manages() && !c.creates() && free(c) }, isAbsent, "spec.managementPolicies"},
	}
}

// A played is a cell with its Record.
type played struct {
	cell

	rule   rule
	name   string
	before []simulator.Record
	record *dnsv1alpha1.Record
}

const (
	wanted    = "192.0.2.1"
	otherwise = "192.0.2.50"
)

// stage creates the existing records at Cloudflare for a cell.
func (w *world) stage(name, lives string) []simulator.Record {
	w.t.Helper()
	address := func(content string) simulator.Record {
		return w.dashboard(map[string]any{"type": "A", "name": name, "content": content, "ttl": 300})
	}
	switch lives {
	case livesIdentical:
		return []simulator.Record{address(wanted)}
	case livesOther:
		return []simulator.Record{address(otherwise)}
	case livesTwo:
		return []simulator.Record{address(otherwise), address("192.0.2.51")}
	case livesCNAME:
		return []simulator.Record{w.dashboard(map[string]any{"type": "CNAME", "name": name, "content": "elsewhere.example", "ttl": 300})}
	case livesLocked:
		r := address(wanted)
		if err := w.sim.SetRecordMeta(w.zone.ID, r.ID, map[string]any{"email_routing": true, "read_only": true}); err != nil {
			w.t.Fatal(err)
		}
		r, _ = w.sim.Record(w.zone.ID, r.ID)
		return []simulator.Record{r}
	}
	return nil
}

// TestOwnershipMatrix shows the outcome for a Record, and for existing records, in
// every combination of the policies that decide about it.
func TestOwnershipMatrix(t *testing.T) {
	t.Parallel()
	byLives := map[string][]cell{}
	for _, c := range cells() {
		byLives[c.lives] = append(byLives[c.lives], c)
	}
	for lives, cs := range byLives {
		// The cells run one after the other: they are many, and other tests need time,
		// too.
		t.Run(lives, func(t *testing.T) {
			inParallel(t, func(t *testing.T) {
				w := newWorld(t)
				w.play(cs)
			})
		})
	}
}

// play runs a Record for each of cs, all at once, from before their creation until
// after their deletion.
func (w *world) play(cs []cell) {
	w.t.Helper()
	var all []*played
	for i, c := range cs {
		p := &played{cell: c, rule: ruleFor(w.t, c), name: fmt.Sprintf("c%03d", i)}
		p.before = w.stage(p.name, c.lives)
		all = append(all, p)
	}
	for _, p := range all {
		p.record = w.record(p.name, "A", wanted, adoption(p.adoption), policies(p.policies...), func(r *dnsv1alpha1.Record) {
			r.Spec.DeletionPolicy = p.deletion
		})
		w.create(p.record)
	}
	for _, do := range []func(*played){
		func(p *played) { p.settles(w) },
		func(p *played) { p.shows(w) },
		func(p *played) { w.delete(p.record) },
		func(p *played) { w.gone(p.record) },
		func(p *played) { p.leaves(w) },
	} {
		for _, p := range all {
			do(p)
		}
	}
	w.untouched(all)
}

func ruleFor(t *testing.T, c cell) rule {
	t.Helper()
	about := slices.DeleteFunc(rules(), func(r rule) bool { return !r.of(c) })
	if len(about) != 1 {
		t.Fatalf("%s: there are %d rules about it, want 1: %+v", c, len(about), about)
	}
	return about[0]
}

// settles waits until the conditions of the Record of p are those of its rule.
func (p *played) settles(w *world) {
	w.t.Helper()
	type state = [3]corev1.ConditionStatus
	const yes, no = corev1.ConditionTrue, corev1.ConditionFalse
	want := map[string]state{
		isCreated: {yes, yes, yes}, isAdopted: {yes, yes, yes}, isChanged: {yes, yes, yes}, isObserved: {yes, yes, yes},
		isDrifted: {yes, yes, no}, isAbsent: {no, no}, isRefused: {no, no},
	}[p.rule.outcome]
	until(w, p.record, func(r *dnsv1alpha1.Record) error {
		got := state{r.GetCondition(xpv2.TypeReady).Status, r.GetCondition(xpv2.TypeSynced).Status}
		if want[2] != "" {
			got[2] = r.GetCondition(xpv2.TypeUpToDate).Status
		}
		if got != want || !strings.Contains(r.GetCondition(xpv2.TypeSynced).Message, p.rule.says) {
			return fmt.Errorf("%s: want it %s (%s); it is: %s", p.cell, p.rule.outcome, p.rule.reason, conditions(r))
		}
		return nil
	})
}

// shows checks what the Record of p has at Cloudflare while it exists.
func (p *played) shows(w *world) {
	w.t.Helper()
	if err := w.get(p.record); err != nil {
		w.t.Fatal(err)
	}
	id := meta.GetExternalName(p.record)
	want := slices.Clone(p.before)
	switch p.rule.outcome {
	case isCreated:
		made, ok := w.sim.Record(w.zone.ID, id)
		if !ok || made.Content != wanted {
			w.t.Errorf("%s: the record that was created is %+v", p.cell, made)
		}
		want = append(want, made)
	case isChanged:
		want[0].Content = wanted
	case isAbsent, isRefused:
		if id != "" {
			w.t.Errorf("%s: it has the external name %s", p.cell, id)
		}
	}
	if p.rule.outcome != isCreated && owns(p.rule.outcome) && id != p.before[0].ID {
		w.t.Errorf("%s: the external name is %s, want %s", p.cell, id, p.before[0].ID)
	}
	if diff := cmp.Diff(contents(want), contents(w.named(p.name))); diff != "" {
		w.t.Errorf("%s: want it %s (%s); at Cloudflare (-want +got):\n%s", p.cell, p.rule.outcome, p.rule.reason, diff)
	}
}

// leaves checks what the Record of p left at Cloudflare.
func (p *played) leaves(w *world) {
	w.t.Helper()
	want := contents(p.before)
	switch {
	case owns(p.rule.outcome) && p.deletes():
		delete(want, meta.GetExternalName(p.record))
	case p.rule.outcome == isCreated || p.rule.outcome == isChanged:
		want[meta.GetExternalName(p.record)] = wanted
	}
	if diff := cmp.Diff(want, contents(w.named(p.name))); diff != "" {
		w.t.Errorf("%s: it was %s; after its deletion (-want +got):\n%s", p.cell, p.rule.outcome, diff)
	}
}

// untouched checks that no request was about a record that its Record does not own.
func (w *world) untouched(all []*played) {
	w.t.Helper()
	foreign := map[string]*played{}
	for _, p := range all {
		for _, r := range p.before {
			if !owns(p.rule.outcome) || meta.GetExternalName(p.record) != r.ID {
				foreign[r.ID] = p
			}
		}
	}
	for _, q := range w.sim.RequestsAbout(w.zone.ID) {
		if !q.Writes() {
			continue
		}
		for id, p := range foreign {
			if strings.Contains(q.Path, id) || strings.Contains(q.RequestBody, id) {
				w.t.Errorf("%s: %s %s means a record that is not its own", p.cell, q.Method, q.Path)
			}
		}
	}
}

// named returns the live records of a name in the zone of the world.
func (w *world) named(name string) []simulator.Record {
	var out []simulator.Record
	for _, r := range w.sim.Records(w.zone.ID) {
		if r.Name == name+"."+w.zone.Name {
			out = append(out, r)
		}
	}
	return out
}

// contents returns the contents of records by their IDs.
func contents(rs []simulator.Record) map[string]string {
	out := map[string]string{}
	for _, r := range rs {
		out[r.ID] = r.Content
	}
	return out
}

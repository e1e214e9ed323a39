// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package external

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/ptr"

	"github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/connect"
	"github.com/provider-cloudflare/provider-cloudflare/internal/drift"
	"github.com/provider-cloudflare/provider-cloudflare/internal/external/claim"
	"github.com/provider-cloudflare/provider-cloudflare/internal/external/decision"
	"github.com/provider-cloudflare/provider-cloudflare/internal/external/journal"
	"github.com/provider-cloudflare/provider-cloudflare/internal/external/journaltest"
)

// A thing is an external resource of the tests' kinds, whose objects are Records. The name is its
// natural key.
type thing struct {
	id, name, content string
	ttl               int64
	made              time.Time
}

// A remote holds things and calls ask before each request.
type remote struct {
	things map[string]thing
	made   int
	// changes is the state of the list of things.
	changes int
	// ask is called before each request, with its verb and the ID or the name.
	ask func(verb, of string)
	// refusal are the errors that it returns to requests, by verb. lost is true if it carries out a
	// creation in spite of the error.
	refusal map[string]error
	lost    bool
}

func (r *remote) request(verb, of string) error {
	if r.ask != nil {
		r.ask(verb, of)
	}
	return r.refusal[verb]
}

// plain is the adapter of a kind whose absence is proven by a look, and which is created again.
type plain struct {
	mg *v1alpha1.Record
	r  *remote
	// tried is the name in the entry of an earlier creation.
	tried string
}

var (
	errRefused = errors.New("refused")
	errLost    = errors.New("lost")
)

func (a *plain) want() thing {
	p := a.mg.Spec.ForProvider
	return thing{name: ptr.Deref(p.Name, ""), content: ptr.Deref(p.Content, ""), ttl: ptr.Deref(p.TTL, 0)}
}

func (a *plain) Prepare(context.Context) error { return nil }

func (a *plain) ValidateForCreate() error {
	if a.mg.Spec.ForProvider.Name == nil || a.mg.Spec.ForProvider.Content == nil {
		return errors.New("it lacks a name or content")
	}
	return nil
}
func (a *plain) AdoptionPolicy() string { return string(a.mg.Spec.AdoptionPolicy) }
func (a *plain) NaturalKey() string     { return a.want().name }

func (a *plain) ResumeCreate(about json.RawMessage, _ time.Time) error {
	return json.Unmarshal(about, &a.tried)
}

func (a *plain) Attempt() Attempt {
	return Attempt{Same: a.tried == a.want().name, What: a.tried}
}

func (a *plain) Get(_ context.Context, id string) (thing, error) {
	if err := a.r.request("get", id); err != nil {
		return thing{}, err
	}
	l, ok := a.r.things[id]
	if !ok {
		return thing{}, ErrAbsent
	}
	return l, nil
}

func (a *plain) FindCreated(_ context.Context, w Window) (thing, error) {
	err := a.r.request("list", a.tried)
	for _, l := range a.r.sorted() {
		if err == nil && l.name == a.tried && !l.made.Before(w.Begun.Add(-time.Minute)) {
			return l, nil
		}
	}
	return thing{}, errors.Join(err, ErrAbsent)
}

func (a *plain) Find(context.Context, Window) ([]thing, error) {
	err := a.r.request("list", a.want().name)
	return slices.DeleteFunc(a.r.sorted(), func(l thing) bool { return l.name != a.want().name }), err
}

func (r *remote) sorted() []thing {
	var out []thing
	for _, l := range r.things {
		out = append(out, l)
	}
	slices.SortFunc(out, func(a, b thing) int { return a.made.Compare(b.made) })
	return out
}

func (a *plain) Facts(l thing) decision.ResourceFacts {
	return decision.ResourceFacts{
		ID: l.id, Label: l.name, Existing: "a thing", Several: "things " + l.name, Alike: l.name == a.want().name && l.content == a.want().content, Named: l.name == a.want().name,
		Open: a.mg.Spec.ForProvider.TTL == nil && l.ttl > 0,
	}
}

func (a *plain) Compare(l thing) (drift.Differences, bool) {
	var out drift.Differences
	if want := a.want(); want.content != l.content {
		out = append(out, drift.Difference{Field: "content", Live: l.content, Desired: want.content})
	}
	if want := a.want(); want.ttl != 0 && want.ttl != l.ttl {
		out = append(out, drift.Difference{Field: "ttl", Live: fmt.Sprint(l.ttl), Desired: fmt.Sprint(want.ttl)})
	}
	return out, a.ValidateForCreate() == nil
}
func (a *plain) RequestHash() string { return fmt.Sprint(a.want(), a.r.changes) }
func (a *plain) JournalPayload() any { return a.want().name }

func (a *plain) Create(context.Context, journal.Entry) (thing, error) {
	err := a.r.request("create", a.want().name)
	if err != nil && !a.r.lost {
		return thing{}, err
	}
	a.r.made++
	l := a.want()
	l.id, l.made = fmt.Sprintf("made-%d", a.r.made), time.Now()
	a.r.things[l.id] = l
	return l, err
}

func (a *plain) ClassifyCreateError(err error) Outcome {
	if errors.Is(err, errLost) {
		return OutcomeUnknown
	}
	return OutcomeRefused
}

// Update changes one field at a time.
func (a *plain) Update(_ context.Context, l thing, _ bool) (thing, error) {
	if err := a.r.request("update", l.id); err != nil {
		return thing{}, err
	}
	want := a.want()
	if l.content == want.content {
		l.ttl = want.ttl
	}
	l.content = want.content
	a.r.things[l.id] = l
	return l, nil
}

func (a *plain) Delete(_ context.Context, l thing) error {
	if err := a.r.request("delete", l.id); err != nil {
		return err
	}
	delete(a.r.things, l.id)
	return nil
}

func (a *plain) SetStatus(l thing, synced *metav1.Time) {
	a.mg.Status.AtProvider = v1alpha1.RecordObservation{ID: l.id, Content: l.content, LastSyncedAt: synced}
}
func (a *plain) LastWrite() *metav1.Time { return a.mg.Status.AtProvider.LastSyncedAt }
func (a *plain) ClearStatus()            { a.mg.Status.AtProvider = v1alpha1.RecordObservation{} }
func (a *plain) CheckOwnership(l thing) error {
	if l.content == "marked" {
		return &claim.OwnedByControllerError{ID: l.id, Owner: "another controller"}
	}
	return nil
}
func (a *plain) CreatedAt(l thing) time.Time { return l.made }
func (a *plain) InUse(l thing) bool          { return l.content == "serves" }
func (a *plain) LateInitialize(mg resource.Managed, l thing) {
	if r, ok := mg.(*v1alpha1.Record); ok && r.Spec.ForProvider.TTL == nil && l.ttl > 0 {
		r.Spec.ForProvider.TTL = ptr.To(l.ttl)
	}
}

// noted is the adapter of a kind whose absence is proven by notes, whose IDs are confirmed, and
// which is not created again.
type noted struct{ plain }

func (a *noted) Get(ctx context.Context, id string) (thing, error) {
	l, err := a.plain.Get(ctx, id)
	if errors.Is(err, ErrAbsent) {
		return thing{}, &decision.MissingError{Noun: testNoun(), ID: id}
	}
	return l, err
}

func (a *noted) VerifyID(ctx context.Context, l thing) (thing, error) {
	seen, err := a.plain.Get(ctx, l.id)
	if err == nil && seen.name != l.name {
		err = errors.New("another one")
	}
	return seen, err
}
func (a *noted) DeletionRecord(l thing) string   { return l.id }
func (a *noted) RecordedID() string              { return a.mg.GetAnnotations()[testNotes().Deleting] }
func (a *noted) DeletionRejected(err error) bool { return errors.Is(err, errRefused) }
func (a *noted) DeletionCompleted(context.Context) (bool, error) {
	err := a.r.request("list", "")
	_, there := a.r.things[a.RecordedID()]
	return !there, err
}

func testNotes() Notes {
	return Notes{Pending: "test/pending", Deleting: "test/deleting", Deleted: "test/deleted"}
}

func testNoun() decision.Noun { return decision.Noun{Name: "thing", Short: "thing", Natural: "name"} }

// testKind returns a kind of things: with the adapter noted, or with plain.
func testKind(r *remote, isNoted bool) Kind[thing] {
	return Kind[thing]{
		Kind: claim.Kind{
			New:     func() resource.Managed { return &v1alpha1.Record{} },
			NewList: func() resource.ManagedList { return &v1alpha1.RecordList{} },
			SeenID: func(mg resource.Managed) string {
				if r, ok := mg.(*v1alpha1.Record); ok {
					return r.Status.AtProvider.ID
				}
				return ""
			},
		},
		GVK: v1alpha1.RecordGroupVersionKind, Noun: testNoun(), Notes: testNotes(), LateFinalizer: !isNoted,
		Adapt: func(mg resource.Managed, _ connect.Session) (Adapter[thing], error) {
			rec, ok := mg.(*v1alpha1.Record)
			if !ok {
				return nil, errors.New("no Record")
			}
			if isNoted {
				return &noted{plain{mg: rec, r: r}}, nil
			}
			return &plain{mg: rec, r: r}, nil
		},
		Revive: func(resource.Managed, rawSubject) error { return nil },
	}
}

// sessions returns an empty session for every object.
type sessions struct{}

func (sessions) For(context.Context, resource.ModernManaged) (connect.Session, error) {
	return connect.Session{}, nil
}

// journalOf records the outcomes of creations.
type journalOf struct {
	journaltest.Memory

	ask   func(verb, of string)
	begun []journal.Entry
	notes []string
	// unknown, unless nil, is the error of Creations.
	unknown error
}

func (j *journalOf) Creations(ctx context.Context, uid types.UID) ([]journal.Entry, error) {
	if j.unknown != nil {
		return nil, j.unknown
	}
	return j.Memory.Creations(ctx, uid)
}

func (j *journalOf) Begin(ctx context.Context, entries ...journal.Entry) error {
	if j.ask != nil {
		j.ask("begin", "")
	}
	j.begun = append(j.begun, entries...)
	return j.Memory.Begin(ctx, entries...)
}

func (j *journalOf) Made(e journal.Entry, id string) {
	j.notes = append(j.notes, "made "+id)
	j.Memory.Made(e, id)
}

func (j *journalOf) Unanswered(e journal.Entry) {
	j.notes = append(j.notes, "unanswered")
	j.Memory.Unanswered(e)
}

func (j *journalOf) Void(e journal.Entry) {
	j.notes = append(j.notes, "void")
	j.Memory.Void(e)
}

// must ends the test if err is not nil.
func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package journal

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/logging"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"
)

// The objects of these tests are Secrets, but any kind works.
const kind = "Secret"

// all selects every entry.
func all(Entry) bool { return true }

// A stage is a cluster and the external resources that were created for its objects.
type stage struct {
	client.WithWatch

	t *testing.T

	mu sync.Mutex
	// external are the objects, by UID, for which a resource exists.
	external map[types.UID]bool
	taken    []types.UID
	// fail, unless nil, is called before each write of a ConfigMap and before each attempt to take
	// a resource back. Its error is the outcome.
	fail func(what string) error
	// lose, unless nil, is called after each write of a ConfigMap. An error means that the answer
	// is lost.
	lose func(what string) error
}

func newStage(t *testing.T) *stage {
	t.Helper()
	s := &stage{t: t, external: map[types.UID]bool{}}
	scheme := runtime.NewScheme()
	if err := corev1.AddToScheme(scheme); err != nil {
		t.Fatal(err)
	}
	s.WithWatch = interceptor.NewClient(fake.NewClientBuilder().WithScheme(scheme).Build(), interceptor.Funcs{
		Create: func(ctx context.Context, k client.WithWatch, o client.Object, opts ...client.CreateOption) error {
			return s.unless("create", o, func() error { return k.Create(ctx, o, opts...) })
		},
		Update: func(ctx context.Context, k client.WithWatch, o client.Object, opts ...client.UpdateOption) error {
			return s.unless("update", o, func() error { return k.Update(ctx, o, opts...) })
		},
		Delete: func(ctx context.Context, k client.WithWatch, o client.Object, opts ...client.DeleteOption) error {
			return s.unless("delete", o, func() error { return k.Delete(ctx, o, opts...) })
		},
	})
	return s
}

func (s *stage) unless(what string, o client.Object, do func() error) error {
	if _, ok := o.(*corev1.ConfigMap); !ok {
		return do()
	}
	if err := s.failing(what); err != nil {
		return err
	}
	if err := do(); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.lose == nil {
		return nil
	}
	return s.lose(what)
}

func (s *stage) failing(what string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.fail == nil {
		return nil
	}
	return s.fail(what)
}

// journal starts a process.
func (s *stage) journal() (j *Journal, die func()) {
	s.t.Helper()
	return s.covering(nil)
}

// covering starts a process that looks after some namespaces only.
func (s *stage) covering(covers func(namespace string) bool) (j *Journal, die func()) {
	s.t.Helper()
	j = New(Options{Kube: s, API: s, Namespace: "system", Covers: covers, Log: logging.NewNopLogger()})
	j.Register(kind, Kind{
		New: func() client.Object { return &corev1.Secret{} }, TakeBack: s.takeBack,
		Has: func(o client.Object, id string) bool { return o.GetAnnotations()["has"] == id },
	})
	ctx, cancel := context.WithCancel(s.t.Context())
	done := make(chan error, 1)
	go func() { done <- j.Start(ctx) }()
	synctest.Wait() // It has loaded what there is.
	return j, func() {
		cancel()
		if err := <-done; err != nil {
			s.t.Error(err)
		}
	}
}

func (s *stage) takeBack(_ context.Context, e Entry) error {
	if err := s.failing("take back"); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.taken = append(s.taken, e.UID)
	delete(s.external, e.UID)
	return nil
}

// object creates an object and returns the entry of a creation for it.
func (s *stage) object(name string) Entry {
	s.t.Helper()
	o := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: name, UID: types.UID("uid-" + name)}}
	if err := s.Create(s.t.Context(), o); err != nil {
		s.t.Fatal(err)
	}
	return Entry{Kind: kind, Namespace: "ns", Name: name, UID: o.UID, Subject: json.RawMessage(`"` + name + `"`), Begun: time.Now()}
}

// create creates the resource that e is about.
func (s *stage) create(j *Journal, e Entry) {
	s.t.Helper()
	if err := j.Begin(s.t.Context(), e); err != nil {
		s.t.Fatal(err)
	}
	s.mu.Lock()
	s.external[e.UID] = true
	s.mu.Unlock()
}

func (s *stage) vanish(e Entry) {
	s.t.Helper()
	if err := s.Delete(s.t.Context(), &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: e.Namespace, Name: e.Name}}); err != nil {
		s.t.Fatal(err)
	}
}

func (s *stage) expect(reason string, taken, configMaps int) {
	s.t.Helper()
	synctest.Wait()
	all := s.configMaps()
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.taken) != taken || len(all) != configMaps {
		s.t.Errorf("%s: taken back are %v, and there are %d ConfigMaps; want %d and %d", reason, s.taken, len(all), taken, configMaps)
	}
}

// pass waits for d.
func pass(d time.Duration) { <-time.After(d) }

func run(t *testing.T, f func(*stage)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) { f(newStage(t)) })
}

// TestAnOutcomeIsNotedWhileTheEntryIsLookedFor is for the race detector.
func TestAnOutcomeIsNotedWhileTheEntryIsLookedFor(t *testing.T) {
	run(t, func(s *stage) {
		j, die := s.journal()
		defer die()
		e := s.object("a")
		s.create(j, e)
		j.mu.Lock()
		r := j.latest(e)
		j.mu.Unlock()
		noted := make(chan struct{})
		go func() {
			defer close(noted)
			j.Made(e, "made")
		}()
		if held, err := j.store.holds(s.t.Context(), r); !held || err != nil {
			t.Errorf("it is held: %t, %v", held, err)
		}
		<-noted
	})
}

// has records on the object of e that it has the resource of that ID.
func (s *stage) has(e Entry, id string) {
	s.t.Helper()
	o := &corev1.Secret{}
	if err := s.Get(s.t.Context(), e.Object(), o); err != nil {
		s.t.Fatal(err)
	}
	o.Annotations = map[string]string{"has": id}
	if err := s.Update(s.t.Context(), o); err != nil {
		s.t.Fatal(err)
	}
}

// TestAJournalIsToldFromItsCopy checks that a journal keeps its ID as long as it exists, and that a
// new one has another ID.
func TestAJournalIsToldFromItsCopy(t *testing.T) {
	run(t, func(s *stage) {
		id := func() string {
			t.Helper()
			j, die := s.journal()
			defer die()
			if _, err := j.Creations(s.t.Context(), "any"); err != nil {
				t.Fatal(err)
			}
			return j.ID()
		}
		header := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: "system", Name: headerName, UID: "first"}}
		if err := s.Create(s.t.Context(), header.DeepCopy()); err != nil {
			t.Fatal(err)
		}
		if first, second := id(), id(); first != "first" || second != first {
			t.Errorf("two processes call it %q and %q, want first", first, second)
		}
		if err := s.Delete(s.t.Context(), header); err != nil {
			t.Fatal(err)
		}
		if now := id(); now == "first" {
			t.Error("a journal that was lost is the same again")
		}
	})
}

func TestWhatWasCreatedForAnObjectThatVanishedIsTakenBack(t *testing.T) {
	down := errors.New("down")
	tests := []struct {
		reason string
		// do is called after the creation.
		do    func(s *stage, j *Journal, e Entry)
		after time.Duration
		taken int
		left  int // ConfigMaps
	}{
		{"the journal hears that the object is gone", func(s *stage, j *Journal, e Entry) { s.vanish(e); j.Lost(e.UID) }, 0, 1, 0},
		{"the journal sees that the object is gone", func(s *stage, _ *Journal, e Entry) { s.vanish(e) }, 20 * time.Second, 1, 0},
		{"another object has the name", func(s *stage, _ *Journal, e Entry) {
			s.vanish(e)
			o := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: e.Name, UID: "another"}}
			if err := s.Create(s.t.Context(), o); err != nil {
				s.t.Fatal(err)
			}
		}, 20 * time.Second, 1, 0},
		{"the journal was wrong to hear so", func(_ *stage, j *Journal, e Entry) { j.Lost(e.UID) }, time.Minute, 0, 1},
		{"nothing was created", func(s *stage, j *Journal, e Entry) { j.Void(e); s.vanish(e); j.Lost(e.UID) }, 0, 0, 0},
		{"what was created stays when the object vanishes", func(s *stage, j *Journal, e Entry) {
			j.Void(e)
			e.Leave = true
			s.create(j, e)
			s.vanish(e)
			j.Lost(e.UID)
		}, time.Minute, 0, 0},
		{"what was created is left on purpose", func(s *stage, j *Journal, e Entry) {
			if err := j.Forget(s.t.Context(), e.UID); err != nil {
				s.t.Fatal(err)
			}
			s.vanish(e)
			j.Lost(e.UID)
		}, time.Hour, 0, 0},
		{"it cannot be taken back for a while", func(s *stage, j *Journal, e Entry) {
			until := time.Now().Add(10 * time.Minute)
			s.fail = func(string) error {
				if time.Now().Before(until) {
					return down
				}
				return nil
			}
			s.vanish(e)
			j.Lost(e.UID)
		}, 20 * time.Minute, 1, 0},
	}
	for _, tc := range tests {
		t.Run(tc.reason, func(t *testing.T) {
			run(t, func(s *stage) {
				j, die := s.journal()
				defer die()
				e := s.object("a")
				s.create(j, e)
				tc.do(s, j, e)
				pass(tc.after)
				s.expect(tc.reason, tc.taken, tc.left)
			})
		})
	}
}

// TestAnotherProcessTakesBack makes the process end, and objects vanish while no process runs.
func TestAnotherProcessTakesBack(t *testing.T) {
	run(t, func(s *stage) {
		j, die := s.journal()
		gone, stays, orphaned := s.object("gone"), s.object("stays"), s.object("orphaned")
		for _, e := range []Entry{gone, stays, orphaned} {
			s.create(j, e)
		}
		if err := j.Forget(s.t.Context(), orphaned.UID); err != nil {
			t.Fatal(err)
		}
		die()
		s.vanish(gone)
		s.vanish(orphaned)
		s.expect("nobody is there", 0, 2)
		pass(24 * time.Hour)

		next, die := s.journal()
		defer die()
		pass(time.Second)
		s.expect("the next process is there, and does not know what the other made", 1, 1)
		next.Made(stays, "made")
		s.has(stays, "made")
		pass(time.Minute)
		s.expect("its object has what was made", 1, 0)
		if s.external[gone.UID] || !s.external[stays.UID] || !s.external[orphaned.UID] {
			t.Errorf("there are %v", s.external)
		}
	})
}

// TestEachProcessTakesBackInItsNamespaces checks the case that a process for all namespaces ends
// and two processes divide the namespaces after it. They share a ConfigMap, and the second one
// starts later.
func TestEachProcessTakesBackInItsNamespaces(t *testing.T) {
	run(t, func(s *stage) {
		j, die := s.journal()
		one := s.object("one")
		two := Entry{Kind: kind, Namespace: "other", Name: "two", UID: "uid-two", Subject: json.RawMessage(`2`), Begun: time.Now()}
		if err := j.Begin(s.t.Context(), one, two); err != nil {
			t.Fatal(err)
		}
		s.vanish(one)
		die()
		s.taken = nil
		only := func(want string) func(string) bool { return func(namespace string) bool { return namespace == want } }

		_, dieOne := s.covering(only("ns"))
		defer dieOne()
		pass(time.Hour)
		s.expect("that of the other namespace is the other's", 1, 1)
		if s.taken[0] != one.UID {
			t.Errorf("taken back is %s", s.taken[0])
		}
		_, dieTwo := s.covering(only("other"))
		defer dieTwo()
		pass(time.Hour)
		s.expect("the other is there", 2, 0)
	})
}

func TestEntriesThatComeTogetherShareAConfigMap(t *testing.T) {
	run(t, func(s *stage) {
		j, die := s.journal()
		defer die()
		creates, gate := 0, make(chan struct{})
		s.fail = func(string) error {
			creates++
			s.mu.Unlock()
			<-gate // The first write takes a while.
			s.mu.Lock()
			return nil
		}
		var begun sync.WaitGroup
		for i := range 100 {
			e := Entry{Kind: kind, Namespace: "ns", Name: fmt.Sprint(i), UID: types.UID(fmt.Sprint(i)), Subject: json.RawMessage(`1`), Begun: time.Now()}
			begun.Go(func() {
				if err := j.Begin(s.t.Context(), e); err != nil {
					t.Error(err)
				}
			})
		}
		synctest.Wait()
		close(gate)
		begun.Wait()
		s.fail = nil
		if creates > 2 {
			t.Errorf("a hundred entries took %d requests, want two at most", creates)
		}
		if n, _ := j.Open(all); n != 100 {
			t.Errorf("%d entries are open", n)
		}
	})
}

func TestEntriesAreDividedByTheSizeOfAConfigMap(t *testing.T) {
	long := json.RawMessage(`"` + strings.Repeat("x", 65<<10) + `"`)
	var entries []Entry
	for i := range 20 {
		entries = append(entries, Entry{UID: types.UID(fmt.Sprint(i)), Subject: long})
	}
	parts, n := split(entries), 0
	for _, p := range parts {
		raw, err := json.Marshal(p)
		if err != nil || len(raw) > maxBytes+64<<10 {
			t.Errorf("a part has %d bytes, %v", len(raw), err)
		}
		n += len(p)
	}
	if n != len(entries) || len(parts) < 3 {
		t.Errorf("%d entries in %d parts, want %d in three or more", n, len(parts), len(entries))
	}
	if got := split(nil); len(got) != 0 {
		t.Errorf("nothing makes %d parts", len(got))
	}
}

func TestAWriteThatFails(t *testing.T) {
	run(t, func(s *stage) {
		j, die := s.journal()
		defer die()
		e := s.object("a")
		s.fail = func(string) error { return errors.New("down") }
		for range 2 {
			if err := j.Begin(s.t.Context(), e); err == nil {
				t.Error("it is not durable, and may be created all the same")
			}
		}
		s.fail = nil
		s.create(j, e)
		s.expect("it is durable at last", 0, 1)
		s.vanish(e)
		j.Lost(e.UID)
		s.expect("one attempt made something", 1, 0)
	})
}

func TestTheSameCreationAgainCostsNothing(t *testing.T) {
	run(t, func(s *stage) {
		j, die := s.journal()
		defer die()
		e := s.object("a")
		s.create(j, e)
		j.Void(e)
		s.create(j, e)
		s.expect("both attempts have one entry", 0, 1)
		s.vanish(e)
		j.Lost(e.UID)
		s.expect("the second attempt made something", 1, 0)
	})
}

func TestForgettingLeavesTheOthers(t *testing.T) {
	run(t, func(s *stage) {
		j, die := s.journal()
		a, b := s.object("a"), s.object("b")
		if err := j.Begin(s.t.Context(), a, b); err != nil {
			t.Fatal(err)
		}
		s.fail = func(string) error { return errors.New("down") }
		if err := j.Forget(s.t.Context(), a.UID); err == nil {
			t.Error("what is durable still is forgotten")
		}
		s.fail = nil
		if err := j.Forget(s.t.Context(), a.UID); err != nil {
			t.Error(err)
		}
		die()
		s.vanish(a)
		s.vanish(b)
		_, die = s.journal()
		defer die()
		pass(time.Second)
		s.expect("the other is known to the next process", 1, 0)
		if len(s.taken) == 1 && s.taken[0] != b.UID {
			t.Errorf("taken back was %s", s.taken[0])
		}
	})
}

// TestALostPartIsALostJournal checks that a journal gets a new ID for every process after a part
// cannot be read or comes from a backup. That part stays and does not count. The other parts do.
func TestALostPartIsALostJournal(t *testing.T) {
	long := `[{"kind":"` + kind + `","namespace":"ns","name":"a","uid":"uid-a","subject":1,"begun":"2000-01-01T00:00:00Z"}]`
	for _, tc := range []struct {
		reason, entries string
		made            time.Time
		lost            bool
	}{
		{"it is no JSON", "{", time.Time{}, true},
		{"it is empty", "", time.Time{}, true},
		{"it is much younger than its entries", long, time.Date(2000, 1, 2, 0, 0, 0, 0, time.UTC), true},
		{"it is as old as its entries", long, time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC), false},
	} {
		t.Run(tc.reason, func(t *testing.T) {
			run(t, func(s *stage) {
				must := func(err error) {
					t.Helper()
					if err != nil {
						t.Fatal(err)
					}
				}
				must(s.Create(s.t.Context(), &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: "system", Name: headerName, UID: "first"}}))
				must(s.Create(s.t.Context(), &corev1.ConfigMap{
					ObjectMeta: metav1.ObjectMeta{Namespace: "system", Name: "part", Labels: map[string]string{Label: labelValue}, CreationTimestamp: metav1.NewTime(tc.made)},
					Data:       map[string]string{dataKey: tc.entries},
				}))
				a, e := s.object("a"), s.object("other")
				ids, known := []string{}, 0
				for range 2 {
					j, die := s.journal()
					got, err := j.Creations(s.t.Context(), a.UID)
					must(err)
					if len(ids) == 0 {
						s.create(j, e)
					}
					if got, err := j.Creations(s.t.Context(), e.UID); err != nil || len(got) != 1 {
						t.Errorf("what another part has is not known: %v, %v", got, err)
					}
					ids, known = append(ids, j.ID()), len(got)
					die()
				}
				if (ids[0] != "first") != tc.lost || ids[1] != ids[0] || (known == 0) != tc.lost {
					t.Errorf("two processes call the journal %q, which was first, and know %d entries of that part", ids, known)
				}
				part := &corev1.ConfigMap{}
				must(s.Get(s.t.Context(), client.ObjectKey{Namespace: "system", Name: "part"}, part))
				if part.Data[dataKey] != tc.entries || (part.Labels[Label] == labelLost) != tc.lost {
					t.Errorf("the part is %v with the labels %v", part.Data, part.Labels)
				}
			})
		})
	}
}

// TestWhatCannotBeReadStays checks a ConfigMap that this provider did not write, and entries of a
// kind that is not active yet.
func TestWhatCannotBeReadStays(t *testing.T) {
	run(t, func(s *stage) {
		bad := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: "system", Name: "bad", Labels: map[string]string{Label: labelValue}}, Data: map[string]string{dataKey: "{"}}
		if err := s.Create(s.t.Context(), bad); err != nil {
			t.Fatal(err)
		}
		j, die := s.journal()
		other := s.object("other")
		other.Kind = "Later"
		s.create(j, other)
		s.vanish(other)
		die()
		j, die = s.journal()
		defer die()
		e := s.object("a")
		s.create(j, e)
		s.vanish(e)
		pass(time.Hour)
		s.expect("the others are dealt with", 1, 1) // The bad one is set aside.
		j.Register("Later", Kind{New: func() client.Object { return &corev1.Secret{} }, TakeBack: s.takeBack})
		s.expect("its kind is active", 2, 0)
		if err := s.Get(s.t.Context(), client.ObjectKeyFromObject(bad), bad); err != nil || bad.Data[dataKey] != "{" {
			t.Errorf("the bad one is %v: %v", bad.Data, err)
		}
	})
}

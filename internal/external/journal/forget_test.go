// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package journal

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// count counts the writes of ConfigMaps, each of which takes that time.
func (s *stage) count(takes time.Duration) map[string]int {
	writes := map[string]int{}
	s.fail = func(what string) error {
		writes[what]++
		s.mu.Unlock()
		pass(takes)
		s.mu.Lock()
		return nil
	}
	return writes
}

// by64 makes 64 workers call do for each of n, one by one.
func by64(n int, do func(int)) {
	next := make(chan int, n)
	for i := range n {
		next <- i
	}
	close(next)
	var done sync.WaitGroup
	for range 64 {
		done.Go(func() {
			for i := range next {
				do(i)
			}
		})
	}
	done.Wait()
}

func TestManyCreationsAreForgottenInFewWrites(t *testing.T) {
	const n, most = 1000, 60
	begin := func(s *stage, j *Journal, e Entry) {
		if err := j.Begin(s.t.Context(), e); err != nil {
			s.t.Error(err)
		}
	}
	forget := func(s *stage, j *Journal, e Entry) {
		if err := j.Forget(s.t.Context(), e.UID); err != nil {
			s.t.Error(err)
		}
	}
	tests := []struct {
		reason string
		takes  time.Duration
		do     func(*stage, *Journal, []Entry)
	}{
		{"each is forgotten as soon as it has begun", 10 * time.Millisecond, func(s *stage, j *Journal, es []Entry) {
			by64(n, func(i int) { begin(s, j, es[i]); forget(s, j, es[i]) })
		}},
		{"all are forgotten after all have begun", 10 * time.Millisecond, func(s *stage, j *Journal, es []Entry) {
			by64(n, func(i int) { begin(s, j, es[i]) })
			by64(n, func(i int) { forget(s, j, es[i]) })
		}},
		{"in another order", 10 * time.Millisecond, func(s *stage, j *Journal, es []Entry) {
			by64(n, func(i int) { begin(s, j, es[i]) })
			by64(n, func(i int) { forget(s, j, es[i*389%n]) })
		}},
		{"in another order, where a write takes long", time.Second, func(s *stage, j *Journal, es []Entry) {
			by64(n, func(i int) { begin(s, j, es[i]) })
			by64(n, func(i int) { forget(s, j, es[i*389%n]) })
		}},
	}
	for _, tc := range tests {
		t.Run(tc.reason, func(t *testing.T) {
			run(t, func(s *stage) {
				j, die := s.journal()
				defer die()
				var es []Entry
				for i := range n {
					es = append(es, s.object(fmt.Sprint(i)))
				}
				writes := s.count(tc.takes)
				tc.do(s, j, es)
				s.expect(tc.reason, 0, 0)
				t.Logf("writes: %v", writes)
				if got := writes["create"] + writes["update"]; got > most {
					t.Errorf("%s: %d creations took %v, want at most %d that are not deletions", tc.reason, n, writes, most)
				}
			})
		})
	}
}

func TestWhoLeavesARemovalDoesNotBreakIt(t *testing.T) {
	run(t, func(s *stage) {
		j, die := s.journal()
		defer die()
		one, two := s.object("one"), s.object("two")
		s.create(j, one)
		s.create(j, two)
		s.count(10 * time.Second)
		why := errors.New("enough")
		ctx, cancel := context.WithCancelCause(s.t.Context())
		leaves, stays := make(chan error), make(chan error)
		go func() { leaves <- j.Forget(ctx, one.UID) }()
		go func() { stays <- j.Forget(s.t.Context(), two.UID) }()
		pass(time.Second) // The removal is under way.
		left := time.Now()
		cancel(why)
		if err := <-leaves; !errors.Is(err, why) || time.Since(left) != 0 {
			t.Errorf("got %v after %v, want that it is not known at once", err, time.Since(left))
		}
		if err := <-stays; err != nil {
			t.Error(err)
		}
		pass(time.Minute) // The removal whose caller left may come after the other.
		s.expect("both are forgotten", 0, 0)
		if n, _ := j.Open(all); n != 0 {
			t.Errorf("%d entries are open", n)
		}
	})
}

func TestForgettingWaitsForWhatIsBeingNoted(t *testing.T) {
	run(t, func(s *stage) {
		j, die := s.journal()
		defer die()
		s.count(10 * time.Second)
		ctx, cancel := context.WithTimeout(s.t.Context(), time.Second)
		defer cancel()
		if err := j.Begin(ctx, newEntry(1)); err == nil {
			t.Error("it is durable already")
		}
		if err := j.Forget(s.t.Context(), newEntry(1).UID); err != nil {
			t.Error(err)
		}
		s.expect("the write has ended, and was undone", 0, 0)
	})
}

// scattered creates objects whose entries are in ConfigMaps of three. A removal was a moment ago,
// so that concurrent removals are grouped.
func (s *stage) scattered(j *Journal, n int) []Entry {
	s.t.Helper()
	var out []Entry
	for i := range n {
		out = append(out, s.object(fmt.Sprint(i)))
	}
	for part := range slices.Chunk(out, 3) {
		if err := j.Begin(s.t.Context(), part...); err != nil {
			s.t.Fatal(err)
		}
	}
	e := s.object("before")
	s.create(j, e)
	if err := j.Forget(s.t.Context(), e.UID); err != nil {
		s.t.Fatal(err)
	}
	synctest.Wait()
	return out
}

// forget forgets objects concurrently, and returns those that are forgotten.
func (s *stage) forget(j *Journal, es ...Entry) map[types.UID]bool {
	s.t.Helper()
	var mu sync.Mutex
	var done sync.WaitGroup
	out := map[types.UID]bool{}
	for _, e := range es {
		done.Go(func() {
			if err := j.Forget(s.t.Context(), e.UID); err == nil {
				mu.Lock()
				defer mu.Unlock()
				out[e.UID] = true
			}
		})
	}
	done.Wait()
	return out
}

// TestARemovalThatFailsAnywhere makes each write of removals fail in turn. Then the process dies or
// continues. The next process takes back only what was not forgotten.
func TestARemovalThatFailsAnywhere(t *testing.T) {
	down := errors.New("down")
	for _, dies := range []bool{false, true} {
		for _, lost := range []bool{false, true} {
			for nth := 1; nth <= 12; nth++ {
				run(t, func(s *stage) {
					reason := fmt.Sprintf("write %d, carried out: %t, the process dies: %t", nth, lost, dies)
					j, die := s.journal()
					es := s.scattered(j, 12)
					first, second := []Entry{es[0], es[3], es[6], es[7], es[8]}, []Entry{es[1], es[9]}
					writes := 0
					fault := func(string) error {
						writes++
						if writes == nth || dies && writes > nth {
							return down
						}
						return nil
					}
					if lost {
						s.lose = fault
					} else {
						s.fail = fault
					}
					forgotten := s.forget(j, first...)
					maps.Copy(forgotten, s.forget(j, second...))
					if !dies {
						maps.Copy(forgotten, s.forget(j, first...))
						maps.Copy(forgotten, s.forget(j, second...))
						if len(forgotten) != len(first)+len(second) {
							t.Errorf("%s: forgotten are %v", reason, forgotten)
						}
					}
					die()
					s.fail, s.lose = nil, nil
					s.nextTakesBack(reason, es, forgotten, append(first, second...))
				})
			}
		}
	}
}

// nextTakesBack makes all objects vanish. The next process must take back the entries that were not
// asked to be forgotten, and no forgotten entry. It may take back the rest.
func (s *stage) nextTakesBack(reason string, es []Entry, forgotten map[types.UID]bool, asked []Entry) {
	s.t.Helper()
	for _, e := range es {
		s.vanish(e)
	}
	s.taken = nil
	_, die := s.journal()
	defer die()
	pass(time.Minute)
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, e := range es {
		taken := slices.Contains(s.taken, e.UID)
		wasAsked := slices.ContainsFunc(asked, e.Same)
		if taken && forgotten[e.UID] || !taken && !wasAsked {
			s.t.Errorf("%s: %s: taken back: %t, forgotten: %t, to be forgotten: %t", reason, e.Name, taken, forgotten[e.UID], wasAsked)
		}
	}
}

// configMaps returns the ConfigMaps of the journal.
func (s *stage) configMaps() []corev1.ConfigMap {
	s.t.Helper()
	l := &corev1.ConfigMapList{}
	if err := s.List(s.t.Context(), l, client.InNamespace("system"), client.MatchingLabels{Label: labelValue}); err != nil {
		s.t.Fatal(err)
	}
	return l.Items
}

// takeOut removes e like another process that forgets e.
func (s *stage) takeOut(e Entry) {
	s.t.Helper()
	for again := true; again; {
		again = false
		for _, cm := range s.configMaps() {
			entries, err := decode(&cm)
			if err != nil {
				s.t.Error(err)
			}
			left := slices.DeleteFunc(slices.Clone(entries), e.Same)
			if len(left) == len(entries) {
				continue
			}
			cm.Data = (&store{}).configMap(cm.Name, left).Data
			err = s.Update(s.t.Context(), &cm)
			again = again || err != nil // It was deleted meanwhile.
		}
	}
}

// TestWhatAnotherProcessTakesOutStaysOut makes another process remove an entry before each write of
// a removal.
func TestWhatAnotherProcessTakesOutStaysOut(t *testing.T) {
	for nth := 1; nth <= 6; nth++ {
		run(t, func(s *stage) {
			reason := fmt.Sprintf("before write %d", nth)
			j, die := s.journal()
			es := s.scattered(j, 12)
			writes := 0
			s.fail = func(string) error {
				writes++
				if writes == nth {
					s.mu.Unlock()
					s.takeOut(es[1])
					s.mu.Lock()
				}
				return nil
			}
			forgotten := s.forget(j, es[0], es[3], es[6])
			s.fail = nil
			maps.Copy(forgotten, s.forget(j, es[0], es[3], es[6], es[2]))
			if len(forgotten) != 4 {
				t.Errorf("%s: forgotten are %v", reason, forgotten)
			}
			if writes >= nth {
				forgotten[es[1].UID] = true
			}
			die()
			s.nextTakesBack(reason, es, forgotten, []Entry{es[0], es[1], es[2], es[3], es[6]})
		})
	}
}

// TestAnotherProcessFollowsWhatIsMoved checks that the next process finds entries that a process
// moved after the next one had loaded them.
func TestAnotherProcessFollowsWhatIsMoved(t *testing.T) {
	run(t, func(s *stage) {
		j, die := s.journal()
		es := s.scattered(j, 12)
		next, dieNext := s.journal()
		s.forget(j, es[0], es[3], es[6], es[9])
		s.expect("what stays of four is in one", 0, 1)
		die()
		s.forget(next, es[1])
		s.vanish(es[2])
		next.Lost(es[2].UID)
		pass(time.Second)
		s.expect("it finds what was moved", 1, 1)
		dieNext()
		s.nextTakesBack("after both", slices.Concat(es[:2], es[3:]), map[types.UID]bool{es[0].UID: true, es[1].UID: true, es[3].UID: true},
			[]Entry{es[0], es[1], es[3], es[6], es[9]})
	})
}

// TestWhatIsNotYoungIsNotMoved checks that a removal leaves old entries where they are. A ConfigMap
// that is younger than its entries looks like one from a backup.
func TestWhatIsNotYoungIsNotMoved(t *testing.T) {
	now := time.Now()
	own := func(age time.Duration, n int) source {
		return source{seg: &segment{own: true}, left: slices.Repeat([]Entry{{Begun: now.Add(-age)}}, n)}
	}
	full := maxBytes / size(Entry{})
	tests := []struct {
		reason  string
		sources []source
		steps   []int
	}{
		{"what stays of several goes into one", []source{own(0, 1), own(time.Minute, 5), own(0, 1)}, []int{3}},
		{"what is old stays", []source{own(0, 1), own(DefaultRetention, 1), own(0, 1)}, []int{2, 1}},
		{"others' ConfigMaps stay", []source{{left: []Entry{{Begun: now}}}, own(0, 1), {left: []Entry{{Begun: now}}}}, []int{1, 1, 1}},
		{"nothing stays", []source{own(0, 0), own(0, 0)}, []int{1, 1}},
		{"more than fits into one", []source{own(0, full-1), own(0, 1), own(0, full), own(0, 1)}, []int{2, 1, 1}},
		{"nothing to do", nil, nil},
	}
	for _, tc := range tests {
		var steps []int
		for _, s := range group(tc.sources, now) {
			steps = append(steps, len(s))
		}
		slices.Sort(steps)
		slices.Sort(tc.steps)
		if !slices.Equal(steps, tc.steps) {
			t.Errorf("%s: steps of %v sources, want %v", tc.reason, steps, tc.steps)
		}
	}
}

func TestOneRemovalIsSharedByThoseWhoComeMeanwhile(t *testing.T) {
	run(t, func(s *stage) {
		j, die := s.journal()
		defer die()
		es := s.scattered(j, 9)
		writes := s.count(10 * time.Second)
		done := make(chan bool)
		go func() { done <- len(s.forget(j, es[0])) == 1 }()
		pass(time.Second)
		synctest.Wait()
		go func() { done <- len(s.forget(j, es[1], es[3], es[4], es[6], es[7])) == 5 }()
		if first, second := <-done, <-done; !first || !second {
			t.Errorf("forgotten: %t, %t", first, second)
		}
		if writes["update"] != 1 || writes["create"] != 1 {
			t.Errorf("writes: %v, want one for the first and one for all others", writes)
		}
	})
}

// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package workers

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prometheus/client_golang/prometheus/testutil"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// goroutines counts the goroutines of the caller's bubble: others of the process come and go.
func goroutines() int {
	stack := make([]byte, 16<<20)
	own, _, _ := strings.Cut(string(stack[:runtime.Stack(stack, false)]), "\n")
	_, bubble, _ := strings.Cut(own, "synctest bubble ")
	all := string(stack[:runtime.Stack(stack, true)])
	return strings.Count(all, "synctest bubble "+strings.TrimSuffix(bubble, "]:")+"]:")
}

// TestIdleKindsCostNothing measures the cost of kinds without objects: of two and of sixty.
func TestIdleKindsCostNothing(t *testing.T) {
	type figures struct {
		goroutines      int
		tokens          float64
		firsts, restart time.Duration
	}
	got := map[int]figures{}
	for _, n := range []int{2, 60} {
		operate(t, func(t *testing.T, o *operator) {
			var kinds []*kind
			for i := range n {
				kinds = append(kinds, &kind{name: fmt.Sprint("kind-", i)})
			}
			before := goroutines()
			o.manage(t, kinds...)
			o.start(t.Context())
			<-time.After(10 * time.Minute)
			f := figures{goroutines: goroutines() - before, tokens: o.pool.Rate.Tokens()}

			at := time.Now()
			for _, k := range kinds {
				k.add(0, 1, "a")
			}
			for _, k := range kinds {
				if s := k.reconciled(); len(s) != 1 {
					t.Fatalf("of %d kinds, %s had %d objects reconciled at once, want its first", n, k.name, len(s))
				} else {
					f.firsts = max(f.firsts, s[0].at.Sub(at))
				}
			}
			<-time.After(10 * time.Minute)
			last := kinds[n-1]
			at = time.Now()
			last.add(-100, 9000, "b")
			<-time.After(10 * time.Minute)
			if s := last.reconciled(); len(s) != 9001 {
				t.Fatalf("%d objects of the last kind were reconciled, want 9001", len(s))
			} else {
				f.restart = s[9000].at.Sub(at)
			}
			got[n] = f
			t.Logf("%d kinds: %d goroutines, %v tokens left, the last first object after %v, 9,000 objects of one kind and namespace within %v",
				n, f.goroutines, f.tokens, f.firsts, f.restart)
		})
	}
	two, sixty := got[2], got[60]
	if sixty.tokens != 100*burstSeconds || sixty.firsts != 0 || sixty.restart != two.restart {
		t.Errorf("sixty kinds cost %+v and two %+v, want all tokens, no wait, and as fast a restart", sixty, two)
	}
	// The workers, and a few of the controller.
	if sixty.goroutines > workers+10 {
		t.Errorf("sixty kinds have %d goroutines, and two have %d, want the workers once", sixty.goroutines, two.goroutines)
	}
}

// TestKindsAreAddedLater adds a kind to a pool that works.
func TestKindsAreAddedLater(t *testing.T) {
	operate(t, func(t *testing.T, o *operator) {
		first, later := &kind{name: "first"}, &kind{name: "later"}
		o.manage(t, first)
		o.start(t.Context())
		first.reconciled()
		first.add(0, 1, "a")
		<-time.After(time.Minute)
		o.manage(t, later)
		later.add(0, 1, "a")
		if n := len(later.reconciled()); n != 1 {
			t.Errorf("%d objects of the later kind were reconciled, want one", n)
		}
		if n := len(first.reconciled()); n != 1 {
			t.Errorf("%d objects of the first kind were reconciled, want one: the other is of the other kind", n)
		}
		if err := o.pool.Add(o, later.of(t)); err == nil {
			t.Error("a kind was added twice")
		}
	})
}

// A listing is a source that lists until it is done.
type listing struct{ done chan error }

func (*listing) Start(context.Context, Queue) error { return nil }

func (l *listing) WaitForSync(ctx context.Context) error {
	select {
	case err := <-l.done:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// TestCacheThatIsNeverFilled has a kind whose objects cannot be listed.
func TestCacheThatIsNeverFilled(t *testing.T) {
	refused := errors.New("refused")
	for name, late := range map[string]bool{"AtTheStart": false, "Later": true} {
		for reason, fails := range map[string]func(chan error){
			"it is refused":    func(done chan error) { done <- refused },
			"it never answers": func(chan error) {},
		} {
			t.Run(name+" "+reason, func(t *testing.T) {
				operate(t, func(t *testing.T, o *operator) {
					l := &listing{done: make(chan error, 1)}
					o.manage(t, &kind{name: "well"})
					if late {
						o.start(t.Context())
						synctest.Wait()
					}
					stuck := (&kind{name: "stuck"}).of(t)
					stuck.Objects = l
					if err := o.pool.Add(o, stuck); err != nil {
						t.Fatal(err)
					}
					if !late {
						o.start(t.Context())
					}
					fails(l.done)
					<-time.After(syncTimeout + time.Second)
					synctest.Wait()
					o.mu.Lock()
					defer o.mu.Unlock()
					if len(o.failed) != 1 {
						t.Errorf("%s: the manager was given %v, want one error", reason, o.failed)
					}
				})
			})
		}
	}
}

// TestWakesAreNotWaitedFor has a kind whose wakes cannot be listed: it and others are
// reconciled nonetheless.
func TestWakesAreNotWaitedFor(t *testing.T) {
	for reason, late := range map[string]bool{"the pool starts with it": false, "the pool has started": true} {
		t.Run(reason, func(t *testing.T) {
			operate(t, func(t *testing.T, o *operator) {
				well, woken := &kind{name: "well"}, &kind{name: "woken"}
				k := woken.of(t)
				k.Wakes = append(k.Wakes, &listing{done: make(chan error)})
				if late {
					o.manage(t, well)
					o.start(t.Context())
					synctest.Wait()
				}
				if err := o.pool.Add(o, k); err != nil {
					t.Fatal(err)
				}
				if !late {
					o.manage(t, well)
					o.start(t.Context())
				}
				for _, k := range []*kind{well, woken} {
					k.reconciled()
					k.add(0, 1, "a")
					if n := len(k.reconciled()); n != 1 {
						t.Errorf("%s: %d objects of %s were reconciled, want one at once", reason, n, k.name)
					}
				}
				<-time.After(2 * syncTimeout)
				synctest.Wait()
				o.mu.Lock()
				defer o.mu.Unlock()
				if len(o.failed) != 0 {
					t.Errorf("%s: the manager was given %v", reason, o.failed)
				}
			})
		})
	}
}

// TestTurnsOfAnObject follows one object: it panics, fails twice, asks for another
// turn, and is well.
func TestTurnsOfAnObject(t *testing.T) {
	operate(t, func(t *testing.T, o *operator) {
		k := &kind{name: "thing"}
		k.reconcile = func(context.Context, types.NamespacedName) (reconcile.Result, error) {
			k.mu.Lock()
			n := len(k.seen)
			k.mu.Unlock()
			switch n {
			case 1:
				panic("one that is meant")
			case 2, 3:
				return reconcile.Result{}, errors.New("no")
			case 4:
				return reconcile.Result{Requeue: true}, nil
			case 5:
				return reconcile.Result{RequeueAfter: time.Hour, Priority: ptr.To(-100)}, nil
			}
			return reconcile.Result{}, nil
		}
		o.manage(t, k)
		o.start(t.Context())
		k.reconciled()
		start := time.Now()
		k.add(100, 1, "a")
		<-time.After(24 * time.Hour)
		var got []time.Duration
		for _, s := range k.reconciled() {
			got = append(got, s.at.Sub(start))
		}
		want := fmt.Sprint([]time.Duration{0, time.Second, 3 * time.Second, 7 * time.Second, 15 * time.Second, time.Hour + 15*time.Second})
		if fmt.Sprint(got) != want {
			t.Errorf("its turns were at %v, want %s", got, want)
		}
		wantMetrics := `
# HELP cloudflare_reconciles_total Reconciles of objects, by how they ended.
# TYPE cloudflare_reconciles_total counter
cloudflare_reconciles_total{controller="managed/thing.test",result="error"} 3
cloudflare_reconciles_total{controller="managed/thing.test",result="requeue"} 1
cloudflare_reconciles_total{controller="managed/thing.test",result="requeue_after"} 1
cloudflare_reconciles_total{controller="managed/thing.test",result="success"} 1
`
		if err := testutil.CollectAndCompare(o.pool, strings.NewReader(wantMetrics), "cloudflare_reconciles_total"); err != nil {
			t.Error(err)
		}
	})
}

// TestUnknownKind asks for an object that the pool has no reconciler for.
func TestUnknownKind(t *testing.T) {
	p := New(Options{PerSecond: 1, PerConfig: 1})
	r := Request{Kind: schema.GroupKind{Kind: "Unknown"}, NamespacedName: types.NamespacedName{Namespace: "a", Name: "b"}}
	if _, err := p.reconcile(t.Context(), r); !errors.Is(err, reconcile.TerminalError(nil)) {
		t.Errorf("got %v, want an error that is not tried again", err)
	}
	if o := p.owner(r); o.Tenant != "a" || o.Config != "" {
		t.Errorf("it is %+v's", o)
	}
}

// TestQueueIsMeasured has more objects of a namespace than it may have workers, and some of
// another namespace.
func TestQueueIsMeasured(t *testing.T) {
	operate(t, func(t *testing.T, o *operator) {
		ends := make(chan struct{})
		hang := func(ctx context.Context, _ types.NamespacedName) (reconcile.Result, error) {
			select {
			case <-ctx.Done():
			case <-ends:
			}
			return reconcile.Result{}, nil
		}
		records, zones := &kind{name: "record", reconcile: hang}, &kind{name: "zone", reconcile: hang}
		o.manage(t, records, zones)
		expect := func(reason, queued, waiting string) {
			t.Helper()
			synctest.Wait()
			want := `
# HELP cloudflare_reconciles_queued Objects whose turn has come.
# TYPE cloudflare_reconciles_queued gauge
` + queued + `
# HELP cloudflare_reconciles_waiting Objects that wait because as many others of their namespace, provider config or credential are being reconciled as may be.
# TYPE cloudflare_reconciles_waiting gauge
` + waiting + "\n"
			if err := testutil.CollectAndCompare(o.pool, strings.NewReader(want), "cloudflare_reconciles_queued", "cloudflare_reconciles_waiting"); err != nil {
				t.Errorf("%s: %v", reason, err)
			}
		}
		none := `cloudflare_reconciles_queued{controller="managed/record.test",priority="0"} 0
cloudflare_reconciles_queued{controller="managed/zone.test",priority="0"} 0`
		expect("before the start", none, `cloudflare_reconciles_waiting{controller="managed/record.test"} 0
cloudflare_reconciles_waiting{controller="managed/zone.test"} 0`)
		o.start(t.Context())
		synctest.Wait()
		records.add(100, 70, "a")
		zones.add(0, 3, "a")
		zones.add(0, 3, "b")
		zones.handed().AddAfter(zones.request("b", "later"), time.Hour)
		expect("while they hang", `cloudflare_reconciles_queued{controller="managed/record.test",priority="0"} 0
cloudflare_reconciles_queued{controller="managed/record.test",priority="100"} 6
cloudflare_reconciles_queued{controller="managed/zone.test",priority="0"} 3`,
			`cloudflare_reconciles_waiting{controller="managed/record.test"} 6
cloudflare_reconciles_waiting{controller="managed/zone.test"} 3`)
		active := `
# HELP cloudflare_reconciles_active Objects that are being reconciled.
# TYPE cloudflare_reconciles_active gauge
cloudflare_reconciles_active{controller="managed/record.test"} 64
cloudflare_reconciles_active{controller="managed/zone.test"} 3
`
		if err := testutil.CollectAndCompare(o.pool, strings.NewReader(active), "cloudflare_reconciles_active"); err != nil {
			t.Error(err)
		}
		if n := len(zones.reconciled()); n != 3 {
			t.Errorf("%d Zones are being reconciled, want the three of the other namespace: shares are across kinds", n)
		}
		close(ends)
		expect("in the end", none, `cloudflare_reconciles_waiting{controller="managed/record.test"} 0
cloudflare_reconciles_waiting{controller="managed/zone.test"} 0`)
		for _, name := range []string{"cloudflare_reconciles_queue_seconds", "cloudflare_reconciles_duration_seconds"} {
			if n := testutil.CollectAndCount(o.pool, name); n != 2 {
				t.Errorf("there are %d histograms %s, want one for each kind with objects", n, name)
			}
		}
	})
}

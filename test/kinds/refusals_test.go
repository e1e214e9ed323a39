// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package kinds

import (
	"fmt"
	"math/big"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	"sigs.k8s.io/controller-runtime/pkg/client"

	loadbalancerv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/loadbalancer/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/controller/described"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kinds/loadbalancer"
	"github.com/provider-cloudflare/provider-cloudflare/internal/parent"
	"github.com/provider-cloudflare/provider-cloudflare/test/harness"
	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

// watching is how long a row counts the repetitions of a refused call. most is the largest count that is
// allowed.
const (
	watching = 5 * time.Second
	most     = 6
)

// paused shows that a paused object is not changed, and that nothing is changed at Cloudflare because of
// it.
func paused(w *world) {
	w.prepare()
	from := w.writes()
	meta.AddAnnotations(w.example, map[string]string{meta.AnnotationKeyReconciliationPaused: "true"})
	w.Create(w.example)
	w.isPaused()
	w.is(0)
	w.pause(false)
	w.Settled(w.example)
	if w.d.Shape != kind.Singleton && w.writes() == from {
		w.T.Error("nothing was written after the pause")
	}
	w.pause(true)
	w.isPaused()
	id, from := meta.GetExternalName(w.example), w.writes()
	leaves := w.leaves()
	if len(leaves) == 0 {
		return
	}
	w.tamper(id, leaves[0])
	w.during(3 * interval)
	if n := w.writes() - from; n > 0 || w.asDeclared(id) == nil {
		w.T.Errorf("there were %d writes because of a paused object", n)
	}
	w.pause(false)
	w.Eventually(func() error { return w.asDeclared(id) })
}

func (w *world) isPaused() {
	w.T.Helper()
	harness.Until(w.Objects, w.example, func(mg described.Object) error {
		if c := mg.GetCondition(xpv2.TypeSynced); c.Reason != xpv2.ReasonReconcilePaused {
			return fmt.Errorf("it is not paused: %s", harness.Conditions(mg))
		}
		return nil
	})
}

func (w *world) pause(on bool) {
	w.T.Helper()
	harness.Edit(w.Objects, client.Object(w.example), func(o client.Object) {
		meta.RemoveAnnotations(o, meta.AnnotationKeyReconciliationPaused)
		if on {
			meta.AddAnnotations(o, map[string]string{meta.AnnotationKeyReconciliationPaused: "true"})
		}
	})
}

// during lets that much time pass.
func (w *world) during(d time.Duration) {
	w.T.Helper()
	end := time.Now().Add(d)
	w.Eventually(func() error {
		if time.Now().Before(end) {
			return fmt.Errorf("%s have not passed", d)
		}
		return nil
	})
}

// busy has Cloudflare refuse a deletion because the resource is in use. The object reports this, the
// deletion is not repeated without end, and it succeeds when the resource is free.
func busy(w *world) {
	mg := w.apply()
	trap := simulator.Trap{Kind: simulator.TrapBusyDeletion}
	for _, c := range w.d.Busy {
		trap.Status, trap.Code = c.Status, c.Code
	}
	id := w.trap(trap)
	w.Delete(mg)
	w.Says(mg, xpv2.TypeSynced, "in use")
	w.bounded(http.MethodDelete)
	w.is(1)
	w.sim.RemoveTrap(id)
	w.Gone(mg, func() string { return harness.Conditions(mg) })
	w.is(0)
}

// TestBusyNamesTheHolder shows that the condition of a monitor names the pool that uses it, and that the
// monitor is deleted after the pool.
func TestBusyNamesTheHolder(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w := newWorld(t, loadbalancer.LoadBalancerPool())
		pool := w.apply()
		i := slices.IndexFunc(w.before, func(o client.Object) bool { _, ok := o.(*loadbalancerv1alpha1.LoadBalancerMonitor); return ok })
		if i < 0 {
			t.Fatal("the example of a pool has no monitor")
		}
		monitor, _ := w.before[i].(described.Object)
		w.Delete(monitor)
		w.Says(monitor, xpv2.TypeSynced, "the monitor is still in use at Cloudflare by pool "+kind.Text(w.raw(meta.GetExternalName(pool)), "name"))
		w.Delete(pool)
		w.Gone(pool, func() string { return harness.Conditions(pool) })
		w.Gone(monitor, func() string { return harness.Conditions(monitor) })
	})
}

// bounded shows that few calls of a method are refused. The method "" stands for all that write.
func (w *world) bounded(method string) {
	w.T.Helper()
	count := func() (n int) {
		for _, r := range w.requests() {
			if r.Writes() && (method == "" || r.Method == method) && r.Status >= http.StatusBadRequest {
				n++
			}
		}
		return n
	}
	from := count()
	w.during(watching)
	if n := count() - from; n > most {
		w.T.Errorf("%d refused calls %s in %s, want at most %d", n, method, watching, most)
	}
	if count() == 0 {
		w.T.Errorf("no call %s was refused", method)
	}
}

// notEntitled has Cloudflare refuse a creation, or the first change of a singleton, because of the plan of
// the account. The object reports what to do, the call is not repeated without end, and it succeeds when
// the plan allows it.
func notEntitled(w *world) {
	w.prepare()
	trap, says := simulator.Trap{Kind: simulator.TrapEntitlementRefusal}, []string{"Not entitled", w.d.Plan}
	for _, r := range w.d.Refused {
		trap.Status, trap.Code, says = r.Status, r.Code.Code, []string{r.Remedy}
	}
	id := w.trap(trap)
	w.Create(w.example)
	w.Says(w.example, xpv2.TypeSynced, says...)
	w.bounded("")
	w.is(0)
	w.sim.RemoveTrap(id)
	w.Settled(w.example)
	w.is(1)
}

// forbidden shows that the message names the permission that a credential lacks.
func forbidden(w *world) {
	w.prepare()
	everything := simulator.Grant{Account: w.account.ID, Permission: simulator.Everything}
	less := everything
	less.Except = []simulator.Permission{simulator.ZoneSettingsWrite, simulator.DNSWrite}
	for _, p := range w.d.Permissions {
		less.Except = append(less.Except, simulator.Permission(p))
	}
	w.grant(less)
	w.Create(w.example)
	w.Says(w.example, xpv2.TypeSynced, w.d.Permissions[0])
	w.grant(everything)
	w.Settled(w.example)
}

func (w *world) grant(g simulator.Grant) {
	w.T.Helper()
	if err := w.sim.SetGrants(w.token, g); err != nil {
		w.T.Fatal(err)
	}
}

// many is the number of objects that manyOneList creates.
const many = 50

// manyOneList shows that many objects under one parent need one list in each interval, and no call of their
// own.
func manyOneList(w *world) {
	w.prepare()
	objects, path := make([]described.Object, many), w.naturalText()
	for i := range objects {
		objects[i] = w.numbered(i, path)
		w.Create(objects[i])
	}
	for _, mg := range objects {
		w.Settled(mg)
	}
	w.is(many)
	const looks = 4
	pages := w.pages()
	// New resources are observed more often, and new writes are read back.
	for made := time.Now(); time.Since(made) < 2*parent.Lag; {
		w.lists(looks * pages)
	}
	from, began := len(w.requests()), time.Now()
	w.lists(looks * pages)
	calls := w.requests()[from:]
	intervals := int(time.Since(began)/interval) + 1
	for _, r := range calls {
		alone := (len(w.d.ListOmits) > 0 || len(w.d.ReadLacks) > 0) && r.Method == http.MethodGet
		if !alone && strings.HasPrefix(r.Path, w.collection()) && (r.Path != w.collection() || r.Writes()) {
			w.T.Errorf("a call for one object: %s", r)
		}
	}
	if len(w.d.ListOmits) > 0 || len(w.d.ReadLacks) > 0 {
		return
	}
	// A list is used for one and a half intervals. If a busy machine delays a sweep beyond that, an object
	// lists by itself before the sweep does: these are two lists in an interval. The objects that the
	// example refers to are observed, too.
	if n := len(calls); n > intervals*(2*pages+len(w.before)) {
		w.T.Errorf("%d calls in %d intervals for %d objects", n, intervals, many)
	}
}

// pages returns the number of pages of the collection. It may have more than the resources of the kind.
func (w *world) pages() int {
	w.T.Helper()
	if w.d.Page.Max == 0 {
		return 1
	}
	return max(1, (len(w.sim.Resources(w.collection()))+w.d.Page.Max-1)/w.d.Page.Max)
}

// naturalText returns the first path of the natural key at which the example has a text without fixed
// values. It returns "" if there is none.
func (w *world) naturalText() string {
	w.T.Helper()
	schema, want := w.forProvider(), w.want()
	i := slices.IndexFunc(w.d.Natural, func(path string) bool {
		return kind.Text(want, path) != "" && len(within(schema, w.nameOf(path)).Enum) == 0
	})
	if i < 0 {
		return ""
	}
	return w.d.Natural[i]
}

// nameOf returns the name of a path in the spec.
func (w *world) nameOf(path string) string {
	return kind.Difference{Path: path}.Name(kind.Names(w.example.GetForProvider()))
}

// numbered returns an object like the example, with another text at that path of its natural key. The path
// may be "".
func (w *world) numbered(i int, path string) described.Object {
	w.T.Helper()
	mg := copyOf(w.example, fmt.Sprintf("%s-%d", w.example.GetName(), i))
	of := *w
	of.example = mg
	for _, path := range w.distinct(path) {
		if text := kind.Text(w.want(), path); text != "" {
			of.declare(w.nameOf(path), numberedText(i, text))
		}
	}
	if w.d.Name == "DeviceProfile" {
		of.declare("precedence", int64(i+1)) // No two resources may have the same value.
	}
	return mg
}

// distinct returns the paths of texts that must be unique. The first one is path; "" stands for none.
func (w *world) distinct(path string) []string {
	if w.d.Name == "WaitingRoom" {
		return []string{path, "host"} // The combination of host and path is unique, and so is the name.
	}
	return []string{path}
}

// numberedText returns a text of the same form that is different for each number: another address, another
// network of the same size, or another name.
func numberedText(i int, text string) string {
	if p, err := netip.ParsePrefix(text); err == nil {
		return numberedNetwork(i, p).String()
	}
	if a, err := netip.ParseAddr(text); err == nil {
		return numberedNetwork(i, netip.PrefixFrom(a, a.BitLen())).Addr().String()
	}
	return fmt.Sprintf("n%d-%s", i, text)
}

// numberedNetwork returns the network of the same size that is i networks later.
func numberedNetwork(i int, p netip.Prefix) netip.Prefix {
	raw := p.Masked().Addr().AsSlice()
	number := new(big.Int).SetBytes(raw)
	number.Add(number, new(big.Int).Lsh(big.NewInt(int64(i)), uint(p.Addr().BitLen()-p.Bits())))
	a, ok := netip.AddrFromSlice(number.FillBytes(raw))
	if !ok {
		panic(p)
	}
	return netip.PrefixFrom(a, p.Bits())
}

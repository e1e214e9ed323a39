// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package kinds

import (
	"fmt"
	"net/http"
	"net/netip"
	"strings"
	"testing"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"

	rulesetv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/ruleset/v1alpha1"
	cfv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kinds/ruleset"
	"github.com/provider-cloudflare/provider-cloudflare/test/harness"
	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

// itemWorld returns a world with a list, and the example of an item in it, which is not created.
func itemWorld(t *testing.T) (*world, *rulesetv1alpha1.RulesListItem) {
	t.Helper()
	w := newWorld(t, ruleset.RulesListItem())
	w.prepare()
	mg, ok := w.example.(*rulesetv1alpha1.RulesListItem)
	if !ok {
		t.Fatalf("the example is %T", w.example)
	}
	return w, mg
}

// itemOf returns an item like the example, with another name and address.
func (w *world) itemOf(name, ip string) *rulesetv1alpha1.RulesListItem {
	w.T.Helper()
	mg, ok := copyOf(w.example, name).(*rulesetv1alpha1.RulesListItem)
	if !ok {
		w.T.Fatalf("the example is %T", w.example)
	}
	mg.Spec.ForProvider.IP = ptr.To(ip)
	return mg
}

// items returns the comments of the items of the list, by address.
func (w *world) items() map[string]string {
	out := map[string]string{}
	for _, doc := range w.sim.Resources(w.collection()) {
		comment, _ := doc["comment"].(string)
		out[fmt.Sprint(doc["ip"])] = comment
	}
	return out
}

// calls counts the calls of a method on the items of the list, and the reads of the state of an operation.
func (w *world) calls(method string) (n, looks int) {
	for _, r := range w.requests() {
		if r.Method == method && r.Path == w.collection() {
			n++
		}
		if strings.Contains(r.Path, "/bulk_operations/") {
			looks++
		}
	}
	return n, looks
}

// TestManyItemsFewCalls is about traps 5 and 22: items that are created, changed and deleted together take a few
// operations. The provider waits for each operation.
func TestManyItemsFewCalls(t *testing.T) {
	t.Parallel()
	inBubble(t, func(t *testing.T) {
		const n, most = 300, 20 // Operations run one after the other, and each takes as many items as there are workers.
		w, _ := itemWorld(t)
		all := make([]*rulesetv1alpha1.RulesListItem, n)
		a := netip.MustParseAddr("198.18.0.0")
		for i := range all {
			all[i] = w.itemOf(fmt.Sprintf("item-%d", i), a.String())
			w.Create(all[i])
			a = a.Next()
		}
		for _, mg := range all {
			w.Settled(mg)
		}
		w.is(n)
		posts, looks := w.calls(http.MethodPost)
		if posts > most || looks < posts {
			t.Errorf("%d items took %d operations and %d looks at them, want at most %d operations", n, posts, looks, most)
		}
		for _, mg := range all {
			w.Delete(mg)
		}
		for _, mg := range all {
			w.Gone(mg, func() string { return harness.Conditions(mg) })
		}
		w.is(0)
		if deletes, _ := w.calls(http.MethodDelete); deletes > most {
			t.Errorf("%d deletions took %d operations, want at most %d", n, deletes, most)
		}
	})
}

// TestItemsOfTeams is about traps 5 and 6: the items of objects in two namespaces and foreign items share a list. Items
// without an object do not change. A value that another object has is refused in every spelling.
func TestItemsOfTeams(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w, first := itemWorld(t)
		if err := w.operate(http.MethodPost, []any{map[string]any{"ip": "192.0.2.7", "comment": "theirs"}}); err != nil {
			t.Fatal(err)
		}
		w.Create(first)
		w.Settled(first)
		other := w.itemOf("other", "2001:DB8:0::/32")
		other.Namespace = w.secondNamespace()
		other.Spec.ForProvider.ListIDRef = nil
		other.Spec.ForProvider.ListID = first.Spec.ForProvider.ListID
		w.Create(other)
		w.Settled(other)
		if got := meta.GetExternalName(other); got != "2001:db8::/32" {
			t.Errorf("the external name is %q, want the network as Cloudflare has it", got)
		}
		twin := w.itemOf("twin", *first.Spec.ForProvider.IP+"/32")
		twin.Namespace, twin.Spec.ForProvider.ListIDRef, twin.Spec.ForProvider.ListID = other.Namespace, nil, first.Spec.ForProvider.ListID
		w.Create(twin)
		w.Says(twin, xpv2.TypeSynced, w.ns+"/"+first.Name)
		harness.Edit(w.Objects, first, func(mg *rulesetv1alpha1.RulesListItem) { mg.Spec.ForProvider.Comment = ptr.To("changed") })
		w.Eventually(func() error {
			if got := w.items()[*first.Spec.ForProvider.IP]; got != "changed" {
				return fmt.Errorf("the comment is %q", got)
			}
			return nil
		})
		for _, mg := range []*rulesetv1alpha1.RulesListItem{twin, other, first} {
			w.Delete(mg)
			w.Gone(mg, func() string { return harness.Conditions(mg) })
		}
		if got := w.items(); len(got) != 1 || got["192.0.2.7"] != "theirs" {
			t.Errorf("the list has %v, want what is nobody's as it was", got)
		}
	})
}

// secondNamespace creates another namespace. Its provider config has the same credential.
func (w *world) secondNamespace() string {
	w.T.Helper()
	ns := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{GenerateName: "k-"}}
	w.Create(ns)
	w.T.Cleanup(func() { _ = w.kube.Delete(w.T.Context(), ns) })
	w.Create(&corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: "cloudflare", Namespace: ns.Name}, StringData: map[string]string{"token": w.token}})
	w.Create(&cfv1alpha1.ProviderConfig{
		ObjectMeta: metav1.ObjectMeta{Name: "default", Namespace: ns.Name},
		Spec: cfv1alpha1.ProviderConfigSpec{
			Credentials: cfv1alpha1.Credentials{SecretRef: cfv1alpha1.LocalSecretKeySelector{Name: "cloudflare", Key: "token"}},
			CommonSpec:  cfv1alpha1.CommonSpec{AccountID: ptr.To(w.account.ID)},
		},
	})
	return ns.Name
}

// TestOneBadItem has one item refused when it is sent, or when the operation is carried out. This does not block other
// items, and the object of the item reports the reason.
func TestOneBadItem(t *testing.T) {
	for _, tc := range []struct {
		reason, ip, says string
	}{
		{"refused when it is sent", "192.0.2.300", "is not valid"},
		{"refused when it is carried out", "192.0.2.9", "the operation on the list item failed: cannot process the items"},
	} {
		t.Run(tc.reason, func(t *testing.T) {
			inParallel(t, func(t *testing.T) {
				w, _ := itemWorld(t)
				trap := w.trap(simulator.Trap{Kind: simulator.TrapFailedOperation, Value: "192.0.2.9"})
				var good []*rulesetv1alpha1.RulesListItem
				bad := w.itemOf("bad", tc.ip)
				w.Create(bad)
				for i := range 12 {
					good = append(good, w.itemOf(fmt.Sprintf("good-%d", i), fmt.Sprintf("198.51.100.%d", i)))
					w.Create(good[i])
				}
				for _, mg := range good {
					w.Settled(mg)
				}
				w.Says(bad, xpv2.TypeSynced, tc.says)
				w.is(len(good))
				if tc.ip == "192.0.2.9" {
					w.sim.RemoveTrap(trap)
					w.Settled(bad)
					return
				}
				w.Delete(bad)
				w.Gone(bad, func() string { return harness.Conditions(bad) })
			})
		})
	}
}

// TestItemFitsItsList shows that an item of another kind than its list is refused before any call. The message names
// what is wrong and what fits.
func TestItemFitsItsList(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w, _ := itemWorld(t)
		mg := w.itemOf("host", "")
		mg.Spec.ForProvider.IP = nil
		mg.Spec.ForProvider.Hostname = &rulesetv1alpha1.RulesListItemHostname{URLHostname: ptr.To("App.example.com")}
		from := w.writes()
		w.Create(mg)
		w.Says(mg, xpv2.TypeSynced, "spec.forProvider.hostname does not fit the list, whose kind is ip", "create another with ip")
		if n := w.writes() - from; n > 0 {
			t.Errorf("%d calls wrote something that does not fit", n)
		}
		w.Delete(mg)
		w.Gone(mg, func() string { return harness.Conditions(mg) })
	})
}

// TestEachKindOfItem is trap 10: items of every kind of list are found in the form that Cloudflare makes of them. The
// members that Cloudflare adds are not sent back.
func TestEachKindOfItem(t *testing.T) {
	for _, tc := range []struct {
		kind, name string
		item       func(p *rulesetv1alpha1.RulesListItemParameters)
	}{
		{"asn", "64496", func(p *rulesetv1alpha1.RulesListItemParameters) { p.Asn = ptr.To(int64(64496)) }},
		{"hostname", "*.app.example.com", func(p *rulesetv1alpha1.RulesListItemParameters) {
			p.Hostname = &rulesetv1alpha1.RulesListItemHostname{URLHostname: ptr.To("*.App.example.com")}
		}},
		{"redirect", "https://example.com/a", func(p *rulesetv1alpha1.RulesListItemParameters) {
			p.Redirect = &rulesetv1alpha1.RulesListItemRedirect{SourceURL: ptr.To("https://Example.com/a"), TargetURL: ptr.To("https://example.org"), SubpathMatching: ptr.To(false)}
		}},
	} {
		t.Run(tc.kind, func(t *testing.T) {
			inParallel(t, func(t *testing.T) {
				w := newWorld(t, ruleset.RulesListItem())
				for _, o := range w.before {
					if l, ok := o.(*rulesetv1alpha1.RulesList); ok {
						l.Spec.ForProvider.Kind = ptr.To(tc.kind)
					}
				}
				w.prepare()
				w.trap(simulator.Trap{Kind: simulator.TrapEmptyObject, Field: map[string]string{"asn": "hostname", "hostname": "redirect", "redirect": "hostname"}[tc.kind]})
				mg := w.itemOf("item", "")
				mg.Spec.ForProvider.IP = nil
				tc.item(&mg.Spec.ForProvider)
				w.Create(mg)
				w.Settled(mg)
				if got := meta.GetExternalName(mg); got != tc.name {
					t.Errorf("the external name is %q, want %q", got, tc.name)
				}
				from := w.writes()
				w.lists(3)
				w.Settled(mg)
				if n := w.writes() - from; n > 0 {
					t.Errorf("there were %d writes without a change", n)
				}
				harness.Edit(w.Objects, mg, func(mg *rulesetv1alpha1.RulesListItem) { mg.Spec.ForProvider.Comment = ptr.To("changed") })
				w.Eventually(func() error {
					if docs := w.sim.Resources(w.collection()); len(docs) != 1 || docs[0]["comment"] != "changed" {
						return fmt.Errorf("there are %v: %s", docs, harness.Conditions(mg))
					}
					return nil
				})
				w.Delete(mg)
				w.Gone(mg, func() string { return harness.Conditions(mg) })
				w.is(0)
			})
		})
	}
}

// TestAnothersOperation is trap 22: while an operation of another client is under way, that of the provider is refused.
// The object reports this, and is requeued.
func TestAnothersOperation(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w, mg := itemWorld(t)
		end := w.sim.OccupyLists(w.account.ID)
		w.Create(mg)
		w.Says(mg, xpv2.TypeSynced, "another operation of this account is still under way")
		end()
		w.Settled(mg)
		w.is(1)
	})
}

// TestItemsFollowTheirList deletes a list at Cloudflare, and the object of the list creates another one. The other one
// gets the items.
func TestItemsFollowTheirList(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w, mg := itemWorld(t)
		w.Create(mg)
		w.Settled(mg)
		before := w.collection()
		if err := w.sim.DeleteResource(strings.TrimSuffix(before, "/items")); err != nil {
			t.Fatal(err)
		}
		w.Eventually(func() error {
			if err := w.Get(mg); err != nil {
				return err
			}
			now := "/accounts/" + w.account.ID + "/rules/lists/" + ptr.Deref(mg.Spec.ForProvider.ListID, "") + "/items"
			if now == before || len(w.sim.Resources(now)) != 1 {
				return fmt.Errorf("%s has %d items, and was %s", now, len(w.sim.Resources(now)), before)
			}
			return nil
		})
		w.Settled(mg)
	})
}

// TestListGoneWithItsItems shows that the items of a list that was deleted at Cloudflare are gone. Their objects can be
// deleted.
func TestListGoneWithItsItems(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w, mg := itemWorld(t)
		w.Create(mg)
		w.Settled(mg)
		for _, o := range w.before {
			if list, ok := o.(*rulesetv1alpha1.RulesList); ok {
				harness.Edit(w.Objects, list, func(list *rulesetv1alpha1.RulesList) {
					list.SetManagementPolicies(xpv2.ManagementPolicies{xpv2.ManagementActionObserve}) // It does not create another list.
				})
			}
		}
		if err := w.sim.DeleteResource(strings.TrimSuffix(w.collection(), "/items")); err != nil {
			t.Fatal(err)
		}
		w.Says(mg, xpv2.TypeSynced, "there is nothing that the list item could be in")
		w.Delete(mg)
		w.Gone(mg, func() string { return harness.Conditions(mg) })
	})
}

// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package export

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	"github.com/google/go-cmp/cmp"

	loadbalancerv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/loadbalancer/v1alpha1"
	rulesetv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/ruleset/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/cloudflare"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kinds/loadbalancer"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kinds/ruleset"
)

const (
	monitorID = "0123456789abcdef0123456789abcdef"
	poolID    = "17b5962d775c646f3f9725cbc7a53df4"
	accountID = "00000000000000000000000000000001"
)

func of(t *testing.T, id, live string) kind.Resource {
	t.Helper()
	var doc kind.Document
	if err := json.Unmarshal([]byte(live), &doc); err != nil {
		t.Fatal(err)
	}
	return kind.Resource{ID: id, Parameters: map[string]string{"account_id": accountID}, Live: doc}
}

func create(d kind.Description) (Described, error) {
	switch d.Name {
	case "LoadBalancerPool":
		return &loadbalancerv1alpha1.LoadBalancerPool{}, nil
	case "LoadBalancerMonitor":
		return &loadbalancerv1alpha1.LoadBalancerMonitor{}, nil
	case "Ruleset":
		return &rulesetv1alpha1.Ruleset{}, nil
	}
	return nil, errors.New("there is no such kind")
}

// TestAccountRefersByName has a pool with an exported monitor, and one with a monitor that is not exported.
func TestAccountRefersByName(t *testing.T) {
	t.Parallel()
	pool := of(t, poolID, `{"id":"`+poolID+`","name":"Web Frontends","monitor":"`+monitorID+`","origins":[{"name":"a","address":"192.0.2.1"}]}`)
	monitor := of(t, monitorID, `{"id":"`+monitorID+`","type":"https","description":""}`)
	pools := Found{Kind: loadbalancer.LoadBalancerPool(), Resources: []kind.Resource{pool}}
	for name, tc := range map[string]struct {
		found    []Found
		id, ref  string
		manifest string
	}{
		"both": {
			[]Found{pools, {Kind: loadbalancer.LoadBalancerMonitor(), Resources: []kind.Resource{monitor}}},
			"", "loadbalancermonitor-01234567", "web-frontends-17b5962d",
		},
		"the pool alone": {[]Found{pools}, monitorID, "", "web-frontends-17b5962d"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := Options{Namespace: "ns"}.Account(nil, tc.found, create)
			if err != nil {
				t.Fatal(err)
			}
			for _, o := range got.Objects {
				p, ok := o.(*loadbalancerv1alpha1.LoadBalancerPool)
				if !ok {
					continue
				}
				var id, ref string
				if p.Spec.ForProvider.Monitor != nil {
					id = *p.Spec.ForProvider.Monitor
				}
				if p.Spec.ForProvider.MonitorRef != nil {
					ref = p.Spec.ForProvider.MonitorRef.Name
				}
				if id != tc.id || ref != tc.ref {
					t.Errorf("the monitor is %q by ID and %q by name, want %q and %q", id, ref, tc.id, tc.ref)
				}
				if p.GetName() != tc.manifest || p.GetNamespace() != "ns" || meta.GetExternalName(p) != poolID {
					t.Errorf("it is %s/%s with the external name %s", p.GetNamespace(), p.GetName(), meta.GetExternalName(p))
				}
				return
			}
			t.Error("there is no pool")
		})
	}
}

// TestAccountIsStable expects the same manifests for the same resources in another order.
func TestAccountIsStable(t *testing.T) {
	t.Parallel()
	one := of(t, poolID, `{"name":"b","origins":[{"name":"a","address":"192.0.2.1"}]}`)
	two := of(t, monitorID, `{"name":"a","origins":[{"name":"a","address":"192.0.2.1"}]}`)
	zones := []cloudflare.Zone{{ID: strings.Repeat("e", 32), Name: "b.example"}, {ID: strings.Repeat("f", 32), Name: "a.example"}}
	names := func(zones []cloudflare.Zone, r ...kind.Resource) []string {
		got, err := Options{}.Account(zones, []Found{{Kind: loadbalancer.LoadBalancerPool(), Resources: r}}, create)
		if err != nil {
			t.Fatal(err)
		}
		var out []string
		for _, o := range got.Objects {
			out = append(out, o.GetName())
		}
		return out
	}
	want := []string{"a.example", "b.example", "a-01234567", "b-17b5962d"}
	if diff := cmp.Diff(want, names(zones, one, two)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(want, names([]cloudflare.Zone{zones[1], zones[0]}, two, one)); diff != "" {
		t.Error(diff)
	}
}

// TestAccountLeavesOutWhatIsNotTheUsers expects that Cloudflare's own rulesets, which are in every list, are left out.
func TestAccountLeavesOutWhatIsNotTheUsers(t *testing.T) {
	t.Parallel()
	mine := of(t, poolID, `{"name":"mine","kind":"custom","phase":"http_request_firewall_custom","rules":[]}`)
	others := of(t, monitorID, `{"name":"Cloudflare Managed Ruleset","kind":"managed","phase":"http_request_firewall_managed"}`)
	got, err := Options{}.Account(nil, []Found{{Kind: ruleset.Ruleset(), Resources: []kind.Resource{mine, others}}}, create)
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Objects) != 1 || meta.GetExternalName(got.Objects[0]) != poolID {
		t.Errorf("got %d objects, want the user's own ruleset", len(got.Objects))
	}
	if len(got.LeftOut) != 1 || !strings.Contains(got.LeftOut[0].What, monitorID) || got.LeftOut[0].Why == "" {
		t.Errorf("left out: %+v", got.LeftOut)
	}
}

// TestNamesOfNamedResources expects a resource that has a name as its ID to be named by that ID.
// If the names of two resources become equal, the second gets another one.
func TestNamesOfNamedResources(t *testing.T) {
	t.Parallel()
	all := []kind.Resource{of(t, "a-b", `{"name":"a-b"}`), of(t, "a_b", `{"name":"a_b"}`), of(t, "web", `{"name":"web"}`)}
	got, err := Options{}.Account(nil, []Found{{Kind: loadbalancer.LoadBalancerPool(), Resources: all}}, create)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, o := range got.Objects {
		names = append(names, o.GetName())
	}
	if len(names) != 3 || names[0] != "loadbalancerpool-a-b" || !strings.HasPrefix(names[1], "loadbalancerpool-a-b-") || names[2] != "loadbalancerpool-web" {
		t.Errorf("got %v", names)
	}
}

// TestFalseIsExported expects false values in the manifest, so that they stay false when the
// object manages the resource.
func TestFalseIsExported(t *testing.T) {
	t.Parallel()
	r := of(t, poolID, `{"id":"`+poolID+`","name":"p","enabled":false,"origins":[{"name":"a","address":"192.0.2.1","enabled":false,"weight":0}]}`)
	got, err := Options{Manage: true}.Account(nil, []Found{{Kind: loadbalancer.LoadBalancerPool(), Resources: []kind.Resource{r}}}, create)
	if err != nil || len(got.Objects) != 1 {
		t.Fatalf("got %v, %v", got.Objects, err)
	}
	raw, err := json.Marshal(got.Objects[0])
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(raw), `"enabled":false`); n != 2 || !strings.Contains(string(raw), `"weight":0`) {
		t.Errorf("got %s", raw)
	}
}

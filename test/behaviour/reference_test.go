// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package behaviour

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"k8s.io/utils/ptr"

	dnsv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
)

// TestRecordZoneIsNamed shows the four ways to name the zone of a record.
func TestRecordZoneIsNamed(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		reason string
		change func(w *world, p *dnsv1alpha1.RecordParameters)
	}{
		"ByID": {"zoneId as it is", func(*world, *dnsv1alpha1.RecordParameters) {}},
		"ByReference": {"the external name of a Zone object", func(_ *world, p *dnsv1alpha1.RecordParameters) {
			p.ZoneID, p.ZoneIDRef = nil, &xpv2.NamespacedReference{Name: "zone"}
		}},
		"BySelector": {"a Zone object found by its labels", func(_ *world, p *dnsv1alpha1.RecordParameters) {
			p.ZoneID, p.ZoneIDSelector = nil, &xpv2.NamespacedSelector{MatchLabels: map[string]string{"for": "records"}}
		}},
		"ByName": {"the zone's name, in any spelling", func(w *world, p *dnsv1alpha1.RecordParameters) {
			p.ZoneID, p.ZoneName = nil, ptr.To(strings.ToUpper(w.zone.Name)+".")
		}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			inParallel(t, func(t *testing.T) {
				w := newWorld(t)
				z := w.zoneObject("zone", w.zone.Name)
				z.Labels = map[string]string{"for": "records"}
				w.create(z)
				settled(w, z)
				r := w.made("www", "A", "192.0.2.1", parameters(func(p *dnsv1alpha1.RecordParameters) { tc.change(w, p) }))
				if r.Status.AtProvider.ZoneID != w.zone.ID || w.live("A").Name != "www."+w.zone.Name {
					t.Errorf("%s: the record is in zone %s", tc.reason, r.Status.AtProvider.ZoneID)
				}
				w.delete(r)
				w.gone(r)
				w.noRecords()
			})
		})
	}
}

// TestRecordWaitsForItsZone creates a Record before the Zone that it refers to.
func TestRecordWaitsForItsZone(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w := newWorld(t)
		r := w.record("www", "A", "192.0.2.1", parameters(func(p *dnsv1alpha1.RecordParameters) {
			p.ZoneID, p.ZoneIDRef = nil, &xpv2.NamespacedReference{Name: "later"}
		}))
		w.create(r)
		refused(w, r, "later")
		z := w.zoneObject("later", w.zone.Name)
		w.create(z)
		settled(w, r)
	})
}

// TestRecordRefersElsewhere shows that a Record cannot refer to a Zone in another namespace in any way, and gets no
// value of it.
func TestRecordRefersElsewhere(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w := newWorld(t)
		n := w.neighbour()
		z := n.zoneObject("zone", w.zone.Name)
		z.Labels = map[string]string{"for": "records"}
		n.create(z)
		settled(n, z)
		for field, change := range map[string]func(p *dnsv1alpha1.RecordParameters){
			"zoneIdRef": func(p *dnsv1alpha1.RecordParameters) {
				p.ZoneIDRef = &xpv2.NamespacedReference{Name: "zone", Namespace: n.ns}
			},
			"zoneIdSelector": func(p *dnsv1alpha1.RecordParameters) {
				p.ZoneIDSelector = &xpv2.NamespacedSelector{MatchLabels: z.Labels, Namespace: n.ns}
			},
		} {
			r := w.record("www", "A", "192.0.2.1", parameters(func(p *dnsv1alpha1.RecordParameters) {
				p.ZoneID = nil
				change(p)
			}))
			w.create(r)
			refused(w, r, "spec.forProvider."+field+" names the namespace "+n.ns)
			if p := r.Spec.ForProvider; p.ZoneID != nil || field != "zoneIdRef" && p.ZoneIDRef != nil || r.Status.AtProvider.ZoneID != "" {
				t.Errorf("%s: the Record has the zone %v, %v of another namespace", field, p.ZoneID, p.ZoneIDRef)
			}
			w.noRecords()
			w.delete(r)
			w.gone(r)
		}
	})
}

// sweeps waits until the provider has listed the zone of the world n more times: work that has not happened by then
// will not happen.
func (w *world) sweeps(n int) {
	w.t.Helper()
	w.requests(n, "/zones/"+w.zone.ID+"/dns_records")
}

// requests waits until a path was read n more times.
func (w *world) requests(n int, path string) {
	w.t.Helper()
	count := func() int {
		c := 0
		for _, r := range w.sim.RequestsAbout(w.zone.ID) {
			if r.Method == http.MethodGet && r.Path == path {
				c++
			}
		}
		return c
	}
	start := count()
	w.eventually(func() error {
		if got := count() - start; got < n {
			return fmt.Errorf("%s was read %d times, want %d", path, got, n)
		}
		return nil
	})
}

// table returns the row of an object as kubectl would print it with -o wide.
func (w *world) table(resource, name string) map[string]string {
	w.t.Helper()
	group, resource, _ := strings.Cut(resource, "/")
	cfg := rest.CopyConfig(w.cfg)
	cfg.GroupVersion = &schema.GroupVersion{Group: group, Version: "v1alpha1"}
	cfg.APIPath = "/apis"
	cfg.NegotiatedSerializer = scheme.Codecs.WithoutConversion()
	cfg.Timeout = patience
	c, err := rest.RESTClientFor(cfg)
	if err != nil {
		w.t.Fatal(err)
	}
	tbl := &metav1.Table{}
	err = c.Get().Namespace(w.ns).Resource(resource).Name(name).
		SetHeader("Accept", "application/json;as=Table;v=v1;g=meta.k8s.io").Do(w.t.Context()).Into(tbl)
	if err != nil {
		w.t.Fatalf("cannot get the table: %v", err)
	}
	out := map[string]string{}
	for i, c := range tbl.ColumnDefinitions {
		out[strings.ToUpper(c.Name)] = fmt.Sprint(tbl.Rows[0].Cells[i])
	}
	return out
}

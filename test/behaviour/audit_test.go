// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package behaviour

import (
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"

	dnsv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
	cfv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/v1alpha1"
	workersv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/workers/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

const (
	auditCall = "GET /accounts/{account_id}/logs/audit -> 200"
	// terraform is the user agent of Terraform's provider for Cloudflare.
	terraform = "Terraform/1.9.5 (+https://www.terraform.io) terraform-provider-cloudflare/4.52.0"
)

// newAuditedWorld returns a world whose token may read the audit logs. The user jane is signed
// in to the dashboard of its account.
func newAuditedWorld(t *testing.T, more ...simulator.Permission) *world {
	t.Helper()
	w := newWorld(t, withPermissions(slices.Concat(permissions(), []simulator.Permission{simulator.AuditLogsRead}, more)...))
	w.sim.SignIn(w.account.ID, "jane@example.com")
	return w
}

// auditCalls returns the calls of the audit logs of the account of the world.
func (w *world) auditCalls() []string {
	var out []string
	for _, r := range w.sim.RequestsAbout(w.account.ID) {
		if strings.HasPrefix(r.Path, "/accounts/"+w.account.ID+"/logs/") {
			out = append(out, r.String())
		}
	}
	return out
}

// byTerraform makes a request with another token, as Terraform.
func (w *world) byTerraform(method, path, body string) {
	w.t.Helper()
	token := w.sim.AddToken(simulator.TokenOptions{
		Name: "deploy", Email: "ci@example.com", Grants: []simulator.Grant{{Account: w.account.ID, Permission: simulator.Everything}},
	})
	r, err := http.NewRequestWithContext(w.t.Context(), method, w.url+path, strings.NewReader(body))
	if err != nil {
		w.t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+token)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("User-Agent", terraform)
	resp, err := w.client().Do(r)
	if err != nil {
		w.t.Fatal(err)
	}
	defer resp.Body.Close()
	if answer, err := io.ReadAll(resp.Body); err != nil || resp.StatusCode != http.StatusOK {
		w.t.Fatalf("%s %s: %s, %v: %s", method, path, resp.Status, err, answer)
	}
}

// TestDriftSaysWho expects the condition, the event and the log line about drift to name the
// author of the change, and the tool.
func TestDriftSaysWho(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		reason string
		change func(w *world, id string)
		says   []string
	}{
		"Dashboard": {
			"somebody who is signed in to the dashboard",
			func(w *world, id string) { w.dashboardEdit(id, map[string]any{"content": "203.0.113.66"}) },
			[]string{"content: live 203.0.113.66, desired 192.0.2.1; changed by jane@example.com in the dashboard at 2"},
		},
		"Terraform": {
			"Terraform, by its user agent",
			func(w *world, id string) {
				w.byTerraform(http.MethodPatch, "/zones/"+w.zone.ID+"/dns_records/"+id, `{"content":"203.0.113.66"}`)
			},
			[]string{`; changed by ci@example.com with Terraform 1.9.5 and the API token "deploy" at 2`},
		},
	} {
		t.Run(name, func(t *testing.T) {
			inParallel(t, func(t *testing.T) {
				w := newAuditedWorld(t)
				r := w.made("www", "A", "192.0.2.1")
				w.sweeps(2)
				if calls := w.auditCalls(); len(calls) > 0 {
					t.Errorf("%s: without a drift the audit logs were asked: %q", tc.reason, calls)
				}
				seen := w.watchUpToDate(r)
				tc.change(w, w.live("A").ID)
				drifted := <-seen
				for _, says := range tc.says {
					if drifted.Reason != "DriftDetected" || !strings.Contains(drifted.Message, says) {
						t.Errorf("%s: UpToDate says %s %q, want %q", tc.reason, drifted.Reason, drifted.Message, says)
					}
					w.event(r, "DriftDetected", says)
				}
				settled(w, r)
				differences, cause, _ := strings.Cut(drifted.Message, "; ")
				w.loggedDrift(r, differences, map[string]string{"cause": cause})
				w.sweeps(2)
				if diff := cmp.Diff([]string{auditCall}, w.auditCalls()); diff != "" {
					t.Errorf("%s: calls of the audit logs (-want +got):\n%s", tc.reason, diff)
				}
			})
		})
	}
}

// TestDeletionSaysWho expects the report about a deleted record to name the author of the
// deletion.
func TestDeletionSaysWho(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w := newAuditedWorld(t)
		r := w.made("www", "A", "192.0.2.1")
		w.sweeps(2)
		if err := w.sim.DeleteRecord(w.zone.ID, w.live("A").ID); err != nil {
			t.Fatal(err)
		}
		w.event(r, "DriftDetected", "; deleted by jane@example.com in the dashboard at 2")
		settled(w, r)
	})
}

// TestZoneDriftSaysWho changes a zone as Terraform does.
func TestZoneDriftSaysWho(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w := newAuditedWorld(t)
		z := w.zoneObject("zone", w.zone.Name)
		z.Spec.ForProvider.Paused = ptr.To(false)
		w.create(z)
		settled(w, z)
		w.byTerraform(http.MethodPatch, "/zones/"+w.zone.ID, `{"paused":true}`)
		w.event(z, "DriftDetected", `paused: live true, desired false; changed by ci@example.com with Terraform 1.9.5 and the API token "deploy" at 2`)
		settled(w, z)
	})
}

// TestDescribedDriftSaysWho changes a resource of a described kind in the dashboard.
func TestDescribedDriftSaysWho(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w := newAuditedWorld(t, simulator.Everything)
		ns := &workersv1alpha1.KVNamespace{ObjectMeta: metav1.ObjectMeta{GenerateName: "kv-", Namespace: w.ns}}
		ns.Spec.ForProvider.Title = ptr.To("sessions")
		ns.Spec.ProviderConfigReference = &xpv2.ProviderConfigReference{Kind: cfv1alpha1.ProviderConfigKind, Name: "default"}
		w.create(ns)
		settled(w, ns)
		path := "/accounts/" + w.account.ID + "/storage/kv/namespaces"
		id := fmt.Sprint(w.sim.Resources(path)[0]["id"])
		if _, err := w.sim.PutResource(path+"/"+id, map[string]any{"title": "mine"}); err != nil {
			t.Fatal(err)
		}
		w.event(ns, "DriftDetected", "; changed by jane@example.com in the dashboard at 2")
		settled(w, ns)
		w.delete(ns)
		w.gone(ns)
	}, workersv1alpha1.KVNamespaceKind)
}

// TestAuditLogsNotPermitted expects one refused call with a token that may not read the audit
// logs, and no message about it.
func TestAuditLogsNotPermitted(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w := newWorld(t)
		r := w.made("www", "A", "192.0.2.1")
		for i := range 3 {
			w.dashboardEdit(w.live("A").ID, map[string]any{"content": fmt.Sprintf("203.0.113.%d", i+1)})
			w.event(r, "DriftDetected", fmt.Sprintf("content: live 203.0.113.%d, desired 192.0.2.1", i+1))
			settled(w, r)
			w.sweeps(2)
		}
		if diff := cmp.Diff([]string{"GET /accounts/{account_id}/logs/audit -> 403 10000"}, w.auditCalls()); diff != "" {
			t.Errorf("calls of the audit logs (-want +got):\n%s", diff)
		}
		for _, e := range w.eventsOf(r) {
			if strings.Contains(e.Message, "changed ") || strings.Contains(e.Message, "logs/audit") {
				t.Errorf("an event says %q", e.Message)
			}
		}
		for _, line := range w.logs.all() {
			if strings.Contains(line, w.account.ID) && strings.Contains(line, "logs/audit") {
				t.Errorf("the refusal was logged: %s", line)
			}
		}
	})
}

// TestOneAuditCallForManyDrifts changes many records of a zone. One request finds all authors.
func TestOneAuditCallForManyDrifts(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w := newAuditedWorld(t)
		const n = 25
		rs := make([]*dnsv1alpha1.Record, 0, n)
		for i := range n {
			r := w.record(fmt.Sprintf("host-%d", i), "A", fmt.Sprintf("192.0.2.%d", i))
			w.create(r)
			rs = append(rs, r)
		}
		for _, r := range rs {
			settled(w, r)
		}
		w.sweeps(2)
		from := len(w.calls(0))
		patches := make([]string, 0, n)
		for i, r := range w.sim.Records(w.zone.ID) {
			patches = append(patches, fmt.Sprintf(`{"id":%q,"content":"203.0.113.%d"}`, r.ID, i))
		}
		w.byTerraform(http.MethodPost, "/zones/"+w.zone.ID+"/dns_records/batch", `{"patches":[`+strings.Join(patches, ",")+`]}`)
		for _, r := range rs {
			w.event(r, "DriftDetected", "; changed by ci@example.com with Terraform 1.9.5")
		}
		for _, r := range rs {
			settled(w, r)
		}
		if diff := cmp.Diff([]string{auditCall}, w.auditCalls()); diff != "" {
			t.Errorf("%d drifts: calls of the audit logs (-want +got):\n%s", n, diff)
		}
		for _, c := range w.calls(from) {
			if strings.HasPrefix(c, "GET /zones/{zone_id} ") {
				t.Errorf("the zone was read for its account, which is known: %s", c)
			}
		}
	})
}

// TestLateAuditEntry is about an object that may not revert a drift. Once the audit entry
// exists, the condition is completed, and the event is not repeated.
func TestLateAuditEntry(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		w := newAuditedWorld(t)
		w.sim.DelayAuditLogs(w.account.ID, time.Hour)
		made := w.dashboard(map[string]any{"type": "A", "name": "www", "content": "192.0.2.1", "ttl": 1})
		r := w.made("www", "A", "192.0.2.1", policies(xpv2.ManagementActionObserve), externalName(made.ID))
		w.dashboardEdit(made.ID, map[string]any{"content": "203.0.113.66"})
		const drift = "content: live 203.0.113.66, desired 192.0.2.1"
		w.event(r, "DriftDetected", drift+" (left alone")
		w.sim.DelayAuditLogs(w.account.ID, 0)
		w.until(r, "; changed by jane@example.com in the dashboard at 2")
		w.sweeps(2)
		w.until(r, drift+"; changed by jane@example.com in the dashboard at 2")
		n := 0
		for _, e := range w.eventsOf(r) {
			if e.Reason == "DriftDetected" {
				n += int(e.Count)
			}
		}
		if n != 1 {
			t.Errorf("the drift was reported %d times, want once", n)
		}
	})
}

// until waits until the UpToDate condition of an object contains that text.
func (w *world) until(mg resource.Managed, text string) {
	w.t.Helper()
	until(w, mg, func(mg resource.Managed) error {
		if c := mg.GetCondition(xpv2.TypeUpToDate); !strings.Contains(c.Message, text) {
			return fmt.Errorf("UpToDate says %s %q, want %q", c.Reason, c.Message, text)
		}
		return nil
	})
}

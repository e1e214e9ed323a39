// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package connect

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/provider-cloudflare/provider-cloudflare/apis/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/cloudflare"
	"github.com/provider-cloudflare/provider-cloudflare/internal/connect/limits"
)

const (
	zoneA = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
	zoneB = "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"
)

func limitedConfig(name string, edit func(*v1alpha1.ClusterProviderConfigSpec)) *v1alpha1.ClusterProviderConfig {
	pc := clusterConfig(name)
	edit(&pc.Spec)
	return pc
}

func namespace(name string, labels map[string]string) *corev1.Namespace {
	return &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: labels}}
}

func TestLimitsOfObjects(t *testing.T) {
	t.Parallel()
	teams := func(s *v1alpha1.ClusterProviderConfigSpec) {
		s.AllowedNamespaces = &metav1.LabelSelector{MatchLabels: map[string]string{"team": "a"}}
	}
	byName := func(s *v1alpha1.ClusterProviderConfigSpec) {
		s.AllowedNamespaces = &metav1.LabelSelector{MatchExpressions: []metav1.LabelSelectorRequirement{
			{Key: corev1.LabelMetadataName, Operator: metav1.LabelSelectorOpIn, Values: []string{"team-a", "unread"}},
		}}
	}
	for _, tc := range []struct {
		reason    string
		edit      func(*v1alpha1.ClusterProviderConfigSpec)
		namespace string
		field     string // "" if it is allowed
	}{
		{"no limits", func(*v1alpha1.ClusterProviderConfigSpec) {}, "team-b", ""},
		{"a namespace that is selected", teams, "team-a", ""},
		{"a namespace that is not selected", teams, "team-b", limits.FieldNamespaces},
		{"by name, a namespace that the provider may not read", byName, "unread", ""},
		{"by name, another namespace", byName, "team-b", limits.FieldNamespaces},
		{"a selector of all", func(s *v1alpha1.ClusterProviderConfigSpec) { s.AllowedNamespaces = &metav1.LabelSelector{} }, "unread", ""},
		{"a kind that is named", func(s *v1alpha1.ClusterProviderConfigSpec) { s.AllowedKinds = []string{"Record"} }, "team-b", ""},
		{"a kind that is not", func(s *v1alpha1.ClusterProviderConfigSpec) { s.AllowedKinds = []string{"Zone", "ssl"} }, "team-b", limits.FieldKinds},
	} {
		b := newBench(t, secret("system", "shared", token), limitedConfig("shared", tc.edit),
			namespace("team-a", map[string]string{"team": "a"}), namespace("team-b", map[string]string{"team": "b"}))
		_, err := b.For(t.Context(), record(tc.namespace, v1alpha1.ClusterProviderConfigKind, "shared"))
		var refused *limits.Error
		switch {
		case tc.field == "" && err != nil:
			t.Errorf("%s: %v", tc.reason, err)
		case tc.field != "" && (!errors.As(err, &refused) || refused.Field != tc.field || refused.Config != "ClusterProviderConfig shared"):
			t.Errorf("%s: got %v, want a refusal by %s", tc.reason, err, tc.field)
		}
		if got := b.Refuses(t.Context(), record(tc.namespace, v1alpha1.ClusterProviderConfigKind, "shared")); got != (tc.field != "") {
			t.Errorf("%s: it is refused for certain: %t", tc.reason, got)
		}
		if tc.field == "" {
			continue
		}
		mg := deleted(record(tc.namespace, v1alpha1.ClusterProviderConfigKind, "shared"))
		_, err = b.For(t.Context(), mg)
		ready := mg.GetCondition(xpv2.TypeReady)
		if !errors.As(err, new(*DeletionBlockedError)) || !strings.Contains(err.Error(), "nothing at Cloudflare is") {
			t.Errorf("%s, under deletion: %v", tc.reason, err)
		}
		if ready.Reason != ReasonDeletionBlocked || !strings.Contains(ready.Message, tc.field) || !strings.Contains(ready.Message, `"deletionPolicy":"Orphan"`) {
			t.Errorf("%s, under deletion: it says %s: %s", tc.reason, ready.Reason, ready.Message)
		}
	}
}

// TestLabelsAreReadAgain expects that the labels of a namespace are used for half a minute, and that a failed
// read is an error.
func TestLabelsAreReadAgain(t *testing.T) {
	t.Parallel()
	pc := limitedConfig("shared", func(s *v1alpha1.ClusterProviderConfigSpec) {
		s.AllowedNamespaces = &metav1.LabelSelector{MatchLabels: map[string]string{"team": "a"}}
	})
	ns := namespace("team-a", map[string]string{"team": "a"})
	b := newBench(t, secret("system", "shared", token), pc, ns)
	ask := func(namespace string) error {
		_, err := b.For(t.Context(), record(namespace, v1alpha1.ClusterProviderConfigKind, "shared"))
		return err
	}
	if err := ask("team-a"); err != nil {
		t.Fatal(err)
	}
	before := ns.DeepCopy()
	ns.Labels = nil
	if err := b.kube.Patch(t.Context(), ns, client.MergeFrom(before)); err != nil {
		t.Fatal(err)
	}
	b.pass(labelsAge)
	if err := ask("team-a"); !errors.As(err, new(*limits.Error)) {
		t.Errorf("after the label is gone: %v", err)
	}
	if err := ask("nowhere"); err == nil || errors.As(err, new(*limits.Error)) {
		t.Errorf("of a namespace that cannot be read: %v", err)
	}
	for name, config := range map[string]string{"nowhere": "shared", "team-b": "absent"} {
		if b.Refuses(t.Context(), record(name, v1alpha1.ClusterProviderConfigKind, config)) {
			t.Errorf("an object of the namespace %s is refused for certain by a config %s that cannot be asked", name, config)
		}
	}
}

// TestNamespacesThatAreGone expects that a resource can be deleted if its namespace is gone, or if the labels have
// changed and the object no longer exists. Limits on kinds still apply.
func TestNamespacesThatAreGone(t *testing.T) {
	t.Parallel()
	teams := func(s *v1alpha1.ClusterProviderConfigSpec) {
		s.AllowedNamespaces = &metav1.LabelSelector{MatchLabels: map[string]string{"team": "a"}}
	}
	dnssec := func(s *v1alpha1.ClusterProviderConfigSpec) {
		teams(s)
		s.AllowedKinds = []string{"DNSSEC"}
	}
	for _, tc := range []struct {
		reason    string
		edit      func(*v1alpha1.ClusterProviderConfigSpec)
		begin     func(context.Context) (context.Context, func())
		namespace string
		deleted   bool
		allowed   bool
	}{
		{"an object under deletion", teams, Begin, "gone", true, true},
		{"an object that stays", teams, Begin, "gone", false, false},
		{"an object under deletion, in a namespace with other labels", teams, Begin, "team-b", true, false},
		{"what an object left behind", teams, BeginTakingBack, "gone", true, true},
		{"what an object left behind in a namespace with other labels", teams, BeginTakingBack, "team-b", true, true},
		{"what an object of another kind left behind", dnssec, BeginTakingBack, "gone", true, false},
		{"another kind's object under deletion", dnssec, Begin, "gone", true, false},
	} {
		b := newBench(t, secret("system", "shared", token), limitedConfig("shared", tc.edit), namespace("team-b", map[string]string{"team": "b"}))
		mg := record(tc.namespace, v1alpha1.ClusterProviderConfigKind, "shared")
		if tc.deleted {
			mg = deleted(mg)
		}
		ctx, end := tc.begin(t.Context())
		if _, err := b.Connections.For(ctx, mg); (err == nil) != tc.allowed {
			t.Errorf("%s: got %v, want allowed: %t", tc.reason, err, tc.allowed)
		}
		end()
	}
}

// A zoneAPI serves two zones in two accounts, and records the calls.
type zoneAPI struct {
	mu    sync.Mutex
	calls []string
	gone  bool
	// status is the status of each answer, unless it is 0.
	status int
}

func (a *zoneAPI) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.calls = append(a.calls, r.Method+" "+r.URL.RequestURI())
	zone := func(id string) string {
		return fmt.Sprintf(`{"id":%q,"name":"%c.example","account":{"id":%q}}`, id, id[0], strings.Repeat("0", 31)+id[:1])
	}
	switch {
	case a.status != 0:
		w.WriteHeader(a.status)
		_, _ = fmt.Fprint(w, `{"success":false,"errors":[{"code":1,"message":"not now"}]}`)
	case a.gone:
		w.WriteHeader(http.StatusNotFound)
		_, _ = fmt.Fprint(w, `{"success":false,"errors":[{"code":7003,"message":"no such zone"}]}`)
	case r.URL.Path == "/accounts":
		_, _ = fmt.Fprint(w, `{"success":true,"errors":[],"result":[],"result_info":{"count":0,"total_count":0}}`)
	default:
		_, _ = fmt.Fprintf(w, `{"success":true,"errors":[],"result":%s}`, zone(strings.Split(r.URL.Path, "/")[2]))
	}
}

func (a *zoneAPI) take() []string {
	a.mu.Lock()
	defer a.mu.Unlock()
	out := a.calls
	a.calls = nil
	return out
}

// TestOneCredentialTwoConfigs expects configs with the same credential to share its budget, but no permission.
func TestOneCredentialTwoConfigs(t *testing.T) {
	t.Parallel()
	api := &zoneAPI{}
	s := httptest.NewServer(api)
	t.Cleanup(s.Close)
	one := limitedConfig("one", func(s *v1alpha1.ClusterProviderConfigSpec) { s.AllowedZones = []string{"a.example"} })
	two := limitedConfig("two", func(s *v1alpha1.ClusterProviderConfigSpec) { s.AllowedZones = []string{zoneB} })
	all := clusterConfig("all")
	b := newBench(t, secret("system", "one", token), secret("system", "two", token), secret("system", "all", token), one, two, all)
	b.o.Client.BaseURL = s.URL
	session := func(name string) Session {
		s, err := b.For(t.Context(), record("team-a", v1alpha1.ClusterProviderConfigKind, name))
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	for _, tc := range []struct {
		config, zone string
		allowed      bool
		looks        int // at resources that are not allowed
	}{
		{"all", zoneA, true, 0},
		{"one", zoneA, true, 0},
		{"one", zoneB, false, 1}, // It looks up the name.
		{"two", zoneA, false, 0},
		{"two", zoneB, true, 0},
		{"all", zoneB, true, 0},
	} {
		s := session(tc.config)
		api.take()
		err := s.Admit(t.Context(), "/zones/"+tc.zone)
		_, called := s.Client.GetZone(t.Context(), tc.zone)
		again, err2 := s.Reread(t.Context())
		if err2 != nil {
			t.Fatal(err2)
		}
		_, reread := again.GetZone(t.Context(), tc.zone)
		if (err == nil) != tc.allowed || (called == nil) != tc.allowed || (reread == nil) != tc.allowed {
			t.Errorf("%s, %s: got %v, %v and %v, want allowed: %t", tc.config, tc.zone, err, called, reread, tc.allowed)
		}
		if calls := api.take(); !tc.allowed && len(calls) != tc.looks {
			t.Errorf("%s, %s: %v are sent", tc.config, tc.zone, calls)
		}
		if len(b.Clients()) != 1 || s.Client.Fingerprint() != session("all").Client.Fingerprint() {
			t.Errorf("%d clients, want one", len(b.Clients()))
		}
	}
}

// namesBench returns a bench with a config that allows zones of those names, and the account of zoneA. admit asks about
// a zone in a session of its own.
func namesBench(t *testing.T, names ...string) (b *bench, api *zoneAPI, admit func(zone string) error) {
	t.Helper()
	api = &zoneAPI{}
	s := httptest.NewServer(api)
	t.Cleanup(s.Close)
	pc := limitedConfig("shared", func(s *v1alpha1.ClusterProviderConfigSpec) {
		s.AllowedZones, s.AllowedAccounts = names, []string{strings.Repeat("0", 31) + "a"}
	})
	b = newBench(t, secret("system", "shared", token), pc)
	b.o.Client.BaseURL, b.o.Idle = s.URL, 10*nameKept
	return b, api, func(zone string) error {
		s, err := b.For(t.Context(), record("team-a", v1alpha1.ClusterProviderConfigKind, "shared"))
		if err != nil {
			t.Fatal(err)
		}
		return s.Admit(t.Context(), "/zones/"+zone)
	}
}

// TestNames expects one lookup of a zone in ten minutes. While lookups fail, the last answer is served for an hour, or
// for a day if the zone is no longer shown.
func TestNames(t *testing.T) {
	t.Parallel()
	b, api, admit := namesBench(t, "a.example", "later.example")
	for _, tc := range []struct {
		reason  string
		change  func()
		zone    string
		allowed bool
		calls   int
	}{
		{"its name and its account are asked for", func() {}, zoneA, true, 1},
		{"they are known", func() {}, zoneA, true, 0},
		{"another zone", func() {}, zoneB, false, 1},
		{"another zone again", func() {}, zoneB, false, 0},
		{"another zone, later", func() { b.pass(nameLife) }, zoneB, false, 1},
		{"the look fails", func() { api.status = http.StatusInternalServerError }, zoneA, true, 1},
		{"it failed a moment ago", func() {}, zoneA, true, 0},
		{"the zone is gone", func() { b.pass(nameRetry); api.status, api.gone = 0, true }, zoneA, true, 1},
		{"a zone that is gone may not be what was not allowed", func() { b.pass(nameLife) }, zoneB, false, 1},
		{"that holds for long", func() { b.pass(nameKept - time.Hour) }, zoneB, false, 1},
		{"after a day the zone is not known, and another credential may see it", func() { b.pass(time.Hour) }, zoneB, false, 1},
		{"that is known for a while", func() {}, zoneB, false, 0},
		{"it is shown again", func() { b.pass(nameMiss); api.gone = false }, zoneB, false, 1},
		{"nothing is known when all is away", func() { b.pass(nameKept); api.status = http.StatusInternalServerError }, zoneA, false, 1},
		{"that is not kept", func() { api.status = 0 }, zoneA, true, 1},
		{"an answer that is old when all is away", func() { b.pass(nameStale); api.status = http.StatusInternalServerError }, zoneA, false, 1},
	} {
		tc.change()
		api.take()
		err := admit(tc.zone)
		if calls := api.take(); (err == nil) != tc.allowed || len(calls) != tc.calls {
			t.Errorf("%s: got %v after %v, want allowed: %t after %d calls", tc.reason, err, calls, tc.allowed, tc.calls)
		}
	}
}

// TestNamesCost expects that names without a zone or account cost no calls, regardless of how many
// precede the right one.
func TestNamesCost(t *testing.T) {
	t.Parallel()
	var names []string
	for i := range 20 {
		names = append(names, fmt.Sprintf("absent-%d.example", i))
	}
	b, api, admit := namesBench(t, append(names, "a.example")...)
	for range 100 {
		if err := admit(zoneA); err != nil {
			t.Fatal(err)
		}
		b.pass(600 * time.Millisecond)
	}
	if calls := api.take(); len(calls) != 1 {
		t.Errorf("%v are sent", calls)
	}
}

// TestThrottledLooks expects that a lookup that fails because its tenant has no budget left fails for no other tenant,
// neither later nor at the same time. A call that waits for it says how long to wait.
func TestThrottledLooks(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		type tenant struct{}
		as := func(name string) context.Context { return context.WithValue(t.Context(), tenant{}, name) }
		n, looks := NewNames(nil, time.Now), 0
		ask := func(key, name string) error {
			_, err := n.ask(as(name), key, func(ctx context.Context) (named, error) {
				looks++
				<-time.After(time.Second)
				if ctx.Value(tenant{}) == "a" {
					return named{}, &cloudflare.Error{Status: http.StatusTooManyRequests, RetryAfter: time.Minute}
				}
				return named{}, nil
			})
			return err
		}
		var wait sync.WaitGroup
		wait.Go(func() {
			if err := ask("together", "a"); cloudflare.RetryAfter(err) != time.Minute {
				t.Errorf("the tenant without budget: %v", err)
			}
		})
		synctest.Wait()
		if err := ask("together", "b"); err != nil {
			t.Errorf("another tenant at the same time: %v", err)
		}
		wait.Wait()
		if err := ask("later", "a"); err == nil {
			t.Error("the tenant without budget has an answer")
		}
		if err := ask("later", "b"); err != nil {
			t.Errorf("another tenant later: %v", err)
		}
		if err := ask("later", "a"); err != nil || looks != 4 {
			t.Errorf("what is known: %v, after %d looks", err, looks)
		}
	})
}

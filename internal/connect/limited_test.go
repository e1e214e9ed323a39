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

	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/provider-cloudflare/provider-cloudflare/apis/v1alpha1"
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
		field     string // "" where it is allowed
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
		if tc.field == "" {
			continue
		}
		mg := deleted(record(tc.namespace, v1alpha1.ClusterProviderConfigKind, "shared"))
		_, err = b.For(t.Context(), mg)
		ready := mg.GetCondition(xpv2.TypeReady)
		if !errors.As(err, new(*StuckError)) || !strings.Contains(err.Error(), "nothing at Cloudflare is") {
			t.Errorf("%s, under deletion: %v", tc.reason, err)
		}
		if ready.Reason != ReasonDeletionBlocked || !strings.Contains(ready.Message, tc.field) || !strings.Contains(ready.Message, `"deletionPolicy":"Orphan"`) {
			t.Errorf("%s, under deletion: it says %s: %s", tc.reason, ready.Reason, ready.Message)
		}
	}
}

// TestLabelsAreReadAgain: the labels of a namespace count for half a minute, and one that cannot be read is no answer.
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
}

// TestNamespacesThatAreGone: what was created in a namespace can be deleted when that is gone, or when its labels have changed and
// the object has vanished. Kinds count all the same.
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

// A zoneAPI answers about two zones in two accounts, and keeps the calls.
type zoneAPI struct {
	mu    sync.Mutex
	calls []string
	gone  bool
}

func (a *zoneAPI) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.calls = append(a.calls, r.Method+" "+r.URL.RequestURI())
	zone := func(id string) string {
		return fmt.Sprintf(`{"id":%q,"name":"%c.example","account":{"id":%q}}`, id, id[0], strings.Repeat("0", 31)+id[:1])
	}
	switch {
	case a.gone && r.URL.Path != "/zones":
		w.WriteHeader(http.StatusNotFound)
		_, _ = fmt.Fprint(w, `{"success":false,"errors":[{"code":7003,"message":"no such zone"}]}`)
	case r.URL.Path == "/zones" && r.URL.Query().Get("name") == "a.example":
		_, _ = fmt.Fprintf(w, `{"success":true,"errors":[],"result":[%s],"result_info":{"count":1,"total_count":1}}`, zone(zoneA))
	case r.URL.Path == "/zones", r.URL.Path == "/accounts":
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

// TestOneCredentialTwoConfigs: configs with the same credential share its budget and no permission.
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
	}{
		{"all", zoneA, true},
		{"one", zoneA, true},
		{"one", zoneB, false},
		{"two", zoneA, false},
		{"two", zoneB, true},
		{"all", zoneB, true},
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
		for _, call := range api.take() {
			if !tc.allowed && !strings.HasPrefix(call, "GET /zones?") {
				t.Errorf("%s, %s: %s is sent", tc.config, tc.zone, call)
			}
		}
		if len(b.Clients()) != 1 || s.Client.Fingerprint() != session("all").Client.Fingerprint() {
			t.Errorf("%d clients, want one", len(b.Clients()))
		}
	}
}

// TestNames: what names stand for is asked once in ten minutes, and again soon where it was nothing. A zone that is gone stays in
// the account that it was in.
func TestNames(t *testing.T) {
	t.Parallel()
	api := &zoneAPI{}
	s := httptest.NewServer(api)
	t.Cleanup(s.Close)
	accountOfA := strings.Repeat("0", 31) + "a"
	pc := limitedConfig("shared", func(s *v1alpha1.ClusterProviderConfigSpec) {
		s.AllowedZones, s.AllowedAccounts = []string{"a.example", "later.example"}, []string{accountOfA}
	})
	b := newBench(t, secret("system", "shared", token), pc)
	b.o.Client.BaseURL = s.URL
	admit := func(zone string) error {
		s, err := b.For(t.Context(), record("team-a", v1alpha1.ClusterProviderConfigKind, "shared"))
		if err != nil {
			t.Fatal(err)
		}
		return s.Admit(t.Context(), "/zones/"+zone)
	}
	for _, tc := range []struct {
		reason  string
		change  func()
		zone    string
		allowed bool
		calls   int
	}{
		{"its name and its account are asked for", func() {}, zoneA, true, 2},
		{"they are known", func() {}, zoneA, true, 0},
		{"another zone: the second name has none of either type", func() {}, zoneB, false, 2},
		{"another zone again", func() {}, zoneB, false, 0},
		{"what was nothing is asked again", func() { b.pass(nameMiss) }, zoneB, false, 2},
		{"what was there is not", func() { b.pass(nameMiss) }, zoneA, true, 0},
		{"the zone is gone: its name is listed from a copy that is behind", func() { b.pass(nameLife); api.gone = true }, zoneA, true, 2},
	} {
		tc.change()
		api.take()
		err := admit(tc.zone)
		if calls := api.take(); (err == nil) != tc.allowed || len(calls) != tc.calls {
			t.Errorf("%s: got %v after %v, want allowed: %t after %d calls", tc.reason, err, calls, tc.allowed, tc.calls)
		}
	}
}

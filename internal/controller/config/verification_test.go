// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package config

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"

	"github.com/provider-cloudflare/provider-cloudflare/internal/cloudflare"
	"github.com/provider-cloudflare/provider-cloudflare/internal/connect"
)

func TestVerificationsAreMeasured(t *testing.T) {
	c := newCloud(t)
	b := newBench(t, c, pc())
	b.kind, b.metrics = "ProviderConfig", &Metrics{}
	steps := []struct {
		reason  string
		status  int
		body    string
		open    error
		account string
		want    string
		value   int
	}{
		{"Cloudflare takes it", 200, verified, nil, "", "Verified", 1},
		{"Cloudflare does not know it", 401, `{"success":false,"errors":[{"code":1000,"message":"Invalid API Token"}]}`, nil, "", "Refused", 0},
		{"nothing shows that it is valid", 403, `{"success":false,"errors":[{"code":10000,"message":"Authentication error"}]}`, nil, "", "Refused", 0},
		{"it is disabled", 200, `{"result":{"status":"disabled"},"success":true,"errors":[]}`, nil, "", "Refused", 0},
		{"it may not be used from here", 403, `{"success":false,"errors":[{"code":9109,"message":"Cannot use the access token from location"}]}`, nil, "", "Refused", 0},
		{"it is of an account whose accountId is none", 401, `{"success":false,"errors":[{"code":1000,"message":"Invalid API Token"}]}`, nil, "my-account", "Refused", 0},
		{"Cloudflare is down", 502, "<html>", nil, "", "Unverified", 0},
		{"a firewall in between says nothing of the credential", 403, "<html>", nil, "", "Unverified", 0},
		{"the Secret is gone", 200, verified, errors.New("no Secret"), "", "Unreadable", 0},
		{"it is there again", 200, verified, nil, "", "Verified", 1},
	}
	for _, s := range steps {
		c.say(s.status, s.body)
		b.opener.err = s.open
		b.config = func(resource.ProviderConfig) connect.Config { return connect.Config{Name: "own", AccountID: s.account} }
		b.clock = b.clock.Add(time.Hour)
		b.reconcile(t)
		credential := cloudflare.CredentialLabel(b.opener.client.Fingerprint())
		if s.open != nil {
			credential = "" // The credential is not known.
		}
		want := fmt.Sprintf("# HELP cloudflare_provider_config_ready %s\n# TYPE cloudflare_provider_config_ready gauge\n"+
			"cloudflare_provider_config_ready{config=\"ProviderConfig/ns/own\",credential=%q,reason=%q} %d\n",
			helpOf(t, b.metrics), credential, s.want, s.value)
		if err := testutil.CollectAndCompare(b.metrics, strings.NewReader(want)); err != nil {
			t.Errorf("%s: %v", s.reason, err)
		}
	}
	if err := b.kube.Delete(t.Context(), pc()); err != nil {
		t.Fatal(err)
	}
	b.reconcile(t) // It loses its finalizer.
	b.reconcile(t)
	if n := testutil.CollectAndCount(b.metrics); n != 0 {
		t.Errorf("%d series of a config that is gone", n)
	}
}

func helpOf(t *testing.T, m *Metrics) string {
	t.Helper()
	reg := prometheus.NewPedanticRegistry()
	reg.MustRegister(m)
	families, err := reg.Gather()
	if err != nil || len(families) != 1 {
		t.Fatalf("%d families: %v", len(families), err)
	}
	return families[0].GetHelp()
}

func TestAClusterConfigIsNamedWithoutANamespace(t *testing.T) {
	m := &Metrics{}
	k := configKey{kind: "ClusterProviderConfig"}
	k.Name = "shared"
	m.set(k, verification{result: resultVerified})
	want := "cloudflare_provider_config_ready{config=\"ClusterProviderConfig/shared\",credential=\"\",reason=\"Verified\"} 1\n"
	want = fmt.Sprintf("# HELP cloudflare_provider_config_ready %s\n# TYPE cloudflare_provider_config_ready gauge\n%s", helpOf(t, m), want)
	if err := testutil.CollectAndCompare(m, strings.NewReader(want)); err != nil {
		t.Error(err)
	}
}

// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package docs

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	corev1 "k8s.io/api/core/v1"
	apimeta "k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	dnsv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
	cfv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/v1alpha1"
	zonev1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/zone/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

// A setup is the initial state of a page. In every setup Cloudflare has the zone example.com on
// a Pro plan, CLOUDFLARE_API_TOKEN and ZONE_ID are set, and the file token contains the token.
type setup struct {
	// grants are the token's rights beyond zones and records.
	grants []simulator.Grant
	// records exist at Cloudflare.
	records []map[string]any
	// secret creates the Secret cloudflare in the namespace default. credential creates it and
	// the ProviderConfig default.
	secret, credential bool
	// objects exist in the cluster.
	objects []client.Object
	// replace maps the reader's own values in the page to the values of this test. TOKEN and
	// ZONE in a value stand for the token and the zone's ID.
	replace map[string]string
	// before has functions that change Cloudflare before a command.
	before map[string]func(context.Context, *cloud) error
	// later returns objects for resources at Cloudflare. They are created last.
	later func(*cloud) []client.Object
	// files returns files in the reader's folder.
	files func(*cloud) (map[string]string, error)

	// empty pages begin with an empty cluster of their own, and start a simulator and the
	// provider themselves, from the folder bin.
	empty bool
	// walked pages are run by TestWalkthroughs only: they continue another page, or take too
	// long for two tests.
	walked bool
	// checkout pages change a checkout: they get a copy, in which make is run.
	checkout bool

	token, zone string
}

// zoneName is the zone in every page.
const zoneName = "example.com"

// make creates the initial state, and returns environment variables.
func (s *setup) make(ctx context.Context, c *cloud) ([]string, error) {
	account := c.sim.AddAccount("Example Inc")
	z, err := c.sim.AddZone(account.ID, zoneName, simulator.ZoneOptions{Plan: simulator.PlanPro})
	if err != nil {
		return nil, err
	}
	for _, r := range s.records {
		if _, err := c.sim.CreateRecord(z.ID, r); err != nil {
			return nil, err
		}
	}
	s.zone = z.ID
	s.token = c.sim.AddToken(simulator.TokenOptions{Grants: append([]simulator.Grant{{Permission: simulator.ZoneWrite}, {Permission: simulator.DNSWrite}}, s.grants...)})
	var objects []client.Object
	if s.secret || s.credential {
		objects = append(objects, secretObject(s.token))
	}
	if s.credential {
		objects = append(objects, configObject(account.ID))
	}
	objects = append(objects, s.objects...)
	if s.later != nil {
		objects = append(objects, s.later(c)...)
	}
	for _, o := range objects {
		o := o.DeepCopyObject().(client.Object)
		// The API server serves a kind a moment after its CRD was created.
		err := wait.PollUntilContextTimeout(ctx, 50*time.Millisecond, patience, true, func(ctx context.Context) (bool, error) {
			err := shared.kube.Create(ctx, o)
			return err == nil, client.IgnoreNotFound(ignoreNoMatch(err))
		})
		if err != nil {
			return nil, fmt.Errorf("cannot create %s: %w", o.GetName(), err)
		}
	}
	return []string{"CLOUDFLARE_API_TOKEN=" + s.token, "ZONE_ID=" + z.ID}, nil
}

func ignoreNoMatch(err error) error {
	if apimeta.IsNoMatchError(err) {
		return nil
	}
	return err
}

// fill replaces the reader's own values in the text of a page by those of this test, the
// longest first.
func (s *setup) fill(text string) string {
	own := slices.SortedFunc(maps.Keys(s.replace), func(a, b string) int { return len(b) - len(a) })
	var pairs []string
	for _, was := range own {
		pairs = append(pairs, was, strings.NewReplacer("TOKEN", s.token, "ZONE", s.zone).Replace(s.replace[was]))
	}
	return strings.NewReplacer(pairs...).Replace(text)
}

func secretObject(token string) client.Object {
	return &corev1.Secret{
		ObjectMeta: metav1.ObjectMeta{Name: "cloudflare", Namespace: metav1.NamespaceDefault},
		StringData: map[string]string{"token": token},
	}
}

func configObject(account string) client.Object {
	return &cfv1alpha1.ProviderConfig{
		ObjectMeta: metav1.ObjectMeta{Name: "default", Namespace: metav1.NamespaceDefault},
		Spec: cfv1alpha1.ProviderConfigSpec{
			CommonSpec:  cfv1alpha1.CommonSpec{AccountID: ptr.To(account)},
			Credentials: cfv1alpha1.Credentials{SecretRef: cfv1alpha1.LocalSecretKeySelector{Name: "cloudflare", Key: "token"}},
		},
	}
}

// edit changes the records with a name in the dashboard.
func (c *cloud) edit(change map[string]any, name string) error {
	for _, z := range c.sim.Zones() {
		for _, r := range c.sim.Records(z.ID) {
			if r.Name != name {
				continue
			}
			if _, err := c.sim.PatchRecord(z.ID, r.ID, change); err != nil {
				return err
			}
		}
	}
	return nil
}

// zoneOfOldTimes returns a record of each shape.
func zoneOfOldTimes() []map[string]any {
	return []map[string]any{
		{"type": "A", "name": "legacy", "content": "192.0.2.200", "ttl": 300},
		{"type": "MX", "name": "@", "content": "mail.example.com", "priority": 10, "ttl": 1},
		{"type": "CNAME", "name": "old", "content": "former.example.com", "ttl": 1, "proxied": true},
		{"type": "CNAME", "name": "flat", "content": "target.example.net", "ttl": 300, "settings": map[string]any{"flatten_cname": true}},
		{"type": "TXT", "name": "@", "content": `"v=spf1 mx -all"`, "ttl": 3600, "comment": "who may send", "tags": []any{"team:mail"}},
		{"type": "SRV", "name": "_sip._tcp", "ttl": 300, "data": map[string]any{"priority": 10, "weight": 5, "port": 5060, "target": "sip.example.com"}},
		{"type": "CAA", "name": "@", "ttl": 1, "data": map[string]any{"flags": 0, "tag": "issue", "value": "letsencrypt.org"}},
		{"type": "LOC", "name": "office", "ttl": 1, "data": map[string]any{
			"lat_degrees": 52, "lat_minutes": 22, "lat_seconds": 23.5, "lat_direction": "N", "long_degrees": 4, "long_minutes": 53, "long_seconds": 32,
			"long_direction": "E", "altitude": -2, "size": 1, "precision_horz": 10000, "precision_vert": 10,
		}},
		{"type": "HTTPS", "name": "@", "ttl": 1, "data": map[string]any{"priority": 1, "target": ".", "value": `alpn="h2"`}},
	}
}

var toDefault = &xpv2.ProviderConfigReference{Kind: cfv1alpha1.ProviderConfigKind, Name: "default"}

func zoneObject(name string) client.Object {
	z := &zonev1alpha1.Zone{ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: metav1.NamespaceDefault}}
	z.Spec.DeletionPolicy = xpv2.DeletionOrphan
	z.Spec.ForProvider.Name = ptr.To(zoneName)
	z.Spec.ProviderConfigReference = toDefault
	return z
}

func recordObject(name string) client.Object {
	r := &dnsv1alpha1.Record{ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: metav1.NamespaceDefault}}
	r.Spec.ForProvider = dnsv1alpha1.RecordParameters{
		ZoneName: ptr.To(zoneName), Name: ptr.To(name), Type: ptr.To("A"), Content: ptr.To("192.0.2.1"),
	}
	r.Spec.ProviderConfigReference = toDefault
	return r
}

// setups are the initial states by page. A page that is missing here has the default.
var setups = map[string]setup{
	"README.md":                      {credential: true},
	"docs/tutorials/first-record.md": {empty: true},
	"docs/tutorials/add-a-kind.md":   {walked: true, checkout: true},
	"docs/how-to/review-security.md": {walked: true},
	"docs/kinds/record.md":           {credential: true, objects: []client.Object{zoneObject("example-zone")}},
	"docs/kinds/zone.md":             {credential: true},
	"docs/kinds/providerconfig.md":   {secret: true},
	"docs/tutorials/install.md": {
		objects: []client.Object{&corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "crossplane-system"}}},
		before: map[string]func(context.Context, *cloud) error{
			"kubectl get events --field-selector involvedObject.name=hello,reason=DriftDetected": func(_ context.Context, c *cloud) error {
				return c.edit(map[string]any{"content": "Changed by hand"}, "hello."+zoneName)
			},
		},
	},
	"docs/how-to/adopt.md":                  {credential: true, records: zoneOfOldTimes()},
	"docs/reference/cli.md":                 {credential: true, records: []map[string]any{{"type": "MX", "name": "@", "content": "mail.example.com", "priority": 10, "ttl": 300}}},
	"docs/reference/troubleshooting.md":     {credential: true, objects: []client.Object{recordObject("www")}},
	"docs/how-to/migrate-from-terraform.md": {credential: true, records: zoneOfTerraform(), files: stateOfCloud},
	"docs/how-to/migrate-from-external-dns.md": {credential: true, records: []map[string]any{
		{"type": "A", "name": "shop", "content": "192.0.2.80", "ttl": 1, "proxied": true},
		{"type": "TXT", "name": "a-shop", "content": `"heritage=external-dns,external-dns/owner=cluster,external-dns/resource=service/default/shop"`, "ttl": 300},
	}},
	"docs/how-to/migrate-from-crossplane-contrib.md": {
		credential: true, objects: contribKinds(), later: contribObjects,
		records: []map[string]any{
			{"type": "A", "name": "www", "content": "192.0.2.1", "ttl": 300},
			{"type": "MX", "name": "@", "content": "mail.example.com", "priority": 10, "ttl": 300},
		},
	},
	"examples/failover/README.md":        {credential: true, grants: everything()},
	"examples/origin-tls/README.md":      {credential: true, grants: everything()},
	"examples/tunnel-hostname/README.md": {credential: true, grants: everything()},
	"docs/reference/limits.md":           {credential: true, objects: []client.Object{recordObject("www")}},
	"docs/how-to/upgrade.md":             {credential: true, objects: []client.Object{recordObject("www")}},
	"docs/how-to/operations.md": {
		credential: true,
		objects:    []client.Object{zoneObject("example-zone"), recordObject("www")},
		replace:    map[string]string{"NAMESPACE": "default", "NAME": "www"},
		before: map[string]func(context.Context, *cloud) error{
			`kubectl patch record NAME -n NAMESPACE --type=merge -p '{"metadata":{"finalizers":null}}'`: func(ctx context.Context, _ *cloud) error {
				return shared.kube.Create(ctx, recordObject("www"))
			},
		},
	},
}

// everything returns a grant of all that pages do with kinds other than zones and records.
func everything() []simulator.Grant { return []simulator.Grant{{Permission: simulator.Everything}} }

// excused are commands that cannot be run here, or that another test runs, by the beginning of
// their text. "" is the whole page.
var excused = []struct{ page, command, reason string }{
	{"docs/tutorials/install.md", "kind ", "it needs a container engine"},
	{"docs/tutorials/install.md", "helm ", "it needs the internet; test/e2e installs the same chart"},
	{"docs/tutorials/install.md", `curl -sS -H "Authorization: Bearer $CREATOR_TOKEN"`, "it makes tokens, for which the simulator has no API"},
	{"docs/reference/package.md", "cd hack/package", "it is followed by what builds another project's package"},
	{"docs/reference/package.md", "go run . ", "another project's package and registry; hack/package's tests build and push"},
	{"docs/reference/package.md", "git checkout ", "a release that there is not yet"},
	{"docs/reference/package.md", "GOTOOLCHAIN=", "a release that there is not yet; make reproduce builds twice"},
	{"docs/reference/package.md", "cosign ", "Sigstore's public log, and a release that there is not yet"},
	{"docs/reference/package.md", "gh ", "GitHub, and a release that there is not yet"},
	{"docs/reference/package.md", "AMD64=", "a release that there is not yet"},
	{"docs/reference/package.md", "sha256sum ", "the files of a release that there is not yet"},
	{"docs/how-to/migrate-from-terraform.md", "terraform ", "Terraform and its provider are not available here; its state is made by the test"},
	{"docs/how-to/install-without-crossplane.md", "kubectl ", "it needs an image to pull; test/rights applies it to an API server, make e2e-full to a node"},
	{"docs/how-to/several-providers.md", "kubectl ", "it needs an image to pull; test/rights applies it to an API server, make e2e-full to a node"},
	{"docs/tutorials/install.md", "dig ", "the simulator serves the API and no DNS"},
	{"docs/reference/metrics.md", "kubectl apply -f cluster/monitoring", "the Prometheus operator's kinds; test/operations holds them against its types"},
	{"examples/origin-tls/README.md", "kubectl apply -f examples/origin-tls/gateway.yaml", "the Gateway API's kinds; test/operations holds it against its types"},
	{"examples/composition/README.md", "(cd functions/dns", "it goes on until it is stopped; test/compositions runs the function the same way"},
	{"examples/composition/README.md", "crossplane composition render", "it needs a container engine; test/compositions runs it with Crossplane as a program"},
	{"CONTRIBUTING.md", `KUBEBUILDER_ASSETS="$(hack/controlplane.sh)" go test`, "a test of this project, as make test runs them all"},
}

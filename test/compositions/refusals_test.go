// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package compositions

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	kerrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/yaml"

	"github.com/provider-cloudflare/provider-cloudflare/test/manifest"
)

// TestManifests applies what a platform team applies. An unknown field, or a rule that does not
// compile, would otherwise fail only at the installation.
func TestManifests(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob(example("*", "*.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	files = append(files, example("", "functions.yaml"))
	seen := map[string]int{}
	for _, file := range files {
		objects, err := manifest.Read(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range objects {
			seen[o.GetKind()]++
			if err := shared.kube.Create(t.Context(), o, client.DryRunAll, client.FieldValidation(metav1.FieldValidationStrict)); err != nil {
				t.Errorf("%s: %v", file, err)
			}
		}
	}
	for kind, n := range map[string]int{
		"CompositeResourceDefinition": 5, "Composition": 5, "EnvironmentConfig": 1, "ClusterRole": 2, "Function": 2,
		"Website": 1, "Hostname": 1, "MyApp": 1, "ExposedApplication": 1, "Bucket": 1, "Job": 1,
	} {
		if seen[kind] != n {
			t.Errorf("%d objects of kind %s, want %d", seen[kind], kind, n)
		}
	}
}

// TestTeamsDoNotChoose checks that each kind is namespaced, because the allowed names depend on the
// namespace, and that it enforces its Composition, because another one could use another zone or
// credential.
func TestTeamsDoNotChoose(t *testing.T) {
	t.Parallel()
	for _, name := range all() {
		xrd, composition := read(t, name, "xrd.yaml"), read(t, name, "composition.yaml")
		if got, _, _ := unstructured.NestedString(xrd.Object, "spec", "scope"); got != "Namespaced" {
			t.Errorf("%s has scope %q", name, got)
		}
		if got, _, _ := unstructured.NestedString(xrd.Object, "spec", "enforcedCompositionRef", "name"); got != composition.GetName() {
			t.Errorf("%s enforces the Composition %q, want %s", name, got, composition.GetName())
		}
	}
}

// TestPackage builds the function's package with Crossplane's CLI, which refuses invalid content.
func TestPackage(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "function.xpkg")
	source := filepath.Join(root(), "functions", "dns", "package")
	if _, err := output(shared.command(t.Context(), "xpkg", "build", "--package-root="+source, "--package-file="+file)); err != nil {
		t.Fatal(err)
	}
	out, err := output(shared.command(t.Context(), "xpkg", "extract", "--from-xpkg", file, "-o", file+".gz"))
	if err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(file + ".gz"); err != nil || info.Size() == 0 {
		t.Errorf("nothing is in the package (%v): %s", err, out)
	}
}

// TestAdmissionRefuses checks that the API server refuses what the XRD can detect as wrong.
func TestAdmissionRefuses(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		example, spec, want, reason string
	}{
		"UnknownProvider":       {website, `{mail: {provider: pigeon}}`, "spec.mail.provider", "what the function does not know"},
		"NoMail":                {website, `{mail: null}`, "spec.mail", "a domain without a word on mail is one that others forge"},
		"AddressAndHostname":    {website, `{origin: {ipv4: 192.0.2.1, hostname: a.example.org}}`, "either hostname", "a name is an alias or has addresses"},
		"NoOrigin":              {website, `{origin: {}}`, "either hostname", "there is nothing to lead to"},
		"NoAddress":             {website, `{origin: {ipv4: 192.0.2.300}}`, "ipv4", "it is no address"},
		"DomainWithDot":         {website, `{domain: example.net.}`, "spec.domain", "zones have names without a trailing dot"},
		"SecondPolicy":          {website, `{verifications: ["v=spf1 include:sendgrid.net ~all"]}`, "mail.senders", "two SPF policies are as bad as none"},
		"SendersWithoutMail":    {website, `{mail: {provider: none, senders: [sendgrid.net]}}`, "has no mail", "the two contradict each other"},
		"KeyAndTarget":          {website, `{mail: {provider: google, dkim: [{selector: a, key: "v=DKIM1; p=a", target: a.example.org}]}}`, "either key or target", "a name is an alias or has a text"},
		"NoKey":                 {website, `{mail: {provider: google, dkim: [{selector: a}]}}`, "either key or target", "an empty record is no key"},
		"SelectorTwice":         {website, `{mail: {provider: google, dkim: [{selector: a, key: "v=DKIM1; p=a"}, {selector: a, key: "v=DKIM1; p=b"}]}}`, "Duplicate", "receivers take the first they see"},
		"HostTwice":             {website, `{mail: {provider: google, hosts: [{host: a.example.org, priority: 1}, {host: a.example.org, priority: 2}]}}`, "Duplicate", "Cloudflare holds no two alike"},
		"QuoteInVerification":   {website, `{verifications: ['a"b']}`, "spec.verifications", "it would be read as a quoted string"},
		"ReportsElsewhere":      {website, `{mail: {provider: google, dmarc: {reports: ["a@example.net,mailto:b@example.org"]}}}`, "reports", "it would smuggle in a second address"},
		"TargetWithSpace":       {hostname, `{target: "192.0.2.1 192.0.2.2"}`, "spec.target", "a record has one target"},
		"NoTarget":              {hostname, `{target: null}`, "spec.target", "there is nothing to lead to"},
		"RelativeName":          {hostname, `{name: shop}`, "spec.name", "relative to what"},
		"WildcardName":          {hostname, `{name: "*.apps.example.com"}`, "spec.name", "a team that could have every name could have another team's"},
		"ShortTTL":              {hostname, `{ttl: 5}`, "spec.ttl", "Cloudflare takes 60 and more"},
		"ZoneOfAppTeam":         {hostname, `{zone: example.org}`, "unknown field", "the zone is the platform's to choose"},
		"CredentialOfAppTeam":   {hostname, `{providerConfigRef: {kind: ClusterProviderConfig, name: other}}`, "unknown field", "so is the credential"},
		"HostWithDots":          {myapp, `{host: hello.example.org}`, "spec.host", "a host is one label below the platform's domain"},
		"HostOfTheGateway":      {myapp, `{host: gateway}`, "gateway is the name", "the app would lead to itself"},
		"HostWithHyphen":        {myapp, `{host: -app}`, "spec.host", "a label does not begin with a hyphen"},
		"NoBanner":              {myapp, `{banner: ""}`, "spec.banner", "an app that says nothing"},
		"HostElsewhere":         {exposed, `{host: wiki.example.org}`, "host must be zone", "the Record would not be in the zone"},
		"HostLikeTheZone":       {exposed, `{host: badexample.com}`, "host must be zone", "it ends as the zone does, and is in another"},
		"NoLogin":               {exposed, `{access: {}}`, "at least one of emails", "a login that nobody passes"},
		"NobodyMayLogIn":        {exposed, `{access: {emails: []}}`, "spec.access.emails", "the same"},
		"QuoteInAddress":        {exposed, `{access: {emails: ['a"}},{"everyone":{@example.com']}}`, "spec.access.emails", "it would be another rule of the policy"},
		"QuoteInDomain":         {exposed, `{access: {emailDomains: ['a"}},{"everyone":{}}']}}`, "spec.access.emailDomains", "the same"},
		"ServiceElsewhere":      {exposed, `{service: {name: api.kube-system, port: 443}}`, "spec.service.name", "another namespace's Service"},
		"TunnelOfTheTeam":       {exposed, `{tunnelId: c1744f8b-faa1-48a4-9e5c-02ac921467fa}`, "unknown field", "the tunnel is made for it"},
		"NameOfTheBucket":       {bucket, `{bucket: somebody-elses}`, "unknown field", "the name follows from the object's"},
		"NoPlace":               {bucket, `{location: moon}`, "spec.location", "Cloudflare has no buckets there"},
		"MoreReplicasThanMeant": {myapp, `{replicas: 1000}`, "spec.replicas", "a limit of the platform's"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			xr := edit(t, read(t, tc.example, tc.example+".yaml"), fields(t, tc.spec))
			err := shared.kube.Create(t.Context(), xr, client.DryRunAll, client.FieldValidation(metav1.FieldValidationStrict))
			refused := kerrors.IsInvalid(err) || kerrors.IsBadRequest(err)
			if !refused || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("%s: got %v, want a refusal with %q", tc.reason, err, tc.want)
			}
		})
	}
}

// TestAppOfTheGateway checks that the API server refuses a MyApp with the name to which all Records
// point, unless it has another host.
func TestAppOfTheGateway(t *testing.T) {
	t.Parallel()
	xr := read(t, myapp, myapp+".yaml")
	xr.SetName("gateway")
	err := shared.kube.Create(t.Context(), xr, client.DryRunAll)
	if !kerrors.IsInvalid(err) || !strings.Contains(err.Error(), "gateway is the name that all apps are reached at") {
		t.Errorf("a MyApp named gateway: %v", err)
	}
	if err := shared.kube.Create(t.Context(), edit(t, xr, fields(t, `{host: hello}`)), client.DryRunAll); err != nil {
		t.Errorf("a MyApp named gateway with another host: %v", err)
	}
}

// TestAdmissionRefusesMoves checks that the API server refuses changes that a Record cannot follow.
func TestAdmissionRefusesMoves(t *testing.T) {
	t.Parallel()
	for name, spec := range map[string]string{
		website: `{domain: example.org}`, myapp: `{host: other}`, exposed: `{host: other.example.com}`, bucket: `{jurisdiction: eu}`,
	} {
		xr := read(t, name, name+".yaml")
		xr.SetName("moves")
		if err := shared.kube.Create(t.Context(), xr); err != nil {
			t.Fatal(err)
		}
		if err := shared.kube.Update(t.Context(), edit(t, xr, fields(t, spec)), client.DryRunAll); !kerrors.IsInvalid(err) || !strings.Contains(err.Error(), "immutable") {
			t.Errorf("%s moved with %s: %v", name, spec, err)
		}
	}
}

func fields(t *testing.T, text string) map[string]any {
	t.Helper()
	var out map[string]any
	if err := yaml.UnmarshalStrict([]byte(text), &out); err != nil {
		t.Fatal(err)
	}
	for name, value := range out {
		if n, ok := value.(float64); ok {
			out[name] = int64(n)
		}
	}
	return out
}

// TestCompositionRefuses checks that the pipeline refuses what the object alone does not show, with
// a message that says what to do.
func TestCompositionRefuses(t *testing.T) {
	t.Parallel()
	allowed := []string{example(hostname, "environmentconfig.yaml")}
	cases := map[string]struct {
		example, spec string
		required      []string
		want, reason  string
	}{
		"DomainNotAllowed": {
			hostname, `{name: shop.example.org}`, allowed,
			"shop.example.org is not in a domain of namespace default, which may use apps.example.com", "the domain is another's",
		},
		"ZoneNotAllowed": {
			hostname, `{name: www.example.com}`, allowed,
			"www.example.com is not in a domain", "only a part of the zone is the namespace's",
		},
		"NamespaceNotAllowed": {
			hostname, `{}`, nil,
			"no EnvironmentConfig dns-default", "the platform has not heard of the namespace",
		},
		"NoHost": {
			hostname, `{target: 192.0.2.300}`, allowed,
			"neither an IP address nor a full hostname", "it looks like an address and is none",
		},
		"Loop": {
			website, `{origin: {hostname: www.example.net}}`, nil,
			"lead to itself", "www leads to the domain",
		},
		"ProxyToPrivate": {
			website, `{origin: {ipv4: 192.168.0.1}, proxied: true}`, nil,
			"private address", "Cloudflare would refuse it",
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			xr := edit(t, read(t, tc.example, tc.example+".yaml"), fields(t, tc.spec))
			r := mustRender(t, tc.example, given{xr: xr, required: tc.required})
			if got := message(r.xr, "RecordsReady"); condition(r.xr, "RecordsReady") != "False Refused" || !strings.Contains(got, tc.want) {
				t.Errorf("%s: got RecordsReady with %q, want it to say %q:\n%s", tc.reason, got, tc.want, r.text)
			}
			if got := condition(r.xr, "Ready"); len(r.composed) > 0 || got != "False Creating" {
				t.Errorf("%s: Ready is %q with %d resources composed, want it not to be, and none", tc.reason, got, len(r.composed))
			}
		})
	}
}

// TestRefusalKeepsWhatExists checks that the Record of a Hostname stays, and that the Hostname is
// not Ready, if a team requests a name that it may not have.
func TestRefusalKeepsWhatExists(t *testing.T) {
	t.Parallel()
	g := compositionCases()["Hostname"].given(t)
	before := mustRender(t, hostname, g)
	g.observed = settled(t, before)
	g.xr = edit(t, g.xr, map[string]any{"name": "shop.example.org"})
	r := mustRender(t, hostname, g)
	const name = "a-in-example.com"
	if r.composed[name] == nil {
		t.Fatalf("the Record is gone:\n%s", r.text)
	}
	if diff := cmp.Diff(before.composed[name].Object["spec"], r.composed[name].Object["spec"]); diff != "" {
		t.Errorf("the Record changes (-before +after):\n%s", diff)
	}
	if got := condition(r.xr, "Ready"); got != "False Creating" || !strings.Contains(message(r.xr, "Ready"), name) {
		t.Errorf("Ready is %q (%s), want it to be False and to name the Record", got, message(r.xr, "Ready"))
	}
	if got := message(r.xr, "Allowed"); condition(r.xr, "Allowed") != "False NameNotAllowed" || !strings.Contains(got, "shop.example.org is not in a domain") {
		t.Errorf("Allowed says %q", got)
	}
}

// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package compositions

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	kerrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/yaml"

	"github.com/provider-cloudflare/provider-cloudflare/test/manifest"
)

// TestManifests has the API server take what a platform team applies: an unknown field
// or a rule that does not compile would be seen at the installation only.
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
	for kind, n := range map[string]int{"CompositeResourceDefinition": 3, "Composition": 3, "EnvironmentConfig": 1, "ClusterRole": 1, "Function": 2, "Website": 1, "DNSEndpoint": 1, "MyApp": 1} {
		if seen[kind] != n {
			t.Errorf("%d objects of kind %s, want %d", seen[kind], kind, n)
		}
	}
}

// TestTeamsDoNotChoose wants each kind to be of a namespace, by which names are allowed,
// and to have the one Composition beside it: another could use another zone or credential.
func TestTeamsDoNotChoose(t *testing.T) {
	t.Parallel()
	for _, name := range []string{website, dnsendpoint, myapp} {
		xrd, composition := read(t, name, "xrd.yaml"), read(t, name, "composition.yaml")
		if got, _, _ := unstructured.NestedString(xrd.Object, "spec", "scope"); got != "Namespaced" {
			t.Errorf("%s has scope %q", name, got)
		}
		if got, _, _ := unstructured.NestedString(xrd.Object, "spec", "enforcedCompositionRef", "name"); got != composition.GetName() {
			t.Errorf("%s enforces the Composition %q, want %s", name, got, composition.GetName())
		}
	}
}

// TestPackage has Crossplane's CLI build the function's package, which it does only of
// what may be in one.
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

// TestAdmissionRefuses has the API server refuse what an XRD can tell to be wrong.
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
		"TargetWithSpace":       {dnsendpoint, `{target: "192.0.2.1 192.0.2.2"}`, "spec.target", "a record has one target"},
		"NoTarget":              {dnsendpoint, `{target: null}`, "spec.target", "there is nothing to lead to"},
		"RelativeName":          {dnsendpoint, `{name: shop}`, "spec.name", "relative to what"},
		"WildcardName":          {dnsendpoint, `{name: "*.apps.example.com"}`, "spec.name", "a team that could have every name could have another team's"},
		"ShortTTL":              {dnsendpoint, `{ttl: 5}`, "spec.ttl", "Cloudflare takes 60 and more"},
		"ZoneOfAppTeam":         {dnsendpoint, `{zone: example.org}`, "unknown field", "the zone is the platform's to choose"},
		"CredentialOfAppTeam":   {dnsendpoint, `{providerConfigRef: {kind: ClusterProviderConfig, name: other}}`, "unknown field", "so is the credential"},
		"HostWithDots":          {myapp, `{host: hello.example.org}`, "spec.host", "a host is one label below the platform's domain"},
		"HostOfTheGateway":      {myapp, `{host: gateway}`, "gateway is the name", "the app would lead to itself"},
		"HostLikeNoService":     {myapp, `{host: 1app}`, "spec.host", "Services begin with a letter"},
		"NoBanner":              {myapp, `{banner: ""}`, "spec.banner", "an app that says nothing"},
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

// TestAdmissionRefusesMoves has the API server refuse changes that a Record cannot follow.
func TestAdmissionRefusesMoves(t *testing.T) {
	t.Parallel()
	for name, spec := range map[string]string{website: `{domain: example.org}`, myapp: `{host: other}`} {
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

// TestCompositionRefuses has the pipeline refuse what needs a look at more than the
// object, with a message that says what to do.
func TestCompositionRefuses(t *testing.T) {
	t.Parallel()
	allowed := []string{example(dnsendpoint, "environmentconfig.yaml")}
	cases := map[string]struct {
		example, spec string
		required      []string
		want, reason  string
	}{
		"DomainNotAllowed": {
			dnsendpoint, `{name: shop.example.org}`, allowed,
			"shop.example.org is not in a domain of namespace default, which may use apps.example.com", "the domain is another's",
		},
		"ZoneNotAllowed": {
			dnsendpoint, `{name: www.example.com}`, allowed,
			"www.example.com is not in a domain", "only a part of the zone is the namespace's",
		},
		"NamespaceNotAllowed": {
			dnsendpoint, `{}`, nil,
			"no EnvironmentConfig dns-default", "the platform has not heard of the namespace",
		},
		"NoHost": {
			dnsendpoint, `{target: 192.0.2.300}`, allowed,
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
			r, err := render(t, tc.example, given{xr: xr, required: tc.required})
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("%s: got %v (%v), want %q", tc.reason, err, r.xr, tc.want)
			}
		})
	}
}

// TestUnreadyRecordIsReported wants a Record that fails to be seen on the composite resource.
func TestUnreadyRecordIsReported(t *testing.T) {
	t.Parallel()
	g := compositionCases()["Website"].given(t)
	g.observed = settled(t, mustRender(t, website, g))
	for _, o := range g.observed {
		if o.GetAnnotations()["crossplane.io/composition-resource-name"] != "mx-2" {
			continue
		}
		o.Object["status"] = map[string]any{"conditions": []any{
			map[string]any{"type": "Ready", "status": "False", "reason": "Unavailable", "lastTransitionTime": "2024-01-01T00:00:00Z"},
			map[string]any{"type": "Synced", "status": "False", "reason": "ReconcileError", "message": "no such zone", "lastTransitionTime": "2024-01-01T00:00:00Z"},
		}}
	}
	r := mustRender(t, website, g)
	if got := condition(r.xr, "Ready"); got != "False Creating" {
		t.Errorf("Ready is %q with a Record that is not", got)
	}
	if got, _, _ := unstructured.NestedString(r.xr.Object, "status", "readyRecords"); got != "12/13" {
		t.Errorf("got %s records ready, want 12/13", got)
	}
	if !strings.Contains(r.text, "message: no such zone") {
		t.Errorf("what the provider says of the Record is not in the status:\n%s", r.text)
	}
}

// TestMyAppReportsBack wants the app's state on its object.
func TestMyAppReportsBack(t *testing.T) {
	t.Parallel()
	g := compositionCases()["MyApp"].given(t)
	first := mustRender(t, myapp, g)
	g.observed = settled(t, first)
	r := mustRender(t, myapp, g)
	status, _, err := unstructured.NestedMap(r.xr.Object, "status")
	if err != nil {
		t.Fatal(err)
	}
	if status["url"] != "https://hello.example.com" || status["fqdn"] != "hello.example.com" || status["readyReplicas"] != int64(1) {
		t.Errorf("got status %v", status)
	}
	for i, o := range g.observed {
		if o.GetKind() == "Deployment" {
			delete(g.observed[i].Object, "status")
		}
	}
	if got := condition(mustRender(t, myapp, g).xr, "Ready"); got != "False Creating" {
		t.Errorf("Ready is %q while no replica serves", got)
	}
}

// TestMyAppRights compares what the composition makes with what Crossplane is granted.
func TestMyAppRights(t *testing.T) {
	t.Parallel()
	var role rbacv1.ClusterRole
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(read(t, myapp, "clusterrole.yaml").Object, &role); err != nil {
		t.Fatal(err)
	}
	if role.Labels["rbac.crossplane.io/aggregate-to-crossplane"] != "true" {
		t.Error("the role is not aggregated to Crossplane's")
	}
	granted := map[string]int{}
	for _, rule := range role.Rules {
		for _, resource := range rule.Resources {
			granted[rule.APIGroups[0]+"/"+resource] = len(rule.Verbs)
		}
	}
	for name, o := range mustRender(t, myapp, compositionCases()["MyApp"].given(t)).composed {
		if o.GetKind() == "Record" {
			continue // Crossplane's RBAC manager grants what providers define.
		}
		gvk := o.GroupVersionKind()
		plural, _ := meta.UnsafeGuessKindToResource(gvk)
		key := gvk.Group + "/" + plural.Resource
		if granted[key] != 7 {
			t.Errorf("%s: %d verbs granted on %s, want get, list, watch, create, update, patch and delete", name, granted[key], key)
		}
		delete(granted, key)
	}
	for key := range granted {
		t.Errorf("%s is granted and not composed", key)
	}
}

// TestMyAppIsRestricted creates the app's pod where only those of the restricted Pod
// Security Standard are let in.
func TestMyAppIsRestricted(t *testing.T) {
	t.Parallel()
	ns := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "restricted", Labels: map[string]string{"pod-security.kubernetes.io/enforce": "restricted"}}}
	if err := shared.kube.Create(t.Context(), ns); err != nil {
		t.Fatal(err)
	}
	template, _, err := unstructured.NestedMap(mustRender(t, myapp, compositionCases()["MyApp"].given(t)).composed["deployment"].Object, "spec", "template", "spec")
	if err != nil {
		t.Fatal(err)
	}
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: ns.Name, Name: "app"}}
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(template, &pod.Spec); err != nil {
		t.Fatal(err)
	}
	if err := shared.kube.Create(t.Context(), pod.DeepCopy(), client.DryRunAll); err != nil {
		t.Error(err)
	}
	pod.Spec.Containers[0].SecurityContext.AllowPrivilegeEscalation = ptr.To(true)
	if err := shared.kube.Create(t.Context(), pod, client.DryRunAll); !kerrors.IsForbidden(err) {
		t.Errorf("a pod that may escalate privileges is let in (%v): the standard is not enforced", err)
	}
}

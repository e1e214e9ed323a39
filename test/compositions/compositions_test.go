// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package compositions

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"text/tabwriter"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/yaml"
)

// A compositionCase is a composite resource and its expected composed resources.
type compositionCase struct {
	example string
	// spec replaces the spec of the example, unless it is empty.
	spec string
	// file is the golden file of the case.
	file string
	// composed are the names of all resources.
	composed []string
	// facts are lines "name: path = value" that must hold. They are repeated here, because an
	// update of a golden file may not be read.
	facts  []string
	reason string
}

func compositionCases() map[string]compositionCase {
	return map[string]compositionCase{
		"Website": {
			example: website, file: "website",
			composed: strings.Fields("apex-a apex-aaaa www mx-1 mx-2 spf dkim-fm1-cname dkim-fm2-cname dkim-fm3-cname dmarc caa-letsencrypt.org caa-pki.goog caa-ssl.com"),
			facts: []string{
				`apex-a: {"content":"192.0.2.50","name":"@","proxied":true,"type":"A","zoneName":"example.net"}`,
				`www: {"content":"example.net.","name":"www","proxied":true,"type":"CNAME","zoneName":"example.net"}`,
				`mx-2: {"content":"in2-smtp.messagingengine.com.","name":"@","priority":20,"type":"MX","zoneName":"example.net"}`,
				`spf: {"content":"v=spf1 include:spf.messagingengine.com ?all","name":"@","type":"TXT","zoneName":"example.net"}`,
				`dkim-fm1-cname: {"content":"fm1.example.net.dkim.fmhosted.com.","name":"fm1._domainkey","proxied":false,"type":"CNAME","zoneName":"example.net"}`,
				`dmarc: {"content":"v=DMARC1; p=quarantine; rua=mailto:dmarc@example.net","name":"_dmarc","type":"TXT","zoneName":"example.net"}`,
				`caa-pki.goog: {"content":"0 issue \"pki.goog\"","name":"@","type":"CAA","zoneName":"example.net"}`,
			},
			reason: "the example, with the XRD's defaults",
		},
		"WebsiteGoogle": {
			example: website, file: "website-google",
			spec: `{domain: google.test, origin: {hostname: google-test.hosting.example.org}, verifications: [google-site-verification=abc],
				mail: {provider: google, dkim: [{selector: google, key: "v=DKIM1; k=rsa; p=MIGfMA0G"}]}, certificateAuthorities: []}`,
			composed: strings.Fields("apex-cname www mx-1 spf dkim-google-txt dmarc verification-500f5e4b"),
			facts: []string{
				`apex-cname: {"content":"google-test.hosting.example.org.","name":"@","proxied":true,"type":"CNAME","zoneName":"google.test"}`,
				`mx-1: {"content":"smtp.google.com.","name":"@","priority":1,"type":"MX","zoneName":"google.test"}`,
				`dmarc: {"content":"v=DMARC1; p=none","name":"_dmarc","type":"TXT","zoneName":"google.test"}`,
			},
			reason: "an alias at the apex beside MX and TXT; a key of the customer's own; no CAA where none is wanted",
		},
		"WebsiteMicrosoft": {
			example: website, file: "website-microsoft365",
			spec:     `{domain: microsoft.test, origin: {ipv6: "2001:db8::1"}, www: false, mail: {provider: microsoft365}, certificateAuthorities: [digicert.com]}`,
			composed: strings.Fields("apex-aaaa mx-1 spf dmarc mail-autodiscover caa-digicert.com"),
			facts: []string{
				`mx-1: {"content":"microsoft-test.mail.protection.outlook.com.","name":"@","priority":0,"type":"MX","zoneName":"microsoft.test"}`,
				`mail-autodiscover: {"content":"autodiscover.outlook.com.","name":"autodiscover","proxied":false,"type":"CNAME","zoneName":"microsoft.test"}`,
			},
			reason: "what is missing keeps nothing else from being made",
		},
		"WebsiteProton": {
			example: website, file: "website-proton",
			spec: `{domain: proton.test, origin: {ipv4: 10.0.0.1}, mail: {provider: proton, senders: [sendgrid.net],
				dkim: [{selector: protonmail, target: protonmail.domainkey.abc.domains.proton.ch}]}}`,
			composed: strings.Fields("apex-a www mx-1 mx-2 spf dkim-protonmail-cname dmarc caa-letsencrypt.org caa-pki.goog caa-ssl.com"),
			facts: []string{
				`apex-a: {"content":"10.0.0.1","name":"@","proxied":false,"type":"A","zoneName":"proton.test"}`,
				`spf: {"content":"v=spf1 include:_spf.protonmail.ch include:sendgrid.net ~all","name":"@","type":"TXT","zoneName":"proton.test"}`,
			},
			reason: "a private address is not proxied unless somebody insists",
		},
		"WebsiteWithoutMail": {
			example: website, file: "website-none",
			spec:     `{domain: nomail.test, origin: {ipv4: 192.0.2.1}, mail: {provider: none}}`,
			composed: strings.Fields("apex-a www mx-1 spf dkim-none dmarc caa-letsencrypt.org caa-pki.goog caa-ssl.com"),
			facts: []string{
				`mx-1: {"content":".","name":"@","priority":0,"type":"MX","zoneName":"nomail.test"}`,
				`spf: {"content":"v=spf1 -all","name":"@","type":"TXT","zoneName":"nomail.test"}`,
				`dkim-none: {"content":"v=DKIM1; p=","name":"*._domainkey","type":"TXT","zoneName":"nomail.test"}`,
				`dmarc: {"content":"v=DMARC1; p=reject; sp=reject; adkim=s; aspf=s","name":"_dmarc","type":"TXT","zoneName":"nomail.test"}`,
			},
			reason: "a domain that has no mail says so in every way there is",
		},
		"Hostname": {
			example: hostname, file: "hostname",
			composed: []string{"a-in-example.com"},
			facts: []string{
				`a-in-example.com: {"content":"192.0.2.60","name":"shop.apps.example.com","proxied":false,"ttl":1,"type":"A","zoneName":"example.com"}`,
			},
			reason: "the example",
		},
		"HostnameAlias": {
			example: hostname, file: "hostname-alias",
			spec:     `{name: blog.apps.example.com, target: blog.hosting.example.org, ttl: 300}`,
			composed: []string{"cname-in-example.com"},
			facts: []string{
				`cname-in-example.com: {"content":"blog.hosting.example.org.","name":"blog.apps.example.com","proxied":false,"ttl":300,"type":"CNAME","zoneName":"example.com"}`,
			},
			reason: "a target that is the name of a host makes a CNAME",
		},
		"MyApp": {
			example: myapp, file: "myapp",
			composed: strings.Fields("files deployment service record"),
			facts: []string{
				`record: {"content":"gateway.example.com.","name":"hello","proxied":true,"type":"CNAME","zoneName":"example.com"}`,
			},
			reason: "the example",
		},
		"MyAppWithHost": {
			example: myapp, file: "myapp-host",
			spec:     `{host: www}`,
			composed: strings.Fields("files deployment service record"),
			facts: []string{
				`record: {"content":"gateway.example.com.","name":"www","proxied":true,"type":"CNAME","zoneName":"example.com"}`,
			},
			reason: "a host of its own, and nothing but that: the rest has defaults",
		},
	}
}

// given returns the input of the first rendering.
func (c compositionCase) given(t *testing.T) given {
	t.Helper()
	xr := read(t, c.example, c.example+".yaml")
	if c.spec != "" {
		var spec map[string]any
		if err := yaml.UnmarshalStrict([]byte(c.spec), &spec); err != nil {
			t.Fatal(err)
		}
		xr.Object["spec"] = spec
	}
	g := given{xr: xr}
	if c.example == hostname {
		g.required = []string{example(hostname, "environmentconfig.yaml")}
	}
	return g
}

// TestCompositions renders each case, first without composed resources and then with all of them
// ready. It validates the result with Crossplane's CLI and with the API server.
func TestCompositions(t *testing.T) {
	t.Parallel()
	for name, c := range compositionCases() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := c.given(t)
			r := mustRender(t, c.example, g)
			golden(t, c.file, r)
			composedAre(t, c, r)
			if got := condition(r.xr, "Ready"); got != "False Creating" {
				t.Errorf("%s: Ready is %q before anything exists", c.reason, got)
			}
			validate(t, c.example, g.xr, r)
			admit(t, g.xr, r)

			r = settle(t, c.example, &g, r)
			if got := condition(r.xr, "Ready"); got != "True Available" {
				t.Errorf("%s: Ready is %q when everything is", c.reason, got)
			}
			admit(t, c.given(t).xr, r)
			keepsStatus(t, g.xr, r)
			if c.spec == "" {
				readme(t, c.example, table(r))
			}
		})
	}
}

// composedAre compares the names of the composed resources, and the facts.
func composedAre(t *testing.T, c compositionCase, r rendering) {
	t.Helper()
	slices.Sort(c.composed)
	if diff := cmp.Diff(c.composed, slices.Sorted(maps.Keys(r.composed))); diff != "" {
		t.Errorf("%s: resources (-want +got):\n%s", c.reason, diff)
	}
	for _, fact := range c.facts {
		name, want, _ := strings.Cut(fact, ": ")
		o, ok := r.composed[name]
		if !ok {
			continue // reported above
		}
		p, _, err := unstructured.NestedMap(o.Object, "spec", "forProvider")
		if err != nil {
			t.Fatal(err)
		}
		got, err := json.Marshal(p)
		if err != nil {
			t.Fatal(err)
		}
		if string(got) != want {
			t.Errorf("%s: %s is\n%s, want\n%s", c.reason, name, got, want)
		}
	}
}

// settled returns the composed resources in the state in which their controllers have finished.
func settled(t *testing.T, r rendering) []*unstructured.Unstructured {
	t.Helper()
	condition := func(typ string) any {
		return map[string]any{"type": typ, "status": "True", "reason": "Test", "lastTransitionTime": "2024-01-01T00:00:00Z"}
	}
	var out []*unstructured.Unstructured
	for _, name := range slices.Sorted(maps.Keys(r.composed)) {
		o := r.composed[name].DeepCopy()
		switch o.GetKind() {
		case "Record":
			p, _, err := unstructured.NestedMap(o.Object, "spec", "forProvider")
			if err != nil {
				t.Fatal(err)
			}
			o.Object["status"] = map[string]any{
				"conditions": []any{condition("Ready"), condition("Synced")},
				"atProvider": map[string]any{"id": "372e67954025e0ba6aaa6d586b9e0b59", "fqdn": fqdn(p), "type": p["type"]},
			}
		case "Deployment":
			o.Object["status"] = map[string]any{"readyReplicas": int64(1), "conditions": []any{condition("Available")}}
		case "Service":
			if err := unstructured.SetNestedField(o.Object, "10.96.0.10", "spec", "clusterIP"); err != nil {
				t.Fatal(err)
			}
		}
		out = append(out, o)
	}
	return out
}

// settle marks all composed resources as ready and renders again, until those that wait for others
// are also ready.
func settle(t *testing.T, example string, g *given, r rendering) rendering {
	t.Helper()
	for range 3 {
		if condition(r.xr, "Ready") == "True Available" {
			break
		}
		g.observed = settled(t, r)
		g.xr = g.xr.DeepCopy()
		g.xr.Object["status"] = r.xr.Object["status"]
		r = mustRender(t, example, *g)
	}
	return r
}

// fqdn returns the full name of the record with these parameters, as the provider shows it.
func fqdn(p map[string]any) string {
	name, _ := p["name"].(string)
	zone, _ := p["zoneName"].(string)
	if name == "@" {
		return zone
	}
	return strings.TrimSuffix(name, "."+zone) + "." + zone
}

// readme checks that the README of an example shows its manifest and its composed resources.
func readme(t *testing.T, name, table string) {
	t.Helper()
	text, err := os.ReadFile(example(name, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	source, err := os.ReadFile(example(name, name+".yaml"))
	if err != nil {
		t.Fatal(err)
	}
	_, written, _ := strings.Cut(string(source), "\n") // without its first line, a comment
	for _, want := range []string{"```yaml e2e\n" + written + "```\n", "```text\n" + table + "```\n"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the README of %s does not show\n%s", name, want)
		}
	}
}

// table formats the composed resources of a rendering as a list for users.
func table(r rendering) string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 8, 3, ' ', 0)
	_, _ = fmt.Fprintln(w, "KIND\tNAME\tTYPE\tFQDN\tCONTENT\tPROXIED")
	for _, name := range slices.Sorted(maps.Keys(r.composed)) {
		o := r.composed[name]
		p, ok, _ := unstructured.NestedMap(o.Object, "spec", "forProvider")
		if !ok {
			_, _ = fmt.Fprintf(w, "%s\t%s\t\t\t\t\n", o.GetKind(), o.GetName())
			continue
		}
		content, proxied := fmt.Sprint(p["content"]), ""
		if p["priority"] != nil {
			content = fmt.Sprint(p["priority"], " ", content)
		}
		if p["proxied"] != nil {
			proxied = fmt.Sprint(p["proxied"])
		}
		_, _ = fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\n", o.GetKind(), o.GetName(), p["type"], fqdn(p), content, proxied)
	}
	_ = w.Flush() // writes to memory
	lines := strings.Split(b.String(), "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return strings.Join(lines, "\n")
}

// validate checks a rendering and its composite resource with Crossplane's CLI, against the XRD and
// the provider's kinds. The CLI does not know Kubernetes' own kinds, which admit checks.
func validate(t *testing.T, name string, xr *unstructured.Unstructured, r rendering) {
	t.Helper()
	dir := t.TempDir()
	objects := []*unstructured.Unstructured{xr}
	for _, o := range r.composed {
		if strings.HasSuffix(o.GroupVersionKind().Group, ".crossplane.io") {
			objects = append(objects, o)
		}
	}
	out, err := output(shared.command(t.Context(), "resource", "validate",
		shared.schemas+","+example(name, "xrd.yaml"), write(t, dir, "resources.yaml", objects...),
		"--cache-dir="+shared.cache, "--crossplane-image="+crossplaneImage+":v0.0.0", "--error-on-missing-schemas"))
	if err != nil {
		t.Errorf("%v\n%s", err, out)
		return
	}
	if want := fmt.Sprintf("%d success cases", len(objects)); !strings.Contains(out, want) {
		t.Errorf("the CLI did not validate everything, want %s:\n%s", want, out)
	}
}

// admit checks a rendering with a dry run at a real API server.
func admit(t *testing.T, xr *unstructured.Unstructured, r rendering) {
	t.Helper()
	if err := shared.kube.Create(t.Context(), xr.DeepCopy(), client.DryRunAll, client.FieldValidation(metav1.FieldValidationStrict)); err != nil {
		t.Errorf("the composite resource is refused: %v", err)
	}
	for name, o := range r.composed {
		err := shared.kube.Create(t.Context(), o.DeepCopy(), client.DryRunAll, client.FieldValidation(metav1.FieldValidationStrict))
		if err != nil {
			t.Errorf("%s is refused: %v", name, err)
		}
	}
}

// keepsStatus applies the status as Crossplane does, and compares it with the stored one. A field
// that the XRD does not have would be dropped, and a field of a wrong type would be refused.
func keepsStatus(t *testing.T, xr *unstructured.Unstructured, r rendering) {
	t.Helper()
	live := xr.DeepCopy()
	live.SetName("")
	live.SetGenerateName("status-")
	if err := shared.kube.Create(t.Context(), live); err != nil {
		t.Fatal(err)
	}
	status, _, err := unstructured.NestedMap(r.xr.Object, "status")
	if err != nil {
		t.Fatal(err)
	}
	patch := &unstructured.Unstructured{Object: map[string]any{"status": status}}
	patch.SetGroupVersionKind(xr.GroupVersionKind())
	patch.SetNamespace(xr.GetNamespace())
	patch.SetName(live.GetName())
	if err := shared.kube.Status().Apply(t.Context(), client.ApplyConfigurationFromUnstructured(patch), client.FieldOwner("test"), client.ForceOwnership); err != nil {
		t.Fatalf("the status is refused: %v", err)
	}
	if err := shared.kube.Get(t.Context(), client.ObjectKeyFromObject(live), live); err != nil {
		t.Fatal(err)
	}
	got, _, err := unstructured.NestedMap(live.Object, "status")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(status, got); diff != "" {
		t.Errorf("what becomes of the status (-sent +kept):\n%s", diff)
	}
}

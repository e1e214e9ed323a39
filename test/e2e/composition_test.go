// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/provider-cloudflare/provider-cloudflare/test/e2e/registry"
	"github.com/provider-cloudflare/provider-cloudflare/test/manifest"
)

// mirror is the folder of the suite's registry with other publishers' packages.
var mirror = registryAddress + "/mirror" //nolint:gochecknoglobals // A constant but for registryAddress.

// platform returns a kind of the compositions' group.
func platform(kind string) schema.GroupVersionKind {
	return schema.GroupVersionKind{Group: "platform.example.org", Version: "v1alpha1", Kind: kind}
}

// compositions installs the Compositions of examples/composition and uses each.
func compositions(c *cluster) {
	c.installFunctions()
	c.apply(map[string]any{
		"apiVersion": "v1", "kind": "Secret", "metadata": map[string]any{"name": "cloudflare", "namespace": system},
		"stringData": map[string]any{"token": c.cloudflare.token},
	})
	config := c.manifestOf(example("providerconfig", "clusterproviderconfig.yaml"))
	c.must(unstructured.SetNestedField(config.Object, c.cloudflare.account, "spec", "accountId")) // not the example's
	c.apply(config.Object)
	c.kubectl("apply", "-f", example("composition", "myapp", "clusterrole.yaml"), "-f", example("composition", "exposedapplication", "clusterrole.yaml"), "-f", example("composition", "hostname", "environmentconfig.yaml"))
	c.installConfiguration("website", "hostname", "myapp", "exposedapplication", "bucket")
	c.kubectl("wait", "xrd", "--all", "--for=condition=Established", "--timeout="+patience.String())

	began := time.Now()
	c.website()
	c.endpoint()
	c.app()
	c.exposed()
	c.bucket()
	c.took("five compositions, applied and asserted", began)
	c.changeWebsite()
	c.changeEndpoint()
	c.kubectl("get", "websites,hostnames,myapps,exposedapplications,buckets.platform.example.org,records.dns.cloudflare.m.crossplane.io", "-n", "default")
	c.note()
	c.decompose()
}

// mirrorFunctions pushes the functions of the examples to the mirror, which Crossplane is
// configured to use in the place of their registry.
func (c *cluster) mirrorFunctions() []*unstructured.Unstructured {
	all, err := manifest.Read(example("composition", "functions.yaml"))
	c.must(err)
	for _, f := range all {
		host, ref, _ := strings.Cut(field(f, "spec", "package"), "/")
		c.apply(map[string]any{
			"apiVersion": "pkg.crossplane.io/v1beta1", "kind": "ImageConfig", "metadata": map[string]any{"name": "mirror-" + host},
			"spec": map[string]any{
				"matchImages":  []any{map[string]any{"type": "Prefix", "prefix": host}},
				"rewriteImage": map[string]any{"prefix": mirror},
			},
		})
		file := strings.ReplaceAll(ref[strings.LastIndex(ref, "/")+1:], ":", "-") + ".xpkg"
		if _, err := c.run("crossplane", "xpkg", "push", "--package-files", tool(file), mirror+"/"+ref); err != nil {
			c.t.Fatal(err)
		}
	}
	return all
}

// installFunctions installs the functions of the examples.
func (c *cluster) installFunctions() {
	all := c.mirrorFunctions()
	c.kubectl("apply", "-f", example("composition", "functions.yaml"))
	for _, f := range all {
		c.eventually(func() error {
			u, err := c.object(functionKind, "", f.GetName())
			if err != nil {
				return err
			}
			return has(u, "Installed", "Healthy")
		})
	}
}

// composite applies an example and returns it when it is Ready.
func (c *cluster) composite(name string, change func(*unstructured.Unstructured)) *unstructured.Unstructured {
	c.t.Helper()
	u := c.manifestOf(example("composition", name, name+".yaml"))
	if change != nil {
		change(u)
	}
	c.apply(u.Object)
	var out *unstructured.Unstructured
	c.eventually(func() error {
		var err error
		if out, err = c.object(u.GroupVersionKind(), "default", u.GetName()); err != nil {
			return err
		}
		return has(out, "Synced", "Ready")
	})
	return out
}

// live returns the contents of the records of a name and type at Cloudflare.
func (c *cluster) live(zone, name, kind string) []string {
	var out []string
	for _, r := range c.cloudflare.Records(zone) {
		if r.Name == name && r.Type == kind {
			out = append(out, r.Content)
		}
	}
	return out
}

func (c *cluster) website() {
	u := c.composite("website", nil)
	domain := field(u, "spec", "domain")
	for _, want := range []struct {
		name, kind string
		n          int // at least
	}{
		{domain, "A", 1},
		{"www." + domain, "CNAME", 1},
		{domain, "MX", 2},
		{domain, "TXT", 1},
		{"_dmarc." + domain, "TXT", 1},
		{"fm1._domainkey." + domain, "CNAME", 1},
		{domain, "CAA", 1},
	} {
		if got := c.live(c.cloudflare.site, want.name, want.kind); len(got) < want.n {
			c.t.Errorf("%s has the %s records %q, want %d at least", want.name, want.kind, got, want.n)
		}
	}
	if spf := strings.Join(c.live(c.cloudflare.site, domain, "TXT"), " "); !strings.Contains(spf, "v=spf1 ") {
		c.t.Errorf("%s has no SPF policy: %q", domain, spf)
	}
	c.trace(u)
}

// trace checks that Crossplane's CLI shows the Records of a Website, all of them Synced and
// Ready.
func (c *cluster) trace(u *unstructured.Unstructured) {
	c.t.Helper()
	refs, _, err := unstructured.NestedSlice(u.Object, "spec", "crossplane", "resourceRefs")
	c.must(err)
	out, err := c.run("crossplane", "resource", "trace", "websites.platform.example.org", u.GetName(), "-n", u.GetNamespace())
	c.must(err)
	c.t.Logf("$ crossplane resource trace websites.platform.example.org %s\n%s", u.GetName(), out)
	records := 0
	for line := range strings.Lines(out) {
		_, row, found := strings.Cut(line, "─ Record/")
		if !found {
			continue
		}
		records++
		if columns := strings.Fields(row); !slices.Contains(columns, "True") || slices.Contains(columns, "False") || slices.Contains(columns, "-") {
			c.t.Errorf("a Record is not shown as synced and ready: %s", line)
		}
	}
	if records != len(refs) || records == 0 {
		c.t.Errorf("%d Records are shown of the %d that the composite refers to", records, len(refs))
	}
}

// endpoint uses a name that is allowed, and one that is not.
func (c *cluster) endpoint() {
	u := c.composite("hostname", nil)
	if got, want := c.live(c.cloudflare.zone, field(u, "spec", "name"), "A"), field(u, "spec", "target"); len(got) != 1 || got[0] != want {
		c.t.Errorf("%s leads to %q, want %s", field(u, "spec", "name"), got, want)
	}
	const name, refused = "not-ours", "shop.example.org"
	c.apply(map[string]any{
		"apiVersion": "platform.example.org/v1alpha1", "kind": "Hostname", "metadata": map[string]any{"name": name, "namespace": "default"},
		"spec": map[string]any{"name": refused, "target": "192.0.2.61"},
	})
	c.refused(name, refused)
	c.kubectl("delete", "hostname", name, "-n", "default")
}

// refused waits until a Hostname reports that its host is not allowed. It must not be Ready
// then.
func (c *cluster) refused(name, host string) {
	c.t.Helper()
	c.eventually(func() error {
		u, err := c.object(platform("Hostname"), "default", name)
		if err != nil {
			return err
		}
		if status, says := condition(u, "Allowed"); status != "False" || !strings.Contains(says, host) {
			return fmt.Errorf("Allowed is %s (%s)", status, says)
		}
		if status, says := condition(u, "Ready"); status != "False" {
			return fmt.Errorf("Ready is %s (%s)", status, says)
		}
		return nil
	})
}

// patch changes an object's spec, as a team does.
func (c *cluster) patch(kind, name, spec string) {
	c.kubectl("patch", kind, name, "-n", "default", "--type=merge", "-p", `{"spec":`+spec+`}`)
}

// changeEndpoint changes the address of a hostname into a host name. Then it requests a name
// that is not allowed, and checks that the record stays.
func (c *cluster) changeEndpoint() {
	const kind, name, host = "hostname", "shop", "shop.apps." + zoneName
	c.patch(kind, name, `{"target":"target.example.org"}`)
	c.eventually(func() error {
		if a, cname := c.live(c.cloudflare.zone, host, "A"), c.live(c.cloudflare.zone, host, "CNAME"); len(a) != 0 || len(cname) != 1 {
			return fmt.Errorf("%s has the A records %q and the CNAME records %q", host, a, cname)
		}
		return nil
	})
	const refused = "shop.example.org"
	c.patch(kind, name, `{"name":"`+refused+`"}`)
	c.refused(name, refused)
	if got := c.live(c.cloudflare.zone, host, "CNAME"); len(got) != 1 {
		c.t.Errorf("a name that is refused took the record away: %q", got)
	}
}

// changeWebsite changes the mail provider. The new policy replaces the old one in the same
// record, so that there is a policy at every moment.
func (c *cluster) changeWebsite() {
	spf := func(include string) (id string) {
		for _, r := range c.cloudflare.Records(c.cloudflare.site) {
			if r.Type == "TXT" && strings.Contains(r.Content, "v=spf1 include:"+include) {
				id = r.ID
			}
		}
		return id
	}
	before := spf("spf.messagingengine.com")
	if before == "" {
		c.t.Fatal("there is no SPF policy of the first mail provider")
	}
	c.patch("website", "example", `{"mail":{"provider":"google"}}`)
	c.eventually(func() error {
		if after := spf("_spf.google.com"); after != before {
			return fmt.Errorf("the policy is record %q, and was %s", after, before)
		}
		return nil
	})
}

// app makes a Deployment print its banner. Only a node with containers can run it.
func (c *cluster) app() {
	image := c.pushBanner()
	u := c.composite("myapp", func(u *unstructured.Unstructured) {
		c.must(unstructured.SetNestedField(u.Object, image, "spec", "image"))
		// Kubernetes would expand this text in an argument.
		c.must(unstructured.SetNestedField(u.Object, "5$$ to $(HOME)", "spec", "banner"))
	})
	host := u.GetName() + "." + zoneName
	if got := field(u, "status", "fqdn"); got != host {
		c.t.Errorf("its status has the name %q, want %s", got, host)
	}
	if got := c.live(c.cloudflare.zone, host, "CNAME"); len(got) != 1 {
		c.t.Errorf("%s has the records %q", host, got)
	}
	c.follow("examples/composition/myapp/README.md")
	if !*full {
		return
	}
	s, err := c.object(schema.GroupVersionKind{Version: "v1", Kind: "Service"}, "default", u.GetName())
	c.must(err)
	banner := field(u, "spec", "banner")
	c.eventually(func() error { return c.serves("http://"+field(s, "spec", "clusterIP"), banner) })
	c.eventually(func() error {
		if log, err := c.podLogs("default", u.GetName()); err != nil || !strings.Contains(string(log), banner) {
			return errors.Join(fmt.Errorf("the log of the pod is %q, want the banner in it", log), err)
		}
		return nil
	})
}

// pushBanner pushes an image that serves and logs its banner to the suite's registry.
func (c *cluster) pushBanner() string {
	image := registryAddress + "/banner:e2e"
	c.must(registry.Push(c.ctx, image, registry.Content{Files: map[string]string{"/banner": tool("banner")}, Entrypoint: []string{"/banner"}}))
	return image
}

// serves returns an error unless a URL shows a text.
func (c *cluster) serves(url, text string) error {
	req, err := http.NewRequestWithContext(c.ctx, http.MethodGet, url, http.NoBody)
	if err != nil {
		return err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	body, err := io.ReadAll(resp.Body)
	if err := errors.Join(err, resp.Body.Close()); err != nil {
		return err
	}
	if !strings.Contains(string(body), text) {
		return fmt.Errorf("%s says %q", url, body)
	}
	return nil
}

// decompose deletes the composite resources, and checks that their records are deleted with
// them.
func (c *cluster) decompose() {
	c.kubectl("delete", "websites,hostnames,myapps,exposedapplications,buckets.platform.example.org", "--all", "-n", "default", "--timeout="+patience.String())
	c.eventually(func() error {
		if left := c.cloudflare.Records(c.cloudflare.site); len(left) > 0 {
			return fmt.Errorf("%d records of the website are left", len(left))
		}
		for _, kind := range []string{"deployments", "services", "ingresses"} {
			if out, err := c.run("kubectl", "get", kind, "hello", "-n", "default", "--ignore-not-found", "-o", "name"); err != nil || out != "" {
				return errors.Join(fmt.Errorf("left: %s", out), err)
			}
		}
		for _, path := range []string{"cfd_tunnel", "access/apps", "r2/buckets", "tokens"} {
			if err := c.noneComposed(path); err != nil {
				return err
			}
		}
		for _, name := range []string{"shop.apps." + zoneName, "hello." + zoneName, "wiki." + zoneName} {
			for _, r := range c.cloudflare.Records(c.cloudflare.zone) {
				if r.Name == name {
					return fmt.Errorf("the record of %s is left", name)
				}
			}
		}
		return nil
	})
}

// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"fmt"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

// upgrade does what the page on upgrades says.
func upgrade(c *cluster) {
	c.changeVersion(*current, func() {
		c.follow("docs/how-to/upgrade.md", "registry.example.org/platform/provider-cloudflare:v0.2.0", source(*current))
	})
}

// downgrade installs the previous version and then the current one, which the next steps need.
func downgrade(c *cluster) {
	c.changeVersion(*previous, func() { c.apply(providerManifest(*previous)) })
	driftReverted(c)
	c.changeVersion(*current, func() { c.apply(providerManifest(*current)) })
}

// changeVersion installs another version of the package and checks that nothing changes at
// Cloudflare or in any object.
func (c *cluster) changeVersion(to string, change func()) {
	before := c.identities()
	from := len(c.cloudflare.Requests())
	began := time.Now()
	change()
	c.eventually(func() error { return c.only(to) })
	c.took("change of version to "+to, began)
	c.eventually(func() error { return c.listed(from, to, 1) })
	c.took("  until it works", began)
	// After two lists, the provider has written what it had to write.
	c.eventually(func() error { return c.listed(from, to, 2) })
	for _, r := range c.cloudflare.Requests()[from:] {
		if r.Writes() {
			c.t.Errorf("a change of version wrote to Cloudflare: %s by %s", r, r.UserAgent)
		}
	}
	c.settled()
	c.leaseHandedOver()
	after := c.identities()
	for name, want := range before {
		if got := after[name]; got != want {
			c.t.Errorf("%s was %+v and is %+v", name, want, got)
		}
	}
	if len(after) != len(before) {
		c.t.Errorf("there were %d managed resources, and are %d", len(before), len(after))
	}
}

// leaseHandedOver checks that no version of the provider was refused its lease, also when it
// released the lease after Crossplane had removed its other rights.
func (c *cluster) leaseHandedOver() {
	logs, err := c.logs(providerName)
	c.must(err)
	for line := range strings.Lines(string(logs)) {
		if strings.Contains(line, "forbidden") && strings.Contains(line, "leases") {
			c.t.Errorf("the provider was refused its lease: %s", line)
		}
	}
	if len(logs) == 0 {
		c.t.Error("the provider has no logs")
	}
}

// only returns an error unless this version runs, and no other.
func (c *cluster) only(version string) error {
	revisions, err := c.list(revisionKind, client.MatchingLabels{"pkg.crossplane.io/package": providerName})
	if err != nil {
		return err
	}
	active := 0
	for i := range revisions {
		r := &revisions[i]
		if field(r, "spec", "desiredState") != "Active" {
			continue
		}
		active++
		if got := field(r, "spec", "image"); got != source(version) {
			return fmt.Errorf("the active revision %s is of %s", r.GetName(), got)
		}
		if err := has(r, "RevisionHealthy", "RuntimeHealthy"); err != nil {
			return err
		}
	}
	if active != 1 {
		return fmt.Errorf("%d revisions are active", active)
	}
	if err := c.healthy(); err != nil {
		return err
	}
	return c.runs()
}

// listed returns an error unless a version of the provider has listed the zone that often since
// a request. The user agent of a request has the version.
func (c *cluster) listed(from int, version string, times int) error {
	n := 0
	for _, r := range c.cloudflare.Requests()[from:] {
		if lists(r) && strings.Contains(r.UserAgent, version) {
			n++
		}
	}
	if n < times {
		return fmt.Errorf("%s has listed the zone %d times, want %d", version, n, times)
	}
	return nil
}

func lists(r simulator.LoggedRequest) bool {
	return r.Route == "/zones/{zone_id}/dns_records" && !r.Writes()
}

// identity is the part of an object that must never change.
type identity struct{ uid, external, id string }

func (c *cluster) identities() map[string]identity {
	c.t.Helper()
	all, err := c.managed()
	c.must(err)
	out := map[string]identity{}
	for i := range all {
		u := &all[i]
		if field(u, "status", "atProvider", "id") == "" {
			c.t.Errorf("%s %s has no status.atProvider.id", u.GetKind(), u.GetName())
		}
		out[u.GetKind()+" "+u.GetNamespace()+"/"+u.GetName()] = identity{
			uid: string(u.GetUID()), external: u.GetAnnotations()["crossplane.io/external-name"], id: field(u, "status", "atProvider", "id"),
		}
	}
	return out
}

// kindOf returns the kind of a definition or a CRD.
func kindOf(crd *unstructured.Unstructured) schema.GroupVersionKind {
	versions, _, _ := unstructured.NestedSlice(crd.Object, "spec", "versions")
	out := schema.GroupVersionKind{Group: field(crd, "spec", "group"), Kind: field(crd, "spec", "names", "kind")}
	for _, v := range versions {
		if m, ok := v.(map[string]any); ok && m["storage"] == true {
			out.Version = fmt.Sprint(m["name"])
		}
	}
	return out
}

// restart ends the provider's pods and checks that the next ones identify every object by its
// existing ID.
func restart(c *cluster) {
	before := c.identities()
	old := c.kubectl("get", "pods", "-n", system, "-l", "pkg.crossplane.io/provider="+providerName, "-o", "name")
	from := len(c.cloudflare.Requests())
	c.kubectl("delete", "pods", "-n", system, "-l", "pkg.crossplane.io/provider="+providerName, "--wait=false")
	for name := range strings.FieldsSeq(old) {
		c.eventually(func() error {
			if _, err := c.run("kubectl", "get", "-n", system, name); err == nil {
				return fmt.Errorf("the old %s is still there", name)
			}
			return nil
		})
	}
	// Requests from here on are not the old pod's.
	later := len(c.cloudflare.Requests())
	c.eventually(func() error { return c.listed(later, *current, 2) })
	c.eventually(c.runs)
	c.settled()
	for name, got := range c.identities() {
		if want := before[name]; got != want {
			c.t.Errorf("%s was %+v and is %+v", name, want, got)
		}
	}
	for _, r := range c.cloudflare.Requests()[from:] {
		if r.Writes() {
			c.t.Errorf("a restart wrote to Cloudflare: %s", r)
		}
	}
}

// uninstall orphans everything at Cloudflare and uninstalls the provider.
func uninstall(c *cluster) {
	records := len(c.cloudflare.Records(c.cloudflare.zone))
	from := len(c.cloudflare.Requests())
	all, err := c.managed()
	c.must(err)
	for i := range all {
		u := &all[i]
		resource, _ := meta.UnsafeGuessKindToResource(u.GroupVersionKind())
		c.kubectl("patch", resource.Resource+"."+resource.Group, u.GetName(), "-n", u.GetNamespace(),
			"--type=merge", "-p", `{"spec":{"deletionPolicy":"Orphan"}}`)
	}
	definitions, err := c.active()
	c.must(err)
	for _, d := range definitions {
		c.kubectl("delete", d.GetName(), "--all", "-n", "default", "--timeout="+patience.String())
	}
	c.kubectl("delete", "providerconfigs.cloudflare.m.crossplane.io", "--all", "-n", "default", "--timeout="+patience.String())
	c.kubectl("delete", "clusterproviderconfigs.cloudflare.m.crossplane.io", "--all", "--timeout="+patience.String())
	c.unprotect()
	c.kubectl("delete", "provider.pkg.crossplane.io", providerName, "--timeout="+patience.String())
	c.kubectl("delete", "managedresourceactivationpolicy", "--all")
	c.eventually(func() error {
		all, err := c.list(crdKind)
		if err != nil {
			return err
		}
		for _, crd := range all {
			if strings.HasSuffix(crd.GetName(), "cloudflare.m.crossplane.io") {
				return fmt.Errorf("the CRD %s is still there\n%s", crd.GetName(), field(&crd, "status", "conditions"))
			}
		}
		d, err := c.deployments(ofProvider())
		if err == nil && len(d) > 0 {
			err = fmt.Errorf("the deployment %s is still there", d[0].Name)
		}
		return err
	})
	for _, r := range c.cloudflare.Requests()[from:] {
		if r.Writes() {
			c.t.Errorf("uninstalling wrote to Cloudflare: %s", r)
		}
	}
	if now := len(c.cloudflare.Records(c.cloudflare.zone)); now != records {
		c.t.Errorf("there were %d records, and are %d", records, now)
	}
}

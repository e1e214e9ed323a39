// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

//nolint:gochecknoglobals // A constant but for its type.
var recordKind = schema.GroupVersionKind{Group: "dns.cloudflare.m.crossplane.io", Version: "v1alpha1", Kind: "Record"}

// examples applies every example of the active kinds.
func examples(c *cluster) {
	// the records of the examples of adoption and observation
	for _, body := range []map[string]any{
		{"type": "A", "name": "legacy", "content": "192.0.2.200", "ttl": 300},
		{"type": "TXT", "name": "_acme-challenge", "content": "made by another tool", "ttl": 300},
	} {
		if _, err := c.cloudflare.CreateRecord(c.cloudflare.zone, body); err != nil {
			c.t.Fatal(err)
		}
	}
	began := time.Now()
	c.withAccount()
	args := []string{"apply"}
	for _, of := range []string{
		"zone", "record", "dnssec", "regionalhostname", "rulesetrule", "tunnel", "tunnelingress",
		"accessapplication", "accesspolicy", "accessgroup", "accessidentityprovider", "accessservicetoken",
		"r2bucket", "r2bucketcors", "r2bucketlifecycle", "r2customdomain", "accounttoken", "healthcheck", "failover",
	} {
		args = append(args, "-f", example(of))
	}
	c.kubectl(append(args, "-f", example("origin-tls", "certificate.yaml"), "-f", example("origin-tls", "ingress.yaml"))...)
	c.settled()
	c.took("every example from apply to Ready", began)
}

// withAccount sets the account of the examples' kinds in their ProviderConfig.
func (c *cluster) withAccount() {
	config := c.manifestOf(example("providerconfig", "providerconfig.yaml"))
	c.must(unstructured.SetNestedField(config.Object, c.cloudflare.account, "spec", "accountId"))
	c.apply(config.Object)
}

// getManaged checks what users see with kubectl get managed.
func getManaged(c *cluster) {
	out := c.kubectl("get", "managed", "-n", "default", "-o", "wide")
	for _, want := range []string{
		"record.dns.cloudflare.m.crossplane.io/example-a ", "zone.zone.cloudflare.m.crossplane.io/example-zone ",
		"rulesetrule.ruleset.cloudflare.m.crossplane.io/example-block-admin ", "EXTERNAL-NAME", "FQDN",
	} {
		if !strings.Contains(out, want) {
			c.t.Errorf("kubectl get managed does not show %q", want)
		}
	}
}

// driftReverted edits a record in the dashboard, and checks that the provider reverts it.
func driftReverted(c *cluster) {
	r, err := c.object(recordKind, "default", "example-a")
	c.must(err)
	id, want := field(r, "status", "atProvider", "id"), field(r, "spec", "forProvider", "content")
	// The content is new each time, because the events of the last time still exist.
	edited := fmt.Sprintf("203.0.113.%d", 66+len(c.said))
	if _, err := c.cloudflare.PatchRecord(c.cloudflare.zone, id, map[string]any{"content": edited}); err != nil {
		c.t.Fatal(err)
	}
	began := time.Now()
	c.eventually(func() error {
		live, ok := c.cloudflare.Record(c.cloudflare.zone, id)
		switch {
		case !ok:
			return errors.New("the record is gone")
		case live.Content != want:
			return fmt.Errorf("its content is %s", live.Content)
		}
		return nil
	})
	c.took("drift from edit to revert (interval 2s)", began)
	c.settled()
	out := c.kubectl("get", "events", "-n", "default", "--field-selector", "reason=DriftDetected,involvedObject.name=example-a")
	if !strings.Contains(out, "live "+edited+", desired "+want) {
		c.t.Error("no event says what was different")
	}
}

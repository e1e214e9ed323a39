// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package compositions

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// TestBucket waits until the provider has created a bucket with keys, and reads the Secret as the
// AWS SDKs and Velero do.
func TestBucket(t *testing.T) {
	t.Parallel()
	m := newTeam(t)
	r := m.compose(bucket, m.composite(bucket))
	m.allReady(r)
	name := m.ns + "-invoices"
	token, keys := m.secret("invoices-token"), m.secret("invoices")
	id, secret := string(token["accessKeyId"]), string(token["secretAccessKey"])
	if id == "" || secret == "" {
		t.Fatal("the provider's Secret has no keys")
	}
	want := map[string]string{
		"AWS_ACCESS_KEY_ID": id, "AWS_SECRET_ACCESS_KEY": secret, "AWS_REGION": "auto",
		"AWS_ENDPOINT_URL_S3": "https://" + m.account.ID + ".r2.cloudflarestorage.com", "BUCKET": name,
		"cloud": "[default]\naws_access_key_id=" + id + "\naws_secret_access_key=" + secret + "\n",
	}
	for key, value := range want {
		if string(keys[key]) != value {
			t.Errorf("%s in the Secret has %d bytes and is not what is wanted", key, len(keys[key]))
		}
	}
	if len(keys) != len(want) {
		t.Errorf("the Secret has %d keys, want %d: the token is not for the team", len(keys), len(want))
	}
	readme(t, bucket, list(r))

	tokens := shared.cloud.Sim.Resources("/accounts/" + m.account.ID + "/tokens")
	if len(tokens) != 1 {
		t.Fatalf("there are %d tokens, want one", len(tokens))
	}
	policies, _ := tokens[0]["policies"].([]any)
	if len(policies) != 1 {
		t.Fatalf("the token has the policies %v", policies)
	}
	policy, _ := policies[0].(map[string]any)
	resources := map[string]any{"com.cloudflare.edge.r2.bucket." + m.account.ID + "_default_" + name: "*"}
	if diff := cmp.Diff(any(resources), policy["resources"]); diff != "" {
		t.Errorf("what the keys are for (-want +got):\n%s", diff)
	}
	if got := text(r.xr, "status"); text(r.xr, "status", "bucket") != name || text(r.xr, "status", "secret") != "invoices" {
		t.Errorf("the status is %s", got)
	}
	if got := text(read(t, bucket, "job.yaml"), "spec", "template", "spec", "containers"); !strings.Contains(got, "secretRef:map[name:invoices]") || !strings.Contains(got, "$(BUCKET)") {
		t.Errorf("the Job does not take what is in the Secret: %s", got)
	}
	m.gone(r.composed["keys"], r.composed["bucket"])
	if left := shared.cloud.Sim.Resources("/accounts/" + m.account.ID + "/tokens"); len(left) != 0 {
		t.Errorf("%d tokens are left", len(left))
	}
}

// TestBucketsOfOneName has two teams whose buckets have the same name at Cloudflare. The second
// team gets neither the bucket nor its keys.
func TestBucketsOfOneName(t *testing.T) {
	t.Parallel()
	first := newTeam(t)
	second := joinIn(t, metav1.ObjectMeta{Name: first.ns + "-invoices"}, first.account, first.zone)
	other := first.composite(bucket)
	other.SetNamespace(second.ns)
	other.SetName("of-mine")
	mine := first.composite(bucket)
	mine.SetName("invoices-of-mine")
	first.compose(bucket, mine)

	second.Create(other)
	r := second.pass(bucket, other, rendering{})
	second.refused(r.composed["bucket"].DeepCopy())
	for range 2 {
		r = second.pass(bucket, other, r)
	}
	if r.composed["keys"] != nil {
		t.Errorf("a team gets keys for a bucket that is not its own:\n%s", r.text)
	}
	if tokens := shared.cloud.Sim.Resources("/accounts/" + first.account.ID + "/tokens"); len(tokens) != 1 {
		t.Errorf("there are %d tokens, want those of the first alone", len(tokens))
	}
}

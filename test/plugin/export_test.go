// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package plugin

import (
	"bytes"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/yaml"

	dnsv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
	cfv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/v1alpha1"
	zonev1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/zone/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/dnsrecord"
	"github.com/provider-cloudflare/provider-cloudflare/test/harness"
	"github.com/provider-cloudflare/provider-cloudflare/test/manifest"
	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

// zoneName is the zone of the examples.
const zoneName = "example.com"

// A world is the account of one test, with a zone and a token.
type world struct {
	*suite
	harness.Objects

	zone  simulator.Zone
	token string
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{suite: shared, Objects: harness.Objects{T: t, Kube: shared.kube, Patience: patience}}
	account := w.sim.AddAccount(t.Name())
	var err error
	if w.zone, err = w.sim.AddZone(account.ID, zoneName, simulator.ZoneOptions{Plan: simulator.PlanEnterprise}); err != nil {
		t.Fatal(err)
	}
	w.token = w.sim.AddToken(simulator.TokenOptions{Grants: []simulator.Grant{{Account: account.ID, Permission: simulator.Everything}}})
	return w
}

// namespace creates a namespace with a ProviderConfig.
func (w *world) namespace() string {
	w.T.Helper()
	ns := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{GenerateName: "p-"}}
	w.Create(ns)
	w.Create(&corev1.Secret{
		ObjectMeta: metav1.ObjectMeta{Name: "cloudflare", Namespace: ns.Name},
		StringData: map[string]string{"token": w.token},
	})
	w.Create(&cfv1alpha1.ProviderConfig{
		ObjectMeta: metav1.ObjectMeta{Name: "default", Namespace: ns.Name},
		Spec: cfv1alpha1.ProviderConfigSpec{
			CommonSpec:  cfv1alpha1.CommonSpec{AccountID: &w.zone.AccountID},
			Credentials: cfv1alpha1.Credentials{SecretRef: cfv1alpha1.LocalSecretKeySelector{Name: "cloudflare", Key: "token"}},
		},
	})
	return ns.Name
}

// plugin runs the plugin. It fails the test if the plugin fails.
func (w *world) plugin(env []string, args ...string) (stdout, stderr string) {
	w.T.Helper()
	stdout, stderr, err := w.try(env, args...)
	if err != nil {
		w.T.Fatalf("kubectl cloudflare %s: %v: %s", strings.Join(args, " "), err, stderr)
	}
	return stdout, stderr
}

func (w *world) try(env []string, args ...string) (stdout, stderr string, err error) {
	cmd := exec.CommandContext(w.T.Context(), w.binary, args...)
	cmd.Env = append([]string{"HOME=" + w.T.TempDir(), "CLOUDFLARE_API_URL=" + w.url}, env...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err = cmd.Run()
	return out.String(), errs.String(), err
}

// calls returns the plugin's requests among those after the first ones, whose number is before.
// The provider makes requests, too.
func (w *world) calls(before int) []simulator.LoggedRequest {
	return slices.DeleteFunc(w.sim.Requests()[before:], func(r simulator.LoggedRequest) bool { return !strings.HasPrefix(r.UserAgent, "kubectl-cloudflare/") })
}

// everyType creates the records of the examples, which have all types.
func (w *world) everyType() {
	w.T.Helper()
	ns := w.namespace()
	var all []client.Object
	paths, err := filepath.Glob(filepath.Join("..", "..", "examples", "record", "*.yaml"))
	if err != nil {
		w.T.Fatal(err)
	}
	for _, path := range append(paths, filepath.Join("..", "..", "examples", "zone", "zone.yaml")) {
		if slices.Contains([]string{"adopt.yaml", "observe.yaml"}, filepath.Base(path)) {
			continue // They are about foreign records.
		}
		objects, err := manifest.Read(path)
		if err != nil {
			w.T.Fatal(err)
		}
		for _, o := range objects {
			o.SetNamespace(ns)
			w.Create(o)
			all = append(all, o)
		}
	}
	for _, o := range all {
		mg := typed(w.T, o)
		w.Settled(mg)
		harness.Edit(w.Objects, mg, func(mg resource.Managed) {
			switch mg := mg.(type) {
			case *dnsv1alpha1.Record:
				mg.Spec.DeletionPolicy = xpv2.DeletionOrphan
			case *zonev1alpha1.Zone:
				mg.Spec.DeletionPolicy = xpv2.DeletionOrphan
			}
		})
		w.Delete(mg)
		w.Gone(mg, func() string { return harness.Conditions(mg) })
	}
	types := map[string]bool{}
	for _, r := range w.sim.Records(w.zone.ID) {
		types[r.Type] = true
	}
	for _, typ := range dnsrecord.Types() {
		if !types[typ] {
			w.T.Errorf("no record of type %s was made", typ)
		}
	}
}

// typed returns an object as a managed resource of its type.
func typed(t *testing.T, o client.Object) resource.Managed {
	t.Helper()
	u, err := runtime.DefaultUnstructuredConverter.ToUnstructured(o)
	if err != nil {
		t.Fatal(err)
	}
	var mg resource.Managed = &dnsv1alpha1.Record{}
	if o.GetObjectKind().GroupVersionKind().Kind == zonev1alpha1.ZoneKind {
		mg = &zonev1alpha1.Zone{}
	}
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(u, mg); err != nil {
		t.Fatal(err)
	}
	return mg
}

// dashboard creates records that no example has.
func (w *world) dashboard() (left int) {
	w.T.Helper()
	for _, body := range []map[string]any{
		{"type": "TXT", "name": "bytes", "content": `"\000\001\"\\\200\255" "second"`, "ttl": 60},
		{"type": "TXT", "name": "long", "content": strings.Repeat("x", 600), "comment": "long; see #1", "tags": []any{"team:dns", "a:b"}},
		{"type": "CNAME", "name": "*.wild", "content": "www.example.net", "proxied": true},
		{"type": "CNAME", "name": "flat", "content": "www.example.net", "settings": map[string]any{"flatten_cname": true}},
		{"type": "A", "name": "many", "content": "192.0.2.1"},
		{"type": "A", "name": "many", "content": "192.0.2.2"},
		{"type": "A", "name": "xn--bcher-kva", "content": "192.0.2.3"},
		{"type": "A", "name": "example.com.example.com", "content": "192.0.2.4"},
	} {
		if _, err := w.sim.CreateRecord(w.zone.ID, body); err != nil {
			w.T.Fatalf("cannot create %v: %v", body, err)
		}
	}
	for _, body := range []map[string]any{
		{"type": "A", "name": "owned", "content": "192.0.2.5"},
		{"type": "TXT", "name": "a-owned", "content": `"heritage=external-dns,external-dns/owner=x,external-dns/resource=service/a/b"`},
		{"type": "TXT", "name": "_acme-challenge", "content": "made by another tool"},
		{"type": "MX", "name": "mail", "content": "route1.mx.cloudflare.net", "priority": 1},
	} {
		r, err := w.sim.CreateRecord(w.zone.ID, body)
		if err != nil {
			w.T.Fatalf("cannot create %v: %v", body, err)
		}
		left++
		if body["type"] == "MX" {
			if err := w.sim.SetRecordMeta(w.zone.ID, r.ID, map[string]any{"email_routing": true, "read_only": true}); err != nil {
				w.T.Fatal(err)
			}
		}
	}
	return left
}

// objects creates the objects of a stream.
func (w *world) objects(stream string) []*unstructured.Unstructured {
	w.T.Helper()
	var out []*unstructured.Unstructured
	for doc := range strings.SplitSeq(stream, "\n---\n") {
		o := &unstructured.Unstructured{}
		if err := yaml.UnmarshalStrict([]byte(doc), &o.Object); err != nil {
			w.T.Fatalf("%v: %s", err, doc)
		}
		w.Create(o)
		out = append(out, o)
	}
	return out
}

// settled waits until an object is Ready, Synced and UpToDate.
func (w *world) settled(o *unstructured.Unstructured) {
	w.T.Helper()
	harness.Until(w.Objects, o, func(o *unstructured.Unstructured) error {
		status := conditions(o)
		for _, c := range []string{"Ready", "Synced", "UpToDate"} {
			if !strings.Contains(status, c+"=True ") {
				return fmt.Errorf("%s %s is not settled: %s", o.GetKind(), o.GetName(), status)
			}
		}
		return nil
	})
}

func conditions(o *unstructured.Unstructured) string {
	var out strings.Builder
	all, _, _ := unstructured.NestedSlice(o.Object, "status", "conditions")
	for _, c := range all {
		if c, ok := c.(map[string]any); ok {
			fmt.Fprintf(&out, "%v=%v %v %v; ", c["type"], c["status"], c["reason"], c["message"])
		}
	}
	return out.String()
}

// applied creates the objects of a stream, and waits until all are as declared.
func (w *world) applied(stream string) []resource.Managed {
	w.T.Helper()
	var out []resource.Managed
	for _, o := range w.objects(stream) {
		out = append(out, typed(w.T, o))
	}
	for _, mg := range out {
		w.Settled(mg)
	}
	return out
}

// TestExportedZone exports a zone with records of every type, some of them with other owners.
// Applying the output changes nothing at Cloudflare, whether the objects observe or manage, and
// each object becomes Ready and UpToDate.
func TestExportedZone(t *testing.T) {
	w := newWorld(t)
	w.everyType()
	left := w.dashboard()
	live := w.sim.Records(w.zone.ID)
	token := []string{"CLOUDFLARE_API_TOKEN=" + w.token}

	for _, manage := range []bool{false, true} {
		ns := w.namespace()
		before := len(w.sim.Requests())
		args := []string{"export", "zone", zoneName, "--namespace", ns}
		if manage {
			args = append(args, "--manage")
		}
		stdout, stderr := w.plugin(token, args...)
		if calls := w.calls(before); len(calls) != 2 {
			t.Errorf("the export takes %d calls, want 2: %v", len(calls), calls)
		}
		if n := strings.Count(stderr, "left out: "); n != left {
			t.Errorf("%d records are left out, want %d: %s", n, left, stderr)
		}
		again, _ := w.plugin(token, args...)
		if again != stdout {
			t.Errorf("the second export differs: %s", cmp.Diff(stdout, again))
		}
		before = len(w.sim.Requests())
		objects := w.applied(stdout)
		if want := len(live) - left + 1; len(objects) != want {
			t.Errorf("there are %d objects, want %d", len(objects), want)
		}
		for _, r := range w.sim.Requests()[before:] {
			if r.Method != http.MethodGet {
				t.Errorf("something was written with manage %t: %s %s", manage, r.Method, r.Path)
			}
		}
		if diff := cmp.Diff(live, w.sim.Records(w.zone.ID)); diff != "" {
			t.Errorf("the zone has changed: %s", diff)
		}
		w.remove(objects)
	}
}

// remove deletes objects and keeps their resources.
func (w *world) remove(objects []resource.Managed) {
	w.T.Helper()
	for _, mg := range objects {
		if r, ok := mg.(*dnsv1alpha1.Record); ok {
			harness.Edit(w.Objects, r, func(r *dnsv1alpha1.Record) { r.Spec.DeletionPolicy = xpv2.DeletionOrphan })
		}
		w.Delete(mg)
	}
	for _, mg := range objects {
		w.Gone(mg, func() string { return harness.Conditions(mg) })
	}
}

// TestCredentials reads the API token from each possible place. Each error names the places,
// and none contains the token.
func TestCredentials(t *testing.T) {
	w := newWorld(t)
	ns := w.namespace()
	file := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(file, []byte(w.token+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	wrong := "CLOUDFLARE_API_TOKEN=0000000000000000000000000000000000000000"
	cluster := "KUBECONFIG=" + w.kubeconfig
	for name, tc := range map[string]struct {
		env  []string
		args []string
		want string
	}{
		"Environment":   {env: []string{"CLOUDFLARE_API_TOKEN=" + w.token}},
		"File":          {env: []string{wrong}, args: []string{"--token-file", file}},
		"Cluster":       {env: []string{cluster}, args: []string{"-n", ns}},
		"NamedConfig":   {env: []string{cluster, wrong}, args: []string{"-n", ns, "--provider-config", "default"}},
		"NoConfig":      {env: []string{cluster}, args: []string{"-n", ns, "--provider-config", "absent"}, want: "cannot get the ProviderConfig absent in namespace " + ns},
		"ClusterConfig": {env: []string{cluster}, args: []string{"--cluster-provider-config", "absent"}, want: "cannot get the ClusterProviderConfig absent"},
		"NoCluster":     {want: "set --token-file or CLOUDFLARE_API_TOKEN"},
		"NoFile":        {args: []string{"--token-file", file + "s"}, want: "cannot read the API token"},
		"Empty":         {env: []string{"CLOUDFLARE_API_TOKEN="}, want: "environment variable CLOUDFLARE_API_TOKEN"},
		"Refused":       {env: []string{wrong}, want: "cannot look up zone"},
		"NoZone":        {env: []string{"CLOUDFLARE_API_TOKEN=" + w.token}, args: []string{"--account-id", w.zone.ID}, want: `there is no zone "example.com" that this credential can see`},
		"Type":          {args: []string{"--type", "SPF"}, want: `"SPF" is no type of record`},
		"Pattern":       {args: []string{"--name", "["}, want: `"[" is no pattern of names`},
		"Format":        {args: []string{"-o", "xml"}, want: `--output: "xml" is no format: use yaml or json`},
	} {
		t.Run(name, func(t *testing.T) {
			stdout, stderr, err := w.try(tc.env, append([]string{"export", "zone", zoneName}, tc.args...)...)
			switch {
			case tc.want == "" && (err != nil || !strings.Contains(stdout, w.zone.ID)):
				t.Errorf("%v: %s%s", err, stdout, stderr)
			case tc.want != "" && (err == nil || !strings.Contains(stderr, tc.want) || stdout != ""):
				t.Errorf("it says %q, want %q in it (%v, %q)", stderr, tc.want, err, stdout)
			}
			if strings.Contains(stdout+stderr, w.token) {
				t.Error("the token is shown")
			}
		})
	}
}

// TestOutput checks the formats and the places of the output.
func TestOutput(t *testing.T) {
	w := newWorld(t)
	for _, body := range []map[string]any{
		{"type": "A", "name": "www", "content": "192.0.2.1"},
		{"type": "TXT", "name": "www", "content": "text"},
		{"type": "A", "name": "a.dev", "content": "192.0.2.2"},
	} {
		if _, err := w.sim.CreateRecord(w.zone.ID, body); err != nil {
			t.Fatal(err)
		}
	}
	dir := filepath.Join(t.TempDir(), "new")
	for _, tc := range []struct {
		args   []string
		want   []string
		reason string
	}{
		{nil, []string{"example.com", "a.dev.example.com-a-", "www.example.com-a-", "www.example.com-txt-"}, "all"},
		{[]string{"--type", "A"}, []string{"example.com", "a.dev.example.com-a-", "www.example.com-a-"}, "one type"},
		{[]string{"--name", "*.dev"}, []string{"example.com", "a.dev.example.com-a-"}, "a pattern of names in the zone"},
		{[]string{"--name", "www.example.com", "--type", "TXT,MX"}, []string{"example.com", "www.example.com-txt-"}, "a whole name, and types"},
	} {
		stdout, _ := w.plugin([]string{"CLOUDFLARE_API_TOKEN=" + w.token}, append([]string{"export", "zone", zoneName, "-o", "json"}, tc.args...)...)
		list := &unstructured.UnstructuredList{}
		if err := yaml.UnmarshalStrict([]byte(stdout), list); err != nil {
			t.Fatal(err)
		}
		var got []string
		for i := range list.Items {
			got = append(got, list.Items[i].GetName())
		}
		if !slices.EqualFunc(got, tc.want, strings.HasPrefix) {
			t.Errorf("%s: %q, want %q", tc.reason, got, tc.want)
		}
	}
	if stdout, _ := w.plugin([]string{"CLOUDFLARE_API_TOKEN=" + w.token}, "export", "zone", zoneName, "--output-dir", dir); stdout != "" {
		t.Errorf("it prints %q", stdout)
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.yaml"))
	if err != nil || len(files) != 4 || filepath.Base(files[3]) != "zone-example.com.yaml" {
		t.Errorf("the folder has %q (%v)", files, err)
	}
}

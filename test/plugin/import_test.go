// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package plugin

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"

	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kinds"
)

// A row is a resource in a state file.
type row struct {
	Mode      string     `json:"mode"`
	Type      string     `json:"type"`
	Name      string     `json:"name"`
	Instances []instance `json:"instances"`
}

type instance struct {
	Attributes map[string]any `json:"attributes"`
}

func rowOf(typ string, n int, attributes map[string]any) row {
	return row{Mode: "managed", Type: typ, Name: fmt.Sprintf("r%d", n), Instances: []instance{{attributes}}}
}

// stateFile writes a state file.
func (w *world) stateFile(rows []row) string {
	w.T.Helper()
	raw, err := json.Marshal(map[string]any{"version": 4, "terraform_version": "1.9.0", "resources": rows})
	if err != nil {
		w.T.Fatal(err)
	}
	path := filepath.Join(w.T.TempDir(), "terraform.tfstate")
	if err := os.WriteFile(path, raw, 0o600); err != nil {
		w.T.Fatal(err)
	}
	return path
}

// attributes returns the attributes that version 5 of the Terraform provider has for an
// exported object.
func (w *world) attributes(d kind.Description, externalName string) map[string]any {
	parts := strings.Split(externalName, "/")
	out := map[string]any{"id": parts[len(parts)-1], "name": "what it is now, Cloudflare knows"}
	if d.Scope.InAccount() {
		out["account_id"] = w.zone.AccountID
	}
	if d.Scope == kind.Zone {
		out["zone_id"] = w.zone.ID
	}
	if d.Shape == kind.Singleton {
		op, _ := kind.ParseOperation(d.Read)
		for i, parameter := range op.Parameters() {
			if i < len(parts) {
				out[parameter] = parts[i]
			}
		}
	}
	return out
}

// TestImportedState imports a state with a resource of every type that has a kind. Applying the
// output changes nothing at Cloudflare, and each object becomes Ready and UpToDate.
func TestImportedState(t *testing.T) {
	w := newWorld(t)
	w.everyKind()
	token := []string{"CLOUDFLARE_API_TOKEN=" + w.token}
	ns := w.namespace()
	exported, _ := w.plugin(token, "export", "account", "--namespace", ns)
	var rows []row
	want := map[string]bool{}
	for doc := range strings.SplitSeq(exported, "\n---\n") {
		o := &unstructured.Unstructured{}
		if err := yaml.UnmarshalStrict([]byte(doc), &o.Object); err != nil {
			t.Fatal(err)
		}
		at := slices.IndexFunc(kinds.All(), func(d kind.Description) bool { return d.Name == o.GetKind() })
		if at < 0 {
			continue // The zone must stay.
		}
		d := kinds.All()[at]
		if d.Terraform == "" {
			continue // no state has it
		}
		want[d.Name] = true
		rows = append(rows, rowOf(d.Terraform, len(rows), w.attributes(d, o.GetAnnotations()["crossplane.io/external-name"])))
	}
	rows = append(rows,
		rowOf("cloudflare_page_rule", len(rows), map[string]any{"id": "1"}),
		rowOf("cloudflare_load_balancer_pool", len(rows)+1, map[string]any{"id": strings.Repeat("0", 32)}))
	state := w.stateFile(rows)

	stdout, stderr := w.plugin(token, "import", "terraform", state, "--namespace", ns, "--manage")
	for _, text := range []string{
		"left out: cloudflare_page_rule.r" + fmt.Sprint(len(rows)-2) + ": there is no kind for it\n",
		"left out: cloudflare_load_balancer_pool.r" + fmt.Sprint(len(rows)-1) + ": the credential sees no such resource",
		" 2 left out\n",
		"only observed: Worker",
	} {
		if !strings.Contains(stderr, text) {
			t.Errorf("it does not say %q: %s", text, stderr)
		}
	}
	before := len(w.sim.Requests())
	has := map[string]bool{}
	for _, o := range w.objects(stdout) {
		w.settled(o)
		has[o.GetKind()] = true
	}
	for name := range want {
		if !has[name] {
			t.Errorf("there is no object of kind %s", name)
		}
	}
	if has["Zone"] || has["Record"] {
		t.Error("there are objects of what the state does not have")
	}
	for _, r := range w.sim.Requests()[before:] {
		if r.Method != http.MethodGet {
			t.Errorf("something was written: %s %s", r.Method, r.Path)
		}
	}
}

// TestImportedRecords imports records of all types from a state of version 4 of the Terraform
// provider, with and without their zone.
func TestImportedRecords(t *testing.T) {
	w := newWorld(t)
	w.everyType()
	token := []string{"CLOUDFLARE_API_TOKEN=" + w.token}
	ns := w.namespace()
	live := w.sim.Records(w.zone.ID)
	var rows []row
	for i, r := range live[1:] {
		rows = append(rows, rowOf("cloudflare_record", i, map[string]any{"id": r.ID, "zone_id": w.zone.ID, "hostname": r.Name, "value": "of last year"}))
	}
	before := len(w.sim.Requests())
	stdout, stderr := w.plugin(token, "import", "terraform", w.stateFile(rows), "--namespace", ns)
	if calls := w.calls(before); len(calls) != 2 {
		t.Errorf("the import of %d records takes %d calls, want 2: %v", len(rows), len(calls), calls)
	}
	if n := strings.Count(stdout, "\nkind: Record\n"); n != len(rows) || strings.Contains(stdout, live[0].ID) || strings.Contains(stdout, "kind: Zone\n") {
		t.Errorf("%d of %d records, and perhaps others: %s", n, len(rows), stderr)
	}
	if strings.Contains(stdout, "zoneIdRef") || strings.Count(stdout, "zoneId: "+w.zone.ID) != len(rows) {
		t.Error("a record refers to a Zone that nobody imports")
	}
	before = len(w.sim.Requests())
	w.applied(stdout)
	for _, r := range w.sim.Requests()[before:] {
		if r.Method != http.MethodGet {
			t.Errorf("something was written: %s %s", r.Method, r.Path)
		}
	}

	rows = append(rows, rowOf("cloudflare_record", len(rows), map[string]any{"id": live[0].ID, "zone_id": w.zone.ID}),
		rowOf("cloudflare_zone", len(rows)+1, map[string]any{"id": w.zone.ID, "zone": zoneName}))
	imported, _ := w.plugin(token, "import", "terraform", w.stateFile(rows), "--namespace", ns)
	exported, _ := w.plugin(token, "export", "zone", zoneName, "--namespace", ns)
	if imported != exported {
		t.Error("a state that has all of a zone gives other manifests than the export of the zone")
	}

	if _, stderr, err := w.try(token, "import", "terraform", "import_test.go"); err == nil || !strings.Contains(stderr, "import_test.go: cannot read the state") {
		t.Errorf("of a file that is no state it says %q", stderr)
	}
}

// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package docs

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/provider-cloudflare/provider-cloudflare/test/page"
	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

// terraformRecords returns how many records the SRE of the walkthrough has, beside one of each
// shape. In make nightly (CHANCE=1) they are as many as a large company has.
func terraformRecords() int {
	if os.Getenv("CHANCE") == "1" {
		return 9000
	}
	return 200
}

// perBatch is the most creations in a batch on a free plan.
const perBatch = 200

// A preparation is the state that a page of a walkthrough needs beyond the result of the pages
// before it.
type preparation struct {
	records func() []map[string]any
	files   func(context.Context, simulated) (map[string][]byte, error)
}

var preparations = map[string]preparation{
	"docs/how-to/migrate-from-terraform.md":    {records: recordsOfSRE, files: stateOfSRE},
	"docs/how-to/migrate-from-external-dns.md": {records: func() []map[string]any { return setups["docs/how-to/migrate-from-external-dns.md"].records }},
}

// TestWalkthroughs runs the walkthroughs of docs/README.md that need no Crossplane, each in an
// empty cluster of its own.
func TestWalkthroughs(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile(filepath.Join(root, page.WalkthroughsPage))
	if err != nil {
		t.Fatal(err)
	}
	all, err := page.Walkthroughs(string(raw))
	if err != nil || len(all) != 6 {
		t.Fatalf("there are %d walkthroughs, want 6 (%v)", len(all), err)
	}
	walked := map[string]bool{}
	for _, w := range all {
		for _, p := range w.Pages {
			walked[p] = true
		}
		if w.WithCrossplane() {
			continue // test/e2e runs it.
		}
		t.Run(w.Who, func(t *testing.T) {
			t.Parallel()
			walk(t, w)
		})
	}
	for path, s := range setups {
		if s.walked && !walked[path] {
			t.Errorf("no walkthrough has %s", path)
		}
	}
}

// walk runs the pages, each up to its part about the clean-up or the uninstallation.
func walk(t *testing.T, w page.Walkthrough) {
	t.Helper()
	r := newReader(t, readPage(t, w.Pages[0]))
	r.patience = 2 * patience
	if r.setup.checkout {
		r.beginCheckout()
	} else {
		r.beginEmpty()
		// A free plan has room for fewer records than the SRE has.
		r.setup.replace["--zone example.com"] = "--zone example.com --plan enterprise"
	}
	for i, name := range w.Pages {
		p := readPage(t, name)
		r.page = p.Before("clean-up", "uninstall")
		if i > 0 {
			r.proceed(setups[name], preparations[name])
		}
		r.follow()
	}
	if r.tally.commands == 0 || len(r.page.Blocks) == 0 {
		t.Errorf("nothing was run: %s", &r.tally)
	}
	t.Logf("%s", &r.tally)
}

// proceed provides the initial state of a later page.
func (r *reader) proceed(s setup, before preparation) {
	r.t.Helper()
	sim, err := r.simulated()
	if err != nil {
		r.t.Fatal(err)
	}
	r.env = append(r.env, "CLOUDFLARE_API_URL="+sim.URL)
	r.api, r.setup = sim.URL, setup{replace: s.replace, token: sim.token(), zone: sim.zone()}
	if before.records == nil {
		return
	}
	if err := sim.create(r.t.Context(), before.records()); err != nil {
		r.t.Fatal(err)
	}
	if before.files == nil {
		return
	}
	files, err := before.files(r.t.Context(), sim)
	if err != nil {
		r.t.Fatal(err)
	}
	for name, text := range files {
		if err := r.write(name, string(text)); err != nil {
			r.t.Fatal(err)
		}
	}
}

// A simulated is the account of the simulator that the page started. The first line of the
// simulator's output has it.
type simulated struct {
	URL    string            `json:"url"`
	Tokens []string          `json:"tokens"`
	Zones  map[string]string `json:"zones"`
}

func (r *reader) simulated() (simulated, error) {
	s := simulated{}
	raw, err := os.ReadFile(filepath.Join(r.dir, "cfsim.json"))
	if err == nil {
		err = json.Unmarshal(raw, &s)
	}
	if err == nil && (len(s.Tokens) == 0 || s.zone() == "") {
		err = errors.New("it names no token, or no zone")
	}
	if err != nil {
		return s, fmt.Errorf("cannot read what the simulator says: %w", err)
	}
	return s, nil
}

func (s *simulated) token() string { return s.Tokens[0] }

func (s *simulated) zone() string { return s.Zones[zoneName] }

// create creates records in batches, without the provider.
func (s *simulated) create(ctx context.Context, records []map[string]any) error {
	for batch := range slices.Chunk(records, perBatch) {
		if err := s.call(ctx, http.MethodPost, "/dns_records/batch", map[string]any{"posts": batch}, nil); err != nil {
			return err
		}
	}
	return nil
}

// records returns the records of the zone.
func (s *simulated) records(ctx context.Context) (out []simulator.Record, err error) {
	for n := 1; ; n++ {
		var some []simulator.Record
		if err := s.call(ctx, http.MethodGet, fmt.Sprintf("/dns_records?per_page=5000&page=%d", n), nil, &some); err != nil || len(some) == 0 {
			return out, err
		}
		out = append(out, some...)
	}
}

// call makes a request below the zone's path.
func (s *simulated) call(ctx context.Context, method, path string, body, into any) error {
	raw, err := json.Marshal(body)
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, method, s.URL+"/zones/"+s.zone()+path, bytes.NewReader(raw))
	if err != nil {
		return err
	}
	req.Header.Set("Authorization", "Bearer "+s.token())
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	answer := struct {
		Success bool `json:"success"`
		Errors  []any
		Result  any `json:"result"`
	}{Result: into}
	if err := errors.Join(json.NewDecoder(resp.Body).Decode(&answer), resp.Body.Close()); err != nil {
		return err
	}
	if !answer.Success {
		return fmt.Errorf("the simulator refuses %s %s: %v", method, path, answer.Errors)
	}
	return nil
}

// recordsOfSRE returns a record of each shape, and many more.
func recordsOfSRE() []map[string]any {
	out := zoneOfTerraform()
	for i := range terraformRecords() {
		out = append(out, map[string]any{"type": "AAAA", "name": fmt.Sprintf("host-%05d", i), "content": fmt.Sprintf("2001:db8::%x", i+1), "ttl": 300})
	}
	return out
}

// stateOfSRE returns the Terraform state of all records except those of the first page. The
// many records come last.
func stateOfSRE(ctx context.Context, s simulated) (map[string][]byte, error) {
	records, err := s.records(ctx)
	if err != nil {
		return nil, err
	}
	zone := struct{ Account struct{ ID string } }{}
	if err := s.call(ctx, http.MethodGet, "", nil, &zone); err != nil {
		return nil, err
	}
	records = slices.DeleteFunc(records, func(r simulator.Record) bool { return strings.HasPrefix(r.Name, "hello.") })
	slices.SortStableFunc(records, func(a, b simulator.Record) int {
		return strings.Compare(strings.ReplaceAll(a.Type, "AAAA", "Z"), strings.ReplaceAll(b.Type, "AAAA", "Z"))
	})
	raw, err := terraformState(s.zone(), zone.Account.ID, records)
	return map[string][]byte{"state.json": raw}, err
}

// beginCheckout provides a copy of the repository's current files, except those that git
// ignores.
func (r *reader) beginCheckout() {
	r.t.Helper()
	const copyFiles = `set -euo pipefail; git ls-files --cached --others --exclude-standard -z | tar --create --null --files-from=- --ignore-failed-read | tar --extract --directory "$1"`
	abs, err := filepath.Abs(root)
	if err != nil {
		r.t.Fatal(err)
	}
	if out, err := tool(r.t.Context(), abs, os.Environ(), nil, "/bin/bash", "-c", copyFiles, "bash", r.dir); err != nil {
		r.t.Fatalf("cannot copy the repository: %v: %s", err, out)
	}
	home := filepath.Join(r.t.TempDir(), "state")
	r.env = append(os.Environ(), "PAGE_STATE="+home, "GOWORK=off", "GOFLAGS=-buildvcs=false -trimpath")
	// Generators run git to find changes.
	if _, err := r.run("git init -q . && git add -A && git -c user.name=reader -c user.email=reader@example.com commit -qm before"); err != nil {
		r.t.Fatal(err)
	}
}

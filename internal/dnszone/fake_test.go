// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package dnszone

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/provider-cloudflare/provider-cloudflare/internal/cloudflare"
	"github.com/provider-cloudflare/provider-cloudflare/internal/dnsrecord"
)

const testZone = "023e105f4ecef8ad9ca31a8372d0c353"

// id returns the ID of the nth record.
func id(n int) string { return fmt.Sprintf("%032x", n) }

// A hook runs in the middle of a call to the fake. Its error is the error of the call.
type hook func(ctx context.Context) error

// fake is the API of one zone, in memory. Its hooks can hold a call up, or make it fail,
// before it is carried out or before it is answered.
type fake struct {
	fingerprint string
	zones       []cloudflare.Zone

	mu      sync.Mutex
	records map[string]dnsrecord.Live
	// unlisted are records that lists miss.
	unlisted map[string]bool
	// stale are the records that lists show in the place of records, if it is not nil.
	stale map[string]dnsrecord.Live
	// wrong404 answers deletions as a copy that does not have the record.
	wrong404 bool
	// maxPage is the largest page that the server returns.
	maxPage int
	// noCounts leaves the paging out of the answer.
	noCounts bool
	// next is the number of the next record, version that of the next write.
	next, version int
	// maxBatch is how many operations a batch may have, 0 any.
	maxBatch int
	// bad are the contents that are refused.
	bad map[string]bool
	// judge returns the error of a creation with that body, if it is not nil.
	judge   func(body map[string]any) error
	batches []cloudflare.Batch
	// sweepRate is the calls a second that sweeps may make.
	sweepRate float64
	// room is how many records the zone may hold, 0 any.
	room int
	// refuseEqual refuses records whose key exists.
	refuseEqual bool
	// empty makes the answer to a creation an empty object.
	empty bool
	// rewrite spoils the answers of batches.
	rewrite       func(*batchAnswer)
	calls         map[string]int
	before, after map[string]hook
}

func newFake(records ...dnsrecord.Live) *fake {
	f := &fake{
		fingerprint: "f", records: map[string]dnsrecord.Live{}, unlisted: map[string]bool{}, maxPage: 5000, next: 1000,
		calls: map[string]int{}, before: map[string]hook{}, after: map[string]hook{},
		zones: []cloudflare.Zone{{ID: testZone, Name: "example.com"}},
	}
	for _, l := range records {
		f.records[l.ID] = l
	}
	return f
}

// a returns a live A record.
func a(n int, name, content string) dnsrecord.Live {
	return dnsrecord.Live{ID: id(n), Name: name + ".example.com", Type: "A", Content: content, TTL: 1, Proxiable: true}
}

// wantA returns a desired A record.
func wantA(tb testing.TB, name, content string) dnsrecord.Record {
	tb.Helper()
	r, err := dnsrecord.Parse("example.com", dnsrecord.Input{Name: name, Type: "A", Content: &content})
	if err != nil {
		tb.Fatal(err)
	}
	return r
}

// gone returns the API's error for a record that does not exist.
func gone() error {
	return &cloudflare.Error{Status: 404, Details: []cloudflare.Detail{{Code: 81044, Message: "Record does not exist."}}}
}

// pass lets time pass on the clock of a synctest bubble, without a real wait.
func pass(d time.Duration) { <-time.After(d) }

func refused(status, code int) error {
	return &cloudflare.Error{Status: status, Details: []cloudflare.Detail{{Code: code, Message: "no"}}}
}

// errLost is the error of a call whose answer was lost.
var errLost = fmt.Errorf("no answer: %w", context.DeadlineExceeded)

// run runs one call: do is atomic, and answers into out.
func (f *fake) run(ctx context.Context, what string, out any, do func() (any, error)) error {
	f.mu.Lock()
	f.calls[what]++
	before, after := f.before[what], f.after[what]
	f.mu.Unlock()
	if before != nil {
		if err := before(ctx); err != nil {
			return err
		}
	}
	f.mu.Lock()
	result, err := do()
	f.mu.Unlock()
	if after != nil {
		if lost := after(ctx); lost != nil {
			return lost
		}
	}
	if err != nil || out == nil {
		return err
	}
	raw, err := json.Marshal(result)
	if err != nil {
		return err
	}
	return json.Unmarshal(raw, out)
}

func (f *fake) count(what string) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.calls[what]
}

func (f *fake) hook(m map[string]hook, what string, h hook) {
	f.mu.Lock()
	defer f.mu.Unlock()
	m[what] = h
}

// set changes a record without the Zone.
func (f *fake) set(l dnsrecord.Live) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.records[l.ID] = f.stamp(l)
}

// lag makes lists show the records of now, regardless of later changes.
func (f *fake) lag() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.stale = maps.Clone(f.records)
}

// catchUp ends lag.
func (f *fake) catchUp() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.stale = nil
}

func (f *fake) remove(id string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.records, id)
}

// stamp sets the record's time of modification from the count of versions.
func (f *fake) stamp(l dnsrecord.Live) dnsrecord.Live {
	f.version++
	l.ModifiedOn = time.Date(2026, 1, 1, 0, 0, f.version, 0, time.UTC)
	return l
}

func (f *fake) Fingerprint() string { return f.fingerprint }

func (f *fake) GetZone(ctx context.Context, id string) (cloudflare.Zone, error) {
	var z cloudflare.Zone
	err := f.run(ctx, "zone", &z, func() (any, error) {
		for _, z := range f.zones {
			if z.ID == id {
				return z, nil
			}
		}
		return nil, refused(404, 7003)
	})
	return z, err
}

func (f *fake) FindZones(ctx context.Context, name, accountID string, _ bool) ([]cloudflare.Zone, error) {
	var found []cloudflare.Zone
	err := f.run(ctx, "zones", &found, func() (any, error) {
		return slices.DeleteFunc(slices.Clone(f.zones), func(z cloudflare.Zone) bool {
			return z.Name != name || accountID != "" && z.Account.ID != accountID
		}), nil
	})
	return found, err
}

func (f *fake) ListRecords(ctx context.Context, _ string, page, perPage int, out any) (cloudflare.ResultInfo, error) {
	var info cloudflare.ResultInfo
	err := f.run(ctx, "list", out, func() (any, error) {
		records := f.records
		if f.stale != nil {
			records = f.stale
		}
		all := slices.SortedFunc(maps.Values(records), func(a, b dnsrecord.Live) int { return cmp.Compare(a.ID, b.ID) })
		all = slices.DeleteFunc(all, func(l dnsrecord.Live) bool { return f.unlisted[l.ID] })
		size := min(perPage, f.maxPage)
		if !f.noCounts {
			info = cloudflare.ResultInfo{Page: page, PerPage: size, TotalCount: len(all), TotalPages: (len(all) + size - 1) / size}
		}
		from, to := min((page-1)*size, len(all)), min(page*size, len(all))
		return all[from:to], nil
	})
	return info, err
}

func (f *fake) GetRecord(ctx context.Context, _, id string, out any) error {
	return f.run(ctx, "get", out, func() (any, error) {
		l, ok := f.records[id]
		if !ok {
			return nil, gone()
		}
		return l, nil
	})
}

func (f *fake) CreateRecord(ctx context.Context, _ string, body map[string]any, out any) error {
	return f.run(ctx, "create", out, func() (any, error) {
		made, err := f.post(body)
		if f.empty {
			return dnsrecord.Live{}, err
		}
		return made, err
	})
}

func (f *fake) PatchRecord(ctx context.Context, _, id string, body map[string]any, out any) error {
	return f.run(ctx, "patch", out, func() (any, error) {
		l, ok := f.records[id]
		if !ok {
			return nil, gone()
		}
		return f.write(l, body)
	})
}

func (f *fake) write(l dnsrecord.Live, body map[string]any) (dnsrecord.Live, error) {
	raw, err := json.Marshal(body)
	if err != nil {
		return l, err
	}
	if err := json.Unmarshal(raw, &l); err != nil {
		return l, err
	}
	l = f.stamp(l)
	f.records[l.ID] = l
	return l, nil
}

func (f *fake) DeleteRecord(ctx context.Context, _, id string) error {
	return f.run(ctx, "delete", nil, func() (any, error) {
		if _, ok := f.records[id]; !ok || f.wrong404 {
			return nil, gone()
		}
		delete(f.records, id)
		return nil, nil
	})
}

// SweepRate returns the rate that the test sets, or a high one.
func (f *fake) SweepRate() float64 { return cmp.Or(f.sweepRate, 100) }

// BatchRecords is one transaction: the first refusal undoes what came before it.
func (f *fake) BatchRecords(ctx context.Context, _ string, b cloudflare.Batch, out any) error {
	return f.run(ctx, "batch", out, func() (any, error) {
		f.batches = append(f.batches, b)
		before := maps.Clone(f.records)
		answer, err := f.batch(b)
		if err != nil {
			f.records = before
			return nil, err
		}
		return answer, nil
	})
}

func (f *fake) batch(b cloudflare.Batch) (any, error) {
	var answer batchAnswer
	for _, id := range b.Deletes {
		l, ok := f.records[id]
		if !ok {
			return nil, gone()
		}
		delete(f.records, id)
		answer.Deletes = append(answer.Deletes, l)
	}
	for _, p := range b.Patches {
		l, ok := f.records[p.ID]
		if !ok {
			return nil, gone()
		}
		now, err := f.write(l, p.Body)
		if err != nil {
			return nil, err
		}
		answer.Patches = append(answer.Patches, now)
	}
	for _, body := range b.Posts {
		made, err := f.post(body)
		if err != nil {
			return nil, err
		}
		answer.Posts = append(answer.Posts, made)
	}
	if f.maxBatch > 0 && len(b.Deletes)+len(b.Patches)+len(b.Posts) > f.maxBatch {
		return nil, refused(400, 1)
	}
	if f.rewrite != nil {
		f.rewrite(&answer)
	}
	return answer, nil
}

// post makes a record, unless the fake has to refuse it.
func (f *fake) post(body map[string]any) (dnsrecord.Live, error) {
	var none dnsrecord.Live
	if content, _ := body["content"].(string); f.bad[content] {
		return none, refused(400, 9005)
	}
	if f.judge != nil {
		if err := f.judge(body); err != nil {
			return none, err
		}
	}
	if f.room > 0 && len(f.records) >= f.room {
		return none, refused(400, 81045)
	}
	if f.refuseEqual {
		for _, l := range f.records {
			if l.Name == body["name"] && l.Type == body["type"] && l.Content == body["content"] {
				return none, refused(400, 81058)
			}
		}
	}
	f.next++
	return f.write(dnsrecord.Live{ID: id(f.next), TTL: 1}, body)
}

// sizes returns the number of operations of each batch.
func (f *fake) sizes() []int {
	var out []int
	for _, b := range f.batches {
		out = append(out, len(b.Deletes)+len(b.Patches)+len(b.Posts))
	}
	return out
}

// A gate holds calls up until it is opened, and reports each call that enters.
type gate struct{ entered, open chan struct{} }

func newGate() *gate { return &gate{entered: make(chan struct{}, 1000), open: make(chan struct{})} }

func (g *gate) hold(ctx context.Context) error {
	g.entered <- struct{}{}
	select {
	case <-g.open:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package parent

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/provider-cloudflare/provider-cloudflare/internal/cloudflare"
)

// thing is a row of the fake.
type thing struct {
	id, name, text string
	modified       time.Time
}

func (t *thing) ID() string             { return t.id }
func (t *thing) Keys() []string         { return []string{t.name} }
func (t *thing) Modified() time.Time    { return t.modified }
func (t *thing) Same(other *thing) bool { return t.name == other.name && t.text == other.text }

// fake is a collection in memory, as one credential sees it.
type fake struct {
	fingerprint string
	rate        float64
	// timed is true if rows show when they were modified.
	timed bool
	// pageSize is how many rows a page has, 0 is all.
	pageSize int
	// counted is added to how many rows a list counts.
	counted int
	// skipped is the ID of a row that lists leave out and count.
	skipped string

	mu   sync.Mutex
	rows map[string]*thing
	// stale is what lists and GETs show in the place of rows, if it is not nil.
	stale map[string]*thing
	calls map[string]int
	// before returns the error of a call of that kind, "list" or "get", if it is not nil.
	before map[string]func(ctx context.Context, id string) error
}

func newFake(rows ...*thing) *fake {
	f := &fake{
		fingerprint: "f", rate: 100, rows: map[string]*thing{}, calls: map[string]int{},
		before: map[string]func(context.Context, string) error{},
	}
	for _, r := range rows {
		f.rows[r.id] = r
	}
	return f
}

func row(id, text string) *thing { return &thing{id: id, name: "n-" + id, text: text} }

// set sets a row, as a change outside this process does.
func (f *fake) set(id, text string) *thing {
	f.mu.Lock()
	defer f.mu.Unlock()
	r := row(id, text)
	if f.timed {
		r.modified = time.Now()
	}
	f.rows[id] = r
	return r
}

func (f *fake) remove(id string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.rows, id)
}

// lag makes reads show the rows of now, regardless of later changes, until catchUp.
func (f *fake) lag() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.stale = maps.Clone(f.rows)
}

func (f *fake) catchUp() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.stale = nil
}

func (f *fake) hook(kind string, do func(ctx context.Context, id string) error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.before[kind] = do
}

func (f *fake) count(kind string) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.calls[kind]
}

// begin counts a call, and returns the rows that it reads.
func (f *fake) begin(ctx context.Context, kind, id string) (map[string]*thing, error) {
	f.mu.Lock()
	f.calls[kind]++
	rows, do := maps.Clone(f.rows), f.before[kind]
	if f.stale != nil {
		rows = f.stale
	}
	f.mu.Unlock()
	if do != nil {
		return rows, do(ctx, id)
	}
	return rows, nil
}

func (f *fake) Fingerprint() string { return f.fingerprint }

func (f *fake) SweepRate() float64 { return f.rate }

func (f *fake) List(ctx context.Context, cursor string) (Page[*thing], error) {
	rows, err := f.begin(ctx, "list", cursor)
	if err != nil {
		return Page[*thing]{}, err
	}
	ids := slices.Sorted(maps.Keys(rows))
	p := Page[*thing]{Total: len(ids) + f.counted}
	from, _ := strconv.Atoi(cursor)
	to := len(ids)
	if f.pageSize > 0 && from+f.pageSize < to {
		to = from + f.pageSize
		p.Next = strconv.Itoa(to)
	}
	for _, id := range ids[min(from, to):to] {
		if id == f.skipped {
			p.LeftOut++
			continue
		}
		again := *rows[id] // It is a copy, as if it came from the wire.
		p.Rows = append(p.Rows, &again)
	}
	return p, nil
}

func (f *fake) Get(ctx context.Context, id string) (*thing, error) {
	rows, err := f.begin(ctx, "get", id)
	if err != nil {
		return nil, err
	}
	r, ok := rows[id]
	if !ok {
		return nil, fmt.Errorf("404: %w", ErrNotFound)
	}
	again := *r
	return &again, nil
}

func apiError(status, code int) error {
	return &cloudflare.Error{Status: status, Details: []cloudflare.Detail{{Code: code, Message: "no"}}}
}

func throttled(wait time.Duration) error {
	return &cloudflare.Error{Status: http.StatusTooManyRequests, RetryAfter: wait}
}

var errLost = errors.New("connection reset")

// pass lets time go by, and waits until all goroutines are blocked again.
func pass(d time.Duration) {
	<-time.After(d)
	synctest.Wait()
}

const key = "things/account"

// A stage is a collection of a fake in a pool.
type stage struct {
	*fake

	t     *testing.T
	pool  *Pool[*thing]
	terms CollectionOptions
}

func newStage(t *testing.T, f *fake, terms CollectionOptions) *stage {
	t.Helper()
	return &stage{fake: f, t: t, pool: NewPool[*thing](Options{}), terms: terms}
}

func (s *stage) things() *Collection[*thing] { return s.pool.Collection(key, s.fake, s.terms) }

// sweep returns the IDs that a sweep reports.
func (s *stage) sweep() []string {
	s.t.Helper()
	ids := []string{}
	s.pool.Sweep(s.t.Context(), Handler{OnChange: func(c Change) {
		if c.Err != nil {
			s.t.Errorf("the sweep failed: %v", c.Err)
		}
		ids = append(ids, c.IDs...)
	}})
	return ids
}

// get returns the text of a row, "" if the row is proven not to exist.
func (s *stage) get(id string) string {
	s.t.Helper()
	r, err := s.things().Get(s.t.Context(), id)
	switch {
	case errors.Is(err, ErrNotFound):
		return ""
	case err != nil:
		s.t.Fatalf("cannot get %s: %v", id, err)
	}
	return r.text
}

// write writes a row as this process does.
func (s *stage) write(id, text string) { s.things().Written(s.set(id, text)) }

// run runs the sweeps until the test ends, and returns a function that returns what they
// reported since its last call.
func (s *stage) run(h Handler) (reported func() []string) {
	s.t.Helper()
	var (
		mu  sync.Mutex
		ids []string
	)
	h.OnChange = func(c Change) {
		mu.Lock()
		defer mu.Unlock()
		ids = append(ids, c.IDs...)
	}
	ctx, cancel := context.WithCancel(s.t.Context())
	ended := make(chan struct{})
	go func() {
		s.pool.Run(ctx, h)
		close(ended)
	}()
	s.t.Cleanup(func() {
		cancel()
		<-ended
	})
	return func() []string {
		mu.Lock()
		defer mu.Unlock()
		out := ids
		ids = nil
		return out
	}
}

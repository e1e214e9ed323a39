// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package cfsim

import (
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"time"
)

const (
	// BasePath is where the API begins, as in production.
	BasePath = "/client/v4"
	// AdminPath is where the simulator's own endpoints begin.
	AdminPath = "/_sim"
	// FaultHeader marks answers that a fault has made or changed.
	FaultHeader = "X-Cfsim-Fault"
)

// Options of a simulator. The zero value is production's behaviour on a running
// clock.
type Options struct {
	// Clock of the simulated world; nil is the machine's. Server.Advance moves
	// either.
	Clock Clock
	// Seed of IDs, name servers and probabilities: equal seeds give equal IDs.
	Seed uint64
	// RateLimit is the bucket of each credential; the zero value is the API's
	// 1,200 requests in five minutes.
	RateLimit RateLimit
	// PerIPPerSecond limits the requests of one address; 0 is no limit, where
	// the API has 200. Tests share one address.
	PerIPPerSecond int
	// MaxPerPage caps per_page of record lists; 0 means 5,000. Clients see the
	// cap in result_info.
	MaxPerPage int
	// InitializingFor is how long a zone created through the API stays
	// initializing before it is pending.
	InitializingFor time.Duration
	// DNSSECDelay is how long DNSSEC takes to come and to go; 0 means 5 minutes, and less
	// that it takes no time.
	DNSSECDelay time.Duration
	// TenantDelay is how long tenants take to publish what a custom hostname asks for; 0
	// means that they never do.
	TenantDelay time.Duration
	// OperationDelay is how long an asynchronous operation on the items of a list takes; 0
	// means that it takes no time.
	OperationDelay time.Duration
	// Faults that are there from the start.
	Faults []Fault
	// LogLimit bounds the request log, the oldest go first; 0 means 100,000.
	LogLimit int
}

// Server is a simulated Cloudflare. It serves the API under BasePath and its own
// administration under AdminPath. It is safe for concurrent use; requests are
// carried out one after the other.
type Server struct {
	clock   Clock
	options Options
	api     *api
	admin   *http.ServeMux

	mu            sync.Mutex // guards everything below
	offset        time.Duration
	rng           *rand.Rand
	accounts      map[string]*Account
	zones         map[string]*zone
	deleted       map[string][]time.Time // when zones of this name were deleted
	holds         map[string]bool        // zone names held by somebody else
	creds         map[string]*credential
	buckets       map[string]*bucket
	faults        []*activeFault
	happened      map[faultAt]time.Time // when each kind last had an effect on a path
	added         []*activeFault        // those too that are off by now
	faultSeq      int
	nameServerSeq int
	shelves       map[string]*shelf // generic collections by concrete path
	resourceSeq   int
	operations    map[string]*operation // on the items of lists, by ID
	ca            *originCA             // nil until something is signed
	traps         []*activeTrap
	trapSeq       int
	log           requestLog
	onRequest     func(LoggedRequest)
	audit         map[string]*auditing // by account
	auditSeq      int
}

// New returns an empty simulator.
func New(o Options) *Server {
	if o.Clock == nil {
		o.Clock = wallClock{}
	}
	if o.DNSSECDelay == 0 {
		o.DNSSECDelay = dnssecDelay
	}
	if o.RateLimit == (RateLimit{}) {
		o.RateLimit = RateLimit{Requests: 1200, Window: 5 * time.Minute}
	}
	if o.MaxPerPage == 0 {
		o.MaxPerPage = 5000
	}
	if o.LogLimit == 0 {
		o.LogLimit = 100_000
	}
	s := &Server{
		clock: o.Clock, options: o,
		rng:      rand.New(rand.NewPCG(o.Seed, 0x63667369)), //nolint:gosec // reproducible on purpose
		accounts: map[string]*Account{}, zones: map[string]*zone{}, deleted: map[string][]time.Time{},
		holds: map[string]bool{}, happened: map[faultAt]time.Time{}, creds: map[string]*credential{}, buckets: map[string]*bucket{}, audit: map[string]*auditing{},
	}
	s.shelves, s.operations = map[string]*shelf{}, map[string]*operation{}
	s.api, s.admin = theAPI(), s.adminMux()
	for _, f := range o.Faults {
		s.AddFault(f)
	}
	return s
}

// ServeHTTP implements http.Handler.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch {
	case strings.HasPrefix(r.URL.Path, BasePath+"/"):
		s.serveAPI(w, r)
	case strings.HasPrefix(r.URL.Path, AdminPath+"/"):
		s.admin.ServeHTTP(w, r)
	default:
		http.NotFound(w, r)
	}
}

// newID is an identifier: 32 hexadecimal digits.
func (s *Server) newID() string {
	return fmt.Sprintf("%016x%016x", s.rng.Uint64(), s.rng.Uint64())
}

// validID reports whether id has the shape of an identifier.
func validID(id string) bool {
	_, err := hex.DecodeString(id)
	return len(id) == 32 && err == nil && strings.ToLower(id) == id
}

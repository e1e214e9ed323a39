// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package simulator

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
	// BasePath is the prefix of the API's paths, as in production.
	BasePath = "/client/v4"
	// AdminPath is the prefix of the simulator's own endpoints.
	AdminPath = "/_sim"
	// FaultHeader marks responses that may violate the documentation because of a fault
	// or a trap. Its value names them.
	FaultHeader = "X-Cfsim-Fault"
)

// Options are the options of a simulator. The zero value is the behaviour of production
// with a running clock.
type Options struct {
	// Clock is the clock of the simulated world; nil means that of the machine.
	// Server.Advance moves both.
	Clock Clock
	// Seed is the seed of IDs, name servers and probabilities. Simulators with equal seeds
	// have equal IDs.
	Seed uint64
	// RateLimit is the bucket of each credential. The zero value means the API's 1,200
	// requests in five minutes.
	RateLimit RateLimit
	// PerIPPerSecond limits the requests of one address. 0 means no limit, because tests
	// share one address. The API has 200.
	PerIPPerSecond int
	// MaxPerPage is the maximum per_page of record lists; 0 means 5,000. Clients see it in
	// result_info.
	MaxPerPage int
	// InitializingFor is the time for which a zone that is created through the API stays
	// initializing. Then it is pending.
	InitializingFor time.Duration
	// DNSSECDelay is the time until DNSSEC is active, and until it is disabled. 0 means 5
	// minutes, and a negative value means no delay.
	DNSSECDelay time.Duration
	// TenantDelay is the time until tenants have published the records of a custom
	// hostname; 0 means never.
	TenantDelay time.Duration
	// OperationDelay is the duration of an asynchronous operation on the items of a list;
	// 0 means no delay.
	OperationDelay time.Duration
	// Faults has the faults that exist from the start.
	Faults []Fault
	// LogLimit is the maximum number of requests in the log; 0 means 100,000. The oldest
	// requests are dropped first.
	LogLimit int
}

// A Server is a simulated Cloudflare. It serves the API under BasePath and its own
// administration under AdminPath. It is safe for concurrent use. Requests are executed one
// after the other.
type Server struct {
	clock   Clock
	options Options
	api     *api
	admin   *http.ServeMux

	mu            sync.Mutex // Guards the fields below.
	offset        time.Duration
	rng           *rand.Rand
	accounts      map[string]*Account
	zones         map[string]*zone
	deleted       map[string][]time.Time // The times at which zones of a name were deleted.
	holds         map[string]bool        // Zone names with a hold.
	creds         map[string]*credential
	buckets       map[string]*bucket
	faults        []*activeFault
	happened      map[faultAt]time.Time // The time of the last effect of each kind on a path.
	added         []*activeFault        // All faults, also disabled ones.
	faultSeq      int
	nameServerSeq int
	shelves       map[string]*shelf // Generic collections by concrete path.
	resourceSeq   int
	operations    map[string]*operation // On the items of lists, by ID.
	ca            *originCA             // nil until a certificate is signed.
	traps         []*activeTrap
	trapSeq       int
	log           requestLog
	onRequest     func(LoggedRequest)
	audit         map[string]*auditing // By account.
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

// newID returns a new identifier: 32 hexadecimal digits.
func (s *Server) newID() string {
	return fmt.Sprintf("%016x%016x", s.rng.Uint64(), s.rng.Uint64())
}

// validID reports whether id has the form of an identifier.
func validID(id string) bool {
	_, err := hex.DecodeString(id)
	return len(id) == 32 && err == nil && strings.ToLower(id) == id
}

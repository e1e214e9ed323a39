// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package simulator

import (
	"fmt"
	"net/http"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A FaultKind is one way in which the API, or a proxy in front of it, fails or may answer differently.
type FaultKind string

// Failures.
const (
	// FaultHTML502 answers an HTML page. Nothing is executed.
	FaultHTML502 FaultKind = "html-502"
	// Fault500AfterCommit executes the request and answers 500.
	Fault500AfterCommit FaultKind = "500-after-commit"
	// FaultThrottle answers 429/971 with a Retry-After of Fault.RetryAfter.
	FaultThrottle FaultKind = "throttle"
	// FaultThrottleBare answers 429/971 without Retry-After.
	FaultThrottleBare FaultKind = "throttle-bare"
	// FaultFalseSuccess answers 200 with success false. The message quotes the request's body, as refusals of
	// values do. Nothing is executed.
	FaultFalseSuccess FaultKind = "200-success-false"
	// FaultErrorChain refuses as older servers do: the error of a record is wrapped in 1004 and error_chain, 81058
	// is 81057, and 7003 comes with 400.
	FaultErrorChain FaultKind = "error-chain"
	// FaultYoungZone answers 403/10000, as new zones sporadically do.
	FaultYoungZone FaultKind = "young-zone"
	// FaultNoRoute answers 404/7003 and 7000, as for a malformed ID or an unknown path. Nothing is executed. The
	// response says nothing about the resource of the request.
	FaultNoRoute FaultKind = "no-route"
	// FaultStaleList answers lists of records or of other resources from the past: as of Fault.Delay ago, or before
	// the last transaction if Delay is 0.
	FaultStaleList FaultKind = "stale-list"
	// FaultStaleGet answers the GET of a record, another resource, a document or a setting from the past, as of
	// Fault.Delay ago. If Delay is 0, it answers like a copy without the resource. A document that exists with its
	// parent is in each copy.
	FaultStaleGet FaultKind = "stale-get"
	// FaultBehind answers a GET like a copy without the last write. It is the last write to the record, resource or
	// document of the path, or to the whole collection if the path is that of a collection.
	FaultBehind FaultKind = "behind"
	// FaultWrong404 answers 404, like a copy without the resource of the path, or without the parent of the path.
	// Nothing is executed.
	FaultWrong404 FaultKind = "wrong-404"
	// Fault502AfterCommit executes the request and answers the page of FaultHTML502.
	Fault502AfterCommit FaultKind = "502-after-commit"
	// FaultSlow executes the request at once and answers after Fault.Delay.
	FaultSlow FaultKind = "slow"
	// FaultSlowBefore executes the request after Fault.Delay.
	FaultSlowBefore FaultKind = "slow-before-commit"
	// FaultResetBefore resets the connection. Nothing is executed.
	FaultResetBefore FaultKind = "reset-before-commit"
	// FaultResetAfter executes the request and resets the connection.
	FaultResetAfter FaultKind = "reset-after-commit"
)

// Renderings: responses that are right in another form.
const (
	// FaultTXTQuoted returns every TXT content in quotes, also content that was sent without quotes.
	FaultTXTQuoted FaultKind = "txt-quoted"
	// FaultLOCRendering returns LOC content in the form of zone files.
	FaultLOCRendering FaultKind = "loc-plain"
	// FaultPriorityInData returns the priority of MX and URI in data, too.
	FaultPriorityInData FaultKind = "priority-in-data"
	// FaultLooseNumbers returns the numbers of data as texts.
	FaultLooseNumbers FaultKind = "loose-numbers"
	// FaultFloatNumbers returns whole numbers with a fraction: a ttl of 300 is 300.0.
	FaultFloatNumbers FaultKind = "float-numbers"
	// FaultUnknownFields adds members that no client knows.
	FaultUnknownFields FaultKind = "unknown-fields"
	// FaultUnknownType adds a record of an unknown type to lists.
	FaultUnknownType FaultKind = "unknown-type"
	// FaultOddRecord adds a record to lists, OddRecordID, that no client can decode: its ttl is a list.
	FaultOddRecord FaultKind = "odd-record"
)

// FaultKinds returns all kinds.
func FaultKinds() []FaultKind {
	return append([]FaultKind{
		FaultHTML502, Fault500AfterCommit, FaultThrottle, FaultThrottleBare, FaultFalseSuccess, FaultErrorChain,
		FaultYoungZone, FaultNoRoute, FaultStaleList, FaultStaleGet, FaultBehind, FaultWrong404, Fault502AfterCommit,
		FaultSlow, FaultSlowBefore, FaultResetBefore, FaultResetAfter,
		FaultTXTQuoted, FaultLOCRendering, FaultPriorityInData, FaultLooseNumbers, FaultFloatNumbers,
		FaultUnknownFields, FaultUnknownType, FaultOddRecord,
	}, GarbageKinds()...)
}

// OddRecordID is the ID of the record that FaultOddRecord adds.
const OddRecordID = "dddddddddddddddddddddddddddddddd"

func (k FaultKind) valid() bool { return slices.Contains(FaultKinds(), k) }

// A Fault happens to the requests that it matches.
type Fault struct {
	Kind FaultKind `json:"kind"`
	// Method and Path restrict it. Empty ones match everything. Path is a route such as
	// "/zones/{zone_id}/dns_records", or a pattern of path.Match for the path below BasePath.
	Method string `json:"method,omitempty"`
	Path   string `json:"path,omitempty"`
	// Zone restricts it to requests about the zone with this ID.
	Zone string `json:"zone,omitempty"`
	// Token restricts it to requests with this API token.
	Token string `json:"token,omitempty"`
	// Skip is the number of matching requests that pass before the first fault.
	Skip int `json:"skip,omitempty"`
	// Times is how often it happens: 0 means once, -1 always.
	Times int `json:"times,omitempty"`
	// Probability is the probability that it happens to a matching request; 0 means always.
	Probability float64 `json:"probability,omitempty"`
	// Delay is the delay of slow responses, and the age of stale ones. JSON has it in nanoseconds.
	Delay time.Duration `json:"delay_ns,omitempty"`
	// RetryAfter is the Retry-After of FaultThrottle; 0 means one second.
	RetryAfter time.Duration `json:"retry_after_ns,omitempty"`
	// Apart is the time for which a path is spared after a fault of this kind had an effect on it. A copy that is
	// behind catches up in that time.
	Apart time.Duration `json:"apart_ns,omitempty"`
}

type activeFault struct {
	Fault
	id    int
	left  int // -1: always.
	fired int
}

// A drawnFault happens to one request.
type drawnFault struct {
	*activeFault
	// had reports whether the fault had an effect.
	had bool
}

func (f *drawnFault) fire() {
	f.fired++
	f.had = true
}

// A faultAt is a kind of fault on a path.
type faultAt struct {
	kind FaultKind
	path string
}

// spared reports whether a fault of this kind had an effect on the path within f.Apart. The caller holds the
// server's lock.
func (s *Server) spared(f *activeFault, at string) bool {
	last, happened := s.happened[faultAt{f.Kind, at}]
	return happened && s.now().Sub(last) < f.Apart
}

// AddFault enables a fault and returns its ID.
func (s *Server) AddFault(f Fault) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faultSeq++
	left := f.Times
	if left == 0 {
		left = 1
	}
	active := &activeFault{Fault: f, id: s.faultSeq, left: left}
	s.faults, s.added = append(s.faults, active), append(s.added, active)
	return s.faultSeq
}

// RemoveFault disables one fault. It reports whether the fault was enabled.
func (s *Server) RemoveFault(id int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := len(s.faults)
	s.faults = slices.DeleteFunc(s.faults, func(f *activeFault) bool { return f.id == id })
	return len(s.faults) < n
}

// ClearFaults disables all faults.
func (s *Server) ClearFaults() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults = nil
}

// Faults returns the enabled faults by ID. Times is how often each may still happen.
func (s *Server) Faults() map[int]Fault {
	s.mu.Lock()
	defer s.mu.Unlock()
	on := map[int]Fault{}
	for _, f := range s.faults {
		on[f.id] = f.Fault
		left := on[f.id]
		left.Times = f.left
		on[f.id] = left
	}
	return on
}

// drawFaults draws the faults that happen to a request.
func (s *Server) drawFaults(r *http.Request) faultSet {
	set := faultSet{}
	route, _ := s.find(r)
	for _, f := range s.faults {
		if !f.matches(r, route) {
			continue
		}
		if f.Probability > 0 && s.rng.Float64() >= f.Probability || s.spared(f, r.URL.Path) {
			continue
		}
		if f.Skip > 0 {
			f.Skip--
			continue
		}
		if f.left > 0 {
			f.left--
		}
		drawn := &drawnFault{activeFault: f}
		set.drawn = append(set.drawn, drawn)
		switch f.Kind {
		case FaultSlow:
			set.delayAfter += f.Delay
			drawn.fire()
		case FaultSlowBefore:
			set.delayBefore += f.Delay
			drawn.fire()
		}
	}
	s.faults = slices.DeleteFunc(s.faults, func(f *activeFault) bool { return f.left == 0 })
	return set
}

func (f *activeFault) matches(r *http.Request, route route) bool {
	if (f.Method != "" && f.Method != r.Method) || (f.Zone != "" && f.Zone != r.PathValue("zone_id")) || (f.Token != "" && f.Token != presented(r)) {
		return false
	}
	if f.Path == "" {
		return true
	}
	_, template, _ := strings.Cut(route.pattern, " ")
	globbed, err := path.Match(f.Path, strings.TrimPrefix(r.URL.Path, BasePath))
	return f.Path == template || (globbed && err == nil)
}

// A faultSet has the faults that happen to one request.
type faultSet struct {
	drawn                   []*drawnFault
	delayBefore, delayAfter time.Duration
}

func (s faultSet) find(kind FaultKind) (Fault, bool) {
	i := slices.IndexFunc(s.drawn, func(f *drawnFault) bool { return f.Kind == kind })
	if i < 0 {
		return Fault{}, false
	}
	return s.drawn[i].Fault, true
}

func (s faultSet) has(kind FaultKind) bool {
	_, ok := s.find(kind)
	return ok
}

func (s faultSet) rendering() rendering {
	return rendering{
		txtQuoted: s.has(FaultTXTQuoted), locPlain: s.has(FaultLOCRendering), priorityInData: s.has(FaultPriorityInData),
		looseNumbers: s.has(FaultLooseNumbers), floatNumbers: s.has(FaultFloatNumbers), unknownFields: s.has(FaultUnknownFields),
	}
}

// before returns the response of a fault that prevents the execution of the request. It returns false if there is
// none.
func (s faultSet) before(asked string, body []byte, header http.Header) (answer, bool) {
	for _, f := range s.drawn {
		if a, made := f.instead(asked, body, header); made {
			f.fire()
			return a, true
		}
	}
	return answer{}, false
}

// instead returns the response of a fault of that sort. It returns false for other faults.
func (f Fault) instead(asked string, body []byte, header http.Header) (answer, bool) {
	switch f.Kind {
	case FaultHTML502:
		return badGateway(), true
	case FaultThrottle:
		header.Set("Retry-After", strconv.Itoa(max(1, seconds(f.RetryAfter))))
		return errThrottled().answer(), true
	case FaultThrottleBare:
		return errThrottled().answer(), true
	case FaultFalseSuccess:
		return refuse(http.StatusOK, CodeDNSValidation, "%s", strings.TrimSpace("Something went wrong. "+string(body))).answer(), true
	case FaultYoungZone:
		return errAuthentication().answer(), true
	case FaultNoRoute:
		return errNoRoute(asked).answer(), true
	}
	return answer{}, false
}

// badGateway returns the error page of a proxy in front of the API.
func badGateway() answer {
	page := "<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n<body>\r\n<center><h1>502 Bad Gateway</h1></center>\r\n</body>\r\n</html>\r\n"
	return answer{status: http.StatusBadGateway, header: http.Header{"Content-Type": {"text/html"}}, body: []byte(page)}
}

// after applies faults to the response of an executed request.
func (s faultSet) after(a answer) answer {
	if a.refused != nil {
		if chained := a.refused.chained(); chained != a.refused && s.fire(FaultErrorChain) {
			a = chained.answer()
		}
	}
	if s.fire(Fault500AfterCommit) {
		return refuse(http.StatusInternalServerError, 1000, "Internal server error").answer()
	}
	if s.fire(Fault502AfterCommit) {
		return badGateway()
	}
	return s.spoil(a)
}

// chained returns the refusal in the form of older servers.
func (e *Error) chained() *Error {
	switch code := e.Code(); {
	case code == CodeIdenticalExists:
		return invalid(CodeRecordExists, "Record already exists.")
	case code == CodeBadIdentifier:
		return &Error{Status: http.StatusBadRequest, Causes: e.Causes}
	case code >= CodeName && code < CodeAuthentication && e.Status == http.StatusBadRequest:
		return &Error{Status: e.Status, Causes: []Cause{{Code: CodeDNSValidation, Message: "DNS Validation Error", Chain: e.Causes}}}
	}
	return e
}

// names returns the kinds of the faults.
func (s faultSet) names() string {
	names := make([]string, 0, len(s.drawn))
	for _, f := range s.drawn {
		names = append(names, string(f.Kind))
	}
	return strings.Join(names, ", ")
}

// had returns the kinds of the faults that had an effect, each once.
func (s faultSet) had() []FaultKind {
	var kinds []FaultKind
	for _, f := range s.drawn {
		if f.had && !slices.Contains(kinds, f.Kind) {
			kinds = append(kinds, f.Kind)
		}
	}
	return kinds
}

// wrong returns the kinds of the faults whose response may violate the documentation.
func (s faultSet) wrong() string {
	var names []string
	for _, f := range s.drawn {
		switch f.Kind {
		case FaultStaleList, FaultStaleGet, FaultBehind, FaultSlow, FaultSlowBefore, FaultTXTQuoted, FaultLOCRendering:
		default:
			names = append(names, string(f.Kind))
		}
	}
	return strings.Join(names, ", ")
}

// ParseFault parses KIND[,key=value]... of a command line. The keys are method, path, zone, token, skip, times,
// probability, delay, retry-after and apart.
func ParseFault(s string) (Fault, error) {
	parts := strings.Split(s, ",")
	f := Fault{Kind: FaultKind(parts[0])}
	if !f.Kind.valid() {
		return Fault{}, fmt.Errorf("cannot use fault %q: the kinds are %v", parts[0], FaultKinds())
	}
	for _, part := range parts[1:] {
		key, value, _ := strings.Cut(part, "=")
		var err error
		switch key {
		case "method":
			f.Method = value
		case "path":
			f.Path = value
		case "zone":
			f.Zone = value
		case "token":
			f.Token = value
		case "skip":
			f.Skip, err = strconv.Atoi(value)
		case "times":
			f.Times, err = strconv.Atoi(value)
		case "probability":
			f.Probability, err = strconv.ParseFloat(value, 64)
		case "delay":
			f.Delay, err = time.ParseDuration(value)
		case "retry-after":
			f.RetryAfter, err = time.ParseDuration(value)
		case "apart":
			f.Apart, err = time.ParseDuration(value)
		default:
			err = fmt.Errorf("unknown key %q", key)
		}
		if err != nil {
			return Fault{}, fmt.Errorf("cannot use fault %q: %w", s, err)
		}
	}
	return f, nil
}

// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package simulator

import (
	"cmp"
	"context"
	"io"
	"maps"
	"net"
	"net/http"
	"time"
)

// maxBody is larger than every valid request body of the API.
const maxBody = 64 << 20

// serveAPI serves one request of the API and logs it.
func (s *Server) serveAPI(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err != nil {
		return // The client has disconnected.
	}
	s.mu.Lock()
	faults := s.drawFaults(r)
	s.mu.Unlock()

	if !wait(r.Context(), faults.delayBefore) {
		return
	}
	a := s.carryOut(r, body, faults)
	if faults.has(FaultResetBefore) || faults.has(FaultResetAfter) {
		reset(w)
		return
	}
	if !wait(r.Context(), faults.delayAfter) {
		return
	}
	maps.Copy(w.Header(), a.header)
	w.WriteHeader(a.status)
	_, _ = w.Write(a.body) // An error means that the client has disconnected.
}

// carryOut executes the part of a request that reads and changes the simulated world,
// and the log.
func (s *Server) carryOut(r *http.Request, body []byte, faults faultSet) answer {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := &call{s: s, r: r, body: body, now: s.now(), faults: faults}
	s.settle(c.now)
	a := answer{header: http.Header{}}
	if !faults.fire(FaultResetBefore) {
		a = s.answer(c)
		faults.fire(FaultResetAfter)
	}
	s.record(c, a)
	return a
}

func (s *Server) answer(c *call) answer {
	header := http.Header{}
	a, made := c.faults.before(c.path(), c.body, header)
	if !made {
		a = c.faults.after(s.decide(c, header))
	}
	maps.Copy(a.header, header)
	if wrong := cmp.Or(c.faults.wrong(), c.sprung); wrong != "" {
		a.header.Set(FaultHeader, wrong)
	}
	return a
}

func (s *Server) decide(c *call, header http.Header) answer {
	if err := s.limit(c.r, c.now, header); err != nil {
		return err.answer()
	}
	result, err := c.run()
	c.auditCall(result, err)
	if err != nil {
		return err.answer()
	}
	return result.answer()
}

// wait waits for d. It returns false if the client disconnects earlier.
func wait(ctx context.Context, d time.Duration) bool {
	if d <= 0 {
		return true
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// reset breaks the connection without a response, as a crashing peer or a middlebox
// does. It sends RST if the transport has it.
func reset(w http.ResponseWriter) {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		panic(http.ErrAbortHandler) // HTTP/2, or a recorder.
	}
	if tcp, ok := conn.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0) // Without it, the peer gets a FIN, also without a response.
	}
	_ = conn.Close()
}

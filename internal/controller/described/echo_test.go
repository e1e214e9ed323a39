// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package described

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/synctest"
	"time"

	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
)

// loud makes Cloudflare hold a description in small letters, however it is sent.
func (s *stage) loud() {
	s.answers = func(r *http.Request) *http.Response {
		w := httptest.NewRecorder()
		s.sim.ServeHTTP(w, r)
		out := w.Result()
		body, _ := io.ReadAll(out.Body)
		body = bytes.ReplaceAll(body, []byte(`"LOUD"`), []byte(`"loud"`))
		out.Body, out.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
		out.Header.Del("Content-Length")
		return out
	}
}

// TestEchoOutlivesAnEdit checks a field that Cloudflare normalizes while the user edits another one.
func TestEchoOutlivesAnEdit(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		e := entryOf(t, "LoadBalancerPool")
		s := newStage(t, e)
		s.loud()
		set := func(fields string) {
			mg := s.read(s.kind, s.key)
			must(t, json.Unmarshal([]byte(`{"spec":{"forProvider":`+fields+`}}`), mg))
			mg.SetGeneration(mg.GetGeneration() + 1)
			must(t, s.server.Update(t.Context(), mg))
		}
		look := func() {
			for range 5 {
				s.reconcile(s.kind, s.key)
				<-time.After(time.Minute)
			}
			if c := s.read(s.kind, s.key).GetCondition(xpv2.TypeSynced); c.Status != "True" {
				t.Errorf("it says %s", c.Message)
			}
		}
		set(`{"description":"LOUD"}`)
		look()
		set(`{"enabled":false}`)
		look()
	})
}

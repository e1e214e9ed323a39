// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package simulator_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

// TestConcurrentClients has many clients create, change, list and delete records over
// real connections, while a dashboard user edits and time passes.
func TestConcurrentClients(t *testing.T) {
	const clients, rounds = 8, 20
	w := newWorld(t, simulator.PlanPro)
	url := server(w).URL + simulator.BasePath + w.records()
	send := func(method, url, body string) int {
		r, err := http.NewRequest(method, url, strings.NewReader(body))
		if err != nil {
			t.Error(err)
			return 0
		}
		r.Header.Set("Authorization", "Bearer "+w.token)
		r.Header.Set("Content-Type", "application/json")
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Error(err)
			return 0
		}
		defer func() { _ = resp.Body.Close() }()
		readAll(t, resp.Body)
		return resp.StatusCode
	}
	var wg sync.WaitGroup
	created := make([]int, clients)
	for client := range clients {
		wg.Go(func() {
			for i := range rounds {
				// Each pair of clients writes the same records.
				body := fmt.Sprintf(`{"type":"A","name":"h%d-%d","content":"192.0.2.1","ttl":60}`, client/2, i)
				if send(http.MethodPost, url, body) == http.StatusOK {
					created[client]++
				}
				send(http.MethodGet, url+"?per_page=10", "")
				send(http.MethodPost, url+"/batch", fmt.Sprintf(`{"posts":[{"type":"TXT","name":"t%d-%d","content":"x","ttl":60}]}`, client, i))
			}
		})
	}
	wg.Go(func() {
		for i := range rounds {
			w.sim.Advance(time.Second)
			if _, err := w.sim.CreateRecord(w.zone.ID, a(fmt.Sprint("dash", i), "192.0.2.1")); err != nil {
				t.Error(err)
			}
			w.sim.Requests()
			w.sim.AddFault(simulator.Fault{Kind: simulator.FaultTXTQuoted, Method: http.MethodGet})
		}
	})
	wg.Wait()
	total := 0
	for _, n := range created {
		total += n
	}
	if want := clients / 2 * rounds; total != want {
		t.Errorf("%d A records were created, want each exactly once: %d", total, want)
	}
	if got, want := len(w.sim.Records(w.zone.ID)), clients/2*rounds+clients*rounds+rounds; got != want {
		t.Errorf("%d records, want %d", got, want)
	}
}

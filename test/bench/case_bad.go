// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

const (
	groupBad = "bad"
	// takenName is the name of an A record that exists already. The API refuses a CNAME
	// beside it, and the spec of the Record does not show why.
	takenName = "taken"
)

// bad is the case [bad]: the API refuses one of many Records that are applied together.
func (w *world) bad(ctx context.Context) error {
	n := w.size.bad
	records := objects(groupBad, w.sim.Zones[zoneBad], configBad, n)
	culprit := objectName(groupBad, n/2)
	records[n/2] = declared{typ: "CNAME", name: takenName, content: "target.example.net"}.object(culprit, w.sim.Zones[zoneBad], configBad)

	code := fmt.Sprintf("code %d", simulator.CodeHostHasAddress)
	began := time.Now()
	if err := w.apply(ctx, records); err != nil {
		return err
	}
	var (
		ready int
		named bool
	)
	deadline := began.Add(w.size.createLimit)
	err := w.until(ctx, 10*time.Millisecond, "the good Records are Ready and the bad one says why not", func(context.Context) (bool, error) {
		ready, _ = w.ready.of(groupBad)
		named = strings.Contains(w.ready.refusal(culprit), code)
		return (ready >= n-1 && named) || time.Now().After(deadline), nil
	})
	if err != nil {
		return err
	}
	end := time.Now()
	cs := w.requests.between(began, end).inZone(w.sim.Zones[zoneBad])
	says := w.ready.refusal(culprit)
	t := &w.table
	t.judge(caseBad, fmt.Sprintf("of %d Records with a bad one, Ready", n), fmt.Sprint(n-1), fmt.Sprint(ready), ready == n-1)
	t.judge(caseBad, "the bad one's condition names its own error", code, yesNo(named), named)
	t.judge(caseBad, "Cloudflare API calls until both", "<= 20", fmt.Sprintf("%d (%s)", len(cs), seconds(end.Sub(began))), len(cs) <= 20 && named && ready == n-1)
	t.note(caseBad, "Calls: %s. %s", cs.byRoute(), cs.batches())
	t.note(caseBad, "The bad one's condition: %q.", says)
	if refused := cs.count(func(c call) bool { return c.status >= http.StatusBadRequest }); refused == 0 {
		t.note(caseBad, "The API refused nothing: the case does not show what it is meant to show.")
	}
	return nil
}

func yesNo(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}

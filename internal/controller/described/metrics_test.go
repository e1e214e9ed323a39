// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package described

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"

	"github.com/provider-cloudflare/provider-cloudflare/internal/parent"
)

func TestMetrics(t *testing.T) {
	reg := prometheus.NewPedanticRegistry()
	m := NewMetrics(reg)
	m.Swept(nil)
	m.Swept(errors.New("refused"))
	m.Swept(errors.New("refused"))
	pace := func(wanted, actual time.Duration, heldUp bool) parent.Pace {
		return parent.Pace{Parents: 1, Wanted: wanted, Actual: actual, HeldUp: heldUp}
	}
	reg.MustRegister(Collector{func() []parent.SweepStatus {
		return []parent.SweepStatus{
			{Credential: "c", Pace: pace(time.Minute, 90*time.Second, true), Since: 7 * time.Second},
			{Credential: "c", Pace: pace(10*time.Minute, 10*time.Minute, false), Since: time.Minute},
			{Credential: "idle", Pace: parent.Pace{Wanted: time.Minute}},
		}
	}})
	want := `# HELP cloudflare_resource_sweep_held_up 1 if a round of these sweeps takes much longer than its interval: users' calls leave it too little of the budget, or the API is slow.
# TYPE cloudflare_resource_sweep_held_up gauge
cloudflare_resource_sweep_held_up{credential="c",wanted="10m0s"} 0
cloudflare_resource_sweep_held_up{credential="c",wanted="1m0s"} 1
# HELP cloudflare_resource_sweep_interval_seconds Time between two sweeps of a credential's resources of those kinds that want that interval.
# TYPE cloudflare_resource_sweep_interval_seconds gauge
cloudflare_resource_sweep_interval_seconds{credential="c",wanted="10m0s"} 600
cloudflare_resource_sweep_interval_seconds{credential="c",wanted="1m0s"} 90
# HELP cloudflare_resource_sweep_round_age_seconds How long ago the last round of these sweeps ended.
# TYPE cloudflare_resource_sweep_round_age_seconds gauge
cloudflare_resource_sweep_round_age_seconds{credential="c",wanted="10m0s"} 60
cloudflare_resource_sweep_round_age_seconds{credential="c",wanted="1m0s"} 7
# HELP cloudflare_resource_sweeps_total Sweeps of the resources of a kind in an account or a zone that looked for drift, by result (ok, error).
# TYPE cloudflare_resource_sweeps_total counter
cloudflare_resource_sweeps_total{result="error"} 2
cloudflare_resource_sweeps_total{result="ok"} 1
`
	if err := testutil.GatherAndCompare(reg, strings.NewReader(want)); err != nil {
		t.Error(err)
	}
}

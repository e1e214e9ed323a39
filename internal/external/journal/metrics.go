// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package journal

import "github.com/prometheus/client_golang/prometheus"

func openDesc() *prometheus.Desc {
	return prometheus.NewDesc("cloudflare_journal_entries", "Creations in the journal: those under way, and those of the last minutes.", nil, nil)
}

func orphansDesc() *prometheus.Desc {
	return prometheus.NewDesc("cloudflare_journal_orphans",
		"Creations whose object does not exist any more, and of which something may be left at Cloudflare. They are removed as soon as that is possible.", nil, nil)
}

// Describe implements prometheus.Collector.
func (j *Journal) Describe(ch chan<- *prometheus.Desc) {
	ch <- openDesc()
	ch <- orphansDesc()
}

// Collect implements prometheus.Collector.
func (j *Journal) Collect(ch chan<- prometheus.Metric) {
	j.mu.Lock()
	open, orphans := 0, 0
	for _, rs := range j.open {
		for _, r := range rs {
			open++
			if r.busy || r.lost {
				orphans++
			}
		}
	}
	j.mu.Unlock()
	ch <- prometheus.MustNewConstMetric(openDesc(), prometheus.GaugeValue, float64(open))
	ch <- prometheus.MustNewConstMetric(orphansDesc(), prometheus.GaugeValue, float64(orphans))
}

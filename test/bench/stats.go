// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"math"
	"slices"
	"time"
)

// percentile returns the smallest of values that at least p percent of them do not
// exceed, 0 if there are none. p is above 0 and at most 100.
func percentile(values []time.Duration, p float64) time.Duration {
	if len(values) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(values))
	rank := int(math.Ceil(p / 100 * float64(len(sorted))))
	return sorted[max(rank, 1)-1]
}

// expectedPolls returns how many of n objects are polled between the ages from and to,
// counted from the last reconcile of each. Polls come evenly spread between nine and
// eleven tenths of an hour.
func expectedPolls(n int, from, to time.Duration) float64 {
	const first, last = 54 * time.Minute, 66 * time.Minute
	reached := func(age time.Duration) float64 {
		return min(max(float64(age-first)/float64(last-first), 0), 1)
	}
	return float64(n) * (reached(to) - reached(from))
}

// seconds formats a duration with the precision that a reader needs.
func seconds(d time.Duration) string {
	switch s := d.Seconds(); {
	case s < 1:
		return fmt.Sprintf("%.0f ms", s*1000)
	case s < 10:
		return fmt.Sprintf("%.2f s", s)
	default:
		return fmt.Sprintf("%.1f s", s)
	}
}

// span formats a round duration.
func span(d time.Duration) string {
	switch {
	case d%time.Minute == 0:
		return fmt.Sprintf("%d min", d/time.Minute)
	case d%time.Second == 0:
		return fmt.Sprintf("%d s", d/time.Second)
	}
	return d.String()
}

// perSecond returns a rate, 0 if no time has passed.
func perSecond(n int, d time.Duration) float64 {
	if d <= 0 {
		return 0
	}
	return float64(n) / d.Seconds()
}

// mean returns the mean of values, 0 if there are none.
func mean(values []float64) float64 {
	if len(values) == 0 {
		return 0
	}
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}

// spread formats the mean of values, and the lowest and the highest if there are several.
func spread(values []float64, format string) string {
	switch len(values) {
	case 0:
		return "not measured"
	case 1:
		return fmt.Sprintf(format, values[0])
	}
	return fmt.Sprintf(format+" ("+format+" to "+format+")", mean(values), slices.Min(values), slices.Max(values))
}

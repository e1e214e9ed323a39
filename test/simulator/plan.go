// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package simulator

import "time"

// A Plan is the subscription of a zone.
type Plan string

// The plans, by the IDs of rate plans in the API.
const (
	PlanFree       Plan = "free"
	PlanPro        Plan = "pro"
	PlanBusiness   Plan = "business"
	PlanEnterprise Plan = "enterprise"
)

// limits has the limits of a plan.
type limits struct {
	name            string
	records         int
	batch           int
	comment         int // In characters.
	tags            int // Tags per record.
	minTTL          int
	activationEvery time.Duration
	price           float64
	vanity          bool
}

const (
	maxTTL      = 86400
	maxTagName  = 32
	maxTagValue = 100
	// oldFreeRecords is the quota of Free zones that were created before
	// freeQuotaChange.
	oldFreeRecords = 1000
)

func freeQuotaChange() time.Time { return time.Date(2024, time.September, 1, 0, 0, 0, 0, time.UTC) }

func (p Plan) valid() bool {
	switch p {
	case PlanFree, PlanPro, PlanBusiness, PlanEnterprise:
		return true
	}
	return false
}

func (p Plan) limits() limits {
	paid := limits{
		name: "Pro Website", records: 3500, batch: 3500, comment: 500, tags: 20, minTTL: 60,
		activationEvery: 5 * time.Minute, price: 25,
	}
	switch p {
	case PlanPro:
		return paid
	case PlanBusiness:
		paid.name, paid.price, paid.vanity = "Business Website", 250, true
		return paid
	case PlanEnterprise:
		paid.name, paid.price, paid.vanity = "Enterprise Website", 0, true
		paid.records, paid.minTTL = 1_000_000, 30
		return paid
	default:
		return limits{
			name: "Free Website", records: 200, batch: 200, comment: 100, tags: 0, minTTL: 60,
			activationEvery: time.Hour,
		}
	}
}

// quota returns the maximum number of records in the zone.
func (z *zone) quota() int {
	switch {
	case z.recordQuota > 0:
		return z.recordQuota
	case z.plan == PlanFree && z.createdOn.Before(freeQuotaChange()):
		return oldFreeRecords
	}
	return z.plan.limits().records
}

// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Package inventory reads what an account has at Cloudflare, completely or not at all. An export
// or a backup with unnoticed gaps is worse than none.
package inventory

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strconv"

	"github.com/provider-cloudflare/provider-cloudflare/internal/cloudflare"
	"github.com/provider-cloudflare/provider-cloudflare/internal/dnsrecord"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kind/kindapi"
	"github.com/provider-cloudflare/provider-cloudflare/internal/parent"
)

// zonesPerPage is the size of the largest page of zones.
const zonesPerPage = 50

// perPage is the size of the largest page of records.
const perPage = 5000

// API holds the needed methods of a [cloudflare.Client].
type API interface {
	FindZones(ctx context.Context, name, accountID string, internal bool) ([]cloudflare.Zone, error)
	ListRecords(ctx context.Context, zoneID string, page, perPage int, out any) (cloudflare.ResultInfo, error)
}

// Zone returns the zone of that name, in the account of accountID unless that is "".
func Zone(ctx context.Context, api API, name, accountID string) (cloudflare.Zone, error) {
	canonical, err := dnsrecord.ZoneName(name)
	if err != nil {
		return cloudflare.Zone{}, fmt.Errorf("%q is not the name of a zone: %w", name, err)
	}
	found, err := api.FindZones(ctx, canonical, accountID, false)
	switch {
	case err != nil:
		return cloudflare.Zone{}, fmt.Errorf("cannot look up zone %q: %w", canonical, err)
	case len(found) == 0:
		return cloudflare.Zone{}, fmt.Errorf("there is no zone %q that this credential can see", canonical)
	case len(found) > 1:
		return cloudflare.Zone{}, fmt.Errorf("there are zones %q in several accounts: name the account", canonical)
	}
	return found[0], nil
}

// Zones lists the zones of an account, or all zones that the credential can see if accountID is
// "". Internal zones are not among them.
func Zones(ctx context.Context, api kindapi.Client, accountID string) ([]cloudflare.Zone, error) {
	var out []cloudflare.Zone
	tally := &parent.PageCount{}
	for page := 1; ; page++ {
		q := url.Values{"per_page": {strconv.Itoa(zonesPerPage)}, "page": {strconv.Itoa(page)}}
		if accountID != "" {
			q.Set("account.id", accountID)
		}
		a, err := api.Do(ctx, cloudflare.Request{Method: http.MethodGet, Path: "/zones", Route: "/zones", Query: q, Permission: "Zone: Read"})
		if err != nil {
			return nil, fmt.Errorf("cannot list the zones: %w", err)
		}
		var some []cloudflare.Zone
		if err := json.Unmarshal(a.Result, &some); err != nil {
			return nil, fmt.Errorf("cannot read the list of zones: %w", err)
		}
		out = append(out, some...)
		tally.Page(a.Info.TotalCount, true)
		switch {
		case tally.Endless(len(out)):
			return nil, &parent.IncompleteError{What: "zones", Listed: len(out), Counted: a.Info.TotalCount}
		case len(some) > 0 && page < a.Info.TotalPages:
		case len(out) < a.Info.TotalCount:
			return nil, &parent.IncompleteError{What: "zones", Listed: len(out), Counted: a.Info.TotalCount}
		default:
			return out, nil
		}
	}
}

// Records lists all records of a zone, each as the API writes it.
func Records(ctx context.Context, api API, zoneID string) ([]json.RawMessage, error) {
	var out []json.RawMessage
	_, err := parent.Whole("records of the zone", func() (tally *parent.PageCount, rows int, err error) {
		tally = &parent.PageCount{}
		out, err = pages(ctx, api, zoneID, tally)
		return tally, len(out), err
	})
	if err != nil {
		return nil, fmt.Errorf("cannot list the zone's DNS records: %w", err)
	}
	return out, nil
}

// IDs returns the IDs of the records that can be read.
func IDs(records []json.RawMessage) map[string]bool {
	out := make(map[string]bool, len(records))
	for _, raw := range records {
		var r struct {
			ID string `json:"id"`
		}
		if json.Unmarshal(raw, &r) == nil && r.ID != "" {
			out[r.ID] = true
		}
	}
	return out
}

// pages lists the records of a zone once.
func pages(ctx context.Context, api API, zoneID string, tally *parent.PageCount) ([]json.RawMessage, error) {
	var out []json.RawMessage
	for {
		var page []json.RawMessage
		info, err := api.ListRecords(ctx, zoneID, tally.Calls+1, perPage, &page)
		if err != nil {
			return nil, err
		}
		tally.Page(info.TotalCount, info.Page > 0)
		out = append(out, page...)
		if len(page) == 0 || tally.Calls >= info.TotalPages {
			return out, nil
		}
		if tally.Endless(len(out)) {
			return nil, &parent.IncompleteError{What: "records of the zone", Listed: len(out), Counted: info.TotalCount}
		}
	}
}

// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package cloudflare

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"

	"github.com/cloudflare/cloudflare-go/v7/dns"
	"github.com/cloudflare/cloudflare-go/v7/option"
)

// Routes as they appear in errors and metrics.
const (
	routeRecords = "/zones/{zone}/dns_records"
	routeRecord  = "/zones/{zone}/dns_records/{record}"
	routeBatch   = "/zones/{zone}/dns_records/batch"
)

const jsonType = "application/json"

// ValidID reports whether id has the form of an ID of the API: 32 lower case
// hexadecimal characters. Anything else must not become part of a path.
func ValidID(id string) bool {
	if len(id) != 32 {
		return false
	}
	for _, r := range id {
		if (r < '0' || r > '9') && (r < 'a' || r > 'f') {
			return false
		}
	}
	return true
}

// An IDError says that an ID does not have the form of one.
type IDError struct {
	// What is the resource that the ID should name ("zone", "DNS record").
	What string
	// ID is the value that is not an ID.
	ID string
}

func (e *IDError) Error() string {
	return fmt.Sprintf("%q is not the ID of a %s: an ID has 32 hexadecimal characters", e.ID, e.What)
}

func checkIDs(zoneID string, recordID ...string) error {
	if !ValidID(zoneID) {
		return &IDError{What: "zone", ID: zoneID}
	}
	for _, id := range recordID {
		if !ValidID(id) {
			return &IDError{What: "DNS record", ID: id}
		}
	}
	return nil
}

// ListRecords decodes one page (from 1) of a zone's records into out, a pointer to a slice.
// A page may have fewer than perPage records: the ResultInfo says whether there are more.
func (c *Client) ListRecords(ctx context.Context, zoneID string, page, perPage int, out any) (ResultInfo, error) {
	if err := checkIDs(zoneID); err != nil {
		return ResultInfo{}, err
	}
	return c.call(ctx, operation{method: http.MethodGet, route: routeRecords, zone: zoneID}, out, func(ctx context.Context, o ...option.RequestOption) error {
		p := dns.RecordListParams{}
		p.ZoneID.Value, p.ZoneID.Present = zoneID, true
		o = append(o, option.WithQuery("page", strconv.Itoa(page)), option.WithQuery("per_page", strconv.Itoa(perPage)))
		_, err := c.records.List(ctx, p, o...)
		return err
	})
}

// GetRecord decodes one record into out. IsRecordGone reports that there is none.
func (c *Client) GetRecord(ctx context.Context, zoneID, id string, out any) error {
	if err := checkIDs(zoneID, id); err != nil {
		return err
	}
	_, err := c.call(ctx, operation{method: http.MethodGet, route: routeRecord, zone: zoneID}, out, func(ctx context.Context, o ...option.RequestOption) error {
		p := dns.RecordGetParams{}
		p.ZoneID.Value, p.ZoneID.Present = zoneID, true
		_, err := c.records.Get(ctx, id, p, o...)
		return err
	})
	return err
}

// CreateRecord posts body and decodes the new record into out.
func (c *Client) CreateRecord(ctx context.Context, zoneID string, body map[string]any, out any) error {
	if err := checkIDs(zoneID); err != nil {
		return err
	}
	raw, err := json.Marshal(body)
	if err != nil {
		return fmt.Errorf("cannot encode the DNS record: %w", err)
	}
	_, err = c.call(ctx, operation{method: http.MethodPost, route: routeRecords, zone: zoneID}, out, func(ctx context.Context, o ...option.RequestOption) error {
		p := dns.RecordNewParams{}
		p.ZoneID.Value, p.ZoneID.Present = zoneID, true
		_, err := c.records.New(ctx, p, append(o, option.WithRequestBody(jsonType, raw))...)
		return err
	})
	return err
}

// PatchRecord changes the fields in body, keeps the others, and decodes the
// record into out.
func (c *Client) PatchRecord(ctx context.Context, zoneID, id string, body map[string]any, out any) error {
	if err := checkIDs(zoneID, id); err != nil {
		return err
	}
	raw, err := json.Marshal(body)
	if err != nil {
		return fmt.Errorf("cannot encode the DNS record: %w", err)
	}
	_, err = c.call(ctx, operation{method: http.MethodPatch, route: routeRecord, zone: zoneID}, out, func(ctx context.Context, o ...option.RequestOption) error {
		p := dns.RecordEditParams{}
		p.ZoneID.Value, p.ZoneID.Present = zoneID, true
		_, err := c.records.Edit(ctx, id, p, append(o, option.WithRequestBody(jsonType, raw))...)
		return err
	})
	return err
}

// DeleteRecord deletes a record. IsRecordGone reports that there was none.
func (c *Client) DeleteRecord(ctx context.Context, zoneID, id string) error {
	if err := checkIDs(zoneID, id); err != nil {
		return err
	}
	_, err := c.call(ctx, operation{method: http.MethodDelete, route: routeRecord, zone: zoneID}, nil, func(ctx context.Context, o ...option.RequestOption) error {
		p := dns.RecordDeleteParams{}
		p.ZoneID.Value, p.ZoneID.Present = zoneID, true
		_, err := c.records.Delete(ctx, id, p, o...)
		return err
	})
	return err
}

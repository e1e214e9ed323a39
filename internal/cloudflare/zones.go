// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package cloudflare

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/cloudflare/cloudflare-go/v7/option"
	"github.com/cloudflare/cloudflare-go/v7/zones"
)

const (
	routeZones = "/zones"
	routeZone  = "/zones/{zone}"
)

// Zone statuses of the API.
const (
	ZoneInitializing = "initializing"
	ZonePending      = "pending"
	ZoneActive       = "active"
	ZoneMoved        = "moved"
)

// ZoneTypeInternal is the type of the zones that a list leaves out unless it is asked for them.
const ZoneTypeInternal = "internal"

// A Zone is a zone as the API returns it.
type Zone struct {
	ID                  string     `json:"id"`
	Name                string     `json:"name"`
	Type                string     `json:"type"`
	Status              string     `json:"status"`
	Paused              bool       `json:"paused"`
	NameServers         []string   `json:"name_servers"`
	OriginalNameServers []string   `json:"original_name_servers"`
	OriginalRegistrar   string     `json:"original_registrar"`
	VanityNameServers   []string   `json:"vanity_name_servers"`
	VerificationKey     string     `json:"verification_key"`
	Account             Named      `json:"account"`
	Plan                Plan       `json:"plan"`
	CreatedOn           *time.Time `json:"created_on"`
	ModifiedOn          *time.Time `json:"modified_on"`
	ActivatedOn         *time.Time `json:"activated_on"`
}

// Named is a resource with an ID and a name.
type Named struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

// A Plan is the plan by which a zone is billed.
type Plan struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	// LegacyID is free, pro, business or enterprise.
	LegacyID string `json:"legacy_id"`
}

// GetZone returns the zone of that ID. IsZoneUnknown reports that there is none.
func (c *Client) GetZone(ctx context.Context, id string) (Zone, error) {
	var z Zone
	if err := checkIDs(id); err != nil {
		return z, err
	}
	op := operation{method: http.MethodGet, route: routeZone, zone: id}
	_, err := c.call(ctx, op, &z, func(ctx context.Context, o ...option.RequestOption) error {
		p := zones.ZoneGetParams{}
		p.ZoneID.Value, p.ZoneID.Present = id, true
		_, err := c.zones.Get(ctx, p, o...)
		return err
	})
	return z.answering(op, id, err)
}

// FindZones returns the zones of that name that the credential can see: those of type internal if
// internal is true, and those of the other types if not. A name exists at most once in an account
// and type. A credential may see several accounts.
func (c *Client) FindZones(ctx context.Context, name, accountID string, internal bool) ([]Zone, error) {
	var found []Zone
	name = strings.TrimSuffix(name, ".")
	query := url.Values{"name": {name}, "per_page": {"50"}}
	if accountID != "" {
		query.Set("account.id", accountID)
	}
	if internal {
		query.Set("type", ZoneTypeInternal)
	}
	op := operation{method: http.MethodGet, route: routeZones, query: query}
	info, err := c.call(ctx, op, &found, func(ctx context.Context, o ...option.RequestOption) error {
		for key := range query {
			o = append(o, option.WithQuery(key, query.Get(key)))
		}
		_, err := c.zones.List(ctx, zones.ZoneListParams{}, o...)
		return err
	})
	for i := 0; err == nil && i < len(found); i++ {
		_, err = found[i].answering(op, "", nil)
	}
	if err == nil && info.TotalCount > len(found) {
		err = op.unreadable(fmt.Errorf("it lists %d zones and counts %d", len(found), info.TotalCount))
	}
	if err != nil {
		return nil, err
	}
	return found, nil
}

// answering returns z, the answer of a call that is about the zone of that ID ("" if the ID was not
// known before). An answer that does not say which zone it is must not pass for the requested zone.
func (z Zone) answering(op operation, id string, err error) (Zone, error) {
	switch {
	case err != nil:
		return Zone{}, err
	case !ValidID(z.ID) || z.Name == "" || len(z.Name) > maxText:
		return Zone{}, op.unreadable(errors.New("it describes a zone without an ID or a name"))
	case id != "" && z.ID != id:
		return Zone{}, op.unreadable(errors.New("it is about another zone"))
	}
	return z, nil
}

// unreadable returns the error of a call whose answer is not one that the API would send.
func (op operation) unreadable(why error) error {
	return &Error{Method: op.method, Route: op.route, Status: http.StatusOK, sent: true, cause: why}
}

// CreateZone creates a zone. kind is full, partial, secondary or internal.
func (c *Client) CreateZone(ctx context.Context, name, accountID, kind string) (Zone, error) {
	var z Zone
	raw, err := json.Marshal(map[string]any{"name": name, "type": kind, "account": map[string]string{"id": accountID}})
	if err != nil {
		return z, fmt.Errorf("cannot encode the zone: %w", err)
	}
	op := operation{method: http.MethodPost, route: routeZones, bodies: func() ([][]byte, error) { return [][]byte{raw}, nil }}
	_, err = c.call(ctx, op, &z, func(ctx context.Context, o ...option.RequestOption) error {
		_, err := c.zones.New(ctx, zones.ZoneNewParams{}, append(o, option.WithRequestBody(jsonType, raw))...)
		return err
	})
	return z.answering(op, "", err)
}

// EditZone sets one property of a zone and returns the zone. The API refuses more than one
// property in a call.
func (c *Client) EditZone(ctx context.Context, id, property string, value any) (Zone, error) {
	var z Zone
	if err := checkIDs(id); err != nil {
		return z, err
	}
	raw, err := json.Marshal(map[string]any{property: value})
	if err != nil {
		return z, fmt.Errorf("cannot encode the zone's %s: %w", property, err)
	}
	op := operation{method: http.MethodPatch, route: routeZone, zone: id}
	_, err = c.call(ctx, op, &z, func(ctx context.Context, o ...option.RequestOption) error {
		p := zones.ZoneEditParams{}
		p.ZoneID.Value, p.ZoneID.Present = id, true
		_, err := c.zones.Edit(ctx, p, append(o, option.WithRequestBody(jsonType, raw))...)
		return err
	})
	return z.answering(op, id, err)
}

// DeleteZone deletes a zone with all its records.
func (c *Client) DeleteZone(ctx context.Context, id string) error {
	if err := checkIDs(id); err != nil {
		return err
	}
	_, err := c.call(ctx, operation{method: http.MethodDelete, route: routeZone, zone: id}, nil, func(ctx context.Context, o ...option.RequestOption) error {
		p := zones.ZoneDeleteParams{}
		p.ZoneID.Value, p.ZoneID.Present = id, true
		_, err := c.zones.Delete(ctx, p, o...)
		return err
	})
	return err
}

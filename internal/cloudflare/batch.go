// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package cloudflare

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"

	"github.com/cloudflare/cloudflare-go/v7/dns"
	"github.com/cloudflare/cloudflare-go/v7/option"
)

// A Batch is a set of changes to the records of a zone. The API makes all of them or none. It
// makes them in this order, regardless of the order of the lists: deletes, patches, posts.
type Batch struct {
	// Deletes are IDs of records.
	Deletes []string
	Patches []Patch
	// Posts are bodies of new records.
	Posts []map[string]any
}

// A Patch changes the fields in Body of the record with that ID and keeps the others.
type Patch struct {
	ID   string
	Body map[string]any
}

// Len returns the number of operations in the batch.
func (b Batch) Len() int { return len(b.Deletes) + len(b.Patches) + len(b.Posts) }

// MarshalJSON returns the body of the API's call:
//
//	{"deletes":[{"id":".."}],"patches":[{"id":"..","ttl":60}],"posts":[{"name":".."}]}
func (b Batch) MarshalJSON() ([]byte, error) {
	type object = map[string]any
	var body struct {
		Deletes []object `json:"deletes,omitempty"`
		Patches []object `json:"patches,omitempty"`
		Posts   []object `json:"posts,omitempty"`
	}
	for _, id := range b.Deletes {
		body.Deletes = append(body.Deletes, object{"id": id})
	}
	for _, p := range b.Patches {
		o := object{}
		maps.Copy(o, p.Body)
		o["id"] = p.ID
		body.Patches = append(body.Patches, o)
	}
	body.Posts = b.Posts
	return json.Marshal(body)
}

func (b Batch) check(zoneID string) error {
	ids := make([]string, 0, len(b.Deletes)+len(b.Patches))
	ids = append(ids, b.Deletes...)
	for _, p := range b.Patches {
		ids = append(ids, p.ID)
	}
	return checkIDs(zoneID, ids...)
}

// BatchRecords carries out b, which must not be empty, and decodes the resulting records
// into out, a pointer to a struct of three lists:
// {"deletes":[..],"patches":[..],"posts":[..]}, each in the order of b's. IsRejected
// reports that nothing was done because the API refused an operation, which it does not
// name. IsBatchTooLarge reports that there are more operations than the zone's plan allows.
func (c *Client) BatchRecords(ctx context.Context, zoneID string, b Batch, out any) error {
	if err := b.check(zoneID); err != nil {
		return err
	}
	raw, err := json.Marshal(b)
	if err != nil {
		return fmt.Errorf("cannot encode the batch of DNS records: %w", err)
	}
	_, err = c.call(ctx, operation{method: http.MethodPost, route: routeBatch, zone: zoneID}, out, func(ctx context.Context, o ...option.RequestOption) error {
		p := dns.RecordBatchParams{}
		p.ZoneID.Value, p.ZoneID.Present = zoneID, true
		_, err := c.records.Batch(ctx, p, append(o, option.WithRequestBody(jsonType, raw))...)
		return err
	})
	return err
}

// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package cloudflare

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"math"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A request is a request as it was sent.
type request struct {
	Method, URI, Body string
}

// recorder returns a client whose server answers every request with the same body, and the
// requests that the server got.
func recorder(t *testing.T, body string) (*Client, *[]request) {
	t.Helper()
	got := &[]request{}
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		raw, _ := io.ReadAll(r.Body)
		*got = append(*got, request{r.Method, r.URL.RequestURI(), string(raw)})
		answer(200, body)(w, r)
	})
	return s.client(t, Options{}), got
}

func TestRecordCalls(t *testing.T) {
	ctx := t.Context()
	list := `{"result":[{"id":"a"},{"id":"b"}],"success":true,"errors":[],"messages":[],"result_info":{"page":2,"per_page":2,"count":2,"total_count":5,"total_pages":3}}`
	one := success(`{"id":"` + recordID + `","data":{"port":5060}}`)
	type item struct {
		ID   string         `json:"id"`
		Data map[string]any `json:"data"`
	}
	tests := []struct {
		reason string
		body   string
		call   func(c *Client) (any, error)
		sent   request
		want   any
	}{
		{
			"a page, whatever its size", list,
			func(c *Client) (any, error) {
				var out []item
				info, err := c.ListRecords(ctx, zoneID, 2, 5000, &out)
				return map[string]any{"info": info, "items": out}, err
			},
			request{"GET", "/zones/" + zoneID + "/dns_records?page=2&per_page=5000", ""},
			map[string]any{"info": ResultInfo{Page: 2, PerPage: 2, TotalCount: 5, TotalPages: 3}, "items": []item{{ID: "a"}, {ID: "b"}}},
		},
		{
			"a record whole, its data too", one,
			func(c *Client) (any, error) {
				var out item
				err := c.GetRecord(ctx, zoneID, recordID, &out)
				return out, err
			},
			request{"GET", "/zones/" + zoneID + "/dns_records/" + recordID, ""},
			item{ID: recordID, Data: map[string]any{"port": 5060.0}},
		},
		{
			"the body as it is, nulls and all", one,
			func(c *Client) (any, error) {
				var out item
				err := c.CreateRecord(ctx, zoneID, map[string]any{"name": "a", "comment": nil, "data": map[string]any{"port": 5060}}, &out)
				return out.ID, err
			},
			request{"POST", "/zones/" + zoneID + "/dns_records", `{"comment":null,"data":{"port":5060},"name":"a"}`},
			recordID,
		},
		{
			"only what is to change", one,
			func(c *Client) (any, error) {
				var out item
				err := c.PatchRecord(ctx, zoneID, recordID, map[string]any{"ttl": 120}, &out)
				return out.ID, err
			},
			request{"PATCH", "/zones/" + zoneID + "/dns_records/" + recordID, `{"ttl":120}`},
			recordID,
		},
		{
			"a delete", success(`{"id":"` + recordID + `"}`),
			func(c *Client) (any, error) { return nil, c.DeleteRecord(ctx, zoneID, recordID) },
			request{"DELETE", "/zones/" + zoneID + "/dns_records/" + recordID, ""},
			nil,
		},
	}
	for _, tc := range tests {
		t.Run(tc.reason, func(t *testing.T) {
			c, sent := recorder(t, tc.body)
			got, err := tc.call(c)
			if err != nil {
				t.Fatalf("%s: %v", tc.reason, err)
			}
			if diff := cmp.Diff([]request{tc.sent}, *sent); diff != "" {
				t.Errorf("%s: requests (-want +got):\n%s", tc.reason, diff)
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("%s: outcome (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

func TestBodiesThatAreNoJSONAreNotSent(t *testing.T) {
	c, sent := recorder(t, success("{}"))
	bad := map[string]any{"ttl": math.Inf(1)}
	var unsupported *json.UnsupportedValueError
	for name, err := range map[string]error{
		"create": c.CreateRecord(t.Context(), zoneID, bad, nil),
		"patch":  c.PatchRecord(t.Context(), zoneID, recordID, bad, nil),
		"batch":  c.BatchRecords(t.Context(), zoneID, Batch{Posts: []map[string]any{bad}}, nil),
		"zone":   second(c.EditZone(t.Context(), zoneID, "paused", math.NaN())),
	} {
		if !errors.As(err, &unsupported) || IsAmbiguous(err) {
			t.Errorf("%s: got %v, want the encoder's error", name, err)
		}
	}
	if len(*sent) != 0 {
		t.Errorf("%d requests were sent", len(*sent))
	}
}

func second[T any](_ T, err error) error { return err }

func TestOnlyIDsBecomePartOfAPath(t *testing.T) {
	c, sent := recorder(t, success("{}"))
	ctx := context.Background()
	bad := []struct{ reason, id string }{
		{"nothing", ""},
		{"another collection", "../accounts"},
		{"another collection, escaped", "..%2faccounts"},
		{"an ID with a path behind it", zoneID + "/settings"},
		{"an ID with a query behind it", zoneID + "?x=y"},
		{"as long as an ID", "../../../../accounts/0123456789ab"},
		{"upper case", strings.ToUpper(zoneID)},
		{"too short", zoneID[1:]},
		{"too long", zoneID + "0"},
		{"a letter too far", "g" + zoneID[1:]},
		{"a line break", zoneID[:31] + "\n"},
		{"digits beyond ASCII", strings.Repeat("٠", 16)},
		{"a name", "example.com"},
		{"a dashed UUID", "f174e90a-fafe-4643-bbbc-4a0ed4fc8415"},
	}
	for _, tc := range bad {
		if ValidID(tc.id) {
			t.Errorf("%s: %q passes for an ID", tc.reason, tc.id)
		}
		calls := map[string]error{
			"ListRecords":     second(c.ListRecords(ctx, tc.id, 1, 10, nil)),
			"GetRecord":       c.GetRecord(ctx, tc.id, recordID, nil),
			"GetRecord (2)":   c.GetRecord(ctx, zoneID, tc.id, nil),
			"CreateRecord":    c.CreateRecord(ctx, tc.id, nil, nil),
			"PatchRecord":     c.PatchRecord(ctx, tc.id, recordID, nil, nil),
			"PatchRecord (2)": c.PatchRecord(ctx, zoneID, tc.id, nil, nil),
			"DeleteRecord":    c.DeleteRecord(ctx, tc.id, recordID),
			"DeleteRecord 2":  c.DeleteRecord(ctx, zoneID, tc.id),
			"BatchRecords":    c.BatchRecords(ctx, tc.id, Batch{Deletes: []string{recordID}}, nil),
			"BatchRecords 2":  c.BatchRecords(ctx, zoneID, Batch{Deletes: []string{recordID, tc.id}}, nil),
			"BatchRecords 3":  c.BatchRecords(ctx, zoneID, Batch{Patches: []Patch{{ID: recordID}, {ID: tc.id}}}, nil),
			"GetZone":         second(c.GetZone(ctx, tc.id)),
			"EditZone":        second(c.EditZone(ctx, tc.id, "paused", true)),
			"DeleteZone":      c.DeleteZone(ctx, tc.id),
		}
		for name, err := range calls {
			var e *IDError
			if !errors.As(err, &e) || e.ID != tc.id {
				t.Errorf("%s: %s of %q gives %v, want an *IDError", tc.reason, name, tc.id, err)
			}
		}
	}
	if len(*sent) != 0 {
		t.Errorf("requests were sent: %v", *sent)
	}
	if !ValidID(zoneID) || !ValidID(strings.Repeat("0", 32)) || !ValidID(strings.Repeat("f", 32)) {
		t.Error("an ID does not pass for one")
	}
}

func TestIDErrorReads(t *testing.T) {
	want := `"x" is not the ID of a DNS record: an ID has 32 hexadecimal characters`
	if got := (&IDError{What: "DNS record", ID: "x"}).Error(); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

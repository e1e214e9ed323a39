// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package inventory

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/provider-cloudflare/provider-cloudflare/internal/cloudflare"
	"github.com/provider-cloudflare/provider-cloudflare/internal/parent"
)

// lists answers with these zones and pages.
type lists struct {
	zones []cloudflare.Zone
	pages [][]json.RawMessage
	info  cloudflare.ResultInfo
	err   error
	asked string
}

func (l *lists) FindZones(_ context.Context, name, _ string, _ bool) ([]cloudflare.Zone, error) {
	l.asked = name
	return l.zones, l.err
}

func (l *lists) ListRecords(_ context.Context, _ string, page, _ int, out any) (cloudflare.ResultInfo, error) {
	into, _ := out.(*[]json.RawMessage)
	if page <= len(l.pages) {
		*into = l.pages[page-1]
	}
	return l.info, l.err
}

func records(n int) []json.RawMessage { return make([]json.RawMessage, n) }

func TestRecords(t *testing.T) {
	t.Parallel()
	refused := errors.New("refused")
	for _, tc := range []struct {
		api    lists
		want   int
		err    bool
		reason string
	}{
		{lists{info: cloudflare.ResultInfo{Page: 1}}, 0, false, "an empty zone"},
		{lists{pages: [][]json.RawMessage{records(2), records(1)}, info: cloudflare.ResultInfo{Page: 1, TotalPages: 2, TotalCount: 3}}, 3, false, "two pages"},
		{lists{pages: [][]json.RawMessage{records(2)}, info: cloudflare.ResultInfo{Page: 1, TotalPages: 1, TotalCount: 3}}, 0, true, "fewer than are counted"},
		{lists{err: refused}, 0, true, "the API refuses"},
	} {
		got, err := Records(t.Context(), &tc.api, "zone")
		if len(got) != tc.want || (err != nil) != tc.err {
			t.Errorf("%s: %d records, %v", tc.reason, len(got), err)
		}
		var incomplete *parent.IncompleteError
		if tc.err && !errors.Is(err, refused) && !errors.As(err, &incomplete) {
			t.Errorf("%s: %v", tc.reason, err)
		}
	}
}

func TestZone(t *testing.T) {
	t.Parallel()
	one := cloudflare.Zone{ID: "1", Name: "example.com"}
	for _, tc := range []struct {
		api        lists
		name, says string
		reason     string
	}{
		{lists{zones: []cloudflare.Zone{one}}, "Example.com.", "", "a name in another spelling"},
		{lists{}, "example.com", "there is no zone", "none"},
		{lists{zones: []cloudflare.Zone{one, one}}, "example.com", "in several accounts", "two"},
		{lists{}, "a..b", "is not the name of a zone", "no name"},
		{lists{err: errors.New("refused")}, "example.com", "cannot look up", "the API refuses"},
	} {
		got, err := Zone(t.Context(), &tc.api, tc.name, "")
		switch {
		case tc.says == "" && (err != nil || got.ID != one.ID || tc.api.asked != "example.com"):
			t.Errorf("%s: %v, %v, asked for %q", tc.reason, got, err, tc.api.asked)
		case tc.says != "" && (err == nil || !strings.Contains(err.Error(), tc.says)):
			t.Errorf("%s: %v", tc.reason, err)
		}
	}
}

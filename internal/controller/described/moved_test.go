// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package described

import (
	"errors"
	"testing"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"

	tunnelv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/tunnel/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/external"
	"github.com/provider-cloudflare/provider-cloudflare/internal/external/claim"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kinds/r2"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kinds/ssl"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kinds/tunnel"
)

// TestStays checks that an object does not move to another account, where its resource would seem to be gone and
// would be created again.
func TestStays(t *testing.T) {
	const here, there = "tunnel Tunnel /accounts/a/cfd_tunnel", "tunnel Tunnel /accounts/b/cfd_tunnel"
	for name, row := range map[string]struct {
		was, id, own string
		moved        bool
		reason       string
	}{
		"Same":     {there, "id", "id", false, "nothing has changed"},
		"New":      {"", "", "", false, "it was never anywhere"},
		"NoNote":   {"", "id", "", false, "a backup without status"},
		"NotMade":  {here, "", "", false, "there is no resource yet"},
		"Another":  {here, "id", "id", true, "its resource is in another account"},
		"Deleting": {here, "id", "id", true, "its resource would be left there"},
		"Unnamed":  {here, "", "id", true, "its status shows its resource in another account"},
	} {
		t.Run(name, func(t *testing.T) {
			mg := &tunnelv1alpha1.Tunnel{}
			mg.GetSync().Parent = row.was
			meta.SetExternalName(mg, row.id)
			setID(mg.GetAtProvider(), row.own)
			mg.SetOwnership(claim.Own)
			a := &adapter{described: &described{entry: entry{Description: tunnel.Tunnel()}}, mg: mg}
			var moved *external.MovedError
			if got := errors.As(a.stays(t.Context(), there), &moved); got != row.moved {
				t.Fatalf("%s: moved %t, want %t", row.reason, got, row.moved)
			}
			if moved != nil && (moved.From != "/accounts/a/cfd_tunnel" || moved.To != "/accounts/b/cfd_tunnel") {
				t.Errorf("%s: from %s to %s", row.reason, moved.From, moved.To)
			}
		})
	}
}

// TestStaysInOneJurisdiction checks that a header that means the same as none moves nothing, and that another header
// does. A list with another query is another list.
func TestStaysInOneJurisdiction(t *testing.T) {
	const bucket, list = "r2 R2Bucket /accounts/a/r2/buckets", "ssl OriginCACertificate /certificates zone_id="
	for _, row := range []struct {
		reason   string
		d        kind.Description
		was, now string
		moved    bool
	}{
		{"default is none", r2.R2Bucket(), bucket + " Cf-R2-Jurisdiction=default", bucket, false},
		{"none is default", r2.R2Bucket(), bucket, bucket + " Cf-R2-Jurisdiction=default", false},
		{"the EU is another one", r2.R2Bucket(), bucket, bucket + " Cf-R2-Jurisdiction=eu", true},
		{"the list of another zone", ssl.OriginCACertificate(), list + "z1", list + "z2", true},
	} {
		mg := &tunnelv1alpha1.Tunnel{}
		mg.GetSync().Parent = row.was
		meta.SetExternalName(mg, "id")
		a := &adapter{described: &described{entry: entry{Description: row.d}}, mg: mg}
		var moved *external.MovedError
		if got := errors.As(a.stays(t.Context(), row.now), &moved); got != row.moved {
			t.Errorf("%s: moved %t, want %t", row.reason, got, row.moved)
		}
	}
}

func TestZoneIn(t *testing.T) {
	for _, row := range []struct{ reason, parent, want string }{
		{"a zone in the path", "workers WorkerRoute /zones/z1/workers/routes", "z1"},
		{"a zone in the query", "ssl OriginCACertificate /certificates zone_id=z1", "z1"},
		{"a zone in a query with more", "x Y /things a=b zone_id=z1 zz=1", "z1"},
		{"a zone alone", "zone Z /zones/z1", "z1"},
		{"an account", "tunnel Tunnel /accounts/a/cfd_tunnel", ""},
		{"nothing", "", ""},
	} {
		if got := zoneIn(row.parent); got != row.want {
			t.Errorf("%s: zoneIn(%q) = %q, want %q", row.reason, row.parent, got, row.want)
		}
	}
}

// TestOneCreationOfAKey checks two objects that want to create one fragment. One of them does, and neither takes a
// fragment that has appeared since its last look for its own.
func TestOneCreationOfAKey(t *testing.T) {
	d := tunnel.TunnelIngress()
	exists := errors.New("it exists")
	doc := d.With(nil, kind.Document{"hostname": "old.example.com", "service": "a"})
	changes := func() []*change {
		return []*change{
			{key: d.FragmentKey(kind.Document{"hostname": "old.example.com"}), exists: exists},
			{key: d.FragmentKey(kind.Document{"hostname": "new.example.com"}), exists: exists},
			{key: d.FragmentKey(kind.Document{"hostname": "new.example.com"}), exists: exists},
			{key: d.FragmentKey(kind.Document{"hostname": "old.example.com"})},
		}
	}
	group := changes()
	refuseExisting(d, doc, group)
	for i, want := range []error{exists, nil, exists, nil} {
		if !errors.Is(group[i].err, want) || (group[i].err == nil) != (want == nil) {
			t.Errorf("change %d ends with %v, want %v", i, group[i].err, want)
		}
	}
}

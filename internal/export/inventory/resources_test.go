// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package inventory

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/provider-cloudflare/provider-cloudflare/internal/cloudflare"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kinds"
	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

// An account is an account in the simulator, with tunnels.
type account struct {
	sim *simulator.Server
	url string
	id  string
}

func newAccount(t *testing.T, tunnels int) *account {
	t.Helper()
	sim := simulator.New(simulator.Options{})
	server := httptest.NewServer(sim)
	t.Cleanup(server.Close)
	a := &account{sim: sim, url: server.URL + simulator.BasePath, id: sim.AddAccount("one").ID}
	for i := range tunnels {
		body := map[string]any{"name": fmt.Sprintf("t%d", i), "config_src": "cloudflare"}
		path := "/accounts/" + a.id + "/cfd_tunnel"
		if _, err := a.client(simulator.Everything).Do(t.Context(), cloudflare.Request{Method: http.MethodPost, Path: path, Route: path, Body: body}); err != nil {
			t.Fatal(err)
		}
	}
	sim.ResetLog()
	return a
}

// client returns a client with a token that has one permission.
func (a *account) client(permission simulator.Permission) *cloudflare.Client {
	token := a.sim.AddToken(simulator.TokenOptions{Grants: []simulator.Grant{{Account: a.id, Permission: permission}}})
	return cloudflare.New(cloudflare.NewToken(token), cloudflare.Options{BaseURL: a.url})
}

func everything(string) bool { return true }

// TestResourcesBelowOthers lists the resources of each tunnel, and expects no calls for other kinds.
func TestResourcesBelowOthers(t *testing.T) {
	t.Parallel()
	a := newAccount(t, 2)
	got, err := Resources(t.Context(), a.client(simulator.Everything), Account{ID: a.id}, kinds.All(), func(kind string) bool { return kind == "tunnel.TunnelConfiguration" })
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != 1 || got[0].Kind.Name != "TunnelConfiguration" || len(got[0].Refused) > 0 {
		t.Fatalf("got %+v, want one listing of tunnel configurations", got)
	}
	if n := len(got[0].Resources); n != 2 {
		t.Errorf("%d configurations of 2 tunnels", n)
	}
	for _, r := range got[0].Resources {
		if r.Parameters["tunnel_id"] == "" || r.Parameters["account_id"] != a.id || !strings.HasSuffix(r.ID, "/"+r.Parameters["tunnel_id"]) {
			t.Errorf("its parameters are %v and its ID is %q", r.Parameters, r.ID)
		}
	}
	for _, r := range a.sim.Requests() {
		if !strings.Contains(r.Path, "/cfd_tunnel") {
			t.Errorf("%s was asked for", r.Path)
		}
	}
}

// TestResourcesRefused shows that a refusal counts only for the kinds that the token may not see,
// and for the kinds below these.
func TestResourcesRefused(t *testing.T) {
	t.Parallel()
	a := newAccount(t, 1)
	for permission, want := range map[simulator.Permission]string{
		"Cloudflare Tunnel Read": "Tunnel TunnelConfiguration VirtualNetwork", "Workers KV Storage Read": "", // Each account has a virtual network.
		simulator.Everything: "GatewayLocation Tunnel TunnelConfiguration VirtualNetwork", // And a location of Gateway.
	} {
		got, err := Resources(t.Context(), a.client(permission), Account{ID: a.id}, kinds.All(), everything)
		if err != nil {
			t.Fatal(err)
		}
		var seen []string
		for _, l := range got {
			if len(l.Resources) > 0 {
				seen = append(seen, l.Kind.Name)
			}
			of := strings.HasPrefix(l.Kind.Name, "Tunnel")
			if refused := len(l.Refused) > 0; of && refused != (want == "") || permission == simulator.Everything && refused {
				t.Errorf("with %s, %s is refused: %v", permission, l.Kind.Name, l.Refused)
			}
		}
		slices.Sort(seen)
		if strings.Join(seen, " ") != want {
			t.Errorf("with %s it sees %v, want %v", permission, seen, want)
		}
	}
}

// TestResourcesOfAZone shows that a token for one of two zones sees that zone, and that the
// refusal of the other is reported.
func TestResourcesOfAZone(t *testing.T) {
	t.Parallel()
	a := newAccount(t, 0)
	var in Account
	for _, name := range []string{"example.com", "example.net"} {
		z, err := a.sim.AddZone(a.id, name, simulator.ZoneOptions{})
		if err != nil {
			t.Fatal(err)
		}
		in.Zones = append(in.Zones, cloudflare.Zone{ID: z.ID, Name: z.Name})
	}
	in.ID = a.id
	token := a.sim.AddToken(simulator.TokenOptions{Grants: []simulator.Grant{{Zone: in.Zones[1].ID, Permission: simulator.Everything}}})
	client := cloudflare.New(cloudflare.NewToken(token), cloudflare.Options{BaseURL: a.url})
	got, err := Resources(t.Context(), client, in, kinds.All(), func(kind string) bool { return kind == "dns.DNSSEC" })
	if err != nil || len(got) != 1 {
		t.Fatalf("got %v, %v", got, err)
	}
	if l := got[0]; len(l.Resources) != 1 || l.Resources[0].Parameters["zone_id"] != in.Zones[1].ID || len(l.Refused) != 1 ||
		!strings.Contains(l.Refused[0].Error(), "the zone example.com") {
		t.Errorf("got %+v", l)
	}
}

// TestResourcesFail expects that any other failure does not pass for an empty account.
func TestResourcesFail(t *testing.T) {
	t.Parallel()
	a := newAccount(t, 1)
	a.sim.AddFault(simulator.Fault{Kind: simulator.Fault500AfterCommit, Path: "/accounts/{account_id}/cfd_tunnel", Times: -1})
	if got, err := Resources(t.Context(), a.client(simulator.Everything), Account{ID: a.id}, kinds.All(), everything); err == nil {
		t.Errorf("got %d listings and no error", len(got))
	}
}

// TestBucketsOfJurisdictions expects the list of each jurisdiction to be read.
func TestBucketsOfJurisdictions(t *testing.T) {
	t.Parallel()
	a := newAccount(t, 0)
	for jurisdiction, name := range map[string]string{"": "here", "eu": "there"} {
		path := "/accounts/" + a.id + "/r2/buckets"
		req := cloudflare.Request{Method: http.MethodPost, Path: path, Route: path, Body: map[string]any{"name": name}, Header: http.Header{}}
		if jurisdiction != "" {
			req.Header.Set("cf-r2-jurisdiction", jurisdiction)
		}
		if _, err := a.client(simulator.Everything).Do(t.Context(), req); err != nil {
			t.Fatal(err)
		}
	}
	got, err := Resources(t.Context(), a.client(simulator.Everything), Account{ID: a.id}, kinds.All(), func(kind string) bool { return kind == "r2.R2Bucket" })
	if err != nil || len(got) != 1 {
		t.Fatalf("got %v, %v", got, err)
	}
	in := map[string]string{}
	for _, r := range got[0].Resources {
		in[r.ID] = r.Parameters["jurisdiction"]
	}
	if len(in) != 2 || in["there"] != "eu" || in["here"] != "" {
		t.Errorf("got %v", in)
	}
	// Resources of a bucket are in its jurisdiction, and are looked for only there.
	a.sim.ResetLog()
	got, err = Resources(t.Context(), a.client(simulator.Everything), Account{ID: a.id}, kinds.All(), func(kind string) bool { return kind == "r2.R2CustomDomain" })
	if err != nil || len(got) != 1 {
		t.Fatalf("got %v, %v", got, err)
	}
	var asked []string
	for _, r := range a.sim.Requests() {
		if strings.HasSuffix(r.Path, "/domains/custom") {
			asked = append(asked, fmt.Sprintf("%s %d", strings.Split(r.Path, "/")[5], r.Status))
		}
	}
	slices.Sort(asked)
	if !slices.Equal(asked, []string{"here 200", "there 200"}) {
		t.Errorf("the domains were asked for so: %q", asked)
	}
}

// TestOrderOfKinds expects kinds below other resources after these.
func TestOrderOfKinds(t *testing.T) {
	t.Parallel()
	done := map[string]bool{}
	for _, d := range inOrder(kinds.All()) {
		for _, of := range references(d) {
			if !done[of] {
				t.Errorf("%s comes before %s, to which it belongs", d.Name, of)
			}
		}
		done[name(d)] = true
	}
}

// TestFragmentsAreLeftOut expects no fragments, because their documents have them.
func TestFragmentsAreLeftOut(t *testing.T) {
	t.Parallel()
	a := newAccount(t, 0)
	got, err := Resources(t.Context(), a.client(simulator.Everything), Account{ID: a.id}, kinds.All(), everything)
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range got {
		if l.Kind.Shape == kind.Fragment && l.Kind.Bulk == "" {
			t.Errorf("%s is listed", l.Kind.Name)
		}
	}
}

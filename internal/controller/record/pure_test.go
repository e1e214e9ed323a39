// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package record

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/utils/ptr"
	"pgregory.net/rapid"

	"github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/dnsrecord"
	"github.com/provider-cloudflare/provider-cloudflare/internal/dnszone"
)

const testZone = "023e105f4ecef8ad9ca31a8372d0c353"

// entry returns a live record as the API returns it.
func entry(l dnsrecord.Live) dnszone.Entry {
	return dnszone.Entry{Live: l, Record: dnsrecord.FromLive(l)}
}

func liveA(id, content string) dnszone.Entry {
	return entry(dnsrecord.Live{ID: id, Name: "www.example.com", Type: "A", Content: content, TTL: 1, Proxiable: true})
}

// TestDataOnTheWire has what a user can write under data for each type, and the same on the
// wire.
func TestDataOnTheWire(t *testing.T) {
	i, s := ptr.To[int64], ptr.To[string]
	num := func(n int) *intstr.IntOrString { return ptr.To(intstr.FromInt32(int32(n))) }
	text := func(v string) *intstr.IntOrString { return ptr.To(intstr.FromString(v)) }
	tests := []struct {
		rrtype string
		data   v1alpha1.RecordData
		wire   dnsrecord.Data
	}{
		{"SRV", v1alpha1.RecordData{Priority: i(10), Weight: i(0), Port: i(5060), Target: s("sip.example.com")}, dnsrecord.Data{"priority": 10.0, "weight": 0.0, "port": 5060.0, "target": "sip.example.com"}},
		{"CAA", v1alpha1.RecordData{Flags: num(0), Tag: s("issue"), Value: s("ca.example")}, dnsrecord.Data{"flags": 0.0, "tag": "issue", "value": "ca.example"}},
		{"DS", v1alpha1.RecordData{KeyTag: i(1), Algorithm: i(13), DigestType: i(2), Digest: s(strings.Repeat("AB", 32))}, dnsrecord.Data{"key_tag": 1.0, "algorithm": 13.0, "digest_type": 2.0, "digest": strings.Repeat("AB", 32)}},
		{"DNSKEY", v1alpha1.RecordData{Flags: num(257), Protocol: i(3), Algorithm: i(13), PublicKey: s("AQID")}, dnsrecord.Data{"flags": 257.0, "protocol": 3.0, "algorithm": 13.0, "public_key": "AQID"}},
		{"TLSA", v1alpha1.RecordData{Usage: i(3), Selector: i(1), MatchingType: i(1), Certificate: s(strings.Repeat("AB", 32))}, dnsrecord.Data{"usage": 3.0, "selector": 1.0, "matching_type": 1.0, "certificate": strings.Repeat("AB", 32)}},
		{"NAPTR", v1alpha1.RecordData{Order: i(1), Preference: i(2), Flags: text("S"), Service: s("SIP+D2U"), Regex: s(""), Replacement: s("a.example.")}, dnsrecord.Data{"order": 1.0, "preference": 2.0, "flags": "S", "service": "SIP+D2U", "regex": "", "replacement": "a.example."}},
		{"SSHFP", v1alpha1.RecordData{Algorithm: i(4), Type: i(2), Fingerprint: s(strings.Repeat("AB", 32))}, dnsrecord.Data{"algorithm": 4.0, "type": 2.0, "fingerprint": strings.Repeat("AB", 32)}},
		{
			"LOC",
			v1alpha1.RecordData{
				LatDegrees: i(37), LatMinutes: i(46), LatSeconds: text("46.5"), LatDirection: s("N"), LongDegrees: i(122), LongMinutes: i(23),
				LongSeconds: num(35), LongDirection: s("W"), Altitude: num(-10), Size: num(100), PrecisionHorz: text("0.5"), PrecisionVert: num(0),
			},
			dnsrecord.Data{
				"lat_degrees": 37.0, "lat_minutes": 46.0, "lat_seconds": "46.5", "lat_direction": "N", "long_degrees": 122.0, "long_minutes": 23.0,
				"long_seconds": 35.0, "long_direction": "W", "altitude": -10.0, "size": 100.0, "precision_horz": "0.5", "precision_vert": 0.0,
			},
		},
	}
	for _, tc := range tests {
		t.Run(tc.rrtype, func(t *testing.T) {
			in, err := input(v1alpha1.RecordParameters{Name: ptr.To("n"), Type: &tc.rrtype, Data: &tc.data})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tc.wire, in.Data); diff != "" {
				t.Errorf("on the wire (-want +got):\n%s", diff)
			}
			r, err := dnsrecord.Parse("example.com", in)
			if err != nil {
				t.Fatalf("what the API type can say, the parser refuses: %v", err)
			}
			// What the API returns is shown as it was declared.
			shown := shownData(r.Data)
			if shown == nil {
				t.Fatalf("%v is not shown", r.Data)
			}
			back, err := wireData(shown)
			if err != nil {
				t.Fatal(err)
			}
			again, err := dnsrecord.Parse("example.com", dnsrecord.Input{Name: "n", Type: tc.rrtype, Data: back, Priority: in.Priority})
			if err != nil || !dnsrecord.Equal(r, again) {
				t.Errorf("shown as %v, which is not what it was: %v", back, err)
			}
		})
	}
}

func TestPrecheckNeedsNoZone(t *testing.T) {
	in := func(rrtype, content string, edit ...func(*v1alpha1.RecordParameters)) v1alpha1.RecordParameters {
		p := v1alpha1.RecordParameters{Name: ptr.To("www"), Type: &rrtype, Content: &content}
		for _, e := range edit {
			e(&p)
		}
		return p
	}
	tests := []struct {
		reason string
		p      v1alpha1.RecordParameters
		says   string
	}{
		{"a good one", in("A", "192.0.2.1"), ""},
		{"an alias of another name", in("CNAME", "example.com"), ""},
		{"a name that only the zone can judge", in("A", "192.0.2.1", func(p *v1alpha1.RecordParameters) { p.Name = ptr.To("www.other.example.") }), ""},
		{"content that is not an address", in("A", "300.1.1.1"), "is not an IPv4 address"},
		{"an SRV that does not parse", in("SRV", "10 5 sip.example.com"), "spec.forProvider is not a valid DNS record"},
		{"priorities that disagree", in("MX", "10 mx.example.com.", func(p *v1alpha1.RecordParameters) { p.Priority = ptr.To[int64](20) }), "priority"},
	}
	for _, tc := range tests {
		parsed, ok, err := declared(tc.p)
		if !ok || err != nil {
			t.Fatalf("%s: %t, %v", tc.reason, ok, err)
		}
		err = precheck(parsed)
		if tc.says == "" && err != nil || tc.says != "" && (err == nil || !strings.Contains(err.Error(), tc.says)) {
			t.Errorf("%s: got %v, want an error that says %q", tc.reason, err, tc.says)
		}
		if parsed.Name != *tc.p.Name {
			t.Errorf("%s: the check changed the name to %s", tc.reason, parsed.Name)
		}
	}
	for reason, p := range map[string]v1alpha1.RecordParameters{
		"no name": {Type: ptr.To("A"), Content: ptr.To("x")}, "no type": {Name: ptr.To("a"), Content: ptr.To("x")}, "no content": {Name: ptr.To("a"), Type: ptr.To("A")},
	} {
		if _, ok, err := declared(p); ok || err != nil {
			t.Errorf("%s: %t, %v, want that it declares too little", reason, ok, err)
		}
	}
}

func TestInputKeepsWhatIsLeftOutApart(t *testing.T) {
	got, err := input(v1alpha1.RecordParameters{})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(dnsrecord.Input{}, got); diff != "" {
		t.Errorf("nothing declared (-want +got):\n%s", diff)
	}

	tags := []string{"b:2", "a:1"}
	p := v1alpha1.RecordParameters{
		Name: ptr.To("@"), Type: ptr.To("MX"), Content: ptr.To("mail.example.com"), Priority: ptr.To[int64](0), TTL: ptr.To[int64](1),
		Proxied: ptr.To(false), Comment: ptr.To(""), Tags: &tags, Settings: &v1alpha1.RecordSettings{IPv4Only: ptr.To(true)},
	}
	got, err = input(p)
	want := dnsrecord.Input{
		Name: "@", Type: "MX", Content: ptr.To("mail.example.com"), Priority: ptr.To[int64](0), TTL: ptr.To[int64](1),
		Proxied: ptr.To(false), Comment: ptr.To(""), Tags: []string{"b:2", "a:1"}, Settings: &dnsrecord.Settings{IPv4Only: true},
	}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("zero values are values, %v (-want +got):\n%s", err, diff)
	}
	got.Tags[0] = "changed"
	if tags[0] != "b:2" {
		t.Error("the spec's tags are shared with the parser")
	}

	got, err = input(v1alpha1.RecordParameters{Type: ptr.To("CNAME"), TunnelID: ptr.To("c1744f8b-faa1-48a4-9e5c-02ac921467fa")})
	want = dnsrecord.Input{Type: "CNAME", Content: ptr.To("c1744f8b-faa1-48a4-9e5c-02ac921467fa.cfargotunnel.com."), Proxied: ptr.To(true)}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("a tunnel, %v (-want +got):\n%s", err, diff)
	}

	got, err = input(v1alpha1.RecordParameters{Tags: &[]string{}})
	if got.Tags == nil || len(got.Tags) != 0 || err != nil {
		t.Errorf("an empty list is not the same as none: %v, %v", got.Tags, err)
	}
}

func TestNamesOfDataMembers(t *testing.T) {
	for wire, shown := range map[string]string{
		"key_tag": "keyTag", "digest_type": "digestType", "matching_type": "matchingType", "public_key": "publicKey",
		"lat_degrees": "latDegrees", "precision_horz": "precisionHorz", "port": "port",
	} {
		if got := camel(wire); got != shown {
			t.Errorf("camel(%s) is %s, want %s", wire, got, shown)
		}
		if got := snake(shown); got != wire {
			t.Errorf("snake(%s) is %s, want %s", shown, got, wire)
		}
	}
	if got := camel("a__b_"); got != "aB" {
		t.Errorf("an odd name became %q", got)
	}
}

func TestShownDataOfWhatDoesNotFit(t *testing.T) {
	if got := shownData(nil); got != nil {
		t.Errorf("no data is shown as %v", got)
	}
	if got := shownData(dnsrecord.Data{"port": "not a number"}); got != nil {
		t.Errorf("data of another form is shown as %v", got)
	}
	if got := shownData(dnsrecord.Data{"port": 1, "brand_new": true}); got == nil || *got.Port != 1 {
		t.Errorf("a new member hides the others: %v", got)
	}
	if got := shownData(dnsrecord.Data{"port": func() {}}); got != nil {
		t.Errorf("what is no JSON is shown as %v", got)
	}
}

func TestObservation(t *testing.T) {
	created := time.Date(2026, 1, 2, 3, 4, 5, 999999000, time.UTC)
	l := dnsrecord.Live{
		ID: "372e67954025e0ba6aaa6d586b9e0b59", Name: "_sip._tcp.example.com", Type: "SRV", Content: "5\t5060\tsip.example.com",
		Data: dnsrecord.Data{"priority": 10.0, "weight": 5.0, "port": 5060.0, "target": "sip.example.com"}, Priority: 10.0,
		TTL: 300, Comment: ptr.To("c"), Tags: []string{"a:1"}, CreatedOn: created, Settings: &dnsrecord.Settings{},
	}
	want := v1alpha1.RecordObservation{
		ID: l.ID, ZoneID: testZone, Name: l.Name, FQDN: l.Name, Type: "SRV", Content: "5 5060 sip.example.com",
		Data: &v1alpha1.ObservedRecordData{Priority: ptr.To[int64](10), Weight: ptr.To[int64](5), Port: ptr.To[int64](5060), Target: ptr.To("sip.example.com")},
		TTL:  ptr.To[int64](300), Proxied: ptr.To(false), Proxiable: ptr.To(false), Comment: ptr.To("c"), Tags: []string{"a:1"},
		CreatedOn: ptr.To(metav1.NewTime(created.Truncate(time.Second))),
	}
	if diff := cmp.Diff(want, observation(testZone, entry(l))); diff != "" {
		t.Errorf("observation (-want +got):\n%s", diff)
	}

	shown := observation(testZone, entry(l))
	*shown.Comment, shown.Tags[0] = "decoded in place", "decoded:in-place"
	if *l.Comment != "c" || l.Tags[0] != "a:1" {
		t.Errorf("what is written to a status changes the record that others read: %q, %v", *l.Comment, l.Tags)
	}

	l = dnsrecord.Live{Name: "Example.com", Type: "MX", Content: "mail.example.com", Priority: 10.0, TTL: 1, Settings: &dnsrecord.Settings{IPv4Only: true}}
	got := observation(testZone, entry(l))
	if got.FQDN != "example.com" || got.Name != "Example.com" || got.Priority == nil || *got.Priority != 10 || got.CreatedOn != nil {
		t.Errorf("observation is %+v", got)
	}
	if got.Settings == nil || !*got.Settings.IPv4Only || *got.Settings.IPv6Only {
		t.Errorf("settings are %+v", got.Settings)
	}
}

func TestLateInitialize(t *testing.T) {
	tests := []struct {
		reason  string
		p       v1alpha1.RecordParameters
		live    dnsrecord.Live
		ttl     *int64
		proxied *bool
		changed bool
	}{
		{"nothing declared", v1alpha1.RecordParameters{}, dnsrecord.Live{Type: "A", TTL: 300}, ptr.To[int64](300), ptr.To(false), true},
		{"the ttl of a proxied record means nothing", v1alpha1.RecordParameters{}, dnsrecord.Live{Type: "A", TTL: 1, Proxied: true}, nil, ptr.To(true), true},
		{"a record that cannot be proxied has no such choice", v1alpha1.RecordParameters{}, dnsrecord.Live{Type: "TXT", TTL: 1}, ptr.To[int64](1), nil, true},
		{"what is declared is left alone", v1alpha1.RecordParameters{TTL: ptr.To[int64](60), Proxied: ptr.To(false)}, dnsrecord.Live{Type: "A", TTL: 300, Proxied: true}, ptr.To[int64](60), ptr.To(false), false},
		{"only what is missing", v1alpha1.RecordParameters{Proxied: ptr.To(false)}, dnsrecord.Live{Type: "A", TTL: 300}, ptr.To[int64](300), ptr.To(false), true},
		{"an answer without a ttl", v1alpha1.RecordParameters{}, dnsrecord.Live{Type: "TXT"}, nil, nil, false},
	}
	for _, tc := range tests {
		p := tc.p
		changed := lateInitialize(&p, entry(tc.live))
		want := tc.p
		want.TTL, want.Proxied = tc.ttl, tc.proxied
		if diff := cmp.Diff(want, p); diff != "" || changed != tc.changed {
			t.Errorf("%s: changed %t, want %t (-want +got):\n%s", tc.reason, changed, tc.changed, diff)
		}
		if lateInitialize(&p, entry(tc.live)) {
			t.Errorf("%s: it changes something again, and would at every poll", tc.reason)
		}
		tc.live.Comment, tc.live.Tags = ptr.To("of the dashboard"), []string{"a:1"}
		lateInitialize(&p, entry(tc.live))
		if p.Comment != nil || p.Tags != nil || p.Settings != nil {
			t.Errorf("%s: the dashboard's comment or tags became managed", tc.reason)
		}
	}
}

// TestTriedKeyOfAnyTXT: a key that changed on its way through the journal would not find its
// record, and a second one would be created.
func TestTriedKeyOfAnyTXT(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		content := string(rapid.SliceOfN(rapid.Byte(), 1, 600).Draw(t, "content"))
		r, err := dnsrecord.Parse("example.com", dnsrecord.Input{Name: "@", Type: "TXT", Content: &content})
		if err != nil {
			return // Not every such text is well quoted.
		}
		about := subject{Zone: testZone, Key: r.Key()}
		raw, err := json.Marshal(about)
		if err != nil {
			t.Fatal(err)
		}
		a := &adapter{}
		if err := a.ResumeCreate(raw, time.Now()); err != nil || a.tried.subject != about {
			t.Fatalf("got %+v, %v, want %+v", a.tried, err, about)
		}
	})
}

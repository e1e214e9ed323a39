// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package emit

import (
	"bytes"
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"strings"
	"testing"

	"github.com/provider-cloudflare/provider-cloudflare/hack/kindgen/model"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
)

func TestNames(t *testing.T) {
	for _, row := range []struct {
		wire, json, goName, reason string
	}{
		{"tunnel_secret", "tunnelSecret", "TunnelSecret", "as most names are"},
		{"tunnel_id", "tunnelId", "TunnelID", "an initialism is one in Go only"},
		{"allowed_idps", "allowedIdps", "AllowedIDPs", "several of them"},
		{"noTLSVerify", "noTlsVerify", "NoTLSVerify", "capitals in the middle"},
		{"http2Origin", "http2Origin", "Http2Origin", "a digit belongs to its word"},
		{"warp-routing", "warpRouting", "WarpRouting", "a hyphen"},
		{"azureAD", "azureAd", "AzureAd", "capitals at the end"},
		{"Host", "host", "Host", "a header"},
		{"s-maxage", "sMaxage", "SMaxage", "a word of one letter"},
		{"1st_thing", "1stThing", "N1stThing", "no name of Go begins with a digit"},
	} {
		n := &model.Node{Name: row.wire}
		if got := jsonName(n); got != row.json {
			t.Errorf("%s: %s is %s to users, want %s", row.reason, row.wire, got, row.json)
		}
		if got := goName(row.json); got != row.goName {
			t.Errorf("%s: %s is %s in Go, want %s", row.reason, row.wire, got, row.goName)
		}
	}
}

func TestPlural(t *testing.T) {
	for _, row := range []struct{ kind, want, reason string }{
		{"Tunnel", "tunnels", "an s"},
		{"AccessPolicy", "accesspolicies", "y becomes ies"},
		{"WorkerRelay", "workerrelays", "not after a vowel"},
		{"TunnelIngress", "tunnelingresses", "es after an s"},
	} {
		if got := Plural(row.kind); got != row.want {
			t.Errorf("%s: the plural of %s is %s, want %s", row.reason, row.kind, got, row.want)
		}
	}
}

func TestSecretName(t *testing.T) {
	for _, row := range []struct {
		node         *model.Node
		want, reason string
	}{
		{&model.Node{Name: "tunnel_secret"}, "tunnelSecretRef", "no SecretSecretRef"},
		{&model.Node{Name: "password"}, "passwordSecretRef", "what it is, and where it is"},
		{&model.Node{Name: "x", Field: kind.Field{Name: "yRef"}}, "yRef", "the description has the word"},
	} {
		if got := secretName(row.node); got != row.want {
			t.Errorf("%s: it is %s, want %s", row.reason, got, row.want)
		}
	}
}

// TestTypesOfFields writes a type with a field of each kind and looks for its declaration.
func TestTypesOfFields(t *testing.T) {
	text := &model.Node{Type: model.String, Path: "list[]"}
	k := &model.Kind{
		Description: kind.Description{Group: "made", Name: "Thing", Short: "cfthing", Scope: kind.Account, Doc: "A Thing is made up.", Columns: []string{"NAME=name"}},
		Spec: &model.Node{Type: model.Object, Members: []*model.Node{
			{Name: "name", Path: "name", Type: model.String, Doc: "Name.", Required: true, Immutable: true, MaxLen: 9, Pattern: "^a$"},
			{Name: "list", Path: "list", Type: model.List, Doc: "List.", Elem: text, Set: true, MaxItems: 3},
			{Name: "weight", Path: "weight", Type: model.Number, Doc: "Weight.", Min: "0", Max: "1"},
			{Name: "mode", Path: "mode", Type: model.String, Doc: "Mode.", Enum: []string{"on", "1.2", "true"}},
			{Name: "pace", Path: "pace", Type: model.Integer, Doc: "Pace.", OnlyBy: "mode", Only: []string{"on"}},
			{Name: "pin", Path: "pin", Type: model.String, Doc: "Pin.", Sensitive: true},
			{Name: "zone_id", Path: "zone_id", Type: model.String, Doc: "Zone.", Field: kind.Field{Ref: "zone.Zone"}, Required: true},
			{Name: "any", Path: "any", Type: model.Any, Doc: "Any.", Immutable: true},
			{Name: "only", Path: "only", Type: model.String, Doc: "Only.", Immutable: true, Enum: []string{"one"}},
			{Name: "port", Path: "port", Type: model.IntOrString, Doc: "Port.", Max: "65535"},
			{Name: "sub", Path: "sub", Type: model.Object, Doc: "Sub.", OneOf: true, Members: []*model.Node{{Name: "a", Path: "sub.a", Type: model.Boolean, Doc: "A.", Required: true}}},
		}},
		Observed: &model.Node{Type: model.Object, Members: []*model.Node{{Name: "name", Path: "name", Type: model.String, Doc: "Name. More."}}},
	}
	code, err := Types(k, Names([]*model.Kind{k}))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := parser.ParseFile(token.NewFileSet(), "x.go", code, parser.AllErrors); err != nil {
		t.Fatalf("what is written does not parse: %v", err)
	}
	squeezed := strings.Join(strings.Fields(string(code)), " ")
	for _, row := range []struct{ want, reason string }{
		{"Name *string `json:\"name,omitempty\" wire:\"name\"`", "a field that may be left out"},
		{"+kubebuilder:validation:Pattern=`^a$`", "a pattern"},
		{`rule="self == oldSelf",message="name is immutable: to keep the live resource, set spec.deletionPolicy to Orphan first; then delete this object and create another"`, "a field that cannot be changed"},
		{`has(self.forProvider.name)",message="forProvider.name is required unless managementPolicies only observe"`, "required by policy"},
		{`has(self.forProvider.zoneId) || has(self.forProvider.zoneIdRef) || has(self.forProvider.zoneIdSelector)"`, "a reference is as good as an ID"},
		{"// +listType=set // +kubebuilder:validation:MaxItems=3 List []string `json:\"list,omitzero\" wire:\"list\"`", "an empty list is not none"},
		{"// +kubebuilder:validation:Type=number Weight *apisv1alpha1.Decimal", "a number is no float"},
		{`rule="type(self) == int ? (self >= -2147483648 && self <= 65535) : size(self) <= 255",message="port must be a number from -2147483648 to 65535, or a string of at most 255 characters"`, "Go's type has 32 bits"},
		{`+kubebuilder:validation:Enum=on;"1.2";"true"`, "a text that looks like something else is quoted"},
		{"PinSecretRef *apisv1alpha1.SecretKeyReference `json:\"pinSecretRef,omitempty\" wire:\"pin,secret\"`", "a secret is in a Secret"},
		{"ZoneID *string `json:\"zoneId,omitempty\" wire:\"zone_id\" ref:\"zone.Zone\"`", "a reference names its kind"},
		{"ZoneIDRef *xpv2.NamespacedReference `json:\"zoneIdRef,omitempty\"`", "a reference"},
		{"// +kubebuilder:validation:MinProperties=1 // +kubebuilder:validation:MaxProperties=1 type ThingSub struct", "exactly one member"},
		{"Sub *ThingSub `json:\"sub,omitempty\" wire:\"sub\" oneof:\"true\"`", "the engine knows that members exclude each other"},
		{"Pace *int64 `json:\"pace,omitempty\" wire:\"pace\" by:\"mode\"`", "the engine knows what decides whether a field is there"},
		{"// +required A *bool", "a nested field is required where its object is"},
		{"// The name. // +optional Name *string `json:\"name,omitempty\" wire:\"name\"`", "the status has first sentences"},
		{"func (mg *Thing) GetWriteConnectionSecretToReference() *xpv2.LocalSecretReference { return nil }", "no secret without details"},
	} {
		if !strings.Contains(squeezed, row.want) {
			t.Errorf("%s: %s is not in what is written", row.reason, row.want)
		}
	}
	for _, row := range []struct{ field, reason string }{
		{"any", "CEL does not see a value of any type"},
		{"only", "nobody can change a field that has one value alone"},
	} {
		if strings.Contains(squeezed, row.field+" is immutable") {
			t.Errorf("%s has a rule: %s", row.field, row.reason)
		}
	}
}

// TestTakenNames has an object whose type would have the name of a kind.
func TestTakenNames(t *testing.T) {
	sub := &model.Node{Name: "list", Path: "list", Type: model.Object, Doc: "X.", Members: []*model.Node{{Name: "a", Path: "list.a", Type: model.Boolean, Doc: "A."}}}
	k := &model.Kind{
		Description: kind.Description{Group: "made", Name: "Thing", Doc: "A Thing is.", Scope: kind.Account},
		Spec:        &model.Node{Type: model.Object, Members: []*model.Node{sub}}, Observed: &model.Node{},
	}
	code, err := Types(k, Names([]*model.Kind{k}))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(code), "type ThingListFields struct") {
		t.Error("the object list of a Thing does not have a name beside ThingList")
	}
}

// TestByGroup checks that the README's list has every kind, and fits its page.
func TestByGroup(t *testing.T) {
	var kinds []*model.Kind
	for i := range 9 {
		kinds = append(kinds, &model.Kind{Description: kind.Description{Name: fmt.Sprintf("AccessSomething%d", i), Group: "access"}})
	}
	kinds = append(kinds, &model.Kind{Description: kind.Description{Name: "Tunnel", Group: "tunnel"}})
	got := ByGroup(kinds)
	for _, k := range kinds {
		if link := fmt.Sprintf("[%s](docs/kinds/%s.md)", k.Name, strings.ToLower(k.Name)); strings.Count(got, link) != 1 {
			t.Errorf("it does not have %s once:\n%s", link, got)
		}
	}
	for l := range strings.SplitSeq(got, "\n") {
		if len(l) > readmeColumns || strings.HasSuffix(l, " ") {
			t.Errorf("the line is too long, or ends with a space: %q", l)
		}
	}
	if !strings.HasPrefix(got, "- `access`: [") || !strings.Contains(got, "\n- `tunnel`: [Tunnel]") {
		t.Errorf("a group is no item:\n%s", got)
	}
}

func TestBetween(t *testing.T) {
	page := "before\n" + Begin + "\nold\n" + end + "\nafter\n"
	got, err := Between(page, "new\n")
	if want := fmt.Sprintf("before\n%s\n\nnew\n\n%s\nafter\n", Begin, end); err != nil || string(got) != want {
		t.Errorf("it is %q, %v: want %q", got, err, want)
	}
	again, err := Between(string(got), "new\n")
	if err != nil || !bytes.Equal(again, got) {
		t.Errorf("the second time it is %q, %v", again, err)
	}
	if _, err := Between("nothing", "new"); !errors.Is(err, errNoMarks) {
		t.Errorf("a page without marks gives %v", err)
	}
}

func TestFriendlyGroups(t *testing.T) {
	const before = "a:\n    friendly-group-name.meta.crossplane.io/ssl.cloudflare.m.crossplane.io: SSL/TLS\nspec:\n"
	for _, row := range []struct {
		group, want, reason string
	}{
		{"ssl", before, "a name that a person wrote stays"},
		{"r2", strings.Replace(before, "spec", "    friendly-group-name.meta.crossplane.io/r2.cloudflare.m.crossplane.io: R2\nspec", 1), "an abbreviation"},
		{"access", strings.Replace(before, "spec", "    friendly-group-name.meta.crossplane.io/access.cloudflare.m.crossplane.io: Access\nspec", 1), "a word"},
	} {
		kinds := []*model.Kind{{Description: kind.Description{Group: row.group}}, {Description: kind.Description{Group: row.group}}}
		got, err := FriendlyGroups(before, kinds)
		if err != nil || string(got) != row.want {
			t.Errorf("%s: got\n%s, %v, want\n%s", row.reason, got, err, row.want)
		}
	}
	if _, err := FriendlyGroups("a:\n", []*model.Kind{{}}); err == nil {
		t.Error("metadata without a place for the names is taken")
	}
}

// TestPeople checks that a group of tokens is in roles of its own, and that one role has all kinds of
// a group.
func TestPeople(t *testing.T) {
	text, err := People([]*model.Kind{
		{Description: kind.Description{Name: "DNSSEC", Group: "dns"}},
		{Description: kind.Description{Name: "Member", Group: "made"}},
		{Description: kind.Description{Name: "Token", Group: "made", Credential: true}},
	})
	if err != nil {
		t.Fatal(err)
	}
	roles := strings.Split(string(text), "---\n")
	of := func(name string) string {
		for _, role := range roles {
			if strings.Contains(role, "\n  name: provider-cloudflare-"+name+"\n") {
				return role
			}
		}
		return ""
	}
	for _, row := range []struct {
		role, group, reason string
		aggregated          bool
	}{
		{"kinds-view", "[dns.cloudflare.m.crossplane.io]\n  resources: [dnssecs, records]\n  verbs: [get, list, watch]\n", "a Record has no description", true},
		{"dns-edit", "[dns.cloudflare.m.crossplane.io]\n  resources: [dnssecs, records]\n", "a Record has no description", true},
		{"zone-edit", "[zone.cloudflare.m.crossplane.io]\n  resources: [zones]\n", "a Zone has no description", true},
		{"made-view", "[made.cloudflare.m.crossplane.io]\n  resources: [members, tokens]\n  verbs: [get, list, watch]\n", "a token makes its group one of access", false},
		{"made-edit", "[made.cloudflare.m.crossplane.io]\n  resources: [members, tokens]\n", "a token makes its group one of access", false},
	} {
		role := of(row.role)
		if !strings.Contains(role, row.group) || strings.Count(role, "apiGroups") != 1+strings.Count(row.role, "kinds") {
			t.Errorf("%s: the role %s is\n%s", row.reason, row.role, role)
		}
		if got := strings.Contains(role, "aggregate-to-"); got != row.aggregated {
			t.Errorf("%s: the role %s is part of others: %t", row.reason, row.role, got)
		}
	}
	if len(roles) != 5 {
		t.Errorf("there are %d roles:\n%s", len(roles), text)
	}
}

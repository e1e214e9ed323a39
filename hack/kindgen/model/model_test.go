// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package model_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/provider-cloudflare/provider-cloudflare/hack/kindgen/document"
	"github.com/provider-cloudflare/provider-cloudflare/hack/kindgen/model"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
)

// made returns a document with one collection, whose bodies and answer have these
// properties.
func made(t *testing.T, create, update, answer string) *document.Document {
	t.Helper()
	const operation = `{"x-api-token-group": ["Things Write"], %s "responses": {"200": {"content": {"application/json": {"schema": {"properties": {"result": %s}}}}}}}`
	body := func(schema string) string {
		return fmt.Sprintf(`"requestBody": {"content": {"application/json": {"schema": %s}}},`, schema)
	}
	text := fmt.Sprintf(`{"paths": {
		"/accounts/{account_id}/things": {"get": %[1]s, "post": %[2]s},
		"/accounts/{account_id}/things/{thing_id}": {"get": %[1]s, "put": %[3]s, "delete": %[1]s}
	}, "components": {"schemas": {"text": {"type": "string", "description": "A text."}}}}`,
		fmt.Sprintf(operation, "", answer), fmt.Sprintf(operation, body(create), answer), fmt.Sprintf(operation, body(update), answer))
	d, err := document.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// thing returns a description that fits made.
func thing() kind.Description {
	return kind.Description{
		Group: "made", Name: "Thing", Short: "cfthing", Scope: kind.Account,
		List: "GET /accounts/{account_id}/things", Create: "POST /accounts/{account_id}/things",
		Read:   "GET /accounts/{account_id}/things/{thing_id}",
		Update: "PUT /accounts/{account_id}/things/{thing_id}", Delete: "DELETE /accounts/{account_id}/things/{thing_id}",
		Gone: []kind.Code{{Status: 404}}, Permissions: []string{"Things Write"}, Plan: "All plans",
	}
}

const nothing = `{"type": "object", "properties": {"id": {"type": "string", "description": "ID."}}}`

// TestTypes makes a field from each kind of schema.
func TestTypes(t *testing.T) {
	for _, row := range []struct {
		schema string
		field  kind.Field
		want   model.Type
		reason string
	}{
		{`{"type": "string"}`, kind.Field{}, model.String, "a text"},
		{`{"$ref": "#/components/schemas/text"}`, kind.Field{}, model.String, "what a reference leads to"},
		{`{"type": ["integer", "null"]}`, kind.Field{}, model.Integer, "null is no type of its own"},
		{`{"anyOf": [{"type": "integer"}, {"type": "number"}]}`, kind.Field{}, model.Number, "each integer is a number"},
		{`{"anyOf": [{"type": "integer"}, {"type": "string"}]}`, kind.Field{}, model.IntOrString, "as Kubernetes has it for ports"},
		{`{"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]}`, kind.Field{Variant: "list", Because: "x"}, model.List, "the description chooses"},
		{`{"anyOf": [{"type": "string"}, {"type": "object"}]}`, kind.Field{Variant: "any", Because: "x"}, model.Any, "the description takes all"},
		{`{"type": "object"}`, kind.Field{}, model.Empty, "an object that says something by being there"},
		{`{"type": "object", "additionalProperties": {"type": "string"}}`, kind.Field{}, model.Map, "a map"},
		{`{"allOf": [{"type": "object", "properties": {"a": {"type": "string", "description": "A."}}}, {"properties": {"b": {"type": "string", "description": "B."}}}]}`, kind.Field{}, model.Object, "the parts of allOf are one object"},
	} {
		body := fmt.Sprintf(`{"type": "object", "properties": {"x": %s}}`, row.schema)
		row.field.Doc = "X."
		d := thing()
		d.Fields = map[string]kind.Field{"x": row.field}
		k, err := model.Build(made(t, body, body, nothing), d)
		if err != nil {
			t.Errorf("%s: %v", row.reason, err)
			continue
		}
		if got := k.Spec.Member("x").Type; got != row.want {
			t.Errorf("%s: %s is %s, want %s", row.reason, row.schema, got, row.want)
		}
	}
}

// TestVariants merges the variants of an object.
func TestVariants(t *testing.T) {
	variant := func(action, member string) string {
		return fmt.Sprintf(`{"type": "object", "required": ["action", %[2]q], "properties": {"action": {"type": "string", "enum": [%[1]q], "description": "What to do."},
			"parameters": {"type": "object", "description": "How.", "properties": {%[2]q: {"type": "string", "description": "It."}}}, %[2]q: {"type": "string", "description": "It."}}}`, action, member)
	}
	body := fmt.Sprintf(`{"anyOf": [%s, %s]}`, variant("block", "reason"), variant("route", "host"))
	k, err := model.Build(made(t, body, body, nothing), thing())
	if err != nil {
		t.Fatal(err)
	}
	if got := k.Spec.Member("action"); !slices.Equal(got.Enum, []string{"block", "route"}) || !got.Required {
		t.Errorf("action has the values %q, required %t: want those of both, and required", got.Enum, got.Required)
	}
	for _, path := range []string{"host", "parameters.host"} {
		got := k.Spec.At(path)
		if got == nil || got.Required || got.Text() != "It. Only where action is route." {
			t.Errorf("%s is %+v: want it optional, and a text that says with which action it goes", path, got)
		}
	}
}

// TestSpec checks the fields that result from the two bodies.
func TestSpec(t *testing.T) {
	const both = `"name": {"type": "string", "description": "Name."}, "made": {"type": "string", "readOnly": true}, "old": {"type": "string", "deprecated": true}`
	create := `{"type": "object", "required": ["name", "made"], "properties": {` + both + `, "place": {"type": "string", "description": "Place."}, "password": {"type": "string", "x-sensitive": true, "description": "Password."}}}`
	update := `{"type": "object", "properties": {` + both + `, "note": {"type": "string", "description": "Note."}, "password": {"type": "string", "description": "Password."}}}`
	k, err := model.Build(made(t, create, update, nothing), thing())
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, m := range k.Spec.Members {
		got[m.Name] = fmt.Sprintf("required %t immutable %t secret %t", m.Required, m.Immutable, m.Secret())
	}
	want := map[string]string{
		"name":     "required true immutable false secret false",
		"place":    "required false immutable true secret false",
		"note":     "required false immutable false secret false",
		"password": "required false immutable false secret true",
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("the spec has %v, want %v: no read-only and no deprecated field, and immutable what only the creation takes", got, want)
	}
}

// TestFaults makes descriptions that each contradict the document in one thing.
func TestFaults(t *testing.T) {
	const body = `{"type": "object", "required": ["name"], "properties": {
		"name": {"type": "string", "description": "Name."}, "silent": {"type": "string"},
		"tags": {"type": "array", "x-stainless-collection-type": "set", "description": "Tags.", "items": {"type": "string"}},
		"key": {"type": "object", "x-sensitive": true, "description": "Key.", "properties": {"a": {"type": "string", "description": "A."}}},
		"made": {"type": "string", "readOnly": true},
		"either": {"description": "It.", "anyOf": [{"type": "string"}, {"type": "boolean"}]}}}`
	const answer = `{"type": "object", "properties": {"id": {"type": "string"}, "made": {"type": "string"}, "token": {"type": "string", "x-sensitive": true}}}`
	right := func() kind.Description {
		d := thing()
		d.ReadOnly = []string{"made"}
		d.Fields = map[string]kind.Field{"silent": {Doc: "Text."}, "tags": {Set: true}, "key": {NotSecret: "x", Because: "y"}, "either": {Variant: "string", Because: "z"}}
		return d
	}
	if _, err := model.Build(made(t, body, body, answer), right()); err != nil {
		t.Fatalf("what is right is refused: %v", err)
	}
	for _, row := range []struct {
		change func(*kind.Description)
		want   []string
		reason string
	}{
		{func(d *kind.Description) { d.Create = "POST /accounts/{account_id}/thongs" }, []string{"no path", "thongs"}, "an unknown path"},
		{func(d *kind.Description) { d.Update = "PATCH /accounts/{account_id}/things/{thing_id}" }, []string{"no PATCH"}, "an unknown verb"},
		{func(d *kind.Description) { d.BeforeDelete = []string{"DELETE /nowhere"} }, []string{"/nowhere"}, "an unknown path of clean-up"},
		{func(d *kind.Description) { d.FreedBy = []int{1} }, []string{"BeforeDelete", "FreedBy"}, "a code that nothing follows"},
		{func(d *kind.Description) { d.Details = []kind.Detail{{Key: "x", From: "GET /nowhere"}} }, []string{"/nowhere"}, "an unknown path of a secret"},
		{func(d *kind.Description) { d.Details = []kind.Detail{{Key: "x", Path: "nope"}} }, []string{"nope"}, "a secret that no answer has"},
		{func(d *kind.Description) { d.Details = []kind.Detail{{Key: "x", Path: "token", Once: true}} }, []string{"x is shown once", "Remedy"}, "a loss that nobody can undo, and nobody says so"},
		{func(d *kind.Description) { d.Details = []kind.Detail{{Key: "x", Path: "token", Remedy: "y"}} }, []string{"x can be read", "Remedy"}, "advice on what is never lost"},
		{func(d *kind.Description) {
			d.Roll = "PUT /accounts/{account_id}/things/{thing_id}"
			d.Details = []kind.Detail{{Key: "x", Path: "token", Once: true, Remedy: "y"}}
		}, []string{"x can be read", "Remedy"}, "advice where the provider makes another"},
		{func(d *kind.Description) {
			d.Details = []kind.Detail{{Key: "x", Path: "token", Once: true, Remedy: "y", Where: map[string]string{"nope": "z"}}}
		}, []string{"nope", "Where"}, "a condition that no answer has"},
		{func(d *kind.Description) { d.Fields["nope"] = kind.Field{} }, []string{"nope"}, "an unknown field"},
		{func(d *kind.Description) { d.Fields["name"] = kind.Field{On: "POST /nowhere"} }, []string{"/nowhere"}, "an unknown operation that sets a field"},
		{func(d *kind.Description) { d.Hide = []string{"nope"} }, []string{"nope"}, "an unknown hidden field"},
		{func(d *kind.Description) { d.Hide = []string{"name"} }, []string{"name", "requires"}, "a required field is out of reach"},
		{func(d *kind.Description) { d.Natural = []string{"nope"} }, []string{"nope"}, "an unknown natural key"},
		{func(d *kind.Description) { d.Contents = "nope" }, []string{"nope"}, "unknown contents"},
		{func(d *kind.Description) {
			d.Refresh = &kind.Refresh{Do: "POST /nowhere", Expires: "name", Duration: "name"}
		}, []string{"/nowhere"}, "an unknown refresh"},
		{func(d *kind.Description) {
			d.Refresh = &kind.Refresh{Do: "PUT /accounts/{account_id}/things/{thing_id}", Expires: "nope", Duration: "name"}
		}, []string{"nope"}, "an unknown end"},
		{func(d *kind.Description) { d.SoftDeleted = "nope" }, []string{"nope"}, "an unknown mark of deletion"},
		{func(d *kind.Description) { d.Gone = nil }, []string{"Gone"}, "nothing proves absence"},
		{func(d *kind.Description) { d.ReadOnly = nil }, []string{"made", "ReadOnly"}, "a merge sends back what only Cloudflare writes"},
		{func(d *kind.Description) { d.Observe = []string{"nope"} }, []string{"nope"}, "an unknown field of the status"},
		{func(d *kind.Description) { d.Observe = []string{"token"} }, []string{"token", "sensitive"}, "a secret in the status"},
		{func(d *kind.Description) { d.Columns = []string{"X=id"} }, []string{"X=id"}, "a column of what the status lacks"},
		{func(d *kind.Description) { delete(d.Fields, "silent") }, []string{"silent", "no text"}, "a field without a text"},
		{func(d *kind.Description) { d.Fields["silent"] = kind.Field{Doc: "`` "} }, []string{"silent", "no text"}, "a text of which nothing is left"},
		{func(d *kind.Description) { delete(d.Fields, "tags") }, []string{"tags", "set"}, "a set that is declared as a list"},
		{func(d *kind.Description) { delete(d.Fields, "key") }, []string{"key", "secret"}, "a sensitive field that is no secret"},
		{func(d *kind.Description) { d.Fields["name"] = kind.Field{NotSecret: "x", Because: "y"} }, []string{"name", "NotSecret"}, "an excuse for nothing"},
		{func(d *kind.Description) { delete(d.Fields, "either") }, []string{"either", "Variant"}, "an undecided type"},
		{func(d *kind.Description) { d.Fields["name"] = kind.Field{Optional: true} }, []string{"name", "Because"}, "the document is overruled without a reason"},
		{func(d *kind.Description) { d.Permissions = []string{"Everything Write"} }, []string{"Things Write"}, "another permission"},
		{func(d *kind.Description) { d.Permissions = nil }, []string{"Permissions"}, "no permission"},
		{func(d *kind.Description) { d.Plan = "" }, []string{"Plan"}, "no plan"},
	} {
		d := right()
		row.change(&d)
		_, err := model.Build(made(t, body, body, answer), d)
		for _, want := range append(row.want, "Thing") {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: the error is %v, want %q in it", row.reason, err, want)
			}
		}
	}
}

// TestPlanFault compares a plan with the document.
func TestPlanFault(t *testing.T) {
	const body = `{"type": "object", "properties": {"name": {"type": "string", "description": "Name."}}}`
	doc := func(free string) *document.Document {
		d, err := document.Parse([]byte(fmt.Sprintf(`{"paths": {"/zones/{zone_id}/it": {
			"get": {"responses": {}}, "patch": {"x-cfPlanAvailability": {"free": %s}, "requestBody": {"content": {"application/json": {"schema": %s}}}, "responses": {}}}}}`, free, body)))
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	d := kind.Description{
		Group: "made", Name: "It", Scope: kind.Zone, Shape: kind.Singleton, Permissions: []string{"X"},
		Read: "GET /zones/{zone_id}/it", Update: "PATCH /zones/{zone_id}/it", Plan: "All plans",
	}
	if _, err := model.Build(doc("true"), d); err != nil {
		t.Errorf("all plans have it, and that is refused: %v", err)
	}
	if _, err := model.Build(doc("false"), d); err == nil || !strings.Contains(err.Error(), "Plan") {
		t.Errorf("not all plans have it: the error is %v, want one about Plan", err)
	}
}

// TestHeaderFault compares the defaults of headers with the document.
func TestHeaderFault(t *testing.T) {
	d, err := document.Parse([]byte(`{"paths": {"/zones/{zone_id}/it": {
		"get": {"parameters": [{"in": "header", "name": "place", "schema": {"type": "string", "default": "here", "description": "Where."}}], "responses": {}},
		"patch": {"requestBody": {"content": {"application/json": {"schema": {"type": "object", "properties": {"name": {"type": "string", "description": "Name."}}}}}}, "responses": {}}}}}`))
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct {
		reason   string
		defaults map[string]string
		fails    bool
	}{
		{"it is that of the document", map[string]string{"place": "here"}, false},
		{"the description has another one", map[string]string{"place": "there"}, true},
		{"the description has none", nil, true},
	} {
		_, err := model.Build(d, kind.Description{
			Group: "made", Name: "It", Scope: kind.Zone, Shape: kind.Singleton, Permissions: []string{"X"}, Plan: "All plans",
			Read: "GET /zones/{zone_id}/it", Update: "PATCH /zones/{zone_id}/it",
			Headers: map[string]string{"place": "place"}, HeaderDefaults: row.defaults,
		})
		if says := err != nil && strings.Contains(err.Error(), "HeaderDefaults"); says != row.fails || err != nil && !row.fails {
			t.Errorf("%s: the error is %v", row.reason, err)
		}
	}
}

// TestVariantBy has a parameter that decides the types of the body's members.
func TestVariantBy(t *testing.T) {
	build := func(result string, by string) (*model.Kind, error) {
		t.Helper()
		d, err := document.Parse([]byte(`{"paths": {"/zones/{zone_id}/settings/{setting_id}": {
			"get": {"responses": {"200": {"content": {"application/json": {"schema": {"type": "object", "properties": {"result": ` + result + `}}}}}}},
			"patch": {"requestBody": {"content": {"application/json": {"schema": {"type": "object", "properties": {"value": {"description": "V.", "type": "string"}}}}}}, "responses": {}}}}}`))
		if err != nil {
			t.Fatal(err)
		}
		return model.Build(d, kind.Description{
			Group: "made", Name: "It", Scope: kind.Zone, Shape: kind.Singleton, Permissions: []string{"X"}, Plan: "All plans",
			Read: "GET /zones/{zone_id}/settings/{setting_id}", Update: "PATCH /zones/{zone_id}/settings/{setting_id}", VariantBy: by,
			Fields: map[string]kind.Field{"setting_id": {Doc: "It."}},
		})
	}
	variant := func(id, value string) string {
		return `{"type": "object", "description": "About ` + id + `", "properties": {"id": {"enum": ["` + id + `"]}, "value": ` + value + `, "editable": {"type": "boolean"}}}`
	}
	k, err := build(`{"oneOf": [`+variant("b", `{"type": "integer", "minimum": 3}`)+`,`+variant("a", `{"enum": ["on", "off"]}`)+`]}`, "setting_id")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, v := range k.Variants {
		for _, m := range v.Members {
			got = append(got, fmt.Sprint(v.Value, v.Doc, m.Name, m.Type, m.Enum, m.Min))
		}
	}
	if want := "[aAbout a.valuestring[on off] bAbout b.valueinteger[]3]"; fmt.Sprint(got) != want {
		t.Errorf("the variants are %v, want %s: each value once, in order, with the members that the spec offers", got, want)
	}
	for _, row := range []struct{ result, by, want, reason string }{
		{variant("a", `{"type": "string"}`), "setting_id", "VariantBy", "no variants"},
		{`{"oneOf": [` + variant("a", `{"type": "string"}`) + `]}`, "zone_id", "zone_id", "no parameter of the spec"},
		{`{"oneOf": [` + variant("a", `{"type": "object", "additionalProperties": true}`) + `]}`, "setting_id", "value of a", "a type that says nothing"},
		{`{"oneOf": [{"type": "object", "properties": {"id": {"enum": ["a"]}}}]}`, "setting_id", "no member of a", "nothing of it can be set"},
	} {
		if _, err := build(row.result, row.by); err == nil || !strings.Contains(err.Error(), row.want) {
			t.Errorf("%s: the error is %v, want %q in it", row.reason, err, row.want)
		}
	}
}

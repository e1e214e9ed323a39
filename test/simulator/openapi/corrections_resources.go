// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package openapi

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/provider-cloudflare/provider-cloudflare/test/simulator/apidoc"
)

// resourceCorrections returns the corrections for the paths of the simulator's generic
// resources.
func resourceCorrections() []correction {
	return []correction{
		{
			name: "read-only beside a reference",
			reason: "OpenAPI 3.0 ignores what stands beside a reference, and so a body would need the server's own " +
				"id and version. The document means them to be read-only.",
			apply: correctReadOnly,
		},
		{
			name: "buckets in upper case",
			reason: "The answer's location is upper case, whatever was asked for: clients that take the document's word " +
				"replaced buckets (terraform-provider-cloudflare issue 5615).",
			apply: correctBucketLocation,
		},
		{
			name:   "catch-all ingress",
			reason: "Every ingress rule must have a hostname by the document, and the last one must not by the API: it matches the rest.",
			apply:  func(doc tree) error { return dropRequired(doc, "tunnel_ingressRule", "hostname") },
		},
		{
			name:   "tunnel without configuration",
			reason: "A tunnel that was never configured is answered with config null.",
			apply: func(doc tree) error {
				config, err := schemaNamed(doc, "tunnel_config")
				if err != nil {
					return err
				}
				return change(config, "nullable", true)
			},
		},
		{
			name: "custom hostnames have UUIDs",
			reason: "The identifier of a custom hostname is a UUID of 36 characters; the document has the bound of other " +
				"identifiers, 32.",
			apply: func(doc tree) error {
				id, err := schemaNamed(doc, "tls-certificates-and-hostnames_identifier")
				if err != nil {
					return err
				}
				return change(id, "maxLength", float64(36))
			},
		},
		{
			name: "items of Gateway lists have pages",
			reason: "The answer counts the items and says which page it is, and no parameter asks for another one. " +
				"cloudflare-go asked for pages as long as it had a method of its own (v0, ListTeamsListItems).",
			apply: correctGatewayItems,
		},
		{
			name:   "resources have an envelope",
			reason: "The envelope of most answers leaves success, errors and result optional, and some have none. Every success has one.",
			apply:  correctGenericSuccesses,
		},
	}
}

// developerCorrections returns the corrections for Workers and the resources that they
// use.
func developerCorrections() []correction {
	return []correction{
		{
			name: "a Worker's domain is attached",
			reason: "The body needs a host name and a Worker: so it stands beside the reference, which OpenAPI 3.0 ignores. " +
				"The answer that it refers to has all members.",
			apply: correctAttached,
		},
		{
			name:   "a Worker's domain is detached",
			reason: "The answer has no body (terraform-provider-cloudflare commit ea0ca978e); the document has an envelope without a result.",
			apply:  correctDetached,
		},
		{
			name: "Hyperdrive caches, or does not",
			reason: "The document distinguishes the two alternatives by disabled, which is a boolean. A discriminator must be a " +
				"string (OpenAPI 3.0).",
			apply: correctCaching,
		},
	}
}

func memberCorrections() []correction {
	return []correction{{
		name: "members with an API token",
		reason: "The operations on members of accounts name the permissions that an API token needs (x-api-token-group), " +
			"and have an API key as the only credential.",
		apply: correctMemberCredentials,
	}}
}

// correctReadOnly moves references with readOnly beside them into an allOf.
func correctReadOnly(doc tree) error {
	found := false
	walk(doc, func(s tree) {
		if reference, is := s["$ref"].(string); is && s["readOnly"] == true {
			delete(s, "$ref")
			s["allOf"] = []any{tree{"$ref": reference}}
			found = true
		}
	})
	if !found {
		return errors.New("no reference has readOnly beside it")
	}
	return nil
}

// correctCaching removes the discriminators whose property is a boolean.
func correctCaching(doc tree) error {
	found := false
	walk(doc, func(s tree) {
		if by, is := s["discriminator"].(tree); is && by["propertyName"] == "disabled" {
			delete(s, "discriminator")
			found = true
		}
	})
	if !found {
		return errors.New("no discriminator is the boolean disabled")
	}
	return nil
}

// walk calls f for every object of a tree.
func walk(v any, f func(tree)) {
	switch v := v.(type) {
	case tree:
		for _, member := range v {
			walk(member, f)
		}
		f(v)
	case []any:
		for _, e := range v {
			walk(e, f)
		}
	}
}

func correctBucketLocation(doc tree) error {
	bucket, err := schemaNamed(doc, "r2_bucket")
	if err != nil {
		return err
	}
	properties, err := object(bucket, "properties")
	if err != nil {
		return err
	}
	location, err := object(properties, "location")
	if err != nil {
		return err
	}
	if location, err = resolve(doc, location); err != nil {
		return err
	}
	places, _ := location["enum"].([]any)
	if len(places) == 0 || slices.Contains(places, any("WNAM")) {
		return errors.New("locations are upper case already")
	}
	upper := make([]any, 0, len(places))
	for _, place := range places {
		upper = append(upper, strings.ToUpper(fmt.Sprint(place)))
	}
	properties["location"] = tree{"type": "string", "enum": upper}
	return nil
}

// correctAttached adds to a body the members that it requires.
func correctAttached(doc tree) error {
	media, err := object(doc, "paths", "/accounts/{account_id}/workers/domains", "put", "requestBody", "content", "application/json")
	if err != nil {
		return err
	}
	body, err := object(media, "schema")
	if err != nil {
		return err
	}
	answer, err := resolve(doc, body)
	if err != nil {
		return err
	}
	if body["$ref"] == nil || body["required"] == nil {
		return errors.New("nothing is required beside a reference")
	}
	whole := maps.Clone(answer)
	whole["required"] = body["required"]
	media["schema"] = whole
	return nil
}

// correctDetached removes the body of a response.
func correctDetached(doc tree) error {
	answer, err := object(doc, "paths", "/accounts/{account_id}/workers/domains/{domain_id}", "delete", "responses", "200")
	if err != nil {
		return err
	}
	if answer["content"] == nil {
		return errors.New("the answer has no body")
	}
	delete(answer, "content")
	return nil
}

// correctMemberCredentials allows API tokens for members of accounts.
func correctMemberCredentials(doc tree) error {
	for _, path := range []string{"/accounts/{account_id}/members", "/accounts/{account_id}/members/{member_id}"} {
		item, err := object(doc, "paths", path)
		if err != nil {
			return err
		}
		for _, op := range item {
			op, _ := op.(tree)
			if op == nil {
				continue
			}
			security, _ := op["security"].([]any)
			if slices.ContainsFunc(security, takesToken) {
				return fmt.Errorf("%s takes an API token already", path)
			}
			op["security"] = append(slices.Clip(security), tree{"api_token": []any{}})
		}
	}
	return nil
}

func takesToken(security any) bool {
	of, _ := security.(tree)
	return of["api_token"] != nil
}

// correctGenericSuccesses requires the envelope in every success with a body.
func correctGenericSuccesses(doc tree) error {
	envelope := tree{"type": "object", "required": []any{"success", "errors", "messages", "result"}, "properties": tree{
		"success": tree{"type": "boolean", "enum": []any{true}},
	}}
	found := false
	for _, path := range apidoc.Paths() {
		item, err := object(doc, "paths", path)
		if err != nil {
			return err
		}
		for _, op := range item {
			op, _ := op.(tree)
			responses, _ := op["responses"].(tree)
			for status := range responses {
				media, err := object(responses, status, "content", "application/json")
				if err != nil || !strings.HasPrefix(status, "2") {
					continue
				}
				if schema, _ := media["schema"].(tree); schema["x-envelope"] != nil {
					return fmt.Errorf("%s has its envelope", path)
				}
				found = true
				media["schema"] = tree{"allOf": []any{media["schema"], envelope}, "x-envelope": true}
			}
		}
	}
	if !found {
		return errors.New("no answer has a body")
	}
	return nil
}

func correctGatewayItems(doc tree) error {
	get, err := object(doc, "paths", "/accounts/{account_id}/gateway/lists/{list_id}/items", "get")
	if err != nil {
		return err
	}
	parameters, _ := get["parameters"].([]any)
	for _, p := range parameters {
		if parameter, _ := p.(tree); parameter["in"] == "query" {
			return errors.New("the items of a Gateway list have parameters already")
		}
	}
	for _, name := range []string{"page", "per_page"} {
		parameters = append(parameters, tree{"name": name, "in": "query", "schema": tree{"type": "integer", "minimum": float64(1)}})
	}
	get["parameters"] = parameters
	return nil
}

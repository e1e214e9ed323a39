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

// A correction corrects one defect of the official document: a contradiction to
// Cloudflare's own prose, to the responses that clients in production depend on, or to
// itself. Each has a row in a test table that fails without it.
type correction struct {
	name   string
	reason string
	// apply returns an error if there is nothing to correct, so that a newer document
	// without the defect makes us remove the correction.
	apply func(doc tree) error
}

// corrections returns all corrections. They are applied in this order, and otherwise
// independent of each other.
func corrections() []correction {
	return slices.Concat(recordCorrections(), otherCorrections(), auditCorrections(), resourceCorrections(), developerCorrections(), memberCorrections(), emailCorrections())
}

func recordCorrections() []correction {
	return []correction{
		{
			name:   "null comment",
			reason: "A record without a comment is answered with comment null.",
			apply: func(doc tree) error {
				comment, err := schemaNamed(doc, "dns-records_comment")
				if err != nil {
					return err
				}
				return change(comment, "nullable", true)
			},
		},
		{
			name: "null tags",
			reason: "Null stands for no tags, and the older SDK, which most tools are built on, sends it with every " +
				"patch.",
			apply: func(doc tree) error {
				tags, err := schemaNamed(doc, "dns-records_tags")
				if err != nil {
					return err
				}
				return change(tags, "nullable", true)
			},
		},
		{
			name:   "ttl has a default",
			reason: "Creating without ttl means 1 (automatic), as the schema's own default says, yet ttl is required.",
			apply:  correctTTL,
		},
		{
			name: "one record union",
			reason: "The two unions have a discriminator that names no schema, so a violation inside of a record " +
				"would be reported as matching none of 21 alternatives. Types are disjoint: one union by type.",
			apply: correctRecordUnion,
		},
		{
			name: "record answers",
			reason: "An answer is said to require data for every type; content-only types have none. " +
				"Instead: content always, data on structured types, priority on MX and URI.",
			apply: correctRecordAnswers,
		},
		{
			name:   "patches are partial",
			reason: "A patch keeps what it leaves out, alone or in a batch, yet name, type and ttl are required.",
			apply:  correctPatches,
		},
	}
}

func otherCorrections() []correction {
	return []correction{
		{
			name: "failure envelope",
			reason: "Failures answer result null, but the document wants an object whose only allowed value is null, " +
				"which nothing satisfies. It also lets a 4xx say success true and carry no error.",
			apply: correctFailures,
		},
		{
			name:   "error codes below 1000",
			reason: "The throttle answers with code 971; the document says that codes start at 1000.",
			apply:  correctErrorCodes,
		},
		{
			name:   "settings union",
			reason: "As with records: a setting's id tells which of the 60 alternatives it has to match.",
			apply:  correctSettings,
		},
		{
			name: "successes carry a result",
			reason: "The envelope leaves result optional, and the deletion of a record has no envelope at all. " +
				"Every success has one, and a list says which page it is.",
			apply: correctSuccesses,
		},
	}
}

// correct applies corrections to the document.
func correct(doc tree, all []correction) error {
	for _, c := range all {
		if err := c.apply(doc); err != nil {
			return fmt.Errorf("the correction %q does not apply any more: %w", c.name, err)
		}
	}
	return nil
}

// recordTypes returns the 21 types. The value is true for structured types, which have
// data.
func recordTypes() map[string]bool {
	return map[string]bool{
		"A": false, "AAAA": false, "CAA": true, "CERT": true, "CNAME": false, "DNSKEY": true, "DS": true,
		"HTTPS": true, "LOC": true, "MX": false, "NAPTR": true, "NS": false, "OPENPGPKEY": false, "PTR": false,
		"SMIMEA": true, "SRV": true, "SSHFP": true, "SVCB": true, "TLSA": true, "TXT": false, "URI": true,
	}
}

// recordSchema returns the name of a type's schema. With a suffix it returns the name
// of a variant that a correction adds.
func recordSchema(recordType, suffix string) string {
	return "dns-records_" + recordType + "Record" + suffix
}

func correctFailures(doc tree) error {
	schemas(doc)["failure"] = tree{
		"type":     "object",
		"required": []any{"success", "errors", "messages", "result"},
		"properties": tree{
			"success":  tree{"type": "boolean", "enum": []any{false}},
			"errors":   tree{"type": "array", "minItems": 1, "items": ref("response_info")},
			"messages": tree{"type": "array"},
			"result":   tree{"nullable": true, "enum": []any{nil}},
		},
	}
	unsatisfiable := false
	for _, op := range operations(doc) {
		responses, _ := op["responses"].(tree)
		for status := range responses {
			if strings.HasPrefix(status, "2") {
				continue
			}
			answer, err := object(responses, status, "content", "application/json", "schema", "properties", "result")
			unsatisfiable = unsatisfiable || (err == nil && answer["enum"] != nil && answer["nullable"] == nil)
			delete(responses, status)
		}
		responses["4XX"] = tree{"description": "", "content": tree{"application/json": tree{"schema": ref("failure")}}}
	}
	if !unsatisfiable {
		return errors.New("every failure may have result null")
	}
	return nil
}

func correctErrorCodes(doc tree) error {
	found := false
	for _, s := range schemas(doc) {
		message, _ := s.(tree)
		if items, ok := message["items"].(tree); ok {
			message = items
		}
		code, err := object(message, "properties", "code")
		if err != nil || code["minimum"] == nil {
			continue // Not a list of messages.
		}
		delete(code, "minimum")
		found = true
	}
	if !found {
		return errors.New("no error code has a minimum")
	}
	return nil
}

func correctTTL(doc tree) error {
	for recordType := range recordTypes() {
		if err := dropRequired(doc, recordSchema(recordType, ""), "ttl"); err != nil {
			return err
		}
	}
	return nil
}

func correctRecordUnion(doc tree) error {
	union := unionOf("type", recordVariants(""))
	for _, name := range []string{"dns-records_dns-record-post", "dns-records_dns-record-response"} {
		s, err := schemaNamed(doc, name)
		if err != nil {
			return err
		}
		if s["anyOf"] == nil {
			return fmt.Errorf("schema %s is no anyOf", name)
		}
		delete(s, "anyOf")
		maps.Copy(s, union)
	}
	return nil
}

func correctRecordAnswers(doc tree) error {
	if err := dropRequired(doc, "dns-records_dns-record-response", "data"); err != nil {
		return err
	}
	for recordType, structured := range recordTypes() {
		required := []any{"name", "type", "ttl", "content"}
		if structured {
			required = append(required, "data")
		}
		if recordType == "MX" || recordType == "URI" {
			required = append(required, "priority")
		}
		if err := addVariant(doc, recordType, "-response", required); err != nil {
			return err
		}
	}
	answer, err := schemaNamed(doc, "dns-records_dns-record-response")
	if err != nil {
		return err
	}
	delete(answer, "anyOf")
	maps.Copy(answer, unionOf("type", recordVariants("-response")))
	return nil
}

// correctPatches allows a patch to name the fields of any type. A patch without a type
// is checked against all types. The fields that all types share are checked first, so
// that their violations have a pointer.
func correctPatches(doc tree) error {
	patch, err := schemaNamed(doc, "dns-records_dns-record-patch")
	if err != nil {
		return err
	}
	variants := make([]any, 0, len(recordTypes()))
	for _, recordType := range slices.Sorted(maps.Keys(recordTypes())) {
		if err := addVariant(doc, recordType, "-patch", nil); err != nil {
			return err
		}
		variants = append(variants, ref(recordSchema(recordType, "-patch")))
	}
	shared := tree{"type": ref("dns-records_type"), "priority": ref("dns-records_priority")}
	for _, field := range []string{"name", "ttl", "proxied", "comment", "tags"} {
		shared[field] = ref("dns-records_" + field)
	}
	if patch["anyOf"] == nil {
		return errors.New("schema dns-records_dns-record-patch is no anyOf")
	}
	delete(patch, "anyOf")
	patch["allOf"] = []any{tree{"type": "object", "properties": shared}, tree{"anyOf": variants}}
	return nil
}

func correctSettings(doc tree) error {
	setting, err := schemaNamed(doc, "zones_setting")
	if err != nil {
		return err
	}
	variants, ok := setting["anyOf"].([]any)
	if !ok {
		return errors.New("schema zones_setting is no anyOf")
	}
	byID := map[string]string{}
	for _, v := range variants {
		name, err := refName(v)
		if err != nil {
			return err
		}
		s, err := schemaNamed(doc, name)
		if err != nil {
			return err
		}
		id, err := object(s, "properties", "id")
		if err != nil {
			return fmt.Errorf("schema %s: %w", name, err)
		}
		ids, _ := id["enum"].([]any)
		for _, value := range ids {
			byID[fmt.Sprint(value)] = name
		}
	}
	delete(setting, "anyOf")
	maps.Copy(setting, unionOf("id", byID))
	list, err := object(schemas(doc), "zones_zone_settings_response_collection", "properties", "result")
	if err != nil {
		return err
	}
	list["items"] = ref("zones_setting")
	return nil
}

// correctSuccesses requires result in every JSON success, and result_info in paged
// lists.
func correctSuccesses(doc tree) error {
	if err := correctDeletion(doc); err != nil {
		return err
	}
	generic := apidoc.Paths()
	for name, op := range operations(doc) {
		_, path, _ := strings.Cut(name, " ")
		success, err := object(op, "responses", "200", "content", "application/json", "schema")
		if err != nil || slices.Contains(generic, path) {
			continue // The export of a zone is text. For generic paths see correctGenericSuccesses.
		}
		if success, err = resolve(doc, success); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		properties, err := object(success, "properties")
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		required := []any{"success", "errors", "messages", "result"}
		if properties["result_info"] != nil {
			required = append(required, "result_info")
		}
		success["required"] = required
		properties["success"] = tree{"type": "boolean", "enum": []any{true}}
	}
	return nil
}

// correctDeletion adds the envelope that all other responses have to the deletion of a
// record.
func correctDeletion(doc tree) error {
	const path = "/zones/{zone_id}/dns_records/{dns_record_id}"
	success, err := object(doc, "paths", path, "delete", "responses", "200", "content", "application/json", "schema")
	if err != nil {
		return err
	}
	properties, err := object(success, "properties")
	if err != nil {
		return err
	}
	if properties["success"] != nil {
		return errors.New("the deletion of a record has an envelope")
	}
	properties["errors"], properties["messages"] = ref("dns-records_messages"), ref("dns-records_messages")
	deleted, err := object(properties, "result")
	if err != nil {
		return err
	}
	deleted["required"] = []any{"id"}
	return nil
}

// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package simulator

import (
	"net/http"
	"slices"
	"strings"
	"time"
)

// Codes of Workers, from the tests of another project against the live API
// (alchemy-run/distilled, packages/cloudflare, and its pull request 365). The HTTP status
// is known for 10007 only.
const (
	CodeScriptNotFound        = 10007
	CodeScriptInvalid         = 10021
	CodeScriptTooLarge        = 10027
	CodeBoundKVNotFound       = 10041
	CodeBindingInvalid        = 10052
	CodeBindingExists         = 10053
	CodeBindingNotFound       = 10056
	CodeScriptConsumesQueue   = 10064
	CodeBoundBucketNotFound   = 10085
	CodeScriptBound           = 10142
	CodeBoundScriptNotFound   = 10144
	CodeBoundDatabaseNotFound = 10181
)

const (
	scripts = "/accounts/{account_id}/workers/scripts"
	// largestScript is the maximum size of an upload on a paid plan.
	largestScript = 10 << 20
)

// scriptFamily returns Workers by their names. One form writes the code and the settings,
// and two routes read them: the list has the etag of the code, and the settings have the
// bindings.
func scriptFamily() *family {
	const script = scripts + "/{script_name}"
	return &family{
		list: scripts, parameter: "script_name", shape: idName,
		missing: func() *Error {
			return refuse(http.StatusNotFound, CodeScriptNotFound, "This Worker does not exist on your account.")
		},
		show:     func(_ *resourceCall, _ *resource, shown map[string]any) { asRow(shown) },
		busy:     busyScript,
		deletion: func(*resourceCall, *resource) any { return nil },
		more: map[string]handler{
			"GET " + script:                 (*resourceCall).downloadScript,
			"PUT " + script:                 (*resourceCall).uploadScript,
			"GET " + script + "/settings":   (*resourceCall).scriptSettings,
			"PATCH " + script + "/settings": (*resourceCall).patchScriptSettings,
		},
		filters: map[string]filter{"tags": hasTags},
	}
}

// settingsAlone returns the members of a script that lists do not have. rowAlone returns
// those that settings do not have.
func settingsAlone() []string {
	return []string{"bindings", "limits", "annotations", "exports", "migrations"}
}

func rowAlone() []string {
	return []string{"id", "etag", "created_on", "modified_on", "handlers", "has_modules", "has_assets", "last_deployed_from", "tag"}
}

// asRow reduces a document to a row of a list, which is also the response to an upload.
func asRow(shown map[string]any) {
	for _, name := range settingsAlone() {
		delete(shown, name)
	}
}

// downloadScript answers 404. Downloads are not simulated, because the API does not return
// the code as it was sent.
func (c *resourceCall) downloadScript() (reply, *Error) { return reply{}, errNoRoute(c.path()) }

// scriptSettings returns the settings of a script, without the values of secrets.
func (c *resourceCall) scriptSettings() (reply, *Error) {
	r, err := c.find()
	if err != nil {
		return reply{}, err
	}
	shown := copyOf(r.doc)
	for _, secret := range c.s.known(c.shelf.path + "/" + r.id + "/secrets").sorted() {
		bound, _ := shown["bindings"].([]any)
		shown["bindings"] = append(bound, copyOf(secret.doc))
	}
	for _, name := range rowAlone() {
		delete(shown, name)
	}
	for _, b := range bindingsOf(shown) {
		if secretTypes(b) {
			for _, name := range []string{"text", "key_base64", "key_jwk"} {
				delete(b, name)
			}
		}
	}
	c.spring(r, shown)
	return reply{result: shown}, nil
}

// busyScript refuses the deletion of a script that another script or a queue uses. The
// parameter force, which deletes those references as well, is not simulated.
func busyScript(c *resourceCall, r *resource) *Error {
	for _, other := range c.shelf.sorted() {
		if other == r {
			continue
		}
		for _, b := range append(bindingsOf(other.doc), objects(other.doc["tail_consumers"])...) {
			if b["service"] == r.id || b["script_name"] == r.id {
				return refuse(http.StatusConflict, CodeScriptBound, "This Worker is bound by the Worker %s.", other.id)
			}
		}
	}
	for _, queue := range c.beside("/queues").sorted() {
		for _, consumer := range objects(queue.doc["consumers"]) {
			if consumer["script"] == r.id {
				return refuse(http.StatusConflict, CodeScriptConsumesQueue, "script still in use as a consumer for a queue")
			}
		}
	}
	return nil
}

// hasTags implements the filter of lists by tags, such as "blue:yes,red:no".
func hasTags(r *resource, value string) bool {
	tags, _ := r.doc["tags"].([]any)
	for one := range strings.SplitSeq(value, ",") {
		name, has, _ := strings.Cut(one, ":")
		if slices.Contains(tags, any(name)) != (has == "yes") {
			return false
		}
	}
	return true
}

// stampScript sets the members of a script that belong to the server.
func stampScript(doc map[string]any, name string, before *resource, handlers []any, now time.Time) {
	doc["id"], doc["modified_on"], doc["created_on"] = name, timestamp(now), timestamp(now)
	if before != nil {
		doc["created_on"] = before.doc["created_on"]
	}
	doc["has_assets"], doc["last_deployed_from"], doc["handlers"] = false, "api", handlers
}

// objects returns the elements of a list that are objects.
func objects(v any) []map[string]any {
	list, _ := v.([]any)
	var out []map[string]any
	for _, e := range list {
		if o, ok := e.(map[string]any); ok {
			out = append(out, o)
		}
	}
	return out
}

// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package rights

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"os"
	"slices"
	"testing"

	authv1 "k8s.io/api/authorization/v1"
	rbacv1 "k8s.io/api/rbac/v1"
)

// A right is one verb on one resource ("dns.cloudflare.m.crossplane.io/records/status").
type right struct{ verb, resource string }

func (r right) String() string { return r.verb + " " + r.resource }

func kind(group, name, sub string) string {
	if sub != "" {
		name += "/" + sub
	}
	return group + "/" + name
}

// An entry is a line of the API server's audit log, with the members that the tests read.
type entry struct {
	Verb       string
	RequestURI string
	User       struct{ Username string }
	ObjectRef  *struct{ APIGroup, Resource, Subresource string }
	// RequestObject exists for access reviews only.
	RequestObject  json.RawMessage
	ResponseStatus *struct{ Code int }
}

// refused reports whether the status code is a refusal by a role or by the policy of secrets.yaml.
// The policy answers a write like one of an invalid object. A watch with 422 is no refusal: the
// server cannot stream a list, and the client retries without.
func (e entry) refused(code int) bool {
	guarded := e.ObjectRef != nil && slices.Contains([]string{"secrets", "configmaps", "leases"}, e.ObjectRef.Resource) &&
		slices.Contains([]string{"create", "update", "patch", "delete"}, e.Verb)
	return code == http.StatusForbidden || code == http.StatusUnauthorized || code == http.StatusUnprocessableEntity && guarded
}

// A record has what a user requested from the API server.
type record struct {
	// used are the rights that the requests needed. asked are the rights in the user's access
	// reviews.
	used, asked map[right]int
	// refused are the requests with the status code 401 or 403, and those that the policy of
	// secrets.yaml refused.
	refused []string
}

// audit reads a user's requests from the audit log.
func audit(t *testing.T, log, user string) record {
	t.Helper()
	raw, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	out := record{used: map[right]int{}, asked: map[right]int{}}
	lines := 0
	for line := range bytes.Lines(raw) {
		var e entry
		if err := json.Unmarshal(line, &e); err != nil {
			t.Fatalf("cannot read the audit log: %v in %q", err, line)
		}
		if e.User.Username != user {
			continue
		}
		lines++
		out.add(t, e)
	}
	if lines == 0 {
		t.Fatalf("the audit log has nothing of %s", user)
	}
	return out
}

func (r *record) add(t *testing.T, e entry) {
	t.Helper()
	if s := e.ResponseStatus; s != nil && e.refused(s.Code) {
		r.refused = append(r.refused, fmt.Sprintf("%d: %s %s", s.Code, e.Verb, e.RequestURI))
	}
	if e.ObjectRef == nil {
		return // Discovery is allowed to all users.
	}
	if e.ObjectRef.Resource != "selfsubjectaccessreviews" {
		r.used[right{e.Verb, kind(e.ObjectRef.APIGroup, e.ObjectRef.Resource, e.ObjectRef.Subresource)}]++
		return
	}
	var review authv1.SelfSubjectAccessReview
	if err := json.Unmarshal(e.RequestObject, &review); err != nil || review.Spec.ResourceAttributes == nil {
		t.Fatalf("the audit log has an access review that cannot be read (%v): %s", err, e.RequestObject)
	}
	a := review.Spec.ResourceAttributes
	r.asked[right{a.Verb, kind(a.Group, a.Resource, a.Subresource)}]++
}

// rights returns all rights that rules grant.
func rights(rules ...rbacv1.PolicyRule) map[right]bool {
	out := map[right]bool{}
	for _, rule := range rules {
		for _, g := range rule.APIGroups {
			for _, r := range rule.Resources {
				for _, v := range rule.Verbs {
					out[right{v, kind(g, r, "")}] = true
				}
			}
		}
	}
	return out
}

func sorted[V any](m map[right]V) []string {
	var out []string
	for r := range maps.Keys(m) {
		out = append(out, r.String())
	}
	slices.Sort(out)
	return out
}

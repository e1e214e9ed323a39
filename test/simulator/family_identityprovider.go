// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package simulator

import (
	"fmt"
	"net/http"
	"strings"
)

// concealedSecret replaces the client secret of an identity provider in a response (Terraform
// provider, issues 5532 and 5748).
const concealedSecret = "**********************************"

// identityProviderFamily returns the identity providers of Access.
func identityProviderFamily() *family {
	return &family{
		list: eitherParent + "/access/identity_providers", parameter: "identity_provider_id", shape: idUUID,
		prepare: prepareIdentityProvider, busy: busyIdentityProvider, show: showIdentityProvider,
	}
}

// prepareIdentityProvider refuses members that a type does not accept. If SCIM is enabled, it
// sets the secret and the URL for SCIM. The secret stays until SCIM is disabled.
func prepareIdentityProvider(c *resourceCall, before *resource, doc map[string]any) *Error {
	if before != nil && before.doc["type"] != doc["type"] {
		return invalid(CodeResourceInvalid, "The type of an identity provider cannot be changed.")
	}
	scim, given := doc["scim_config"].(map[string]any)
	if given && doc["type"] == "onetimepin" { // The Terraform provider's issue 5693.
		return invalid(CodeResourceInvalid, "An identity provider of type onetimepin has no scim_config.")
	}
	if scim["enabled"] != true {
		return nil
	}
	scim["secret"] = c.s.newID() + c.s.newID()
	scim["scim_base_url"] = fmt.Sprintf("https://example.cloudflareaccess.com/cdn-cgi/access/identity/%s/scim/v2", doc["id"])
	if before != nil {
		if former, _ := before.doc["scim_config"].(map[string]any); former["secret"] != nil {
			scim["secret"] = former["secret"]
		}
	}
	return nil
}

// showIdentityProvider conceals the client secret. The secret of SCIM is in the response to
// the write that enables SCIM, and redacted in all others. The sources are the documentation
// of the Go library and of the Terraform provider.
func showIdentityProvider(c *resourceCall, r *resource, shown map[string]any) {
	conceal := func(object, name string, concealed bool) {
		stored, _ := r.doc[object].(map[string]any)
		in, _ := shown[object].(map[string]any)
		if in == nil || stored[name] == nil {
			return
		}
		in[name] = stored[name]
		if concealed {
			in[name] = concealedSecret
		}
	}
	conceal("config", "client_secret", true)
	conceal("scim_config", "secret", c.r.Method == http.MethodGet || r.hadSCIM())
}

// hadSCIM reports whether SCIM was enabled before the last write.
func (r *resource) hadSCIM() bool {
	if len(r.versions) < 2 {
		return false
	}
	scim, _ := r.versions[len(r.versions)-2].doc["scim_config"].(map[string]any)
	return scim["secret"] != nil
}

// busyIdentityProvider refuses the deletion of an identity provider that a policy or a group
// names.
func busyIdentityProvider(c *resourceCall, r *resource) *Error {
	for path, sh := range c.s.shelves {
		if !strings.HasSuffix(path, "/access/policies") && !strings.HasSuffix(path, "/access/groups") {
			continue
		}
		for _, other := range sh.items {
			if c.ours(path) && selectsProvider(other.doc, r.id) {
				return refuse(http.StatusConflict, CodeResourceConflict, "The identity provider is in use by a policy or a group.")
			}
		}
	}
	return nil
}

// selectsProvider reports whether a selector names the identity provider: as the login
// method, or as the source of groups and claims.
func selectsProvider(doc map[string]any, id string) bool {
	for _, member := range []string{"include", "exclude", "require"} {
		rules, _ := doc[member].([]any)
		for _, r := range rules {
			rule, _ := r.(map[string]any)
			for selector, v := range rule {
				object, _ := v.(map[string]any)
				if object["identity_provider_id"] == id || selector == "login_method" && object["id"] == id {
					return true
				}
			}
		}
	}
	return false
}

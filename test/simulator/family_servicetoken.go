// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package simulator

import (
	"net/http"
	"time"
)

// prepareServiceToken keeps the members that a PUT leaves out, also those with a default in
// the document. The body of a PUT requires no member in the document, and clients send only
// the name.
func prepareServiceToken(c *resourceCall, before *resource, doc map[string]any) *Error {
	if before != nil {
		for member, value := range before.doc {
			if !c.gives(member) {
				doc[member] = value
			}
		}
	}
	text, _ := doc["duration"].(string)
	lives, err := time.ParseDuration(text)
	if err != nil && text != "forever" {
		return invalid(CodeResourceInvalid, "The duration must be one such as 8760h, or forever.")
	}
	if before == nil {
		doc["client_id"], doc["client_secret"] = c.s.newID()+".access", c.s.newID()+c.s.newID()
		doc["enabled"] = doc["enabled"] != false
	}
	if before == nil || before.doc["duration"] != doc["duration"] {
		delete(doc, "expires_at")
		if lives > 0 {
			doc["expires_at"] = timestamp(c.now.Add(lives))
		}
	}
	return nil
}

// gives reports whether the request's body has a member.
func (c *resourceCall) gives(name string) bool {
	body, err := decodeObject(c.body)
	_, given := body[name]
	return err == nil && given
}

// showServiceToken leaves out the secret, which only the creation and a rotation show. The document
// does not have the expiry in their responses.
func showServiceToken(c *resourceCall, _ *resource, shown map[string]any) {
	delete(shown, "client_secret")
	if _, answered := c.op.Result.Members(nil)["expires_at"]; c.r.Method == http.MethodPost && !answered {
		delete(shown, "expires_at")
	}
}

func revealServiceToken(_ *resourceCall, r *resource, shown map[string]any) {
	shown["client_secret"] = r.doc["client_secret"]
}

// rotateServiceToken generates a new secret. It stores previous_client_secret_expires_at,
// until which the API accepts the former secret. The simulator does not check secrets of
// service tokens.
func (c *resourceCall) rotateServiceToken() (reply, *Error) {
	r, err := c.find()
	if err != nil {
		return reply{}, err
	}
	body, err := c.admit(true)
	if err != nil {
		return reply{}, err
	}
	doc := copyOf(r.doc)
	doc["client_secret"] = c.s.newID() + c.s.newID()
	version, _ := number(doc["client_secret_version"])
	doc["client_secret_version"] = version + 1
	if at, given := body["previous_client_secret_expires_at"]; given {
		doc["previous_client_secret_expires_at"] = at
	}
	r.set(doc, c.now)
	shown := c.shown(r)
	revealServiceToken(c, r, shown)
	return reply{result: shown}, nil
}

// refreshServiceToken sets the expiry to the token's duration from now.
func (c *resourceCall) refreshServiceToken() (reply, *Error) {
	r, err := c.find()
	if err != nil {
		return reply{}, err
	}
	doc := copyOf(r.doc)
	text, _ := doc["duration"].(string)
	if lives, err := time.ParseDuration(text); err == nil {
		doc["expires_at"] = timestamp(c.now.Add(lives))
	}
	r.set(doc, c.now)
	return reply{result: c.shown(r)}, nil
}

// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package simulator

import (
	"net/http"
	"path"
	"slices"
)

const scriptSecrets = scripts + "/{script_name}/secrets"

// scriptSecretFamily returns the secrets of Workers that are set one by one. They are bindings of the Worker,
// like the secrets of an upload. The list of secrets and the settings of the Worker show both.
func scriptSecretFamily() *family {
	return &family{
		list: scriptSecrets, parameter: "secret_name", shape: idName, member: "name",
		missing: func() *Error {
			return refuse(http.StatusNotFound, CodeBindingNotFound, "The binding does not exist.")
		},
		deletion: func(*resourceCall, *resource) any { return nil },
		more: map[string]handler{
			"GET " + scriptSecrets:                       ofScript((*resourceCall).listSecrets),
			"PUT " + scriptSecrets:                       ofScript((*resourceCall).putSecret),
			"GET " + scriptSecrets + "/{secret_name}":    ofScript((*resourceCall).getSecret),
			"DELETE " + scriptSecrets + "/{secret_name}": ofScript((*resourceCall).deleteSecret),
		},
	}
}

// ofScript wraps h so that it refuses requests below a Worker that does not exist.
func ofScript(h handler) handler {
	return func(c *resourceCall) (reply, *Error) {
		if c.script() == nil {
			return reply{}, c.beside("/workers/scripts").f.unknown()
		}
		return h(c)
	}
}

// script returns the Worker of the path, or nil if there is none.
func (c *resourceCall) script() *resource {
	return c.beside("/workers/scripts").items[path.Base(path.Dir(c.shelf.path))]
}

// uploaded returns the secrets of a Worker that came with its code.
func uploaded(script *resource) []map[string]any {
	return slices.DeleteFunc(bindingsOf(script.doc), func(b map[string]any) bool { return !secretTypes(b) })
}

func (c *resourceCall) listSecrets() (reply, *Error) {
	both := &shelf{path: c.shelf.path, f: c.f, items: map[string]*resource{}}
	for _, b := range uploaded(c.script()) {
		both.items[textOf(b, "name")] = &resource{id: textOf(b, "name"), doc: b}
	}
	for id, r := range c.shelf.items {
		both.items[id] = r
	}
	only := *c
	only.shelf = both
	return only.listAll()
}

func (c *resourceCall) getSecret() (reply, *Error) {
	for _, b := range uploaded(c.script()) {
		if b["name"] == c.id {
			return reply{result: c.shown(&resource{id: c.id, doc: b})}, nil
		}
	}
	return c.get()
}

// putSecret creates or replaces a secret. It refuses a name that is bound to another type than a secret
// (cloudflare/workers-sdk, issue 12812).
func (c *resourceCall) putSecret() (reply, *Error) {
	doc, err := c.admit(true)
	if err != nil {
		return reply{}, err
	}
	name := textOf(doc, "name")
	for _, b := range bindingsOf(c.script().doc) {
		if b["name"] == name && !secretTypes(b) {
			return reply{}, invalid(CodeBindingExists, "Binding name '%s' already in use.", name)
		}
	}
	c.unbind(name)
	return reply{result: c.shown(c.s.put(c.shelf, name, doc))}, nil
}

func (c *resourceCall) deleteSecret() (reply, *Error) {
	if c.unbind(c.id) {
		return reply{}, nil
	}
	return c.delete()
}

// unbind removes the uploaded binding of a name from the Worker. It reports whether there was one.
func (c *resourceCall) unbind(name string) bool {
	script := c.script()
	doc, left := copyOf(script.doc), []any{}
	for _, b := range bindingsOf(doc) {
		if b["name"] != name {
			left = append(left, b)
		}
	}
	if len(left) == len(bindingsOf(doc)) {
		return false
	}
	doc["bindings"] = left
	script.set(doc, c.now)
	return true
}

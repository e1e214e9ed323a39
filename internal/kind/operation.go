// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package kind

import (
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
)

// An Operation is a verb and a path of the document.
type Operation struct {
	Method, Path string
}

// ParseOperation parses an operation such as "GET /accounts/{account_id}/cfd_tunnel".
func ParseOperation(s string) (Operation, bool) {
	method, path, ok := strings.Cut(s, " ")
	return Operation{Method: method, Path: path}, ok && strings.HasPrefix(path, "/")
}

// parameter matches a parameter of a path, in braces.
var parameter = regexp.MustCompile(`\{([^{}]+)\}`)

// Parameters returns the names of the parameters of the path, in order.
func (o Operation) Parameters() []string {
	var out []string
	for _, m := range parameter.FindAllStringSubmatch(o.Path, -1) {
		out = append(out, m[1])
	}
	return out
}

// A ParameterError says that a value cannot be part of a path.
type ParameterError struct {
	// Name is the name of the parameter, and Value its value.
	Name, Value string
}

func (e *ParameterError) Error() string {
	if e.Value == "" {
		return fmt.Sprintf("%s is not known", e.Name)
	}
	return fmt.Sprintf("%s %q cannot be part of a path", e.Name, e.Value)
}

// Expand puts values into the path, escaped. It returns a *ParameterError for a value that is
// missing, or that would lead to another path.
func (o Operation) Expand(values map[string]string) (string, error) {
	out := o.Path
	for _, name := range o.Parameters() {
		v := values[name]
		if v == "" || v == "." || v == ".." {
			return "", &ParameterError{Name: name, Value: v}
		}
		out = strings.Replace(out, "{"+name+"}", url.PathEscape(v), 1)
	}
	return out, nil
}

// IDParameter returns the name of the parameter that is the identity of a resource: the last one
// of Read. It returns "" for a singleton, which the spec identifies, and for a fragment, which a
// key in its document identifies.
func (d Description) IDParameter() string {
	o, _ := ParseOperation(d.Read)
	p := o.Parameters()
	if len(p) == 0 || d.Shape != Collection {
		return ""
	}
	return p[len(p)-1]
}

// Named reports whether the user names a resource: its identity is a parameter of the creation's path.
func (d Description) Named() bool {
	o, _ := ParseOperation(d.Create)
	id := d.IDParameter()
	return id != "" && slices.Contains(o.Parameters(), id)
}

// SingletonID returns the identity of a singleton: the parameters of its path.
func (d Description) SingletonID(params map[string]string) string {
	o, _ := ParseOperation(d.Read)
	var parts []string
	for _, name := range o.Parameters() {
		parts = append(parts, params[name])
	}
	return strings.Join(parts, "/")
}

// IDPath returns the path of the identity in an answer.
func (d Description) IDPath() string {
	if d.ID == "" {
		return "id"
	}
	return d.ID
}

// field returns what the description says of a path.
func (d Description) field(path string) Field { return d.Fields[path] }

// Below reports whether resources of a Collection are below another resource, and not directly below an
// account, a zone or a user.
func (d Description) Below() bool {
	op, ok := ParseOperation(d.List)
	return ok && slices.ContainsFunc(op.Parameters(), func(name string) bool {
		return !slices.Contains([]string{"account_id", "zone_id", "accounts_or_zones", "account_or_zone_id"}, name)
	})
}

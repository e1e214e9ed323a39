// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Package terraform reads which resources of Cloudflare a state of Terraform or OpenTofu has. It
// makes no calls. It uses only the values that identify a resource: Cloudflare has the current
// values of the others.
package terraform

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// A Resource is a resource that a state manages.
type Resource struct {
	// Address is Terraform's name for it, such as module.dns.cloudflare_dns_record.www[0].
	Address string
	// Type is the name of its type in version 5 of Cloudflare's Terraform provider.
	Type string
	// ID is the ID that the Terraform provider recorded.
	ID string
	// Attributes are its attributes that are strings.
	Attributes map[string]string
}

// attributes are the attributes of an instance. Only strings are kept.
type attributes map[string]string

// UnmarshalJSON implements [json.Unmarshaler].
func (a *attributes) UnmarshalJSON(raw []byte) error {
	var all map[string]json.RawMessage
	if err := json.Unmarshal(raw, &all); err != nil {
		return err
	}
	*a = attributes{}
	for name, v := range all {
		var text string
		if len(v) > 0 && v[0] == '"' && json.Unmarshal(v, &text) == nil {
			(*a)[name] = text
		}
	}
	return nil
}

// managed is the mode of a resource. Data sources have another mode.
const managed = "managed"

// A state is a state file of version 4, or the output of `terraform show -json` for one.
// https://developer.hashicorp.com/terraform/internals/json-format
type state struct {
	Version   int              `json:"version"`
	Resources []storedResource `json:"resources"`
	Values    *struct {
		RootModule shownModule `json:"root_module"`
	} `json:"values"`
	FormatVersion string `json:"format_version"`
}

// A storedResource is a resource in a state file.
type storedResource struct {
	Module    string `json:"module"`
	Mode      string `json:"mode"`
	Type      string `json:"type"`
	Name      string `json:"name"`
	Instances []struct {
		IndexKey   any        `json:"index_key"`
		Attributes attributes `json:"attributes"`
	} `json:"instances"`
}

// A shownModule is a module in the output of `terraform show -json`.
type shownModule struct {
	Resources []struct {
		Address string     `json:"address"`
		Mode    string     `json:"mode"`
		Type    string     `json:"type"`
		Values  attributes `json:"values"`
	} `json:"resources"`
	ChildModules []shownModule `json:"child_modules"`
}

// stateVersion is the version of the format of state files since Terraform 0.12.
const stateVersion = 4

// Read returns the resources of Cloudflare in a state file, or in the output of `terraform show -json`.
func Read(r io.Reader) ([]Resource, error) {
	var s state
	if err := json.NewDecoder(r).Decode(&s); err != nil {
		return nil, fmt.Errorf("cannot read the state: %w", err)
	}
	switch {
	case s.Values != nil:
		return s.Values.RootModule.resources(), nil
	case s.FormatVersion != "":
		return nil, nil // The state is empty.
	case s.Version == 0:
		return nil, errors.New("it is no state: give a state file, or the output of terraform show -json")
	case s.Version != stateVersion:
		return nil, fmt.Errorf("it is a state file of version %d, want %d: give the output of terraform show -json", s.Version, stateVersion)
	}
	var out []Resource
	for _, r := range s.Resources {
		for _, i := range r.Instances {
			out = add(out, r.address(i.IndexKey), r.Mode, r.Type, i.Attributes)
		}
	}
	return out, nil
}

func (r storedResource) address(index any) string {
	out := r.Type + "." + r.Name
	if r.Module != "" {
		out = r.Module + "." + out
	}
	switch index := index.(type) {
	case string:
		return fmt.Sprintf("%s[%q]", out, index)
	case float64:
		return fmt.Sprintf("%s[%v]", out, index)
	}
	return out
}

func (m shownModule) resources() []Resource {
	var out []Resource
	for _, r := range m.Resources {
		out = add(out, r.Address, r.Mode, r.Type, r.Values)
	}
	for _, child := range m.ChildModules {
		out = append(out, child.resources()...)
	}
	return out
}

// prefix is the prefix of the names of all of Cloudflare's types.
const prefix = "cloudflare_"

func add(out []Resource, address, mode, typ string, a attributes) []Resource {
	if mode != managed || !strings.HasPrefix(typ, prefix) {
		return out
	}
	return append(out, Resource{Address: address, Type: currentName(typ), ID: a["id"], Attributes: a})
}

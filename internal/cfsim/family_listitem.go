// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package cfsim

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/netip"
	"net/url"
	"strings"
)

const listItems = rulesLists + "/{list_id}/items"

// listItemFamily is the items of lists. They are read like any other resources, and written by
// asynchronous operations: an item with the value of one that exists is merged into that one
// (Terraform provider, pull request 5854 and issue 2352).
func listItemFamily() *family {
	inList := func(h handler) handler {
		return func(c *resourceCall) (reply, *Error) {
			if _, err := c.itemsList(); err != nil {
				return reply{}, err
			}
			return h(c)
		}
	}
	return &family{
		list: listItems, parameter: "item_id", shape: idHex,
		filters: map[string]filter{"search": searchItem},
		more: map[string]handler{
			"GET " + listItems:                inList((*resourceCall).listAll),
			"GET " + listItems + "/{item_id}": inList((*resourceCall).get),
			"POST " + listItems:               func(c *resourceCall) (reply, *Error) { return c.putItems(false) },
			"PUT " + listItems:                func(c *resourceCall) (reply, *Error) { return c.putItems(true) },
			"DELETE " + listItems:             (*resourceCall).deleteItems,
		},
	}
}

// itemsList is the list that the path is about.
func (c *resourceCall) itemsList() (*resource, *Error) {
	path := strings.TrimSuffix(c.shelf.path, "/items")
	r, err := c.s.stored(path)
	if err != nil {
		return nil, c.f.unknown()
	}
	return r, nil
}

// putItems answers POST, which adds items, and PUT, which leaves no others.
func (c *resourceCall) putItems(alone bool) (reply, *Error) {
	list, err := c.itemsList()
	if err != nil {
		return reply{}, err
	}
	items, err := c.itemsOf(list.text("kind"))
	if err != nil {
		return reply{}, err
	}
	failure := c.failing(items)
	return c.begin(func() string {
		if failure != "" || c.s.shelves[c.shelf.path] != c.shelf {
			return failure // Of a list that is gone by now nothing is left.
		}
		kept, byValue := map[string]bool{}, map[string]*resource{}
		for _, r := range c.shelf.items {
			byValue[itemValue(r.doc)] = r
		}
		for _, doc := range items {
			r := c.mergeItem(byValue[itemValue(doc)], doc)
			kept[r.id], byValue[itemValue(doc)] = true, r
		}
		for _, r := range c.shelf.sorted() {
			if alone && !kept[r.id] {
				c.shelf.remove(r, c.s.now())
			}
		}
		return ""
	})
}

// itemsOf reads the items of a body, each in the form in which it is stored.
func (c *resourceCall) itemsOf(kind string) ([]map[string]any, *Error) {
	dec := json.NewDecoder(bytes.NewReader(c.body))
	dec.UseNumber()
	var body []any
	if err := dec.Decode(&body); err != nil || body == nil {
		return nil, invalid(CodeMalformedJSON, "Malformed JSON in request body.")
	}
	if wrong := c.op.Body.Check(body); wrong != nil {
		return nil, invalid(CodeResourceInvalid, "The request body is invalid: %s.", wrong)
	}
	filled, _ := c.op.Body.Fill(body).([]any)
	items := make([]map[string]any, len(filled))
	for i, e := range filled {
		items[i], _ = e.(map[string]any)
		for _, name := range []string{"id", "created_on", "modified_on"} {
			delete(items[i], name)
		}
		if err := c.entitled(items[i]); err != nil {
			return nil, err
		}
		if !storeItem(items[i], kind) {
			return nil, invalid(CodeResourceInvalid, "Item %d is not valid in a list of this kind.", i)
		}
	}
	return items, nil
}

// storeItem brings an item into the form in which it is stored. It is false for one that does
// not fit a list of that kind.
func storeItem(doc map[string]any, kind string) bool {
	for _, other := range []string{"ip", "hostname", "redirect", "asn"} {
		if (doc[other] != nil) != (other == kind) {
			return false
		}
	}
	switch kind {
	case "ip":
		text, _ := doc["ip"].(string)
		address, ok := storedAddress(text)
		doc["ip"] = address
		return ok
	case "hostname":
		hostname, _ := doc["hostname"].(map[string]any)
		text, _ := hostname["url_hostname"].(string)
		name, ok := zoneName(strings.TrimPrefix(text, "*."))
		if strings.HasPrefix(text, "*.") {
			name = "*." + name
		}
		hostname["url_hostname"] = name
		return ok
	case "redirect":
		redirect, _ := doc["redirect"].(map[string]any)
		text, _ := redirect["source_url"].(string)
		if _, rest, ok := strings.Cut(text, "://"); ok {
			text = rest
		}
		u, err := url.Parse("//" + text)
		return err == nil && u.Hostname() != ""
	}
	return true
}

// storedAddress is an address or a network without what it need not say: a host's prefix, the
// bits beyond a prefix, zeros in IPv6.
func storedAddress(text string) (string, bool) {
	if a, err := netip.ParseAddr(text); err == nil {
		return a.String(), true
	}
	p, err := netip.ParsePrefix(text)
	if err != nil {
		return "", false
	}
	if p.IsSingleIP() {
		return p.Addr().String(), true
	}
	return p.Masked().String(), true
}

// itemValue tells an item from the others of its list.
func itemValue(doc map[string]any) string {
	for _, of := range [][2]string{{"hostname", "url_hostname"}, {"redirect", "source_url"}} {
		if inner, ok := doc[of[0]].(map[string]any); ok {
			text, _ := inner[of[1]].(string)
			return text
		}
	}
	if doc["asn"] != nil {
		return fmt.Sprint(doc["asn"])
	}
	text, _ := doc["ip"].(string)
	return text
}

// mergeItem stores an item, in the place of the one of its value if there is one.
func (c *resourceCall) mergeItem(before *resource, doc map[string]any) *resource {
	now := c.s.now()
	id, created := c.s.newID(), timestamp(now)
	if before != nil {
		id, created = before.id, before.text("created_on")
	}
	doc = copyOf(doc)
	doc["id"], doc["created_on"], doc["modified_on"] = id, created, timestamp(now)
	return c.s.put(c.shelf, id, doc)
}

// failing is why an operation on items fails because of a trap, "" for none.
func (c *resourceCall) failing(items []map[string]any) string {
	for _, t := range c.on(TrapFailedOperation) {
		for _, doc := range items {
			if t.Value == "" || t.Value == itemValue(doc) {
				t.fired++
				return "cannot process the items"
			}
		}
	}
	return ""
}

// deleteItems answers DELETE of items by their IDs. Those that do not exist are left out.
func (c *resourceCall) deleteItems() (reply, *Error) {
	if _, err := c.itemsList(); err != nil {
		return reply{}, err
	}
	body, err := c.decode()
	if err != nil {
		return reply{}, err
	}
	if err := c.checkBody(body, true); err != nil {
		return reply{}, err
	}
	if err := c.trappedBusy(); err != nil {
		return reply{}, err
	}
	var items []map[string]any
	list, _ := body["items"].([]any)
	for _, e := range list {
		named, _ := e.(map[string]any)
		id, _ := named["id"].(string)
		if r := c.shelf.items[id]; r != nil {
			items = append(items, r.doc)
		}
	}
	failure := c.failing(items)
	return c.begin(func() string {
		for _, doc := range items {
			id, _ := doc["id"].(string)
			if r := c.shelf.items[id]; r != nil && failure == "" {
				c.shelf.remove(r, c.s.now())
			}
		}
		return failure
	})
}

// searchItem is what the documentation says of search: addresses begin with it, host names
// and redirects have it, AS numbers are it.
func searchItem(r *resource, value string) bool {
	switch have := itemValue(r.doc); {
	case r.doc["asn"] != nil:
		return have == value
	case r.doc["ip"] != nil:
		return strings.HasPrefix(have, value)
	default:
		return strings.Contains(have, value)
	}
}

// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package simulator

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/netip"
	"net/url"
	"strings"
)

const listItems = rulesLists + "/{list_id}/items"

// listItemFamily returns the items of lists. They are read like other resources, and written
// by asynchronous operations. An item with the value of an existing item is merged into that
// one (Terraform provider, pull request 5854 and issue 2352).
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

// itemsList returns the list of the path.
func (c *resourceCall) itemsList() (*resource, *Error) {
	path := strings.TrimSuffix(c.shelf.path, "/items")
	r, err := c.s.stored(path)
	if err != nil {
		return nil, c.f.unknown()
	}
	return r, nil
}

// putItems handles POST and PUT. Both add items, and PUT removes all other items.
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
			return failure // The list may be deleted by now.
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

// itemsOf decodes the items of a body, each in the form in which it is stored.
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

// storeItem changes an item to the form in which it is stored. It returns false if the item
// does not fit a list of the kind.
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

// storedAddress returns an address or a network in its shortest form: without the prefix of a
// single host, the bits beyond a prefix, and redundant zeros in IPv6.
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

// itemValue returns the value that identifies an item in its list.
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

// mergeItem stores an item. It replaces before, an item of the same value, if that is not nil.
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

// failing returns the reason for which a trap makes an operation on items fail, or "".
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

// deleteItems handles the DELETE of items by their IDs. It ignores unknown IDs.
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

// searchItem implements the parameter search as documented: addresses begin with the value,
// host names and redirects contain it, AS numbers equal it.
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

// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package simulator

import (
	"bytes"
	"encoding/json"
	"net/http"
	"reflect"
	"strings"
)

// Garbage: responses that no API should send. The request is executed, and its response is
// spoiled, so that a client cannot learn the outcome. Only responses with status 200 are
// spoiled. Refusals stay as they are.
const (
	// FaultHTML200 answers an HTML page with 200, as a login page or a captive portal
	// does.
	FaultHTML200 FaultKind = "html-200"
	// FaultTruncated cuts the JSON in the middle.
	FaultTruncated FaultKind = "truncated"
	// FaultWrongTypes changes the JSON types of the members of results: texts become
	// numbers, numbers become lists, and so on.
	FaultWrongTypes FaultKind = "wrong-types"
	// FaultBareFailure answers success false and errors null.
	FaultBareFailure FaultKind = "bare-failure"
	// FaultNullResult answers result null, also for lists, with the counts of an empty
	// list.
	FaultNullResult FaultKind = "null-result"
	// FaultEmptyList answers an empty page of a list that is not empty by its counts.
	FaultEmptyList FaultKind = "empty-list"
	// FaultEmptyObjects replaces each object with {}.
	FaultEmptyObjects FaultKind = "empty-objects"
	// FaultNoIDs leaves out the IDs of objects.
	FaultNoIDs FaultKind = "no-ids"
	// FaultBadIDs answers with IDs that are not 32 hexadecimal characters.
	FaultBadIDs FaultKind = "bad-ids"
	// FaultOtherObject answers with another object than the requested one: each ID is the
	// same well-formed one.
	FaultOtherObject FaultKind = "other-object"
	// FaultContentType answers a right body as text/plain.
	FaultContentType FaultKind = "content-type"
	// FaultHugeBody pads the response with 80 MB of white space.
	FaultHugeBody FaultKind = "huge-body"
	// FaultHugeTexts answers with texts of 1 MB in each object's name, content and
	// comment.
	FaultHugeTexts FaultKind = "huge-texts"
	// FaultMoreCounted counts more elements of a list than its pages have.
	FaultMoreCounted FaultKind = "more-counted"
	// FaultFewerCounted counts fewer elements of a list than its pages have.
	FaultFewerCounted FaultKind = "fewer-counted"
	// FaultSamePage answers each page of a list of records with the first page and the
	// right counts. A page has one record, so that short lists have several pages.
	FaultSamePage FaultKind = "same-page"
	// FaultEndless answers each page of a list of records with the first page, without
	// counts.
	FaultEndless FaultKind = "endless"
)

// GarbageKinds returns the kinds of garbage.
func GarbageKinds() []FaultKind {
	return []FaultKind{
		FaultHTML200, FaultTruncated, FaultWrongTypes, FaultBareFailure, FaultNullResult, FaultEmptyList,
		FaultEmptyObjects, FaultNoIDs, FaultBadIDs, FaultOtherObject, FaultContentType, FaultHugeBody,
		FaultHugeTexts, FaultMoreCounted, FaultFewerCounted, FaultSamePage, FaultEndless,
	}
}

const (
	hugeBody = 80 << 20
	hugeText = 1 << 20
)

// spoil applies each fault to a response.
func (s faultSet) spoil(a answer) answer {
	if a.status != http.StatusOK {
		return a
	}
	for _, f := range s.drawn {
		spoiled := a.spoiled(f.Kind)
		if !bytes.Equal(spoiled.body, a.body) || spoiled.header.Get("Content-Type") != a.header.Get("Content-Type") {
			f.fire()
		}
		a = spoiled
	}
	return a
}

// spoiled returns a with the effect of one kind of fault.
func (a answer) spoiled(kind FaultKind) answer {
	switch kind {
	case FaultHTML200:
		a.header = http.Header{"Content-Type": {"text/html"}}
		a.body = []byte("<!DOCTYPE html><html><head><title>Sign in</title></head><body><form></form></body></html>")
	case FaultTruncated:
		a.body = a.body[:len(a.body)/2]
	case FaultContentType:
		a.header = a.header.Clone()
		a.header.Set("Content-Type", "text/plain; charset=utf-8")
	case FaultHugeBody:
		a.body = append(bytes.Repeat([]byte(" "), hugeBody), a.body...)
	default:
		if garble, ok := garblers()[kind]; ok {
			a = a.garbled(garble)
		}
	}
	return a
}

// garblers returns the functions that change an envelope, by kind of fault.
func garblers() map[FaultKind]func(envelope map[string]any) {
	each := func(change func(o map[string]any)) func(map[string]any) {
		return func(e map[string]any) { eachObject(e["result"], change) }
	}
	counted := func(as func(n int) int) func(map[string]any) {
		return func(e map[string]any) {
			if info, ok := e["result_info"].(map[string]any); ok {
				n, _ := info["total_count"].(float64)
				info["total_count"] = float64(as(int(n)))
			}
		}
	}
	return map[FaultKind]func(map[string]any){
		FaultWrongTypes: each(func(o map[string]any) {
			for k, v := range o {
				o[k] = otherType(v)
			}
		}),
		FaultBareFailure:  func(e map[string]any) { e["success"], e["errors"], e["result"] = false, nil, nil },
		FaultNullResult:   func(e map[string]any) { e["result"], e["result_info"] = nil, emptyInfo(e["result_info"]) },
		FaultEmptyList:    emptyList,
		FaultEmptyObjects: each(func(o map[string]any) { clear(o) }),
		FaultNoIDs:        each(func(o map[string]any) { delete(o, "id") }),
		FaultBadIDs:       each(func(o map[string]any) { o["id"] = "../../zones/../x" }),
		FaultOtherObject:  each(func(o map[string]any) { o["id"] = strings.Repeat("e", 32) }),
		FaultHugeTexts: each(func(o map[string]any) {
			for _, k := range []string{"name", "content", "comment"} {
				o[k] = strings.Repeat("x", hugeText)
			}
		}),
		FaultMoreCounted:  counted(func(n int) int { return 2 * (n + 1) }),
		FaultFewerCounted: counted(func(n int) int { return n / 2 }),
	}
}

// garbled returns a with its envelope changed, or a itself if there is no change.
func (a answer) garbled(garble func(map[string]any)) answer {
	var was, e map[string]any
	if json.Unmarshal(a.body, &was) != nil || json.Unmarshal(a.body, &e) != nil {
		return a // It is not an envelope, or an earlier fault has spoiled it.
	}
	garble(e)
	if reflect.DeepEqual(was, e) {
		return a
	}
	changed := encode(a.status, e)
	a.body = changed.body
	return a
}

// eachObject calls change for the objects of a result: the only one, those of a list, or
// those of the lists of a batch.
func eachObject(result any, change func(map[string]any)) {
	switch v := result.(type) {
	case []any:
		for _, o := range v {
			eachObject(o, change)
		}
	case map[string]any:
		if _, batch := v["posts"]; !batch {
			change(v)
			return
		}
		for _, list := range v {
			eachObject(list, change)
		}
	}
}

func otherType(v any) any {
	switch v.(type) {
	case string:
		return 7
	case float64:
		return []any{"seven"}
	case bool:
		return map[string]any{}
	}
	return "other"
}

func emptyInfo(info any) any {
	if info == nil {
		return nil
	}
	return map[string]any{"page": 1, "per_page": 100, "count": 0, "total_count": 0, "total_pages": 0}
}

func emptyList(e map[string]any) {
	if _, ok := e["result"].([]any); ok {
		e["result"] = []any{}
	}
}

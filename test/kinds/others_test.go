// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package kinds

import (
	"maps"
	"net/http"
	"path"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"

	"github.com/provider-cloudflare/provider-cloudflare/internal/controller/described"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
	"github.com/provider-cloudflare/provider-cloudflare/internal/parent"
	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

// The members of documents that others set, before a life and in it.
const (
	theirMember    = "x_future"
	laterMember    = "x_later"
	addedMeanwhile = "x_meanwhile"
)

// others are what is not the object's.
type others struct {
	// resources is how many of the kind others have, and member whether the document has one of theirs.
	resources int
	member    bool
	// later is whether somebody else has set a member of what the object has made.
	later bool
	// elements are the keys of theirs in the document.
	elements []string

	mu sync.Mutex
	// wrote is what they wrote just before calls.
	wrote []foreign
}

// A foreign is what somebody else wrote just before a call.
type foreign struct {
	step step
	// resource is the path of a new one, element the key of a new one, and member the path of the resource with a new one.
	resource, element, member string
	// lost reports whether the call replaces all that it is about: Cloudflare knows no condition for a write.
	lost bool
}

func (o *others) writes(f foreign) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.wrote = append(o.wrote, f)
}

func (o *others) written() []foreign {
	o.mu.Lock()
	defer o.mu.Unlock()
	return slices.Clone(o.wrote)
}

func (o *others) hasWritten(s step) bool {
	return slices.ContainsFunc(o.written(), func(f foreign) bool { return f.step == s })
}

// othersAreThere puts something of somebody else beside what the object is going to make: a resource like that of the
// first life but for its name, such an element of the document, or a member of the document that nobody declares.
func (l *life) othersAreThere() {
	l.T.Helper()
	_, one := l.d.Excused["ManyOneList"]
	switch {
	case l.d.Shape == kind.Singleton:
		// What is not set has no members, and a bare list has none at all.
		if _, excused := l.d.Excused["UndeclaredIsLeft"]; !excused && len(l.d.Unset) == 0 && l.d.Bare == "" {
			l.answer("") // What exists with its parent is there once it is asked for.
			l.editStored("", func(doc map[string]any) { l.writeMember(doc, theirMember) })
			l.others.member = true
		}
	case len(l.of.moments) == 0 || one && l.d.Shape == kind.Collection: // There is no example of one, or there cannot be two.
	case !l.fragment():
		l.addResource(1)
		l.others.resources++
	case l.beside:
		l.others.elements = append(l.others.elements, l.addElement(1))
	}
}

// membersAreAdded has somebody else set a member of what the object has made that nobody declares. It ends when sweeps
// have seen that: for as long as a copy may be behind, the provider takes its own last write for newer.
func (l *life) membersAreAdded() {
	l.T.Helper()
	if _, excused := l.d.Excused["UndeclaredIsLeft"]; excused || l.d.Bare != "" {
		return
	}
	l.editStored(meta.GetExternalName(l.example), func(doc map[string]any) { l.writeMember(doc, laterMember) })
	l.others.later = true
	l.during(parent.Lag)
	l.lists(2)
}

// writeMember sets a member as somebody else: Cloudflare says when.
func (l *life) writeMember(doc map[string]any, name string) {
	body(doc, l.declares)[name] = "theirs"
	for _, stamp := range []string{"modified_on", "updated_at", "modified_at"} {
		if _, has := doc[stamp]; has {
			doc[stamp] = time.Now().UTC().Format("2006-01-02T15:04:05.000000Z")
		}
	}
}

// addResource puts a resource of somebody else beside the object's, another one for each number. It gives its path.
func (l *life) addResource(i int) string {
	l.T.Helper()
	return l.sim.PlantResource(l.collection(), l.of.resource, func(doc map[string]any) { l.another(i, doc) })
}

// another makes the document of another, older resource of it.
func (l *life) another(i int, doc map[string]any) {
	for _, at := range l.distinct(l.naturalText()) {
		if at != "" && kind.Text(doc, at) == "" {
			l.T.Errorf("what is stored has no %s: %v", at, doc)
		}
		for _, at := range []string{at, l.d.Fields[at].Answer} {
			if text := kind.Text(doc, at); at != "" && text != "" {
				kind.Put(doc, at, numberedText(i, text))
			}
		}
	}
	if l.d.Name == "DeviceProfile" {
		doc["precedence"] = 6 + i // No two have the same.
	}
	for _, name := range stamps() {
		if at, err := time.Parse(time.RFC3339, kind.Text(doc, name)); err == nil {
			doc[name] = at.Add(-48 * time.Hour).Format(time.RFC3339)
		}
	}
}

// addElement puts an element of somebody else first into the document, which it makes where there is none: another one
// for each number. It gives its key.
func (l *life) addElement(i int) string {
	l.T.Helper()
	e := l.d.Element(l.of.element, nil)
	delete(e, "id")
	for _, at := range l.d.Natural {
		if text := kind.Text(e, at); text != "" {
			kind.Put(e, at, numberedText(i, text))
		}
	}
	if l.d.Make != nil && l.document() == nil {
		l.sim.PlantResource(path.Dir(l.shelf()), l.of.resource, func(doc map[string]any) { l.put(doc, nil, e) })
		return l.d.FragmentKey(e)
	}
	if err := l.sim.EditResource(l.shelf(), func(doc map[string]any) { l.put(doc, l.d.Elements(doc), e) }); err != nil {
		l.T.Error(err)
	}
	return l.d.FragmentKey(e)
}

// put puts an element before others into a document.
func (l *life) put(doc map[string]any, others []kind.Document, e kind.Document) {
	list := []any{e}
	for _, other := range others {
		list = append(list, other)
	}
	if len(others) == 0 && l.d.Last != nil {
		list = append(list, maps.Clone(l.d.Last))
	}
	kind.Put(doc, strings.TrimSuffix(l.d.Part, "[]"), list)
}

// interruptAt has somebody else write just before a call.
func (l *life) interruptAt(m moment) {
	var n atomic.Int32
	bearer := "Bearer " + l.token
	l.wire.interrupt(func(r *http.Request) {
		at := strings.TrimPrefix(r.URL.Path, simulator.BasePath)
		if r.Header.Get("Authorization") == bearer && r.Method == m.method && onRoute(m.route, at) && int(n.Add(1))-1 == m.number {
			l.others.writes(l.foreignWrite(m))
		}
	})
}

// onRoute reports whether a path is one of a route.
func onRoute(route, at string) bool {
	return slices.EqualFunc(strings.Split(route, "/"), strings.Split(at, "/"), func(want, have string) bool {
		return strings.HasPrefix(want, "{") || want == have
	})
}

// foreignWrite writes as somebody else to what a call is about: another element of the document, another member of the
// resource, or, where there is none yet, another resource.
func (l *life) foreignWrite(m moment) foreign {
	n := 2 + len(l.others.written())
	if l.fragment() {
		return foreign{step: m.step, element: l.addElement(n), lost: l.d.Create == ""}
	}
	own := l.own()
	if len(own) == 0 {
		return foreign{step: m.step, resource: l.addResource(n)}
	}
	if err := l.sim.EditResource(own[0], func(doc map[string]any) { l.writeMember(doc, addedMeanwhile) }); err != nil {
		l.T.Error(err)
	}
	return foreign{step: m.step, member: own[0], lost: m.method != http.MethodPatch}
}

// own are the paths of what the object has made, or works on.
func (l *life) own() []string {
	if l.d.Shape == kind.Singleton {
		return []string{l.item("")}
	}
	var out []string
	planted := l.others.written()
	for at := range l.sim.AllResources() {
		_, there := l.before[at]
		theirs := slices.ContainsFunc(planted, func(f foreign) bool { return f.resource == at })
		if !there && !theirs && path.Dir(at) == l.collection() {
			out = append(out, at)
		}
	}
	slices.Sort(out)
	return out
}

// besides is how many resources or elements of the kind others have.
func (l *life) besides() int {
	l.T.Helper()
	n := l.others.resources + len(l.others.elements)
	for _, f := range l.others.written() {
		if f.resource != "" || f.element != "" && l.element(l.document(), f.element) != nil {
			n++
		}
	}
	return n
}

// keepsOthers shows that Cloudflare has what others had in the document, and what somebody wrote just before a call:
// unless that call replaced it, for Cloudflare has no condition for a write. Where there is a version, an event says so.
func (l *life) keepsOthers() {
	l.T.Helper()
	for _, key := range l.others.elements {
		if l.element(l.document(), key) == nil {
			l.T.Errorf("the document lacks the %s %q of somebody else", l.d.Noun, key)
		}
	}
	if l.others.member && l.now != deletion && !l.hasMember(l.item(""), theirMember) {
		l.T.Errorf("the document has no member of somebody else any more: %v", l.raw(""))
	}
	if l.others.later && l.now != deletion {
		if doc := l.raw(meta.GetExternalName(l.example)); doc[laterMember] != "theirs" && body(doc, l.declares)[laterMember] != "theirs" {
			l.T.Errorf("what is made has no member of somebody else any more: %v", doc)
		}
	}
	for _, f := range l.others.written() {
		switch {
		case l.keeps(f):
		case !f.lost:
			l.T.Errorf("what somebody else wrote just before the call is gone: %+v", f)
		case l.versioned():
			if err := l.event(l.example, string(described.EventOverwritten), ""); err != nil {
				l.T.Errorf("nothing says that a write of somebody else was overwritten: %v", err)
			}
		}
	}
}

// keeps reports whether Cloudflare has what somebody else wrote.
func (l *life) keeps(f foreign) bool {
	l.T.Helper()
	switch {
	case f.element != "":
		return l.element(l.document(), f.element) != nil
	case f.resource != "":
		_, there := l.sim.AllResources()[f.resource]
		return there
	}
	return l.now == deletion || l.hasMember(f.member, addedMeanwhile) // It goes with its resource.
}

// hasMember reports whether the document at a path has a member of somebody else.
func (l *life) hasMember(at, name string) bool {
	l.T.Helper()
	doc, err := l.sim.Resource(at)
	if err != nil {
		l.T.Error(err)
	}
	return doc[name] == "theirs" || body(doc, l.declares)[name] == "theirs"
}

// versioned reports whether the document has a version, by which a write of somebody else can be seen.
func (l *life) versioned() bool {
	l.T.Helper()
	switch {
	case l.fragment():
		return kind.Text(l.document(), "version") != ""
	case l.d.Shape == kind.Singleton:
		return kind.Text(parsed(l.raw("")), "version") != ""
	}
	return false
}

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

// These are the members of documents that others set, before a life and in it.
const (
	theirMember    = "x_future"
	laterMember    = "x_later"
	addedMeanwhile = "x_meanwhile"
)

// others are the resources, elements and members that other clients have.
type others struct {
	// resources is the number of resources of others. member is true if the document has a member of others.
	resources int
	member    bool
	// later is true if another client has set a member of the resource of the object.
	later bool
	// elements are the keys of the elements of others in the document.
	elements []string

	mu sync.Mutex
	// wrote are their writes immediately before calls.
	wrote []foreign
}

// A foreign is a write of another client immediately before a call.
type foreign struct {
	step step
	// resource is the path of a new resource, element the key of a new element, and member the path of a resource with
	// a new member.
	resource, element, member string
	// lost is true if the call replaces its whole target, as Cloudflare has no conditional write.
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

// othersAreThere creates something of another client beside the future resource of the object. It is a resource like
// that of the first life with another name, such an element of the document, or an undeclared member of the document.
func (l *life) othersAreThere() {
	l.T.Helper()
	_, one := l.d.Excused["ManyOneList"]
	switch {
	case l.d.Shape == kind.Singleton:
		// A singleton that is not set has no members, and a bare list has none at all.
		if _, excused := l.d.Excused["UndeclaredIsLeft"]; !excused && len(l.d.Unset) == 0 && l.d.Bare == "" {
			l.answer("") // A resource that exists with its parent is there after the first request.
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

// membersAreAdded sets an undeclared member of the resource of the object as another client. It returns when sweeps
// have seen the member: while a copy may be behind, the provider takes its own last write for newer.
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

// writeMember sets a member as another client, with the modification time that Cloudflare would set.
func (l *life) writeMember(doc map[string]any, name string) {
	body(doc, l.declares)[name] = "theirs"
	for _, stamp := range []string{"modified_on", "updated_at", "modified_at"} {
		if _, has := doc[stamp]; has {
			doc[stamp] = time.Now().UTC().Format("2006-01-02T15:04:05.000000Z")
		}
	}
}

// addResource creates a resource of another client beside that of the object, a different one for each number. It
// returns its path.
func (l *life) addResource(i int) string {
	l.T.Helper()
	return l.sim.PlantResource(l.collection(), l.of.resource, func(doc map[string]any) { l.another(i, doc) })
}

// another changes a document to that of another, older resource.
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
		doc["precedence"] = 6 + i // No two resources may have the same value.
	}
	for _, name := range stamps() {
		if at, err := time.Parse(time.RFC3339, kind.Text(doc, name)); err == nil {
			doc[name] = at.Add(-48 * time.Hour).Format(time.RFC3339)
		}
	}
}

// addElement inserts an element of another client at the start of the document, a different one for each number. It
// creates the document if there is none. It returns the key of the element.
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

// put inserts an element before others into a document.
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

// interruptAt makes another client write immediately before a call.
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

// foreignWrite writes to the target of a call as another client: another element of the document, another member of the
// resource, or another resource if there is none yet.
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

// own returns the paths of the resources that the object has created or works on.
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

// besides returns the number of resources or elements of the kind that others have.
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

// keepsOthers shows that Cloudflare still has the elements of others, and what another client wrote immediately before
// a call. Such a write is lost if the call replaced its target, as Cloudflare has no conditional write. If the document
// has a version, an event reports the loss.
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

// keeps reports whether Cloudflare still has a write of another client.
func (l *life) keeps(f foreign) bool {
	l.T.Helper()
	switch {
	case f.element != "":
		return l.element(l.document(), f.element) != nil
	case f.resource != "":
		_, there := l.sim.AllResources()[f.resource]
		return there
	}
	return l.now == deletion || l.hasMember(f.member, addedMeanwhile) // A member is deleted with its resource.
}

// hasMember reports whether the document at a path has a member of another client.
func (l *life) hasMember(at, name string) bool {
	l.T.Helper()
	doc, err := l.sim.Resource(at)
	if err != nil {
		l.T.Error(err)
	}
	return doc[name] == "theirs" || body(doc, l.declares)[name] == "theirs"
}

// versioned reports whether the document has a version, which shows a write of another client.
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

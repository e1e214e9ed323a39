// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package limits

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/net/idna"
)

// Fields of a provider config that set limits.
const (
	FieldNamespaces = "spec.allowedNamespaces"
	FieldKinds      = "spec.allowedKinds"
	FieldZones      = "spec.allowedZones"
	FieldAccounts   = "spec.allowedAccounts"
)

// groupIAM is the first label of the group whose kinds create credentials. No limit here applies to the use of
// a created credential.
const groupIAM = "iam"

// Limits are the limits of a provider config. An empty list allows everything.
type Limits struct {
	// Config names the provider config, with its kind.
	Config string
	// Namespaces is true if the config allows some namespaces only.
	Namespaces bool
	// Kinds are kinds, API groups, or first labels of API groups.
	Kinds []string
	// Zones and Accounts are IDs or names.
	Zones, Accounts []string
}

// Any reports whether there is a limit.
func (l Limits) Any() bool { return l.Namespaces || len(l.Kinds) > 0 || l.OnCalls() }

// OnCalls reports whether there is a limit on calls.
func (l Limits) OnCalls() bool { return len(l.Zones) > 0 || len(l.Accounts) > 0 }

// An Error says that a provider config does not allow something.
type Error struct {
	// Config names the provider config, and Field is the field that does not allow it.
	Config, Field string
	// What is what is not allowed, and Way is how to allow it.
	What, Way string
}

func (e *Error) Error() string {
	return fmt.Sprintf("%s of the %s does not allow %s: %s, or name another config in spec.providerConfigRef", e.Field, e.Config, e.What, e.Way)
}

// Writing returns e with the name of a zone in the place of its ID, as the object names the zone.
func (e *Error) Writing(id, name string) *Error {
	out := *e
	out.What = strings.ReplaceAll(e.What, id, strconv.Quote(name))
	return &out
}

// Unseen marks the error as one about something that the provider did not look at, because it is not allowed.
func (*Error) Unseen() {}

// Kind returns an *Error if objects of a kind are not allowed. A kind of the group iam must be named if
// there is any limit.
func (l Limits) Kind(group, kind string) error {
	label, _, _ := strings.Cut(group, ".")
	named := slices.ContainsFunc(l.Kinds, func(k string) bool { return k == kind || k == group || k == label })
	switch {
	case named, !l.Any(), len(l.Kinds) == 0 && label != groupIAM:
		return nil
	case len(l.Kinds) == 0:
		return l.refuse(FieldKinds, fmt.Sprintf("the kind %s, which has to be named there where a config has any limit, "+
			"for what is done with a token that was made is limited by nothing", kind), "add it there, with all other kinds")
	}
	return l.refuse(FieldKinds, fmt.Sprintf("the kind %s of the group %s", kind, group), "add one of them there")
}

// Namespace returns the *Error of an object in a namespace that is not selected.
func (l Limits) Namespace(name string) error {
	return l.refuse(FieldNamespaces, "the namespace "+name, "change the labels of the namespace or the selector")
}

func (l Limits) refuse(field, what, way string) error {
	return &Error{Config: l.Config, Field: field, What: what, Way: way}
}

// A Zone is what the API says of a zone. Unknown is true if the API has no zone of the ID, or shows
// none to the credential.
type Zone struct {
	Name, AccountID string
	Unknown         bool
}

// Names resolve IDs and names at Cloudflare, as one credential sees them.
type Names interface {
	// Zone returns what the API says of the zone of that ID.
	Zone(ctx context.Context, id string) (Zone, error)
	// Accounts returns the IDs of the accounts of that name.
	Accounts(ctx context.Context, name string) ([]string, error)
}

// An unknownError says that a zone is not allowed because the API shows none of that ID. A call that reads the zone
// itself is allowed nevertheless.
type unknownError struct{ config, field, id string }

func (e *unknownError) Error() string {
	return fmt.Sprintf("cannot find out whether %s of the %s allows the zone %s: Cloudflare shows no zone of this ID", e.field, e.config, e.id)
}

// A Judge decides about the calls of one use of a provider config. A zone or account that it has allowed stays
// allowed: a cache that users of the same credential share may rely on it, and must not fail because of another
// provider config. A Judge is safe for concurrent use.
type Judge struct {
	limits Limits
	names  Names

	mu      sync.Mutex
	allowed map[string]bool
	held    map[string]Zone
}

// Judge returns a Judge with these limits.
func (l Limits) Judge(names Names) *Judge {
	return &Judge{limits: l, names: names, allowed: map[string]bool{}, held: map[string]Zone{}}
}

// Holds notes what the status of the Judge's object says of a zone. No user writes that status. It counts if the API no
// longer shows the zone: the resources in the zone must still be released.
func (j *Judge) Holds(id string, z Zone) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.held[id] = z
}

// zoneOf returns the zone of an ID.
func (j *Judge) zoneOf(ctx context.Context, id string) (Zone, error) {
	z, err := j.names.Zone(ctx, id)
	if err != nil || !z.Unknown {
		return z, err
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if held, ok := j.held[id]; ok {
		return held, nil
	}
	return z, nil
}

// Admit is Decide for everything below a zone or an account, or below a parent in it.
func (j *Judge) Admit(ctx context.Context, path string) error {
	return j.decide(ctx, Call{Method: http.MethodGet, Path: path})
}

// Decide returns an *Error if a call is not allowed, and nil if it is. Any other error says that an ID or a name could
// not be resolved.
func (j *Judge) Decide(ctx context.Context, c Call) error {
	err := j.decide(ctx, c)
	if errors.As(err, new(*unknownError)) && asksForAZone(c) {
		return nil // The call shows only whether there is a zone.
	}
	return err
}

func (j *Judge) decide(ctx context.Context, c Call) error {
	l := j.limits
	if !l.OnCalls() {
		return nil
	}
	about, ok := aboutOf(c)
	switch {
	case !ok:
		return l.refuse(l.fields(), "calls to "+about.what+", which names no zone and no account", "use a config without these lists")
	case about.free:
		return nil
	case about.odd != "":
		return l.refuse(l.fields(), fmt.Sprintf("a value of %s that is no ID of a zone", about.odd), "set it to the ID of a zone")
	case about.newZone != "":
		return l.newZone(ctx, j.names, about)
	}
	for _, name := range about.names {
		if err := l.zoneNamed(name, fmt.Sprintf("the zone %q", name)); err != nil {
			return err
		}
	}
	for _, id := range about.zones {
		if err := j.once("zone "+id, func() error { return j.zone(ctx, id) }); err != nil {
			return err
		}
	}
	if about.account == "" {
		return nil
	}
	return j.once("account "+about.account, func() error { return l.account(ctx, j.names, about.account) })
}

// once returns the result of decide. It returns nil without asking again if decide has allowed the key before.
func (j *Judge) once(key string, decide func() error) error {
	j.mu.Lock()
	known := j.allowed[key]
	j.mu.Unlock()
	if known {
		return nil
	}
	if err := decide(); err != nil {
		return err
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	j.allowed[key] = true
	return nil
}

// fields returns the fields that limit calls.
func (l Limits) fields() string {
	switch {
	case len(l.Accounts) == 0:
		return FieldZones
	case len(l.Zones) == 0:
		return FieldAccounts
	}
	return FieldZones + " and " + FieldAccounts
}

// zone returns nil if the zone of that ID is allowed. It looks the zone up if its name or its account matters.
func (j *Judge) zone(ctx context.Context, id string) error {
	l := j.limits
	listed, refusal := l.listsID(id), l.refuse(FieldZones, "the zone "+id, "add its ID or its name there")
	field := FieldZones
	if listed {
		field = FieldAccounts
	}
	switch {
	case listed && len(l.Accounts) == 0:
		return nil
	case !listed && !slices.ContainsFunc(l.Zones, isName):
		return refusal
	}
	z, err := j.zoneOf(ctx, id)
	if err != nil {
		return fmt.Errorf("cannot find out whether %s of the %s allows the zone %s: %w", field, l.Config, id, err)
	}
	if z.Unknown {
		return &unknownError{config: l.Config, field: field, id: id}
	}
	if !listed && !slices.ContainsFunc(l.Zones, func(entry string) bool { return isNameOf(entry, z.Name) }) {
		return refusal
	}
	if len(l.Accounts) == 0 {
		return nil
	}
	inList, err := l.accountListed(ctx, j.names, z.AccountID)
	if err == nil && !inList {
		err = l.refuse(FieldAccounts, "the account of the zone "+id, "add the account's ID or name there")
	}
	return err
}

// listsID reports whether a zone is allowed regardless of its name.
func (l Limits) listsID(id string) bool { return len(l.Zones) == 0 || slices.Contains(l.Zones, id) }

// isName reports whether an entry of a list is a name.
func isName(entry string) bool { return !isID(entry) }

// isNameOf reports whether an entry of a list is the name of a zone.
func isNameOf(entry, name string) bool { return isName(entry) && canonical(entry) == canonical(name) }

// account returns nil if calls about an account itself, and not about a zone in it, are allowed.
func (l Limits) account(ctx context.Context, names Names, id string) error {
	if len(l.Accounts) == 0 {
		return l.refuse(FieldZones, "the account "+id+", for it is no zone", "add the account to "+FieldAccounts+" there")
	}
	listed, err := l.accountListed(ctx, names, id)
	if err == nil && !listed {
		err = l.refuse(FieldAccounts, "the account "+id, "add its ID or its name there")
	}
	return err
}

func (l Limits) accountListed(ctx context.Context, names Names, id string) (bool, error) {
	if slices.Contains(l.Accounts, id) {
		return true, nil
	}
	var unsure error
	for _, name := range l.Accounts {
		if isID(name) {
			continue
		}
		found, err := names.Accounts(ctx, name)
		if err != nil {
			unsure = cmp.Or(unsure, fmt.Errorf("cannot find out which account %q in %s of the %s is: %w", name, FieldAccounts, l.Config, err))
		}
		if slices.Contains(found, id) {
			return true, nil
		}
	}
	return false, unsure
}

// zoneNamed returns nil if a zone of which only the name is known is allowed. IDs in the list allow no name.
func (l Limits) zoneNamed(name, what string) error {
	if len(l.Zones) == 0 || slices.ContainsFunc(l.Zones, func(entry string) bool { return isNameOf(entry, name) }) {
		return nil
	}
	return l.refuse(FieldZones, what, "add its name there")
}

// newZone returns nil if a zone of that name may be created in that account.
func (l Limits) newZone(ctx context.Context, names Names, a about) error {
	if err := l.zoneNamed(a.newZone, fmt.Sprintf("a new zone %q", a.newZone)); err != nil || len(l.Accounts) == 0 {
		return err
	}
	return l.account(ctx, names, a.account)
}

// canonical returns the name of a zone in the form in which names are compared.
func canonical(name string) string {
	name = strings.ToLower(strings.TrimSuffix(name, "."))
	ascii, err := idna.Lookup.ToASCII(name)
	if err != nil {
		return name
	}
	return ascii
}

// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package emit

import (
	"errors"
	"fmt"
	"strings"

	"github.com/provider-cloudflare/provider-cloudflare/hack/kindgen/model"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
)

const (
	// Begin is the line after which a page is generated, up to end. The rest is written
	// by hand.
	Begin = "<!-- kindgen: what follows is generated, up to the next such line -->"
	end   = "<!-- kindgen: end -->"
)

// errNoMarks is the only possible fault of a page that exists.
var errNoMarks = errors.New("it has no lines between which to write: " + Begin + " and " + end)

// Between replaces the text between the marks of a page.
func Between(page, content string) ([]byte, error) {
	before, rest, ok := strings.Cut(page, Begin+"\n")
	_, after, more := strings.Cut(rest, end)
	if !ok || !more {
		return nil, errNoMarks
	}
	return []byte(before + Begin + "\n\n" + strings.TrimSpace(content) + "\n\n" + end + after), nil
}

// NewPage returns the page of a kind without any text written by hand.
func NewPage(k *model.Kind) string {
	return "# " + k.Name + "\n\n" + Begin + "\n" + end + "\n"
}

// Page writes the generated part of a kind's page. example is its manifest.
func Page(k *model.Kind, example string) string {
	s := &structs{kind: k, names: names(k)}
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\n", model.Clean(k.Doc))
	facts(&b, k)
	if example != "" {
		fmt.Fprintf(&b, "```yaml dry-run\n%s\n```\n\n", strings.TrimSpace(example))
	}
	specTable(&b, k)
	fmt.Fprintf(&b, "### spec.forProvider\n\nWhat is left out is not managed: it stays as it is at Cloudflare.\n\n| field | validation | meaning |\n|---|---|---|\n")
	scopeRows(&b, k)
	for _, p := range k.Params {
		s.rows(&b, p, "")
	}
	for _, m := range k.Spec.Members {
		s.rows(&b, m, "")
	}
	variantRows(&b, k)
	status(&b, k, s)
	secret(&b, k)
	return b.String()
}

func facts(b *strings.Builder, k *model.Kind) {
	row := func(name, text string) { fmt.Fprintf(b, "| %s | %s |\n", name, text) }
	fmt.Fprintf(b, "| | |\n|---|---|\n")
	row("API", fmt.Sprintf("`%s.cloudflare.m.crossplane.io/v1alpha1`, kind `%s`, namespaced", k.Group, k.Name))
	row("short name", "`"+k.Short+"`")
	var always, wide []string
	for _, c := range columns(k) {
		if c.wide {
			wide = append(wide, c.title)
			continue
		}
		always = append(always, c.title)
	}
	row("columns", strings.Join(always, " ")+"; with `-o wide` also "+strings.Join(wide, " "))
	row("permissions", "one of these, of the API token: "+strings.Join(k.Permissions, ", "))
	row("plan", k.Plan)
	if k.Terraform != "" {
		row("Terraform", "`"+k.Terraform+"` of Cloudflare's provider v5")
	}
	row("drift", "looked for every "+sweep(k))
	row("example", fmt.Sprintf("[examples/%[1]s](../../examples/%[1]s)", Example(k)))
	fmt.Fprintln(b)
}

func sweep(k *model.Kind) string {
	if m := int(k.Sweep.Minutes()); m == 1 {
		return "minute"
	} else if m > 1 {
		return fmt.Sprintf("%d minutes", m)
	}
	return "10 minutes"
}

// Example returns the path of a kind's manifest, below examples.
func Example(k *model.Kind) string {
	name := strings.ToLower(k.Name)
	return name + "/" + name + ".yaml"
}

func specTable(b *strings.Builder, k *model.Kind) {
	fmt.Fprintf(b, "## spec\n\n| field | default | meaning |\n|---|---|---|\n")
	row := func(name, value, text string) { fmt.Fprintf(b, "| `%s` | %s | %s |\n", name, value, text) }
	row("forProvider", "required", "The "+people(k)+", see below.")
	if Adopts(k) {
		only := ""
		if k.Contents != "" {
			only = fmt.Sprintf(" if `forProvider.%s` declares all that it has", k.Contents)
		}
		row("adoptionPolicy", "`Identical`", fmt.Sprintf("`Identical` takes over %s of the same %s%s, `Never` refuses to.", kind.WithArticle(people(k)), naturalNames(k), only))
	}
	_, text, _ := strings.Cut(deletion(k), ": ")
	row("deletionPolicy", "`Delete`", strings.ToUpper(text[:1])+text[1:])
	if k.Rolls() {
		row("secretPolicy", "`Keep`", cell(secretPolicy(k)))
	}
	for _, o := range k.Options {
		value := "none"
		if o.Default != "" {
			value = "`" + o.Default + "`"
		}
		row(o.Name, value, cell(model.Clean(o.Doc)))
	}
	if len(k.Details) == 0 {
		row("writeConnectionSecretToRef", "none", "Ignored: "+kind.WithArticle(k.Name)+" has no connection details.")
	} else {
		row("writeConnectionSecretToRef", "none", "The Secret for the [connection details](#connection-details).")
	}
	row("managementPolicies", "`[\"*\"]`", "As for a [Record](record.md#spec).")
	row("providerConfigRef", "`ClusterProviderConfig` `default`", "As for a [Record](record.md#spec).")
	fmt.Fprintln(b)
}

func scopeRows(b *strings.Builder, k *model.Kind) {
	row := func(name, validation, text string) { fmt.Fprintf(b, "| `%s` | %s | %s |\n", name, validation, text) }
	if k.Scope.InAccount() {
		row("accountId", "32 hexadecimal characters; immutable", "The account. Left out, it is the provider config's.")
	}
	if !k.Scope.InZone() {
		return
	}
	row("zoneId", "32 hexadecimal characters; immutable", "The zone, by its ID.")
	row("zoneIdRef", "", "The zone, by the name of a Zone.")
	row("zoneIdSelector", "", "The zone, by the labels of a Zone.")
	row("zoneName", "immutable", "The zone, by its name. The token must be able to read zones.")
}

// rows writes a field and all fields below it.
func (s *structs) rows(b *strings.Builder, m *model.Node, prefix string) {
	name := prefix + jsonName(m)
	text := s.text(m)
	if m.Secret() {
		name = prefix + secretName(m)
		text += " The value is in a key of a Secret."
	}
	fmt.Fprintf(b, "| `%s` | %s | %s |\n", name, cell(validation(m)), cell(text))
	if ref := model.Ref(s.kind.Description, m); ref != "" {
		one, refs := name, "Ref"
		if m.Type == model.List {
			one, refs = strings.TrimSuffix(name, "s"), "Refs"
		}
		_, of, _ := strings.Cut(ref, ".")
		fmt.Fprintf(b, "| `%s%s`, `%sSelector` | | The same, by the name or the labels of an object of kind %s. |\n", one, refs, one, of)
	}
	for _, ref := range keyRefsOf(m) {
		fmt.Fprintf(b, "| `%s` | | The same, from a key of a %s. |\n", prefix+ref.name, ref.of)
	}
	for ; m.Elem != nil; m = m.Elem {
		name += map[model.Type]string{model.List: "[]", model.Map: "{}"}[m.Type]
	}
	for _, sub := range m.Members {
		s.rows(b, sub, name+".")
	}
}

func cell(s string) string {
	return strings.NewReplacer("|", `\|`, "<", "&lt;", "*", `\*`).Replace(s)
}

// requirement says when a required field has to be set.
func requirement(m *model.Node) string {
	if m.Origin == model.Path || inPart(m) {
		return "required"
	}
	return "required unless only observed"
}

// validation returns in words what the API server checks of a field.
func validation(m *model.Node) string {
	var out []string
	if m.Required {
		out = append(out, requirement(m))
	}
	if m.Immutable {
		out = append(out, "immutable")
	}
	limited := m
	if m.Elem != nil && m.Elem.Elem == nil {
		limited = m.Elem
	}
	if n := len(limited.Enum); n > 0 {
		out = append(out, "`"+strings.Join(limited.Enum, "`, `")+"`")
	}
	out = append(out, bounds(limited)...)
	if m.MinItems > 0 {
		out = append(out, fmt.Sprintf("at least %d", m.MinItems))
	}
	if m.MaxItems > 0 {
		out = append(out, fmt.Sprintf("at most %d", m.MaxItems))
	}
	if m.OneOf || (m.Elem != nil && m.Elem.OneOf) {
		out = append(out, "exactly one member")
	}
	switch {
	case m.Set && m.Field.Key != "":
		out = append(out, "a set by "+jsonName(m.Elem.Member(m.Field.Key)))
	case m.Set && m.Type == model.List:
		out = append(out, "a set")
	}
	return strings.Join(out, "; ")
}

func bounds(m *model.Node) []string {
	var out []string
	switch {
	case m.Min != "" && m.Max != "":
		out = append(out, m.Min+" to "+m.Max)
	case m.Min != "":
		out = append(out, "at least "+m.Min)
	case m.Max != "":
		out = append(out, "at most "+m.Max)
	}
	if m.MaxLen > 0 {
		out = append(out, fmt.Sprintf("at most %d characters", m.MaxLen))
	}
	if m.Format == "date-time" {
		out = append(out, "a time such as `2026-01-02T15:04:05Z`")
	}
	return out
}

func status(b *strings.Builder, k *model.Kind, s *structs) {
	fmt.Fprintf(b, "\n## status.atProvider\n\n| field | meaning |\n|---|---|\n| `id` | ID of the %s. |\n", people(k))
	for _, m := range k.Observed.Members {
		if jsonName(m) != "id" {
			fmt.Fprintf(b, "| `%s` | %s |\n", jsonName(m), cell(s.brief(m)))
		}
	}
}

func secret(b *strings.Builder, k *model.Kind) {
	if len(k.Details) == 0 {
		return
	}
	fmt.Fprintf(b, "\n## Connection details\n\n")
	if k.SecretType != "" {
		fmt.Fprintf(b, "The Secret is of type `%s`.\n\n", k.SecretType)
	}
	fmt.Fprintf(b, "| key | |\n|---|---|\n")
	for _, d := range k.Details {
		text := d.Doc
		if d.Once {
			text = strings.TrimSpace(text + " Cloudflare shows it only once: " + remedy(k, d) + ".")
		}
		fmt.Fprintf(b, "| `%s` | %s |\n", d.Key, cell(text))
	}
	if secrets := k.SecretsShown(); len(secrets) > 0 {
		fmt.Fprintf(b, "\nAn object that only observes gets `%s` only where its provider config [allows that](providerconfig.md#spec).\n", strings.Join(secrets, "`, `"))
	}
}

// remedy returns what to do if a value that is shown only once is lost.
func remedy(k *model.Kind, d kind.Detail) string {
	if k.Rolls() {
		return "see `secretPolicy`"
	}
	return "where it is lost, " + d.Remedy
}

// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package docs

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/provider-cloudflare/provider-cloudflare/test/page"
)

// messagesPage has every message that a condition may have.
const messagesPage = "docs/reference/troubleshooting.md"

// speaking are the packages whose errors reach conditions. Messages of dnsrecord are not
// checked: each of their clauses names the field, the value and what to write instead.
var speaking = []string{"cloudflare", "connect", "controller", "dnszone", "drift", "external", "kind", "parent", "reconciler"}

// silent are parts of these packages whose errors only reach the log, or which other packages
// of these wrap.
var silent = []string{"controller/described/keypair", "dnszone/ownership", "drift/audit", "external/journal"}

// sourcesBelow returns the Go files below a folder, without tests.
func sourcesBelow(t *testing.T, dir string) []string {
	t.Helper()
	var out []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && filepath.Ext(path) == ".go" && !strings.HasSuffix(path, "_test.go") {
			out = append(out, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// speakingBelow returns the files of sourcesBelow that are not silent.
func speakingBelow(t *testing.T, dir string) []string {
	t.Helper()
	return slices.DeleteFunc(sourcesBelow(t, dir), func(path string) bool {
		return slices.ContainsFunc(silent, func(s string) bool { return strings.HasPrefix(path, filepath.Join(root, "internal", s)+"/") })
	})
}

// unseen are beginnings of messages of these packages that reach no condition of a user's
// object, or have no meaning alone.
var unseen = []struct{ begins, reason string }{
	{"cannot list the objects of several namespaces in pages", "a fault of the program, which its tests would show"},
	{"cannot copy", "a fault of the program, which its tests would show"},
	{"there is a ", "a fault of the program, which its tests would show"},
	{"%T is not a struct", "a fault of the program, which its tests would show"},
	{"the boolean %t", "a part of the message about the type of a setting's value"},
	{"the string %q", "a part of the message about the type of a setting's value"},
	{"a string of at most ", "a part of the message about the type of a setting's value"},
	{"cannot index ", "setting up: the process ends with it"},
	{"must be an http or https URL", "a flag: the process ends with it"},
	{"%q would send credentials without TLS", "a flag: the process ends with it"},
	{"cannot set up ", "setting up: the process ends with it"},
	{"cannot add the sweep", "setting up: the process ends with it"},
	{"cannot add state metrics", "setting up: the process ends with it"},
	{"cannot find kind ", "setting up: the controller waits, and the log says so"},
	{"cannot list objects of kind ", "setting up: the controller waits, and the log says so"},
	{"cannot fill the cache of kind ", "setting up: the controller waits, and the log says so"},
	{"cannot add the controller of ", "setting up: the process ends with it"},
	{"cannot list them", "state metrics: the log says so"},
	{"cannot wait for the calls under way", "shutting down"},
	{"the provider is ending", "shutting down"},
	{"no external resource", "what a look-up ends with inside; never shown"},
	{"the step was decided on another version", "what stops a reconcile before it does anything"},
	{"the decision does not come to an end", "a fault of the program, which its tests would show"},
	{"there is no provider config for ", "a fault of the program, which its tests would show"},
	{"%w in the zone's list", "what a look-up ends with inside; never shown"},
	{"DNS record does not exist", "what a look-up ends with inside; never shown"},
	{"the cache is behind the API server", "what stops a reconcile before it does anything"},
	{"cannot read the object past the cache", "the Kubernetes API fails: so does the status"},
	{"cannot set the status", "the Kubernetes API fails: so does the status"},
	{"cannot remove the finalizer of ", "of the controller of configs: the log says so"},
	{"cannot watch which configs ", "setting up: the process ends with it"},
	{"a session needs a reconcile", "a fault of the program, which its tests would show"},
	{"cannot list the managed resources", "of the controller of configs: the log says so"},
	{"cannot find what was created for an object that does not exist", "there is no object left: the log says so"},
	{"cannot delete what was created for an object that does not exist", "there is no object left: the log says so"},
	{"cannot read the journal's entry", "there is no object left: the log says so"},
	{"cannot encode what is about to be created", "a fault of the program, which its tests would show"},
	{"cannot encode the annotations", "a fault of the program, which its tests would show"},
	{"Deleted %s", "an event"},
	{"another writer changed the document", "an event"},
	{"Adopted ", "an event"},
	{"the annotation %s of an earlier version", "an event"},
	{"the %s %s is not revoked", "an event"},
	{"the deletion of this object leaves the", "an event"},
	{"what the %s was before this object changed it", "an event"},
	{" now, and %s ", "an event"},
	{". It is changed", "an event"},
	{". It differs and is left as it is", "an event"},
	{"No %s was deleted", "an event"},
	{"no %s was deleted", "an event"},
	{"%s %s (%s) was created for this object", "an event"},
	{"%s %s (%s) may have been created for this object", "an event"},
	{"%s %s is back as", "a log line"},
	{"cannot make the request", "a fault of the program, which its tests would show"},
	{"cannot make a private key", "the system has no randomness"},
	{"the manager is ending", "the process ends, and nothing reads it"},
	{"the description has no such operation", "a fault of the program, which its tests would show"},
	{"nothing is known of the kind", "a fault of the program, which its tests would show"},
	{"it has the same element twice", "after what was asked; says nothing by itself"},
	{"it has %d elements", "after what was asked; says nothing by itself"},
	{"it has no list", "after what was asked; says nothing by itself"},
	{"it is about another resource", "after what was asked; says nothing by itself"},
	{"it does not say what was created", "after what was asked; says nothing by itself"},
	{"Cloudflare holds another value", "an event"},
	{"The %s %s is replaced by", "an event"},
	{"The %s %s stays as it is", "an event"},
	{"removed %s from the connection secret", "an event"},
	{"the connection secret does not get", "an event"},
}

// TestMessages compares the messages of the page with those of the code, in both directions.
func TestMessages(t *testing.T) {
	t.Parallel()
	said, reasons := fromCode(t)
	messages := readPage(t, messagesPage)
	shown := firstColumns(messages.Prose)
	text := plain(strings.Join(page.Code(messages.Prose), "\n"))
	used := map[string]bool{}
	for _, m := range said {
		i := slices.IndexFunc(unseen, func(u struct{ begins, reason string }) bool { return strings.HasPrefix(m.text, u.begins) })
		if i >= 0 {
			used[unseen[i].begins] = true
			continue
		}
		if begins := beginning(m.text); begins != "" && !strings.Contains(text, plain(begins)) {
			t.Errorf("%s: the page does not have %q", m.at, begins)
		}
	}
	for _, u := range unseen {
		if !used[u.begins] {
			t.Errorf("no message begins with %q any more", u.begins)
		}
	}
	for at, r := range reasons {
		if !strings.Contains(messages.Prose, "`"+r+"`") {
			t.Errorf("%s: the page does not have the reason %s", at, r)
		}
	}
	t.Logf("%d messages and %d reasons in the code; %d messages on the page", len(said), len(reasons), len(shown))
	code := everyText(t)
	for _, s := range shown {
		for _, part := range variable.Split(s, -1) {
			if part = plain(part); len(part) > 3 && !strings.Contains(code, part) {
				t.Errorf("no code says %q (of %q)", part, s)
			}
		}
	}
}

// A message is a text in the code, with its position.
type message struct{ at, text string }

// variable matches what the page writes for the variable parts of a message, and what separates
// the links of a chain.
var variable = regexp.MustCompile(`\b(?:NS/NAME|NAME|TIME|ADDRESS|IDs|ID|Never|[NXYZ])\b|\.\.\.|"|: |[()]`)

var verb = regexp.MustCompile(`%(\[\d\])?[-+#]?[a-z.0-9]*[a-zA-Z]`)

// beginning returns the longer of the first two fixed parts of a message, up to its first
// colon. The text behind the colon says what to do.
func beginning(text string) string {
	var longest string
	n := 0
	for part := range strings.SplitSeq(verb.ReplaceAllString(text, "\x00"), "\x00") {
		part, _, _ = strings.Cut(strings.Trim(part, " :;,.(\""), ": ")
		if len(part) < 4 {
			continue
		}
		if len(part) > len(longest) {
			longest = strings.TrimSpace(part)
		}
		n++
		if n == 2 {
			break
		}
	}
	if len(longest) < 8 {
		return ""
	}
	return longest
}

func plain(s string) string { return strings.Join(strings.Fields(strings.ReplaceAll(s, `"`, "")), " ") }

var cell = regexp.MustCompile("^\\| *((?:`[^`]*`(?:,| or)? *)+)")

// firstColumns returns the messages in the first column of tables.
func firstColumns(prose string) []string {
	var out []string
	for l := range strings.SplitSeq(prose, "\n") {
		if m := cell.FindStringSubmatch(l); m != nil {
			for _, c := range page.Code(m[1]) {
				if c = strings.Trim(c, "`"); strings.Contains(c, " ") { // otherwise it is a reason
					out = append(out, c)
				}
			}
		}
	}
	return out
}

// fromCode returns the messages of the packages, and the reasons of conditions.
func fromCode(t *testing.T) (said []message, reasons map[string]string) {
	t.Helper()
	reasons = map[string]string{}
	for _, dir := range speaking {
		for _, path := range speakingBelow(t, filepath.Join(root, "internal", dir)) {
			files := token.NewFileSet()
			f, err := parser.ParseFile(files, path, nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			ast.Inspect(f, func(n ast.Node) bool {
				at := func() string { return files.Position(n.Pos()).String() }
				switch n := n.(type) {
				case *ast.CallExpr:
					if text := spoken(n); text != "" {
						said = append(said, message{at(), text})
					}
				case *ast.KeyValueExpr:
					if key, ok := n.Key.(*ast.Ident); ok && key.Name == "Message" && literal(n.Value) != "" {
						said = append(said, message{at(), literal(n.Value)})
					}
				case *ast.FuncDecl:
					if n.Name.Name == "advice" || n.Name.Name == "Error" {
						said = append(said, returned(n, at())...)
					}
				case *ast.ValueSpec:
					if sel, ok := n.Type.(*ast.SelectorExpr); ok && sel.Sel.Name == "ConditionReason" && len(n.Values) == 1 {
						reasons[at()] = literal(n.Values[0])
					}
				}
				return true
			})
		}
	}
	return said, reasons
}

// spoken returns the text of a call that creates an error or a message.
func spoken(c *ast.CallExpr) string {
	sel, ok := c.Fun.(*ast.SelectorExpr)
	if !ok || len(c.Args) == 0 {
		return ""
	}
	pkg, _ := sel.X.(*ast.Ident)
	switch name := sel.Sel.Name; {
	case name == "WithMessage", pkg != nil && slices.Contains([]string{"errors.New", "fmt.Errorf", "fmt.Sprintf"}, pkg.Name+"."+name):
		return literal(c.Args[0])
	}
	return ""
}

// returned returns the texts that a function returns.
func returned(f *ast.FuncDecl, at string) []message {
	var out []message
	ast.Inspect(f, func(n ast.Node) bool {
		r, ok := n.(*ast.ReturnStmt)
		if !ok {
			return true
		}
		for _, e := range r.Results {
			if c, ok := e.(*ast.CallExpr); ok && len(c.Args) > 0 {
				e = c.Args[0]
			}
			if text := literal(e); text != "" {
				out = append(out, message{at, text})
			}
		}
		return true
	})
	return out
}

// literal returns the text of a literal, or of a concatenation. An expression that is no
// literal becomes a verb.
func literal(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.BasicLit:
		s, _ := strconv.Unquote(e.Value)
		return s
	case *ast.BinaryExpr:
		l, r := literal(e.X), literal(e.Y)
		if l+r == "" {
			return ""
		}
		if l == "" {
			l = "%s"
		}
		if r == "" {
			r = "%s"
		}
		return l + r
	}
	return ""
}

// everyText returns all texts of the provider's packages and of the crossplane-runtime packages
// below them.
func everyText(t *testing.T) string {
	t.Helper()
	runtime, err := moduleDir(root, "github.com/crossplane/crossplane-runtime/v2")
	if err != nil {
		t.Fatal(err)
	}
	dirs := []string{filepath.Join(runtime, "pkg", "reconciler", "managed")}
	for _, dir := range speaking {
		dirs = append(dirs, filepath.Join(root, "internal", dir))
	}
	var out strings.Builder
	for _, dir := range dirs {
		for _, path := range speakingBelow(t, dir) {
			f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			ast.Inspect(f, func(n ast.Node) bool {
				if e, ok := n.(ast.Expr); ok && literal(e) != "" {
					out.WriteString(plain(literal(e)) + "\n")
				}
				return true
			})
		}
	}
	return out.String() + "Cannot use the access token from location\n" // Cloudflare's message
}

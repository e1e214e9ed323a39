// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package page

import (
	"errors"
	"fmt"
	"path"
	"strings"
)

// WalkthroughsPage has the table of walkthroughs below the heading Walkthroughs.
const WalkthroughsPage = "docs/README.md"

// NeedsCrossplane is the first page of the walkthroughs that need Crossplane. test/e2e follows
// these, and test/docs all others.
const NeedsCrossplane = "docs/tutorials/install.md"

// A Walkthrough is a sequence of pages for one kind of reader. It begins with an empty cluster.
type Walkthrough struct {
	Who   string
	Pages []string // from the repository's root
}

// WithCrossplane reports whether the walkthrough needs Crossplane.
func (w *Walkthrough) WithCrossplane() bool { return w.Pages[0] == NeedsCrossplane }

// Walkthroughs parses the rows of the table: the reader, and links to the pages. A link to a
// folder means its README.md.
func Walkthroughs(text string) ([]Walkthrough, error) {
	_, section, found := strings.Cut(text, "\n## Walkthroughs\n")
	if !found {
		return nil, errors.New("there is no section Walkthroughs")
	}
	section, _, _ = strings.Cut(section, "\n## ")
	var out []Walkthrough
	for line := range strings.Lines(section) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		if len(cells) != 2 || !strings.Contains(line, "](") {
			continue
		}
		w := Walkthrough{Who: strings.TrimSpace(cells[0])}
		for _, m := range inlineLink.FindAllStringSubmatch(cells[1], -1) {
			w.Pages = append(w.Pages, pageAt(path.Join(path.Dir(WalkthroughsPage), m[1])))
		}
		if len(w.Pages) == 0 {
			return nil, fmt.Errorf("the row of %s links to no page", w.Who)
		}
		out = append(out, w)
	}
	return out, nil
}

func pageAt(target string) string {
	if path.Ext(target) == ".md" {
		return target
	}
	return path.Join(target, "README.md")
}

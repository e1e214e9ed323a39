// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package leak

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"sync"
)

const (
	// window is how many characters of a secret in a row give it away.
	window = 12
	// maxSecret bounds what is looked at of one.
	maxSecret = 4096
)

// A Record keeps what was emitted, by where. The zero value is ready for use, and
// safe for concurrent use.
type Record struct {
	mu     sync.Mutex
	texts  map[string][]string
	public []string
}

// Public names values that are no secrets although Secrets hold them, such as the ID in a
// connection secret. They are taken out of what is searched, and what surrounds them in a
// Secret is still looked for.
func (r *Record) Public(values ...string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, v := range values {
		r.public = append(r.public, v, "(public)")
	}
}

// Keep text that came out at a place.
func (r *Record) Keep(place, text string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.texts == nil {
		r.texts = map[string][]string{}
	}
	r.texts[place] = append(r.texts[place], text)
}

// Size tells how many characters came out at each place.
func (r *Record) Size() map[string]int {
	r.mu.Lock()
	defer r.mu.Unlock()
	out := map[string]int{}
	for place, texts := range r.texts {
		for _, t := range texts {
			out[place] += len(t)
		}
	}
	return out
}

// A Finding is a secret that came out.
type Finding struct {
	Place string
	// How it was written ("raw", "base64", ...).
	How string
	// Around it, without it.
	Around string
}

// String tells where and how, and not what.
func (f Finding) String() string {
	return fmt.Sprintf("a secret (%s) came out at %s: %s", f.How, f.Place, f.Around)
}

// Search looks for secrets, the first of each text.
func (r *Record) Search(s *Secrets) []Finding {
	r.mu.Lock()
	places := map[string][]string{}
	for place, texts := range r.texts {
		places[place] = slices.Clone(texts)
	}
	public := strings.NewReplacer(r.public...)
	r.mu.Unlock()
	var out []Finding
	for place, texts := range places {
		for _, t := range texts {
			t = public.Replace(t)
			if how, at, n, ok := s.find(t); ok {
				around := t[max(0, at-120):at] + "[...]" + t[at+n:min(len(t), at+n+20)]
				out = append(out, Finding{Place: place, How: how, Around: s.mask(around)})
			}
		}
	}
	slices.SortFunc(out, func(a, b Finding) int { return strings.Compare(a.String(), b.String()) })
	return out
}

// Secrets are what must not come out. The zero value is ready for use; it is not
// safe for concurrent use.
type Secrets struct {
	windows map[[window]byte]string
	// maybe is true of the beginning of every window: most texts have none.
	maybe []bool
	whole map[string]string
}

// Add secrets any part of which gives them away. Shorter ones than twelve
// characters are looked for as a whole, from six on; those below are none.
func (s *Secrets) Add(secrets ...string) {
	for _, secret := range secrets {
		secret = secret[:min(len(secret), maxSecret)]
		if len(secret) < window {
			s.AddWhole(secret)
			continue
		}
		for how, forms := range spell(secret) {
			for _, form := range forms {
				s.addWindows(how, form)
			}
		}
	}
}

// AddWhole adds secrets of which parts are no secret, such as an email address.
func (s *Secrets) AddWhole(secrets ...string) {
	if s.whole == nil {
		s.whole = map[string]string{}
	}
	for _, secret := range secrets {
		if len(secret) < window/2 {
			continue
		}
		for how, forms := range spell(secret) {
			for _, form := range forms {
				s.whole[form] = how
			}
		}
	}
}

func (s *Secrets) addWindows(how, form string) {
	if s.windows == nil {
		s.windows, s.maybe = map[[window]byte]string{}, make([]bool, 1<<20)
	}
	for i := 0; i+window <= len(form); i++ {
		w := [window]byte([]byte(form[i : i+window]))
		if s.windows[w] != "raw" {
			s.windows[w] = how
		}
		s.maybe[begin(form[i:])] = true
	}
}

// begin is a number of twenty bits for the first four characters.
func begin(s string) uint32 {
	return binary.LittleEndian.Uint32([]byte{s[0], s[1], s[2], s[3]}) * 2654435761 >> 12
}

// spell gives the ways to write a secret down. Base64 has three, by what stands
// before; the characters at either end that depend on that are left out.
func spell(secret string) map[string][]string {
	forms := map[string][]string{
		"raw":         {secret},
		"hexadecimal": {hex.EncodeToString([]byte(secret)), strings.ToUpper(hex.EncodeToString([]byte(secret)))},
	}
	for before := range 3 {
		padded := strings.Repeat("\x00", before) + secret
		padded = padded[:len(padded)/3*3]
		for _, enc := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
			if text := enc.EncodeToString([]byte(padded)); len(text) > 4 {
				forms["base64"] = append(forms["base64"], text[(before+2)/3*4:])
			}
		}
	}
	for _, text := range []string{url.QueryEscape(secret), url.PathEscape(secret)} {
		if text != secret {
			forms["URL-escaped"] = append(forms["URL-escaped"], text)
		}
	}
	return forms
}

// find gives how and where the first secret is in a text, and how long.
func (s *Secrets) find(text string) (how string, at, n int, ok bool) {
	for i := 0; s.windows != nil && i+window <= len(text); i++ {
		if !s.maybe[begin(text[i:])] {
			continue
		}
		if how, ok := s.windows[[window]byte([]byte(text[i:i+window]))]; ok {
			return how, i, window, true
		}
	}
	for form, how := range s.whole {
		if i := strings.Index(text, form); i >= 0 {
			return how, i, len(form), true
		}
	}
	return "", 0, 0, false
}

// mask leaves secrets out of a text.
func (s *Secrets) mask(text string) string {
	for range len(text) {
		_, at, n, ok := s.find(text)
		if !ok {
			return text
		}
		text = text[:at] + "*" + text[at+n:]
	}
	return text
}

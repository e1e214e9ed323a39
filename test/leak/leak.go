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
	// window is the number of characters in a row that reveal a secret.
	window = 12
	// maxSecret limits the part of a secret that is searched for.
	maxSecret = 4096
)

// A Record keeps output by its place. The zero value is ready for use. It is safe for
// concurrent use.
type Record struct {
	mu     sync.Mutex
	texts  map[string][]string
	public []string
}

// Public adds values that are no secrets although Secrets contain them, such as the ID in a
// connection secret. Search ignores them, but still finds the parts of a Secret's value around
// them.
func (r *Record) Public(values ...string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, v := range values {
		r.public = append(r.public, v, "(public)")
	}
}

// Keep keeps text that was written at a place.
func (r *Record) Keep(place, text string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.texts == nil {
		r.texts = map[string][]string{}
	}
	r.texts[place] = append(r.texts[place], text)
}

// Size returns the number of characters at each place.
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

// A Finding is a secret in the output.
type Finding struct {
	Place string
	// How is the form in which it was written ("raw", "base64", ...).
	How string
	// Around is the text around the secret, without it.
	Around string
}

// String returns the place and the form, without the secret.
func (f Finding) String() string {
	return fmt.Sprintf("a secret (%s) came out at %s: %s", f.How, f.Place, f.Around)
}

// Search returns the first secret in each text.
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

// Secrets are values that must not be in the output. The zero value is ready for use. It is not
// safe for concurrent use.
type Secrets struct {
	windows map[[window]byte]string
	// maybe is true for the beginnings of all windows. Most texts contain none of them.
	maybe []bool
	whole map[string]string
}

// Add adds secrets of which any part of twelve characters is a secret. A secret of six to
// eleven characters is searched for as a whole. Shorter ones are ignored.
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

// AddWhole adds secrets whose parts are no secrets, such as an email address.
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

// begin returns a hash of twenty bits of the first four characters.
func begin(s string) uint32 {
	return binary.LittleEndian.Uint32([]byte{s[0], s[1], s[2], s[3]}) * 2654435761 >> 12
}

// spell returns the forms of a secret. Base64 has three forms, because of the characters before
// the secret. The characters at its ends that depend on the surrounding text are left out.
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

// find returns the form, the position and the length of the first secret in a text.
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

// mask removes secrets from a text.
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

// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Package cloudflared has the rules by which cloudflared refuses the configuration of a tunnel,
// for tests of what the provider writes. A connector that refuses a configuration continues
// with its previous one, and reports that only in its log.
//
// The rules are those of validateIngress and validateHostname in ingress/ingress.go, and of
// matchHost and Rule.Matches beside it, of github.com/cloudflare/cloudflared (commit f2339a72),
// in code of this project. The documentation has the first two:
// https://developers.cloudflare.com/cloudflare-one/connections/connect-networks/do-more-with-tunnels/local-management/configuration-file/
//
//   - There is at least one rule. The last one matches all requests, and no other does.
//   - A wildcard is the first character of a hostname, and there is one at most.
//   - A hostname has no port.
//   - A path is a regular expression.
//   - A rule has one service: http_status with a number, a socket, a service that is built
//     into cloudflared, or a URL with a scheme and a host and without a path.
package cloudflared

import (
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A Rule routes requests to a service. Its names are those of the API.
type Rule struct {
	Hostname string `json:"hostname"`
	Path     string `json:"path"`
	Service  string `json:"service"`
}

// Rules returns the rules of a configuration in an answer of the API, in order.
func Rules(config any) ([]Rule, error) {
	raw, err := json.Marshal(config)
	if err != nil {
		return nil, err
	}
	var c struct {
		Ingress []Rule `json:"ingress"`
	}
	if err := json.Unmarshal(raw, &c); err != nil {
		return nil, fmt.Errorf("cannot read the configuration: %w", err)
	}
	return c.Ingress, nil
}

// Refuses returns the reason why cloudflared refuses these rules, nil if it accepts them.
func Refuses(rules []Rule) error {
	if len(rules) == 0 {
		return errors.New("there are no rules")
	}
	var errs []error
	for i, r := range rules {
		last := i == len(rules)-1
		if err := errors.Join(r.service(), r.hostname(), r.path(), r.catchAll(last)); err != nil {
			errs = append(errs, fmt.Errorf("rule %d: %w", i+1, err))
		}
	}
	return errors.Join(errs...)
}

// Match returns the rule for a request: the first one that matches.
func Match(rules []Rule, host, path string) (Rule, bool) {
	at := slices.IndexFunc(rules, func(r Rule) bool { return r.matches(host, path) })
	if at < 0 {
		return Rule{}, false
	}
	return rules[at], true
}

func (r Rule) service() error {
	if status, ok := strings.CutPrefix(r.Service, "http_status:"); ok {
		_, err := strconv.Atoi(status)
		return err
	}
	builtIn := []string{"hello_world", "hello-world", "helloworld", "bastion", "socks-proxy"}
	if slices.Contains(builtIn, r.Service) || strings.HasPrefix(r.Service, "unix:") || strings.HasPrefix(r.Service, "unix+tls:") {
		return nil
	}
	u, err := url.Parse(r.Service)
	switch {
	case err != nil:
		return err
	case u.Scheme == "" || u.Hostname() == "":
		return fmt.Errorf("the service %q has no scheme or no host", r.Service)
	case u.Path != "":
		return fmt.Errorf("the service %q has a path", r.Service)
	}
	return nil
}

func (r Rule) hostname() error {
	if _, _, err := net.SplitHostPort(r.Hostname); err == nil {
		return fmt.Errorf("the hostname %q has a port", r.Hostname)
	}
	if strings.LastIndex(r.Hostname, "*") > 0 {
		return fmt.Errorf("the hostname %q has a wildcard that is not its first character", r.Hostname)
	}
	return nil
}

func (r Rule) path() error {
	_, err := regexp.Compile(r.Path)
	return err
}

func (r Rule) catchAll(last bool) error {
	switch all := (r.Hostname == "" || r.Hostname == "*") && r.Path == ""; {
	case last && !all:
		return errors.New("the last rule does not match all requests")
	case !last && all:
		return errors.New("it matches all requests, so that those after it get none")
	}
	return nil
}

func (r Rule) matches(host, path string) bool {
	suffix, wild := strings.CutPrefix(r.Hostname, "*.")
	byHost := r.Hostname == "" || r.Hostname == "*" || r.Hostname == host || wild && strings.HasSuffix(host, suffix)
	expression, err := regexp.Compile(r.Path)
	return byHost && err == nil && expression.MatchString(path)
}

// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package rig

import (
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"syscall"
	"testing"
)

func TestForwarder(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/reset" {
			_, _ = io.WriteString(w, r.Host+r.URL.Path)
			return
		}
		conn, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		if tcp, ok := conn.(*net.TCPConn); ok {
			_ = tcp.SetLinger(0)
		}
		_ = conn.Close()
	}))
	defer server.Close()
	ask := func(url string) (string, error) {
		resp, err := http.Get(url)
		if err != nil {
			return "", err
		}
		defer func() { _ = resp.Body.Close() }()
		raw, err := io.ReadAll(resp.Body)
		return string(raw), err
	}

	var hosts []string
	for range 2 {
		url, f, err := ForwardURL(t.Context(), server.URL+"/base")
		if err != nil {
			t.Fatal(err)
		}
		got, err := ask(url)
		host, path, _ := strings.Cut(got, "/")
		if err != nil || path != "base" || host != f.Address() {
			t.Errorf("got %q, %v: the server must see the path and the forwarder's own address", got, err)
		}
		hosts = append(hosts, host)
		if _, err := ask("http://" + f.Address() + "/reset"); !errors.Is(err, syscall.ECONNRESET) {
			t.Errorf("a reset became %v", err)
		}
		if _, err := ask("http://" + f.Address() + "/again"); err != nil {
			t.Errorf("after a reset of one connection the next has %v", err)
		}
		if err := f.Close(); err != nil {
			t.Error(err)
		}
		if _, err := ask(url); err == nil {
			t.Error("a closed forwarder still forwards")
		}
	}
	if hosts[0] == hosts[1] {
		t.Error("two forwarders have one address")
	}
}

// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"io"
	"net"
	"net/http"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"
)

// TestServe wants the text at every path, and an end without an error when it is asked for.
func TestServe(t *testing.T) {
	t.Parallel()
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := l.Addr().String()
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- serve(ctx, address, "hello") }()

	var body string
	err = wait.PollUntilContextTimeout(t.Context(), 20*time.Millisecond, 20*time.Second, true, func(ctx context.Context) (bool, error) {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+address+"/any/path", http.NoBody)
		if err != nil {
			return false, err
		}
		rsp, err := http.DefaultClient.Do(req)
		if err != nil {
			return false, nil // It does not listen yet.
		}
		defer func() { _ = rsp.Body.Close() }()
		raw, err := io.ReadAll(rsp.Body)
		body = string(raw)
		return true, err
	})
	if err != nil || body != "hello\n" {
		t.Errorf("got %q (%v), want the banner", body, err)
	}
	stop()
	if err := <-ended; err != nil {
		t.Errorf("it was asked to end, and failed: %v", err)
	}
}

// TestServeCannot wants an error where nothing can be served.
func TestServeCannot(t *testing.T) {
	t.Parallel()
	if err := serve(t.Context(), "192.0.2.1:1", ""); err == nil {
		t.Error("it serves at an address that this machine does not have")
	}
}

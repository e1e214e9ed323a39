// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package rig

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"sync"
)

// A Forwarder forwards connections to a server. A client with a Forwarder of its own can be
// identified by the host in its requests.
type Forwarder struct {
	listener net.Listener
	to       string

	mu    sync.Mutex
	conns map[net.Conn]struct{}
}

// NewForwarder forwards connections to a new address on loopback until it is closed.
func NewForwarder(ctx context.Context, to string) (*Forwarder, error) {
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("cannot forward: %w", err)
	}
	f := &Forwarder{listener: l, to: to, conns: map[net.Conn]struct{}{}}
	go f.serve()
	return f, nil
}

// ForwardURL returns a URL that leads to u through a new Forwarder.
func ForwardURL(ctx context.Context, u string) (string, *Forwarder, error) {
	parsed, err := url.Parse(u)
	if err != nil {
		return "", nil, fmt.Errorf("cannot forward to %q: %w", u, err)
	}
	f, err := NewForwarder(ctx, parsed.Host)
	if err != nil {
		return "", nil, err
	}
	parsed.Host = f.Address()
	return parsed.String(), f, nil
}

// Address returns the address at which it listens.
func (f *Forwarder) Address() string { return f.listener.Addr().String() }

// Close ends all connections.
func (f *Forwarder) Close() error {
	err := f.listener.Close()
	f.mu.Lock()
	defer f.mu.Unlock()
	for c := range f.conns {
		_ = c.Close() // may be closed already
	}
	return err
}

func (f *Forwarder) serve() {
	for {
		client, err := f.listener.Accept()
		if err != nil {
			return // closed
		}
		go f.pass(client)
	}
}

// pass copies in both directions until a side closes or breaks. A reset of one side resets the
// other.
func (f *Forwarder) pass(client net.Conn) {
	server, err := net.Dial("tcp", f.to) //nolint:noctx // On loopback: it answers at once or not at all.
	if err != nil {
		_ = client.Close()
		return
	}
	f.mu.Lock()
	f.conns[client], f.conns[server] = struct{}{}, struct{}{}
	f.mu.Unlock()
	ended := make(chan error, 2)
	go func() { _, err := io.Copy(server, client); ended <- err }()
	go func() { _, err := io.Copy(client, server); ended <- err }()
	if err := <-ended; err != nil && !errors.Is(err, net.ErrClosed) {
		for _, c := range []net.Conn{client, server} {
			if tcp, ok := c.(*net.TCPConn); ok {
				_ = tcp.SetLinger(0)
			}
		}
	}
	_, _ = client.Close(), server.Close() // broken or at their end
	<-ended
	f.mu.Lock()
	delete(f.conns, client)
	delete(f.conns, server)
	f.mu.Unlock()
}

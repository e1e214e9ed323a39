// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package provider

import (
	"context"
	"net"
	"path/filepath"
	"testing"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/apis/changelogs/proto/v1alpha1"
	"google.golang.org/grpc"

	dnsv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
)

type changeLogService struct {
	v1alpha1.UnimplementedChangeLogServiceServer

	entries chan *v1alpha1.ChangeLogEntry
}

func (s changeLogService) SendChangeLog(_ context.Context, r *v1alpha1.SendChangeLogRequest) (*v1alpha1.SendChangeLogResponse, error) {
	s.entries <- r.GetEntry()
	return &v1alpha1.SendChangeLogResponse{}, nil
}

// TestAChangeDoesNotWaitLongForItsLog has a service that starts late, stops, and starts
// again, as a sidecar does.
func TestAChangeDoesNotWaitLongForItsLog(t *testing.T) {
	socket := filepath.Join(t.TempDir(), "s")
	cl, err := changeLogger(socket, "v1")
	if err != nil {
		t.Fatal(err)
	}
	send := func() error {
		return cl.Log(t.Context(), &dnsv1alpha1.Record{}, v1alpha1.OperationType_OPERATION_TYPE_CREATE, nil, nil)
	}
	service := changeLogService{entries: make(chan *v1alpha1.ChangeLogEntry, 4)} // A lost answer leaves an entry.
	for range 2 {
		shortest := time.Hour // The machine may stall during a send.
		for range 3 {
			began := time.Now()
			if err := send(); err == nil {
				t.Error("an entry was sent without a service")
			}
			shortest = min(shortest, time.Since(began))
		}
		if shortest > 3*changeLogPatience {
			t.Errorf("without a service an entry took %s at least, want %s", shortest, changeLogPatience)
		}
		l, err := new(net.ListenConfig).Listen(t.Context(), "unix", socket)
		if err != nil {
			t.Fatal(err)
		}
		server := grpc.NewServer()
		v1alpha1.RegisterChangeLogServiceServer(server, service)
		go func() { _ = server.Serve(l) }()
		err = send()
		if err != nil { // Once more, for the machine may stall.
			err = send()
		}
		if err != nil {
			t.Errorf("an entry did not wait for a service that has just come: %v", err)
		} else if e := <-service.entries; e.GetProvider() != "provider-cloudflare:v1" {
			t.Errorf("the entry is of %q", e.GetProvider())
		}
		server.Stop()
	}
}

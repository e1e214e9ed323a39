// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package behaviour

import (
	"context"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"github.com/crossplane/crossplane-runtime/v2/apis/changelogs/proto/v1alpha1"
	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	"google.golang.org/grpc"
	"google.golang.org/protobuf/encoding/protojson"
	"sigs.k8s.io/controller-runtime/pkg/client"

	dnsv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/test/leak"
)

// changeLog is the service of Crossplane's change log sidecar: the provider under
// test sends it every change that it makes. Its entries are searched for secrets
// when all tests have ended.
type changeLog struct {
	v1alpha1.UnimplementedChangeLogServiceServer

	out *leak.Output
	dir string

	mu      sync.Mutex
	entries []*v1alpha1.ChangeLogEntry
}

// socket returns a short path: the path of a Unix socket has 108 characters at most.
func (c *changeLog) socket() string { return filepath.Join(c.dir, "s") }

// serve serves until the function that it returns is called.
func (c *changeLog) serve() (stop func(), err error) {
	if c.dir, err = os.MkdirTemp("", "changelog-"); err != nil {
		return nil, err
	}
	l, err := new(net.ListenConfig).Listen(context.Background(), "unix", c.socket())
	if err != nil {
		return nil, err
	}
	s := grpc.NewServer()
	v1alpha1.RegisterChangeLogServiceServer(s, c)
	go func() { _ = s.Serve(l) }()
	return func() {
		s.Stop()
		_ = os.RemoveAll(c.dir)
	}, nil
}

// SendChangeLog implements v1alpha1.ChangeLogServiceServer.
func (c *changeLog) SendChangeLog(_ context.Context, r *v1alpha1.SendChangeLogRequest) (*v1alpha1.SendChangeLogResponse, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.entries = append(c.entries, r.GetEntry())
	c.out.Keep("change log", protojson.Format(r.GetEntry()))
	return &v1alpha1.SendChangeLogResponse{}, nil
}

// of returns the entries about an object.
func (c *changeLog) of(o client.Object) []*v1alpha1.ChangeLogEntry {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(c.entries), func(e *v1alpha1.ChangeLogEntry) bool {
		m, _ := e.GetSnapshot().AsMap()["metadata"].(map[string]any)
		return m["namespace"] != o.GetNamespace() || e.GetName() != o.GetName()
	})
}

func TestChangesAreLogged(t *testing.T) {
	t.Parallel()
	onReal(t)
	w := newWorld(t)
	r := w.made("logged", "A", "192.0.2.1")
	id := meta.GetExternalName(r)
	edit(w, r, func(r *dnsv1alpha1.Record) { r.Spec.ForProvider.Content = new("192.0.2.2") })
	settled(w, r)
	w.dashboardEdit(id, map[string]any{"content": "192.0.2.3"})
	w.event(r, "DriftReverted", "192.0.2.3")
	w.delete(r)
	w.gone(r)

	type line struct {
		operation        v1alpha1.OperationType
		external, before string
	}
	want := []line{
		{v1alpha1.OperationType_OPERATION_TYPE_CREATE, "", ""},
		{v1alpha1.OperationType_OPERATION_TYPE_UPDATE, id, "192.0.2.1"},
		{v1alpha1.OperationType_OPERATION_TYPE_UPDATE, id, "192.0.2.3"},
		{v1alpha1.OperationType_OPERATION_TYPE_DELETE, id, "192.0.2.2"},
	}
	var got []line
	for _, e := range w.changes.of(r) {
		if e.GetApiVersion() != dnsv1alpha1.RecordGroupVersionKind.GroupVersion().String() || e.GetKind() != "Record" || e.GetProvider() != "provider-cloudflare:test" || e.GetErrorMessage() != "" {
			t.Errorf("the entry does not say well what was changed, or by whom: %s", protojson.Format(e))
		}
		status, _ := e.GetSnapshot().AsMap()["status"].(map[string]any)
		live, _ := status["atProvider"].(map[string]any)
		before, _ := live["content"].(string)
		got = append(got, line{e.GetOperation(), e.GetExternalName(), before})
	}
	if !slices.Equal(got, want) {
		t.Errorf("logged %v, want %v: each change with the state before it", got, want)
	}
}

func TestAChangeThatIsRefusedIsLoggedWithItsError(t *testing.T) {
	t.Parallel()
	onReal(t)
	w := newWorld(t)
	w.dashboard(map[string]any{"type": "CNAME", "name": "taken", "content": "example.net", "ttl": 60})
	r := w.record("taken", "A", "192.0.2.1")
	w.create(r)
	refused(w, r, "CNAME")
	w.eventually(func() error {
		for _, e := range w.changes.of(r) {
			if e.GetOperation() == v1alpha1.OperationType_OPERATION_TYPE_CREATE && e.GetErrorMessage() != "" {
				return nil
			}
		}
		return fmt.Errorf("no refused creation among %d entries", len(w.changes.of(r)))
	})
}

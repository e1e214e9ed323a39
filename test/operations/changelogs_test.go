// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package operations

import (
	"context"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/crossplane/crossplane-runtime/v2/apis/changelogs/proto/v1alpha1"
	"google.golang.org/grpc"
	"google.golang.org/protobuf/encoding/protojson"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/yaml"
)

// A changeLog is the service in the sidecar.
type changeLog struct {
	v1alpha1.UnimplementedChangeLogServiceServer

	mu      sync.Mutex
	entries []*v1alpha1.ChangeLogEntry
}

// SendChangeLog implements v1alpha1.ChangeLogServiceServer.
func (c *changeLog) SendChangeLog(_ context.Context, r *v1alpha1.SendChangeLogRequest) (*v1alpha1.SendChangeLogResponse, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.entries = append(c.entries, r.GetEntry())
	return &v1alpha1.SendChangeLogResponse{}, nil
}

// listenForChanges serves the change log on a socket below dir.
func (w *world) listenForChanges(ctx context.Context, dir string) error {
	w.socket = filepath.Join(dir, "changelogs.sock")
	l, err := new(net.ListenConfig).Listen(ctx, "unix", w.socket)
	if err != nil {
		return err
	}
	s := grpc.NewServer()
	v1alpha1.RegisterChangeLogServiceServer(s, &w.changes)
	go func() { _ = s.Serve(l) }()
	w.stops = append(w.stops, func() error { s.Stop(); return nil })
	return nil
}

func TestTheProcessLogsItsChanges(t *testing.T) {
	shared.changes.mu.Lock()
	defer shared.changes.mu.Unlock()
	got := map[string][]string{}
	for _, e := range shared.changes.entries {
		if e.GetErrorMessage() == "" {
			operation := strings.TrimPrefix(e.GetOperation().String(), "OPERATION_TYPE_")
			got[e.GetName()] = append(got[e.GetName()], operation)
		}
		if e.GetProvider() != "provider-cloudflare:"+version {
			t.Errorf("%s was changed by %q", e.GetName(), e.GetProvider())
		}
		if text := protojson.Format(e); strings.Contains(text, shared.token) {
			t.Errorf("an entry has the token: %s", text)
		}
	}
	for name, want := range map[string][]string{"reverting": {"CREATE", "UPDATE"}, "leaving": {"CREATE", "DELETE"}, "second": {"CREATE"}, "paused": nil, "observed": nil} {
		if !slices.Equal(got[name], want) {
			t.Errorf("%s: logged %v, want %v", name, got[name], want)
		}
	}
}

// TestTheSidecarSharesTheSocket checks that both containers mount the folder of the default
// socket, and that the provider's flag is set.
func TestTheSidecarSharesTheSocket(t *testing.T) {
	raw, err := os.ReadFile(filepath.Join(repository, "examples", "runtime", "changelogs.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	o := &unstructured.Unstructured{}
	if err := yaml.Unmarshal(raw, &o.Object); err != nil {
		t.Fatal(err)
	}
	of, _, err := unstructured.NestedMap(o.Object, "spec", "deploymentTemplate", "spec", "template", "spec")
	if err != nil {
		t.Fatal(err)
	}
	var pod corev1.PodSpec
	if err := runtime.DefaultUnstructuredConverter.FromUnstructuredWithValidation(of, &pod, true); err != nil {
		t.Fatal(err)
	}
	if len(pod.Containers) != 2 || len(pod.Volumes) != 1 || pod.Volumes[0].EmptyDir == nil || !slices.Contains(pod.Containers[0].Args, "--enable-changelogs") {
		t.Fatalf("containers and volumes: %+v", pod)
	}
	for _, c := range pod.Containers {
		if m := c.VolumeMounts; len(m) != 1 || m[0].Name != pod.Volumes[0].Name || m[0].MountPath != "/var/run/changelogs" {
			t.Errorf("%s mounts %+v", c.Name, m)
		}
	}
}

// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package node

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"
)

// architecture of the images that run here.
const architecture = runtime.GOARCH

// functionLabel is on pods of Crossplane's functions.
const functionLabel = "pkg.crossplane.io/function"

// A move is what keeps pods apart that share the ports of one machine.
type move struct{ env, args []string }

// moved has everyone serve at the pod's own address, or, where a program accepts
// ports only, at any free one.
func moved(p *pod) move {
	m := move{env: []string{
		// Crossplane's core.
		"METRICS_PORT=0", "HEALTH_PROBE_PORT=0",
		// The provider: Crossplane's RBAC manager, whose port cannot be set, has 8080 everywhere.
		"METRICS_BIND_ADDRESS=" + p.address + ":18080", "HEALTH_PROBE_BIND_ADDRESS=" + p.address + ":18081",
	}}
	if _, ok := p.spec.Labels[functionLabel]; ok {
		m.args = []string{"--address", p.address + ":9443"}
	}
	return m
}

// environment is that of a container, as "NAME=value".
func (p *pod) environment(c corev1.Container, config v1.Config) ([]string, error) {
	env := append([]string{
		"KUBERNETES_SERVICE_HOST=" + p.node.APIHost, "KUBERNETES_SERVICE_PORT=" + p.node.APIPort,
		"PATH=/usr/local/bin:/usr/bin:/bin",
	}, config.Env...)
	var defined []string // what later ones may refer to
	for _, e := range c.Env {
		value := e.Value
		switch from := e.ValueFrom; {
		case from == nil:
			value = strings.NewReplacer(defined...).Replace(value)
		case from.FieldRef != nil:
			var err error
			if value, err = p.field(from.FieldRef.FieldPath); err != nil {
				return nil, err
			}
		default:
			continue // Limits, which nobody has here.
		}
		defined = append(defined, "$("+e.Name+")", value)
		env = append(env, e.Name+"="+value)
	}
	return append(env, moved(p).env...), nil
}

// field is what the downward API gives for a path.
func (p *pod) field(path string) (string, error) {
	if key, ok := strings.CutPrefix(path, "metadata.labels['"); ok {
		return p.spec.Labels[strings.TrimSuffix(key, "']")], nil
	}
	switch path {
	case "metadata.name":
		return p.spec.Name, nil
	case "metadata.namespace":
		return p.spec.Namespace, nil
	case "spec.serviceAccountName":
		return p.spec.Spec.ServiceAccountName, nil
	case "status.podIP":
		return p.address, nil
	}
	return "", fmt.Errorf("this node does not know the field %s", path)
}

// hosts is /etc/hosts: the names of the namespace's Services with the address of a
// pod that each selects. It is called with the lock held.
func (n *Processes) hosts() []byte {
	out := "127.0.0.1 localhost\n"
	for _, o := range n.informer.Core().V1().Services().Informer().GetStore().List() {
		s, ok := o.(*corev1.Service)
		if !ok || len(s.Spec.Selector) == 0 {
			continue
		}
		for _, p := range n.running {
			if labels.SelectorFromSet(s.Spec.Selector).Matches(labels.Set(p.spec.Labels)) {
				out += fmt.Sprintf("%s %[2]s %[2]s.%[3]s %[2]s.%[3]s.svc\n", p.address, s.Name, s.Namespace)
			}
		}
	}
	return []byte(out)
}

// tellHosts is called with the lock held.
func (n *Processes) tellHosts() {
	hosts := n.hosts()
	for _, p := range n.running {
		for _, c := range p.spec.Spec.Containers {
			root := filepath.Join(p.dir, c.Name)
			if _, err := os.Stat(root); err != nil {
				continue // It gets them when it starts.
			}
			if err := p.writeHosts(root, hosts); err != nil {
				p.say(c, "%v", err)
			}
		}
	}
}

func (p *pod) writeHosts(root string, hosts []byte) error {
	etc := filepath.Join(root, "etc")
	if err := os.MkdirAll(etc, 0o755); err != nil { //nolint:gosec // Read by another user.
		return fmt.Errorf("cannot write the hosts: %w", err)
	}
	if err := os.WriteFile(filepath.Join(etc, "hosts"), hosts, 0o644); err != nil { //nolint:gosec // As above.
		return fmt.Errorf("cannot write the hosts: %w", err)
	}
	return nil
}

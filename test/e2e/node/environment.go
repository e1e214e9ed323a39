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

// architecture is that of the images that run here.
const architecture = runtime.GOARCH

// functionLabel is a label on pods of Crossplane's functions.
const functionLabel = "pkg.crossplane.io/function"

// A move separates the ports of pods that share one machine.
type move struct{ env, args []string }

// moved makes each program serve at the pod's own address, or at any free port if the program
// accepts only ports.
func moved(p *pod) move {
	m := move{env: []string{
		// Crossplane's core
		"METRICS_PORT=0", "HEALTH_PROBE_PORT=0",
		// The provider. Crossplane's RBAC manager serves on port 8080 of all addresses, which
		// cannot be changed.
		"METRICS_BIND_ADDRESS=" + p.address + ":18080", "HEALTH_PROBE_BIND_ADDRESS=" + p.address + ":18081",
	}}
	if _, ok := p.spec.Labels[functionLabel]; ok {
		m.args = []string{"--address", p.address + ":9443"}
	}
	return m
}

// environment returns the environment of a container, as "NAME=value".
func (p *pod) environment(c corev1.Container, config v1.Config) ([]string, error) {
	env := append([]string{
		"KUBERNETES_SERVICE_HOST=" + p.node.APIHost, "KUBERNETES_SERVICE_PORT=" + p.node.APIPort,
		"PATH=/usr/local/bin:/usr/bin:/bin",
	}, config.Env...)
	var defined []string // the ones to which later ones may refer
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
			continue // limits, which do not exist here
		}
		defined = append(defined, "$("+e.Name+")", value)
		env = append(env, e.Name+"="+value)
	}
	return append(env, moved(p).env...), nil
}

// field returns the value of a path of the downward API.
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

// hosts returns the content of /etc/hosts: the name of each of the namespace's Services, with
// the address of a pod that it selects. The caller holds the lock.
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

// tellHosts writes hosts into the files of all pods. The caller holds the lock.
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

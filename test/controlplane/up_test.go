// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
)

// asMain makes the test binary run the real main of the program in a process of its own.
const asMain = "CONTROLPLANE_TEST_AS_MAIN"

func TestMain(m *testing.M) {
	if os.Getenv(asMain) != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

// program returns a command that runs the program under the name argv0.
func program(t *testing.T, argv0 string, args ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), self, args...)
	cmd.Args[0] = argv0
	cmd.Env = append(os.Environ(), asMain+"=1")
	return cmd
}

func TestUp(t *testing.T) {
	dir := t.TempDir()
	kubeconfig := filepath.Join(dir, "elsewhere.kubeconfig")
	cmd := program(t, "/some/where/controlplane", "up", "--dir", filepath.Join(dir, "data"), "--kubeconfig", kubeconfig)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil {
		t.Fatalf("no ready line (%v): %s", err, &stderr)
	}
	t.Log(strings.TrimSpace(line))
	if !strings.Contains(line, kubeconfig) {
		t.Errorf("the ready line %q does not name the kubeconfig %s", line, kubeconfig)
	}
	cfg, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		t.Fatal(err)
	}
	client := kubernetes.NewForConfigOrDie(cfg)

	t.Run("GarbageCollection", func(t *testing.T) { testGarbageCollection(t, client) })
	t.Run("Authorization", func(t *testing.T) { testAuthorization(t, client, cfg) })
	t.Run("Stop", func(t *testing.T) {
		for range 2 { // Wrappers that forward a signal send it twice.
			if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
				t.Fatal(err)
			}
		}
		if err := cmd.Wait(); err != nil {
			t.Errorf("SIGTERM: %v, want exit code 0; stderr: %s", err, &stderr)
		}
		if _, err := client.Discovery().ServerVersion(); err == nil {
			t.Error("the API server still answers")
		}
	})
}

// testGarbageCollection checks that a dependent is deleted with its owner, and everything with
// its namespace.
func testGarbageCollection(t *testing.T, client kubernetes.Interface) {
	ctx := t.Context()
	ns, err := client.CoreV1().Namespaces().Create(ctx, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{GenerateName: "gc-"}}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	maps := client.CoreV1().ConfigMaps(ns.Name)
	create := func(name string, owners ...metav1.OwnerReference) *corev1.ConfigMap {
		t.Helper()
		cm, err := maps.Create(ctx, &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name, OwnerReferences: owners}}, metav1.CreateOptions{})
		if err != nil {
			t.Fatal(err)
		}
		return cm
	}
	owner := create("owner")
	create("dependent", metav1.OwnerReference{APIVersion: "v1", Kind: "ConfigMap", Name: owner.Name, UID: owner.UID})
	create("other")

	if err := maps.Delete(ctx, owner.Name, metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	eventuallyGone(t, "the dependent", func(ctx context.Context) error {
		_, err := maps.Get(ctx, "dependent", metav1.GetOptions{})
		return err
	})
	if _, err := maps.Get(ctx, "other", metav1.GetOptions{}); err != nil {
		t.Errorf("the object without an owner: %v", err)
	}

	if err := client.CoreV1().Namespaces().Delete(ctx, ns.Name, metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	eventuallyGone(t, "the namespace", func(ctx context.Context) error {
		_, err := client.CoreV1().Namespaces().Get(ctx, ns.Name, metav1.GetOptions{})
		return err
	})
}

// testAuthorization checks that RBAC is in force: a service account has no right that was not
// granted.
func testAuthorization(t *testing.T, client kubernetes.Interface, admin *rest.Config) {
	cfg := rest.AnonymousClientConfig(admin)
	token, err := client.CoreV1().ServiceAccounts("default").CreateToken(t.Context(), "default", &authenticationv1.TokenRequest{}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	cfg.BearerToken = token.Status.Token

	_, err = kubernetes.NewForConfigOrDie(cfg).CoreV1().Secrets("default").List(t.Context(), metav1.ListOptions{})
	if !apierrors.IsForbidden(err) {
		t.Errorf("listing Secrets as a service account: %v, want Forbidden", err)
	}
}

func eventuallyGone(t *testing.T, what string, get func(context.Context) error) {
	t.Helper()
	var last error
	err := wait.PollUntilContextTimeout(t.Context(), 50*time.Millisecond, time.Minute, true, func(ctx context.Context) (bool, error) {
		last = get(ctx)
		return apierrors.IsNotFound(last), nil
	})
	if err != nil {
		t.Fatalf("%s is still there: %v", what, last)
	}
}

func TestCalledAsComponent(t *testing.T) {
	cases := map[string]struct {
		reason string
		args   []string
		want   string
	}{
		"etcd":                    {"envtest starts etcd by this name", []string{"--version"}, "etcd Version: 3."},
		"kube-apiserver":          {"envtest starts the API server by this name", []string{"--version"}, "Kubernetes v"},
		"kube-controller-manager": {"run beside envtest where namespaces have to end", []string{"--version"}, "Kubernetes v"},
		"kubectl":                 {"the demonstration and its users call it", []string{"version", "--client"}, "Client Version: v"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			out, err := program(t, "/assets/"+name, tc.args...).CombinedOutput()
			if err != nil || !strings.Contains(string(out), tc.want) {
				t.Errorf("%s: %s %v: %v, %q; want exit code 0 and %q", tc.reason, name, tc.args, err, out, tc.want)
			}
		})
	}
}

func TestUsage(t *testing.T) {
	cases := map[string]struct {
		reason string
		args   []string
		code   int
		stderr string
	}{
		"NoCommand":   {"a call without a command does nothing", nil, 2, "usage: controlplane up"},
		"Unknown":     {"a mistyped command starts nothing", []string{"down"}, 2, "usage: controlplane up"},
		"UnknownFlag": {"a mistyped flag starts nothing", []string{"up", "--prot", "1"}, 2, "-prot"},
		"Argument":    {"a flag that lost its dashes starts nothing", []string{"up", "port"}, 2, `unexpected argument "port"`},
		"Help":        {"help is no failure", []string{"up", "--help"}, 0, "-kubeconfig"},
		"BadPort":     {"what cannot be listened on is said", []string{"up", "--port", "99999"}, 1, "cannot listen"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			var stdout, stderr bytes.Buffer
			if code := controlplane(tc.args, &stdout, &stderr); code != tc.code {
				t.Errorf("%s: exit code %d, want %d", tc.reason, code, tc.code)
			}
			if !strings.Contains(stderr.String(), tc.stderr) || stdout.Len() > 0 {
				t.Errorf("%s: stdout %q, stderr %q; want nothing and %q", tc.reason, &stdout, &stderr, tc.stderr)
			}
		})
	}
}

func TestComponents(t *testing.T) {
	t.Run("StopInReverse", func(t *testing.T) {
		cs := &components{fail: func(err error) { t.Errorf("asked to end, yet reported: %v", err) }}
		var order []string // One component writes at a time, because stop waits for each.
		for _, name := range []string{"first", "second", "third"} {
			cs.add(name, func(ctx context.Context) error {
				<-ctx.Done()
				order = append(order, name)
				return ctx.Err()
			})
		}
		if err := cs.stop(); err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(order, " "); got != "third second first" {
			t.Errorf("ended in the order %q", got)
		}
	})

	t.Run("EndByItself", func(t *testing.T) {
		broken := errors.New("disk full")
		for name, tc := range map[string]struct {
			reason    string
			err, want error
		}{
			"WithError":    {"the cause is passed on", broken, broken},
			"WithoutError": {"a component has no reason to end, error or not", nil, errEnded},
		} {
			t.Run(name, func(t *testing.T) {
				live, fail := context.WithCancelCause(t.Context())
				cs := &components{fail: fail}
				cs.add("etcd", func(context.Context) error { return tc.err })
				<-live.Done()
				if err := context.Cause(live); !errors.Is(err, tc.want) || !strings.Contains(err.Error(), "etcd") {
					t.Errorf("%s: got %v, want %v with the component's name", tc.reason, err, tc.want)
				}
				if err := cs.stop(); err != nil {
					t.Errorf("stopping what has ended: %v", err)
				}
			})
		}
	})
}

// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package node

import (
	"archive/tar"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/remote"
	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// unpack puts an image's files below root, which it creates, and returns the image's
// configuration. It does not change a root that exists.
func unpack(ctx context.Context, ref, root string) (v1.Config, error) {
	r, err := name.ParseReference(ref, name.StrictValidation)
	if err != nil {
		return v1.Config{}, err
	}
	img, err := remote.Image(r, remote.WithContext(ctx), remote.WithPlatform(v1.Platform{OS: "linux", Architecture: architecture}))
	if err != nil {
		return v1.Config{}, err
	}
	config, err := img.ConfigFile()
	if err != nil {
		return v1.Config{}, err
	}
	if _, err := os.Stat(root); err == nil {
		return config.Config, nil
	}
	fresh := root + ".new"
	if err := errors.Join(os.RemoveAll(fresh), os.MkdirAll(filepath.Join(fresh, "tmp"), 0o755)); err != nil { //nolint:gosec // Read by another user.
		return v1.Config{}, err
	}
	files := mutate.Extract(img)
	defer func() { _ = files.Close() }() // for reading only
	if err := untar(files, fresh); err != nil {
		return v1.Config{}, err
	}
	// The process may run as another user, who needs access.
	if err := errors.Join(os.Chmod(fresh, 0o755), os.Chmod(filepath.Join(fresh, "tmp"), 0o777)); err != nil { //nolint:gosec // As above.
		return v1.Config{}, err
	}
	return config.Config, os.Rename(fresh, root)
}

func untar(r io.Reader, root string) error {
	for files := tar.NewReader(r); ; {
		h, err := files.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		path := filepath.Join(root, filepath.Clean("/"+h.Name))
		switch h.Typeflag {
		case tar.TypeDir:
			err = os.MkdirAll(path, 0o755) //nolint:gosec // Read by another user.
		case tar.TypeReg:
			err = writeFrom(files, path, h.FileInfo().Mode().Perm()|0o444)
		}
		if err != nil {
			return err
		}
	}
}

func writeFrom(r io.Reader, path string, mode os.FileMode) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil { //nolint:gosec // Read by another user.
		return err
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, mode) //nolint:gosec // In the pod's own folder.
	if err != nil {
		return err
	}
	_, err = io.Copy(f, r)
	return errors.Join(err, f.Close())
}

// accountDir is the folder with the token of a pod's service account.
const accountDir = "/var/run/secrets/kubernetes.io/serviceaccount"

// mount writes the content of the container's volumes into its files, once. Later changes are
// not visible.
func (p *pod) mount(ctx context.Context, c corev1.Container, root string) error {
	for _, m := range c.VolumeMounts {
		to := filepath.Join(root, m.MountPath)
		if err := os.MkdirAll(to, 0o777); err != nil { //nolint:gosec // As an emptyDir is.
			return err
		}
		if err := os.Chmod(to, 0o777); err != nil { //nolint:gosec // As above, whatever the umask.
			return err
		}
		if m.MountPath == accountDir {
			if err := p.mountAccount(ctx, to); err != nil {
				return err
			}
			continue
		}
		for _, v := range p.spec.Spec.Volumes {
			if v.Name == m.Name && v.Secret != nil {
				if err := p.mountSecret(ctx, v.Secret, to); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func (p *pod) mountSecret(ctx context.Context, source *corev1.SecretVolumeSource, to string) error {
	s, err := p.node.Client.CoreV1().Secrets(p.spec.Namespace).Get(ctx, source.SecretName, metav1.GetOptions{})
	if err != nil {
		return err
	}
	if len(source.Items) == 0 {
		for key := range s.Data {
			source.Items = append(source.Items, corev1.KeyToPath{Key: key, Path: key})
		}
	}
	for _, item := range source.Items {
		data, ok := s.Data[item.Key]
		if !ok {
			return fmt.Errorf("the Secret %s has no key %q yet", s.Name, item.Key)
		}
		if err := os.WriteFile(filepath.Join(to, item.Path), data, 0o644); err != nil { //nolint:gosec // Read by another user.
			return err
		}
	}
	return nil
}

// mountAccount provides a token of the pod's service account. It is bound to the pod, and valid
// for an hour, the longest time of a test.
func (p *pod) mountAccount(ctx context.Context, to string) error {
	token, err := p.node.Client.CoreV1().ServiceAccounts(p.spec.Namespace).CreateToken(ctx, p.spec.Spec.ServiceAccountName, &authenticationv1.TokenRequest{
		Spec: authenticationv1.TokenRequestSpec{BoundObjectRef: &authenticationv1.BoundObjectReference{
			APIVersion: "v1", Kind: "Pod", Name: p.spec.Name, UID: p.spec.UID,
		}},
	}, metav1.CreateOptions{})
	if err != nil {
		return err
	}
	ca, err := p.node.Client.CoreV1().ConfigMaps(p.spec.Namespace).Get(ctx, "kube-root-ca.crt", metav1.GetOptions{})
	if err != nil {
		return err
	}
	for file, content := range map[string]string{"token": token.Status.Token, "ca.crt": ca.Data["ca.crt"], "namespace": p.spec.Namespace} {
		if err := os.WriteFile(filepath.Join(to, file), []byte(content), 0o644); err != nil { //nolint:gosec // Read by another user.
			return err
		}
	}
	return nil
}

// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package image

import (
	"archive/tar"
	"bytes"
	"debug/buildinfo"
	"debug/elf"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

const (
	binaryPath = "usr/local/bin/provider"
	caPath     = "etc/ssl/certs/ca-certificates.crt"
)

// architectures returns the architectures in ARCHS, which make xpkg uses, too. The default is
// only this machine's, because a build for another one takes minutes.
func architectures() []string {
	if given := strings.Fields(os.Getenv("ARCHS")); len(given) > 0 {
		return given
	}
	return []string{runtime.GOARCH}
}

// TestContent checks all files of the images.
func TestContent(t *testing.T) {
	machines := map[string]elf.Machine{"amd64": elf.EM_X86_64, "arm64": elf.EM_AARCH64}
	for _, arch := range architectures() {
		t.Run(arch, func(t *testing.T) { content(t, arch, machines[arch]) })
	}
}

func content(t *testing.T, arch string, machine elf.Machine) {
	t.Helper()
	img := ofCheckout(t, arch)
	var files, folders []string
	for _, e := range img.files {
		switch e.Typeflag {
		case tar.TypeReg:
			files = append(files, e.Name)
		case tar.TypeDir:
			folders = append(folders, e.Name)
		default:
			t.Errorf("%s is neither a file nor a folder", e.Name)
		}
		if e.Uid != 0 || e.Gid != 0 || e.Mode&^0o755 != 0 {
			t.Errorf("%s is of %d:%d with mode %o: the process must not be able to write it", e.Name, e.Uid, e.Gid, e.Mode)
		}
	}
	if want := []string{caPath, binaryPath}; !slices.Equal(files, want) {
		t.Errorf("the files are %q, want %q: no shell, no library, nothing else", files, want)
	}
	slices.Sort(folders)
	if want := []string{"etc/", "etc/ssl/", "etc/ssl/certs/", "usr/", "usr/local/", "usr/local/bin/"}; !slices.Equal(folders, want) {
		t.Errorf("the folders are %q, want %q", folders, want)
	}

	c := img.config.Config
	if c.User != "2000:2000" {
		t.Errorf("it runs as %q: runAsNonRoot needs a number that is not 0", c.User)
	}
	if !slices.Equal(c.Entrypoint, []string{"/" + binaryPath}) || len(c.Cmd)+len(c.Env)+len(c.Volumes)+len(c.ExposedPorts) != 0 {
		t.Errorf("it runs %q with %q, environment %q, volumes %v, ports %v", c.Entrypoint, c.Cmd, c.Env, c.Volumes, c.ExposedPorts)
	}
	for _, label := range []string{"title", "description", "source", "licenses", "version", "revision", "created"} {
		if c.Labels["org.opencontainers.image."+label] == "" {
			t.Errorf("it has no %s: %v", label, c.Labels)
		}
	}
	if img.config.Architecture != arch {
		t.Errorf("it says that it is for %s", img.config.Architecture)
	}
	isStatic(t, img.file(binaryPath), machine)
}

func (i image) file(name string) []byte {
	for _, e := range i.files {
		if e.Name == name {
			return e.content
		}
	}
	return nil
}

// isStatic checks that the binary needs nothing else: no other machine, no loader, no
// libraries, and no C code.
func isStatic(t *testing.T, binary []byte, machine elf.Machine) {
	t.Helper()
	f, err := elf.NewFile(bytes.NewReader(binary))
	if err != nil {
		t.Fatal(err)
	}
	if f.Machine != machine || f.Class != elf.ELFCLASS64 || f.OSABI != elf.ELFOSABI_NONE {
		t.Errorf("the binary is for %s (%s, %s), want %s", f.Machine, f.Class, f.OSABI, machine)
	}
	for _, p := range f.Progs {
		if p.Type == elf.PT_INTERP || p.Type == elf.PT_DYNAMIC {
			t.Errorf("the binary has a segment %s", p.Type)
		}
		if p.Flags&elf.PF_W != 0 && p.Flags&elf.PF_X != 0 {
			t.Errorf("the binary has a segment that can be written and executed: %+v", p.ProgHeader)
		}
	}
	for _, name := range []string{".interp", ".dynamic"} {
		if f.Section(name) != nil {
			t.Errorf("the binary has a section %s", name)
		}
	}
	if libraries, err := f.ImportedLibraries(); err != nil || len(libraries) > 0 {
		t.Errorf("the binary needs %q (%v)", libraries, err)
	}
	info, err := buildinfo.Read(bytes.NewReader(binary))
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range info.Settings {
		if s.Key == "CGO_ENABLED" && s.Value != "0" || s.Key == "-tags" {
			t.Errorf("the binary is built with %s=%s", s.Key, s.Value)
		}
	}
	if strings.Contains(string(binary), mustAbs(t, root)) {
		t.Error("the binary names the folder it was built in")
	}
}

func mustAbs(t *testing.T, path string) string {
	t.Helper()
	abs, err := filepath.Abs(path)
	if err != nil {
		t.Fatal(err)
	}
	return abs
}

// TestReproducible checks that a build from a copy of the sources in another folder has the
// same result.
func TestReproducible(t *testing.T) {
	elsewhere := t.TempDir()
	list := exec.CommandContext(t.Context(), "git", "ls-files", "--cached", "--others", "--exclude-standard", "--", "*.go", "*go.mod", "*go.sum")
	list.Dir = root
	out, err := list.Output()
	if err != nil {
		t.Fatalf("cannot list the sources: %v", err)
	}
	for name := range strings.Lines(string(out)) {
		name = strings.TrimSpace(name)
		content, err := os.ReadFile(filepath.Join(root, name))
		if os.IsNotExist(err) {
			continue // deleted, but not committed yet
		}
		if err != nil {
			t.Fatal(err)
		}
		to := filepath.Join(elsewhere, name)
		if err := os.MkdirAll(filepath.Dir(to), 0o750); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(to, content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	here, there := ofCheckout(t, runtime.GOARCH), build(t, elsewhere, runtime.GOARCH)
	if here.digest != there.digest {
		t.Errorf("the image is %s, and %s when it is built in another folder", here.digest, there.digest)
	}
}

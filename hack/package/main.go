// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Command package makes images and Crossplane packages of static binaries, without a container engine, and pushes
// them.
//
//	package build --root package --examples examples/record --version v1.2.3 \
//	    --binary-amd64 F --binary-arm64 F --out 'out-{arch}.xpkg' --archive out.oci.tar --release-notes CHANGELOG.md
//	package build --root configuration --objects xrd.yaml,composition.yaml --version v1.2.3 --out out.xpkg
//	package push --package out.oci.tar --to registry.example.org/provider:v1.2.3 \
//	    --sbom amd64=F --sbom arm64=F --provenance F
//	package provenance --package out.oci.tar --file F --out F
//	package image --root package --binary F --arch amd64 --tag provider:v1.2.3 --out image.tar
//
// The root is that of a Provider, a Function or a Configuration, of this repository or another. The result does not
// depend on when, where or how often it is built. See docs/reference/package.md.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/provider-cloudflare/provider-cloudflare/hack/package/runtimeimage"
	"github.com/provider-cloudflare/provider-cloudflare/hack/package/xpkg"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	err := run(ctx, os.Stdout, os.Args[1:])
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "package:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, out io.Writer, args []string) error {
	commands := map[string]func(context.Context, io.Writer, *flag.FlagSet, []string) error{
		"build": build, "image": image, "provenance": provenanceOf, "push": push,
	}
	name := ""
	if len(args) > 0 {
		name = args[0]
	}
	command, ok := commands[name]
	if !ok {
		return fmt.Errorf("%q is no command: say one of %q", name, slices.Sorted(maps.Keys(commands)))
	}
	return command(ctx, out, flag.NewFlagSet("package "+name, flag.ContinueOnError), args[1:])
}

// origin has the flags that describe the source of a build.
type origin struct {
	version, revision string
	created           int64
}

func (o *origin) register(fs *flag.FlagSet) {
	fs.StringVar(&o.version, "version", "", "version of the package")
	fs.StringVar(&o.revision, "revision", "", "commit it is built from")
	fs.Int64Var(&o.created, "created", 0, "time of the commit, in seconds since 1970")
}

func (o *origin) time() time.Time { return time.Unix(o.created, 0).UTC() }

func (o *origin) about(p *xpkg.Package) runtimeimage.About {
	return p.About(o.version, o.revision, o.time())
}

// list is a flag that may be set several times, or once with commas.
type list []string

func (l *list) String() string { return strings.Join(*l, ",") }

// Set adds to the list.
func (l *list) Set(value string) error {
	*l = append(*l, strings.Split(value, ",")...)
	return nil
}

// parse reads flags and refuses other arguments.
func parse(fs *flag.FlagSet, args []string, required ...string) error {
	if err := fs.Parse(args); err != nil {
		return err
	}
	if fs.NArg() > 0 {
		return fmt.Errorf("%s takes flags only, and not %q", fs.Name(), fs.Args())
	}
	for _, name := range required {
		if fs.Lookup(name).Value.String() == "" {
			return fmt.Errorf("%s needs --%s", fs.Name(), name)
		}
	}
	return nil
}

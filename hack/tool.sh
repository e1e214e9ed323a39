#!/usr/bin/env bash
# Runs a development tool of hack/tools/go.mod: hack/tool.sh golangci-lint run
# or one of a module below it: hack/tool.sh cli/crossplane version
#
# The tool is built once into a cache and taken from there until the versions in its
# module or the Go version change; golangci-lint takes about 2 minutes on 2 cores the
# first time, and so does each of Crossplane's. With --path first, prints where the
# binary is instead.
#
# TOOLS_CACHE overrides where the builds go (default
# $XDG_CACHE_HOME/provider-cloudflare, or ~/.cache/provider-cloudflare).
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
print=
if [[ ${1:-} == --path ]]; then
	print=yes
	shift
fi
name=${1:?usage: $0 [--path] <tool> [arguments]}
shift

module=$root/hack/tools
if [[ $name == */* ]]; then
	module=$module/${name%/*}
	name=${name##*/}
fi

package=$(awk -v name="$name" '$1 == "tool" {$1 = ""; sub(/^ /, "")} $1 ~ "/cmd/" name "$" || $1 ~ "/" name "$" {print $1; exit}' "$module/go.mod")
if [[ -z $package ]]; then
	echo "tool.sh: ${module#"$root"/}/go.mod has no tool $name" >&2
	exit 2
fi

cache=${TOOLS_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/provider-cloudflare}
key=$( (cd "$module" && go env GOVERSION GOOS GOARCH && cat go.mod go.sum "$root/hack/tool.sh") | sha256sum | cut -c1-12)
binary=$cache/tools-$key/$name

if [[ ! -x $binary ]]; then
	mkdir -p "$cache/tools-$key"
	# One build at a time; who waited finds it done.
	exec 9>"$cache/tools.lock"
	flock 9
	if [[ ! -x $binary ]]; then
		echo "tool.sh: building $name (once; seconds to minutes)" >&2
		# Crossplane's programs tell their version, and check packages against it, as
		# the linker sets it; the others do without.
		(
			cd "$module"
			export CGO_ENABLED=0 GOWORK=off GOFLAGS=-mod=readonly
			version=$(go list -f '{{with .Module}}{{.Version}}{{end}}' "$package")
			go build -trimpath -o "$binary.new" -ldflags "-s -w \
				-X github.com/crossplane/crossplane-runtime/v2/pkg/version.version=$version" "$package" >&2
		)
		mv "$binary.new" "$binary"
	fi
	exec 9>&-
fi

# The linter remembers findings with the paths of the checkout they were found in,
# and tells them of another one with the same content: each checkout has a memory
# of its own.
export GOLANGCI_LINT_CACHE=${GOLANGCI_LINT_CACHE:-$root/_output/golangci-lint}

if [[ -n $print ]]; then
	echo "$binary"
else
	exec "$binary" "$@"
fi

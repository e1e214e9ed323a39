#!/usr/bin/env bash
# Prints the path of a folder that serves as KUBEBUILDER_ASSETS, and nothing else,
# on stdout; says on stderr what it is doing. The first of these that will do:
#
#   1. $KUBEBUILDER_ASSETS
#   2. /usr/local/kubebuilder/bin
#   3. what setup-envtest has installed, or can download within half a minute
#   4. test/controlplane, built once into a cache: about 4 minutes on 2 cores,
#      then nothing until its sources or the Go version change
#
# What the folder holds: etcd, kube-apiserver, kubectl. From 4 also
# kube-controller-manager and controlplane, whose "up" command runs everything in
# one process. envtest archives (1 to 3) have no kube-controller-manager, and
# without one namespaces stay terminating and owners' dependents are kept: whoever
# needs those says --full, which accepts only a folder that has it too.
#
# CONTROLPLANE_CACHE overrides where the build goes (default
# $XDG_CACHE_HOME/provider-cloudflare, or ~/.cache/provider-cloudflare).
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
module=$root/test/controlplane
need=(etcd kube-apiserver kubectl)
case ${1:-} in
"") ;;
--full) need+=(kube-controller-manager) ;;
*)
	echo "usage: $0 [--full]" >&2
	exit 2
	;;
esac

say() { echo "controlplane: $*" >&2; }

has_all() {
	local tool
	[[ -n $1 ]] || return 1
	for tool in "${need[@]}"; do
		[[ -x $1/$tool ]] || return 1
	done
}

kubernetes_version() { awk '$1 == "k8s.io/kubernetes" && NF == 2 {print $2}; $1 == "require" && $2 == "k8s.io/kubernetes" {print $3}' "$module/go.mod"; }

# Within limits: where its index cannot be reached it must not cost minutes.
from_setup_envtest() {
	local version
	command -v setup-envtest >/dev/null || return 1
	version=$(kubernetes_version)
	version=${version#v}
	timeout 5 setup-envtest use --installed-only -p path "${version%.*}.x" 2>/dev/null ||
		timeout 30 setup-envtest use -p path "${version%.*}.x" 2>/dev/null
}

# The build's name: everything that goes into it.
build_key() {
	(
		cd "$module"
		go env GOVERSION GOOS GOARCH
		find . -maxdepth 1 \( -name '*.go' -o -name go.mod -o -name go.sum \) ! -name '*_test.go' | LC_ALL=C sort | xargs sha256sum
		sha256sum <"$root/hack/controlplane.sh"
	) | sha256sum | cut -c1-12
}

build() {
	local to=$1 version minor tmp tool
	version=$(kubernetes_version)
	minor=${version#v1.}
	minor=${minor%%.*}
	say "building Kubernetes $version and etcd (once; about 4 minutes and 3 GB of memory on 2 cores, seconds if Go's build cache is warm)"
	tmp=$(mktemp -d "$to.XXXXXX")
	trap 'rm -rf "$tmp"' EXIT
	(
		cd "$module"
		CGO_ENABLED=0 GOWORK=off go build -trimpath -o "$tmp/controlplane" -ldflags "-s -w \
			-X k8s.io/component-base/version.gitVersion=$version \
			-X k8s.io/component-base/version.gitMajor=1 \
			-X k8s.io/component-base/version.gitMinor=$minor" . >&2
	)
	for tool in etcd kube-apiserver kube-controller-manager kubectl; do
		ln -s controlplane "$tmp/$tool"
	done
	chmod 755 "$tmp"
	mv -T "$tmp" "$to"
	trap - EXIT
	say "built in $SECONDS s: $to"
}

for dir in "${KUBEBUILDER_ASSETS:-}" /usr/local/kubebuilder/bin "$(from_setup_envtest || true)"; do
	if has_all "$dir"; then
		(cd "$dir" && pwd)
		exit
	fi
done
if [[ -n ${KUBEBUILDER_ASSETS:-} ]]; then
	say "KUBEBUILDER_ASSETS=$KUBEBUILDER_ASSETS lacks one of ${need[*]}: ignored"
fi

cache=${CONTROLPLANE_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/provider-cloudflare}
assets=$cache/controlplane-$(build_key)
if ! has_all "$assets"; then
	mkdir -p "$cache"
	# One build at a time; who waited finds it done.
	exec 9>"$cache/controlplane.lock"
	flock 9
	has_all "$assets" || build "$assets"
fi
echo "$assets"

#!/usr/bin/env bash
# Prints the path of a folder that serves as KUBEBUILDER_ASSETS, and nothing else,
# on stdout; says on stderr what it is doing. The first of these that will do:
#
#   1. $KUBEBUILDER_ASSETS
#   2. /usr/local/kubebuilder/bin, or what setup-envtest has installed
#   3. an earlier build of test/controlplane in the cache
#   4. what setup-envtest can download: seconds, where its index can be reached
#   5. a build of test/controlplane into the cache: about 4 minutes on 2 cores,
#      once, until its sources or the Go version change
#
# What the folder holds: etcd, kube-apiserver, kubectl. From 3 and 5 also
# kube-controller-manager and controlplane, whose "up" command runs everything in
# one process. envtest archives (2 and 4) have no kube-controller-manager, and
# without one namespaces stay terminating and owners' dependents are kept: whoever
# needs those says --full, which accepts only a folder that has both.
#
# CONTROLPLANE_CACHE overrides where the build goes (default
# $XDG_CACHE_HOME/provider-cloudflare, or ~/.cache/provider-cloudflare).
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
module=$root/test/controlplane
need=(etcd kube-apiserver kubectl)
full=
case ${1:-} in
"") ;;
--full)
	full=yes
	need+=(kube-controller-manager controlplane)
	;;
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

# Runs the pinned setup-envtest, or the user's own. Its archives follow
# Kubernetes' minor versions. Within limits: an index that cannot be reached must
# not cost minutes.
setup_envtest() {
	local version envtest
	version=$(kubernetes_version)
	version=${version#v}
	envtest=$(command -v setup-envtest || "$root/hack/tool.sh" --path setup-envtest) || return 1
	timeout 60 "$envtest" use "$@" -p path "${version%.*}.x" 2>/dev/null
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

# offer ends the script with dir if it will do.
offer() {
	if has_all "$1"; then
		(cd "$1" && pwd)
		exit
	fi
}

offer "${KUBEBUILDER_ASSETS:-}"
if [[ -n ${KUBEBUILDER_ASSETS:-} ]]; then
	say "KUBEBUILDER_ASSETS=$KUBEBUILDER_ASSETS lacks one of ${need[*]}: ignored"
fi
offer /usr/local/kubebuilder/bin
if [[ -z $full ]]; then
	offer "$(setup_envtest --installed-only || true)"
fi

cache=${CONTROLPLANE_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/provider-cloudflare}
assets=$cache/controlplane-$(build_key)
offer "$assets"
if [[ -z $full ]]; then
	say "asking setup-envtest for Kubernetes $(kubernetes_version)"
	offer "$(setup_envtest || true)"
fi

mkdir -p "$cache"
# One build at a time; who waited finds it done.
exec 9>"$cache/controlplane.lock"
flock 9
offer "$assets"
build "$assets"
offer "$assets"

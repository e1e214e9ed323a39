#!/usr/bin/env bash
# Puts what the end-to-end suite runs into _output/e2e/bin: programs, and the packages
# of two versions of the provider. All of it is built from the Go module proxy; what
# was built before is taken from the caches.
#
#   test/e2e/prepare.sh [--full] VERSION
#
# --full adds what makes a node with containers. VERSION is that of the package under
# test; the one before it is the last release, or the commit in test/e2e/previous where
# there is none (PREVIOUS overrides it). Prints "previous=VERSION".
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
cd "$root"
full=
if [[ ${1:-} == --full ]]; then
	full=yes
	shift
fi
version=${1:?usage: $0 [--full] VERSION}
out=$root/_output/e2e/bin
mkdir -p "$out"

say() { echo "e2e: $*" >&2; }
put() { ln -sfn "$2" "$out/$1"; }
module() { (cd "hack/tools/$1" && go mod download "$2" && go list -m -f '{{.Dir}}' "$2"); }

say "control plane"
assets=$(hack/controlplane.sh --full)
put controlplane "$assets/controlplane"
put kubectl "$assets/kubectl"

say "Crossplane and its tools"
put crossplane-core "$(hack/tool.sh --path core/crossplane)"
put crossplane "$(hack/tool.sh --path cli/crossplane)"
put helm "$(hack/tool.sh --path helm/helm)"
put kwok "$(hack/tool.sh --path kwok/kwok)"
put core-module "$(module core github.com/crossplane/crossplane/v2)"
put function-patch-and-transform "$(hack/tool.sh --path patchandtransform/function-patch-and-transform)"

# What only a node with containers needs. Debian has the parts that are not Go modules.
containers() {
	local missing=() entry
	for entry in containerd=containerd runc=runc iptables=iptables conntrack=conntrack; do
		command -v "${entry%%=*}" >/dev/null || missing+=("${entry#*=}")
	done
	[[ -x /usr/lib/cni/bridge ]] || missing+=(containernetworking-plugins)
	if ((${#missing[@]})); then
		say "installing ${missing[*]}"
		apt-get update -q >&2
		DEBIAN_FRONTEND=noninteractive apt-get install -yq --no-install-recommends "${missing[@]}" >&2
	fi
	put containerd "$(command -v containerd)"
	put kubelet "$(hack/tool.sh --path node/kubelet)"
	put kube-proxy "$(hack/tool.sh --path node/kube-proxy)"
	put coredns "$(hack/tool.sh --path coredns/coredns)"
	(cd test/e2e && CGO_ENABLED=0 GOWORK=off go build -trimpath -o "$out/pause" ./pause)
}
if [[ -n $full ]]; then
	((EUID == 0)) || { echo "e2e: containers need root: run it as root, or run make e2e" >&2; exit 1; }
	say "kubelet, kube-proxy, CoreDNS, containerd"
	containers
fi

arch=$(go env GOARCH)
go_build() { (cd "$1" && CGO_ENABLED=0 GOWORK=off go build -trimpath -ldflags "-s -w -X main.version=$2" -o "$3" "$4"); }

# package NAME VERSION ROOT BINARY: an xpkg for this machine. To compress one takes a core for seven seconds: what was made of the
# same files before comes from the cache.
packages=${TOOLS_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/provider-cloudflare}/e2e-packages
package() {
	local key kept
	key=$({
		echo "$2 $arch"
		sha256sum <"$out/package"
		sha256sum <"$4"
		cd "$3"
		find . -type f -print0 | LC_ALL=C sort -z | xargs -0 sha256sum
	} | sha256sum)
	kept=$packages/${key%% *}.xpkg
	if [[ ! -e $kept ]]; then
		mkdir -p "$packages"
		find "$packages" -type f -mtime +30 -delete
		"$out/package" build --root "$3" --version "$2" "--binary-$arch" "$4" --out "$kept.$BASHPID" >&2
		mv "$kept.$BASHPID" "$kept"
	fi
	cp "$kept" "$out/$1-$2.xpkg"
}

# Packages are built with a copy: make xpkg may write the program again.
make --no-print-directory packager >&2
rm -f "$out/package"
cp _output/package "$out/package"

# The version before this one, from its own tree.
commit=${PREVIOUS:-$(git describe --tags --abbrev=0 --match 'v*' HEAD^ 2>/dev/null || cat test/e2e/previous)}
if ! before=$(git describe --tags --always "$commit" 2>/dev/null); then
	echo "e2e: this clone has no commit $commit to upgrade from: fetch the whole history (git fetch --unshallow --tags), or set PREVIOUS" >&2
	exit 1
fi

under_test() {
	say "the provider's package $version"
	make --no-print-directory xpkg VERSION="$version" ARCHS="$arch" >&2
}

before_it() {
	local tree=$root/_output/e2e/previous
	mkdir -p "$out/provider-previous"
	[[ ! -e $out/provider-cloudflare-$before.xpkg ]] || return 0
	say "the provider's package $before, to upgrade from"
	git worktree remove --force "$tree" 2>/dev/null || true
	git worktree prune
	git worktree add --quiet --detach --force "$tree" "$commit"
	go_build "$tree" "$before" "$out/provider-previous/provider" ./cmd/provider
	package provider-cloudflare "$before" "$tree/package" "$out/provider-previous/provider"
	git worktree remove --force "$tree"
}

functions() {
	local folder version
	# Crossplane's own, packaged as its authors do.
	folder=$(module patchandtransform github.com/crossplane-contrib/function-patch-and-transform)
	version=$(cd hack/tools/patchandtransform && go list -m -f '{{.Version}}' github.com/crossplane-contrib/function-patch-and-transform)
	package function-patch-and-transform "$version" "$folder/package" "$(readlink -f "$out/function-patch-and-transform")"

	# Ours, in the version the examples name.
	version=$(awk -F: '/function-cloudflare-dns:/ {print $NF}' examples/composition/functions.yaml)
	go_build functions/dns "$version" "$out/function-dns/function-cloudflare-dns" .
	package function-cloudflare-dns "$version" functions/dns/package "$out/function-dns/function-cloudflare-dns"
	(cd test/e2e && CGO_ENABLED=0 go build -C ../../examples/composition/myapp/banner -trimpath -o "$out/banner" .)
}

# To compress takes one core each.
jobs=()
for part in under_test before_it functions; do
	"$part" &
	jobs+=("$!")
done
for job in "${jobs[@]}"; do wait "$job"; done

echo "previous=$before"

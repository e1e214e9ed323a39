#!/usr/bin/env bash
# Shows that the packages, the provider's, the composition function's and the
# Configuration's, depend on the commit, the version and the Go version alone: builds the commit that is checked out
# twice, in folders of their own, and compares the checksums of everything that make
# xpkg, make function-xpkg and make configuration-xpkg write.
#
#   hack/reproduce.sh [--fresh]    --fresh: the second time without anything that Go
#                                  has compiled before; minutes
#
# VERSION and ARCHS are those of make xpkg.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

fresh=
case ${1:-} in
"") ;;
--fresh) fresh=yes ;;
*)
	echo "usage: $0 [--fresh]" >&2
	exit 2
	;;
esac

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
export VERSION=${VERSION:-v0.0.0} ARCHS=${ARCHS:-amd64 arm64}
REVISION=$(git rev-parse HEAD)
CREATED=$(git log -1 --format=%ct)
export REVISION CREATED

for folder in first an/other; do
	mkdir -p "$tmp/$folder"
	git archive HEAD | tar -x -C "$tmp/$folder"
	(
		if [[ -n $fresh && $folder != first ]]; then
			export GOCACHE=$tmp/cache
		fi
		# Variables of a make that runs this are not for the one in there.
		# The folder is the commit's, and git does not know it.
		env -u MAKEFLAGS -u MAKELEVEL make --no-print-directory -C "$tmp/$folder" xpkg function-xpkg configuration-xpkg MODIFIED=false >&2
	)
done
for name in provider-cloudflare function-cloudflare-dns configuration-cloudflare; do
	sums=_output/xpkg/$name-$VERSION.sha256
	if ! diff "$tmp/first/$sums" "$tmp/an/other/$sums" >&2; then
		echo "reproduce: two builds of $REVISION differ in the files above" >&2
		exit 1
	fi
	cat "$tmp/first/$sums"
done
echo "reproduce: two builds of $REVISION are the same" >&2

#!/usr/bin/env bash
# Signs a package that make push has pushed, without a key: by the identity of the
# workflow that runs this. Attests each architecture's bill of materials, and looks
# whether what docs/reference/package.md tells users to verify can be verified.
#
#   hack/sign.sh sha256:... ghcr.io/somebody [registry...]
#
# NAME is the package's (default provider-cloudflare), VERSION that of make xpkg, SIGNER
# the identity to expect (default: that of the workflow). Needs cosign 3 and a login.
# Empty registries are left out.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

digest=${1:?usage: $0 digest registry...}
shift
version=${VERSION:?}
signer=${SIGNER:-$GITHUB_SERVER_URL/$GITHUB_WORKFLOW_REF}
issuer=${ISSUER:-https://token.actions.githubusercontent.com}
name=${NAME:-provider-cloudflare}

# The architectures in the index, and the digest of the image for each. A Configuration has
# one image for all, which runs nothing and has no bill of materials.
images() {
	[[ -e _output/xpkg/$name-$version.oci.tar ]] || return 0
	tar -xOf "_output/xpkg/$name-$version.oci.tar" "blobs/${digest/://}" |
		jq -er '.manifests[] | select(.platform.os == "linux") | "\(.platform.architecture) \(.digest)"'
}

# Read before anything is signed: a release has all of its bills of materials, or is none.
each=$(images)
[[ -n $each || $name == configuration-* ]] || {
	echo "no image in _output/xpkg/$name-$version.oci.tar: there would be no bill of materials" >&2
	exit 1
}

for registry in "$@"; do
	[[ -n $registry ]] || continue
	package=$registry/$name

	# Twice: as a bundle among the referrers, where cosign 3 looks, and under a tag,
	# where Crossplane's ImageConfig looks as of 2.4. Recursively: nodes pull the
	# manifest of their architecture, and policies may ask for its signature.
	cosign sign --yes --recursive "$package@$digest"
	cosign sign --yes --recursive --new-bundle-format=false --use-signing-config=false "$package@$digest"
	while read -r arch of; do
		[[ -n $of ]] || continue # A Configuration.
		sbom=_output/xpkg/$name-$version-$arch.cdx.json
		cosign attest --yes --type cyclonedx --predicate "$sbom" "$package@$of" </dev/null
		cosign verify-attestation --type cyclonedx --certificate-identity "$signer" --certificate-oidc-issuer "$issuer" "$package@$of" </dev/null >/dev/null
	done <<<"$each"

	cosign verify --certificate-identity "$signer" --certificate-oidc-issuer "$issuer" "$package@$digest" >/dev/null
	cosign verify --new-bundle-format=false --certificate-identity "$signer" --certificate-oidc-issuer "$issuer" "$package@$digest" >/dev/null
	echo "signed and verified: $package@$digest"
done

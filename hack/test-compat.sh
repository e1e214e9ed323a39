#!/usr/bin/env bash
# Shows that hack/compat.sh refuses what breaks a stored object, and nothing else: it
# makes changes to a CRD and compares. Takes seconds.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
crd=tunnel.cloudflare.m.crossplane.io_tunnels.yaml
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
mkdir "$tmp/old" "$tmp/new"
cp "$root/package/crds/$crd" "$tmp/old/"
: >"$tmp/accepted"
export ACCEPTED=$tmp/accepted
failed=0

# change sed-script: the new CRD.
change() {
	rm -f "$tmp"/new/*
	sed -E "$1" "$tmp/old/$crd" >"$tmp/new/$crd"
	if [[ $1 != "" ]] && cmp -s "$tmp/old/$crd" "$tmp/new/$crd"; then
		echo "the change does nothing: $1"
		failed=1
	fi
}
# refused what text: the comparison fails, and says the text.
refused() {
	local said
	if said=$("$root/hack/compat.sh" --folders "$tmp/old" "$tmp/new" 2>&1); then
		echo "not refused: $1"
		failed=1
	elif ! grep -qF -- "$2" <<<"$said"; then
		echo "refused without a word of $2: $1"
		echo "$said"
		failed=1
	fi
}
# permitted what: the comparison passes.
permitted() {
	local said
	if ! said=$("$root/hack/compat.sh" --folders "$tmp/old" "$tmp/new" 2>&1); then
		echo "refused: $1"
		echo "$said"
		failed=1
	fi
}

change ''
permitted "no change"
change 's/A user-friendly name for a tunnel/The name of a tunnel/'
permitted "another text"
change 's/^( *)- cloudflare$/&\n\1- elsewhere/'
permitted "one more value of an enum"
change '/^ *- cloudflare$/d'
refused "a value of an enum that is gone" "^.spec.forProvider.configSrc enum"
printf '%s ^.spec.forProvider.configSrc enum nobody has used it\n' "$crd" >"$tmp/accepted"
permitted "the same, accepted with a reason"
printf '%s ^.spec.forProvider.configSrc enum\n' "$crd" >"$tmp/accepted"
refused "the same, accepted without a reason" "^.spec.forProvider.configSrc enum"
: >"$tmp/accepted"
change 's/^( *)configSrc:$/\1sourceOfConfig:/'
refused "a field that has another name" "configSrc"
change 's/\^\[0-9a-f\]\{32\}\$/^[0-9]{32}$/'
refused "a pattern that fewer values match" "^.spec.forProvider.accountId unhandled"
change '/^                  configSrc:$/,/^                  name:$/s/type: string/type: integer/'
refused "a field of another type" "^.spec.forProvider.configSrc type"
change '/^                  tunnelSecretRef:$/,/^                    type: object/s/maxLength: 253/maxLength: 63/'
refused "a shorter limit" "maxLength"
change 's/^( *)required:$/&\n\1- spec/;/^  versions:$/,$s/^    served: true$/    served: false/'
refused "a version that is served no more" "$crd"
change 's/scope: Namespaced/scope: Cluster/'
refused "another scope" "scope"
rm "$tmp"/new/*
cp "$root/package/crds/zone.cloudflare.m.crossplane.io_zones.yaml" "$tmp/new/"
refused "a kind that is gone" "the kind is gone"
cp "$tmp/old/$crd" "$tmp/new/"
permitted "a kind more"
rm "$tmp"/old/*
refused "nothing to compare with" "nothing to compare with"

if [[ $failed != 0 ]]; then
	exit 1
fi
echo "compat: what breaks stored objects is refused, the rest is not"

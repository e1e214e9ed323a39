#!/usr/bin/env bash
# Compares CRDs with those of an earlier revision, and fails on what would break an
# object that is stored: hack/compat.sh v1.2.3
#
# With --folders, compares two folders: hack/compat.sh --folders old new
# Accepted changes are in hack/compat-accepted.txt, or in what ACCEPTED names.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
accepted=${ACCEPTED:-$root/hack/compat-accepted.txt}
if [[ ${1:-} == --folders ]]; then
	old=${2:?usage: $0 --folders old new}
	new=${3:?usage: $0 --folders old new}
else
	base=${1:?usage: $0 revision}
	git -C "$root" cat-file -e "$base^{commit}" 2>/dev/null || { echo "compat: this clone does not have $base: git fetch --unshallow, or BASE=REVISION" >&2; exit 2; }
	tmp=$(mktemp -d)
	trap 'rm -rf "$tmp"' EXIT
	git -C "$root" archive "$base" package/crds | tar -x -C "$tmp"
	old=$tmp/package/crds
	new=$root/package/crds
fi

shopt -s nullglob
crdify=$("$root/hack/tool.sh" --path crdify/crdify)
failed=0
compared=0
# complain file field validation text: unless it is accepted.
complain() {
	if awk -v file="$1" -v field="$2" -v validation="$3" \
		'$1 == file && $2 == field && $3 == validation && NF > 3 {hit = 1} END {exit !hit}' "$accepted"; then
		echo "compat: accepted: $1 $2 $3" >&2
		return
	fi
	echo "compat: $1 $2 $3 $4" >&2
	failed=1
}

for file in "$old"/*.yaml; do
	name=${file##*/}
	compared=$((compared + 1))
	if [[ ! -e $new/$name ]]; then
		complain "$name" - kind "the kind is gone: objects of it are lost"
		continue
	fi
	if cmp -s "$file" "$new/$name"; then
		continue
	fi
	status=0
	found=$("$crdify" --config "$root/hack/compat.yaml" -o json "file://$file" "file://$new/$name") || status=$?
	lines=$(jq -r '
		[(.crdValidation // [])[] | {field: "-", name, errors}],
		[((.sameVersionValidation // {}), (.servedVersionValidation // {})) | to_entries[] | .value | to_entries[] | .key as $field | .value[] | {field: $field, name, errors}]
		| .[] | select(.errors) | [.field, .name, (.errors | join("; ") | gsub("\\s+"; " "))] | @tsv' <<<"$found")
	if [[ $status != 0 && -z $lines ]]; then
		echo "compat: crdify does not say what is wrong with $name" >&2
		failed=1
	fi
	while IFS=$'\t' read -r field validation text; do
		[[ -n $field ]] && complain "$name" "$field" "$validation" "$text"
	done <<<"$lines"
done
if [[ $compared == 0 ]]; then
	echo "compat: there is nothing to compare with in $old" >&2
	exit 1
fi
if [[ $failed != 0 ]]; then
	echo "compat: the changes above may break what is stored. Take them back, with Fields or Open in the description;" >&2
	echo "compat: or accept one with a line in hack/compat-accepted.txt: file, field, validation, reason" >&2
	exit 1
fi
echo "compat: $compared CRDs break nothing" >&2

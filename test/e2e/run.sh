#!/usr/bin/env bash
# Prepares and runs the end-to-end suite: see "make e2e" and "make e2e-full".
#
#   test/e2e/run.sh [--full] VERSION [flags of the test binary]
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/../.."
full=()
if [[ ${1:-} == --full ]]; then
	full=(--full)
	shift
fi
version=${1:?usage: $0 [--full] VERSION}
shift
(cd test/e2e && GOWORK=off go vet ./... && GOWORK=off go test ./schemas/... && GOWORK=off go test -c -o ../../_output/e2e/e2e.test .) &
tests=$!
previous=$(test/e2e/prepare.sh "${full[@]}" "$version")
previous=${previous#previous=}
wait "$tests"

echo "==> e2e: from $previous to $version${full:+, with containers}" >&2
cd test/e2e
suite=(../../_output/e2e/e2e.test -test.v -test.timeout 30m -bin "$PWD/../../_output/e2e/bin" ${full:+-full} -previous "$previous" -current "$version")
[[ -z ${full:-} && $# == 0 ]] || exec "${suite[@]}" "$@"

# Each process has a network and processes of its own, and waits more than it works: so two run at once.
# What the second prints comes when both have ended.
said=../../_output/e2e/others.log
"${suite[@]}" -test.skip '^TestInstalled$' >"$said" 2>&1 &
others=$!
"${suite[@]}" -test.run '^TestInstalled$' &
installed=$!
trap 'kill "$others" "$installed" 2>/dev/null || true' EXIT
trap 'exit 130' INT TERM
code=0
wait "$installed" || code=$?
wait "$others" || code=$?
cat "$said"
exit "$code"

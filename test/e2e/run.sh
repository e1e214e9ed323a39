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
previous=$(test/e2e/prepare.sh "${full[@]}" "$version")
previous=${previous#previous=}
(cd test/e2e && GOWORK=off go vet ./... && GOWORK=off go test ./schemas/... && GOWORK=off go test -c -o ../../_output/e2e/e2e.test .)

echo "==> e2e: from $previous to $version${full:+, with containers}" >&2
cd test/e2e
exec ../../_output/e2e/e2e.test -test.v -test.timeout 30m -bin "$PWD/../../_output/e2e/bin" ${full:+-full} -previous "$previous" -current "$version" "$@"

#!/usr/bin/env bash
# Looks for known vulnerabilities in what the binaries of a release are built from, the
# provider's and the composition function's, with the pinned govulncheck: make scan. A vulnerability counts where our code can reach
# the vulnerable function; others are listed.
#
#   hack/scan.sh [--db URL] [package...]     packages of the main module, instead of ./cmd/provider
#                                           there and . in functions/dns
#
# The database is https://vuln.go.dev, or --db, or GOVULNDB: an address, or file:// and
# the folder of a mirror (https://vuln.go.dev/vulndb.zip unpacked). It ends with
#
#   0  scanned, nothing found
#   3  scanned, vulnerabilities found
#   4  could not scan: the database cannot be reached or read, or the code does not
#      build. Nothing is known then, so this is a failure too.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

usage() {
	echo "usage: $0 [--db URL] [package...]" >&2
	exit 2
}

db=${GOVULNDB:-https://vuln.go.dev}
case ${1:-} in
--db)
	db=${2:-}
	[[ -n $db ]] || usage
	shift 2
	;;
-*) usage ;;
esac
cannot() {
	echo "scan: could not scan with the database $db: this says nothing about vulnerabilities" >&2
	exit 4
}

# A mirror that is empty, or half of one, would pass everything.
if [[ $db == file://* ]] && ! grep -q '"stdlib"' "${db#file://}/index/modules.json"; then
	cannot
fi
tool=$(hack/tool.sh --path govulncheck) || cannot
# scan FOLDER PACKAGE...: as they are built for release. What is compiled for other
# systems does not count.
found=
scan() {
	local code=0
	CGO_ENABLED=0 GOOS=linux GOWORK=off "$tool" -C "$1" -db "$db" -show version "${@:2}" || code=$?
	case $code in
	0) ;;
	3) found=yes ;;
	*) cannot ;;
	esac
}
if (($#)); then
	scan . "$@"
else
	scan . ./cmd/provider
	scan functions/dns .
fi
if [[ -n $found ]]; then
	echo "scan: vulnerabilities found" >&2
	exit 3
fi
echo "scan: no known vulnerability is reached" >&2

#!/usr/bin/env bash
# Runs a command, and says on stderr every half minute how long it has run: hack/clock.sh NAME COMMAND...
# Ends as the command does.
#
# EVENTS names a file in which gotestsum writes what happens: then it says how many tests have passed, too.
# EVERY is the number of seconds between two lines (default 30).
set -uo pipefail

name=${1:?usage: $0 NAME COMMAND...}
events=${EVENTS:-}
shift
unset EVENTS

# progress ends when its input does.
progress() {
	local passed
	while read -rt "${EVERY:-30}"; (($? > 128)); do
		passed=
		[[ ! -e $events ]] || passed=", $(grep -c '"Action":"pass"' "$events") tests have passed"
		echo "==> $name: $((SECONDS / 60)) min $((SECONDS % 60)) s$passed" >&2
	done
}

code=0
exec {clock}> >(progress >&2)
watch=$!
"$@" {clock}>&- || code=$?
exec {clock}>&-
wait "$watch"
exit "$code"

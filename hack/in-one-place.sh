#!/usr/bin/env bash
# Runs a command in a copy of this checkout that is in the same folder for all of them: hack/in-one-place.sh make lint-go
#
# The linter remembers what it found, and what it learned of the modules below, by content, but with the paths that it saw.
# In one folder its memory serves each clone: most of its time goes into modules that do not change. While another run has
# that folder, and where git has no list of files, the command runs in this checkout, with a memory of its own (see
# hack/tool.sh).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

place=${XDG_CACHE_HOME:-$HOME/.cache}/provider-cloudflare/lint
mkdir -p "$place"
exec 9>"$place/lock" # The command has it, too: it is free when that has ended.
flock -n 9 && git rev-parse --is-inside-work-tree >/dev/null 2>&1 || exec "$@"

rm -rf "$place/tree"
mkdir "$place/tree"
# Not what is deleted, and not yet committed so. What else cannot be read ends this: the command would not see it.
git ls-files -z --deleted | LC_ALL=C sort -zu >"$place/deleted"
git ls-files -z --cached --others --exclude-standard | LC_ALL=C sort -zu | LC_ALL=C comm -z -23 - "$place/deleted" |
	tar -c --null --files-from - | tar -x -C "$place/tree"
export GOLANGCI_LINT_CACHE=$place/memory
cd "$place/tree"
exec "$@"

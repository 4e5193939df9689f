#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Tests the manual pages and completion as they are installed: every option in the sources must be in them, groff must
# not complain about the pages, and bash must complete with them.
#
#   manual_test.sh SOURCE DOVETAIL.1 PART-DUMP.1 LGC.1 COMPLETION
set -euo pipefail
source=$1 dovetail=$2 part_dump=$3 lgc=$4 completion=$5
failed=0
fail() {
  echo "$1"
  failed=$((failed + 1))
}

check_options() { # PAGE SOURCE...
  local page=$1 option count=0
  shift
  for option in $(grep -hoE '"(-[A-Za-z],)?--[a-z][a-z0-9-]*"' "$@" | grep -oE -- '--[a-z0-9-]+' | sort -u); do
    grep -qE -- "^\\\\fB([^ ]*,)?$option\\\\fR" <(sed 's/\\-/-/g' "$page") || fail "$page lacks $option"
    grep -qE -- "[\" ]$option[\" ]" "$completion" || fail "$completion lacks $option"
    count=$((count + 1))
  done
  [ "$count" -ge 5 ] || fail "only $count options are in the sources of $page"
}
check_options "$dovetail" "$source"/tools/programs/dovetail/*_command.cpp "$source"/tools/programs/dovetail/corpus/*_command.cpp
check_options "$part_dump" "$source"/tools/programs/part-dump/*.cpp

grep -qF '\-\-asm[=plain|lines]' "$dovetail" || fail "$dovetail does not say what --asm may be"
for option in $(grep -ohE 'cl::(opt|list)<[^>]*> [A-Za-z]+\("[a-zA-Z-]+"' "$source"/tools/programs/lgc/*.cpp | grep -oE '"[^"]+' | tr -d '"'); do
  [ "${#option}" -eq 1 ] || option=-$option
  grep -qE -- "^\\\\fB-$option[^\\\\]*\\\\fR" <(sed 's/\\-/-/g' "$lgc") || fail "$lgc lacks -$option"
  grep -qE -- "[\" ]-$option[\" ]" "$completion" || fail "$completion lacks -$option"
done
grep -qF 'asm|obj|null' "$lgc" || fail "$lgc does not say what -filetype may be"
! grep -q '{' "$dovetail" "$part_dump" "$lgc" || fail "a page has braces"

if command -v groff > /dev/null; then
  for page in "$dovetail" "$part_dump" "$lgc"; do
    warnings=$(groff -man -ww -Tascii "$page" 2>&1 > /dev/null)
    [ -z "$warnings" ] || fail "$warnings"
  done
fi

complete_words() { # WORD...: prints what bash offers for the last one
  COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
  _dovetail_complete "$1"
  echo "${COMPREPLY[*]}"
}
# shellcheck disable=SC1090
. "$completion"
expect() { # EXPECTED WORD...
  local expected=$1 got
  shift
  got=$(complete_words "$@")
  [ "$got" = "$expected" ] || fail "'$*' is completed to '$got', not to '$expected'"
}
expect "draw" dovetail dr
expect "--monolithic" /usr/bin/dovetail compile --mono
expect "--asm" dovetail compile --as
expect "list" part-dump li
expect "--sort" part-dump list --so
expect "" dovetail compile shader
expect "--emit-llvm" lgc --emit
expect "--extract" lgc --emit-llvm --ext
expect "frag frag.hlsl" dovetail compile --stage fra
expect "gfx803" dovetail compile shader.frag --gpu gfx803
expect "gfx900" lgc -mcpu = gfx900
expect "lgc lgc-pipeline" dovetail compile --emit = lg
expect "opengl" dovetail draw --environment op
expect "unlinked" dovetail draw --mode un
expect "whole,unlinked" dovetail corpus --draw --mode whole,un
expect "optimized" dovetail inspect --code op
expect "bytes" part-dump list --sort by
expect "obj" lgc -filetype = o
expect "plain lines" dovetail compile --asm =
expect "" dovetail compile --asm li
expect "" dovetail compile --stage frag fra

[ "$failed" -eq 0 ] || exit 1
echo "1 passed, 0 failed"

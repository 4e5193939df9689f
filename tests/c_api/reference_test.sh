#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Tests the reference of the C API: its pages have every name of the headers, and a name without a comment is an error,
# and so is a comment that Doxygen does not understand.
#
#   reference_test.sh PAGES MAKE_REFERENCE DOXYGEN DOXYFILE VERSION HEADER...
set -euo pipefail
pages=$1 make_reference=$2
shift 2
command=("$make_reference" "${@:1:3}")
headers=("${@:4}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0

# The names, by means of their own: comments are taken away, and what is left of dovetail's words is public.
code_of() { python3 -c 'import re, sys; print(re.sub(r"/\*.*?\*/", "", sys.stdin.read(), flags=re.S))'; }
cat "${headers[@]}" | code_of | grep -v '#include' | grep -oE '\b(dovetail|DOVETAIL)_\w+' | sort -u > "$work/names"
cat "$pages"/*.html | grep -oE '\b(dovetail|DOVETAIL)_\w+' | sort -u > "$work/shown"
comm -23 "$work/names" "$work/shown" > "$work/missing"
if [ -s "$work/missing" ]; then
  echo "the pages lack $(paste -sd ' ' "$work/missing")"
  exit 1
fi
[ "$(wc -l < "$work/names")" -gt 300 ]
passed=$((passed + 1))

# The form for Doxygen differs in comments alone, and has the same lines, so that warnings name the right ones.
for header in "${headers[@]}"; do
  "$make_reference" --mark "$header" > "$work/marked.h"
  cmp <(code_of < "$header" | tr -d ' \n') <(code_of < "$work/marked.h" | tr -d ' \n')
  grep -n ';' "$header" | cut -d: -f1 | cmp - <(grep -n ';' "$work/marked.h" | cut -d: -f1)
done
passed=$((passed + 1))

change() { # SED FILE: changes a copy of a header
  sed "$1" "$work/headers/$2" > "$work/changed"
  if cmp -s "$work/changed" "$work/headers/$2"; then
    echo "$1 changes nothing in $2"
    exit 1
  fi
  mv "$work/changed" "$work/headers/$2"
}
refuse() { # WORDS...: the changed headers are refused with these words
  if "${command[@]}" "$work/pages" "$work/headers"/*.h 2> "$work/errors"; then
    echo "taken without $*"
    exit 1
  fi
  local words
  for words in "$@"; do
    grep -qF -- "$words" "$work/errors" || { cat "$work/errors"; exit 1; }
  done
  passed=$((passed + 1))
}
mkdir "$work/headers"
cp "${headers[@]}" "$work/headers"
change 's|\(DOVETAIL_BIND_KNOWN = 2, *\)/\*.*|\1|' dovetail_variant.h
refuse 'DOVETAIL_BIND_KNOWN has no comment'
change '/The number of GPUs that/d' dovetail_device.h
change '/dovetail_code_place::part: there is none/d' dovetail_variant.h
change 's|\(  uint32_t set; *\)/\*.*|\1|' dovetail_shader.h
change 's|Thread-safe\. \*/|@threadsafe */|' dovetail_state.h
refuse dovetail_gpu_count DOVETAIL_NO_PART 'Member set (variable) of struct dovetail_layout_node' 'unknown command'
echo "$passed passed, 0 failed"

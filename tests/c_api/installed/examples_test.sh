#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Builds the examples of docs/examples against an installed Dovetail, each with Meson and with CMake and each without a
# warning. Runs them, and runs the commands that their document shows.
#
#   examples_test.sh BUILD SOURCE
set -euo pipefail
build=$1 source=$2
# shellcheck source=tests/c_api/installed/installed_tree.sh
. "$source/tests/c_api/installed/installed_tree.sh"
# Copies, so that they cannot reach the source tree.
mkdir "$root/docs"
cp -r "$source/docs/examples" "$root/docs"
cd "$root"

quietly() { "$@" > log 2>&1 || { cat log; exit 1; }; }
for language in c cpp; do
  echo "$language"
  quietly meson setup --werror "meson-$language" "docs/examples/$language"
  quietly ninja -C "meson-$language"
  # CMake finds the package by itself. Its component cpp looks for the .pc file beside the package.
  quietly env -u PKG_CONFIG_PATH cmake -S "docs/examples/$language" -B "cmake-$language" -DCMAKE_PREFIX_PATH="$prefix" \
    -DCMAKE_C_FLAGS="-Wall -Wextra -Werror" -DCMAKE_CXX_FLAGS="-Wall -Wextra -Werror"
  quietly cmake --build "cmake-$language"
  for gpu in gfx900 gfx803; do
    "meson-$language/example" $gpu > meson.txt
    "cmake-$language/example" $gpu | cmp - meson.txt
  done
done
for part in vs.vertex_prolog vs.vertex_main ps.fragment_main ps.fragment_epilog; do
  meson-c/example | grep -q -- "----- $part at 0x" || { echo "the C example does not show $part"; exit 1; }
done
if meson-c/example gfx000 2> error.txt; then exit 1; fi
grep -q gfx900 error.txt

echo "a version that is too new, and a component that there is none of"
sed 's/find_package(dovetail /&99.0 /' docs/examples/c/CMakeLists.txt > CMakeLists.txt
if cmake -S . -B new -DCMAKE_PREFIX_PATH="$prefix" > log 2>&1; then exit 1; fi
grep -q 'version: 0' log
sed 's/find_package(dovetail /&COMPONENTS rust /' docs/examples/c/CMakeLists.txt > CMakeLists.txt
if cmake -S . -B rust -DCMAKE_PREFIX_PATH="$prefix" > log 2>&1; then exit 1; fi
grep -q 'dovetail has no component rust' log

CMAKE_PREFIX_PATH=$prefix python3 "$source/tests/tools/check_shown.py" "$source/docs/examples/README.md" .

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
meson-c/example > shown.txt
for part in vs.vertex_prolog vs.vertex_main ps.fragment_main ps.fragment_epilog; do
  grep -q -- "----- $part at 0x" shown.txt || { echo "the C example does not show $part"; exit 1; }
done
if meson-c/example gfx000 2> error.txt; then exit 1; fi
grep -q gfx900 error.txt

echo "versions and components"
find_package() { # ARGUMENT: whether CMake finds the package
  printf 'cmake_minimum_required(VERSION 3.18)\nproject(find C)\nfind_package(dovetail %s REQUIRED)\n' "$1" > CMakeLists.txt
  cmake -S . -B find -DCMAKE_PREFIX_PATH="$prefix" > log 2>&1
}
version=$(pkg-config --modversion dovetail)
for argument in "$version EXACT" "${version%.*}"; do
  find_package "$argument" || { cat log; exit 1; }
done
# No program needs an older minor version, and a newer patch version may have what an older one lacks.
for argument in "${version%.*}.99" 0.1 1.0 99.0; do
  if find_package "$argument"; then echo "CMake finds version $argument"; exit 1; fi
  grep -q "version: $version" log
done
if find_package "COMPONENTS rust"; then exit 1; fi
grep -q 'dovetail has no component rust' log

CMAKE_PREFIX_PATH=$prefix python3 "$source/tests/tools/check_shown.py" "$source/docs/examples/README.md" .

#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Dovetail as it is installed, found by pkg-config alone: installs a build into a temporary folder, compiles the headers
# strictly as C and as C++, and compiles and runs the C example with the shared library, with the static one, and the C++
# example.
#
#   installed_test.sh BUILD SOURCE VERTEX.spv FRAGMENT.spv
set -euo pipefail
build=$1 source=$2 vertex=$(realpath "$3") fragment=$(realpath "$4") # meson gives the last two relative to the build folder
CC=${CC:-cc} CXX=${CXX:-c++}

root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
meson install -C "$build" --no-rebuild --quiet --destdir "$root"
pc=$(dirname "$(find "$root" -name dovetail.pc)")
PKG_CONFIG_PATH=$pc
export PKG_CONFIG_PATH
prefix=$root$(pkg-config --variable=prefix dovetail)
flags() { pkg-config --define-variable=prefix="$prefix" "$@"; }
libraries=$(flags --variable=libdir dovetail)

cd "$root"
echo "headers"
cat > headers.c <<'END'
#include <dovetail_emulator.h>
extern dovetail_pipeline_state state;
dovetail_pipeline_state state = DOVETAIL_PIPELINE_STATE_INIT;
extern dovetail_emulator_draw_description draw;
dovetail_emulator_draw_description draw = DOVETAIL_EMULATOR_DRAW_INIT;
END
cp headers.c headers.cpp
strict=(-pedantic -Wall -Wextra -Wconversion -Wshadow -Werror -fsyntax-only)
for compiler in "$CC" clang; do
  command -v "${compiler%% *}" > /dev/null || continue
  $compiler -std=c99 -Wstrict-prototypes "${strict[@]}" headers.c $(flags --cflags dovetail-emulator)
done
for compiler in "$CXX" clang++; do
  command -v "${compiler%% *}" > /dev/null || continue
  $compiler -std=c++11 "${strict[@]}" headers.cpp $(flags --cflags dovetail-emulator)
done

echo "C, shared"
$CC -std=c99 -pedantic -Wall -Wextra -Werror "$source/tests/c_api/example.c" $(flags --cflags --libs dovetail) -o shared
LD_LIBRARY_PATH=$libraries ./shared gfx900 "$vertex" "$fragment" > shared.txt
grep -q 'bytes of code' shared.txt
readelf -d shared | grep -q 'libdovetail.so.0'
# The shared library brings what it needs.
test "$(readelf -d shared | grep -c NEEDED)" -le 2

echo "C, static"
mkdir archive
cp "$libraries/libdovetail.a" archive
$CC -std=c99 "$source/tests/c_api/example.c" -Larchive $(flags --static --cflags --libs dovetail | sed "s#-L$libraries##") -o static
! readelf -d static | grep -q 'libdovetail'
./static gfx900 "$vertex" "$fragment" > static.txt
cmp shared.txt static.txt

echo "C++"
$CXX -std=gnu++20 "$source/tests/c_api/example.cpp" $(flags --cflags --libs dovetail-cpp) -o cpp
! readelf -d cpp | grep -q 'libdovetail'
./cpp gfx900 "$vertex" "$fragment" > cpp.txt
test "$(cut -d, -f1 shared.txt | head -1)" = "$(cat cpp.txt)"

echo "errors are told, and the program goes on"
if LD_LIBRARY_PATH=$libraries ./shared gfx000 "$vertex" "$fragment" 2> error.txt; then exit 1; fi
grep -q gfx900 error.txt
echo "1 passed, 0 failed"

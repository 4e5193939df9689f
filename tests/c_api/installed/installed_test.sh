#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Tests Dovetail as it is installed, found by pkg-config alone and without LLVM's headers. Compiles the headers strictly
# as C and as C++, links the examples with the shared library and with the static one, and runs them and the programs.
#
#   installed_test.sh BUILD SOURCE VERTEX.spv FRAGMENT.spv
set -euo pipefail
build=$1 source=$2 vertex=$(realpath "$3") fragment=$(realpath "$4") # meson gives the last two relative to the build folder
CC=${CC:-cc} CXX=${CXX:-c++}

# shellcheck source=tests/c_api/installed/installed_tree.sh
. "$source/tests/c_api/installed/installed_tree.sh"
flags() { pkg-config "$@"; }
libraries=$(flags --variable=libdir dovetail)
examples=$source/docs/examples

cd "$root"
echo "headers"
cat > headers.c <<'END'
#include <dovetail/dovetail_emulator.h>
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

echo "shaders of the examples"
for shader in "$examples"/*/*.vert "$examples"/*/*.frag; do
  name=$(basename "$shader" | tr . _)
  glslangValidator -V --quiet --vn "$name" -o "$name.h" "$shader"
done

echo "C, shared"
$CC -std=c99 -pedantic -Wall -Wextra -Werror -I. "$examples/c/example.c" $(flags --cflags --libs dovetail) -o shared
LD_LIBRARY_PATH=$libraries ./shared gfx900 > shared.txt
grep -q 'bytes of code' shared.txt
readelf -d shared | grep -F '[libdovetail.so.0.2]' > /dev/null
# The shared library brings its own dependencies; the program must not name them.
test "$(readelf -d shared | grep -c NEEDED)" -le 2

echo "C, static"
mkdir archive
cp "$libraries/libdovetail.a" archive
$CC -std=c99 -I. "$examples/c/example.c" -Larchive $(flags --static --cflags --libs dovetail | sed "s#-L$libraries##") -o static
if readelf -d static | grep 'libdovetail' > /dev/null; then exit 1; fi
./static gfx900 > static.txt
cmp shared.txt static.txt

echo "a driver with a cache of its own, in C"
$CC -std=c11 -pedantic -Wall -Wextra -Werror "$source/tests/c_api/installed/driver_cache.c" $(flags --cflags --libs dovetail) -o driver_cache
mkdir parts
for run in first second; do
  LD_LIBRARY_PATH=$libraries ./driver_cache gfx900 "$vertex" "$fragment" parts > driver_$run.txt
done
count=$(ls parts | wc -l)
test "$count" -gt 2
test "$(sed -n 2p driver_first.txt | cut -d, -f1,2)" = "$count put, 0 found"
test "$(sed -n 2p driver_second.txt)" = "0 put, $count found, 0 compiled"
test "$(head -1 driver_first.txt)" = "$(head -1 driver_second.txt)"

echo "a Meson project of which Dovetail is a subproject"
# The project is only configured: to build it would build the whole library again. It has the targets of the library,
# and no tests or tools.
mkdir -p meson/subprojects
ln -s "$source" meson/subprojects/dovetail
cp "$examples/c/example.c" "$examples/cpp/example.cpp" meson
cat > meson/meson.build <<'END'
project('user', ['c', 'cpp'], default_options: ['cpp_std=gnu++20', 'warning_level=2'])
executable('c_user', 'example.c', dependencies: dependency('dovetail', fallback: 'dovetail'))
executable('cpp_user', 'example.cpp', dependencies: dependency('dovetail-cpp', fallback: 'dovetail'))
END
env -u PKG_CONFIG_PATH meson setup --force-fallback-for=dovetail,dovetail-cpp meson/build meson > meson.log || { cat meson.log; exit 1; }
ninja -C meson/build -t query cpp_user | grep 'libdovetail\.a' > /dev/null
if ninja -C meson/build -t targets all | grep 'tests/\|tools/' > /dev/null; then exit 1; fi

echo "C++"
# These flags must not lead to LLVM's headers.
echo '#include <llvm/IR/Module.h>' > llvm.cpp
if $CXX -std=gnu++20 -fsyntax-only llvm.cpp $(flags --cflags dovetail-cpp) 2> /dev/null; then exit 1; fi
$CXX -std=gnu++20 -I. "$examples/cpp/example.cpp" $(flags --cflags --libs dovetail-cpp) -o cpp
if readelf -d cpp | grep 'libdovetail' > /dev/null; then exit 1; fi
./cpp gfx900 > cpp.txt
grep -q '^a later draw: optimised variant' cpp.txt
# pkg-config gives the archive, with --static and without.
$CXX -std=gnu++20 -I. "$examples/cpp/example.cpp" $(flags --static --cflags --libs dovetail-cpp) -o cpp_static
if readelf -d cpp_static | grep 'libdovetail' > /dev/null; then exit 1; fi

echo "a front end of somebody else's"
mkdir front_end
cp "$source/tests/c_api/installed/front_end.cpp" front_end
cat > front_end/CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.13)
project(front_end CXX)
set(CMAKE_CXX_STANDARD 20)
find_package(dovetail-lgc REQUIRED)
add_executable(front_end front_end.cpp)
target_link_libraries(front_end dovetail::lgc)
END
{ cmake -S front_end -B front_end/build -DCMAKE_PREFIX_PATH="$prefix" && cmake --build front_end/build; } > cmake.log || { cat cmake.log; exit 1; }
front_end/build/front_end gfx900 0.5 1 0.25 pipeline.elf
# The same with pkg-config.
$CXX -std=gnu++20 "$source/tests/c_api/installed/front_end.cpp" $(flags --cflags --libs dovetail-lgc) -o front_end_pc
./front_end_pc gfx900 0.5 1 0.25 pipeline_pc.elf
cmp pipeline.elf pipeline_pc.elf
# The pipeline ELF draws in the place of shaders with the same outputs.
cat > same.vert <<'END'
#version 450
void main() { gl_Position = vec4(0); }
END
cat > same.frag <<'END'
#version 450
layout(location = 0) out vec4 color;
void main() { color = vec4(0); }
END
glslangValidator -V same.vert -o vertex.spv > glslang.log && glslangValidator -V same.frag -o fragment.spv >> glslang.log
$CC -std=c99 -pedantic -Wall -Wextra -Werror "$source/tests/c_api/installed/draw_elf.c" $(flags --cflags --libs dovetail-emulator) -o draw_elf
LD_LIBRARY_PATH=$libraries ./draw_elf gfx900 pipeline.elf vertex.spv fragment.spv > pixels.txt
# Half of the colour: 0.25 * 255, 0.5 * 255 and 0.125 * 255, rounded.
echo "64 128 32 255" | cmp - pixels.txt

echo "programs"

"$prefix/bin/dovetail" draw --compare --size 8x8 "$source"/tests/c_api/shaders/textured.{vert,frag} > drawn.txt
grep -q lavapipe drawn.txt
"$prefix/bin/part-dump" --help > help.txt

echo "errors are told, and the program goes on"
if LD_LIBRARY_PATH=$libraries ./shared gfx000 2> error.txt; then exit 1; fi
grep -q gfx900 error.txt
echo "1 passed, 0 failed"

#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Tests tools/package with a finished build: unpacks the packages into an empty folder, builds an example there, and
# looks for each library that a file needs.
#
#   package_test.sh BUILD SOURCE
set -euo pipefail
build=$1 source=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
passed=0
fail() {
  echo "$*"
  exit 1
}
quietly() { "$@" > log 2>&1 || { cat log; fail "failed: $*"; }; }

# Packages compress as well as they can, which takes longer than all else.
export DPKG_DEB_COMPRESSOR_TYPE=gzip DPKG_DEB_COMPRESSOR_LEVEL=1
quietly "$source/tools/package" --build "$build" --no-build --output first
(umask 077 && TZ=Asia/Tokyo quietly "$source/tools/package" --build "$build" --no-build --output second)
diff -r first second
passed=$((passed + 1))

version=$(sed -n "s/^  version: '\(.*\)',/\1/p" "$source/meson.build")
runtime=libdovetail${version%.*}
mkdir alone
packages=("$runtime" libdovetail-dev dovetail-tools dovetail-layer)
[ "$(cd first && ls)" = "$(printf '%s\n' "${packages[@]/%/_${version}_$(dpkg --print-architecture).deb}" | sort)" ] || fail "packages: $(ls first)"
for package in "${packages[@]}"; do
  dpkg-deb -x first/"$package"_* root
  dpkg-deb -x first/"$package"_* "alone/$package"
  (cd "alone/$package" && find . ! -type d -printf '%P\n' | sort) > "$package.files"
  dpkg-deb -c first/"$package"_* | awk '$2 != "root/root"' > foreign
  [ ! -s foreign ] || fail "$package has files of others: $(cat foreign)"
  dpkg-deb --ctrl-tarfile first/"$package"_* | tar -xO ./md5sums | (cd root && md5sum --quiet -c)
done
[ -z "$(sort ./*.files | uniq -d)" ] || fail "files in two packages: $(sort ./*.files | uniq -d)"
passed=$((passed + 1))

has() { # PACKAGE PATH...: files, with * for any characters
  local package=$1 path
  shift
  for path in "$@"; do
    compgen -G "alone/$package/usr/$path" > /dev/null || fail "$package has no $path"
  done
}
has "$runtime" "lib/*/libdovetail.so.${version%.*}" "lib/*/libdovetail.so.$version" "lib/*/libdovetail-emulator.so.${version%.*}"
has libdovetail-dev include/dovetail/dovetail.h include/dovetail/variants/bind/binder.h include/dovetail-lgc/builder.h \
  'lib/*/libdovetail.so' 'lib/*/libdovetail.a' 'lib/*/pkgconfig/dovetail.pc' 'lib/*/cmake/dovetail/dovetailConfig.cmake'
! command -v doxygen > /dev/null || has libdovetail-dev share/doc/dovetail/reference/index.html
has dovetail-tools bin/dovetail bin/part-dump bin/lgc share/man/man1/dovetail.1.gz libexec/dovetail/lavapipe-reference
has dovetail-layer 'lib/*/libVkLayer_dovetail_shadow.so' share/vulkan/explicit_layer.d/VkLayer_dovetail_shadow.json
! grep -rlI /usr/local root || fail "a file knows the build's prefix"
passed=$((passed + 1))

# Each library that a file needs is in the package, or in one that the package depends on.
library_folder=$(dirname "$(find root -name "libdovetail.so.$version")")
for package in "${packages[@]}"; do
  depends=$(dpkg-deb -f first/"$package"_* Depends | tr ',' '\n' | awk '{ print $1 }')
  for name in $(find "alone/$package" -type f ! -name '*.a' -exec readelf -d {} + 2> /dev/null | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' | sort -u); do
    if [ -e "$library_folder/$name" ]; then
      owner=$(cd alone && ls -d ./*/"${library_folder#root/}/$name" | cut -d/ -f2)
    else
      path=$(ldconfig -p | sed -n "s/^\t$name (.*x86-64.*) => //p" | head -1)
      path=$(realpath "$path")
      # /lib is a link to /usr/lib, and packages have files in either.
      owner=$({ dpkg -S "$path" "${path#/usr}" 2> /dev/null || true; } | cut -d: -f1)
      [ -n "$owner" ] || fail "no package has $path"
    fi
    [ "$owner" = "$package" ] || grep -qx "$owner" <<< "$depends" || fail "$package needs $name of $owner, and does not depend on it"
  done
done
dpkg-deb -f first/libdovetail-dev_* Depends | grep -qF "$runtime (= $version)"
passed=$((passed + 1))

echo "examples, built in the unpacked tree with pkg-config, and with CMake"
for shader in triangle.vert triangle.frag; do
  glslangValidator -V --quiet --vn "${shader/./_}" -o "${shader/./_}.h" "$source/docs/examples/c/$shader"
done
export PKG_CONFIG_PATH=$work/$library_folder/pkgconfig
read -r -a flags < <(pkg-config --cflags --libs dovetail)
"${CC:-cc}" -std=c99 -I. "$source/docs/examples/c/example.c" "${flags[@]}" -o c
LD_LIBRARY_PATH=$library_folder ./c > c.txt
grep -q vs.vertex_prolog c.txt
passed=$((passed + 1))
quietly env -u PKG_CONFIG_PATH cmake -S "$source/docs/examples/cpp" -B cpp -DCMAKE_PREFIX_PATH="$work/root/usr"
quietly cmake --build cpp
cpp/example > cpp.txt
grep -q 'optimised variant' cpp.txt
passed=$((passed + 1))

echo "programs and the layer"
[ "$(root/usr/bin/dovetail --version | cut -d' ' -f1,2)" = "dovetail $version" ]
root/usr/bin/dovetail draw --compare --size 8x8 "$source"/docs/examples/c/triangle.{vert,frag} > drawn.txt
grep -qx match drawn.txt
manifest=$(find root -name VkLayer_dovetail_shadow.json)
layer=$(dirname "$manifest")/$(python3 -c 'import json, sys; print(json.load(sys.stdin)["layer"]["library_path"])' < "$manifest")
[ -f "$layer" ] || fail "the layer's manifest names $layer, which is not there"
! LD_LIBRARY_PATH=$library_folder ldd "$layer" | grep 'not found' || fail "the layer lacks libraries"
passed=$((passed + 1))

refuse() { # WORDS OPTION...: tools/package fails with these words
  local words=$1
  shift
  if "$source/tools/package" "$@" > log 2>&1; then fail "tools/package $* succeeds"; fi
  grep -qF -- "$words" log || { cat log; fail "tools/package $* does not say: $words"; }
}
refuse "there is no option '--frob'" --frob
refuse "--output wants a folder" --output
refuse "nowhere is no build folder" --build nowhere --no-build
STRIP=no-strip refuse "there is no no-strip; Debian's package binutils has it" --build "$build" --no-build
"$source/tools/package" --help | grep -q '^usage: tools/package'
passed=$((passed + 1))
echo "$passed passed, 0 failed"

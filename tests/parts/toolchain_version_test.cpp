// SPDX-License-Identifier: MIT
#include "parts/compile/key_bytes.h"
#include "parts/compile/toolchain_version.h"
#include "parts/kinds/around/geometry_prolog.h"
#include <algorithm>
#include <doctest/doctest.h>
#include <llvm/Config/llvm-config.h>

using namespace dovetail;

TEST_CASE("LLVM is known by the build id of its library") {
  std::string id = llvmBuildId();
  // Debian's libraries have a build id: a SHA-1.
  CHECK(id.size() == 40);
  CHECK(std::ranges::all_of(id, [](unsigned char digit) { return std::isxdigit(digit); }));
  CHECK(id != LLVM_VERSION_STRING);
  CHECK(id == llvmBuildId());
}

TEST_CASE("the toolchain is in a key's hash, and always the same one") {
  const GeometryPrologKey key = {"gfx900", 8};
  CHECK((hashKey(key) == hashKey(key)));
  CHECK((hashKey(key) != FieldWriter().addText("GeometryPrologKey").add(key).hash()));
}

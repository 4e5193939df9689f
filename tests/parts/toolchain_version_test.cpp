// SPDX-License-Identifier: MIT
#include "parts/compile/llvm_build_id.h"
#include "parts/compile/toolchain_version.h"
#include <algorithm>
#include <doctest/doctest.h>
#include <llvm/Config/llvm-config.h>

using namespace dovetail;

TEST_CASE("LLVM is known by the build id of its library") {
  std::string id = llvmBuildId();
  // Debian's libraries have one: a SHA-1.
  CHECK(id.size() == 40);
  CHECK(std::ranges::all_of(id, [](unsigned char digit) { return std::isxdigit(digit); }));
  CHECK(id != LLVM_VERSION_STRING);
  CHECK(id == llvmBuildId());
}

TEST_CASE("the toolchain changes a hash, and always in the same way") {
  auto hash = [](bool withToolchain) {
    Hasher hasher;
    hasher.add(1);
    if (withToolchain)
      addToolchainVersion(hasher);
    return hasher.finish();
  };
  CHECK((hash(true) == hash(true)));
  CHECK((hash(true) != hash(false)));
}

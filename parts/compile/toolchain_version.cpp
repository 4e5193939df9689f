// SPDX-License-Identifier: MIT
#include "parts/compile/toolchain_version.h"
#include "parts/compile/llvm_build_id.h"
#include <llvm/Config/llvm-config.h>

namespace dovetail {

namespace {

// make_build_id.py makes it from the sources of everything that makes code.
constexpr std::string_view BuildId =
#include "build_id.inc"
    ;

Hash128 makeToolchainVersion() {
  Hasher hasher;
  hasher.add(std::string_view(DOVETAIL_VERSION)).add(BuildId);
  hasher.add(std::string_view(LLVM_VERSION_STRING)).add(llvmBuildId());
  return hasher.finish();
}

} // namespace

std::string_view dovetailVersion() {
  return DOVETAIL_VERSION;
}

std::string_view llvmVersion() {
  return LLVM_VERSION_STRING;
}

const Hash128 &toolchainVersion() {
  static const Hash128 version = makeToolchainVersion();
  return version;
}

} // namespace dovetail

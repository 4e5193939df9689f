// SPDX-License-Identifier: MIT
#include "parts/toolchain_version.h"
#include <llvm/Config/llvm-config.h>

namespace dovetail {

void addToolchainVersion(Hasher &hasher) {
  hasher.add(std::string_view(DOVETAIL_VERSION)).add(std::string_view(LLVM_VERSION_STRING));
}

} // namespace dovetail

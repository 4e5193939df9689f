// SPDX-License-Identifier: MIT
#pragma once

#include "src/spirv/translate/translator.h"

namespace dovetail::spirv {

// A vector or scalar of an output variable.
struct Translator::OutputLeaf {
  unsigned number = 0;        // index into Variable::writtenMasks
  std::vector<uint32_t> path; // indices from the variable's type down to the leaf
  const TypeInfo *type = nullptr;
  InterfacePlace place; // its location or built-in
};

} // namespace dovetail::spirv

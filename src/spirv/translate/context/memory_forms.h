// SPDX-License-Identifier: MIT
//
// Converts a value between its SSA form and its form in memory, which differ in bools (i1 and i32). Types without bools
// have one form, so nearly all values need no conversion.
#pragma once

#include "src/lgc/builder/builder.h"
#include "src/spirv/translate/context/type_table.h"

namespace dovetail::spirv {

class MemoryForms {
public:
  MemoryForms(const TypeTable &types, lgc::Builder &builder) : m_types(types), m_builder(builder) {}

  // Constants stay constants.
  llvm::Value *toMemory(const TypeInfo &type, llvm::Value *value);
  llvm::Value *toValue(const TypeInfo &type, llvm::Value *value);

private:
  const TypeTable &m_types;
  lgc::Builder &m_builder;
};

} // namespace dovetail::spirv

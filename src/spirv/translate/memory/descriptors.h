// SPDX-License-Identifier: MIT
//
// Images and samplers as values, which are descriptors. They are loaded from resources, or from a function's memory:
// front ends write variables of images when they pass images by value, for example for HLSL before it is legalised.
#pragma once

#include "src/spirv/translate/context/context.h"

namespace dovetail::spirv {

class Descriptors {
public:
  explicit Descriptors(Context &context) : m_context(context), m_builder(context.builder) {}

  // Loads an image, a sampler or both, as the type has them. Error: Unsupported if the pointer does not point to one.
  Result<ImageValue> load(const Instruction &inst, const Pointer &from, uint32_t typeId);
  // Stores to a function's memory. Descriptors do not change while a shader runs.
  void store(const Pointer &to, const ImageValue &image);
  // An undefined image: its descriptors are zeros.
  ImageValue null(const TypeInfo &type) const;
  // The descriptors in the order image, FMASK, sampler, as far as the value has them.
  static llvm::SmallVector<llvm::Value **, 3> partsOf(ImageValue &image);

private:
  ImageValue loadFromMemory(const Pointer &from);

  Context &m_context;
  lgc::Builder &m_builder;
};

} // namespace dovetail::spirv

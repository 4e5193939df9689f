// SPDX-License-Identifier: MIT
//
// Reads inputs, and outputs of control shaders, which are read back in the same way. A read takes the vectors and
// scalars below the place that an access chain has come to.
#pragma once

#include "src/spirv/translate/interface/interface_places.h"

namespace dovetail::spirv {

// Errors are Unsupported.
class Inputs {
public:
  Inputs(Context &context, const InterfacePlaces &places)
      : m_context(context), m_builder(context.builder), m_places(places) {}

  Result<llvm::Value *> read(const Instruction &inst, const Pointer &from);
  // A fragment input, evaluated at another place than it is declared for: interpolateAt*. aux as InterpLocation says,
  // or nullptr.
  Result<llvm::Value *> readAt(const Instruction &inst, const Pointer &from, lgc::InterpLocation location,
                               llvm::Value *aux);
  // A fragment input's value at one of the primitive's vertices.
  Result<llvm::Value *> readOfVertex(const Instruction &inst, const Pointer &from, uint64_t vertex);

private:
  Result<llvm::Value *> read(const Instruction &inst, const TypeInfo &type, const InterfacePlace &place,
                             llvm::Value *aux);
  Result<llvm::Value *> readLeaf(const Instruction &inst, const TypeInfo &type, const InterfacePlace &place,
                                 llvm::Value *aux);

  Context &m_context;
  lgc::Builder &m_builder;
  const InterfacePlaces &m_places;
};

} // namespace dovetail::spirv

// SPDX-License-Identifier: MIT
//
// Places in the shader interface: the location or built-in of an input or output, and how it changes on the way into
// structures, arrays and vectors.
#pragma once

#include "src/spirv/translate/context/context.h"

namespace dovetail::spirv {

struct InterfacePart {
  const TypeInfo &type;
  InterfacePlace place;
};

// Errors are Unsupported, for built-ins that no shader of ours has and for indices that do not name a place.
class InterfacePlaces {
public:
  explicit InterfacePlaces(Context &context) : m_context(context), m_builder(context.builder) {}

  // The place of a variable, for error texts in an instruction.
  Result<InterfacePlace> of(const Instruction &inst, uint32_t variable) const;
  // Goes one index (i32) deeper, in a pointer to an input or to an output of a control shader.
  Result<void> step(const Instruction &inst, Pointer &pointer, llvm::Value *index);

  // Part `number` of a value (TypeInfo::partCount), if `place` is that of the whole.
  Result<InterfacePart> part(const Instruction &inst, const TypeInfo &whole, const InterfacePlace &place,
                             uint32_t number) const;

  // The locations that a value at the place may take, for the Builder's operations.
  llvm::Value *locationOffset(const InterfacePlace &place) const;
  unsigned locationCount(const InterfacePlace &place, const TypeInfo &type) const;

private:
  Result<void> enterMember(const Instruction &inst, const TypeInfo &structure, uint32_t member,
                           InterfacePlace &place) const;
  Result<void> decorate(const Instruction &inst, std::span<const DecorationInstance> decorations,
                        InterfacePlace &place) const;

  Context &m_context;
  lgc::Builder &m_builder;
};

} // namespace dovetail::spirv

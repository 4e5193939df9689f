// SPDX-License-Identifier: MIT
//
// Outputs of tessellation control shaders. All invocations of a patch see them, so they cannot be allocas: each load
// and store happens at once. A store writes exactly the components that it names, because another invocation may have
// written the neighbours in the meantime. Also, components that are never read back then need no LDS.
#pragma once

#include "src/spirv/translate/interface/interface_places.h"

namespace dovetail::spirv {

// Errors are Unsupported.
class SharedOutputs {
public:
  SharedOutputs(Context &context, const InterfacePlaces &places)
      : m_context(context), m_builder(context.builder), m_places(places) {}

  Result<void> write(const Instruction &inst, const Pointer &to, llvm::Value *value) {
    return write(inst, m_context.type(to.pointee), to.place, value);
  }
  // Each invocation initializes its own vertex, and all of them initialize the outputs of the patch, with equal values.
  // A barrier must follow behind all initializers.
  Result<void> initialize(const Instruction &inst, const Pointer &pointer, llvm::Value *value);
  bool hasInitializers() const { return m_hasInitializers; }

private:
  Result<void> write(const Instruction &inst, const TypeInfo &type, const InterfacePlace &place, llvm::Value *value);
  Result<void> writeComponent(const Instruction &inst, const InterfacePlace &place, llvm::Value *value);
  void writeScalar(const InterfacePlace &place, uint32_t component, llvm::Value *value);

  Context &m_context;
  lgc::Builder &m_builder;
  const InterfacePlaces &m_places;
  bool m_hasInitializers = false;
};

} // namespace dovetail::spirv

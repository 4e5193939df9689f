// SPDX-License-Identifier: MIT
#include "src/spirv/translate/memory/operands.h"

namespace dovetail::spirv {

Result<llvm::Value *> Operands::value(const Instruction &inst, uint32_t id) {
  const IdValue *bound = m_context.values.find(id);
  if (bound && bound->value)
    return bound->value;
  if (bound && bound->pointer)
    return m_pointers.toValue(inst, *bound->pointer);
  if (bound && bound->composite) {
    const std::shared_ptr<const Pointer> memory = bound->composite;
    return m_memory.load(inst, *memory);
  }
  return unsupported(inst, fmt::format("operand %{} has no value here", id));
}

Result<Pointer> Operands::pointer(const Instruction &inst, uint32_t id) {
  const IdValue *bound = m_context.values.find(id);
  if (bound && bound->pointer)
    return *bound->pointer;
  if (bound && bound->value) {
    Pointer pointer = DOVETAIL_TRY(m_pointers.fromValue(inst, bound->value, m_context.values.typeIdOf(id)));
    pointer.flags |= m_context.resourceFlags(id);
    return pointer;
  }
  return unsupported(inst, fmt::format("operand %{} is not a pointer that is known here", id));
}

Result<ImageValue> Operands::image(const Instruction &inst, uint32_t id) {
  const IdValue *bound = m_context.values.find(id);
  if (bound && bound->image)
    return *bound->image;
  return unsupported(inst, fmt::format("operand %{} is not an image or sampler that is known here", id));
}

} // namespace dovetail::spirv

// SPDX-License-Identifier: MIT
//
// Images and samplers that a function has in variables, and arrays of them as values: what a front end writes that
// passes them by value, as for HLSL before it is legalised. They have no form in memory. Nothing changes a descriptor
// while a shader runs, so the value of an array is the place that it was loaded from, and a variable that is stored to
// once stands for what was stored.
#include "src/spirv/translate/translator.h"
#include <algorithm>
#include <llvm/IR/Constants.h>

namespace dovetail::spirv {

bool Translator::isOpaqueArray(const TypeInfo &info) const {
  const TypeInfo *innermost = &info;
  while (innermost->kind == TypeKind::Array)
    innermost = &type(innermost->element);
  return info.kind == TypeKind::Array && isOpaque(*innermost);
}

Result<void> Translator::extractResource(const Instruction &inst, Pointer array) {
  for (uint32_t index : inst.operands.subspan(1)) {
    const TypeInfo &info = type(array.pointee);
    array.offset = numberedThrough(array.offset, info.count, m_builder.getInt32(index));
    array.pointee = info.element;
  }
  if (isOpaqueArray(type(array.pointee))) {
    setComposite(inst, std::move(array));
    return {};
  }
  const ImageValue image = DOVETAIL_TRY(loadResource(inst, array, array.pointee));
  setImage(inst, image);
  return {};
}

// Until something is stored to it, it is a pointer that nothing can be loaded through.
Result<void> Translator::translateOpaqueVariable(const Instruction &inst) {
  unsigned stores = 0;
  for (const Block &block : m_scope->function->blocks)
    stores += static_cast<unsigned>(std::ranges::count_if(block.instructions, [&](const Instruction &other) {
      return other.opcode == spv::Op::OpStore && other.operand(0) == inst.result;
    }));
  if (stores > 1 || inst.operandCount() > 1)
    return unsupported(inst, "a variable of this opaque type that is written several times is not supported");
  m_scope->opaqueVariables.insert(inst.result);
  Pointer nothing;
  nothing.kind = Pointer::Kind::ImageTexel;
  nothing.pointee = resultType(inst).element;
  setPointer(inst, std::move(nothing));
  return {};
}

// The variable is known from here on, also in blocks that do not lie behind this one.
Result<void> Translator::storeOpaque(const Instruction &inst) {
  const IdValue *stored = find(inst.operand(1));
  if (stored && stored->composite &&
      (!stored->composite->offset || llvm::isa<llvm::Constant>(stored->composite->offset))) {
    const std::shared_ptr<const Pointer> array = stored->composite; // the table of ids may move
    bind(inst.operand(0), {nullptr, array, nullptr, nullptr});
    return {};
  }
  const bool isInFirstBlock = m_block == &m_scope->function->blocks.front();
  if (!stored || !(stored->image || stored->composite) || !isInFirstBlock)
    return unsupported(inst, "a store of this opaque value is not supported");
  IdValue known = *stored;
  known.pointer = std::move(known.composite);
  known.composite = nullptr;
  bind(inst.operand(0), std::move(known));
  return {};
}

} // namespace dovetail::spirv

// SPDX-License-Identifier: MIT
#include "src/spirv/translate/context/values.h"
#include "src/spirv/translate/context/operand_kinds.h"
#include "src/spirv/translate/context/unsupported.h"
#include <llvm/IR/Constants.h>
#include <llvm/IR/Instruction.h>
#include <llvm/IR/LLVMContext.h>

namespace dovetail::spirv {

Values::Values(const Module &module, const Declarations &declarations)
    : m_module(module), m_declarations(declarations), m_typeIds(module.idBound), m_useCounts(module.idBound) {
  const auto noteType = [&](const Instruction &inst) {
    if (inst.result && inst.resultType)
      m_typeIds[inst.result] = inst.resultType;
  };
  for (const Instruction &inst : module.globals)
    noteType(inst);
  for (const Function &function : module.functions) {
    for (const Instruction &inst : function.parameters)
      noteType(inst);
    for (const Block &block : function.blocks)
      for (const Instruction &inst : block.instructions) {
        noteType(inst);
        for (uint32_t id : valueOperands(inst))
          if (id < m_useCounts.size())
            ++m_useCounts[id];
      }
  }
}

uint32_t Values::typeIdOf(uint32_t id) const {
  return id < m_typeIds.size() ? m_typeIds[id] : 0;
}

const IdValue *Values::find(uint32_t id) const {
  if (m_scope) {
    if (auto found = m_scope->values.find(id); found != m_scope->values.end())
      return &found->second;
  }
  auto found = m_globals.find(id);
  return found == m_globals.end() ? nullptr : &found->second;
}

Result<llvm::Value *> Values::number(const Instruction &inst, uint32_t id) const {
  if (const IdValue *bound = find(id); bound && bound->value)
    return bound->value;
  return unsupported(inst, fmt::format("operand %{} has no value here", id));
}

Result<uint64_t> Values::constantInteger(const Instruction &inst, uint32_t id) const {
  if (Result<uint64_t> integer = m_declarations.constant(id))
    return integer;
  // LLVM may have folded it, for example an argument of a function that was inlined.
  auto *constant = llvm::dyn_cast<llvm::ConstantInt>(DOVETAIL_TRY(number(inst, id)));
  if (!constant)
    return unsupported(inst, fmt::format("operand %{} is not a known integer constant", id));
  return constant->getZExtValue();
}

void Values::bind(uint32_t id, IdValue value) {
  (m_scope ? m_scope->values : m_globals)[id] = std::move(value);
}

void Values::setValue(const Instruction &inst, llvm::Value *value) {
  if (!value->getContext().shouldDiscardValueNames() && llvm::isa<llvm::Instruction>(value) && !value->hasName())
    if (auto name = m_module.names.find(inst.result); name != m_module.names.end())
      value->setName(name->second);
  bind(inst.result, {.value = value});
}

void Values::setPointer(const Instruction &inst, Pointer pointer) {
  bind(inst.result, {.pointer = std::make_shared<const Pointer>(std::move(pointer))});
}

void Values::setImage(const Instruction &inst, ImageValue image) {
  bind(inst.result, {.image = std::make_shared<const ImageValue>(image)});
}

void Values::setComposite(const Instruction &inst, Pointer memory) {
  bind(inst.result, {.composite = std::make_shared<const Pointer>(std::move(memory))});
}

} // namespace dovetail::spirv

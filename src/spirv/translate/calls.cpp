// SPDX-License-Identifier: MIT
//
// Calls in a function's body: their arguments, and the copies around them.
#include "src/spirv/translate/function_body.h"
#include "src/spirv/translate/functions.h"
#include "src/spirv/translate/ops/handlers.h"
#include <algorithm>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Instructions.h>

namespace dovetail::spirv {

namespace {

// The variable that a pointer of the shader's own memory points into; null if it is not known.
const llvm::Value *variableOf(const IdValue &value) {
  const llvm::Value *object = llvm::getUnderlyingObject(value.pointer->base);
  return llvm::isa<llvm::AllocaInst>(object) ? object : nullptr;
}

bool isOwnMemory(const IdValue &value) {
  return value.pointer && value.pointer->kind == Pointer::Kind::Memory;
}

} // namespace

bool FunctionBody::isLeftToCall(const Instruction &inst) const {
  if (m_facts.copies.variables.empty() || (inst.opcode != spv::Op::OpLoad && inst.opcode != spv::Op::OpStore))
    return false;
  const bool isLoad = inst.opcode == spv::Op::OpLoad;
  const auto copied = m_facts.copies.values.find(isLoad ? inst.result : inst.operand(1));
  if (copied == m_facts.copies.values.end())
    return false;
  const bool isBehindCall = isLoad == (inst.operand(0) == copied->second);
  return !isBehindCall || m_shared.contains(copied->second);
}

// The arguments of a call. A copy is replaced by its original, if no other argument points into the same variable.
Result<std::vector<IdValue>> FunctionBody::callArguments(const Instruction &call) {
  std::vector<IdValue> arguments;
  std::vector<const CallCopy *> copies;
  for (uint32_t id : call.operands.subspan(1)) {
    const IdValue *argument = m_services.values.find(id);
    if (!argument)
      return unsupported(call, fmt::format("argument %{} has no value here", id));
    arguments.push_back(*argument);
    const auto copy = m_facts.copies.variables.find(id);
    copies.push_back(copy == m_facts.copies.variables.end() ? nullptr : &copy->second);
    if (copies.back())
      if (const IdValue *original = m_services.values.find(copies.back()->original))
        arguments.back() = *original;
  }
  const auto isShared = [&](const IdValue &given) {
    if (given.pointer && given.pointer->storage == spv::StorageClass::UniformConstant)
      return true; // nothing writes it
    const llvm::Value *variable = isOwnMemory(given) ? variableOf(given) : nullptr;
    return variable && std::ranges::none_of(arguments, [&](const IdValue &other) {
             return &other != &given && isOwnMemory(other) && (!variableOf(other) || variableOf(other) == variable);
           });
  };
  llvm::SmallVector<size_t, 4> copied; // arguments that need the copy nevertheless
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (!copies[i])
      continue;
    if (isShared(arguments[i]))
      m_shared.insert(call.operand(1 + i));
    else
      copied.push_back(i);
  }
  for (size_t i : copied) {
    arguments[i] = *m_services.values.find(call.operand(1 + i));
    DOVETAIL_CHECK(translateLoad(m_services, *copies[i]->givenLoad));
    DOVETAIL_CHECK(translateStore(m_services, *copies[i]->givenStore));
  }
  return arguments;
}

Result<void> FunctionBody::translateCall(const Instruction &inst) {
  std::vector<IdValue> arguments = DOVETAIL_TRY(callArguments(inst));
  IdValue returned = DOVETAIL_TRY(m_functions.translateCall(inst, arguments));
  m_functions.setSourcePlace(inst);
  if (m_services.resultType(inst).kind != TypeKind::Void)
    m_services.values.bind(inst.result, std::move(returned));
  return {};
}

} // namespace dovetail::spirv

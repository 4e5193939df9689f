// SPDX-License-Identifier: MIT
//
// Each call of a SPIR-V function is translated anew, so that pointers are as symbolic as they are at the call.
#include "src/spirv/translate/translator.h"
#include <algorithm>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Instructions.h>
#include <unordered_map>
#include <unordered_set>

namespace dovetail::spirv {

namespace {

// GLSL has no recursion and rarely ten levels of calls; each level takes C++ stack here.
constexpr unsigned MaxCallDepth = 200;

// Inlining can grow a module exponentially.
constexpr uint64_t MaxInstructionCount = 4'000'000;

// The number of instructions of a function with all calls inlined, counted up to the limit. Callees are counted first.
uint64_t inlinedCount(const Module &module, uint32_t function) {
  std::unordered_map<uint32_t, uint64_t> counts;
  std::unordered_set<uint32_t> begun;
  std::vector<uint32_t> toCount = {function};
  while (!toCount.empty()) {
    const uint32_t next = toCount.back();
    const bool isFirstVisit = begun.insert(next).second;
    uint64_t count = 0;
    for (const Block &block : module.functions[module.functionIndex.at(next)].blocks) {
      count += block.instructions.size();
      for (const Instruction &inst : block.instructions)
        if (inst.opcode == spv::Op::OpFunctionCall) {
          if (!isFirstVisit)
            count = std::min(count + counts[inst.operand(0)], MaxInstructionCount + 1);
          else if (!begun.contains(inst.operand(0)))
            toCount.push_back(inst.operand(0));
        }
    }
    if (isFirstVisit)
      continue;
    counts[next] = std::min(count, MaxInstructionCount + 1);
    toCount.pop_back();
  }
  return counts[function];
}

// The variable that a pointer of the shader's own memory points into; null if it is not known.
const llvm::Value *variableOf(const IdValue &value) {
  const llvm::Value *object = llvm::getUnderlyingObject(value.pointer->base);
  return llvm::isa<llvm::AllocaInst>(object) ? object : nullptr;
}

bool isOwnMemory(const IdValue &value) {
  return value.pointer && value.pointer->kind == Pointer::Kind::Memory;
}

} // namespace

const CallCopies &Translator::callCopies(const Function &function) {
  const auto [found, isNew] = m_callCopies.try_emplace(function.id);
  if (isNew)
    found->second = findCallCopies(function, m_useCounts);
  return found->second;
}

bool Translator::isLeftToCall(const Instruction &inst) const {
  if (m_scope->copies->variables.empty() || (inst.opcode != spv::Op::OpLoad && inst.opcode != spv::Op::OpStore))
    return false;
  const bool isLoad = inst.opcode == spv::Op::OpLoad;
  const auto copied = m_scope->copies->values.find(isLoad ? inst.result : inst.operand(1));
  if (copied == m_scope->copies->values.end())
    return false;
  const bool isBehindCall = isLoad == (inst.operand(0) == copied->second);
  return !isBehindCall || m_scope->shared.contains(copied->second);
}

// The arguments of a call. A copy is replaced by its original, if no other argument points into the same variable.
Result<std::vector<IdValue>> Translator::callArguments(const Instruction &call) {
  std::vector<IdValue> arguments;
  std::vector<const CallCopy *> copies;
  for (uint32_t id : call.operands.subspan(1)) {
    const IdValue *argument = find(id);
    if (!argument)
      return unsupported(call, fmt::format("argument %{} has no value here", id));
    arguments.push_back(*argument);
    const auto copy = m_scope->copies->variables.find(id);
    copies.push_back(copy == m_scope->copies->variables.end() ? nullptr : &copy->second);
    if (copies.back())
      if (const IdValue *original = find(copies.back()->original))
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
      m_scope->shared.insert(call.operand(1 + i));
    else
      copied.push_back(i);
  }
  for (size_t i : copied) {
    arguments[i] = *find(call.operand(1 + i));
    DOVETAIL_CHECK(translateLoad(*copies[i]->givenLoad));
    DOVETAIL_CHECK(translateStore(*copies[i]->givenStore));
  }
  return arguments;
}

Result<void> Translator::checkInlinedSize(uint32_t function) const {
  if (inlinedCount(m_module, function) > MaxInstructionCount)
    return makeError(ErrorCode::Unsupported,
                     "OpFunction at word {}: more than {} instructions after inlining are not supported",
                     m_module.functions[m_module.functionIndex.at(function)].wordOffset, MaxInstructionCount);
  return {};
}

Result<void> Translator::translateCall(const Instruction &inst) {
  if (m_callDepth >= MaxCallDepth)
    return unsupported(inst, fmt::format("calls nested more than {} deep are not supported", MaxCallDepth));
  const Function &callee = m_module.functions[m_module.functionIndex.at(inst.operand(0))];
  std::vector<IdValue> arguments = DOVETAIL_TRY(callArguments(inst));
  Scope scope;
  for (size_t i = 0; i < callee.parameters.size(); ++i)
    scope.values[callee.parameters[i].result] = std::move(arguments[i]);
  IdValue returned;
  ++m_callDepth;
  DOVETAIL_CHECK(translateFunctionBody(callee, scope, returned));
  --m_callDepth;
  setSourcePlace(inst);
  if (resultType(inst).kind != TypeKind::Void)
    bind(inst.result, std::move(returned));
  return {};
}

} // namespace dovetail::spirv

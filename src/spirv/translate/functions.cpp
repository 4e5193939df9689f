// SPDX-License-Identifier: MIT
#include "src/spirv/translate/functions.h"
#include "src/spirv/translate/function_body.h"
#include <algorithm>

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

} // namespace

Result<void> Functions::translateEntry(const Function &entry) {
  if (inlinedCount(m_services.module, entry.id) > MaxInstructionCount)
    return makeError(ErrorCode::Unsupported,
                     "OpFunction at word {}: more than {} instructions after inlining are not supported",
                     entry.wordOffset, MaxInstructionCount);
  DOVETAIL_TRY(FunctionBody(*this, m_services, entry, {}).translate());
  return {};
}

Result<IdValue> Functions::translateCall(const Instruction &call, std::span<const IdValue> arguments) {
  if (m_callDepth >= MaxCallDepth)
    return unsupported(call, fmt::format("calls nested more than {} deep are not supported", MaxCallDepth));
  const Module &module = m_services.module;
  const Function &callee = module.functions[module.functionIndex.at(call.operand(0))];
  ++m_callDepth;
  IdValue returned = DOVETAIL_TRY(FunctionBody(*this, m_services, callee, arguments).translate());
  --m_callDepth;
  return returned;
}

void Functions::setSourcePlace(const Instruction &inst) {
  if (m_lines)
    m_services.builder.SetCurrentDebugLocation(m_lines->at(inst.wordOffset));
}

} // namespace dovetail::spirv

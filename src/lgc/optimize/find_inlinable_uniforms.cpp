// SPDX-License-Identifier: MIT
#include "src/lgc/optimize/find_inlinable_uniforms.h"
#include "src/lgc/ops/op.h"
#include "src/lgc/optimize/optimization_pipelines.h"
#include "src/lgc/state/entry_function.h"
#include <algorithm>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Passes/PassBuilder.h>
#include <map>
#include <optional>
#include <set>

using namespace llvm;
using dovetail::UniformPlace;
using Place = UniformPlace::Place;

namespace lgc {

namespace {

using UniformSet = std::set<UniformPlace>;

constexpr unsigned TurnsOfLoop = 8; // an estimate: nobody knows the number

// Runs enough passes to simplify the conditions of shaders.
void simplify(Module &module) {
  LoopAnalysisManager loopAnalyses;
  FunctionAnalysisManager functionAnalyses;
  CGSCCAnalysisManager cgsccAnalyses;
  ModuleAnalysisManager moduleAnalyses;
  PassBuilder builder;
  builder.registerModuleAnalyses(moduleAnalyses);
  builder.registerCGSCCAnalyses(cgsccAnalyses);
  builder.registerFunctionAnalyses(functionAnalyses);
  builder.registerLoopAnalyses(loopAnalyses);
  builder.crossRegisterProxies(loopAnalyses, functionAnalyses, cgsccAnalyses, moduleAnalyses);
  makeShaderPipeline(builder, 1).run(module, moduleAnalyses);
}

// Whether an op is a function of its operands in the same lane.
bool computes(const Op &op) {
  switch (op.opCode()) {
#define LGC_OP(name_, mnemonic_, effects_, resultType_, operands_)                                                     \
  case OpCode::name_:                                                                                                  \
    return OpEffects::effects_ == OpEffects::Pure;
#include "src/lgc/ops/arithmetic.def"
#include "src/lgc/ops/matrix.def"
#undef LGC_OP
  default:
    return false;
  }
}

class InlinableUniformSearch {
public:
  InlinableUniformSearch(Function &function, unsigned limit,
                         const std::function<bool(uint32_t, uint32_t)> &isUniformBuffer)
      : m_function(function), m_limit(limit), m_isUniformBuffer(isUniformBuffer), m_dominators(function),
        m_loops(m_dominators) {}

  std::vector<UniformPlace> run() {
    for (Instruction &instruction : instructions(m_function)) {
      auto *branch = dyn_cast<BranchInst>(&instruction);
      if (branch && branch->isConditional() && branch->getSuccessor(0) != branch->getSuccessor(1))
        addCondition(branch->getCondition(), weightOfBlocks(*branch));
      else if (auto *choice = dyn_cast<SwitchInst>(&instruction))
        addCondition(choice->getCondition(), weightOfBlocks(*choice));
      else if (auto *select = dyn_cast<SelectInst>(&instruction); select && !select->getType()->isIntOrIntVectorTy(1))
        addCondition(select->getCondition(), weightOfArms(*select));
    }
    return choose();
  }

private:
  struct Condition {
    UniformSet uniforms;
    uint64_t weight = 0;
  };

  uint64_t weightIn(const BasicBlock &block) const {
    uint64_t weight = 1;
    for (unsigned depth = std::min(m_loops.getLoopDepth(&block), 3u); depth > 0; --depth)
      weight *= TurnsOfLoop;
    return weight;
  }

  // The weight of the blocks that run only because of one outcome.
  uint64_t weightOfBlocks(const Instruction &terminator) const {
    uint64_t weight = weightIn(*terminator.getParent());
    for (const BasicBlock &block : m_function)
      for (unsigned i = 0; i < terminator.getNumSuccessors(); ++i)
        if (m_dominators.dominates(BasicBlockEdge(terminator.getParent(), terminator.getSuccessor(i)), &block)) {
          weight += weightIn(block) * block.size();
          break;
        }
    return weight;
  }

  // The weight of the values that are computed only for the choice.
  uint64_t weightOfArms(const SelectInst &select) const {
    uint64_t weight = 1;
    SmallVector<const Value *, 8> arms = {select.getTrueValue(), select.getFalseValue()};
    for (unsigned visited = 0; !arms.empty() && visited < 256; ++visited) {
      auto *arm = dyn_cast<Instruction>(arms.pop_back_val());
      if (!arm || !arm->hasOneUse() || isa<PHINode>(arm))
        continue;
      ++weight;
      for (const Value *operand : arm->operands())
        arms.push_back(operand);
    }
    return weight * weightIn(*select.getParent());
  }

  void addCondition(const Value *condition, uint64_t weight) {
    using namespace PatternMatch;
    UniformSet uniforms;
    SmallPtrSet<const Value *, 16> visited;
    if (collect(condition, uniforms, visited)) {
      if (!uniforms.empty() && uniforms.size() <= m_limit)
        m_conditions[std::vector<UniformPlace>(uniforms.begin(), uniforms.end())] += weight;
      return;
    }
    const Value *left, *right;
    if (match(condition, m_LogicalAnd(m_Value(left), m_Value(right))) ||
        match(condition, m_LogicalOr(m_Value(left), m_Value(right)))) {
      addCondition(left, weight);
      addCondition(right, weight);
    }
  }

  // Adds the uniforms from which a value is computed; returns false if it depends on anything else.
  bool collect(const Value *value, UniformSet &uniforms, SmallPtrSetImpl<const Value *> &visited) {
    constexpr unsigned maxVisited = 64;
    if (isa<Constant>(value) || isa<MetadataAsValue>(value) || !visited.insert(value).second)
      return true;
    auto *instruction = dyn_cast<Instruction>(value);
    if (!instruction || visited.size() > maxVisited)
      return false;
    if (auto *extract = dyn_cast<ExtractElementInst>(instruction)) {
      auto *index = dyn_cast<ConstantInt>(extract->getIndexOperand());
      auto *vector = dyn_cast<FixedVectorType>(extract->getVectorOperandType());
      if (index && vector && index->getZExtValue() < vector->getNumElements() && isa<Op>(extract->getVectorOperand())) {
        unsigned bytes = vector->getScalarSizeInBits() / 8;
        auto *load = cast<Op>(extract->getVectorOperand());
        if (addUniform(*load, index->getZExtValue() * bytes, bytes, uniforms))
          return true;
      }
    }
    if (auto *op = dyn_cast<Op>(instruction); op && !computes(*op))
      return addUniform(*op, 0, op->getType()->getPrimitiveSizeInBits() / 8, uniforms);
    if (auto *phi = dyn_cast<PHINode>(instruction); phi && !m_loops.isLoopHeader(phi->getParent()))
      return false; // its choice depends on control flow elsewhere
    if (auto *call = dyn_cast<CallBase>(instruction);
        call && !isa<Op>(call) && (!isa<IntrinsicInst>(call) || !call->doesNotAccessMemory() || call->isConvergent()))
      return false;
    if (!isa<PHINode>(instruction) && (instruction->mayReadOrWriteMemory() && !isa<CallBase>(instruction)))
      return false;
    return all_of(instruction->operands(), [&](const Use &operand) {
      return isa<BasicBlock>(operand) || isa<Function>(operand) || collect(operand, uniforms, visited);
    });
  }

  // Adds `bytes` bytes of a load, `first` bytes behind its start.
  bool addUniform(const Op &load, uint64_t first, unsigned bytes, UniformSet &uniforms) {
    UniformPlace at;
    const Value *offset = nullptr;
    if (auto *push = dyn_cast<LoadPushConstantOp>(&load)) {
      offset = push->byteOffset();
    } else if (auto *read = dyn_cast<BufferLoadOp>(&load)) {
      auto *buffer = dyn_cast<LoadBufferDescOp>(read->desc());
      auto *element = buffer ? dyn_cast<ConstantInt>(buffer->index()) : nullptr;
      if (!element || !element->isZero() || !(read->flags() & ReadOnly) || (read->flags() & Volatile) ||
          !m_isUniformBuffer(buffer->set(), buffer->binding()))
        return false;
      offset = read->byteOffset();
      at = {Place::UniformBuffer, buffer->set(), buffer->binding(), 0};
    }
    auto *constant = dyn_cast_or_null<ConstantInt>(offset);
    if (!constant || bytes == 0)
      return false;
    uint64_t begin = constant->getZExtValue() + first;
    for (uint64_t byte = begin / 4 * 4; byte < begin + bytes; byte += 4) {
      at.offset = static_cast<uint32_t>(byte);
      uniforms.insert(at);
    }
    return true;
  }

  std::vector<UniformPlace> choose() const {
    std::vector<std::pair<uint64_t, const std::vector<UniformPlace> *>> byWeight;
    for (const auto &[uniforms, weight] : m_conditions)
      byWeight.emplace_back(weight, &uniforms);
    std::ranges::stable_sort(byWeight, std::greater(), &std::pair<uint64_t, const std::vector<UniformPlace> *>::first);
    std::vector<UniformPlace> chosen;
    for (const auto &[weight, uniforms] : byWeight) {
      std::vector<UniformPlace> more;
      std::ranges::copy_if(*uniforms, std::back_inserter(more), [&](const UniformPlace &uniform) {
        return std::ranges::find(chosen, uniform) == chosen.end();
      });
      if (chosen.size() + more.size() <= m_limit)
        chosen.insert(chosen.end(), more.begin(), more.end());
    }
    return chosen;
  }

  Function &m_function;
  unsigned m_limit;
  const std::function<bool(uint32_t, uint32_t)> &m_isUniformBuffer;
  DominatorTree m_dominators;
  LoopInfo m_loops;
  // The weights of conditions by the uniforms that decide them.
  std::map<std::vector<UniformPlace>, uint64_t> m_conditions;
};

} // namespace

std::vector<UniformPlace> findInlinableUniforms(Module &module, unsigned limit,
                                                const std::function<bool(uint32_t, uint32_t)> &isUniformBuffer) {
  simplify(module);
  dovetail::Result<Function *> function = findEntryFunction(module);
  if (!function)
    return {};
  return InlinableUniformSearch(**function, limit, isUniformBuffer).run();
}

} // namespace lgc

// SPDX-License-Identifier: MIT
//
// Runs straight-line lowered IR on a wave of 64 lanes, some of which may be inactive. It computes cross-lane operations
// (DPP, permutations, ballots, whole-wave mode) from the instruction set's description, and everything else lane by
// lane with LLVM's constant folder.
#pragma once

#include "src/lgc/builder/builder_impl.h"
#include "src/lgc/state/pipeline_state.h"
#include <array>
#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/Module.h>
#include <memory>

namespace lgc::test {

constexpr unsigned LaneCount = 64;
using Lanes = std::array<llvm::Constant *, LaneCount>;

class WaveBench {
public:
  // Inactive lanes hold garbage.
  explicit WaveBench(uint64_t activeLanes = ~0ull, ShaderStage stage = ShaderStage::Compute);
  ~WaveBench();

  BuilderImpl &builder() { return *m_builder; }
  bool isActive(unsigned lane) const { return m_activeLanes >> lane & 1; }

  // A value that differs between lanes: `make` gives the constant of each.
  Value *divergent(Type *type, llvm::function_ref<llvm::Constant *(unsigned lane)> make);
  Value *divergentI32(llvm::function_ref<uint32_t(unsigned lane)> make);

  // The value in each lane. The values of inactive lanes mean nothing.
  Lanes evaluate(Value *value);
  std::array<uint64_t, LaneCount> integers(Value *value);
  std::array<double, LaneCount> floats(Value *value);

private:
  Lanes evaluateInstruction(llvm::Instruction &instruction);
  // False if the call does not cross lanes.
  bool evaluateCrossLane(llvm::CallInst &call, Lanes &result);
  Lanes moveDpp(const Lanes &old, const Lanes &source, unsigned control, unsigned rowMask);

  uint64_t m_activeLanes;
  llvm::LLVMContext m_context;
  std::unique_ptr<llvm::Module> m_module;
  PipelineState m_state;
  std::unique_ptr<BuilderImpl> m_builder;
  llvm::DenseMap<Value *, Lanes> m_values;
};

} // namespace lgc::test

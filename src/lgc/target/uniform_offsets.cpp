// SPDX-License-Identifier: MIT
#include "src/lgc/target/uniform_offsets.h"
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsAMDGPU.h>

using namespace llvm;

namespace lgc {

namespace {

// The offset of llvm.amdgcn.{raw,struct}.[ptr.]{buffer,tbuffer}.*, which is followed by the cache policy, and by a
// format before that if the buffer is typed. nullptr: the instruction is none of them.
Use *scalarOffset(Instruction &inst) {
  auto *intrinsic = dyn_cast<IntrinsicInst>(&inst);
  if (!intrinsic)
    return nullptr;
  StringRef name = intrinsic->getCalledFunction()->getName();
  if (!name.consume_front("llvm.amdgcn.") || !(name.consume_front("raw.") || name.consume_front("struct.")))
    return nullptr;
  name.consume_front("ptr.");
  const unsigned behind = name.starts_with("buffer.") ? 1 : name.starts_with("tbuffer.") ? 2 : 0;
  return behind == 0 ? nullptr : &intrinsic->getArgOperandUse(intrinsic->arg_size() - 1 - behind);
}

} // namespace

bool readUniformOffsets(Function &function, const UniformityInfo &uniformity) {
  bool isChanged = false;
  for (Instruction &inst : instructions(function)) {
    Use *offset = scalarOffset(inst);
    if (!offset || isa<Constant>(*offset) || !uniformity.isDivergentUse(*offset))
      continue;
    offset->set(IRBuilder<>(&inst).CreateIntrinsic(Intrinsic::amdgcn_readfirstlane, {offset->get()->getType()},
                                                   {offset->get()}));
    isChanged = true;
  }
  return isChanged;
}

void UniformOffsetsPass::getAnalysisUsage(AnalysisUsage &usage) const {
  usage.addRequired<UniformityInfoWrapperPass>();
  usage.setPreservesAll(); // what it adds is uniform, as is all that an analysis does not know
}

bool UniformOffsetsPass::runOnFunction(Function &function) {
  return readUniformOffsets(function, getAnalysis<UniformityInfoWrapperPass>().getUniformityInfo());
}

char UniformOffsetsPass::ID = 0;

} // namespace lgc

// SPDX-License-Identifier: MIT
#include "src/lgc/lowering/handover_marks.h"
#include <llvm/IR/Constants.h>
#include <llvm/IR/Metadata.h>

using namespace llvm;

namespace lgc {

namespace {

constexpr char MarkName[] = "lgc.handover";

} // namespace

void markHandover(Instruction &access, const HandoverMark &mark) {
  auto *type = Type::getInt32Ty(access.getContext());
  auto number = [&](unsigned value) { return ConstantAsMetadata::get(ConstantInt::get(type, value)); };
  access.setMetadata(MarkName, MDNode::get(access.getContext(), {number(mark.firstDword), number(mark.dwordCount),
                                                                 number(mark.isOfOwnInvocation)}));
}

std::optional<HandoverMark> handoverMarkOf(const Instruction &access) {
  const MDNode *node = access.getMetadata(MarkName);
  if (!node)
    return std::nullopt;
  auto number = [&](unsigned i) {
    return static_cast<unsigned>(mdconst::extract<ConstantInt>(node->getOperand(i))->getZExtValue());
  };
  return HandoverMark{number(0), number(1), number(2) != 0};
}

} // namespace lgc

// SPDX-License-Identifier: MIT
#include "src/lgc/lowering/tessellation/hand_over_marks.h"
#include <llvm/IR/Constants.h>
#include <llvm/IR/Metadata.h>

using namespace llvm;

namespace lgc {

namespace {

constexpr char MarkName[] = "lgc.hand_over";

} // namespace

void markHandOver(Instruction &access, const HandOverMark &mark) {
  auto *type = Type::getInt32Ty(access.getContext());
  auto number = [&](unsigned value) { return ConstantAsMetadata::get(ConstantInt::get(type, value)); };
  access.setMetadata(MarkName, MDNode::get(access.getContext(), {number(mark.firstDword), number(mark.dwordCount),
                                                                 number(mark.isOfOwnInvocation)}));
}

std::optional<HandOverMark> handOverMarkOf(const Instruction &access) {
  const MDNode *node = access.getMetadata(MarkName);
  if (!node)
    return std::nullopt;
  auto number = [&](unsigned i) {
    return static_cast<unsigned>(mdconst::extract<ConstantInt>(node->getOperand(i))->getZExtValue());
  };
  return HandOverMark{number(0), number(1), number(2) != 0};
}

} // namespace lgc

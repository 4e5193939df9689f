// SPDX-License-Identifier: MIT
#include "src/lgc/codegen/constants/link_constants.h"
#include <llvm/IR/IntrinsicsAMDGPU.h>

using namespace llvm;

namespace lgc {

static Value *symbolValue(IRBuilderBase &builder, StringRef symbol) {
  LLVMContext &context = builder.getContext();
  MDNode *name = MDNode::get(context, MDString::get(context, symbol));
  return builder.CreateIntrinsic(Intrinsic::amdgcn_reloc_constant, {}, {MetadataAsValue::get(context, name)});
}

Value *linkConstant(IRBuilderBase &builder, dovetail::LinkConstant constant) {
  std::string_view symbol = dovetail::symbolOf(constant);
  return symbolValue(builder, StringRef(symbol.data(), symbol.size()));
}

Value *layoutConstant(IRBuilderBase &builder, const dovetail::LayoutConstant &constant) {
  return symbolValue(builder, dovetail::symbolOf(constant));
}

} // namespace lgc

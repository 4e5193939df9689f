// SPDX-License-Identifier: MIT
#include "src/lgc/target/link_constants.h"
#include <llvm/IR/IntrinsicsAMDGPU.h>

using namespace llvm;

namespace lgc {

Value *linkConstant(IRBuilderBase &builder, dovetail::LinkConstant constant) {
  LLVMContext &context = builder.getContext();
  std::string_view symbol = dovetail::symbolOf(constant);
  MDNode *name = MDNode::get(context, MDString::get(context, StringRef(symbol.data(), symbol.size())));
  return builder.CreateIntrinsic(Intrinsic::amdgcn_reloc_constant, {}, {MetadataAsValue::get(context, name)});
}

} // namespace lgc

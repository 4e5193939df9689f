// SPDX-License-Identifier: MIT
//
// A compute prolog as LLVM IR, for the amdgpu_vs calling convention.
#include "parts/kinds/compute_prolog.h"
#include "parts/listing/listing_ir.h"

namespace dovetail {

llvm::Function *emitComputeProlog(llvm::Module &module, const ComputePrologKey &key, std::string_view name) {
  return emitProlog(module, key.sgprCount, key.vgprCount(), listComputeProlog(key), name);
}

} // namespace dovetail

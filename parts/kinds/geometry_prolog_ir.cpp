// SPDX-License-Identifier: MIT
//
// A geometry prolog as LLVM IR, for the amdgpu_vs calling convention.
#include "parts/kinds/geometry_prolog.h"
#include "parts/listing/listing_ir.h"

namespace dovetail {

llvm::Function *emitGeometryProlog(llvm::Module &module, const GeometryPrologKey &key, std::string_view name) {
  return emitProlog(module, key.sgprCount, GeometryVgprCount, listGeometryProlog(key), name);
}

} // namespace dovetail

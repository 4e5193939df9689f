// SPDX-License-Identifier: MIT
//
// BuilderRecorder is the Builder of front ends. It writes a dialect op for each graphics operation at the insertion
// point, with the builder's debug location and, where the result is floating point, its fast-math flags. It needs no
// target and no pipeline.
#pragma once

#include "src/lgc/builder/builder.h"

namespace lgc {

class BuilderRecorder final : public Builder {
public:
  using Builder::Builder;

#define LGC_OP(name, mnemonic, effects, resultType, operands)                                                          \
  Value *Create##name(LGC_PARAMETERS(operands) const llvm::Twine &instName = "") override;
#include "src/lgc/ops/ops.def"
#undef LGC_OP
};

} // namespace lgc

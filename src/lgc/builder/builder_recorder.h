// SPDX-License-Identifier: MIT
//
// BuilderRecorder: the Builder of front ends. Each graphics operation becomes its dialect op at the insertion point,
// with the builder's debug location and, where the result is floating point, its fast-math flags. Nothing about the
// target or the pipeline is needed.
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

// SPDX-License-Identifier: MIT
#include "src/lgc/builder/builder_recorder.h"

namespace lgc {

#define LGC_OP(name_, mnemonic_, effects_, resultType_, operands_)                                                     \
  Value *BuilderRecorder::Create##name_(LGC_PARAMETERS(operands_) const llvm::Twine &instName) {                       \
    return name_##Op::create(*this, LGC_ARGUMENTS(operands_) instName);                                                \
  }
#include "src/lgc/ops/ops.def"
#undef LGC_OP

} // namespace lgc

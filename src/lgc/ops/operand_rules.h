// SPDX-License-Identifier: MIT
#pragma once

#include "src/lgc/ops/op.h"

namespace lgc {

// Whether the types of an op's operands fit together, and its immediates have a meaning, so that the lowering need not
// check them. The caller has checked that their number is right and that immediates are i32 constants.
bool hasGoodOperands(const Op &op);

} // namespace lgc

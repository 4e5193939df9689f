// SPDX-License-Identifier: MIT
#pragma once

#include "src/lgc/ops/op.h"

namespace lgc {

// Whether an op's operands have types that go together, and immediates that mean something, so that nobody who lowers
// it has to ask. Their number is right, and immediates are i32 constants.
bool hasGoodOperands(const Op &op);

} // namespace lgc

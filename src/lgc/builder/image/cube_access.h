// SPDX-License-Identifier: MIT
#pragma once

#include "src/lgc/builder/builder_impl.h"

namespace lgc {

// Makes the descriptor for loads, stores and atomics of a cube from the descriptor that is bound.
Value *cubeAccessDesc(BuilderImpl &builder, ImageDim dim, Value *imageDesc);

} // namespace lgc

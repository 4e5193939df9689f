// SPDX-License-Identifier: MIT
#pragma once

#include "src/lgc/builder/builder_impl.h"

namespace lgc {

// The descriptor that loads, stores and atomics of a cube take, from the one that is bound.
Value *cubeAccessDesc(BuilderImpl &builder, ImageDim dim, Value *imageDesc);

} // namespace lgc

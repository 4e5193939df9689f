// SPDX-License-Identifier: MIT
#pragma once

#include "src/lgc/ops/op_types.h"
#include "src/spirv/module/types.h"
#include <optional>

namespace dovetail::spirv {

// The shape of an OpTypeImage for the Builder's image operations; nothing for texel buffers and for shapes that no
// hardware image has. Subpass inputs are 2D images.
std::optional<lgc::ImageDim> imageDimOf(const TypeInfo &type);

} // namespace dovetail::spirv

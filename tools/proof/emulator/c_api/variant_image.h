// SPDX-License-Identifier: MIT
//
// What the driver of the emulator (tools/proof/emulator/driver) reads of a variant, asked through the C API as any
// driver has to. The variant itself is in another library, so nothing of C++ is shared with it.
#pragma once

#include "merge/image.h"
#include "variants/c_api/convert/failure.h"
#include "variants/shader.h"
#include <deque>

namespace dovetail::emulator_library {

// An image as far as tools/proof/emulator/driver looks at it: contracts, hazards and whatever else made it are not
// there.
struct VariantImage {
  Image image;
  std::deque<ShaderInterface> interfaces; // that the image points to
};

c_api::Outcome<VariantImage> imageOf(const dovetail_variant *variant);

// A set without shaders, which has a program's layout.
c_api::Outcome<ShaderSet> layoutOf(const dovetail_program *program);

} // namespace dovetail::emulator_library

// SPDX-License-Identifier: MIT
//
// Asks for a variant's data through the C API, as any driver must, for the emulator's driver
// (tools/proof/emulator/driver). The variant belongs to another library, so no C++ object is shared with it.
#pragma once

#include "merge/image.h"
#include "variants/c_api/convert/failure.h"
#include "variants/shader.h"
#include <deque>

namespace dovetail::emulator_library {

// The parts of an image that tools/proof/emulator/driver looks at; contracts, hazards and the like are missing.
struct VariantImage {
  Image image;
  std::deque<ShaderInterface> interfaces; // the image points to them
};

c_api::Outcome<VariantImage> imageOf(const dovetail_variant *variant);

// A ShaderSet without shaders, which has a program's layout.
c_api::Outcome<ShaderSet> layoutOf(const dovetail_program *program);

} // namespace dovetail::emulator_library

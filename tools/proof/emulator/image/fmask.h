// SPDX-License-Identifier: MIT
//
// FMASK: a compressed multisampled image stores fragments, fewer than samples. A second image tells which fragment each
// sample of a pixel is. The texture unit returns it as one nibble for each sample (Mesa's ac_llvm_build.c,
// ac_apply_fmask_to_sample). Here each pixel has a dword of these nibbles, whatever the format says.
#pragma once

#include "tools/proof/emulator/image/image_descriptor.h"
#include "tools/proof/scene/texel.h"
#include <optional>

namespace dovetail::emulator {

// Layout in the emulator's memory for T#s with an FMASK format; nothing for other formats.
std::optional<TexelLayout> fmaskLayout(Generation generation, unsigned dataFormat, unsigned numFormat);

// Plays the driver for a multisampled image with an FMASK: makes the descriptor of the FMASK at `address` (a multiple
// of 256), its contents, and those of the image. The fragments of samples differ from pixel to pixel. At most two
// fragments of a pixel are samples; the others have other contents than the image.
// Errors: Unsupported for another number of samples than 2, 4 and 8.
Result<std::array<uint32_t, 8>> fmaskDescriptor(Generation generation, const SceneImage &image, uint64_t address);
std::vector<uint8_t> fmaskMemory(const SceneImage &image);
std::vector<uint8_t> compressedImageMemory(const SceneImage &image);

} // namespace dovetail::emulator

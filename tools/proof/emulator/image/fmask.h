// SPDX-License-Identifier: MIT
//
// FMASK: multisampled images that are compressed store fragments, fewer than samples, and beside them an image that
// says for each sample of a pixel which fragment it is. The texture unit returns that as one nibble to a sample (Mesa's
// ac_llvm_build.c, ac_apply_fmask_to_sample). Here each pixel has a dword of these nibbles, whatever the format says.
#pragma once

#include "tools/proof/emulator/image/image_descriptor.h"
#include "tools/proof/scene/texel.h"
#include <optional>

namespace dovetail::emulator {

// How texels of T#s with a FMASK format look in the emulator's memory; nothing if it is another format.
std::optional<TexelLayout> fmaskLayout(Generation generation, unsigned dataFormat, unsigned numFormat);

// What a driver does with a multisampled image that has an FMASK: the descriptor of the FMASK at `address` (a multiple
// of 256), its contents, and those of the image. Which sample is which fragment is different from pixel to pixel,
// and at most two fragments of a pixel are samples; the others have other contents than the image.
// Errors: Unsupported for another number of samples than 2, 4 and 8.
Result<std::array<uint32_t, 8>> fmaskDescriptor(Generation generation, const SceneImage &image, uint64_t address);
std::vector<uint8_t> fmaskMemory(const SceneImage &image);
std::vector<uint8_t> compressedImageMemory(const SceneImage &image);

} // namespace dovetail::emulator

// SPDX-License-Identifier: MIT
//
// An image whose size is not known yet. A draft has everything but the code, and is small enough for the stack.
#pragma once

#include "merge/image.h"
#include "src/base/error.h"
#include <array>

namespace dovetail {

class ImageDraft {
  alignas(std::max_align_t)
      std::array<std::byte, bytesOfArrays(0, MaxStagesPerImage, MaxImageParts, MaxImageRegisters)> m_bytes;
  Room m_room{m_bytes.data(), m_bytes.size()};

public:
  ImageDraft() = default;
  ImageDraft(const ImageDraft &) = delete;
  ImageDraft &operator=(const ImageDraft &) = delete;

  Image image{m_room};
};

// Moves the draft into the image that `make` gives, and copies the code there. The draft's text must be laid out.
// Errors: those of relocate().
Result<void> finish(ImageDraft &draft, const MakeImage &make);

} // namespace dovetail

// SPDX-License-Identifier: MIT
//
// An image of which it is not known yet how large it is. It has all but its code, and is short enough for the stack.
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

// Moves the draft, whose text is laid out, into the image that `make` gives, and puts the code there. Errors: those of
// relocate().
Result<void> finish(ImageDraft &draft, const MakeImage &make);

} // namespace dovetail

// SPDX-License-Identifier: MIT
#include "merge/draft.h"
#include "merge/steps.h"
#include <utility>

namespace dovetail {

Result<void> finish(ImageDraft &draft, const MakeImage &make) {
  const Image &known = draft.image;
  Image &image = make(bytesOfArrays(codeBytes(known), known.stages.size(), known.parts.size(), known.registers.size()));
  image.registers.resize(known.registers.size()); // with the size set, all registers are copied at once
  image = std::move(draft.image);
  copyText(image);
  return relocate(image);
}

} // namespace dovetail

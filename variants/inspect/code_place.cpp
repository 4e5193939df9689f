// SPDX-License-Identifier: MIT
#include "variants/inspect/code_place.h"
#include "src/mc/disassembler.h"
#include <algorithm>

namespace dovetail {

Result<CodePlace> findPlace(const Image &image, uint32_t offset) {
  const auto stage = std::ranges::find_if(
      image.stages, [&](const ImageStage &each) { return offset >= each.entry && offset - each.entry < each.size; });
  if (stage == image.stages.end())
    return makeError(ErrorCode::InvalidInput, "offset {:#x} is in no program of the image", offset);
  CodePlace place;
  place.stage = uint32_t(stage - image.stages.begin());
  uint32_t begin = stage->entry; // of the part, or of the gap between two parts
  for (uint32_t index = 0; index < stage->partCount; ++index) {
    const ImagePart &part = image.parts[stage->firstPart + index];
    if (part.offset > offset)
      break;
    const bool isInside = offset - part.offset < part.size;
    place.part = isInside ? std::optional(uint32_t(stage->firstPart + index)) : std::nullopt;
    begin = isInside ? part.offset : part.offset + part.size;
  }

  mc::Disassembler::Lease disassembler = DOVETAIL_TRY(mc::Disassembler::forGpu(image.gpuName));
  const std::span<const uint8_t> text = std::span(image.code).first(image.textSize);
  place.instruction = begin;
  while (true) {
    place.size = DOVETAIL_TRY(disassembler->decode(text, place.instruction)).size;
    if (offset - place.instruction < place.size)
      break;
    place.instruction += place.size;
  }
  place.text = DOVETAIL_TRY(disassembler->print(text, place.instruction));
  return place;
}

} // namespace dovetail

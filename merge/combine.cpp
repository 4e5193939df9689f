// SPDX-License-Identifier: MIT
#include "merge/draft.h"
#include "merge/join.h"
#include "merge/steps.h"
#include <algorithm>
#include <cassert>

namespace dovetail {

namespace {

// Whether code runs wherever it is copied to, and no constants follow the text.
bool isMovable(const Image &image) {
  return image.constantsStart == image.constantsEnd && image.loadRelocations.empty();
}

// Programs begin at multiples of 256, and the bytes behind the last program depend on that program alone. So the
// programs can be copied as they are, and all distances within a program stay the same.
void copyPrograms(const Image &front, const Image &pixel, Image &image) {
  const uint32_t begin = front.stages.back().entry;
  const uint32_t pixelBegin = pixel.stages.back().entry;
  image.code.resize(begin + pixel.code.size() - pixelBegin);
  std::copy_n(front.code.begin(), begin, image.code.begin());
  std::copy(pixel.code.begin() + pixelBegin, pixel.code.end(), image.code.begin() + begin);

  ImageStage &ps = image.stages.back();
  ps.entry = begin;
  for (unsigned i = 0; i < ps.partCount; ++i)
    image.parts[ps.firstPart + i].offset += begin - pixelBegin;
  image.textSize = pixel.textSize - pixelBegin + begin;
  image.constantsStart = image.constantsEnd = image.textSize;
}

// Fills in everything but the code.
void fill(const Image &front, const Image &pixel, Image &image) {
  image.gpuName = front.gpuName;
  image.elfMachine = front.elfMachine;
  image.maxSgprs = front.maxSgprs;
  image.maxVgprs = front.maxVgprs;
  image.apiShaders = front.apiShaders;
  image.layout = front.layout;
  image.samples = front.samples;
  image.tessellation = front.tessellation;
  image.tessellationMode = front.tessellationMode;
  image.geometry = front.geometry;

  const ImageStage &frontPs = front.stages.back(), &ps = pixel.stages.back();
  image.stages.reserve(front.stages.size());
  image.stages.assign(front.stages.begin(), front.stages.end() - 1);
  image.stages.push_back(ps);
  image.stages.back().firstPart = frontPs.firstPart;
  image.parts.reserve(frontPs.firstPart + ps.partCount);
  image.parts.assign(front.parts.begin(), front.parts.begin() + frontPs.firstPart);
  image.parts.insert(image.parts.end(), pixel.parts.begin() + ps.firstPart, pixel.parts.end());

  image.firstPixelRegister = front.firstPixelRegister;
  image.registers.resize(front.firstPixelRegister + pixel.registers.size() - pixel.firstPixelRegister);
  const auto pixelRegisters = std::copy_n(front.registers.begin(), front.firstPixelRegister, image.registers.begin());
  std::copy(pixel.registers.begin() + pixel.firstPixelRegister, pixel.registers.end(), pixelRegisters);
}

} // namespace

Result<void> combine(const Image &front, const Image &pixel, const MakeImage &make) {
  const ImageStage &frontPs = front.stages.back(), &ps = pixel.stages.back();
  assert(frontPs.stage == HardwareStage::Ps && ps.stage == HardwareStage::Ps);
  if (!isMovable(front) || !isMovable(pixel)) {
    ImageDraft draft;
    fill(front, pixel, draft.image);
    layOutText(draft.image);
    return finish(draft, make);
  }
  Image &image = make(bytesOfArrays(frontPs.entry + pixel.code.size() - ps.entry, front.stages.size(),
                                    frontPs.firstPart + ps.partCount,
                                    front.firstPixelRegister + pixel.registers.size() - pixel.firstPixelRegister));
  fill(front, pixel, image);
  copyPrograms(front, pixel, image);
  return {};
}

} // namespace dovetail

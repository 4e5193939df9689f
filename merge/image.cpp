// SPDX-License-Identifier: MIT
#include "merge/image.h"
#include <algorithm>
#include <cassert>
#include <cstring>
#include <fmt/format.h>

namespace dovetail {

const ImageStage *Image::findStage(HardwareStage wanted) const {
  for (const ImageStage &stage : stages)
    if (stage.stage == wanted)
      return &stage;
  return nullptr;
}

const ShaderInterface *Image::findInterface(HardwareStage wanted) const {
  if (const ImageStage *stage = findStage(wanted))
    return stage->interface;
  const ImageStage *merged = nullptr;
  if (wanted == HardwareStage::Ls)
    merged = findStage(HardwareStage::Hs);
  else if (wanted == HardwareStage::Es)
    merged = findStage(HardwareStage::Gs);
  return merged ? merged->firstInterface : nullptr;
}

const RegisterValue *Image::findRegister(uint32_t address) const {
  for (const RegisterValue &value : registers)
    if (value.address == address)
      return &value;
  return nullptr;
}

std::string partSymbol(const Image &image, const ImagePart &part) {
  const ImageStage &stage = image.stages[part.stage];
  std::string name = fmt::format("{}.{}", toString(stage.stage), toSymbol(part.part->key.kind));
  // Merged programs have two pieces of glue.
  const bool isSecondGlue = stage.secondHalf != 0 && &part == &image.parts[stage.firstPart + stage.secondHalf];
  return isSecondGlue ? name + "2" : name;
}

void applyLoadAddress(const Image &image, std::span<uint8_t> code, uint64_t address) {
  assert(code.size() == image.code.size());
  for (const LoadRelocation &relocation : image.loadRelocations) {
    uint64_t value = address + uint64_t(relocation.target);
    if (rowOf(relocation.kind).takesHighHalf)
      value >>= 32;
    std::memcpy(code.data() + relocation.offset, &value, rowOf(relocation.kind).size);
  }
}

} // namespace dovetail

// SPDX-License-Identifier: MIT
//
// The programmed limits against what the code uses. RSRC1 has VGPRS in [5:0] in units of four and SGPRS in [9:6] in
// units of eight (GFX9 register reference); the SGPR count includes VCC, FLAT_SCRATCH and XNACK_MASK, which lie behind
// the last addressable one.
#include "merge/check/checks.h"
#include <algorithm>

namespace dovetail::check {

namespace {

struct ResourceRegisters {
  uint32_t rsrc1;
  uint32_t rsrc2;
};

ResourceRegisters resourceRegisters(HardwareStage stage) {
  switch (stage) {
  case HardwareStage::Vs:
    return {0x2c4a, 0x2c4b};
  case HardwareStage::Cs:
    return {0x2e12, 0x2e13};
  default:
    return {0x2c0a, 0x2c0b};
  }
}

struct Usage {
  unsigned sgprs = 0; // one past the highest that is touched
  unsigned vgprs = 0;
  bool vcc = false;
};

Usage usageOf(const StageText &text) {
  Usage usage;
  auto look = [&](const mc::RegisterRange &range) {
    unsigned end = unsigned(range.first) + range.count;
    if (range.file == mc::RegisterFile::Sgpr)
      usage.sgprs = std::max(usage.sgprs, end);
    else if (range.file == mc::RegisterFile::Vgpr)
      usage.vgprs = std::max(usage.vgprs, end);
    else if (range.file == mc::RegisterFile::Vcc)
      usage.vcc = true;
  };
  for (uint32_t index = 0; index < text.instructions.size(); ++index) {
    if (!text.reachable[index])
      continue;
    for (const mc::RegisterRange &range : text.instructions[index].reads)
      look(range);
    for (const mc::RegisterRange &range : text.instructions[index].writes)
      look(range);
  }
  return usage;
}

} // namespace

void checkLimits(const StageText &text, Defects &defects) {
  std::string_view name = toString(text.stage->stage);
  ResourceRegisters addresses = resourceRegisters(text.stage->stage);
  const RegisterValue *rsrc1 = text.image->findRegister(addresses.rsrc1);
  const RegisterValue *rsrc2 = text.image->findRegister(addresses.rsrc2);
  if (!rsrc1 || !rsrc2)
    return defects.addGlobal("{}: RSRC1 or RSRC2 is not programmed", name);

  Usage usage = usageOf(text);
  unsigned vgprs = ((rsrc1->value & 0x3f) + 1) * 4;
  unsigned sgprs = ((rsrc1->value >> 6 & 0xf) + 1) * 8;
  if (usage.vgprs > vgprs)
    defects.addGlobal("{}: the code uses {} VGPRs, RSRC1 grants {}", name, usage.vgprs, vgprs);
  unsigned neededSgprs = usage.sgprs + (usage.vcc ? 2 : 0);
  if (neededSgprs > sgprs)
    defects.addGlobal("{}: the code uses {} SGPRs with VCC, RSRC1 grants {}", name, neededSgprs, sgprs);

  uint32_t scratch = 0;
  uint32_t lds = 0;
  for (const ImagePart &part : text.parts()) {
    scratch = std::max(scratch, part.part->usage.scratchBytes);
    lds = std::max(lds, part.part->usage.ldsBytes);
    if (part.part->usage.floatMode != (rsrc1->value >> 12 & 0xff))
      defects.addGlobal("{}: {} was compiled for float mode {:#x}, RSRC1 sets {:#x}", name,
                        partSymbol(*text.image, part), part.part->usage.floatMode, rsrc1->value >> 12 & 0xff);
  }
  if (scratch > 0 && !(rsrc2->value & 1))
    defects.addGlobal("{}: parts use {} bytes of scratch, RSRC2 does not enable it", name, scratch);
  if (scratch > text.stage->usage.scratchBytes)
    defects.addGlobal("{}: parts use {} bytes of scratch, the image asks for {}", name, scratch,
                      text.stage->usage.scratchBytes);
  // COMPUTE_PGM_RSRC2 [23:15]: LDS_SIZE in units of 128 dwords.
  if (text.stage->stage == HardwareStage::Cs && lds > (rsrc2->value >> 15 & 0x1ff) * 512)
    defects.addGlobal("{}: parts use {} bytes of LDS, RSRC2 grants {}", name, lds, (rsrc2->value >> 15 & 0x1ff) * 512);
}

} // namespace dovetail::check

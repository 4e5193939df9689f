// SPDX-License-Identifier: MIT
#include "parts/kinds/first_part.h"
#include "parts/compile/compose_ir.h"
#include "parts/compile/fill_part.h"
#include "parts/compile/key_bytes.h"
#include "src/abi/get_target.h"
#include "src/abi/interface/pixel_inputs.h"
#include "src/abi/registers/registers.h"
#include "src/first/first_code.h"
#include <algorithm>

namespace dovetail {

Result<std::variant<Part, first::Refusal>> makeFirstPart(const MainPartKey &key,
                                                         const lgc::HardwareFormShader &shader) {
  std::variant<Part, first::Refusal> made = DOVETAIL_TRY(makeFirstPart(shader, key.gpuName));
  if (auto *part = std::get_if<Part>(&made)) {
    part->tier = CodeTier::FirstCode;
    setKey(*part, key);
  }
  return made;
}

Result<std::variant<Part, first::Refusal>> makeFirstPart(const lgc::HardwareFormShader &shader,
                                                         std::string_view gpuName) {
  const TargetInfo *target = DOVETAIL_TRY(getTarget(gpuName));
  const llvm::Function *entry = DOVETAIL_TRY(findHardwareEntry(*shader.module));
  const bool isFragment = shader.interface.hardwareStage == HardwareStage::Ps;
  const uint32_t pixelInputs = isFragment ? pixelInputsOf(shader.interface) : 0;
  std::variant<first::FirstCode, first::Refusal> made = first::makeFirstCode(*entry, *target, pixelInputs);
  if (auto *refusal = std::get_if<first::Refusal>(&made))
    return std::move(*refusal);
  first::FirstCode &code = std::get<first::FirstCode>(made);

  Part part = makePartWithoutCode(shader.interface);
  ObjectCode object;
  for (const first::CodeField &field : code.fields) {
    using enum first::CodeField::Kind;
    if (field.kind == TableLow)
      object.relocations.push_back({field.offset, RelocationKind::Rel32Lo, RelocationTarget::Constants, field.addend});
    else if (field.kind == TableHigh)
      object.relocations.push_back({field.offset, RelocationKind::Rel32Hi, RelocationTarget::Constants, field.addend});
    else if (const auto *link = std::get_if<LinkConstant>(&field.constant))
      object.relocations.push_back({field.offset, RelocationKind::Abs32, RelocationTarget::Link, int64_t(*link)});
    else
      object.layoutRelocations.push_back({field.offset,
                                          field.kind == ScalarOffset ? LayoutField::ScalarOffset : LayoutField::Literal,
                                          std::get<LayoutConstant>(field.constant)});
  }
  constexpr uint32_t tableAlignment = 16;
  if (!code.constants.empty())
    object.constantsAlignment = tableAlignment;
  object.constants = std::move(code.constants);
  object.usage.ldsBytes = (code.ldsBytes + LdsGranuleBytes - 1) / LdsGranuleBytes * LdsGranuleBytes;
  object.usage.scratchBytes = code.scratchBytes;
  object.usage.psInputEna = object.usage.psInputAddr = pixelInputs;
  if (Result<void> filled = fillPart(part, std::move(object), code.encoder, *target); !filled)
    return first::Refusal{first::faultOf(filled.error().text)}; // LLVM makes the part
  part.usage.vgprs = std::max(part.usage.vgprs, uint16_t(code.minVgprs));
  part.usage.floatMode = part.interface->floatMode;
  part.usage.spilledSgprs = code.spills.sgprs;
  part.usage.spilledVgprs = code.spills.vgprs;
  return part;
}

} // namespace dovetail

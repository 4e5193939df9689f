// SPDX-License-Identifier: MIT
//
// Takes the parts of all hardware shaders into the image. From here on a stage is a run of Image::parts.
#include "merge/steps.h"
#include "src/abi/entry_registers.h"
#include <fmt/format.h>

namespace dovetail {

namespace {

constexpr size_t MaxFragmentInputs = 32; // SPI_PS_INPUT_CNTL_n

// The combinations of hardware stages that there are registers for.
bool isImplemented(std::span<const StageParts> stages) {
  if (stages.size() == 1)
    return stages[0].stage == HardwareStage::Vs || stages[0].stage == HardwareStage::Cs;
  return stages.size() == 2 && stages[0].stage == HardwareStage::Vs && stages[1].stage == HardwareStage::Ps;
}

std::string listStages(std::span<const StageParts> stages) {
  std::string text;
  for (const StageParts &stage : stages)
    text += fmt::format("{}{}", text.empty() ? "" : " + ", toString(stage.stage));
  return text;
}

Result<void> collectStage(const StageParts &parts, Image &image) {
  ImageStage &stage = image.stages.emplace_back();
  stage.stage = parts.stage;
  stage.firstPart = uint8_t(image.parts.size());
  stage.partCount = uint8_t(parts.parts.size());
  stage.userDataMap.fill(PalUserDataUnmapped);
  for (const PartRef &part : parts.parts) {
    if (!part)
      return makeError(ErrorCode::JoinRefused, "{} has an empty place among its parts", toString(parts.stage));
    ImagePart &placed = image.parts.emplace_back();
    placed.part = part;
    placed.stage = uint8_t(image.stages.size() - 1);
    placed.size = uint32_t(part->code.size());
    if (part->interface) {
      if (stage.interface)
        return makeError(ErrorCode::JoinRefused, "{} has more than one main part", toString(parts.stage));
      stage.interface = &*part->interface;
    }
    if (part->fragmentExports)
      stage.fragmentExports = &*part->fragmentExports;
  }
  if (!stage.interface)
    return makeError(ErrorCode::JoinRefused, "{} has no main part", toString(parts.stage));
  if (stage.interface->hardwareStage != parts.stage)
    return makeError(ErrorCode::JoinRefused, "a part compiled for {} is joined as {}",
                     toString(stage.interface->hardwareStage), toString(parts.stage));
  if (stage.interface->fragmentInputs.size() > MaxFragmentInputs)
    return makeError(ErrorCode::JoinRefused, "{} inputs of the pixel shader; the hardware has {}",
                     stage.interface->fragmentInputs.size(), MaxFragmentInputs);
  if (parts.stage == HardwareStage::Ps && !stage.fragmentExports)
    return makeError(ErrorCode::JoinRefused, "ps has no part that exports colours");
  return {};
}

} // namespace

std::string describePart(const Part &part) {
  return fmt::format("the {}", toString(part.key.kind));
}

Result<void> collectParts(const JoinInput &input, Image &image) {
  if (!isImplemented(input.stages))
    return makeError(ErrorCode::Unsupported, "joining of hardware stages {}", listStages(input.stages));
  image.gpuName = input.target.gpuName;
  image.elfMachine = input.target.elfMachine;
  image.maxSgprs = input.target.maxSgprs;
  image.maxVgprs = input.target.maxVgprs;
  for (const StageParts &stage : input.stages)
    DOVETAIL_CHECK(collectStage(stage, image));
  return {};
}

} // namespace dovetail

// SPDX-License-Identifier: MIT
//
// Takes the parts of all hardware shaders into the image. After this step, a stage is a range of Image::parts.
#include "merge/steps.h"
#include "src/abi/entry_registers.h"
#include "src/abi/interface/pixel_inputs.h"
#include <algorithm>
#include <fmt/format.h>

namespace dovetail {

namespace {

// Vertex processing ends in Vs, and a Ps always follows. Hs needs an Ls and Gs needs an Es: as a program of its own, or
// inside the merged program.
bool isPipeline(std::span<const StageParts> stages, bool hasMergedStages) {
  uint32_t mask = 0;
  for (const StageParts &stage : stages) {
    const uint32_t bit = 1u << unsigned(stage.stage);
    if (mask >= bit) // not behind the previous stage
      return false;
    mask |= bit;
  }
  auto has = [&](HardwareStage stage) { return (mask >> unsigned(stage) & 1) != 0; };
  if (has(HardwareStage::Cs))
    return stages.size() == 1;
  return has(HardwareStage::Vs) && has(HardwareStage::Ps) &&
         has(HardwareStage::Ls) == (has(HardwareStage::Hs) && !hasMergedStages) &&
         has(HardwareStage::Es) == (has(HardwareStage::Gs) && !hasMergedStages);
}

std::string listStages(std::span<const StageParts> stages) {
  std::string text;
  for (const StageParts &stage : stages)
    text += fmt::format("{}{}", text.empty() ? "" : " + ", toString(stage.stage));
  return text;
}

bool runsMerged(const ImageStage &stage, bool hasMergedStages) {
  return hasMergedStages && (stage.stage == HardwareStage::Hs || stage.stage == HardwareStage::Gs);
}

// Takes the interfaces of main parts, that of the first half first. A monolithic part has both interfaces.
Result<void> takeInterfaces(ImageStage &stage, const Part &part, bool isMerged) {
  if (!part.interface)
    return {};
  if (stage.interface) {
    if (!isMerged || stage.firstInterface)
      return makeError(ErrorCode::JoinRefused, "{} has more than {} main part{}", toString(stage.stage),
                       isMerged ? "two" : "one", isMerged ? "s" : "");
    stage.firstInterface = stage.interface;
  }
  stage.interface = &*part.interface;
  if (part.firstInterface)
    stage.firstInterface = &*part.firstInterface;
  return {};
}

// Checks the halves of a merged program: its first part knows the launch state, and each half begins with glue.
Result<void> checkMerged(const Image &image, ImageStage &stage) {
  if (!stage.firstInterface)
    return makeError(ErrorCode::JoinRefused, "{} lacks the main part of one half", toString(stage.stage));
  const HardwareStage firstStage = stage.stage == HardwareStage::Hs ? HardwareStage::Ls : HardwareStage::Es;
  if (stage.firstInterface->hardwareStage != firstStage)
    return makeError(ErrorCode::JoinRefused, "a part compiled for {} is joined as the first half of {}",
                     toString(stage.firstInterface->hardwareStage), toString(stage.stage));
  const Part &first = *image.parts[stage.firstPart].part;
  if (!first.entry)
    return makeError(ErrorCode::JoinRefused, "{} begins with {}, which is not made for a merged program",
                     toString(stage.stage), describePart(first));
  stage.entryInterface = &*first.entry;
  if (first.key.kind == PartKind::Monolithic)
    return {};
  for (uint8_t i = 1; i < stage.partCount; ++i)
    if (image.parts[stage.firstPart + i].part->key.kind == PartKind::Glue)
      stage.secondHalf = i;
  if (stage.secondHalf == 0)
    return makeError(ErrorCode::JoinRefused, "{} has no glue between its halves", toString(stage.stage));
  return {};
}

Result<void> collectStage(const StageParts &parts, const TargetInfo &target, Image &image) {
  ImageStage &stage = image.stages.emplace_back();
  stage.stage = parts.stage;
  stage.firstPart = uint8_t(image.parts.size());
  stage.partCount = uint8_t(parts.parts.size());
  stage.userDataMap.fill(PalUserDataUnmapped);
  const bool isMerged = runsMerged(stage, target.hasMergedStages);
  for (const PartRef &part : parts.parts) {
    if (!part)
      return makeError(ErrorCode::JoinRefused, "{} has an empty place among its parts", toString(parts.stage));
    ImagePart &placed = image.parts.emplace_back();
    placed.part = part;
    placed.stage = uint8_t(image.stages.size() - 1);
    placed.size = uint32_t(part->code.size());
    DOVETAIL_CHECK(takeInterfaces(stage, *part, isMerged));
    if (part->fragmentExports)
      stage.fragmentExports = &*part->fragmentExports;
  }
  if (!stage.interface)
    return makeError(ErrorCode::JoinRefused, "{} has no main part", toString(parts.stage));
  if (stage.interface->hardwareStage != parts.stage)
    return makeError(ErrorCode::JoinRefused, "a part compiled for {} is joined as {}",
                     toString(stage.interface->hardwareStage), toString(parts.stage));
  if (isMerged)
    DOVETAIL_CHECK(checkMerged(image, stage));
  if (stage.interface->fragment.inputs.size() > MaxFragmentInputs)
    return makeError(ErrorCode::JoinRefused, "{} inputs of the pixel shader; the hardware has {}",
                     stage.interface->fragment.inputs.size(), MaxFragmentInputs);
  if (parts.stage == HardwareStage::Ps && !stage.fragmentExports)
    return makeError(ErrorCode::JoinRefused, "ps has no part that exports colours");
  return {};
}

// The hardware gives an unpacked input a default value if the VS does not export it. A packed input has no default: if
// it is missing, the two programs were not made for each other.
Result<void> checkPackedInputs(const Image &image) {
  auto find = [&](HardwareStage stage) { return std::ranges::find(image.stages, stage, &ImageStage::stage); };
  const auto ps = find(HardwareStage::Ps), vs = find(HardwareStage::Vs);
  if (ps == image.stages.end() || vs == image.stages.end())
    return {};
  const std::vector<ParameterExport> &exported = vs->interface->preRaster.parameters;
  for (const FragmentInput &input : ps->interface->fragment.inputs)
    if (input.location >= PackedParameter0 &&
        std::ranges::find(exported, input.location, &ParameterExport::location) == exported.end())
      return makeError(ErrorCode::JoinRefused, "ps reads packed parameter {}, which vs does not export",
                       input.location - PackedParameter0);
  return {};
}

} // namespace

std::string describePart(const Part &part) {
  return fmt::format("the {}", toString(part.key.kind));
}

Result<void> collectParts(const JoinInput &input, Image &image) {
  if (!isPipeline(input.stages, input.target.hasMergedStages))
    return makeError(ErrorCode::Unsupported, "joining of hardware stages {}", listStages(input.stages));
  image.gpuName = input.target.gpuName;
  image.elfMachine = input.target.elfMachine;
  image.maxSgprs = input.target.maxSgprs;
  image.maxVgprs = input.target.maxVgprs;
  size_t parts = 0;
  for (const StageParts &stage : input.stages)
    parts += stage.parts.size();
  image.parts.reserve(parts);
  image.stages.reserve(input.stages.size());
  for (const StageParts &stage : input.stages)
    DOVETAIL_CHECK(collectStage(stage, input.target, image));
  return checkPackedInputs(image);
}

} // namespace dovetail

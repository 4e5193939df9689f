// SPDX-License-Identifier: MIT
//
// Parts name the root dwords that they get in SGPRs: the table of a set, or a dword of push constants. This step asks
// the layout which dwords of the root table these are. Code can also read the root table in memory. Such dwords need no
// SGPR, but the driver must know how far the reads reach.
#include "merge/steps.h"
#include "src/abi/entry_registers.h"
#include <algorithm>
#include <fmt/format.h>

namespace dovetail {

namespace {

const ResourceLayout NoResources({}); // for an image without a layout

void noteRead(ImageStage &stage, uint32_t dword, bool isInMemory) {
  stage.userDataLimit = std::max(stage.userDataLimit, dword + 1);
  if (isInMemory)
    stage.spillThreshold = std::min(stage.spillThreshold, dword);
}

// Notes the reads of push constants, and of sets that are read from memory.
Result<void> noteReads(ImageStage &stage, const ShaderInterface &interface, const ResourceLayout &layout) {
  for (const uint8_t set : interface.spilledSets)
    noteRead(stage, DOVETAIL_TRY(layout.rootDwordOf({ValueKind::DescriptorSet, set})), true);
  if (interface.pushConstantEnd == 0)
    return {};
  const uint32_t first = DOVETAIL_TRY(layout.rootDwordOf({ValueKind::PushConstant, 0}));
  const uint32_t size = layout.pushConstants()->sizeInDwords;
  const uint32_t end = interface.pushConstantEnd == AllPushConstants ? size : interface.pushConstantEnd;
  if (end > size)
    return makeError(ErrorCode::StateMismatch,
                     "the shader reads push constants at byte {}, behind the {} bytes of their node", (end - 1) * 4,
                     size * 4);
  if (interface.spilledPushConstants < end)
    noteRead(stage, first + interface.spilledPushConstants, true);
  if (end != 0)
    noteRead(stage, first + end - 1, false);
  return {};
}

// Notes the root dwords that code reads from memory by their binding.
Result<void> noteRootReads(ImageStage &stage, const Part &part, const ResourceLayout &layout) {
  for (const LayoutRelocation &relocation : part.layoutRelocations) {
    const LayoutConstant &constant = relocation.constant;
    if (constant.quantity != LayoutQuantity::Offset || !isInRoot(constant.resource))
      continue;
    const UserDataNode *node = DOVETAIL_TRY(layout.find(constant.resource, constant.set, constant.binding));
    noteRead(stage, node->offsetInDwords, true);
    noteRead(stage, node->offsetInDwords + node->sizeInDwords - 1, true);
  }
  return {};
}

Result<void> mapStage(const Image &image, const TargetInfo &target, const ResourceLayout &layout, ImageStage &stage) {
  const bool isMerged = stage.entryInterface != nullptr;
  const unsigned count = isMerged ? stage.entryInterface->userSgprCount : stage.interface->userSgprCount;
  const unsigned first = isMerged ? MergedFirstUserSgpr : 0;
  const unsigned most = stage.stage == HardwareStage::Cs ? 16 : target.maxUserSgprs;
  if (count > most)
    return makeError(ErrorCode::JoinRefused, "{} has {} user SGPRs; {} can set {}", toString(stage.stage), count,
                     target.gpuName, most);
  stage.userSgprCount = uint8_t(count);
  for (const Binding &input : isMerged ? stage.entryInterface->inputs : stage.interface->inputs) {
    const unsigned place = input.reg.index - first;
    if (!isUserData(input.value.kind) || input.reg.bank != RegisterBank::Sgpr || place >= count)
      continue;
    uint32_t &content = stage.userDataMap[place];
    if (isRootDword(input.value.kind)) {
      content = DOVETAIL_TRY(layout.rootDwordOf(input.value));
      noteRead(stage, content, false);
    } else {
      content = palUserData(input.value).value_or(PalUserDataUnmapped);
    }
  }
  for (const ShaderInterface *interface : {stage.firstInterface, stage.interface})
    if (interface && (interface->pushConstantEnd != 0 || !interface->spilledSets.empty()))
      DOVETAIL_CHECK(noteReads(stage, *interface, layout));
  for (unsigned i = 0; i < stage.partCount; ++i)
    if (const Part &part = *image.parts[stage.firstPart + i].part; !part.layoutRelocations.empty())
      DOVETAIL_CHECK(noteRootReads(stage, part, layout));
  return {};
}

} // namespace

Result<void> mapUserData(const TargetInfo &target, Image &image) {
  const ResourceLayout &layout = image.layout ? *image.layout : NoResources;
  for (ImageStage &stage : image.stages)
    DOVETAIL_CHECK(mapStage(image, target, layout, stage));
  return {};
}

} // namespace dovetail

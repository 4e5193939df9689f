// SPDX-License-Identifier: MIT
//
// Compares the image with its list of parts: alignment, order, overlap, the bytes themselves. A field that a relocation
// names must hold what the relocation means; all other bytes must be the part's own.
#include "merge/check/checks.h"
#include <algorithm>
#include <bit>
#include <cstring>
#include <optional>

namespace dovetail::check {

namespace {

unsigned fieldSize(RelocationKind kind) {
  return kind == RelocationKind::Abs64 || kind == RelocationKind::Rel64 ? 8 : 4;
}

// The value that a link constant must have, from the registers and from the places of code and constants.
std::optional<uint32_t> constantMeaning(const Image &image, LinkConstant constant) {
  // PAL's table: 16 bytes for each of 16 samples, a pattern for each power of two.
  if (constant == LinkConstant::SamplePattern)
    return image.findStage(HardwareStage::Ps) ? std::optional<uint32_t>(256 * (std::bit_width(image.samples) - 1))
                                              : std::nullopt;
  if (constant == LinkConstant::EsVertexStride)
    return image.geometry ? std::optional(image.geometry->esVertexStride) : std::nullopt;
  if (!image.tessellation)
    return std::nullopt;
  const TessellationLayout &layout = *image.tessellation;
  switch (constant) {
  case LinkConstant::LsVertexStride:
    return layout.lsVertexStride;
  case LinkConstant::PatchControlPoints:
    return layout.inputControlPoints;
  case LinkConstant::PatchesPerGroup:
    return layout.patchesPerGroup;
  case LinkConstant::TcsOutputBase:
    return layout.patchesPerGroup * layout.inputControlPoints * layout.lsVertexStride;
  case LinkConstant::TcsOutputVertices:
    return layout.outputControlPoints;
  case LinkConstant::OffchipPatchBase:
    return layout.offchipPatchBase;
  default:
    return std::nullopt;
  }
}

// AMDGPU ABI: ABS takes S + A, REL takes S + A - P; LO and HI take the halves of those.
uint64_t meaning(const Image &image, const ImagePart &part, const Relocation &relocation) {
  if (relocation.target == RelocationTarget::Link)
    return constantMeaning(image, LinkConstant(relocation.addend)).value_or(~uint64_t(0));
  if (relocation.kind == RelocationKind::Branch16) {
    const ImageStage &stage = image.stages[part.stage];
    const int64_t target = image.parts[stage.firstPart + stage.secondHalf].offset;
    uint32_t word;
    std::memcpy(&word, &part.part->code[relocation.offset], 4);
    return (word & 0xffff0000) | uint16_t((target - (int64_t(part.offset) + relocation.offset + 4)) / 4);
  }
  int64_t value =
      relocation.addend + (relocation.target == RelocationTarget::Constants ? part.constantsOffset : part.offset);
  if (relocation.kind >= RelocationKind::Rel32)
    value -= int64_t(part.offset) + relocation.offset;
  if (relocation.kind == RelocationKind::Abs32Hi || relocation.kind == RelocationKind::Rel32Hi)
    value >>= 32;
  return fieldSize(relocation.kind) == 8 ? uint64_t(value) : uint32_t(value);
}

// The value that a layout constant must have by the nodes of the layout, in bytes.
std::optional<uint32_t> layoutMeaning(const Image &image, const LayoutConstant &constant) {
  if (!image.layout)
    return std::nullopt;
  for (const UserDataNode &node : image.layout->nodes()) {
    const bool isTable = node.type == UserDataNodeType::DescriptorTable;
    const bool isPushConstants = node.type == UserDataNodeType::PushConstants;
    const uint32_t start = node.offsetInDwords * 4 + constant.addend;
    if (constant.quantity == LayoutQuantity::PushConstants ? isPushConstants
        : constant.quantity == LayoutQuantity::SetPointer  ? isTable && node.set == constant.set
                                                           : false)
      return start;
    if (isTable || isPushConstants || constant.quantity == LayoutQuantity::SetPointer ||
        constant.quantity == LayoutQuantity::PushConstants || node.set != constant.set ||
        node.binding != constant.binding)
      continue;
    const bool isCombined = node.type == UserDataNodeType::CombinedImageSampler;
    const bool isRight =
        constant.resource == ResourceKind::Image            ? isCombined || node.type == UserDataNodeType::Image
        : constant.resource == ResourceKind::Sampler        ? isCombined || node.type == UserDataNodeType::Sampler
        : constant.resource == ResourceKind::TexelBuffer    ? node.type == UserDataNodeType::TexelBuffer
        : constant.resource == ResourceKind::Buffer         ? node.type == UserDataNodeType::Buffer
        : constant.resource == ResourceKind::Fmask          ? node.type == UserDataNodeType::Fmask
        : constant.resource == ResourceKind::CompactBuffer  ? node.type == UserDataNodeType::CompactBuffer
        : constant.resource == ResourceKind::InlineUniforms ? node.type == UserDataNodeType::InlineUniforms
        : constant.resource == ResourceKind::RootBuffer     ? node.type == UserDataNodeType::RootBuffer
        : constant.resource == ResourceKind::DynamicOffset  ? node.type == UserDataNodeType::DynamicOffset
        : constant.resource == ResourceKind::ImagePlane1    ? node.type == UserDataNodeType::ImagePlane1
        : constant.resource == ResourceKind::ImagePlane2    ? node.type == UserDataNodeType::ImagePlane2
                                                            : node.type == UserDataNodeType::ImmutableSampler;
    if (!isRight)
      continue;
    if (constant.quantity == LayoutQuantity::Content) {
      const std::vector<uint32_t> &samplers = image.layout->immutableSamplers();
      const uint64_t dword = uint64_t(constant.element) * 4 + constant.addend / 4;
      return dword < node.sizeInDwords && node.offsetInDwords + dword < samplers.size()
                 ? std::optional(samplers[node.offsetInDwords + dword])
                 : std::nullopt;
    }
    if (constant.quantity == LayoutQuantity::Size)
      return node.sizeInDwords * 4 + constant.addend;
    const uint32_t stride = 4 * (node.strideInDwords ? node.strideInDwords : node.sizeInDwords);
    if (constant.quantity == LayoutQuantity::Stride)
      return stride + constant.addend;
    return start + constant.element * stride + (isCombined && constant.resource == ResourceKind::Sampler ? 32 : 0);
  }
  return std::nullopt;
}

void checkLayoutField(const Image &image, const ImagePart &part, const LayoutRelocation &relocation,
                      std::vector<uint8_t> &expected, const DefectPlace &place, Defects &defects) {
  if (relocation.offset + 4 > expected.size()) {
    defects.add<RelocationOutsideCode>(place, relocation.offset);
    return;
  }
  const uint32_t mask = relocation.field == LayoutField::Literal ? 0xffffffff : 0xfffff; // OFFSET of SMEM
  uint32_t own, found;
  std::memcpy(&own, &expected[relocation.offset], 4);
  std::memcpy(&found, &image.code[part.offset + relocation.offset], 4);
  const uint32_t value = layoutMeaning(image, relocation.constant).value_or(~0u);
  if ((found & mask) != value)
    defects.add<WrongRelocatedField>(place, part.offset + relocation.offset, found & mask, value);
  own = (own & ~mask) | (found & mask);
  std::memcpy(&expected[relocation.offset], &own, 4);
}

void checkBytes(const Image &image, const ImagePart &part, const DefectPlace &place, Defects &defects) {
  std::vector<uint8_t> expected = part.part->code;
  for (const Relocation &relocation : part.part->relocations) {
    unsigned size = fieldSize(relocation.kind);
    if (relocation.offset + size > expected.size()) {
      defects.add<RelocationOutsideCode>(place, relocation.offset);
      continue;
    }
    uint64_t wanted = meaning(image, part, relocation);
    uint64_t found = 0;
    std::memcpy(&found, &image.code[part.offset + relocation.offset], size);
    if (found != wanted)
      defects.add<WrongRelocatedField>(place, part.offset + relocation.offset, found, wanted);
    std::memcpy(&expected[relocation.offset], &found, size);
  }
  for (const LayoutRelocation &relocation : part.part->layoutRelocations)
    checkLayoutField(image, part, relocation, expected, place, defects);
  auto mismatch = std::mismatch(expected.begin(), expected.end(), image.code.begin() + part.offset);
  if (mismatch.first != expected.end())
    defects.add<WrongByte>(place, mismatch.second - image.code.begin());
  if (!part.part->constants.empty() &&
      !std::equal(part.part->constants.begin(), part.part->constants.end(), image.code.begin() + part.constantsOffset))
    defects.add<WrongConstants>(place, part.constantsOffset);
}

} // namespace

void checkPlacement(const Image &image, Defects &defects) {
  constexpr uint32_t PrefetchBytes = 192; // docs/hardware-facts.md
  uint32_t end = 0;
  for (const ImageStage &stage : image.stages) {
    const DefectPlace whole = {stage.stage, std::nullopt, {}};
    if (stage.entry % 256 != 0)
      defects.add<StageNotAligned>(whole, stage.entry);
    if (stage.entry < end)
      defects.add<StageInsideAnother>(whole, stage.entry);
    end = stage.entry;
    if (stage.firstPart + stage.partCount > image.parts.size())
      continue; // reported with the stage
    for (unsigned i = 0; i < stage.partCount; ++i) {
      const ImagePart &part = image.parts[stage.firstPart + i];
      const DefectPlace place = {stage.stage, part.offset, partSymbol(image, part)};
      if (part.offset < end || part.offset % 4 != 0 || part.size != part.part->code.size() ||
          part.offset + part.size > image.textSize || image.textSize > image.code.size()) {
        defects.add<PartDoesNotFit>(place, part.part->code.size(), part.offset);
        continue;
      }
      // Control falls from part to part, so only wait states may lie between two parts.
      for (uint32_t offset = end; offset < part.offset; offset += 4) {
        uint32_t word;
        std::memcpy(&word, &image.code[offset], 4);
        if ((word & 0xffff0000) != 0xbf800000)
          defects.add<NoWaitStateBetweenParts>(place, word, offset);
      }
      end = part.offset + part.size;
      uint64_t constantsEnd = uint64_t(part.constantsOffset) + part.part->constants.size();
      if (!part.part->constants.empty() &&
          (part.constantsOffset < image.textSize || part.constantsOffset < image.constantsStart ||
           constantsEnd > image.constantsEnd || constantsEnd > image.code.size() ||
           part.constantsOffset % part.part->constantsAlignment != 0)) {
        defects.add<ConstantsDoNotFit>(place, part.constantsOffset);
        continue;
      }
      checkBytes(image, part, place, defects);
    }
    if (end != stage.entry + stage.size)
      defects.add<StageEndsElsewhere>(whole, stage.entry + stage.size, end);
  }
  if (image.code.size() < image.textSize + PrefetchBytes)
    defects.add<NoRoomForPrefetch>({}, image.code.size() - image.textSize);
}

} // namespace dovetail::check

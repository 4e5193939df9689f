// SPDX-License-Identifier: MIT
//
// Some fields of the code depend on where code and constants are placed, and on the layout. This step knows the
// distances and writes them. Addresses are known only when the image is uploaded, so this step lists them for the
// uploader.
#include "merge/steps.h"
#include "src/base/enumerators.h"
#include <cstring>
#include <fmt/format.h>
#include <limits>

namespace dovetail {

namespace {

static_assert(std::size(RelocationKindRows) == enumeratorCount<RelocationKind>());

// Writes a link constant. The field gets the value itself, wherever the code lies.
Result<void> fillInConstant(Image &image, const ImagePart &placed, const Relocation &relocation,
                            const RelocationKindRow &facts) {
  if (relocation.kind != RelocationKind::Abs32 && relocation.kind != RelocationKind::Abs32Lo)
    return makeError(ErrorCode::JoinRefused, "{}: a link constant in a {} field at offset 0x{:x}",
                     describePart(*placed.part), facts.name, relocation.offset);
  const uint32_t value = DOVETAIL_TRY(linkConstantValue(image, LinkConstant(relocation.addend)));
  std::memcpy(&image.code[placed.offset + relocation.offset], &value, sizeof(value));
  return {};
}

// Writes a value that the pipeline's layout decides.
Result<void> fillIn(Image &image, const ImagePart &placed, const LayoutRelocation &relocation) {
  const Part &part = *placed.part;
  if (relocation.offset > placed.size || placed.size - relocation.offset < sizeof(uint32_t))
    return makeError(ErrorCode::JoinRefused,
                     "{}: the layout's field at offset 0x{:x} lies outside its {} bytes of code", describePart(part),
                     relocation.offset, placed.size);
  if (!image.layout)
    return makeError(ErrorCode::StateMismatch, "{} reads resources, but there is no layout", describePart(part));
  uint32_t value = DOVETAIL_TRY(image.layout->valueOf(relocation.constant));
  uint8_t *field = &image.code[placed.offset + relocation.offset];
  if (relocation.field == LayoutField::ScalarOffset) {
    if (value > MaxScalarOffset)
      return makeError(ErrorCode::JoinRefused, "{}: set {} binding {} lies {} bytes into its table; code reaches {}",
                       describePart(part), relocation.constant.set, relocation.constant.binding, value,
                       MaxScalarOffset);
    uint32_t dword;
    std::memcpy(&dword, field, sizeof(dword));
    value |= dword & ~MaxScalarOffset;
  }
  std::memcpy(field, &value, sizeof(value));
  return {};
}

Result<void> branchToSecondHalf(Image &image, const ImagePart &placed, const Relocation &relocation) {
  const ImageStage &stage = image.stages[placed.stage];
  if (relocation.target != RelocationTarget::SecondHalf || stage.secondHalf == 0)
    return makeError(ErrorCode::JoinRefused, "{}: a branch at offset 0x{:x} to something that {} does not have",
                     describePart(*placed.part), relocation.offset, toString(stage.stage));
  const uint32_t place = placed.offset + relocation.offset;
  const uint32_t target = image.parts[stage.firstPart + stage.secondHalf].offset;
  const int64_t dwords = (int64_t(target) - (int64_t(place) + 4)) / 4;
  if (dwords > std::numeric_limits<int16_t>::max() || dwords < std::numeric_limits<int16_t>::min())
    return makeError(ErrorCode::JoinRefused, "{}: the first half is {} bytes long; a branch over it reaches {} bytes",
                     toString(stage.stage), target - place, 4 * std::numeric_limits<int16_t>::max());
  const auto immediate = int16_t(dwords);
  std::memcpy(&image.code[place], &immediate, sizeof(immediate));
  return {};
}

Result<void> apply(Image &image, const ImagePart &placed, const Relocation &relocation) {
  const RelocationKindRow &facts = rowOf(relocation.kind);
  const Part &part = *placed.part;
  if (relocation.offset > placed.size || placed.size - relocation.offset < facts.size)
    return makeError(ErrorCode::JoinRefused, "{}: the {} relocation at offset 0x{:x} lies outside its {} bytes of code",
                     describePart(part), facts.name, relocation.offset, placed.size);
  if (relocation.target == RelocationTarget::Link)
    return fillInConstant(image, placed, relocation, facts);
  if (relocation.target == RelocationTarget::SecondHalf || relocation.kind == RelocationKind::Branch16) {
    if (relocation.kind != RelocationKind::Branch16)
      return makeError(ErrorCode::JoinRefused, "{}: a {} field at offset 0x{:x} for the second half",
                       describePart(part), facts.name, relocation.offset);
    return branchToSecondHalf(image, placed, relocation);
  }
  if (relocation.target == RelocationTarget::Constants && part.constants.empty())
    return makeError(ErrorCode::JoinRefused,
                     "{}: the {} relocation at offset 0x{:x} refers to constants, but the part has none",
                     describePart(part), facts.name, relocation.offset);

  const uint32_t place = placed.offset + relocation.offset;
  const uint32_t target = relocation.target == RelocationTarget::Code ? placed.offset : placed.constantsOffset;
  int64_t value = 0;
  if (__builtin_add_overflow(int64_t(target), relocation.addend, &value) ||
      (facts.isRelative && __builtin_sub_overflow(value, int64_t(place), &value)))
    return makeError(ErrorCode::JoinRefused, "{}: the {} relocation at offset 0x{:x} overflows", describePart(part),
                     facts.name, relocation.offset);
  if (facts.mustFit && (value < std::numeric_limits<int32_t>::min() || value > std::numeric_limits<int32_t>::max()))
    return makeError(ErrorCode::JoinRefused, "{}: the {} relocation at offset 0x{:x} does not fit into 32 bits",
                     describePart(part), facts.name, relocation.offset);
  if (!facts.isRelative)
    image.loadRelocations.push_back({place, relocation.kind, value});
  uint64_t bits = facts.takesHighHalf ? uint64_t(value) >> 32 : uint64_t(value);
  std::memcpy(&image.code[place], &bits, facts.size);
  return {};
}

} // namespace

Result<void> relocate(Image &image) {
  for (const ImagePart &placed : image.parts) {
    for (const Relocation &relocation : placed.part->relocations)
      DOVETAIL_CHECK(apply(image, placed, relocation));
    for (const LayoutRelocation &relocation : placed.part->layoutRelocations)
      DOVETAIL_CHECK(fillIn(image, placed, relocation));
  }
  return {};
}

} // namespace dovetail

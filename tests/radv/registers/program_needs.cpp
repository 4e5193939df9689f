// SPDX-License-Identifier: MIT
#include "tests/radv/registers/program_needs.h"
#include "src/abi/entry_registers.h"
#include <algorithm>
#include <span>

namespace dovetail {

namespace {

constexpr unsigned VgprGranule = 4, SgprUnit = 8;
constexpr unsigned LaunchVgprs = 9;  // a merged program's: five of the second half, four of the first
constexpr unsigned SystemSgprs = 8;  // those of a merged program, or the most that a VS with transform feedback has
constexpr unsigned SpecialSgprs = 6; // VCC, XNACK_MASK, FLAT_SCRATCH

std::span<const ImagePart> partsOf(const Image &image, HardwareStage stage) {
  const ImageStage *found = image.findStage(stage);
  return found ? std::span(image.parts.data() + found->firstPart, found->partCount) : std::span<const ImagePart>();
}

uint32_t granules(unsigned count, unsigned granularity) {
  return (std::max(count, 1u) + granularity - 1) / granularity;
}

// One past the last register that a part hands on or takes.
unsigned bordersEnd(const Part &part, RegisterBank bank) {
  unsigned end = 0;
  for (const std::vector<Binding> *border : {&part.contract.inputs, &part.contract.outputs})
    for (const Binding &binding : *border)
      if (binding.reg.bank == bank)
        end = std::max(end, binding.reg.index + 1u);
  return end;
}

// The driver's content of a user SGPR for a value that a part takes.
std::optional<uint32_t> contentOf(const ValueName &value, const Image &image) {
  if (!isRootDword(value.kind))
    return palUserData(value);
  if (!image.layout)
    return std::nullopt;
  Result<uint32_t> dword = image.layout->rootDwordOf(value);
  return dword ? std::optional(*dword) : std::nullopt;
}

} // namespace

std::optional<HardwareStage> stageOf(RegisterOwner owner) {
  switch (owner) {
  case RegisterOwner::Ls:
    return HardwareStage::Ls;
  case RegisterOwner::Hs:
    return HardwareStage::Hs;
  case RegisterOwner::Es:
    return HardwareStage::Es;
  case RegisterOwner::Gs:
    return HardwareStage::Gs;
  case RegisterOwner::Vs:
    return HardwareStage::Vs;
  case RegisterOwner::Ps:
    return HardwareStage::Ps;
  case RegisterOwner::Cs:
    return HardwareStage::Cs;
  case RegisterOwner::Driver:
  case RegisterOwner::Nobody:
    break;
  }
  return std::nullopt;
}

Bounds vgprGranules(const Image &image, HardwareStage stage) {
  unsigned used = 1, launched = LaunchVgprs;
  for (const ImagePart &placed : partsOf(image, stage)) {
    used = std::max({used, unsigned(placed.part->usage.vgprs), bordersEnd(*placed.part, RegisterBank::Vgpr)});
    launched = std::max(launched, psInputVgprs(placed.part->usage.psInputAddr));
  }
  return {granules(used, VgprGranule) - 1, granules(std::max(used, launched), VgprGranule) - 1};
}

Bounds sgprEights(const Image &image, const TargetInfo &target, HardwareStage stage) {
  unsigned used = 1, numbered = 0;
  for (const ImagePart &placed : partsOf(image, stage)) {
    const Usage &usage = placed.part->usage;
    used = std::max({used, unsigned(usage.sgprs), usage.numberedSgprs + unsigned(target.reservedSgprs)});
    numbered = std::max({numbered, unsigned(usage.numberedSgprs), bordersEnd(*placed.part, RegisterBank::Sgpr)});
  }
  if (const ImageStage *found = image.findStage(stage))
    numbered = std::max(numbered, found->userSgprCount + SystemSgprs);
  auto eights = [&](unsigned count) {
    return granules(count, target.sgprGranularity) * target.sgprGranularity / SgprUnit - 1;
  };
  return {eights(used), eights(std::max(used, numbered + SpecialSgprs))};
}

bool usesScratch(const Image &image, HardwareStage stage) {
  return std::ranges::any_of(partsOf(image, stage),
                             [](const ImagePart &placed) { return placed.part->usage.scratchBytes != 0; });
}

bool takes(const Image &image, HardwareStage stage, const ValueName &value) {
  for (const ImagePart &placed : partsOf(image, stage))
    for (const Binding &input : placed.part->contract.inputs)
      if (input.value.kind == value.kind && input.value.index == value.index)
        return true;
  return false;
}

bool isUserDataOf(const Image &image, HardwareStage stage, uint32_t entry) {
  if (entry == PalUserDataUnmapped)
    return true;
  for (const ImagePart &placed : partsOf(image, stage))
    for (const Binding &input : placed.part->contract.inputs)
      if (isUserData(input.value.kind) && contentOf(input.value, image) == entry)
        return true;
  return false;
}

} // namespace dovetail

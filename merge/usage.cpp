// SPDX-License-Identifier: MIT
//
// What a hardware shader needs is the maximum of what its parts need, because they run one after the other in the same
// wave: registers, scratch (every part addresses it from the wave's base) and LDS. Two things come on top: registers
// that the hardware fills at the start whether the code reads them or not, and the pixel shader's rules on which inputs
// must be enabled.
#include "merge/steps.h"
#include "src/abi/entry_registers.h"
#include <algorithm>
#include <bit>
#include <fmt/format.h>

namespace dovetail {

namespace {

constexpr unsigned VccSgprs = 2;

// The bit of SPI_PS_INPUT_ENA for a value; 0 if it is not a pixel shader input.
uint32_t psInputBit(ValueKind kind) {
  if (kind < ValueKind::PerspSample || kind > ValueKind::PosFixedPt)
    return 0;
  return 1u << (unsigned(kind) - unsigned(ValueKind::PerspSample));
}
static_assert(unsigned(ValueKind::PosFixedPt) - unsigned(ValueKind::PerspSample) == PsInputCount - 1);

// SPI_PS_INPUT_ENA says what the hardware loads, ADDR for which layout the code was compiled. Enabling an input that is
// not part of the layout would move all others.
Result<void> enablePsInputs(std::span<const ImagePart> parts, Usage &usage) {
  for (const ImagePart &placed : parts) {
    const Usage &own = placed.part->usage;
    usage.psInputEna |= own.psInputEna;
    if (own.psInputAddr && usage.psInputAddr && own.psInputAddr != usage.psInputAddr)
      return makeError(ErrorCode::JoinRefused,
                       "{} was compiled for the pixel shader inputs 0x{:x}, the parts before it for 0x{:x}",
                       describePart(*placed.part), own.psInputAddr, usage.psInputAddr);
    usage.psInputAddr |= own.psInputAddr;
    // What a prolog reads must be there, too: stipple needs POS_FIXED_PT, the sample mask ANCILLARY, two-sided colours
    // FRONT_FACE.
    for (const Binding &input : placed.part->contract.inputs)
      usage.psInputEna |= psInputBit(input.value.kind);
  }
  if (uint32_t missing = usage.psInputEna & ~usage.psInputAddr)
    return makeError(ErrorCode::JoinRefused,
                     "the pixel shader inputs 0x{:x} are needed, but the main part's layout 0x{:x} lacks 0x{:x}",
                     usage.psInputEna, usage.psInputAddr, missing);

  // "At least one pair must be enabled or the GPU hangs", and POS_W needs a perspective pair.
  uint32_t wanted = (usage.psInputEna & PosWEna) ? PerspectivePairs : BarycentricPairs;
  if (!(usage.psInputEna & wanted)) {
    uint32_t candidates = usage.psInputAddr & wanted;
    if (!candidates)
      return makeError(ErrorCode::JoinRefused,
                       "the hardware must load a pair of barycentric coordinates, but the main part's layout 0x{:x} "
                       "has no place for one",
                       usage.psInputAddr);
    usage.psInputEna |= candidates & -candidates;
  }
  return {};
}

// Whether a part reads a VGPR of the hardware's. A vertex main part lists all of them, because they keep their places
// whether they are read or not; what it really reads, its interface says.
bool readsEntryVgpr(const Part &part, const ValueName &value) {
  if (part.key.kind == PartKind::VertexMain && part.interface) {
    if (value.kind == ValueKind::InstanceId)
      return part.interface->usesInstanceId;
    if (value.kind == ValueKind::VertexPrimitiveId)
      return part.interface->usesPrimitiveId;
  }
  const std::vector<Binding> &inputs = part.contract.inputs;
  return std::any_of(inputs.begin(), inputs.end(), [&](const Binding &input) { return input.value == value; });
}

// The last VGPR that the hardware must load at the start, counted over what all parts read.
unsigned lastEntryVgpr(HardwareStage stage, std::span<const ImagePart> parts) {
  std::span<const ValueName> entry = entryVgprs(stage);
  for (size_t i = entry.size(); i-- > 1;)
    for (const ImagePart &placed : parts)
      if (readsEntryVgpr(*placed.part, entry[i]))
        return unsigned(i);
  return 0;
}

// The first part that needs a float mode of its own.
const Part &modeGiver(std::span<const ImagePart> parts) {
  for (const ImagePart &placed : parts)
    if (!placed.part->usage.runsInAnyFloatMode)
      return *placed.part;
  return *parts[0].part;
}

Result<void> mergeStage(const JoinTarget &target, Image &image, ImageStage &stage) {
  std::span<const ImagePart> parts(image.parts.data() + stage.firstPart, stage.partCount);
  const ShaderInterface &interface = *stage.interface;
  Usage &usage = stage.usage;
  const Usage &first = parts[0].part->usage;
  usage.floatMode = modeGiver(parts).usage.floatMode;
  usage.ieeeMode = first.ieeeMode;
  usage.dx10Clamp = first.dx10Clamp;
  usage.waveSize = first.waveSize;

  unsigned vgprs = 1; // a wave always has some
  for (const ImagePart &placed : parts) {
    const Part &part = *placed.part;
    usage.sgprs = std::max(usage.sgprs, part.usage.sgprs);
    vgprs = std::max<unsigned>(vgprs, part.usage.vgprs);
    usage.scratchBytes = std::max(usage.scratchBytes, part.usage.scratchBytes);
    usage.ldsBytes = std::max(usage.ldsBytes, part.usage.ldsBytes);
    for (const Binding &output : part.contract.outputs)
      if (output.reg.bank == RegisterBank::Vgpr)
        vgprs = std::max(vgprs, output.reg.index + 1u);
  }

  // The hardware writes all of its inputs.
  unsigned entrySgprs = interface.userSgprCount;
  for (const Binding &input : interface.inputs)
    if (isSystemSgpr(input.value.kind) && (input.value.kind != ValueKind::ScratchOffset || usage.scratchBytes))
      entrySgprs = std::max(entrySgprs, input.reg.index + 1u);
  usage.sgprs = uint16_t(std::max<unsigned>(usage.sgprs, entrySgprs + VccSgprs));
  if (stage.stage == HardwareStage::Ps) {
    DOVETAIL_CHECK(enablePsInputs(parts, usage));
    // Places are reserved by ADDR, up to the last input that is loaded.
    uint32_t upToLast = (uint32_t(2) << (31 - std::countl_zero(usage.psInputEna))) - 1;
    vgprs = std::max(vgprs, psInputVgprs(usage.psInputAddr & upToLast));
  } else {
    stage.vgprCompCount = uint8_t(lastEntryVgpr(stage.stage, parts));
    vgprs = std::max(vgprs, stage.vgprCompCount + 1u);
  }
  usage.vgprs = uint16_t(vgprs);

  if (usage.sgprs > target.maxSgprs || usage.vgprs > target.maxVgprs)
    return makeError(ErrorCode::JoinRefused, "{} needs {} SGPRs and {} VGPRs; {} has {} and {}", toString(stage.stage),
                     usage.sgprs, usage.vgprs, target.gpuName, target.maxSgprs, target.maxVgprs);
  unsigned maxUserSgprs = stage.stage == HardwareStage::Cs ? 16 : target.maxUserSgprs;
  if (interface.userSgprCount > maxUserSgprs)
    return makeError(ErrorCode::JoinRefused, "{} has {} user SGPRs; {} can set {}", toString(stage.stage),
                     interface.userSgprCount, target.gpuName, maxUserSgprs);
  stage.userSgprCount = uint8_t(interface.userSgprCount);
  for (const Binding &input : interface.inputs) {
    unsigned place = input.reg.index;
    if (isUserData(input.value.kind) && input.reg.bank == RegisterBank::Sgpr && place < interface.userSgprCount)
      stage.userDataMap[place] = *palUserData(input.value);
  }
  return {};
}

} // namespace

Result<void> mergeUsage(const JoinTarget &target, Image &image) {
  for (ImageStage &stage : image.stages)
    DOVETAIL_CHECK(mergeStage(target, image, stage));
  return {};
}

} // namespace dovetail

// SPDX-License-Identifier: MIT
//
// The parts of a hardware shader run one after the other in the same wave, so the shader needs the maximum of their
// needs: registers, scratch (every part addresses it from the wave's base) and LDS. Two things come on top: the
// registers that the hardware fills at the start whether the code reads them or not, and the pixel shader's rules on
// which inputs must be enabled.
#include "merge/steps.h"
#include "src/abi/interface/pixel_inputs.h"
#include <algorithm>
#include <bit>
#include <fmt/format.h>

namespace dovetail {

namespace {

// The bit of SPI_PS_INPUT_ENA for a value; 0 if it is not a pixel shader input.
uint32_t psInputBit(ValueKind kind) {
  if (kind < ValueKind::PerspSample || kind > ValueKind::PosFixedPt)
    return 0;
  return 1u << (unsigned(kind) - unsigned(ValueKind::PerspSample));
}
static_assert(unsigned(ValueKind::PosFixedPt) - unsigned(ValueKind::PerspSample) == PsInputCount - 1);

// SPI_PS_INPUT_ENA says which inputs the hardware loads, ADDR for which layout the code was compiled. Enabling an input
// that is not part of the layout would move all others.
Result<void> enablePsInputs(std::span<const ImagePart> parts, Usage &usage) {
  for (const ImagePart &placed : parts) {
    // A prolog hands all inputs to the parts behind it, in the layout that the main part was compiled for.
    if (&placed != &parts.front() && parts.front().part->key.kind == PartKind::FragmentProlog)
      break;
    const Usage &own = placed.part->usage;
    usage.psInputEna |= own.psInputEna;
    if (own.psInputAddr && usage.psInputAddr && own.psInputAddr != usage.psInputAddr)
      return makeError(ErrorCode::JoinRefused,
                       "{} was compiled for the pixel shader inputs 0x{:x}, the parts before it for 0x{:x}",
                       describePart(*placed.part), own.psInputAddr, usage.psInputAddr);
    usage.psInputAddr |= own.psInputAddr;
    // The inputs that a prolog reads must be loaded, too: stipple needs POS_FIXED_PT, the sample mask ANCILLARY,
    // two-sided colours FRONT_FACE.
    for (const Binding &input : placed.part->contract.inputs)
      usage.psInputEna |= psInputBit(input.value.kind);
  }
  if (uint32_t missing = usage.psInputEna & ~usage.psInputAddr)
    return makeError(ErrorCode::JoinRefused,
                     "the pixel shader inputs 0x{:x} are needed, but the main part's layout 0x{:x} lacks 0x{:x}",
                     usage.psInputEna, usage.psInputAddr, missing);

  if (const uint32_t wanted = missingPairs(usage.psInputEna)) {
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

// Whether a part reads a VGPR of the hardware's that it lists. A vertex main part lists all such VGPRs, because they
// keep their places whether they are read or not; its interface says which of them it reads.
bool readsListed(const Part &part, const ValueName &value) {
  if (part.key.kind == PartKind::VertexMain && part.interface) {
    if (value.kind == ValueKind::InstanceId)
      return part.interface->vertex.usesInstanceId;
    if (value.kind == ValueKind::VertexPrimitiveId)
      return part.interface->preRaster.usesPrimitiveId;
  }
  return true;
}

// The last VGPR that the hardware must load at the start: the highest one that a part reads in its fixed place.
unsigned lastEntryVgpr(const ImageStage &stage, std::span<const ImagePart> parts) {
  std::span<const ValueName> entry = entryVgprs(stage.stage, stage.interface->source);
  unsigned last = 0;
  for (const ImagePart &placed : parts)
    for (const Binding &input : placed.part->contract.inputs) {
      const unsigned index = input.reg.index;
      if (input.reg.bank == RegisterBank::Vgpr && index > last && index < entry.size() && input.value == entry[index] &&
          readsListed(*placed.part, input.value))
        last = index;
    }
  return last;
}

// The last VGPR that a vertex or evaluation shader always gets. An evaluation shader gets both coordinates and its
// patch's place in the group (radeonsi's si_state_shaders.cpp and RADV's radv_shader.c have counts of 2 and 3 only).
unsigned leastVgprCompCount(const ShaderInterface &interface) {
  constexpr unsigned RelativePatchId = 2;
  return interface.source == VertexSource::TessEval ? RelativePatchId : 0;
}

// The registers that the hardware writes at the start of an unmerged program, at least.
void countEntryRegisters(ImageStage &stage, std::span<const ImagePart> parts, unsigned &sgprs, unsigned &vgprs) {
  const ShaderInterface &interface = *stage.interface;
  sgprs = interface.userSgprCount;
  for (const Binding &input : interface.inputs)
    if (isSystemSgpr(input.value.kind) && (input.value.kind != ValueKind::ScratchOffset || stage.usage.scratchBytes))
      sgprs = std::max(sgprs, input.reg.index + 1u);
  if (stage.stage == HardwareStage::Ps) // enablePsInputs() decides
    return;
  stage.vgprCompCount = uint8_t(std::max(lastEntryVgpr(stage, parts), leastVgprCompCount(interface)));
  // The front end always loads all VGPRs that an HS or a GS can have.
  const bool isCounted = stage.stage != HardwareStage::Hs && stage.stage != HardwareStage::Gs;
  vgprs = isCounted ? stage.vgprCompCount + 1u : unsigned(entryVgprs(stage.stage).size());
}

// The same for a merged program. SGPRs: eight system SGPRs and the user SGPRs. VGPRs: all VGPRs of an HS; those of a GS
// up to the last that is read (GS_VGPR_COMP_CNT counts to the third vertex pair, which is loaded by need); then the
// first half's.
void countMergedEntryRegisters(ImageStage &stage, unsigned &sgprs, unsigned &vgprs) {
  constexpr unsigned MaxGsCompCount = 3;
  const EntryInterface &entry = *stage.entryInterface;
  const unsigned firstHalf = mergedFirstHalfVgpr(stage.stage);
  sgprs = MergedFirstUserSgpr + entry.userSgprCount;
  stage.firstVgprCompCount = uint8_t(leastVgprCompCount(*stage.firstInterface));
  vgprs = firstHalf + stage.firstVgprCompCount + 1u;
  for (const Binding &input : entry.inputs) {
    if (input.reg.bank != RegisterBank::Vgpr)
      continue;
    vgprs = std::max(vgprs, input.reg.index + 1u);
    if (input.reg.index >= firstHalf)
      stage.firstVgprCompCount = uint8_t(std::max<unsigned>(stage.firstVgprCompCount, input.reg.index - firstHalf));
    else
      stage.vgprCompCount = uint8_t(std::min<unsigned>(input.reg.index, MaxGsCompCount));
  }
}

// The LDS between the stages, which the stage's own parts do not know of. LS and HS of a group share it.
uint32_t groupLdsBytes(const Image &image, HardwareStage stage) {
  if ((stage == HardwareStage::Ls || stage == HardwareStage::Hs) && image.tessellation)
    return image.tessellation->ldsBytes;
  if (stage == HardwareStage::Gs && image.geometry)
    return image.geometry->ldsBytes;
  return 0;
}

Result<void> mergeStage(const TargetInfo &target, Image &image, ImageStage &stage) {
  std::span<const ImagePart> parts(image.parts.data() + stage.firstPart, stage.partCount);
  Usage &usage = stage.usage;
  const Usage &first = firstOwnPart(parts).usage;
  usage.floatMode = floatModeOf(parts); // of the first half; glue sets the mode of the second
  usage.ieeeMode = first.ieeeMode;
  usage.dx10Clamp = first.dx10Clamp;
  usage.waveSize = first.waveSize;

  unsigned vgprs = 1; // a wave always has some VGPRs
  for (const ImagePart &placed : parts) {
    const Part &part = *placed.part;
    usage.sgprs = std::max(usage.sgprs, part.usage.sgprs);
    usage.numberedSgprs = std::max(usage.numberedSgprs, part.usage.numberedSgprs);
    usage.specialSgprs = std::max(usage.specialSgprs, part.usage.specialSgprs);
    vgprs = std::max<unsigned>(vgprs, part.usage.vgprs);
    usage.scratchBytes = std::max(usage.scratchBytes, part.usage.scratchBytes);
    usage.spilledSgprs += part.usage.spilledSgprs;
    usage.spilledVgprs += part.usage.spilledVgprs;
    usage.ldsBytes = std::max(usage.ldsBytes, part.usage.ldsBytes);
    for (const Binding &output : part.contract.outputs)
      if (output.reg.bank == RegisterBank::Vgpr)
        vgprs = std::max(vgprs, output.reg.index + 1u);
  }
  usage.ldsBytes += groupLdsBytes(image, stage.stage);

  // The hardware writes all of its inputs, so each input needs a register.
  unsigned entrySgprs = 0, entryVgprs = 0;
  if (stage.entryInterface)
    countMergedEntryRegisters(stage, entrySgprs, entryVgprs);
  else
    countEntryRegisters(stage, parts, entrySgprs, entryVgprs);
  // Glue and prologs do not count the mask that the hardware keeps in a wave's last SGPRs.
  const unsigned reserved = std::max<unsigned>(usage.specialSgprs, target.reservedSgprs);
  usage.sgprs = uint16_t(std::max({unsigned(usage.sgprs), usage.numberedSgprs + reserved, entrySgprs + reserved}));
  vgprs = std::max(vgprs, entryVgprs);
  if (stage.stage == HardwareStage::Ps) {
    DOVETAIL_CHECK(enablePsInputs(parts, usage));
    // ADDR reserves the places, up to the last input that is loaded.
    uint32_t upToLast = (uint32_t(2) << (31 - std::countl_zero(usage.psInputEna))) - 1;
    vgprs = std::max(vgprs, psInputVgprs(usage.psInputAddr & upToLast));
  }
  usage.vgprs = uint16_t(vgprs);

  if (usage.sgprs > target.maxSgprs || usage.vgprs > target.maxVgprs)
    return makeError(ErrorCode::JoinRefused, "{} needs {} SGPRs and {} VGPRs; {} has {} and {}", toString(stage.stage),
                     usage.sgprs, usage.vgprs, target.gpuName, target.maxSgprs, target.maxVgprs);
  return {};
}

} // namespace

const Part &firstOwnPart(std::span<const ImagePart> parts) {
  for (const ImagePart &placed : parts)
    if (placed.part->key.kind != PartKind::Glue)
      return *placed.part;
  return *parts[0].part;
}

uint8_t floatModeOf(std::span<const ImagePart> parts) {
  for (const ImagePart &placed : parts)
    if (!placed.part->usage.runsInAnyFloatMode)
      return placed.part->usage.floatMode;
  return parts[0].part->usage.floatMode;
}

Result<void> mergeUsage(const TargetInfo &target, Image &image) {
  for (ImageStage &stage : image.stages)
    DOVETAIL_CHECK(mergeStage(target, image, stage));
  return {};
}

} // namespace dovetail

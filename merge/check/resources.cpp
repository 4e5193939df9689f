// SPDX-License-Identifier: MIT
//
// Compares the registers and memory that the code uses with what the register values allocate and enable.
#include "merge/check/checks.h"
#include "merge/check/entry.h"
#include "src/abi/registers/registers.h"
#include <algorithm>
#include <cstring>
#include <optional>

namespace dovetail::check {

namespace {

unsigned roundUp(unsigned value, unsigned granularity) {
  return (value + granularity - 1) / granularity * granularity;
}

void checkRegisterCounts(const Program &program, Defects &defects) {
  const uint32_t rsrc1Value = rsrc1(program.image, program.stage);
  const unsigned vgprs = ((rsrc1Value & 63) + 1) * 4;
  const unsigned sgprs = (((rsrc1Value >> 6) & 15) + 1) * 8;
  unsigned usedVgprs = 0, usedSgprs = 0;
  bool usesVcc = false;
  auto count = [&](const isa::RegisterRange &range) {
    if (range.file == isa::RegisterFile::Vgpr)
      usedVgprs = std::max<unsigned>(usedVgprs, range.first + range.count);
    if (range.file == isa::RegisterFile::Sgpr && range.first < 102)
      usedSgprs = std::max<unsigned>(usedSgprs, range.first + range.count);
    usesVcc |= range.file == isa::RegisterFile::Vcc;
  };
  for (const isa::Instruction &inst : program.instructions) {
    std::for_each(inst.reads.begin(), inst.reads.end(), count);
    std::for_each(inst.writes.begin(), inst.writes.end(), count);
  }
  // The registers that the hardware writes at the start must be allocated, too.
  const auto countRegister = [&](Register reg) {
    count({reg.bank == RegisterBank::Sgpr ? isa::RegisterFile::Sgpr : isa::RegisterFile::Vgpr, reg.index, 1});
  };
  for (const auto &[reg, value] : entryValues(program.image, program.stage))
    countRegister(reg);
  if (usedVgprs > vgprs)
    defects.add<VgprsNotAllocated>(program.place(), usedVgprs, vgprs);
  // LLVM, getNumExtraSGPRs: the hardware keeps XNACK_MASK in front of VCC.
  const bool keepsXnackMask = replaysMemory(program.image.gpuName);
  if (keepsXnackMask && usedSgprs + 4 > sgprs)
    defects.add<SgprsAndXnackMaskNotAllocated>(program.place(), usedSgprs, sgprs);
  else if (usesVcc && usedSgprs + 2 > sgprs)
    defects.add<SgprsAndVccNotAllocated>(program.place(), usedSgprs, sgprs);
  else if (usedSgprs > sgprs)
    defects.add<SgprsNotAllocated>(program.place(), usedSgprs, sgprs);

  // No more registers may be allocated than the parts say that they use: waves would wait for them.
  unsigned specialSgprs = keepsXnackMask ? 4 : 2, allSgprs = 1;
  for (unsigned i = 0; i < program.stage.partCount; ++i) {
    const Part &part = *program.image.parts[program.stage.firstPart + i].part;
    usedVgprs = std::max<unsigned>(usedVgprs, part.usage.vgprs);
    usedSgprs = std::max<unsigned>(usedSgprs, part.usage.numberedSgprs);
    allSgprs = std::max<unsigned>(allSgprs, part.usage.sgprs);
    specialSgprs = std::max<unsigned>(specialSgprs, part.usage.specialSgprs);
    for (const std::vector<Binding> *border : {&part.contract.inputs, &part.contract.outputs})
      for (const Binding &binding : *border)
        countRegister(binding.reg);
  }
  usedSgprs = std::max(usedSgprs, userSgprsEnd(program.image, program.stage));
  if (vgprs > roundUp(std::max(usedVgprs, 1u), 4))
    defects.add<VgprsInVain>(program.place(), vgprs, usedVgprs);
  // GFX8 and GFX9 allocate 16 SGPRs at a time. Tonga and Iceland initialise SGPRs only if there are 96 (LLVM,
  // FeatureSGPRInitBug).
  const bool isTongaOrIceland = program.image.gpuName == "gfx802" || program.image.gpuName == "gfx805";
  const unsigned granularity = isTongaOrIceland ? 96 : 16;
  allSgprs = std::max(allSgprs, usedSgprs + specialSgprs);
  if (sgprs != roundUp(allSgprs, granularity))
    defects.add<WrongSgprAllocation>(program.place(), sgprs, allSgprs);
}

// Whether an attribute is prepared for the floats that an instruction computes with: whole floats, or the low or high
// halves. An instruction that does not interpolate may take any attribute.
bool hasFloatsOf(uint32_t control, const isa::Instruction &inst, bool isHigh) {
  using namespace field;
  if (inst.mnemonic.starts_with("v_interp_mov"))
    return true;
  if (inst.mnemonic.find("_f16") == std::string_view::npos)
    return SPI_PS_INPUT_CNTL_0::FP16_INTERP_MODE.get(control) == 0;
  return SPI_PS_INPUT_CNTL_0::FP16_INTERP_MODE.get(control) != 0 &&
         (isHigh ? SPI_PS_INPUT_CNTL_0::ATTR1_VALID : SPI_PS_INPUT_CNTL_0::ATTR0_VALID).get(control) != 0;
}

// The rules of SPI_PS_INPUT_ENA: it is a subset of ADDR; it has at least one pair of barycentrics, or the GPU hangs;
// POS_W needs a perspective pair.
void checkPixelInputs(const Program &program, Defects &defects) {
  const uint32_t ena = registerValue(program.image, reg::SPI_PS_INPUT_ENA);
  const uint32_t addr = registerValue(program.image, reg::SPI_PS_INPUT_ADDR);
  if (ena & ~addr)
    defects.add<InputsWithoutPlaces>(program.place(), ena, addr);
  if ((ena & 0x7f) == 0)
    defects.add<NoBarycentrics>(program.place(), ena);
  if ((ena & 0x800) && (ena & 0xf) == 0)
    defects.add<PosWWithoutPerspective>(program.place(), ena);

  const unsigned inputs = registerValue(program.image, reg::SPI_PS_IN_CONTROL) & 63;
  for (const isa::Instruction &inst : program.instructions) {
    if (!inst.is(isa::Vintrp))
      continue;
    uint32_t words[2] = {};
    std::memcpy(words, &program.image.code[inst.offset], inst.size);
    // VINTRP has ATTR. VOP3 has the same in SRC0, followed by the channel and the half.
    const bool isVop3 = inst.encoding == isa::Encoding::Vop3;
    const unsigned attribute = isVop3 ? words[1] & 63 : words[0] >> 10 & 63;
    if (attribute >= inputs)
      defects.add<AttributeBeyondInputs>(program.place(inst.offset), attribute, inputs);
    else if (!program.image.findRegister(reg::SPI_PS_INPUT_CNTL_0 + attribute))
      defects.add<AttributeNotSetUp>(program.place(inst.offset), attribute);
    else if (!hasFloatsOf(registerValue(program.image, reg::SPI_PS_INPUT_CNTL_0 + attribute), inst,
                          isVop3 && (words[1] >> 8 & 1)))
      defects.add<AttributeOfOtherFloats>(program.place(inst.offset), inst.mnemonic, attribute,
                                          registerValue(program.image, reg::SPI_PS_INPUT_CNTL_0 + attribute));
  }
}

// A part must run in the float mode that it was compiled for. The mode is RSRC1 [19:12], or the value that glue between
// the halves puts into MODE [7:0].
void checkFloatMode(const Program &program, Defects &defects) {
  unsigned mode = (rsrc1(program.image, program.stage) >> 12) & 0xff;
  for (unsigned i = 0; i < program.stage.partCount; ++i) {
    const ImagePart &part = program.image.parts[program.stage.firstPart + i];
    if (program.stage.secondHalf != 0 && i == program.stage.secondHalf)
      for (const isa::Instruction &inst : program.instructions)
        if (program.partAt(inst.offset) == &part && inst.mnemonic.starts_with("s_setreg_imm32") &&
            inst.immediate == (1 | 7 << 11))
          std::memcpy(&mode, &program.image.code[inst.offset + 4], 4);
    if (!part.part->usage.runsInAnyFloatMode && part.part->usage.floatMode != mode)
      defects.add<WrongFloatMode>(program.place(part.offset), part.part->usage.floatMode, mode);
  }
}

// RSRC2 [0]: scratch; COMPUTE_PGM_RSRC2 [23:15]: LDS in units of 128 dwords. Each part addresses both from the wave's
// base.
void checkMemory(const Program &program, Defects &defects) {
  uint32_t scratch = 0, lds = 0;
  for (unsigned i = 0; i < program.stage.partCount; ++i) {
    const Usage &usage = program.image.parts[program.stage.firstPart + i].part->usage;
    scratch = std::max(scratch, usage.scratchBytes);
    lds = std::max(lds, usage.ldsBytes);
  }
  const HardwareStage stage = program.stage.stage;
  const uint32_t rsrc2 = check::rsrc2(program.image, program.stage);
  if (scratch && !(rsrc2 & 1))
    defects.add<ScratchNotEnabled>(program.place(), scratch);
  if (!scratch && (rsrc2 & 1))
    defects.add<ScratchInVain>(program.place());
  if (scratch > program.stage.usage.scratchBytes)
    defects.add<ScratchBeyondRequest>(program.place(), scratch, program.stage.usage.scratchBytes);
  // LDS_SIZE counts 128 dwords. The outputs that stages hand over come on top of the parts' own LDS.
  std::optional<uint32_t> allocated;
  if (stage == HardwareStage::Cs)
    allocated = (rsrc2 >> 15) & 0x1ff;
  if (stage == HardwareStage::Ls)
    allocated = (rsrc2 >> 7) & 0x1ff;
  if (stage == HardwareStage::Hs && program.stage.firstInterface)
    allocated = (rsrc2 >> 16) & 0x1ff;
  if (stage == HardwareStage::Gs && program.stage.firstInterface)
    allocated = (rsrc2 >> 19) & 0xff;
  if (stage == HardwareStage::Gs && program.image.geometry)
    lds += program.image.geometry->ldsBytes;
  if (stage == HardwareStage::Ls || stage == HardwareStage::Hs)
    if (const auto &layout = program.image.tessellation)
      lds += layout->patchesPerGroup * (layout->inputControlPoints * layout->lsVertexStride + layout->ldsPatchStride);
  if (allocated && lds > *allocated * 512)
    defects.add<LdsNotAllocated>(program.place(), lds, *allocated * 512);
  if (allocated && *allocated * 512 >= lds + 512)
    defects.add<LdsInVain>(program.place(), *allocated * 512, lds);
}

} // namespace

void checkResources(const Program &program, Defects &defects) {
  checkRegisterCounts(program, defects);
  checkFloatMode(program, defects);
  checkMemory(program, defects);
  if (program.stage.stage == HardwareStage::Ps)
    checkPixelInputs(program, defects);
}

} // namespace dovetail::check

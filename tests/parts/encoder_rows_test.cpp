// SPDX-License-Identifier: MIT
//
// Encodes every row of src/isa/opcodes.def in all of its forms, on both generations. LLVM's assembler must make the
// same bytes from text that this file writes from the row's name and operands, and LLVM's disassembler must find what
// the encoder said of the instruction. encoder_test.cpp has what does not follow from a row: modifiers, formats,
// exports.
#include "src/abi/target_info.h"
#include "src/isa/encoder.h"
#include "src/isa/register_use.h"
#include "src/mc/disassembler.h"
#include "tests/merge/assembler.h"
#include "tests/parts/instruction_text.h"
#include "tests/parts/same_instruction.h"
#include <algorithm>
#include <bit>
#include <functional>

using namespace dovetail;
using namespace dovetail::test;
using isa::constant;
using isa::Encoder;
using isa::Encoding;
using isa::literal;
using isa::Opcode;
using isa::OpcodeRow;
using isa::Operand;
using isa::sgpr;
using isa::vgpr;

namespace {

struct RowForm {
  std::function<void(Encoder &)> emit;
  std::string text;                    // empty: only the disassembler is asked
  std::optional<Operand> address = {}; // MIMG: LLVM's disassembler does not know how many dwords an address has
  unsigned addressDwords = 0;
  bool isOptional = false; // LLVM may refuse it
};

// The forms of one row on one generation.
class RowForms {
public:
  RowForms(Opcode opcode, bool isGfx9, bool packsHalves)
      : m_opcode(opcode), m_row(rowOf(opcode)), m_isGfx9(isGfx9), m_packsHalves(packsHalves),
        m_mnemonic(m_row.mnemonic(isGfx9)) {}

  std::vector<RowForm> make() {
    switch (m_row.encoding) {
    case Encoding::Sop1:
    case Encoding::Sop2:
    case Encoding::Sopc:
      scalar();
      break;
    case Encoding::Sopk:
      scalarImmediate();
      break;
    case Encoding::Sopp:
      program();
      break;
    case Encoding::Smem:
      scalarMemory();
      break;
    case Encoding::Vop1:
    case Encoding::Vop2:
    case Encoding::Vopc:
    case Encoding::Vop3:
      vector();
      break;
    case Encoding::Vop3p:
      packed();
      break;
    case Encoding::Vintrp:
      interpolation(false);
      break;
    case Encoding::Ds:
      lds();
      break;
    case Encoding::Flat:
      flat();
      break;
    case Encoding::Mubuf:
    case Encoding::Mtbuf:
      buffer();
      break;
    case Encoding::Mimg:
      image();
      break;
    case Encoding::Exp:
      add(
          [](Encoder &encoder) {
            encoder.exportTo({0, 9, {vgpr(0), vgpr(1), vgpr(2), vgpr(3)}});
          },
          "exp mrt0 v0, off, off, v3");
      break;
    default:
      break;
    }
    return std::move(m_forms);
  }

private:
  using Sources = std::vector<Operand>;

  bool is(uint32_t anyTrait) const { return m_row.is(anyTrait); }
  void add(std::function<void(Encoder &)> emit, std::string text) {
    m_forms.push_back({std::move(emit), std::move(text)});
  }

  void scalarForm(std::optional<Operand> to, const Sources &sources) {
    InstructionText text(m_mnemonic);
    if (to)
      text.operand(*to, m_row.destinationDwords);
    add([=, opcode = m_opcode](Encoder &encoder) { encoder.salu(opcode, to, sources); }, text.operands(m_row, sources));
  }

  void scalar() {
    const bool hasTo = m_row.destinationDwords != 0;
    auto to = [&](Operand operand) { return hasTo ? std::optional(operand) : std::nullopt; };
    const Sources all = {sgpr(20), sgpr(40), sgpr(60)};
    const Sources registers(all.begin(), all.begin() + m_row.sourceCount);
    scalarForm(to(sgpr(100)), registers);
    scalarForm(to(isa::VccLo), registers);
    if (m_opcode == Opcode::SSetpcB64 || m_opcode == Opcode::SSwappcB64)
      return;
    for (size_t i = 0; i < registers.size(); ++i)
      for (Operand operand : {isa::VccLo, isa::Exec, constant(0), constant(64), constant(-16), literal(0x1234)}) {
        Sources sources = registers;
        sources[i] = operand;
        scalarForm(to(sgpr(0)), sources);
        if (m_row.sourceDwords[i] != 1)
          continue;
        for (Operand half : {isa::M0, isa::VccHi, isa::ExecHi, isa::Scc}) {
          sources[i] = half;
          scalarForm(to(isa::Exec), sources);
        }
      }
  }

  void scalarImmediate() {
    if (m_opcode == Opcode::SSetregImm32B32)
      return add([](Encoder &encoder) { encoder.emit(Opcode::SSetregImm32B32, isa::hwregField(1, 0, 8), 0xf0u); },
                 "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 8), 0xf0");
    const bool isSetreg = m_opcode == Opcode::SSetregB32;
    for (unsigned immediate : {0x1801u, 5u, 0x3801u})
      for (Operand operand : {sgpr(20), isa::VccLo}) {
        InstructionText text(m_mnemonic);
        if (isSetreg)
          text.word(std::to_string(immediate));
        text.operand(operand, std::max<unsigned>(m_row.destinationDwords, 1));
        if (!isSetreg)
          text.word(std::to_string(immediate));
        add([=, opcode = m_opcode](Encoder &encoder) { encoder.sopk(opcode, operand, uint16_t(immediate)); }, text);
      }
  }

  void program() {
    constexpr Opcode Bare[] = {Opcode::SEndpgm, Opcode::SBarrier, Opcode::SIcacheInv, Opcode::SEndpgmOrderedPsDone};
    const bool isBare = std::ranges::find(Bare, m_opcode) != std::end(Bare);
    for (unsigned immediate : {0u, 3u}) {
      if (isBare && immediate)
        continue;
      InstructionText text(m_mnemonic);
      if (!isBare)
        text.word(std::to_string(immediate));
      add([=, opcode = m_opcode](Encoder &encoder) { encoder.sopp(opcode, uint16_t(immediate)); }, text);
    }
  }

  void scalarMemory() {
    const unsigned baseDwords = m_row.sourceDwords[0];
    auto form = [&](const isa::ScalarLoad &load) {
      InstructionText text(m_mnemonic);
      text.operand(load.data, m_row.destinationDwords);
      if (baseDwords) {
        text.operand(load.base, baseDwords);
        if (load.scalarOffset)
          text.operand(*load.scalarOffset);
        else
          text.word(std::to_string(load.offset));
      }
      add([=, opcode = m_opcode](Encoder &encoder) { encoder.smem(opcode, load); }, text.flag(load.glc, "glc"));
    };
    form({.data = sgpr(32), .base = sgpr(16)});
    if (!baseDwords)
      return;
    form({.data = sgpr(32), .base = sgpr(96), .offset = 0xfffff});
    form({.data = sgpr(32), .base = sgpr(16), .offset = 4, .glc = true});
    form({.data = sgpr(32), .base = sgpr(16), .scalarOffset = sgpr(99)});
    form({.data = sgpr(32), .base = sgpr(16), .scalarOffset = isa::M0});
    if (m_row.destinationDwords <= 2)
      form({.data = isa::VccLo, .base = sgpr(16)});
  }

  // Text of the short form, or of VOP3.
  void vectorForm(const Sources &sources, bool isLong, std::optional<Operand> maskOut = {},
                  std::optional<Operand> maskIn = {}, bool isClamped = false) {
    using namespace isa::traits;
    const bool hasSuffix =
        m_row.encoding != Encoding::Vop3 && !is(LiteralSecond | LiteralThird | Swaps | ScalarDestination);
    InstructionText text(m_mnemonic + (!hasSuffix ? "" : isLong ? "_e64" : "_e32"));
    std::optional<Operand> to;
    if (m_row.destinationDwords) {
      to = is(ScalarDestination) ? sgpr(8) : vgpr(8);
      text.operand(*to, m_row.destinationDwords);
    }
    if (is(MaskOut))
      text.operand(maskOut.value_or(isa::VccLo), 2);
    text.operands(m_row, sources);
    if (is(MaskIn))
      text.operand(maskIn.value_or(isa::VccLo), 2);
    const isa::Modifiers modifiers = {.clamp = isClamped};
    add([=, opcode = m_opcode](Encoder &encoder) { encoder.valu(opcode, to, sources, modifiers, maskOut, maskIn); },
        text.flag(isClamped, "clamp"));
  }

  // Modifiers that the row may not have in LLVM's assembler; its disassembler takes them.
  void modifiedForm(const Sources &sources, isa::Modifiers modifiers) {
    const std::optional<Operand> to = m_row.destinationDwords ? std::optional(vgpr(8)) : std::nullopt;
    add([=, opcode = m_opcode](Encoder &encoder) { encoder.valu(opcode, to, sources, modifiers); }, "");
    m_forms.back().isOptional = true;
  }

  void dppForm(bool boundControl) {
    using namespace isa::traits;
    const Operand to = vgpr(8), source0 = vgpr(16);
    const std::optional<Operand> source1 = m_row.sourceCount > 1 ? std::optional(vgpr(255)) : std::nullopt;
    InstructionText text(m_mnemonic + "_dpp");
    text.operand(to, m_row.destinationDwords);
    if (is(MaskOut))
      text.operand(isa::VccLo, 2);
    text.operand(source0);
    if (source1)
      text.operand(*source1);
    if (is(MaskIn))
      text.operand(isa::VccLo, 2);
    text.flag(true, "quad_perm:[3,2,1,0] row_mask:0xa bank_mask:0x5").flag(boundControl, "bound_ctrl:0");
    add([=, opcode = m_opcode](
            Encoder &encoder) { encoder.dpp(opcode, to, source0, source1, 0x1b, 0xa, 0x5, boundControl); },
        text);
  }

  void vector() {
    using namespace isa::traits;
    if (m_mnemonic.starts_with("v_interp"))
      return interpolation(true);
    if (is(LiteralSecond))
      return vectorForm({vgpr(1), literal(0x1234), vgpr(255)}, false);
    if (is(LiteralThird))
      return vectorForm({vgpr(1), vgpr(255), literal(0x1234)}, false);
    if (m_opcode == Opcode::VReadlaneB32) {
      for (Operand lane : {sgpr(1), isa::M0, constant(63)})
        vectorForm({vgpr(255), lane}, true);
      return;
    }
    if (m_opcode == Opcode::VWritelaneB32) {
      vectorForm({sgpr(1), constant(63)}, true);
      vectorForm({constant(-1), isa::M0}, true);
      vectorForm({sgpr(1), isa::M0}, true);
      return;
    }
    const Sources all = {vgpr(16), vgpr(254), vgpr(32)};
    const Sources registers(all.begin(), all.begin() + m_row.sourceCount);
    const bool isLongOnly = m_row.encoding == Encoding::Vop3, hasMask = is(MaskIn | MaskOut);
    vectorForm(registers, isLongOnly);
    if (is(Swaps | ScalarDestination))
      return;
    for (size_t i = 0; i < registers.size(); ++i) {
      auto withSource = [&](Operand operand) {
        Sources sources = registers;
        sources[i] = operand;
        return sources;
      };
      const bool isLong = isLongOnly || i == 1;
      vectorForm(withSource(constant(-16)), isLong);
      if (is(MaskIn | ReadsVcc)) // of which VCC is the one scalar source
        continue;
      vectorForm(withSource(sgpr(20)), isLong);
      vectorForm(withSource(isa::Exec), isLong);
      vectorForm(withSource(isa::VccLo), isLong);
      if (m_row.sourceDwords[i] == 1) {
        vectorForm(withSource(isa::M0), isLong);
        vectorForm(withSource(isa::ExecHi), isLong);
      }
    }
    if (!isLongOnly && m_row.sourceDwords[0] == 1 && !is(MaskIn)) {
      Sources sources = registers;
      sources[0] = literal(0x1234);
      vectorForm(sources, false);
    }
    const Operand pair = sgpr(40), other = sgpr(48);
    if (is(MaskOut) && is(MaskIn)) {
      vectorForm(registers, true, pair, other);
      vectorForm(registers, true, pair);
      vectorForm(registers, true, {}, other);
    } else if (is(MaskOut)) {
      vectorForm(registers, true, pair);
      if (!isLongOnly)
        vectorForm({vgpr(16), sgpr(20)}, true, pair);
    } else if (is(MaskIn)) {
      vectorForm(registers, true, {}, other);
    }
    if (is(ReadsMode) && !hasMask) {
      modifiedForm(registers, {.neg = 1});
      modifiedForm(registers, {.abs = 1, .omod = 2});
      modifiedForm(registers, {.clamp = true});
    }
    const bool isNarrow = m_row.destinationDwords == 1 &&
                          std::ranges::all_of(m_row.sourceDwords, [](unsigned dwords) { return dwords <= 1; });
    if (isNarrow && (m_row.encoding == Encoding::Vop1 || m_row.encoding == Encoding::Vop2)) {
      dppForm(false);
      dppForm(true);
    }
  }

  void packed() {
    const Sources all = {vgpr(16), vgpr(254), vgpr(32)};
    const bool isMix = m_mnemonic.starts_with("v_mad_mix");
    auto list = [&](unsigned bits) {
      std::string text;
      for (unsigned i = 0; i < m_row.sourceCount; ++i)
        text += (i ? "," : "") + std::to_string(bits >> i & 1);
      return "[" + text + "]";
    };
    auto form = [&](const Sources &sources, uint8_t opSel, uint8_t opSelHi, uint8_t negLo, uint8_t negHi, bool clamp) {
      InstructionText text(m_mnemonic);
      text.operand(vgpr(8)).operands(m_row, sources);
      text.flag(true, "op_sel:" + list(opSel)).flag(true, "op_sel_hi:" + list(opSelHi));
      if (!isMix && (negLo | negHi) != 0)
        text.flag(true, "neg_lo:" + list(negLo)).flag(true, "neg_hi:" + list(negHi));
      text.flag(clamp, "clamp");
      add([=, opcode = m_opcode](
              Encoder &encoder) { encoder.vop3p(opcode, vgpr(8), sources, opSel, opSelHi, negLo, negHi, clamp); },
          isMix && (negLo | negHi) != 0 ? std::string() : std::string(text));
    };
    const Sources registers(all.begin(), all.begin() + m_row.sourceCount);
    // The third bit of OP_SEL_HI is set where there is no third source, as LLVM sets it.
    const uint8_t third = m_row.sourceCount == 2 ? 4 : 0;
    for (size_t i = 0; i < registers.size(); ++i) {
      Sources sources = registers;
      sources[i] = sgpr(20);
      form(sources, 0, 7, 0, 0, false);
      sources[i] = constant(5);
      form(sources, 0, 7, 0, 0, false);
    }
    form(registers, 2, uint8_t(1 | third), 0, 0, true);
    if (is(isa::traits::ReadsMode))
      form(registers, 1, uint8_t(2 | third), 3, 2, false);
  }

  void interpolation(bool isLong) {
    isa::Interpolation what = {.destination = vgpr(200), .weight = vgpr(255), .attribute = 31, .channel = 2};
    InstructionText text(m_mnemonic + (isLong ? "" : "_e32"));
    text.operand(what.destination);
    if (m_row.sourceCount)
      text.operand(what.weight);
    else
      what.weight = vgpr(2);
    text.word(m_row.sourceCount ? "attr31.z" : "p0");
    if (!m_row.sourceCount)
      text.word("attr31.z");
    if (m_row.sourceCount > 1) {
      what.other = vgpr(7);
      text.operand(vgpr(7));
    }
    add([=, opcode = m_opcode](Encoder &encoder) { encoder.interpolate(opcode, what); }, text);
    if (!isLong)
      return;
    what.high = true;
    add([=, opcode = m_opcode](Encoder &encoder) { encoder.interpolate(opcode, what); }, text.flag(true, "high"));
  }

  void lds() {
    const bool hasTwoOffsets = m_mnemonic.find("read2") != std::string::npos ||
                               m_mnemonic.find("write2") != std::string::npos ||
                               m_mnemonic.find("wrxchg2") != std::string::npos;
    const bool isExchange =
        m_opcode == Opcode::DsSwizzleB32 || m_opcode == Opcode::DsPermuteB32 || m_opcode == Opcode::DsBpermuteB32;
    auto form = [&](unsigned offset, bool gds) {
      isa::LdsOperation operation = {.offset = offset, .gds = gds};
      InstructionText text(m_mnemonic);
      auto operand = [&](std::optional<Operand> &field, Operand value, unsigned dwords) {
        if (!dwords)
          return;
        field = value;
        text.operand(value, dwords);
      };
      operand(operation.destination, vgpr(8), m_row.destinationDwords);
      operand(operation.address, vgpr(255), m_row.sourceDwords[0]);
      operand(operation.data0, vgpr(24), m_row.sourceDwords[1]);
      operand(operation.data1, vgpr(32), m_row.sourceDwords[2]);
      if (hasTwoOffsets)
        text.flag(true, "offset0:" + std::to_string(offset & 0xff) + " offset1:" + std::to_string(offset >> 8));
      else
        text.flag(offset != 0, "offset:" + std::to_string(offset));
      add([=, opcode = m_opcode](Encoder &encoder) { encoder.ds(opcode, operation); }, text.flag(gds, "gds"));
    };
    form(0, false);
    form(0x1234, false);
    form(0xffff, false);
    if (!isExchange)
      form(16, true);
  }

  void flat() {
    using namespace isa::traits;
    const bool isAtomic = is(Loads) && is(Stores), hasSegment = is(Global | Scratch);
    auto form = [&](int offset, bool glc, bool slc, bool hasScalar) {
      isa::FlatOperation operation = {.offset = offset, .glc = glc, .slc = slc};
      if (!is(Stores) || (isAtomic && glc))
        operation.destination = vgpr(8);
      if (is(Stores))
        operation.data = vgpr(24);
      if (hasScalar)
        operation.scalarAddress = sgpr(20);
      if (!is(Scratch) || !hasScalar)
        operation.address = vgpr(16);
      const unsigned addressDwords = is(Scratch) || hasScalar ? 1 : 2;
      const std::string address = operation.address ? nameOf(*operation.address, addressDwords) : "off";
      InstructionText text(m_mnemonic);
      if (operation.destination)
        text.operand(*operation.destination, m_row.destinationDwords);
      text.word(address);
      if (operation.data)
        text.operand(*operation.data, m_row.sourceDwords[0]);
      if (hasSegment)
        text.word(hasScalar ? nameOf(sgpr(20), is(Global) ? 2 : 1) : "off");
      text.flag(offset != 0, "offset:" + std::to_string(offset)).flag(glc, "glc").flag(slc, "slc");
      add([=, opcode = m_opcode](Encoder &encoder) { encoder.flat(opcode, operation); }, text);
    };
    form(0, false, false, false);
    form(0, true, true, false);
    if (m_isGfx9)
      form(4095, true, false, false);
    if (!hasSegment)
      return;
    form(-4096, false, true, false);
    form(-1, false, false, true);
    form(12, true, false, true);
  }

  void buffer() {
    using namespace isa::traits;
    if (!is(Loads | Stores))
      return add([opcode = m_opcode](Encoder &encoder) { encoder.buffer(opcode, {.descriptor = sgpr(8)}); },
                 m_mnemonic);
    const bool isTyped = m_row.encoding == Encoding::Mtbuf;
    unsigned dwords = is(Stores) ? m_row.sourceDwords[0] : m_row.destinationDwords;
    if (is(PackedHalves) && m_packsHalves)
      dwords = (dwords + 1) / 2;
    for (unsigned i = 0; i < 16; ++i) {
      const bool offen = i & 1, idxen = i & 2, glc = i & 4, slc = i & 8;
      isa::BufferOperation operation = {
          .data = vgpr(24), .descriptor = sgpr(96), .offen = offen, .idxen = idxen, .glc = glc, .slc = slc};
      operation.scalarOffset = i % 3 == 0 ? constant(0) : i % 3 == 1 ? sgpr(101) : isa::M0;
      operation.offset = i % 5 == 0 ? 0 : i % 5 == 1 ? 4095 : i;
      if (isTyped) {
        operation.dataFormat = 14;
        operation.numFormat = 7;
      }
      InstructionText text(m_mnemonic);
      text.operand(vgpr(24), dwords);
      if (offen || idxen) {
        operation.address = vgpr(253);
        text.operand(vgpr(253), unsigned(offen) + idxen);
      } else {
        text.word("off");
      }
      text.operand(sgpr(96), 4).operand(operation.scalarOffset);
      text.flag(isTyped, "format:[BUF_DATA_FORMAT_32_32_32_32,BUF_NUM_FORMAT_FLOAT]");
      text.flag(idxen, "idxen").flag(offen, "offen");
      text.flag(operation.offset != 0, "offset:" + std::to_string(operation.offset));
      add([=, opcode = m_opcode](Encoder &encoder) { encoder.buffer(opcode, operation); },
          text.flag(glc, "glc").flag(slc, "slc"));
    }
  }

  void image() {
    using namespace isa::traits;
    const bool isAtomic = is(Loads) && is(Stores);
    const bool isCompareSwap = m_opcode == Opcode::ImageAtomicCmpswap;
    auto form = [&](unsigned dmask, unsigned addressDwords, auto set) {
      isa::ImageOperation operation = {.data = vgpr(100),
                                       .address = vgpr(200),
                                       .addressDwords = addressDwords,
                                       .resource = sgpr(16),
                                       .dmask = dmask};
      if (is(Samples))
        operation.sampler = sgpr(96);
      set(operation);
      m_forms.push_back({[=, opcode = m_opcode](Encoder &encoder) { encoder.image(opcode, operation); }, "",
                         operation.address, addressDwords});
    };
    for (unsigned dmask : {1u, 8u, 3u, 7u, 15u}) {
      if (isAtomic && dmask != (isCompareSwap ? 3u : 1u))
        continue;
      if (is(Gathers) && !std::has_single_bit(dmask))
        continue;
      form(dmask, 5, [](isa::ImageOperation &) {});
      form(dmask, 5, [](isa::ImageOperation &operation) { operation.glc = operation.slc = true; });
      form(dmask, 13, [](isa::ImageOperation &operation) { operation.unnormalized = operation.array = true; });
      if (isAtomic || !is(Loads | Stores))
        continue;
      form(dmask, 5, [](isa::ImageOperation &operation) { operation.d16 = true; });
      form(dmask, 5, [](isa::ImageOperation &operation) { operation.tfe = operation.lwe = true; });
    }
  }

  Opcode m_opcode;
  const OpcodeRow &m_row;
  bool m_isGfx9, m_packsHalves;
  std::string m_mnemonic;
  std::vector<RowForm> m_forms;
};

// Gives the address of an image instruction the dwords that the form has.
void setAddressDwords(isa::Instruction &decoded, const RowForm &form) {
  for (isa::RegisterRange &range : decoded.reads)
    if (range.file == isa::RegisterFile::Vgpr && range.first == form.address->code - 256u && !range.tied) {
      CHECK(range.count <= form.addressDwords);
      range.count = uint16_t(form.addressDwords);
      return;
    }
  FAIL("no address");
}

// These two have v_fma_mix under the numbers of v_mad_mix.
bool hasMadMix(std::string_view gpuName) {
  return gpuName != "gfx904" && gpuName != "gfx906";
}

void checkRows(std::string_view gpuName, bool isGfx9) {
  const bool packsHalves = isGfx9 || gpuName == "gfx810";
  auto disassembler = mc::Disassembler::forGpu(gpuName);
  REQUIRE(disassembler);
  std::string texts;
  std::vector<uint8_t> bytesOfTexts;
  size_t forms = 0, optional = 0;
  for (unsigned index = 0; index < isa::OpcodeCount; ++index) {
    const Opcode opcode = Opcode(index);
    if (!exists(opcode, isGfx9))
      continue;
    const std::string mnemonic(rowOf(opcode).mnemonic(isGfx9));
    CAPTURE(mnemonic);
    if (mnemonic.starts_with("v_mad_mix") && !hasMadMix(gpuName))
      continue;
    const std::vector<RowForm> all = RowForms(opcode, isGfx9, packsHalves).make();
    CHECK(!all.empty());
    for (const RowForm &form : all) {
      ++forms;
      CAPTURE(form.text);
      Encoder encoder(isGfx9, 1, packsHalves);
      form.emit(encoder);
      const std::vector<uint8_t> bytes = encoder.bytes();
      auto decoded = (*disassembler)->decodeAll(bytes);
      if (form.isOptional && !decoded)
        continue;
      optional += form.isOptional;
      REQUIRE(decoded);
      REQUIRE(decoded->size() == 1);
      const Result<std::string> printed = (*disassembler)->print(bytes, 0);
      REQUIRE(printed);
      CAPTURE(*printed);
      if (form.address)
        setAddressDwords(decoded->front(), form);
      checkSame(encoder.instructions(), *decoded);
      CHECK(encoder.registerUse().vgprs == registersUsed(encoder.instructions()).vgprs);
      // An image instruction is written by the disassembler itself: LLVM's assembler asks for as many dwords of an
      // address as it believes in.
      const std::string &text = form.address ? *printed : form.text;
      if (text.empty())
        continue;
      texts += text + "\n";
      bytesOfTexts.insert(bytesOfTexts.end(), bytes.begin(), bytes.end());
    }
  }
  CHECK(forms > 4 * isa::OpcodeCount);
  CHECK(optional > 250);
  const std::vector<uint8_t> assembled = assemble(texts, gpuName);
  REQUIRE(assembled.size() == bytesOfTexts.size());
  const auto [ours, theirs] = std::ranges::mismatch(bytesOfTexts, assembled);
  if (ours != bytesOfTexts.end()) {
    const uint32_t offset = uint32_t(ours - bytesOfTexts.begin()) & ~3u;
    FAIL("byte " << offset << " differs");
  }
}

} // namespace

TEST_CASE("every row of the encoder's table agrees with LLVM in all its forms on every GPU") {
  for (const TargetInfo &target : allTargets()) {
    CAPTURE(std::string(target.gpuName));
    checkRows(target.gpuName, target.gfxIp.major == 9);
  }
}

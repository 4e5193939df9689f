// SPDX-License-Identifier: MIT
//
// What a hardware shader finds in its registers when it starts, derived from the programmed registers alone, as the
// hardware does it. Bit positions restated from AMD's register reference for GFX9 (SPI_SHADER_PGM_RSRC1/2_*,
// COMPUTE_PGM_RSRC2, SPI_PS_INPUT_*).
#include "merge/check/checks.h"

namespace dovetail::check {

namespace {

constexpr uint32_t PgmRsrc1Vs = 0x2c4a;
constexpr uint32_t PgmRsrc2Vs = 0x2c4b;
constexpr uint32_t PgmRsrc2Ps = 0x2c0b;
constexpr uint32_t ComputePgmRsrc2 = 0x2e13;
constexpr uint32_t SpiPsInputEna = 0xa1b3;
constexpr uint32_t SpiPsInputAddr = 0xa1b4;

uint32_t bits(uint32_t value, unsigned low, unsigned width) {
  return (value >> low) & ((1u << width) - 1);
}

// The inputs of a pixel shader in the order of the bits of SPI_PS_INPUT_ENA and SPI_PS_INPUT_ADDR.
struct PsInput {
  ValueKind kind;
  uint8_t vgprs;
};
constexpr PsInput PsInputs[16] = {
    {ValueKind::PerspSample, 2},    {ValueKind::PerspCenter, 2},  {ValueKind::PerspCentroid, 2},
    {ValueKind::PerspPullModel, 3}, {ValueKind::LinearSample, 2}, {ValueKind::LinearCenter, 2},
    {ValueKind::LinearCentroid, 2}, {ValueKind::LineStipple, 1},  {ValueKind::PosX, 1},
    {ValueKind::PosY, 1},           {ValueKind::PosZ, 1},         {ValueKind::PosW, 1},
    {ValueKind::FrontFace, 1},      {ValueKind::Ancillary, 1},    {ValueKind::SampleCoverage, 1},
    {ValueKind::PosFixedPt, 1},
};
constexpr uint32_t PerspectivePairs = 0x7;
constexpr uint32_t InterpolationPairs = 0x7f; // perspective with the pull model, and linear
constexpr uint32_t PosWEnable = 1u << 11;

class EntryBuilder {
public:
  EntryBuilder(const StageText &text, Defects &defects) : m_text(text), m_defects(defects) {}

  EntryState build() {
    switch (m_text.stage->stage) {
    case HardwareStage::Vs:
      return buildVertex();
    case HardwareStage::Ps:
      return buildPixel();
    case HardwareStage::Cs:
      return buildCompute();
    default:
      m_defects.addGlobal("{}: this hardware stage cannot be checked", toString(m_text.stage->stage));
      return m_entry;
    }
  }

private:
  EntryState buildVertex() {
    uint32_t rsrc2 = read(PgmRsrc2Vs);
    addUserSgprs(bits(rsrc2, 1, 5) | bits(rsrc2, 27, 1) << 5);
    addScratch(rsrc2);
    // VGPR_COMP_CNT, RSRC1 [25:24]: how many VGPRs beyond the first.
    static constexpr ValueKind Vgprs[] = {ValueKind::VertexId, ValueKind::InstanceId, ValueKind::VertexPrimitiveId};
    unsigned count = bits(read(PgmRsrc1Vs), 24, 2) + 1;
    for (unsigned i = 0; i < count; ++i)
      addVgpr(i < std::size(Vgprs) ? std::optional(ValueName{Vgprs[i]}) : std::nullopt);
    return m_entry;
  }

  EntryState buildPixel() {
    uint32_t rsrc2 = read(PgmRsrc2Ps);
    addUserSgprs(bits(rsrc2, 1, 5) | bits(rsrc2, 27, 1) << 5);
    addSgpr(ValueName{ValueKind::PrimMask});
    addScratch(rsrc2);

    uint32_t ena = read(SpiPsInputEna);
    uint32_t addr = read(SpiPsInputAddr);
    if (ena & ~addr)
      m_defects.addGlobal("ps: SPI_PS_INPUT_ENA {:#x} enables inputs that SPI_PS_INPUT_ADDR {:#x} has no place for",
                          ena, addr);
    if (!(ena & InterpolationPairs))
      m_defects.addGlobal("ps: SPI_PS_INPUT_ENA {:#x} enables no barycentric pair; the GPU would hang", ena);
    if ((ena & PosWEnable) && !(ena & PerspectivePairs))
      m_defects.addGlobal("ps: SPI_PS_INPUT_ENA {:#x} enables POS_W without a perspective pair", ena);
    for (unsigned i = 0; i < 16; ++i) {
      if (!(addr >> i & 1))
        continue;
      for (uint8_t component = 0; component < PsInputs[i].vgprs; ++component) {
        bool loaded = ena >> i & 1;
        addVgpr(loaded ? std::optional(ValueName{PsInputs[i].kind, 0, component}) : std::nullopt, loaded);
      }
    }
    return m_entry;
  }

  EntryState buildCompute() {
    uint32_t rsrc2 = read(ComputePgmRsrc2);
    addUserSgprs(bits(rsrc2, 1, 5));
    for (uint8_t axis = 0; axis < 3; ++axis) {
      if (bits(rsrc2, 7 + axis, 1))
        addSgpr(ValueName{ValueKind::WorkgroupId, axis});
    }
    if (bits(rsrc2, 10, 1)) // TG_SIZE_EN
      addSgpr(std::nullopt);
    addScratch(rsrc2);
    unsigned count = bits(rsrc2, 11, 2) + 1; // TIDIG_COMP_CNT
    for (uint8_t axis = 0; axis < count; ++axis)
      addVgpr(ValueName{ValueKind::LocalInvocationId, 0, axis});
    return m_entry;
  }

  uint32_t read(uint32_t address) {
    const RegisterValue *value = m_text.image->findRegister(address);
    if (!value)
      m_defects.addGlobal("{}: register {:#x} is not programmed", toString(m_text.stage->stage), address);
    return value ? value->value : 0;
  }

  // What the driver puts there is named by the shader's interface; the count is the hardware's.
  void addUserSgprs(unsigned count) {
    for (unsigned i = 0; i < count; ++i) {
      std::optional<ValueName> value;
      if (const ShaderInterface *interface = m_text.stage->interface) {
        for (const Binding &binding : interface->inputs) {
          if (binding.reg == Register{RegisterBank::Sgpr, static_cast<uint16_t>(i)})
            value = binding.value;
        }
      }
      addSgpr(value);
    }
  }

  // Bit 0 of RSRC2 of every stage: SCRATCH_EN. Without it the offset is not loaded, but the parts before the one that
  // needs it may still pass its register on.
  void addScratch(uint32_t rsrc2) {
    if (bits(rsrc2, 0, 1))
      addSgpr(ValueName{ValueKind::ScratchOffset});
  }

  void addSgpr(std::optional<ValueName> value) {
    if (value)
      m_entry.values.push_back({*value, {RegisterBank::Sgpr, static_cast<uint16_t>(m_entry.sgprs.size())}});
    m_entry.sgprs.push_back(true);
  }

  void addVgpr(std::optional<ValueName> value, bool loaded = true) {
    if (value)
      m_entry.values.push_back({*value, {RegisterBank::Vgpr, static_cast<uint16_t>(m_entry.vgprs.size())}});
    m_entry.vgprs.push_back(loaded);
  }

  const StageText &m_text;
  Defects &m_defects;
  EntryState m_entry;
};

} // namespace

EntryState entryState(const StageText &text, Defects &defects) {
  return EntryBuilder(text, defects).build();
}

} // namespace dovetail::check

// SPDX-License-Identifier: MIT
//
// "Vega" ISA manual, section 3.9 and PAL's register use: user SGPRs from s0, then the system SGPRs that RSRC2 enables,
// in order. VS: scratch offset. PS: primitive mask, scratch offset. CS: workgroup ids, scratch offset. VGPRs:
// VGPR_COMP_CNT + 1 of them, or the enabled pixel shader inputs in the places that SPI_PS_INPUT_ADDR gives them.
#include "merge/check/entry.h"
#include "src/abi/registers.h"
#include <optional>

namespace dovetail::check {

namespace {

// Back from PAL's numbers.
std::optional<ValueName> userDataName(uint32_t value) {
  if (value < 0x10000000)
    return ValueName{ValueKind::UserData, uint8_t(value), 0};
  switch (value) {
  case 0x10000000:
    return ValueName{ValueKind::GlobalTable};
  case 0x10000002:
    return ValueName{ValueKind::SpillTable};
  case 0x10000003:
    return ValueName{ValueKind::BaseVertex};
  case 0x10000004:
    return ValueName{ValueKind::BaseInstance};
  case 0x10000005:
    return ValueName{ValueKind::DrawIndex};
  case 0x10000006:
    return ValueName{ValueKind::WorkgroupCount};
  case 0x1000000f:
    return ValueName{ValueKind::VertexBufferTable};
  case 0x20000000:
    return ValueName{ValueKind::AlphaReference};
  default:
    return std::nullopt;
  }
}

class Entry {
public:
  void sgpr(const ValueName &value) { values[{RegisterBank::Sgpr, m_sgprs++}] = value; }
  void skipSgpr() { ++m_sgprs; }
  void vgpr(uint16_t index, const ValueName &value) { values[{RegisterBank::Vgpr, index}] = value; }

  std::map<Register, ValueName> values;

private:
  uint16_t m_sgprs = 0;
};

void addUserData(const Image &image, uint32_t firstAddress, unsigned count, Entry &entry) {
  for (unsigned i = 0; i < count; ++i) {
    const RegisterValue *value = image.findRegister(firstAddress + i);
    std::optional<ValueName> name = value ? userDataName(value->value) : std::nullopt;
    if (name)
      entry.sgpr(*name);
    else
      entry.skipSgpr();
  }
}

void addPixelInputs(uint32_t ena, uint32_t addr, Entry &entry) {
  using enum ValueKind;
  struct Input {
    ValueKind kind;
    uint8_t vgprs;
  };
  static constexpr Input Inputs[16] = {{PerspSample, 2},  {PerspCenter, 2},  {PerspCentroid, 2},  {PerspPullModel, 3},
                                       {LinearSample, 2}, {LinearCenter, 2}, {LinearCentroid, 2}, {LineStipple, 1},
                                       {PosX, 1},         {PosY, 1},         {PosZ, 1},           {PosW, 1},
                                       {FrontFace, 1},    {Ancillary, 1},    {SampleCoverage, 1}, {PosFixedPt, 1}};
  uint16_t place = 0;
  for (unsigned bit = 0; bit < 16; ++bit) {
    if (!((addr >> bit) & 1))
      continue;
    for (uint8_t i = 0; i < Inputs[bit].vgprs; ++i, ++place)
      if ((ena >> bit) & 1)
        entry.vgpr(place, {Inputs[bit].kind, 0, i});
  }
}

} // namespace

uint32_t registerValue(const Image &image, uint32_t address) {
  const RegisterValue *value = image.findRegister(address);
  return value ? value->value : 0;
}

uint32_t rsrc1(const Image &image, const ImageStage &stage) {
  switch (stage.stage) {
  case HardwareStage::Vs:
    return registerValue(image, reg::SPI_SHADER_PGM_RSRC1_VS);
  case HardwareStage::Ps:
    return registerValue(image, reg::SPI_SHADER_PGM_RSRC1_PS);
  case HardwareStage::Cs:
    return registerValue(image, reg::COMPUTE_PGM_RSRC1);
  default:
    return 0;
  }
}

std::map<Register, ValueName> entryValues(const Image &image, const ImageStage &stage) {
  using enum ValueKind;
  Entry entry;
  // RSRC2: [0] scratch, [5:1] and [28] user SGPRs (graphics), [9:7] workgroup ids (compute).
  auto userSgprs = [](uint32_t rsrc2) { return ((rsrc2 >> 1) & 0x1f) | (((rsrc2 >> 28) & 1) << 5); };
  if (stage.stage == HardwareStage::Vs) {
    uint32_t rsrc2 = registerValue(image, reg::SPI_SHADER_PGM_RSRC2_VS);
    addUserData(image, reg::SPI_SHADER_USER_DATA_VS_0, userSgprs(rsrc2), entry);
    if (rsrc2 & 1)
      entry.sgpr({ScratchOffset});
    static constexpr ValueKind Vgprs[] = {VertexId, InstanceId, VertexPrimitiveId}; // v3 is not used
    for (uint16_t i = 0; i <= ((rsrc1(image, stage) >> 24) & 3) && i < 3; ++i)
      entry.vgpr(i, {Vgprs[i]});
  } else if (stage.stage == HardwareStage::Ps) {
    uint32_t rsrc2 = registerValue(image, reg::SPI_SHADER_PGM_RSRC2_PS);
    addUserData(image, reg::SPI_SHADER_USER_DATA_PS_0, userSgprs(rsrc2), entry);
    entry.sgpr({PrimMask});
    if (rsrc2 & 1)
      entry.sgpr({ScratchOffset});
    addPixelInputs(registerValue(image, reg::SPI_PS_INPUT_ENA), registerValue(image, reg::SPI_PS_INPUT_ADDR), entry);
  } else if (stage.stage == HardwareStage::Cs) {
    uint32_t rsrc2 = registerValue(image, reg::COMPUTE_PGM_RSRC2);
    addUserData(image, reg::COMPUTE_USER_DATA_0, (rsrc2 >> 1) & 0x1f, entry);
    for (uint8_t i = 0; i < 3; ++i)
      if ((rsrc2 >> (7 + i)) & 1)
        entry.sgpr({WorkgroupId, i});
    if (rsrc2 & 1)
      entry.sgpr({ScratchOffset});
    for (uint8_t i = 0; i <= ((rsrc2 >> 11) & 3) && i < 3; ++i)
      entry.vgpr(i, {LocalInvocationId, 0, i});
  }
  return std::move(entry.values);
}

} // namespace dovetail::check

// SPDX-License-Identifier: MIT
//
// Sources: Mesa's tables of SGPRs (si_shader.h) and radv_shader_args.c; the ISA manuals do not have them.
// - SGPRs: user SGPRs from s0 on, then the system SGPRs of the stage that RSRC2 enables, in order.
// - VGPRs: VGPR_COMP_CNT + 1 of them. A pixel shader has the enabled inputs, in the places that SPI_PS_INPUT_ADDR gives
//   them.
// - Merged programs (GFX9's HS and GS): eight system SGPRs, then user SGPRs; the second half's VGPRs, then the first's.
#include "merge/check/entry.h"
#include "src/abi/registers/registers.h"
#include <optional>

namespace dovetail::check {

namespace {

// A root dword: the address of a set's table, or push constants.
std::optional<ValueName> rootDwordName(const Image &image, uint32_t dword) {
  if (!image.layout)
    return std::nullopt;
  for (const UserDataNode &node : image.layout->nodes()) {
    if (node.type == UserDataNodeType::DescriptorTable && node.offsetInDwords == dword)
      return ValueName{ValueKind::DescriptorSet, uint8_t(node.set)};
    if (node.type == UserDataNodeType::PushConstants && dword >= node.offsetInDwords &&
        dword - node.offsetInDwords < node.sizeInDwords)
      return ValueName{ValueKind::PushConstant, uint8_t(dword - node.offsetInDwords)};
    if (node.type == UserDataNodeType::RootBuffer && dword >= node.offsetInDwords && dword - node.offsetInDwords < 4)
      return ValueName{ValueKind::RootBuffer,
                       uint8_t(node.set * 64 + node.binding * 4 + (dword - node.offsetInDwords))};
    if (node.type == UserDataNodeType::DynamicOffset && dword == node.offsetInDwords)
      return ValueName{ValueKind::DynamicOffset, uint8_t(node.set * 32 + node.binding)};
  }
  return std::nullopt;
}

// The value that one of PAL's numbers in a user SGPR stands for.
std::optional<ValueName> userDataName(const Image &image, uint32_t value) {
  if (value < 0x10000000)
    return rootDwordName(image, value);
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
  case 0x1000000b:
    return ValueName{ValueKind::ViewIndex};
  case 0x1000000c:
    return ValueName{ValueKind::StreamoutTable};
  case 0x1000000f:
    return ValueName{ValueKind::VertexBufferTable};
  case 0x40000000:
    return ValueName{ValueKind::AlphaReference};
  case 0x40000001:
    return ValueName{ValueKind::DeviceIndex};
  case 0x40000002:
    return ValueName{ValueKind::FragCoordYScale};
  case 0x40000003:
    return ValueName{ValueKind::FragCoordYBias};
  case 0x40000008:
  case 0x40000009:
  case 0x4000000a:
  case 0x4000000b:
  case 0x4000000c:
  case 0x4000000d:
    return ValueName{ValueKind::DefaultTessLevel, uint8_t(value - 0x40000008)};
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
    const RegisterValue *before = i != 0 ? image.findRegister(firstAddress + i - 1) : nullptr;
    std::optional<ValueName> name = value ? userDataName(image, value->value) : std::nullopt;
    // "The high half of the address is stored in the next sequential user-SGPR" (PAL, palPipelineAbi.h).
    if (!name && before && userDataName(image, before->value) == ValueName{ValueKind::WorkgroupCount, 0})
      name = ValueName{ValueKind::WorkgroupCount, 1};
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

// The addresses of a stage's registers. RSRC2 follows RSRC1.
struct StageAddresses {
  uint32_t rsrc1, userData, mergedUserData;
};

StageAddresses addressesOf(HardwareStage stage) {
  switch (stage) {
  case HardwareStage::Ls:
    return {reg::SPI_SHADER_PGM_RSRC1_LS, reg::SPI_SHADER_USER_DATA_LS_0, 0};
  case HardwareStage::Hs:
    return {reg::SPI_SHADER_PGM_RSRC1_HS, reg::SPI_SHADER_USER_DATA_HS_0, reg::SPI_SHADER_USER_DATA_HS_0};
  case HardwareStage::Es:
    return {reg::SPI_SHADER_PGM_RSRC1_ES, reg::SPI_SHADER_USER_DATA_ES_0, 0};
  case HardwareStage::Gs: // the merged program has ES's user data
    return {reg::SPI_SHADER_PGM_RSRC1_GS, reg::SPI_SHADER_USER_DATA_GS_0, reg::SPI_SHADER_USER_DATA_ES_0};
  case HardwareStage::Vs:
    return {reg::SPI_SHADER_PGM_RSRC1_VS, reg::SPI_SHADER_USER_DATA_VS_0, 0};
  case HardwareStage::Ps:
    return {reg::SPI_SHADER_PGM_RSRC1_PS, reg::SPI_SHADER_USER_DATA_PS_0, 0};
  case HardwareStage::Cs:
    return {reg::COMPUTE_PGM_RSRC1, reg::COMPUTE_USER_DATA_0, 0};
  }
  return {};
}

// Whether an evaluation shader, not a vertex shader, runs last before the geometry shader or the rasteriser.
bool hasTessEval(const Image &image) {
  return image.findStage(HardwareStage::Hs) != nullptr;
}

} // namespace

uint32_t registerValue(const Image &image, uint32_t address) {
  const RegisterValue *value = image.findRegister(address);
  return value ? value->value : 0;
}

uint32_t rsrc1(const Image &image, const ImageStage &stage) {
  return registerValue(image, addressesOf(stage.stage).rsrc1);
}

uint32_t rsrc2(const Image &image, const ImageStage &stage) {
  return registerValue(image, addressesOf(stage.stage).rsrc1 + 1);
}

unsigned userSgprsEnd(const Image &image, const ImageStage &stage) {
  constexpr unsigned MergedSystemSgprs = 8;
  const uint32_t second = rsrc2(image, stage);
  const unsigned high = stage.stage == HardwareStage::Cs ? 0 : (second >> 28 & 1) << 5;
  return (stage.firstInterface ? MergedSystemSgprs : 0) + ((second >> 1 & 31) | high);
}

std::map<Register, ValueName> entryValues(const Image &image, const ImageStage &stage) {
  using enum ValueKind;
  Entry entry;
  const uint32_t first = rsrc1(image, stage), second = rsrc2(image, stage);
  auto bits = [](uint32_t value, unsigned offset, unsigned width) { return value >> offset & ((1u << width) - 1); };
  // RSRC2: [0] scratch, [5:1] and [28] user SGPRs (compute has no more than five bits).
  unsigned userSgprs = bits(second, 1, 5);
  if (stage.stage != HardwareStage::Cs)
    userSgprs |= bits(second, 28, 1) << 5;
  const bool isTessEval = hasTessEval(image);
  auto sgprs = [&](std::initializer_list<ValueName> values) {
    for (const ValueName &value : values)
      value.kind == UserDataPadding ? entry.skipSgpr() : entry.sgpr(value);
  };
  auto vgprs = [&](unsigned from, unsigned count, std::initializer_list<ValueName> values) {
    for (const ValueName &value : values) {
      if (count-- == 0)
        break;
      if (value.kind != UserDataPadding) // padding: an instance id divided by the step rate, which nothing programs
        entry.vgpr(uint16_t(from), value);
      ++from;
    }
  };
  auto vertexVgprs = [&](unsigned from, unsigned compCount) {
    if (isTessEval)
      vgprs(from, compCount + 1, {{TessCoord, 0}, {TessCoord, 1}, {RelPatchId}, {PatchId}});
    else
      vgprs(from, compCount + 1, {{VertexId}, {UserDataPadding}, {VertexPrimitiveId}, {InstanceId}});
  };
  const bool isMerged = stage.firstInterface != nullptr;
  if (isMerged) {
    const bool isHs = stage.stage == HardwareStage::Hs;
    if (isHs)
      sgprs({{MergedUserDataAddress, 0},
             {MergedUserDataAddress, 1},
             {OffchipOffset},
             {MergedWaveInfo},
             {TessFactorOffset}});
    else
      sgprs({{MergedUserDataAddress, 0}, {MergedUserDataAddress, 1}, {Gs2VsOffset}, {MergedWaveInfo}});
    if (!isHs)
      isTessEval ? entry.sgpr({OffchipOffset}) : entry.skipSgpr();
    second & 1 ? entry.sgpr({ScratchOffset}) : entry.skipSgpr();
    entry.skipSgpr();
    entry.skipSgpr();
    addUserData(image, addressesOf(stage.stage).mergedUserData, userSgprs, entry);
    if (isHs) {
      vgprs(0, 2, {{PatchId}, {RelIds}});
      vgprs(2, bits(first, 28, 2) + 1, {{VertexId}, {RelVertexId}, {UserDataPadding}, {InstanceId}});
    } else {
      // "If offsets 4, 5 are used, GS_VGPR_COMP_CNT is ignored and VGPR[0:4] are always loaded" (Mesa, si_shader_gs).
      const GeometryInput input = stage.interface->geometry.input;
      vgprs(0, input == GeometryInput::TrianglesAdjacency ? 5 : bits(first, 29, 2) + 1,
            {{GsVertexOffsetPair, 0},
             {GsVertexOffsetPair, 1},
             {GsPrimitiveId},
             {GsInvocationId},
             {GsVertexOffsetPair, 2}});
      vertexVgprs(5, bits(second, 16, 2));
    }
    return std::move(entry.values);
  }

  addUserData(image, addressesOf(stage.stage).userData, userSgprs, entry);
  switch (stage.stage) {
  case HardwareStage::Ls:
    vgprs(0, bits(first, 24, 2) + 1, {{VertexId}, {RelVertexId}, {UserDataPadding}, {InstanceId}});
    break;
  case HardwareStage::Hs:
    sgprs({{OffchipOffset}, {TessFactorOffset}});
    vgprs(0, 2, {{PatchId}, {RelIds}});
    break;
  case HardwareStage::Es:
    if (bits(second, 7, 1))
      sgprs({{OffchipOffset}, {UserDataPadding}});
    sgprs({{Es2GsOffset}});
    vertexVgprs(0, bits(first, 24, 2));
    break;
  case HardwareStage::Gs:
    sgprs({{Gs2VsOffset}, {GsWaveId}});
    vgprs(0, 8,
          {{GsVertexOffset, 0},
           {GsVertexOffset, 1},
           {GsPrimitiveId},
           {GsVertexOffset, 2},
           {GsVertexOffset, 3},
           {GsVertexOffset, 4},
           {GsVertexOffset, 5},
           {GsInvocationId}});
    break;
  case HardwareStage::Vs: {
    // [7] off-chip tessellation, [11:8] transform feedback buffers, [12] transform feedback. Each of [7] and [12]
    // enables StreamoutConfig.
    const bool offchip = bits(second, 7, 1), streamout = bits(second, 12, 1);
    if (offchip || streamout)
      entry.sgpr({StreamoutConfig});
    if (streamout)
      entry.sgpr({StreamoutWriteIndex});
    for (uint8_t buffer = 0; buffer < 4; ++buffer)
      if (bits(second, 8 + buffer, 1))
        entry.sgpr({StreamoutOffset, buffer});
    if (offchip)
      entry.sgpr({OffchipOffset});
    if (image.findStage(HardwareStage::Gs))
      vgprs(0, 1, {{VertexId}}); // the copy shader gets its vertex's place in the ring
    else
      vertexVgprs(0, bits(first, 24, 2));
    break;
  }
  case HardwareStage::Ps:
    entry.sgpr({PrimMask});
    if (bits(second, 25, 1)) // LOAD_COLLISION_WAVEID
      entry.sgpr({CollisionWaveId});
    addPixelInputs(registerValue(image, reg::SPI_PS_INPUT_ENA), registerValue(image, reg::SPI_PS_INPUT_ADDR), entry);
    break;
  case HardwareStage::Cs:
    for (uint8_t i = 0; i < 3; ++i)
      if (bits(second, 7 + i, 1))
        entry.sgpr({WorkgroupId, i});
    vgprs(0, bits(second, 11, 2) + 1,
          {{LocalInvocationId, 0, 0}, {LocalInvocationId, 0, 1}, {LocalInvocationId, 0, 2}});
    break;
  }
  if (second & 1)
    entry.sgpr({ScratchOffset});
  return std::move(entry.values);
}

} // namespace dovetail::check

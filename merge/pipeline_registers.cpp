// SPDX-License-Identifier: MIT
//
// The values of all registers that a VS-PS or compute pipeline programs on GFX9. What decides them: the merged usage
// (RSRC1 and 2), the interface of the main parts (what they export, read and do), the fragment epilog's formats, and
// the pipeline state. Which registers belong to a pipeline, and the constants among their values, are PAL's and its
// clients' convention.
#include "merge/steps.h"
#include "src/abi/entry_registers.h"
#include "src/abi/registers.h"
#include <algorithm>
#include <bit>

namespace dovetail {

namespace {

constexpr uint32_t Comp4 = 4;           // SPI_SHADER_4COMP
constexpr uint32_t ExportFormat32R = 1; // SPI_SHADER_32_R
constexpr uint32_t DefaultInput = 0x20; // SPI_PS_INPUT_CNTL.OFFSET: nothing was exported
constexpr uint32_t PrimitivesPerGroup = 128;
constexpr uint32_t LdsGranule = 512; // bytes

class RegisterWriter {
public:
  explicit RegisterWriter(Image &image) : m_image(image) {}
  void set(uint32_t address, uint32_t value) { m_image.registers.push_back({address, value}); }

private:
  Image &m_image;
};

// RSRC1 counts VGPRs in granules. It counts SGPRs in eights on all chips, of which GFX8 and GFX9 allocate two at a
// time.
uint32_t rsrc1(const Usage &usage, const JoinTarget &target) {
  constexpr unsigned SgprUnit = 8;
  unsigned vgprGranules = (std::max<unsigned>(usage.vgprs, 1) + target.vgprGranularity - 1) / target.vgprGranularity;
  unsigned sgprGranules = (std::max<unsigned>(usage.sgprs, 1) + target.sgprGranularity - 1) / target.sgprGranularity;
  using namespace field::PGM_RSRC1;
  return VGPRS(vgprGranules - 1) | SGPRS(sgprGranules * target.sgprGranularity / SgprUnit - 1) |
         FLOAT_MODE(usage.floatMode) | DX10_CLAMP(usage.dx10Clamp) | IEEE_MODE(usage.ieeeMode);
}

void writeUserData(const ImageStage &stage, uint32_t firstAddress, RegisterWriter &registers) {
  for (unsigned i = 0; i < stage.userSgprCount; ++i)
    registers.set(firstAddress + i, stage.userDataMap[i]);
}

void writeVsProgram(const ImageStage &stage, const JoinTarget &target, RegisterWriter &registers) {
  using namespace field;
  registers.set(reg::SPI_SHADER_PGM_RSRC1_VS,
                rsrc1(stage.usage, target) | SPI_SHADER_PGM_RSRC1_VS::VGPR_COMP_CNT(stage.vgprCompCount));
  registers.set(reg::SPI_SHADER_PGM_RSRC2_VS, SPI_SHADER_PGM_RSRC2_VS::SCRATCH_EN(stage.usage.scratchBytes != 0) |
                                                  SPI_SHADER_PGM_RSRC2_VS::USER_SGPR(stage.userSgprCount) |
                                                  SPI_SHADER_PGM_RSRC2_VS::USER_SGPR_MSB(stage.userSgprCount >> 5));
  writeUserData(stage, reg::SPI_SHADER_USER_DATA_VS_0, registers);
}

// Positions, clipping, the front end.
void writeVsOutputs(const ShaderInterface &vs, const PipelineState &state, RegisterWriter &registers) {
  using namespace field;
  unsigned parameters = 0;
  for (const ParameterExport &parameter : vs.parameters)
    parameters = std::max(parameters, parameter.parameter + 1u);
  registers.set(reg::SPI_VS_OUT_CONFIG, SPI_VS_OUT_CONFIG::VS_EXPORT_COUNT(std::max(parameters, 1u) - 1));

  uint32_t positionFormats = 0;
  for (unsigned i = 0; i < std::max<unsigned>(vs.positionExports, 1); ++i)
    positionFormats |= Comp4 << (4 * i);
  registers.set(reg::SPI_SHADER_POS_FORMAT, positionFormats);

  registers.set(reg::PA_CL_CLIP_CNTL, PA_CL_CLIP_CNTL::DX_CLIP_SPACE_DEF(1) |
                                          PA_CL_CLIP_CNTL::DX_LINEAR_ATTR_CLIP_ENA(1) |
                                          PA_CL_CLIP_CNTL::DX_RASTERIZATION_KILL(state.rasterizerDiscardEnable) |
                                          PA_CL_CLIP_CNTL::VTE_VPORT_PROVOKE_DISABLE(vs.writesViewportIndex) |
                                          PA_CL_CLIP_CNTL::ZCLIP_NEAR_DISABLE(state.depthClampEnable) |
                                          PA_CL_CLIP_CNTL::ZCLIP_FAR_DISABLE(state.depthClampEnable));
  registers.set(reg::PA_CL_VTE_CNTL, 0x43f); // scale and offset of x, y, z; w is 1/w

  // A cull distance is in the bits behind the clip distances; PAL enables culling by clip distances, too.
  const uint32_t distances = vs.clipDistanceMask | vs.cullDistanceMask;
  const bool misc = vs.writesPointSize || vs.writesLayer || vs.writesViewportIndex;
  registers.set(reg::PA_CL_VS_OUT_CNTL,
                PA_CL_VS_OUT_CNTL::CLIP_DIST_ENA(vs.clipDistanceMask) | PA_CL_VS_OUT_CNTL::CULL_DIST_ENA(distances) |
                    PA_CL_VS_OUT_CNTL::USE_VTX_POINT_SIZE(vs.writesPointSize) |
                    PA_CL_VS_OUT_CNTL::USE_VTX_RENDER_TARGET_INDX(vs.writesLayer) |
                    PA_CL_VS_OUT_CNTL::USE_VTX_VIEWPORT_INDX(vs.writesViewportIndex) |
                    PA_CL_VS_OUT_CNTL::VS_OUT_MISC_VEC_ENA(misc) | PA_CL_VS_OUT_CNTL::VS_OUT_MISC_SIDE_BUS_ENA(misc) |
                    PA_CL_VS_OUT_CNTL::VS_OUT_CCDIST0_VEC_ENA(distances != 0) |
                    PA_CL_VS_OUT_CNTL::VS_OUT_CCDIST1_VEC_ENA(distances > 0xf));
  registers.set(reg::PA_SU_VTX_CNTL,
                PA_SU_VTX_CNTL::PIX_CENTER(1) | PA_SU_VTX_CNTL::ROUND_MODE(2) | PA_SU_VTX_CNTL::QUANT_MODE(5));

  registers.set(reg::VGT_SHADER_STAGES_EN,
                VGT_SHADER_STAGES_EN::VS_EN(0) | VGT_SHADER_STAGES_EN::MAX_PRIMGRP_IN_WAVE(2));
  registers.set(reg::VGT_GS_ONCHIP_CNTL, 0);
  registers.set(reg::VGT_PRIMITIVEID_EN, VGT_PRIMITIVEID_EN::PRIMITIVEID_EN(vs.usesPrimitiveId));
  registers.set(reg::VGT_INSTANCE_STEP_RATE_0, 1);
  // Vertices that differ in their viewport must not be shared.
  registers.set(reg::VGT_REUSE_OFF, VGT_REUSE_OFF::REUSE_OFF(vs.writesViewportIndex));
  for (uint32_t address : {reg::VGT_STRMOUT_CONFIG, reg::VGT_STRMOUT_BUFFER_CONFIG, reg::VGT_STRMOUT_VTX_STRIDE_0,
                           reg::VGT_STRMOUT_VTX_STRIDE_1, reg::VGT_STRMOUT_VTX_STRIDE_2, reg::VGT_STRMOUT_VTX_STRIDE_3})
    registers.set(address, 0);
  registers.set(reg::IA_MULTI_VGT_PARAM, IA_MULTI_VGT_PARAM::PRIMGROUP_SIZE(PrimitivesPerGroup - 1));
}

void writePsProgram(const ImageStage &stage, const JoinTarget &target, RegisterWriter &registers) {
  using namespace field;
  registers.set(reg::SPI_SHADER_PGM_RSRC1_PS, rsrc1(stage.usage, target));
  registers.set(reg::SPI_SHADER_PGM_RSRC2_PS, SPI_SHADER_PGM_RSRC2_PS::SCRATCH_EN(stage.usage.scratchBytes != 0) |
                                                  SPI_SHADER_PGM_RSRC2_PS::USER_SGPR(stage.userSgprCount) |
                                                  SPI_SHADER_PGM_RSRC2_PS::USER_SGPR_MSB(stage.userSgprCount >> 5));
  writeUserData(stage, reg::SPI_SHADER_USER_DATA_PS_0, registers);
}

// Pairs the pixel shader's inputs with the vertex shader's exports by location. An input that is not exported gets a
// default value.
void writeInterpolation(const ShaderInterface &vs, const ImageStage &psStage, RegisterWriter &registers) {
  using namespace field;
  const ShaderInterface &ps = *psStage.interface;
  std::array<uint8_t, 256> parameterAt;
  parameterAt.fill(DefaultInput);
  for (const ParameterExport &parameter : vs.parameters)
    parameterAt[parameter.location] = parameter.parameter;

  bool usesPointCoord = false;
  for (unsigned i = 0; i < ps.fragmentInputs.size(); ++i) {
    const FragmentInput &input = ps.fragmentInputs[i];
    usesPointCoord |= input.pointCoord;
    uint32_t offset = input.pointCoord ? DefaultInput : parameterAt[input.location];
    registers.set(reg::SPI_PS_INPUT_CNTL_0 + i, SPI_PS_INPUT_CNTL_0::OFFSET(offset) |
                                                    SPI_PS_INPUT_CNTL_0::FLAT_SHADE(input.flat) |
                                                    SPI_PS_INPUT_CNTL_0::PT_SPRITE_TEX(input.pointCoord));
  }
  if (ps.fragmentInputs.empty()) // PAL expects at least one
    registers.set(reg::SPI_PS_INPUT_CNTL_0, 0);

  registers.set(reg::SPI_PS_INPUT_ENA, psStage.usage.psInputEna);
  registers.set(reg::SPI_PS_INPUT_ADDR, psStage.usage.psInputAddr);
  registers.set(reg::SPI_PS_IN_CONTROL, SPI_PS_IN_CONTROL::NUM_INTERP(uint32_t(ps.fragmentInputs.size())));
  // FLAT_SHADE of an input counts only under FLAT_SHADE_ENA. Point sprites replace (s, t, 0, 1).
  uint32_t interpolation = SPI_INTERP_CONTROL_0::FLAT_SHADE_ENA(1);
  if (usesPointCoord)
    interpolation |= SPI_INTERP_CONTROL_0::PNT_SPRITE_ENA(1) | SPI_INTERP_CONTROL_0::PNT_SPRITE_OVRD_X(2) |
                     SPI_INTERP_CONTROL_0::PNT_SPRITE_OVRD_Y(3) | SPI_INTERP_CONTROL_0::PNT_SPRITE_OVRD_Z(0) |
                     SPI_INTERP_CONTROL_0::PNT_SPRITE_OVRD_W(1);
  registers.set(reg::SPI_INTERP_CONTROL_0, interpolation);
  registers.set(reg::SPI_BARYC_CNTL,
                SPI_BARYC_CNTL::FRONT_FACE_ALL_BITS(1) | SPI_BARYC_CNTL::POS_FLOAT_ULC(ps.pixelCenterInteger) |
                    SPI_BARYC_CNTL::POS_FLOAT_LOCATION(!ps.pixelCenterInteger && ps.runsAtSampleRate ? 2 : 0));
}

// Z_ORDER and its companions: how early depth may be tested.
uint32_t dbShaderControl(const ShaderInterface &ps, const FragmentExports &exports) {
  using namespace field::DB_SHADER_CONTROL;
  constexpr uint32_t LateZ = 0;
  constexpr uint32_t EarlyZThenLateZ = 1;
  // Writes to memory must not happen for fragments that fail the depth test only when the shader asks for early tests.
  const bool latesForMemory = ps.writesMemory && !ps.earlyFragmentTests;
  // lgc::ConservativeDepth: 1 less or equal, 2 greater or equal, as CONSERVATIVE_Z_EXPORT. A depth that is said to be
  // unchanged (3) has no value there; any depth (0) is right for it, too.
  const uint32_t conservativeDepth = ps.conservativeDepth <= 2 ? ps.conservativeDepth : 0;
  return Z_ORDER(latesForMemory ? LateZ : EarlyZThenLateZ) | KILL_ENABLE(ps.usesDiscard || exports.kills) |
         Z_EXPORT_ENABLE(exports.depth) | STENCIL_TEST_VAL_EXPORT_ENABLE(exports.stencil) |
         MASK_EXPORT_ENABLE(exports.sampleMask) | ALPHA_TO_MASK_DISABLE(!exports.alphaToCoverage) |
         DEPTH_BEFORE_SHADER(ps.earlyFragmentTests) | EXEC_ON_NOOP(ps.earlyFragmentTests && ps.writesMemory) |
         EXEC_ON_HIER_FAIL(latesForMemory) | CONSERVATIVE_Z_EXPORT(conservativeDepth);
}

void writePsOutputs(const ShaderInterface &ps, const FragmentExports &exports, const PipelineState &state,
                    RegisterWriter &registers) {
  using namespace field;
  registers.set(reg::SPI_SHADER_Z_FORMAT, exports.zFormat);
  // Hardware hangs without any export memory, so a null export is announced as a colour.
  registers.set(reg::SPI_SHADER_COL_FORMAT, exports.colFormat || exports.zFormat ? exports.colFormat : ExportFormat32R);
  registers.set(reg::CB_SHADER_MASK, exports.cbShaderMask);
  registers.set(reg::DB_SHADER_CONTROL, dbShaderControl(ps, exports));

  const bool perSample = ps.runsAtSampleRate || state.sampleShadingEnable;
  registers.set(reg::PA_SC_MODE_CNTL_1,
                PA_SC_MODE_CNTL_1::WALK_ALIGN8_PRIM_FITS_ST(1) | PA_SC_MODE_CNTL_1::WALK_FENCE_ENABLE(1) |
                    PA_SC_MODE_CNTL_1::SUPERTILE_WALK_ORDER_ENABLE(1) | PA_SC_MODE_CNTL_1::TILE_WALK_ORDER_ENABLE(1) |
                    PA_SC_MODE_CNTL_1::PS_ITER_SAMPLE(perSample) |
                    PA_SC_MODE_CNTL_1::MULTI_SHADER_ENGINE_PRIM_DISCARD_ENABLE(1) |
                    PA_SC_MODE_CNTL_1::FORCE_EOV_CNTDWN_ENABLE(1) | PA_SC_MODE_CNTL_1::FORCE_EOV_REZ_ENABLE(1));
  const uint32_t log2Samples = uint32_t(std::bit_width(std::max(state.rasterizationSamples, 1u)) - 1);
  registers.set(reg::PA_SC_AA_CONFIG,
                PA_SC_AA_CONFIG::MSAA_NUM_SAMPLES(log2Samples) | PA_SC_AA_CONFIG::MSAA_EXPOSED_SAMPLES(log2Samples));
  registers.set(reg::PA_SC_SHADER_CONTROL, 0);
}

void writeCompute(const ImageStage &stage, const JoinTarget &target, RegisterWriter &registers) {
  using namespace field;
  const ShaderInterface &cs = *stage.interface;
  uint32_t workgroupIds = 0;
  for (const Binding &input : cs.inputs)
    if (input.value.kind == ValueKind::WorkgroupId)
      workgroupIds |= 1u << input.value.index;
  registers.set(reg::COMPUTE_PGM_RSRC1, rsrc1(stage.usage, target));
  registers.set(reg::COMPUTE_PGM_RSRC2,
                COMPUTE_PGM_RSRC2::SCRATCH_EN(stage.usage.scratchBytes != 0) |
                    COMPUTE_PGM_RSRC2::USER_SGPR(stage.userSgprCount) | COMPUTE_PGM_RSRC2::TGID_X_EN(workgroupIds & 1) |
                    COMPUTE_PGM_RSRC2::TGID_Y_EN((workgroupIds >> 1) & 1) |
                    COMPUTE_PGM_RSRC2::TGID_Z_EN((workgroupIds >> 2) & 1) |
                    COMPUTE_PGM_RSRC2::TIDIG_COMP_CNT(stage.vgprCompCount) |
                    COMPUTE_PGM_RSRC2::LDS_SIZE((stage.usage.ldsBytes + LdsGranule - 1) / LdsGranule));
  for (unsigned i = 0; i < 3; ++i)
    registers.set(reg::COMPUTE_NUM_THREAD_X + i, COMPUTE_NUM_THREAD_X::NUM_THREAD_FULL(cs.workgroupSize[i]));
  writeUserData(stage, reg::COMPUTE_USER_DATA_0, registers);
}

} // namespace

void writeRegisters(const PipelineState &state, const JoinTarget &target, Image &image) {
  RegisterWriter registers(image);
  const ImageStage *vs = image.findStage(HardwareStage::Vs);
  const ImageStage *ps = image.findStage(HardwareStage::Ps);
  const ImageStage *cs = image.findStage(HardwareStage::Cs);
  if (vs) {
    writeVsProgram(*vs, target, registers);
    writeVsOutputs(*vs->interface, state, registers);
  }
  if (vs && ps) {
    writePsProgram(*ps, target, registers);
    writeInterpolation(*vs->interface, *ps, registers);
    writePsOutputs(*ps->interface, *ps->fragmentExports, state, registers);
  }
  if (cs)
    writeCompute(*cs, target, registers);
}

} // namespace dovetail

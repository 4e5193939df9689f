// SPDX-License-Identifier: MIT
#include "merge/registers/registers.h"
#include "src/abi/interface/pixel_inputs.h"
#include <algorithm>
#include <bit>

namespace dovetail {

namespace {

constexpr uint32_t ExportFormat32R = 1; // SPI_SHADER_32_R, AMD's register headers
constexpr uint32_t DefaultInput = 0x20; // SPI_PS_INPUT_CNTL.OFFSET: nothing was exported
constexpr uint32_t PassThrough = 0x20;  // the same bit with FLAT_SHADE: the vertices' values without interpolation

// The samples that the rasteriser tells apart. Without GL_MULTISAMPLE, targets may have more samples, which are covered
// together.
uint32_t rasterisedSamples(const PipelineState &state) {
  return state.multisampleDisable ? 1 : std::max(state.rasterizationSamples, 1u);
}

// A main part does not know the state; the shader or the state may ask for sample shading.
bool runsPerSample(const ShaderInterface &ps, const PipelineState &state) {
  return (ps.fragment.runsAtSampleRate || state.sampleShadingEnable) && rasterisedSamples(state) > 1;
}

bool isOrdered(const ShaderInterface &ps) {
  return ps.fragment.interlock != FragmentInterlock::None;
}

void writePsProgram(RegisterWriter &registers, const ImageStage &ps) {
  using namespace field;
  registers.set(reg::SPI_SHADER_PGM_RSRC1_PS, programResources(registers, ps));
  registers.set(reg::SPI_SHADER_PGM_RSRC2_PS,
                SPI_SHADER_PGM_RSRC2_PS::SCRATCH_EN(ps.usage.scratchBytes != 0) |
                    SPI_SHADER_PGM_RSRC2_PS::USER_SGPR(ps.userSgprCount) |
                    SPI_SHADER_PGM_RSRC2_PS::TRAP_PRESENT(hasTrapHandler(registers, ps)) |
                    SPI_SHADER_PGM_RSRC2_PS::LOAD_COLLISION_WAVEID(isOrdered(*ps.interface)) |
                    SPI_SHADER_PGM_RSRC2_PS::USER_SGPR_MSB(ps.userSgprCount >> 5));
  registers.setUserData(ps, reg::SPI_SHADER_USER_DATA_PS_0);
}

// Pairs the pixel shader's inputs with the vertex shader's exports by location. An input that is not exported gets a
// default value.
void writeInterpolation(RegisterWriter &registers, const ShaderInterface &vs, const ImageStage &psStage) {
  using namespace field;
  const ShaderInterface &ps = *psStage.interface;
  std::array<uint8_t, 256> parameterAt;
  parameterAt.fill(DefaultInput);
  for (const ParameterExport &parameter : vs.preRaster.parameters)
    parameterAt[parameter.location] = parameter.parameter;

  bool usesPointCoord = false;
  auto set = [&](size_t attribute, const FragmentInput &input, bool isReplaced) {
    const bool isSprite = input.pointCoord || isReplaced;
    usesPointCoord |= isSprite;
    uint32_t offset = input.pointCoord ? DefaultInput : parameterAt[input.location];
    // With FLAT_SHADE, the bit of the default asks for the parameter cache as it is (Mesa's offset_to_ps_input()).
    const bool isFlat = (input.flat || input.ofVertices) && offset != DefaultInput;
    if (isFlat && input.ofVertices)
      offset |= PassThrough;
    registers.set(reg::SPI_PS_INPUT_CNTL_0 + uint32_t(attribute),
                  SPI_PS_INPUT_CNTL_0::OFFSET(offset) | SPI_PS_INPUT_CNTL_0::FLAT_SHADE(isFlat) |
                      SPI_PS_INPUT_CNTL_0::PT_SPRITE_TEX(isSprite) |
                      SPI_PS_INPUT_CNTL_0::FP16_INTERP_MODE(input.halves != 0) |
                      SPI_PS_INPUT_CNTL_0::ATTR0_VALID(input.halves & 1) |
                      SPI_PS_INPUT_CNTL_0::ATTR1_VALID(input.halves >> 1 & 1));
  };
  for (size_t i = 0; i < ps.fragment.inputs.size(); ++i)
    set(i, ps.fragment.inputs[i], isReplacedOnPoints(ps.fragment.inputs[i], registers.state.spriteCoordEnable));
  for (bool isBack : {false, true})
    for (size_t i = 0; i < ps.fragment.colorInputs.size() && (!isBack || registers.state.colorTwoSide); ++i) {
      const ColorInput &color = ps.fragment.colorInputs[i];
      set(colorAttribute(ps, i, isBack),
          {isBack ? color.backLocation : color.location, registers.state.flatShadeColors, false},
          /*isReplaced=*/false);
    }
  const auto inputs = uint32_t(attributeCount(ps, registers.state.colorTwoSide));
  if (inputs == 0) // PAL expects at least one
    registers.set(reg::SPI_PS_INPUT_CNTL_0, 0);

  registers.set(reg::SPI_PS_INPUT_ENA, psStage.usage.psInputEna);
  registers.set(reg::SPI_PS_INPUT_ADDR, psStage.usage.psInputAddr);
  // The hardware may leave out centroids that equal the centres. Only a prolog puts them right (Mesa,
  // si_llvm_build_ps_prolog).
  registers.set(reg::SPI_PS_IN_CONTROL,
                SPI_PS_IN_CONTROL::NUM_INTERP(inputs) |
                    SPI_PS_IN_CONTROL::BC_OPTIMIZE_DISABLE(!registers.state.barycentricOptimization));
  // FLAT_SHADE of an input has an effect only under FLAT_SHADE_ENA. Point sprites replace (s, t, 0, 1) (RADV,
  // si_emit_graphics; where t begins: radeonsi, si_create_rs_state).
  uint32_t interpolation = SPI_INTERP_CONTROL_0::FLAT_SHADE_ENA(1);
  if (usesPointCoord)
    interpolation |= SPI_INTERP_CONTROL_0::PNT_SPRITE_ENA(1) | SPI_INTERP_CONTROL_0::PNT_SPRITE_OVRD_X(2) |
                     SPI_INTERP_CONTROL_0::PNT_SPRITE_OVRD_Y(3) | SPI_INTERP_CONTROL_0::PNT_SPRITE_OVRD_Z(0) |
                     SPI_INTERP_CONTROL_0::PNT_SPRITE_OVRD_W(1) |
                     SPI_INTERP_CONTROL_0::PNT_SPRITE_TOP_1(registers.state.spriteCoordLowerLeft);
  registers.set(reg::SPI_INTERP_CONTROL_0, interpolation);
  // The place of gl_FragCoord: Vulkan wants it at the invocation's sample (Mesa, si_shader_ps).
  constexpr uint32_t AtCenter = 0, AtSample = 2;
  const bool isAtSample = runsPerSample(ps, registers.state) && !ps.fragment.pixelCenterInteger;
  registers.set(reg::SPI_BARYC_CNTL, SPI_BARYC_CNTL::FRONT_FACE_ALL_BITS(1) |
                                         SPI_BARYC_CNTL::POS_FLOAT_ULC(ps.fragment.pixelCenterInteger) |
                                         SPI_BARYC_CNTL::POS_FLOAT_LOCATION(isAtSample ? AtSample : AtCenter));
}

// The order of waves that overlap in pixels, or in samples as the rasteriser tells them apart (Mesa main, pops.rst and
// radv_compute_db_shader_control).
uint32_t primitiveOrder(const ShaderInterface &ps, const PipelineState &state) {
  using namespace field::DB_SHADER_CONTROL;
  const bool bySample = ps.fragment.interlock == FragmentInterlock::Sample;
  return PRIMITIVE_ORDERED_PIXEL_SHADER(isOrdered(ps)) |
         POPS_OVERLAP_NUM_SAMPLES(bySample ? uint32_t(std::bit_width(rasterisedSamples(state)) - 1) : 0);
}

// Z_ORDER and its companions: how early depth may be tested (RADV, radv_compute_db_shader_control; radeonsi,
// si_shader_ps).
uint32_t dbShaderControl(const RegisterWriter &registers, const ShaderInterface &ps, const FragmentExports &exports) {
  using namespace field::DB_SHADER_CONTROL;
  constexpr uint32_t LateZ = 0;
  constexpr uint32_t EarlyZThenLateZ = 1;
  constexpr uint32_t EarlyZThenReZ = 3;
  // Fragments that fail the depth test write to memory as well, unless the shader asks for early tests.
  const bool latesForMemory = ps.writesMemory && !ps.fragment.earlyFragmentTests;
  // lgc::ConservativeDepth 1 (less or equal) and 2 (greater or equal) equal CONSERVATIVE_Z_EXPORT. The register has no
  // value for unchanged depth (3); any depth (0) is right for it, too.
  const uint32_t conservativeDepth = ps.fragment.conservativeDepth <= 2 ? ps.fragment.conservativeDepth : 0;
  const bool prologKills = registers.state.polygonStippleEnable;
  // LLPC, RegisterMetadataBuilder::buildPsRegisters.
  const bool testsAgain = ps.fragment.allowReZ && !ps.fragment.earlyFragmentTests;
  const uint32_t early = testsAgain ? EarlyZThenReZ : EarlyZThenLateZ;
  const bool isLate = latesForMemory || (ps.fragment.forceLateZ && !ps.fragment.earlyFragmentTests);
  return Z_ORDER(isLate ? LateZ : early) | KILL_ENABLE(ps.fragment.usesDiscard || exports.kills || prologKills) |
         Z_EXPORT_ENABLE(exports.depth) | STENCIL_TEST_VAL_EXPORT_ENABLE(exports.stencil) |
         MASK_EXPORT_ENABLE(exports.sampleMask) | ALPHA_TO_MASK_DISABLE(!exports.alphaToCoverage) |
         DEPTH_BEFORE_SHADER(ps.fragment.earlyFragmentTests) |
         EXEC_ON_NOOP(ps.fragment.earlyFragmentTests && ps.writesMemory) | EXEC_ON_HIER_FAIL(latesForMemory) |
         CONSERVATIVE_Z_EXPORT(conservativeDepth) | DUAL_QUAD_DISABLE(registers.target.hasUnusableDualQuads) |
         primitiveOrder(ps, registers.state);
}

void writeDepthAndColor(RegisterWriter &registers, const ShaderInterface &ps, const FragmentExports &exports) {
  using namespace field;
  registers.set(reg::SPI_SHADER_Z_FORMAT, exports.zFormat);
  // The hardware hangs without any export memory, so a null export is announced as a colour (RADV,
  // radv_graphics_pipeline_init; radeonsi, si_shader_ps).
  registers.set(reg::SPI_SHADER_COL_FORMAT, exports.colFormat || exports.zFormat ? exports.colFormat : ExportFormat32R);
  registers.set(reg::CB_SHADER_MASK, exports.cbShaderMask);
  registers.set(reg::DB_SHADER_CONTROL, dbShaderControl(registers, ps, exports));
}

// How far a sample can be from the centre, by the logarithm of the number of samples, at the standard's sample
// positions (Mesa's si_state.c, PAL's quad sample patterns).
constexpr uint32_t MaxSampleDistance[] = {0, 4, 6, 7, 8};

// How the rasteriser walks over pixels and samples (RADV, radv_pipeline_init_multisample_state).
void writeRasteriser(RegisterWriter &registers, const ShaderInterface &ps) {
  using namespace field;
  const PipelineState &state = registers.state;
  registers.set(reg::PA_SC_MODE_CNTL_1,
                PA_SC_MODE_CNTL_1::WALK_ALIGN8_PRIM_FITS_ST(1) | PA_SC_MODE_CNTL_1::WALK_FENCE_ENABLE(1) |
                    PA_SC_MODE_CNTL_1::SUPERTILE_WALK_ORDER_ENABLE(1) | PA_SC_MODE_CNTL_1::TILE_WALK_ORDER_ENABLE(1) |
                    PA_SC_MODE_CNTL_1::PS_ITER_SAMPLE(runsPerSample(ps, state)) |
                    PA_SC_MODE_CNTL_1::MULTI_SHADER_ENGINE_PRIM_DISCARD_ENABLE(1) |
                    PA_SC_MODE_CNTL_1::FORCE_EOV_CNTDWN_ENABLE(1) | PA_SC_MODE_CNTL_1::FORCE_EOV_REZ_ENABLE(1));
  // Off without multisampling, as in radeonsi's si_emit_msaa_config().
  const uint32_t log2Samples = uint32_t(std::bit_width(rasterisedSamples(state)) - 1);
  registers.set(reg::PA_SC_AA_CONFIG, PA_SC_AA_CONFIG::MSAA_NUM_SAMPLES(log2Samples) |
                                          PA_SC_AA_CONFIG::MSAA_EXPOSED_SAMPLES(log2Samples) |
                                          PA_SC_AA_CONFIG::MAX_SAMPLE_DIST(MaxSampleDistance[log2Samples]));
  if (!registers.isGfx8())
    registers.set(reg::PA_SC_SHADER_CONTROL, PA_SC_SHADER_CONTROL::LOAD_COLLISION_WAVEID(isOrdered(ps)));
}

} // namespace

void writePixel(RegisterWriter &registers, const ImageStage &vs, const ImageStage &ps) {
  writePsProgram(registers, ps);
  writeInterpolation(registers, *vs.interface, ps);
  writeDepthAndColor(registers, *ps.interface, *ps.fragmentExports);
  writeRasteriser(registers, *ps.interface);
}

} // namespace dovetail

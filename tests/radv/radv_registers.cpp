// SPDX-License-Identifier: MIT
#include "tests/radv/radv_registers.h"
#include "src/abi/entry_registers.h"
#include "src/abi/registers.h"
#include "src/state/format_table.h"
#include <algorithm>

namespace dovetail {

namespace {

using emulator::HardwareRegisters;

constexpr uint32_t FloatMode = 0xc0; // f32 denormals are flushed, f16 and f64 ones kept
constexpr uint32_t VgprGranule = 4, SgprGranule = 8, LdsGranule = 512;

uint64_t statistic(const RadvProgram &program, const char *name) {
  auto found = program.executable->statistics.find(name);
  return found == program.executable->statistics.end() ? 0 : found->second;
}

// The part of RSRC1 and RSRC2 that all stages share. Errors: Unsupported for programs with scratch memory.
Result<void> setResources(const RadvProgram &program, uint32_t rsrc1, uint32_t rsrc2, HardwareRegisters &registers) {
  if (statistic(program, "Scratch size") != 0)
    return makeError(ErrorCode::Unsupported, "scratch memory");
  uint32_t vgprs = std::max<uint32_t>(1, static_cast<uint32_t>(statistic(program, "VGPRs")));
  // ACO exports components without a value from v128, and the hardware takes another register if the wave has none
  // such.
  if (program.exportsUndefined)
    vgprs = 256;
  uint32_t sgprs = std::max<uint32_t>(1, static_cast<uint32_t>(statistic(program, "SGPRs")));
  registers[rsrc1] |= field::PGM_RSRC1::VGPRS((vgprs - 1) / VgprGranule) |
                      field::PGM_RSRC1::SGPRS((sgprs - 1) / SgprGranule) | field::PGM_RSRC1::FLOAT_MODE(FloatMode) |
                      field::PGM_RSRC1::DX10_CLAMP(1);
  uint32_t userSgprs = static_cast<uint32_t>(program.interface.userSgprs.size());
  registers[rsrc2] |= field::SPI_SHADER_PGM_RSRC2_VS::USER_SGPR(userSgprs & 31) |
                      field::SPI_SHADER_PGM_RSRC2_VS::USER_SGPR_MSB(userSgprs >> 5);
  return {};
}

// Components of the clip and cull distances: "float[3]" from a component on.
uint32_t distanceMask(const NirShader &nir, std::string_view name) {
  uint32_t mask = 0;
  for (const NirVariable &variable : nir.variables)
    if (variable.mode == NirVariable::Mode::Output && variable.slot.starts_with("VARYING_SLOT_CLIP_DIST") &&
        variable.name.find(name) != std::string::npos) {
      size_t bracket = variable.type.find('[');
      unsigned count = bracket == std::string::npos ? 1 : unsigned(std::stoul(variable.type.substr(bracket + 1)));
      unsigned first = (variable.slot.back() == '1' ? 4 : 0) + variable.component;
      mask |= ((1u << count) - 1) << first;
    }
  return mask;
}

bool writes(const NirShader &nir, std::string_view slot) {
  return std::ranges::any_of(nir.variables, [&](const NirVariable &variable) {
    return variable.mode == NirVariable::Mode::Output && variable.slot == slot;
  });
}

// radv_pipeline_emit_hw_vs().
void setPositions(const NirShader &nir, HardwareRegisters &registers) {
  using namespace field::PA_CL_VS_OUT_CNTL;
  const bool writesPointSize = writes(nir, "VARYING_SLOT_PSIZ"), writesLayer = writes(nir, "VARYING_SLOT_LAYER");
  const bool writesViewport = writes(nir, "VARYING_SLOT_VIEWPORT");
  const bool writesMisc = writesPointSize || writesLayer || writesViewport;
  const uint32_t clip = distanceMask(nir, "gl_ClipDistance"), cull = distanceMask(nir, "gl_CullDistance");
  const uint32_t all = clip | cull;
  registers[reg::PA_CL_VS_OUT_CNTL] = USE_VTX_POINT_SIZE(writesPointSize) | USE_VTX_RENDER_TARGET_INDX(writesLayer) |
                                      USE_VTX_VIEWPORT_INDX(writesViewport) | VS_OUT_MISC_VEC_ENA(writesMisc) |
                                      VS_OUT_MISC_SIDE_BUS_ENA(writesMisc) | VS_OUT_CCDIST0_VEC_ENA((all & 0x0f) != 0) |
                                      VS_OUT_CCDIST1_VEC_ENA((all & 0xf0) != 0) | CULL_DIST_ENA(all) |
                                      CLIP_DIST_ENA(clip);
  constexpr uint32_t FourComponents = 4; // SPI_SHADER_4COMP
  const unsigned exports = 1 + writesMisc + (all != 0) + ((all & 0xf0) != 0);
  for (unsigned i = 0; i < exports; ++i)
    registers[reg::SPI_SHADER_POS_FORMAT] |= FourComponents << 4 * i;
}

Result<void> setAttributes(const NirShader &vertex, const NirShader *pixel, HardwareRegisters &registers) {
  using namespace field::SPI_PS_INPUT_CNTL_0;
  constexpr uint32_t NoParameter = 0x20;
  std::vector<std::string> parameters = vertexParameters(vertex, pixel);
  registers[reg::SPI_VS_OUT_CONFIG] =
      field::SPI_VS_OUT_CONFIG::VS_EXPORT_COUNT(std::max<uint32_t>(1, uint32_t(parameters.size())) - 1);
  if (!pixel)
    return {};
  std::vector<RadvPixelAttribute> attributes = DOVETAIL_TRY(pixelAttributes(*pixel, parameters));
  for (size_t i = 0; i < attributes.size(); ++i) {
    const RadvPixelAttribute &attribute = attributes[i];
    registers[reg::SPI_PS_INPUT_CNTL_0 + uint32_t(i)] = OFFSET(attribute.parameter.value_or(NoParameter)) |
                                                        FLAT_SHADE(attribute.isFlat) |
                                                        PT_SPRITE_TEX(attribute.isPointCoordinate);
  }
  registers[reg::SPI_PS_IN_CONTROL] = field::SPI_PS_IN_CONTROL::NUM_INTERP(uint32_t(attributes.size()));
  constexpr uint32_t SelectOne = 1, SelectS = 2, SelectT = 3;
  registers[reg::SPI_INTERP_CONTROL_0] = field::SPI_INTERP_CONTROL_0::FLAT_SHADE_ENA(1) |
                                         field::SPI_INTERP_CONTROL_0::PNT_SPRITE_ENA(1) |
                                         field::SPI_INTERP_CONTROL_0::PNT_SPRITE_OVRD_X(SelectS) |
                                         field::SPI_INTERP_CONTROL_0::PNT_SPRITE_OVRD_Y(SelectT) |
                                         field::SPI_INTERP_CONTROL_0::PNT_SPRITE_OVRD_W(SelectOne);
  return {};
}

// An array of colours is one variable.
bool writesColor(const NirShader &nir, unsigned target) {
  return std::ranges::any_of(nir.variables, [&](const NirVariable &variable) {
    std::optional<unsigned> first = variable.slotNumber("FRAG_RESULT_DATA");
    return variable.mode == NirVariable::Mode::Output && first && target >= *first &&
           target < *first + variable.slots();
  });
}

bool readsSecondSource(const ColorTarget &color) {
  auto isSecond = [](VkBlendFactor factor) {
    return factor >= VK_BLEND_FACTOR_SRC1_COLOR && factor <= VK_BLEND_FACTOR_ONE_MINUS_SRC1_ALPHA;
  };
  return color.blendEnable && (isSecond(color.srcColorBlendFactor) || isSecond(color.dstColorBlendFactor) ||
                               isSecond(color.srcAlphaBlendFactor) || isSecond(color.dstAlphaBlendFactor));
}

// radv_pipeline_compute_spi_color_formats(): formats by target, then without gaps.
Result<void> setColors(const NirShader &nir, const PipelineState &state, HardwareRegisters &registers) {
  unsigned mrt = 0;
  for (unsigned target = 0; target < MaxColorTargets; ++target) {
    const ColorTarget &color = state.colorTargets[target];
    if (color.format == VK_FORMAT_UNDEFINED || color.writeMask == 0 || !writesColor(nir, target))
      continue;
    const FormatInfo *format = DOVETAIL_TRY(getColorFormat(color.format));
    ExportFormat exported = chooseExportFormat(*format, color.blendEnable, color.blendEnable);
    registers[reg::SPI_SHADER_COL_FORMAT] |= static_cast<uint32_t>(exported) << 4 * mrt++;
    registers[reg::CB_SHADER_MASK] |= static_cast<uint32_t>(exportedComponents(exported)) << 4 * target;
    if (target == 0 && readsSecondSource(color)) { // the second source is exported as a second target
      registers[reg::SPI_SHADER_COL_FORMAT] |= static_cast<uint32_t>(exported) << 4 * mrt++;
      registers[reg::CB_SHADER_MASK] |= static_cast<uint32_t>(exportedComponents(exported)) << 4;
    }
  }
  return {};
}

// ac_get_spi_shader_z_format() and radv_compute_db_shader_control().
void setDepth(const NirShader &nir, HardwareRegisters &registers) {
  using namespace field::DB_SHADER_CONTROL;
  const bool writesDepth = writes(nir, "FRAG_RESULT_DEPTH"), writesStencil = writes(nir, "FRAG_RESULT_STENCIL");
  const bool writesMask = writes(nir, "FRAG_RESULT_SAMPLE_MASK");
  ExportFormat format = ExportFormat::Zero;
  if (writesDepth)
    format = writesMask ? ExportFormat::Abgr32 : writesStencil ? ExportFormat::Gr32 : ExportFormat::R32;
  else if (writesStencil || writesMask)
    format = ExportFormat::Uint16Abgr;
  registers[reg::SPI_SHADER_Z_FORMAT] = static_cast<uint32_t>(format);

  const bool kills = nir.hasAny("discard") || nir.hasAny("demote") || nir.hasAny("terminate");
  const bool writesMemory = nir.hasAny("store_ssbo") || nir.hasAny("ssbo_atomic") ||
                            nir.hasAny("bindless_image_store") || nir.hasAny("bindless_image_atomic");
  constexpr uint32_t LateZ = 0, EarlyThenLateZ = 1;
  registers[reg::DB_SHADER_CONTROL] = Z_EXPORT_ENABLE(writesDepth) | STENCIL_TEST_VAL_EXPORT_ENABLE(writesStencil) |
                                      KILL_ENABLE(kills) | MASK_EXPORT_ENABLE(writesMask) |
                                      Z_ORDER(writesMemory ? LateZ : EarlyThenLateZ) | EXEC_ON_HIER_FAIL(writesMemory) |
                                      EXEC_ON_NOOP(writesMemory);
}

// radv_pipeline_init_multisample_state().
void setSamples(const NirShader *pixel, const PipelineState &state, HardwareRegisters &registers) {
  const uint32_t samples = state.rasterizationSamples;
  const uint32_t logSamples = samples >= 8 ? 3 : samples >= 4 ? 2 : samples >= 2 ? 1 : 0;
  const bool perSample = samples > 1 && (state.sampleShadingEnable ||
                                         (pixel && (pixel->has("load_barycentric_sample") ||
                                                    pixel->has("load_sample_id") || pixel->has("load_sample_pos"))));
  constexpr uint32_t AtSample = 2;
  registers[reg::SPI_BARYC_CNTL] = field::SPI_BARYC_CNTL::FRONT_FACE_ALL_BITS(1) |
                                   field::SPI_BARYC_CNTL::POS_FLOAT_LOCATION(perSample ? AtSample : 0);
  registers[reg::PA_SC_AA_CONFIG] =
      field::PA_SC_AA_CONFIG::MSAA_NUM_SAMPLES(logSamples) | field::PA_SC_AA_CONFIG::MSAA_EXPOSED_SAMPLES(logSamples);
  registers[reg::PA_SC_MODE_CNTL_1] = field::PA_SC_MODE_CNTL_1::PS_ITER_SAMPLE(perSample);
}

} // namespace

Result<HardwareRegisters> graphicsRegisters(const RadvProgram &vertex, const RadvProgram *pixel,
                                            const PipelineState &state) {
  HardwareRegisters registers;
  const NirShader &vertexNir = vertex.interface.nir;
  const NirShader *pixelNir = pixel ? &pixel->interface.nir : nullptr;
  DOVETAIL_CHECK(setResources(vertex, reg::SPI_SHADER_PGM_RSRC1_VS, reg::SPI_SHADER_PGM_RSRC2_VS, registers));
  const uint32_t lastId = vertexNir.has("load_primitive_id") || writes(vertexNir, "VARYING_SLOT_PRIMITIVE_ID") ? 2 : 1;
  registers[reg::SPI_SHADER_PGM_RSRC1_VS] |= field::SPI_SHADER_PGM_RSRC1_VS::VGPR_COMP_CNT(lastId);
  registers[reg::VGT_PRIMITIVEID_EN] = field::VGT_PRIMITIVEID_EN::PRIMITIVEID_EN(lastId == 2);
  registers[reg::VGT_INSTANCE_STEP_RATE_0] = 1;
  registers[reg::PA_CL_CLIP_CNTL] = field::PA_CL_CLIP_CNTL::DX_CLIP_SPACE_DEF(1) |
                                    field::PA_CL_CLIP_CNTL::DX_LINEAR_ATTR_CLIP_ENA(1) |
                                    field::PA_CL_CLIP_CNTL::DX_RASTERIZATION_KILL(state.rasterizerDiscardEnable) |
                                    field::PA_CL_CLIP_CNTL::ZCLIP_NEAR_DISABLE(state.depthClampEnable) |
                                    field::PA_CL_CLIP_CNTL::ZCLIP_FAR_DISABLE(state.depthClampEnable);
  setPositions(vertexNir, registers);
  DOVETAIL_CHECK(setAttributes(vertexNir, pixelNir, registers));
  setSamples(pixelNir, state, registers);
  if (pixel) {
    DOVETAIL_CHECK(setResources(*pixel, reg::SPI_SHADER_PGM_RSRC1_PS, reg::SPI_SHADER_PGM_RSRC2_PS, registers));
    registers[reg::SPI_PS_INPUT_ENA] = pixel->interface.pixelInputs;
    registers[reg::SPI_PS_INPUT_ADDR] = pixel->interface.pixelInputs;
    DOVETAIL_CHECK(setColors(*pixelNir, state, registers));
    setDepth(*pixelNir, registers);
  }
  return registers;
}

Result<HardwareRegisters> computeRegisters(const RadvProgram &compute) {
  HardwareRegisters registers;
  const RadvProgramInterface &interface = compute.interface;
  DOVETAIL_CHECK(setResources(compute, reg::COMPUTE_PGM_RSRC1, reg::COMPUTE_PGM_RSRC2, registers));
  for (uint32_t i = 0; i < 3; ++i)
    registers[reg::COMPUTE_NUM_THREAD_X + i] =
        field::COMPUTE_NUM_THREAD_X::NUM_THREAD_FULL(interface.nir.workgroupSize[i]);
  const uint32_t ldsBytes = static_cast<uint32_t>(statistic(compute, "LDS size"));
  registers[reg::COMPUTE_PGM_RSRC2] |= field::COMPUTE_PGM_RSRC2::TGID_X_EN(interface.usesWorkgroupId[0]) |
                                       field::COMPUTE_PGM_RSRC2::TGID_Y_EN(interface.usesWorkgroupId[1]) |
                                       field::COMPUTE_PGM_RSRC2::TGID_Z_EN(interface.usesWorkgroupId[2]) |
                                       field::COMPUTE_PGM_RSRC2::TG_SIZE_EN(interface.usesGroupSize) |
                                       field::COMPUTE_PGM_RSRC2::TIDIG_COMP_CNT(interface.lastThreadId) |
                                       field::COMPUTE_PGM_RSRC2::LDS_SIZE((ldsBytes + LdsGranule - 1) / LdsGranule);
  return registers;
}

} // namespace dovetail

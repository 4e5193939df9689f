// SPDX-License-Identifier: MIT
//
// The hardware VS: the vertex shader, the evaluation shader behind a tessellator, or the copy shader behind a geometry
// shader.
#include "merge/registers/registers.h"
#include <algorithm>

namespace dovetail {

namespace {

constexpr uint32_t Comp4 = 4; // SPI_SHADER_4COMP, AMD's register headers

void writeVsProgram(RegisterWriter &registers, const ImageStage &vs) {
  using namespace field;
  const XfbInterface &xfb = vs.interface->preRaster.xfb;
  uint32_t usedBuffers = 0;
  for (unsigned buffer = 0; buffer < MaxXfbBuffers; ++buffer)
    if (xfb.isUsed() && xfb.strides[buffer])
      usedBuffers |= 1u << buffer;
  registers.set(reg::SPI_SHADER_PGM_RSRC1_VS,
                programResources(registers, vs) | SPI_SHADER_PGM_RSRC1_VS::VGPR_COMP_CNT(vs.vgprCompCount));
  registers.set(reg::SPI_SHADER_PGM_RSRC2_VS,
                SPI_SHADER_PGM_RSRC2_VS::SCRATCH_EN(vs.usage.scratchBytes != 0) |
                    SPI_SHADER_PGM_RSRC2_VS::USER_SGPR(vs.userSgprCount) |
                    SPI_SHADER_PGM_RSRC2_VS::TRAP_PRESENT(hasTrapHandler(registers, vs)) |
                    SPI_SHADER_PGM_RSRC2_VS::OC_LDS_EN(vs.interface->source == VertexSource::TessEval) |
                    SPI_SHADER_PGM_RSRC2_VS::SO_BASE_EN(usedBuffers) | SPI_SHADER_PGM_RSRC2_VS::SO_EN(xfb.isUsed()) |
                    SPI_SHADER_PGM_RSRC2_VS::USER_SGPR_MSB(vs.userSgprCount >> 5));
  registers.setUserData(vs, reg::SPI_SHADER_USER_DATA_VS_0);
}

void writeExports(RegisterWriter &registers, const PreRasterInterface &vs) {
  using namespace field;
  unsigned parameters = 0;
  for (const ParameterExport &parameter : vs.parameters)
    parameters = std::max(parameters, parameter.parameter + 1u);
  registers.set(reg::SPI_VS_OUT_CONFIG, SPI_VS_OUT_CONFIG::VS_EXPORT_COUNT(std::max(parameters, 1u) - 1));

  uint32_t positionFormats = 0;
  for (unsigned i = 0; i < std::max<unsigned>(vs.positionExports, 1); ++i)
    positionFormats |= Comp4 << (4 * i);
  registers.set(reg::SPI_SHADER_POS_FORMAT, positionFormats);
}

void writeClipping(RegisterWriter &registers, const PreRasterInterface &vs) {
  using namespace field;
  registers.set(reg::PA_CL_CLIP_CNTL,
                PA_CL_CLIP_CNTL::DX_CLIP_SPACE_DEF(1) | PA_CL_CLIP_CNTL::DX_LINEAR_ATTR_CLIP_ENA(1) |
                    PA_CL_CLIP_CNTL::DX_RASTERIZATION_KILL(registers.state.rasterizerDiscardEnable) |
                    PA_CL_CLIP_CNTL::VTE_VPORT_PROVOKE_DISABLE(vs.writesViewportIndex) |
                    PA_CL_CLIP_CNTL::ZCLIP_NEAR_DISABLE(registers.state.depthClampEnable) |
                    PA_CL_CLIP_CNTL::ZCLIP_FAR_DISABLE(registers.state.depthClampEnable));
  // Scale and offset of x, y, z; w is 1/w (RADV, si_emit_graphics; LLPC).
  registers.set(reg::PA_CL_VTE_CNTL, 0x43f);

  // The bits of cull distances follow those of clip distances; PAL enables culling by clip distances, too. The code
  // also exports clip distances that the state turns off.
  const uint32_t exported = vs.clipDistanceMask | vs.cullDistanceMask;
  const uint32_t clipping = vs.clipDistanceMask & registers.state.clipDistanceEnable;
  const bool misc = vs.writesPointSize || vs.writesLayer || vs.writesViewportIndex;
  registers.set(reg::PA_CL_VS_OUT_CNTL, PA_CL_VS_OUT_CNTL::CLIP_DIST_ENA(clipping) |
                                            PA_CL_VS_OUT_CNTL::CULL_DIST_ENA(clipping | vs.cullDistanceMask) |
                                            PA_CL_VS_OUT_CNTL::USE_VTX_POINT_SIZE(vs.writesPointSize) |
                                            PA_CL_VS_OUT_CNTL::USE_VTX_RENDER_TARGET_INDX(vs.writesLayer) |
                                            PA_CL_VS_OUT_CNTL::USE_VTX_VIEWPORT_INDX(vs.writesViewportIndex) |
                                            PA_CL_VS_OUT_CNTL::VS_OUT_MISC_VEC_ENA(misc) |
                                            PA_CL_VS_OUT_CNTL::VS_OUT_MISC_SIDE_BUS_ENA(misc) |
                                            PA_CL_VS_OUT_CNTL::VS_OUT_CCDIST0_VEC_ENA(exported != 0) |
                                            PA_CL_VS_OUT_CNTL::VS_OUT_CCDIST1_VEC_ENA(exported > 0xf));
  registers.set(reg::PA_SU_VTX_CNTL,
                PA_SU_VTX_CNTL::PIX_CENTER(1) | PA_SU_VTX_CNTL::ROUND_MODE(2) | PA_SU_VTX_CNTL::QUANT_MODE(5));
}

// Which streams and buffers transform feedback has; strides are in dwords (RADV, radv_emit_streamout_begin and
// radv_emit_streamout_enable). Stream 0 is rasterised. If transform feedback is turned off, no stream has a buffer, and
// the hardware tells the program that no vertex of a wave fits.
void writeTransformFeedback(RegisterWriter &registers, const XfbInterface &xfb) {
  using namespace field;
  constexpr unsigned StreamBits = 4;
  uint32_t streams = 0;
  uint32_t buffersOfStreams = 0;
  for (unsigned buffer = 0; buffer < MaxXfbBuffers; ++buffer) {
    const bool isUsed = xfb.isUsed() && xfb.strides[buffer] && registers.state.transformFeedbackEnable;
    if (isUsed) {
      streams |= 1u << xfb.bufferStream[buffer];
      buffersOfStreams |= 1u << (xfb.bufferStream[buffer] * StreamBits + buffer);
    }
    constexpr unsigned RegistersPerBuffer = reg::VGT_STRMOUT_VTX_STRIDE_1 - reg::VGT_STRMOUT_VTX_STRIDE_0;
    registers.set(reg::VGT_STRMOUT_VTX_STRIDE_0 + buffer * RegistersPerBuffer, isUsed ? xfb.strides[buffer] / 4u : 0);
  }
  registers.set(reg::VGT_STRMOUT_CONFIG,
                VGT_STRMOUT_CONFIG::STREAMOUT_EN(streams) | VGT_STRMOUT_CONFIG::RAST_STREAM(0));
  registers.set(reg::VGT_STRMOUT_BUFFER_CONFIG, buffersOfStreams);
}

} // namespace

void writeVertex(RegisterWriter &registers, const ImageStage &vs) {
  writeVsProgram(registers, vs);
  writeExports(registers, vs.interface->preRaster);
  writeClipping(registers, vs.interface->preRaster);
  writeTransformFeedback(registers, vs.interface->preRaster.xfb);
}

} // namespace dovetail

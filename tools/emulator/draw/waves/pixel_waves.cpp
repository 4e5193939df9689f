// SPDX-License-Identifier: MIT
//
// Pixels that are not covered take part as helpers where a quad has at least one that is: their registers are there,
// EXEC leaves them off. A wave is merged into the targets before the next one starts, so that drawing order holds.
#include "tools/emulator/draw/waves/pixel_waves.h"
#include "src/abi/registers.h"
#include "tools/emulator/draw/program_registers.h"
#include <algorithm>

namespace dovetail::emulator {

namespace {

// PRIM_MASK: [15:0] where the parameters lie in LDS, [30:16] the quads from the second on that start a new primitive
// ("Vega" ISA manual, section 10.3.2; CLRadeonExtender, doc/GcnInstrsVintrp.md), [31] no centroids were loaded (Mesa,
// si_llvm_build_ps_prolog). Programs hand it to M0 unread; the place in LDS is not 0, so that an M0 which nobody set is
// told apart.
constexpr uint32_t ParameterPlace = 0x0100;
constexpr unsigned FirstQuadBit = 15; // which would be the first quad's
constexpr uint32_t CentroidsLeftOut = 0x8000'0000;

} // namespace

FragmentParameters gatherParameters(std::span<const PixelQuad> quads) {
  FragmentParameters parameters;
  parameters.primMask = ParameterPlace;
  const PixelPrimitive *last = nullptr;
  for (size_t quad = 0; quad < quads.size(); ++quad) {
    if (quads[quad].primitive.get() != last) {
      last = quads[quad].primitive.get();
      parameters.primitives.push_back(last->parameters);
      if (quad > 0)
        parameters.primMask |= 1u << (FirstQuadBit + quad);
    }
    parameters.quadPrimitive[quad] = uint8_t(parameters.primitives.size() - 1);
  }
  return parameters;
}

Result<PixelWaves> PixelWaves::make(Gpu &gpu, const Draw &command, const Grid &grid, const OutputMerger &merger) {
  const uint32_t rsrc1 = registerValue(command.registers, reg::SPI_SHADER_PGM_RSRC1_PS);
  const uint32_t rsrc2 = registerValue(command.registers, reg::SPI_SHADER_PGM_RSRC2_PS);
  const uint32_t mode = registerValue(command.registers, reg::PA_SC_MODE_CNTL_1);
  PixelWaves waves(gpu, command, grid, merger);
  waves.m_setup = DOVETAIL_TRY(makeProgramSetup(gpu, WaveStage::Ps, command.program(HardwareStage::Ps), rsrc1, rsrc2));
  waves.m_hasScratch = hasScratch(rsrc2);
  waves.m_isPerSample = grid.samples().size() > 1 && field::PA_SC_MODE_CNTL_1::PS_ITER_SAMPLE.get(mode) != 0;
  return waves;
}

Result<void> PixelWaves::add(const std::shared_ptr<const PixelPrimitive> &primitive, const Quad &quad) {
  PixelQuad pixels;
  pixels.primitive = primitive;
  pixels.x = quad.x;
  pixels.y = quad.y;
  for (unsigned pixel = 0; pixel < quad.coverage.size(); ++pixel)
    pixels.covered[pixel] = pixels.live[pixel] = uint8_t(quad.coverage[pixel] & m_command.scene.sampleMask);
  if (!m_merger.testEarly(pixels))
    return {};
  if (!m_isPerSample)
    return addInvocations(pixels);
  for (unsigned sample = 0; sample < m_grid.samples().size(); ++sample) {
    PixelQuad one = pixels;
    one.isPerSample = true;
    one.sample = uint8_t(sample);
    for (uint8_t &live : one.live)
      live &= uint8_t(1u << sample);
    if (std::ranges::any_of(one.live, [](uint8_t live) { return live != 0; }))
      DOVETAIL_CHECK(addInvocations(one));
  }
  return {};
}

Result<void> PixelWaves::addInvocations(PixelQuad quad) {
  m_quads.push_back(std::move(quad));
  return m_quads.size() == QuadsPerWave ? flush() : Result<void>();
}

Result<void> PixelWaves::flush() {
  if (m_quads.empty())
    return {};
  const std::vector<PixelQuad> quads = std::exchange(m_quads, {});
  FragmentParameters parameters = gatherParameters(quads);
  if (leavesOutCentroids(m_command.registers, m_grid, quads))
    parameters.primMask |= CentroidsLeftOut;
  WaveSetup setup = m_setup;
  setup.sgprs.push_back(parameters.primMask);
  if (m_hasScratch)
    setup.sgprs.push_back(0); // waves run one after the other, so that all can use the same scratch memory
  setup.vgprs = DOVETAIL_TRY(makePixelInputs(m_command.registers, m_grid, quads));
  setup.parameters = &parameters;
  setup.exec = 0;
  for (unsigned lane = 0; lane < quads.size() * 4; ++lane)
    setup.exec |= uint64_t(quads[lane / 4].live[lane % 4] != 0) << lane;
  setup.covered = m_command.program(HardwareStage::Ps).helpersMayExport ? ~uint64_t(0) : setup.exec;

  Workgroup group;
  Wave wave(m_gpu.generation(), m_gpu.memory(), group, setup);
  DOVETAIL_CHECK(runWaves(m_gpu, std::span(&wave, 1)));
  const PixelExports exports = DOVETAIL_TRY(PixelExports::collect(m_merger.layout(), wave, setup.exec));
  for (unsigned lane = 0; lane < quads.size() * 4; ++lane)
    if (exports.isAlive(lane))
      m_merger.merge(quads[lane / 4], lane % 4, exports.output(lane));
  return {};
}

} // namespace dovetail::emulator

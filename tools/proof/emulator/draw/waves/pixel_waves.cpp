// SPDX-License-Identifier: MIT
//
// If a quad has at least one covered pixel, its other pixels take part as helpers: they have register values, but EXEC
// is off. The output merger takes waves in drawing order.
//
// docs/hardware-facts.md lists the assumptions.
#include "tools/proof/emulator/draw/waves/pixel_waves.h"
#include "src/abi/registers/registers.h"
#include "tools/proof/emulator/draw/command/program_registers.h"
#include <algorithm>

namespace dovetail::emulator {

namespace {

// PRIM_MASK: [15:0] the place of the parameters in LDS, [30:16] the quads from the second on that start a new primitive
// ("Vega" ISA manual, section 10.3.2; CLRadeonExtender, doc/GcnInstrsVintrp.md), [31] no centroids were loaded (Mesa,
// si_llvm_build_ps_prolog). Programs copy it to M0 unread. The place in LDS is not 0, so the emulator notices an M0
// that nobody set.
constexpr uint32_t ParameterPlace = 0x0100;
constexpr unsigned FirstQuadBit = 15; // would be the bit of the first quad
constexpr uint32_t CentroidsLeftOut = 0x8000'0000;

constexpr uint32_t ScratchGranule = 1024; // of SPI_TMPRING_SIZE.WAVESIZE, in bytes
constexpr int PackerSquare = 8;           // pixels; programs cannot notice

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
  if (gpu.generation() != Generation::Gfx9)
    return waves;
  const uint32_t control = registerValue(command.registers, reg::DB_SHADER_CONTROL);
  waves.m_isOrdered = field::DB_SHADER_CONTROL::PRIMITIVE_ORDERED_PIXEL_SHADER.get(control) != 0;
  waves.m_sampleGroups = 1u << field::DB_SHADER_CONTROL::POPS_OVERLAP_NUM_SAMPLES.get(control);
  waves.m_loadsCollisions = field::SPI_SHADER_PGM_RSRC2_PS::LOAD_COLLISION_WAVEID.get(rsrc2) != 0;
  const uint32_t converter = registerValue(command.registers, reg::PA_SC_SHADER_CONTROL);
  if (waves.m_loadsCollisions != (field::PA_SC_SHADER_CONTROL::LOAD_COLLISION_WAVEID.get(converter) != 0))
    return makeError(ErrorCode::StateMismatch, "PA_SC_SHADER_CONTROL and SPI_SHADER_PGM_RSRC2_PS differ in whether "
                                               "waves are told whom they overlap");
  if (waves.m_sampleGroups > grid.samples().size())
    return makeError(ErrorCode::StateMismatch, "overlaps are to be told apart by {} samples, of which there are {}",
                     waves.m_sampleGroups, grid.samples().size());
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
  const unsigned packer = m_loadsCollisions ? unsigned(quad.x / PackerSquare + quad.y / PackerSquare) % PackerCount : 0;
  if (m_isOrdered)
    DOVETAIL_CHECK(noteOverlaps(packer, quad));
  m_open[packer].quads.push_back(std::move(quad));
  return m_open[packer].quads.size() == QuadsPerWave ? fill(packer) : Result<void>();
}

// Invocations that have one of these in common overlap.
std::vector<PixelWaves::Place> PixelWaves::placesOf(const PixelQuad &quad) const {
  std::vector<Place> places;
  const size_t samples = m_grid.samples().size();
  for (unsigned pixel = 0; pixel < quad.live.size(); ++pixel)
    for (uint32_t group = 0; group < m_sampleGroups; ++group) {
      const size_t size = samples / m_sampleGroups;
      if ((quad.live[pixel] >> group * size & ((1u << size) - 1)) != 0)
        places.push_back({quad.primitive->layer, uint32_t(quad.pixelX(pixel)), uint32_t(quad.pixelY(pixel)), group});
    }
  return places;
}

Result<void> PixelWaves::noteOverlaps(unsigned packer, const PixelQuad &quad) {
  const std::vector<Place> places = placesOf(quad);
  auto isInOpenWave = [&](const Place &place) {
    auto found = m_newest.find(place);
    return found != m_newest.end() && found->second == m_packers[packer].next();
  };
  if (std::ranges::any_of(places, isInOpenWave))
    DOVETAIL_CHECK(fill(packer));
  for (const Place &place : places) {
    auto [found, isNew] = m_newest.try_emplace(place, m_packers[packer].next());
    if (!isNew && found->second >= m_packers[packer].exiting() && found->second != m_packers[packer].next())
      m_open[packer].newest = std::max(m_open[packer].newest.value_or(0), found->second);
    found->second = m_packers[packer].next();
  }
  return {};
}

Result<void> PixelWaves::fill(unsigned packer) {
  OpenWave open = std::exchange(m_open[packer], {});
  if (open.quads.empty())
    return {};
  FullWave &wave = m_full.emplace_back();
  wave.quads = std::move(open.quads);
  wave.parameters = gatherParameters(wave.quads);
  if (leavesOutCentroids(m_command.registers, m_grid, wave.quads))
    wave.parameters.primMask |= CentroidsLeftOut;
  WaveSetup &setup = wave.setup;
  setup = m_setup;
  setup.sgprs.push_back(wave.parameters.primMask);
  if (m_loadsCollisions) {
    setup.ordered = OrderedWave{&m_packers[packer], packer, m_packers[packer].add(), open.newest};
    setup.sgprs.push_back(setup.ordered->collisionWaveId());
  }
  if (m_hasScratch) {
    const uint32_t size = registerValue(m_command.registers, reg::SPI_TMPRING_SIZE);
    setup.sgprs.push_back(uint32_t(m_full.size() - 1) * field::SPI_TMPRING_SIZE::WAVESIZE.get(size) * ScratchGranule);
  }
  setup.vgprs = DOVETAIL_TRY(makePixelInputs(m_command.registers, m_grid, wave.quads));
  setup.parameters = &wave.parameters;
  setup.exec = 0;
  for (unsigned lane = 0; lane < wave.quads.size() * 4; ++lane)
    setup.exec |= uint64_t(wave.quads[lane / 4].live[lane % 4] != 0) << lane;
  setup.covered = m_command.program(HardwareStage::Ps).helpersMayExport ? ~uint64_t(0) : setup.exec;
  return m_full.size() == (m_loadsCollisions ? MaxOrderedWaves : 1) ? run() : Result<void>();
}

Result<void> PixelWaves::run() {
  std::vector<Wave> waves;
  waves.reserve(m_full.size());
  for (FullWave &full : m_full)
    waves.emplace_back(m_gpu.generation(), m_gpu.memory(), full.group, full.setup);
  DOVETAIL_CHECK(runWaves(m_gpu, waves, {.endedWavesArrive = m_loadsCollisions, .areOrdered = m_loadsCollisions}));
  for (size_t i = 0; i < waves.size(); ++i) {
    const FullWave &full = m_full[i];
    const PixelExports exports = DOVETAIL_TRY(PixelExports::collect(m_merger.layout(), waves[i], full.setup.exec));
    for (unsigned lane = 0; lane < full.quads.size() * 4; ++lane)
      if (exports.isAlive(lane))
        m_merger.merge(full.quads[lane / 4], lane % 4, exports.output(lane));
  }
  m_full.clear();
  return {};
}

Result<void> PixelWaves::flush() {
  for (unsigned packer = 0; packer < PackerCount; ++packer)
    DOVETAIL_CHECK(fill(packer));
  return m_full.empty() ? Result<void>() : run();
}

} // namespace dovetail::emulator

// SPDX-License-Identifier: MIT
//
// Sources: the Vulkan specification, "Fragment Operations"; DB_SHADER_CONTROL and CB_SHADER_MASK of AMD's register
// headers.
// docs/hardware-facts.md lists the assumptions.
#include "tools/proof/emulator/draw/output/output_merger.h"
#include "src/abi/registers/registers.h"
#include "tools/proof/emulator/draw/command/program_registers.h"
#include <bit>

namespace dovetail::emulator {

namespace {

ColorValue asFloats(const TexelValue &value) {
  return std::bit_cast<ColorValue>(value);
}

} // namespace

Result<OutputMerger> OutputMerger::make(const Draw &command, const Grid &grid, Targets &targets) {
  PixelExportLayout layout = DOVETAIL_TRY(PixelExportLayout::make(command.registers));
  return OutputMerger(command, grid, targets, std::move(layout));
}

OutputMerger::OutputMerger(const Draw &command, const Grid &grid, Targets &targets, PixelExportLayout layout)
    : m_scene(command.scene), m_grid(grid), m_targets(targets), m_layout(std::move(layout)),
      m_test(command.scene, command.registers) {
  const uint32_t control = registerValue(command.registers, reg::DB_SHADER_CONTROL);
  m_alphaToMask =
      m_scene.state.alphaToCoverageEnable && field::DB_SHADER_CONTROL::ALPHA_TO_MASK_DISABLE.get(control) == 0;
}

// As the reference does: sample s of n is on if alpha > s / n, without dithering; a single sample if alpha > 1/2.
uint8_t OutputMerger::coverageFromAlpha(float alpha) const {
  const unsigned samples = unsigned(m_grid.samples().size());
  if (samples == 1)
    return alpha > 0.5f;
  uint8_t mask = 0;
  for (unsigned sample = 0; sample < samples; ++sample)
    if (alpha > float(sample) / float(samples))
      mask |= uint8_t(1u << sample);
  return mask;
}

bool OutputMerger::testSample(const PixelQuad &quad, unsigned pixel, unsigned sample, const PixelOutput &output) const {
  const PixelPrimitive &primitive = *quad.primitive;
  const SampleLocation location = m_grid.samples()[sample];
  const double x = quad.pixelX(pixel) + location.x / 16.0, y = quad.pixelY(pixel) + location.y / 16.0;
  const float depth = output.depth ? *output.depth : float(primitive.interpolants.depth.at(x, y));
  const SamplePlace place = {uint32_t(quad.pixelX(pixel)), uint32_t(quad.pixelY(pixel)), primitive.layer, sample};
  if (!m_test.test(m_targets, place, primitive, depth, output.stencil))
    return false;
  m_targets.countSample();
  return true;
}

bool OutputMerger::testEarly(PixelQuad &quad) const {
  const PixelOutput none = {};
  uint8_t left = 0;
  for (unsigned pixel = 0; pixel < quad.live.size(); ++pixel) {
    for (unsigned sample = 0; m_test.isEarly() && sample < m_grid.samples().size(); ++sample)
      if ((quad.live[pixel] >> sample & 1) != 0 && !testSample(quad, pixel, sample, none))
        quad.live[pixel] &= uint8_t(~(1u << sample));
    left |= quad.live[pixel];
  }
  return left != 0;
}

void OutputMerger::merge(const PixelQuad &quad, unsigned pixel, const PixelOutput &output) const {
  uint32_t coverage = quad.live[pixel];
  if (output.sampleMask)
    coverage &= *output.sampleMask;
  if (m_alphaToMask && output.alpha)
    coverage &= coverageFromAlpha(*output.alpha);
  for (unsigned sample = 0; sample < m_grid.samples().size(); ++sample) {
    if ((coverage >> sample & 1) == 0)
      continue;
    if (!m_test.isEarly() && !testSample(quad, pixel, sample, output))
      continue;
    writeColors({uint32_t(quad.pixelX(pixel)), uint32_t(quad.pixelY(pixel)), quad.primitive->layer, sample}, output);
  }
}

void OutputMerger::writeColors(const SamplePlace &place, const PixelOutput &output) const {
  for (uint32_t left = output.written; left != 0; left &= left - 1) {
    const auto target = unsigned(std::countr_zero(left));
    const ColorTarget &state = m_scene.state.colorTargets[target];
    if (!m_targets.hasColor(target))
      continue;
    const unsigned mask = state.writeMask & m_layout.colorMask >> 4 * target & 0xf;
    const TexelLayout &layout = m_targets.colorLayout(target);
    TexelValue value = output.colors[target];
    if (m_scene.logicOpEnable && hasLogicOperation(layout)) {
      m_targets.combineColor(target, place, value, mask, m_scene.logicOp);
      continue;
    }
    if (state.blendEnable && !m_scene.logicOpEnable && !layout.isInteger()) {
      const bool isDualSource = readsSecondSource(m_scene.state.colorTargets[0]);
      const ColorValue second = isDualSource && output.hasColor(1) ? asFloats(output.colors[1]) : ColorValue{};
      const ColorValue result = blend(state, layout, asFloats(value), second,
                                      asFloats(m_targets.readColor(target, place)), m_scene.blendConstants);
      value = std::bit_cast<TexelValue>(result);
    }
    m_targets.writeColor(target, place, value, mask);
  }
}

} // namespace dovetail::emulator

// SPDX-License-Identifier: MIT
//
// What a fragment epilog does: alpha test, then all conversions, then the exports.
#include "parts/kinds/fragment_epilog.h"
#include "parts/listing/listing.h"
#include "src/isa/encoder.h"
#include <algorithm>
#include <bit>

namespace dovetail {

namespace {

constexpr unsigned AlphaReferenceSgpr = 1;

class EpilogLister {
public:
  explicit EpilogLister(const FragmentEpilogKey &key) : m_key(key) {
    for (const Binding &input : key.inputs)
      m_inputs.resize(m_inputs.size() + (input.reg.bank == RegisterBank::Vgpr));
    m_clamped.resize(m_inputs.size());
  }

  Listing list() {
    testAlpha();
    if (m_key.zFormat != ExportFormat::Zero)
      prepareDepth();
    for (const ColorExport &color : m_key.colors)
      prepareColor(color);
    if (m_exports.empty())
      m_exports.push_back({.operation = Operation::Export, .exported = {.target = isa::NullExportTarget}});
    m_exports.back().exported.isLast = true;
    for (const Step &step : m_exports)
      m_listing.add(step);
    return std::move(m_listing);
  }

private:
  Value floatConstant(float value) { return m_listing.constant(std::bit_cast<uint32_t>(value)); }

  // VGPR inputs are numbered from v0 without holes.
  Value source(EpilogSource source) {
    if (source == OneSource)
      return floatConstant(1.0f);
    Value &input = m_inputs[source];
    if (!input)
      input = m_listing.input(RegisterBank::Vgpr, source);
    return input;
  }

  // One colour may go to targets of several formats.
  Value clamped(EpilogSource from) {
    Value &value = m_clamped[from];
    if (!value)
      value = m_listing.add(Operation::ClampToUnit, source(from));
    return value;
  }

  void testAlpha() {
    if (m_key.alphaTestFunc == VK_COMPARE_OP_ALWAYS)
      return;
    Step kill{.operation = Operation::KillUnless, .compareOp = m_key.alphaTestFunc};
    if (m_key.alphaTestFunc != VK_COMPARE_OP_NEVER) {
      Value alpha = source(m_key.alphaTestSource);
      if (m_key.alphaTestClamp)
        alpha = clamped(m_key.alphaTestSource);
      kill.operands = {alpha, m_listing.input(RegisterBank::Sgpr, AlphaReferenceSgpr)};
    }
    m_listing.add(kill);
  }

  // As many samples as the alpha says: (1 << round(alpha * samples)) - 1.
  Value coverageMask() {
    Value count = m_listing.add(Operation::MultiplyAdd, clamped(m_key.coverageSource),
                                floatConstant(m_key.coverageSamples), floatConstant(0.5f));
    return m_listing.add(Operation::LowBits, m_listing.add(Operation::ToUnsigned, count));
  }

  // X depth, Y stencil, Z sample mask; without depth 16 bits suffice: stencil in X[31:16] and mask in Y[15:0].
  void prepareDepth() {
    Value stencil = m_key.stencil != NoSource ? source(m_key.stencil) : Value();
    Value mask = m_key.sampleMask != NoSource ? source(m_key.sampleMask) : Value();
    if (m_key.coverageSamples) {
      Value coverage = coverageMask();
      mask = mask ? m_listing.add(Operation::And, mask, coverage) : coverage;
    }
    Step step{.operation = Operation::Export, .exported = {.target = isa::MrtzExportTarget}};
    if (m_key.zFormat == ExportFormat::Uint16Abgr) {
      step.exported.isPacked = true;
      step.operands = {stencil ? m_listing.addImmediate(Operation::ShiftLeft, stencil, 16) : Value(), mask};
    } else {
      step.operands = {source(m_key.depth), stencil, mask};
    }
    m_exports.push_back(step);
  }

  void prepareColor(const ColorExport &color) {
    Step step{.operation = Operation::Export, .exported = {.target = uint8_t(m_colorCount++)}};
    // A colour that goes to several targets is converted once.
    auto same = std::ranges::find_if(m_key.colors, [&](const ColorExport &other) {
      ColorExport moved = other;
      moved.target = color.target;
      return moved == color;
    });
    if (&*same != &color) {
      const Step &other = m_exports[m_firstColor + size_t(same - m_key.colors.begin())];
      step.operands = other.operands;
      step.exported.isPacked = other.exported.isPacked;
    } else {
      prepareOperands(color, step);
    }
    if (m_colorCount == 1)
      m_firstColor = m_exports.size();
    m_exports.push_back(step);
  }

  void prepareOperands(const ColorExport &color, Step &step) {
    std::array<Value, 4> values;
    for (unsigned component = 0; component != 4; ++component)
      if (color.components[component] != NoSource)
        values[component] = prepare(color, component);
    if (isCompressed(color.format)) {
      step.exported.isPacked = true;
      step.operands = {pack(color, values[0], values[1], false), pack(color, values[2], values[3], true)};
    } else {
      // An export takes VGPRs.
      for (unsigned component = 0; component != 4; ++component)
        step.operands[component] = color.components[component] == OneSource ? oneInVgpr() : values[component];
    }
  }

  Value oneInVgpr() {
    if (!m_one)
      m_one = m_listing.add(Operation::ToVector, floatConstant(1.0f));
    return m_one;
  }

  Value prepare(const ColorExport &color, unsigned component) {
    const EpilogSource from = color.components[component];
    return color.clampToUnit && from != OneSource ? clamped(from) : source(from);
  }

  static Operation packingOf(ExportFormat format) {
    switch (format) {
    case ExportFormat::Unorm16Abgr:
      return Operation::PackUnorm16;
    case ExportFormat::Snorm16Abgr:
      return Operation::PackSnorm16;
    case ExportFormat::Uint16Abgr:
      return Operation::PackUint16;
    case ExportFormat::Sint16Abgr:
      return Operation::PackSint16;
    default:
      return Operation::PackHalf;
    }
  }

  // Two components in one register; nothing if neither is exported. One that is not exported repeats its neighbour.
  Value pack(const ColorExport &color, Value low, Value high, bool isBlueAlpha) {
    if (!low && !high)
      return {};
    Step step{.operation = packingOf(color.format), .operands = {low ? low : high, high ? high : low}};
    // What the colour block does not clamp itself.
    if (color.integerClamp == IntegerClamp::Int8)
      step.clamp = {8, 8};
    else if (color.integerClamp != IntegerClamp::None)
      step.clamp = {10, uint8_t(isBlueAlpha ? 2 : 10)};
    return m_listing.add(step);
  }

  const FragmentEpilogKey &m_key;
  Listing m_listing{0, 0, true};
  std::vector<Value> m_inputs;  // VGPRs that were asked for
  std::vector<Value> m_clamped; // the same between 0 and 1
  Value m_one;
  std::vector<Step> m_exports;
  size_t m_firstColor = 0; // its place in m_exports
  unsigned m_colorCount = 0;
};

} // namespace

Listing listFragmentEpilog(const FragmentEpilogKey &key) {
  return EpilogLister(key).list();
}

} // namespace dovetail

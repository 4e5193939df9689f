// SPDX-License-Identifier: MIT
//
// What a fragment prolog does. All that it hands on is made for helper pixels too, because the main part may take
// derivatives of it; for the same reason, pixels that are stippled away become helpers.
#include "parts/kinds/fragment_prolog.h"
#include "parts/listing/listing.h"
#include "src/abi/driver_contract.h"
#include "src/abi/entry_registers.h"
#include <array>

namespace dovetail {

namespace {

constexpr unsigned GlobalTableSgpr = 0;

class PrologLister {
public:
  explicit PrologLister(const FragmentPrologKey &key) : m_key(key), m_listing(key.sgprCount, 0, false) {
    m_listing.includeHelpers();
    m_inputs.resize(psInputVgprs(key.launchInputs));
  }

  Listing list() {
    if (m_key.polygonStipple)
      stipple();
    for (unsigned bit = 0; bit < PsInputCount; ++bit)
      for (unsigned component = 0; (m_key.mainInputs >> bit & 1) && component != psInputs()[bit].count; ++component)
        give(mainInput(1u << bit, component));
    for (const PrologColor &color : m_key.colors)
      for (unsigned component = 0; component != 4; ++component)
        if (color.componentMask >> component & 1)
          give(colorComponent(color, component));
    return std::move(m_listing);
  }

private:
  void give(Value value) { m_listing.give(value, {RegisterBank::Vgpr, m_nextVgpr++}); }

  // The hardware packs what it loads.
  Value launchInput(uint32_t input, unsigned component = 0) {
    const unsigned vgpr = psInputVgprs(m_key.launchInputs & (input - 1)) + component;
    if (!m_inputs[vgpr])
      m_inputs[vgpr] = m_listing.input(RegisterBank::Vgpr, vgpr);
    return m_inputs[vgpr];
  }
  bool isLoaded(PsInputBit input) const { return m_key.launchInputs & input; }
  Value primMask() {
    if (!m_primMask)
      m_primMask = m_listing.input(RegisterBank::Sgpr, m_key.primMask);
    return m_primMask;
  }

  // What the main part finds in the place of an input.
  Value mainInput(uint32_t input, unsigned component) {
    const bool isPerspective = input & (PerspSampleEna | PerspCenterEna | PerspCentroidEna);
    const bool isLinear = input & (LinearSampleEna | LinearCenterEna | LinearCentroidEna);
    if ((isPerspective || isLinear) && m_key.weights != WeightSource::AsDeclared) {
      const bool atSample = m_key.weights == WeightSource::Sample;
      return isPerspective ? launchInput(atSample ? PerspSampleEna : PerspCenterEna, component)
                           : launchInput(atSample ? LinearSampleEna : LinearCenterEna, component);
    }
    if (m_key.optimizeCentroid && input == PerspCentroidEna && isLoaded(PerspCenterEna))
      return optimizedCentroid(PerspCenterEna, PerspCentroidEna, component);
    if (m_key.optimizeCentroid && input == LinearCentroidEna && isLoaded(LinearCenterEna))
      return optimizedCentroid(LinearCenterEna, LinearCentroidEna, component);
    if (m_key.sampleMaskShift != 0 && input == SampleCoverageEna)
      return narrowSampleMask(launchInput(input));
    return launchInput(input, component);
  }

  // PrimMask[31]: every quad of the wave is covered as a whole, and no centroids were loaded.
  Value optimizedCentroid(PsInputBit center, PsInputBit centroid, unsigned component) {
    if (!m_isCovered)
      m_isCovered = m_listing.add(Operation::IsNegative, primMask());
    return m_listing.add(Operation::Select, m_isCovered, launchInput(center, component),
                         launchInput(centroid, component));
  }

  // Of each 2^shift samples the one with this invocation's number (Ancillary[11:8]).
  Value narrowSampleMask(Value mask) {
    constexpr uint32_t EveryNth[] = {0xffff, 0x5555, 0x1111, 0x0101, 0x0001};
    Value sample = m_listing.addImmediate(Operation::BitField, launchInput(AncillaryEna), 8, 4);
    Value own = m_listing.add(Operation::ShiftLeftBy, m_listing.constant(EveryNth[m_key.sampleMaskShift]), sample);
    return m_listing.add(Operation::And, mask, own);
  }

  // A bit of the row y & 31 for the column x & 31; PosFixedPt has x in its low half and y in its high half.
  void stipple() {
    Value descriptor =
        m_listing.addImmediate(Operation::LoadDescriptor, m_listing.input(RegisterBank::Sgpr, GlobalTableSgpr),
                               unsigned(GlobalTableEntry::PolygonStipple));
    Value position = launchInput(PosFixedPtEna);
    Value row = m_listing.addImmediate(Operation::BitField, position, 16, 5);
    Value bits = m_listing.add(Operation::LoadRaw, descriptor, m_listing.addImmediate(Operation::ShiftLeft, row, 2));
    Value bit = m_listing.add(Operation::BitAt, bits, position);
    m_listing.add(Operation::KeepPixels, m_listing.add(Operation::IsNonzero, bit));
  }

  Value colorComponent(const PrologColor &color, unsigned component) {
    Value front = attribute(color.attribute, component, color.flat);
    if (!color.twoSide)
      return front;
    Value back = attribute(color.backAttribute, component, color.flat);
    if (!m_isFront)
      m_isFront = m_listing.add(Operation::IsNonzero, launchInput(FrontFaceEna));
    return m_listing.add(Operation::Select, m_isFront, front, back);
  }

  // Colours have no qualifier of their own: the centre, unless state says otherwise for all.
  Value attribute(uint8_t number, unsigned channel, bool isFlat) {
    Step step{.attribute = {number, uint8_t(channel)}};
    if (isFlat) {
      step.operation = Operation::FlatInput;
      step.operands = {primMask()};
    } else {
      const PsInputBit weights = m_key.weights == WeightSource::Sample ? PerspSampleEna : PerspCenterEna;
      for (unsigned i = 0; i != m_colorWeights.size(); ++i)
        if (!m_colorWeights[i])
          m_colorWeights[i] = launchInput(weights, i);
      step.operation = Operation::Interpolate;
      step.operands = {m_colorWeights[0], m_colorWeights[1], primMask()};
    }
    return m_listing.add(step);
  }

  const FragmentPrologKey &m_key;
  Listing m_listing;
  std::vector<Value> m_inputs; // VGPRs that were asked for
  Value m_primMask, m_isCovered, m_isFront;
  std::array<Value, 2> m_colorWeights; // i, j
  uint16_t m_nextVgpr = 0;
};

} // namespace

Listing listFragmentProlog(const FragmentPrologKey &key) {
  return PrologLister(key).list();
}

} // namespace dovetail

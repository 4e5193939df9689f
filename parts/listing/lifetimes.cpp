// SPDX-License-Identifier: MIT
#include "parts/listing/lifetimes.h"
#include <algorithm>

namespace dovetail {

namespace {

constexpr uint16_t ToTheEnd = Lifetimes::ToTheEnd;
constexpr uint16_t NotGiven = Lifetimes::NotGiven;

class LifetimeFinder {
public:
  LifetimeFinder(const Listing &listing, Lifetimes &result)
      : m_listing(listing), m_steps(listing.steps()), m_result(result) {}

  void find() {
    m_result.steps.resize(m_steps.size());
    m_result.givenAt.fill(0);
    for (uint16_t i = 0; i != m_steps.size(); ++i) {
      if (m_steps[i].operation == Operation::LoadTyped)
        m_loads.push_back({i});
      forEachOperand(m_steps[i], [&](Value operand) { use(operand, i); });
    }
    for (const GivenValue &given : m_listing.given())
      give(given);
    for (const Load &load : m_loads)
      placeLoad(load);
  }

private:
  struct Load {
    uint16_t step;
    // For each channel: the first VGPR in which the contract has it, and its last use.
    std::array<uint16_t, 4> given = {NotGiven, NotGiven, NotGiven, NotGiven};
    std::array<uint16_t, 4> lastUses = {};
  };

  Load *loadOf(Value value) {
    if (m_listing.step(value).operation != Operation::LoadTyped)
      return nullptr;
    return &*std::ranges::find(m_loads, uint16_t(value.step()), &Load::step);
  }

  // Called in the order of the steps.
  void use(Value value, uint16_t at) {
    m_result.steps[value.step()].lastUse = at;
    if (Load *load = loadOf(value))
      load->lastUses[value.channel()] = at;
  }

  static bool isComputed(Operation operation) {
    return operation != Operation::Input && operation != Operation::Constant && operation != Operation::LoadLds;
  }

  void give(const GivenValue &given) {
    m_result.steps[given.value.step()].lastUse = ToTheEnd;
    // Moved to this register behind all steps, unless something below loads or computes the value there.
    m_result.givenAt[given.reg.index] = ToTheEnd;
    Load *load = loadOf(given.value);
    uint16_t &first = load ? load->given[given.value.channel()] : m_result.steps[given.value.step()].given;
    if (first != NotGiven)
      return;
    first = given.reg.index;
    if (!load && isComputed(m_listing.step(given.value).operation))
      m_result.givenAt[given.reg.index] = uint16_t(given.value.step());
  }

  // A load goes directly to the registers where its channels are given, if these are one run, in any order. In that
  // run, a register may belong to another value that is computed after the channel's last use.
  void placeLoad(const Load &load) {
    const unsigned channels = m_steps[load.step].load.channels;
    const unsigned first = std::ranges::min(load.given);
    if (first == NotGiven || !fits(load, first, channels))
      return;
    m_result.steps[load.step].given = uint16_t(first);
    for (unsigned channel = 0; channel != channels; ++channel)
      m_result.givenAt[first + channel] = load.step;
  }

  bool fits(const Load &load, unsigned first, unsigned channels) const {
    unsigned met = 0;
    for (uint16_t given : std::span(load.given).first(channels)) {
      if (given != NotGiven && given - first >= channels)
        return false;
      if (given != NotGiven)
        met |= 1u << (given - first);
    }
    if (met == (1u << channels) - 1)
      return true;
    for (unsigned channel = 0; channel != channels; ++channel) {
      const uint16_t givenAt =
          first + channel < m_result.givenAt.size() ? m_result.givenAt[first + channel] : uint16_t(0);
      const bool isComputedLater = givenAt > load.step && givenAt != ToTheEnd && load.lastUses[channel] <= givenAt &&
                                   load.given[channel] == NotGiven;
      if (!(met >> channel & 1) && !isComputedLater)
        return false;
    }
    return true;
  }

  const Listing &m_listing;
  std::span<const Step> m_steps;
  Lifetimes &m_result;
  boost::container::small_vector<Load, 16> m_loads;
};

} // namespace

Lifetimes findLifetimes(const Listing &listing) {
  Lifetimes lifetimes;
  LifetimeFinder(listing, lifetimes).find();
  return lifetimes;
}

} // namespace dovetail

// SPDX-License-Identifier: MIT
#include "parts/listing/lifetimes.h"
#include <algorithm>

namespace dovetail {

namespace {

constexpr size_t ToTheEnd = Lifetimes::ToTheEnd;
constexpr uint16_t NotGiven = Lifetimes::NotGiven;

class LifetimeFinder {
public:
  explicit LifetimeFinder(const Listing &listing) : m_listing(listing) {}

  Lifetimes find() {
    m_result.lastUse.assign(m_listing.steps().size(), 0);
    m_result.given.assign(m_listing.steps().size(), NotGiven);
    for (size_t i = 0; i != m_listing.steps().size(); ++i)
      for (Value operand : m_listing.steps()[i].operands)
        if (operand && m_listing.steps()[i].operation != Operation::Channel)
          use(operand, i);
    m_result.givenAt.fill(0);
    for (const GivenValue &given : m_listing.given()) {
      use(given.value, ToTheEnd);
      // What is neither loaded to its place nor computed there is moved there behind everything else.
      m_result.givenAt[given.reg.index] = ToTheEnd;
      if (m_result.given[given.value.step()] == NotGiven) {
        m_result.given[given.value.step()] = given.reg.index;
        if (isComputed(step(given.value).operation))
          m_result.givenAt[given.reg.index] = given.value.step();
      }
    }
    for (size_t i = 0; i != m_listing.steps().size(); ++i)
      if (m_listing.steps()[i].operation == Operation::LoadTyped)
        placeLoad(i);
    return std::move(m_result);
  }

private:
  const Step &step(Value value) const { return m_listing.step(value); }

  // A channel is in its load's registers, so using it is using the load.
  void use(Value value, size_t at) {
    if (step(value).operation == Operation::Channel)
      use(step(value).operands[0], at);
    m_result.lastUse[value.step()] = std::max(m_result.lastUse[value.step()], at);
  }

  static bool isComputed(Operation operation) {
    return operation != Operation::Input && operation != Operation::Constant && operation != Operation::Channel;
  }

  // A load goes to where its channels are given, if those registers are one run, in whatever order; instead of a
  // channel that is not given there may be one that is computed behind the channel's last use.
  void placeLoad(size_t load) {
    const unsigned channels = m_listing.steps()[load].load.channels;
    std::array<uint16_t, 4> given = {NotGiven, NotGiven, NotGiven, NotGiven};
    std::array<size_t, 4> lastUses = {};
    for (size_t i = load + 1; i != m_listing.steps().size(); ++i) {
      const Step &step = m_listing.steps()[i];
      if (step.operation != Operation::Channel || step.operands[0] != Value(load))
        continue;
      lastUses[step.immediate] = std::max(lastUses[step.immediate], m_result.lastUse[i]);
      if (given[step.immediate] == NotGiven)
        given[step.immediate] = m_result.given[i];
    }
    const unsigned first = *std::min_element(given.begin(), given.begin() + channels);
    if (first == NotGiven)
      return;
    unsigned met = 0;
    for (unsigned channel = 0; channel != channels; ++channel)
      if (given[channel] != NotGiven && given[channel] - first < channels)
        met |= 1u << (given[channel] - first);
    for (unsigned channel = 0; channel != channels; ++channel) {
      const size_t givenAt = first + channel < m_result.givenAt.size() ? m_result.givenAt[first + channel] : 0;
      const bool isComputedLater =
          givenAt > load && givenAt != ToTheEnd && lastUses[channel] <= givenAt && given[channel] == NotGiven;
      if (!(met >> channel & 1) && !isComputedLater)
        return;
      if (given[channel] != NotGiven && given[channel] - first >= channels)
        return;
    }
    m_result.given[load] = uint16_t(first);
    for (unsigned channel = 0; channel != channels; ++channel)
      m_result.givenAt[first + channel] = load;
  }

  const Listing &m_listing;
  Lifetimes m_result;
};

} // namespace

Lifetimes findLifetimes(const Listing &listing) {
  return LifetimeFinder(listing).find();
}

} // namespace dovetail

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
    m_result.lastUse.assign(m_steps.size(), 0);
    m_result.given.assign(m_steps.size(), NotGiven);
    for (size_t i = 0; i != m_steps.size(); ++i)
      if (m_steps[i].operation != Operation::Channel)
        forEachOperand(m_steps[i], [&](Value operand) { use(operand, uint16_t(i)); });
    m_result.givenAt.fill(0);
    for (const GivenValue &given : m_listing.given()) {
      use(given.value, ToTheEnd);
      // What is neither loaded to its place nor computed there is moved there behind everything else.
      m_result.givenAt[given.reg.index] = ToTheEnd;
      if (m_result.given[given.value.step()] == NotGiven) {
        m_result.given[given.value.step()] = given.reg.index;
        if (isComputed(m_listing.step(given.value).operation))
          m_result.givenAt[given.reg.index] = uint16_t(given.value.step());
      }
    }
    findChannels();
    for (const Load &load : m_loads)
      placeLoad(load);
  }

private:
  struct Load {
    uint16_t step;
    std::array<uint16_t, 4> channelSteps = {}; // 0: none; of several, the first one that is given
    std::array<uint16_t, 4> lastUses = {};
  };

  // A channel is in its load's registers, so using it is using the load.
  void use(Value value, uint16_t at) {
    if (m_listing.step(value).operation == Operation::Channel)
      use(m_listing.step(value).operands[0], at);
    m_result.lastUse[value.step()] = std::max(m_result.lastUse[value.step()], at);
  }

  static bool isComputed(Operation operation) {
    return operation != Operation::Input && operation != Operation::Constant && operation != Operation::Channel;
  }

  void findChannels() {
    for (uint16_t i = 0; i != m_steps.size(); ++i) {
      const Step &step = m_steps[i];
      if (step.operation == Operation::LoadTyped) {
        m_loads.push_back({i});
        continue;
      }
      if (step.operation != Operation::Channel)
        continue;
      auto load = std::ranges::find(m_loads, uint16_t(step.operands[0].step()), &Load::step);
      if (load == m_loads.end())
        continue; // of LDS
      load->lastUses[step.immediate] = std::max(load->lastUses[step.immediate], m_result.lastUse[i]);
      uint16_t &channel = load->channelSteps[step.immediate];
      if (channel == 0 || m_result.given[channel] == NotGiven)
        channel = i;
    }
  }

  // A load goes to where its channels are given, if those registers are one run, in whatever order unless registers are
  // to be saved: to change places takes one. Instead of a channel that is not given there may be one that is computed
  // behind the channel's last use.
  void placeLoad(const Load &load) {
    const unsigned channels = m_steps[load.step].load.channels;
    std::array<uint16_t, 4> given = {NotGiven, NotGiven, NotGiven, NotGiven};
    unsigned first = NotGiven;
    for (unsigned channel = 0; channel != channels; ++channel)
      if (load.channelSteps[channel]) {
        given[channel] = m_result.given[load.channelSteps[channel]];
        first = std::min<unsigned>(first, given[channel]);
      }
    if (first == NotGiven)
      return;
    if (!fits(load, given, first, channels)) {
      if (m_listing.savesRegisters())
        moveAway(load, channels);
      return;
    }
    m_result.given[load.step] = uint16_t(first);
    for (unsigned channel = 0; channel != channels; ++channel)
      m_result.givenAt[first + channel] = load.step;
  }

  bool fits(const Load &load, const std::array<uint16_t, 4> &given, unsigned first, unsigned channels) const {
    unsigned met = 0;
    for (unsigned channel = 0; channel != channels; ++channel)
      if (given[channel] != NotGiven && given[channel] - first < channels)
        met |= 1u << (given[channel] - first);
    for (unsigned channel = 0; channel != channels; ++channel) {
      const uint16_t givenAt =
          first + channel < m_result.givenAt.size() ? m_result.givenAt[first + channel] : uint16_t(0);
      const bool isComputedLater =
          givenAt > load.step && givenAt != ToTheEnd && load.lastUses[channel] <= givenAt && given[channel] == NotGiven;
      if (!(met >> channel & 1) && !isComputedLater)
        return false;
      if (given[channel] != NotGiven && given[channel] - first >= channels)
        return false;
      if (given[channel] != NotGiven && m_listing.savesRegisters() && given[channel] != first + channel)
        return false;
    }
    return true;
  }

  // Each channel that is given goes to its place where it is named, and the load's registers are free again.
  void moveAway(const Load &load, unsigned channels) {
    uint16_t lastUse = 0;
    for (unsigned channel = 0; channel != channels; ++channel) {
      const uint16_t step = load.channelSteps[channel];
      if (step == 0)
        continue;
      const uint16_t given = m_result.given[step];
      if (given != NotGiven)
        m_result.givenAt[given] = step;
      lastUse = std::max(lastUse, given != NotGiven ? step : load.lastUses[channel]);
    }
    m_result.lastUse[load.step] = lastUse;
  }

  const Listing &m_listing;
  std::span<const Step> m_steps;
  Lifetimes &m_result;
  boost::container::small_vector<Load, 32> m_loads;
};

} // namespace

Lifetimes findLifetimes(const Listing &listing) {
  Lifetimes lifetimes;
  LifetimeFinder(listing, lifetimes).find();
  return lifetimes;
}

} // namespace dovetail

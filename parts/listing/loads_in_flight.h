// SPDX-License-Identifier: MIT
//
// Follows the loads from memory whose registers have not arrived yet, and the loads that stand one behind the other.
#pragma once

#include "src/isa/encoder.h"
#include <algorithm>
#include <boost/container/small_vector.hpp>
#include <optional>

namespace dovetail {

class LoadsInFlight {
public:
  struct Load {
    isa::Operand destination; // the first of `channels` VGPRs
    unsigned channels;
    isa::Operand address; // VGPR
  };

  // `emit`: emits the load itself.
  template <typename Emit> void issue(isa::Encoder &encoder, const Load &load, bool replaysMemory, const Emit &emit) {
    if (replaysMemory)
      keepClauseReplayable(encoder, load);
    emit(encoder);
    m_clauseEnd = encoder.offset();
    m_pending.push_back({load.destination.code, load.channels, m_count++});
  }

  // To be called before an instruction reads or writes VGPRs. Loads return in order.
  void waitFor(isa::Encoder &encoder, isa::Operand first, unsigned count) {
    if (m_pending.empty())
      return;
    std::optional<unsigned> needed;
    for (const Pending &load : m_pending)
      if (load.first < first.code + count && first.code < load.first + load.count)
        needed = std::max(needed.value_or(0), load.number);
    if (!needed)
      return;
    encoder.wait({.vm = m_count - *needed - 1});
    auto arrived = std::ranges::remove_if(m_pending, [&](const Pending &load) { return load.number <= *needed; });
    m_pending.erase(arrived.begin(), arrived.end());
  }
  void waitForAll(isa::Encoder &encoder) {
    if (!m_pending.empty())
      encoder.wait({.vm = 0});
    m_pending.clear();
  }

private:
  struct Pending {
    unsigned first, count; // as operands
    unsigned number;
  };

  // GPUs that replay memory accesses may run neighbouring loads again, so no load may overwrite an address of its
  // neighbours. A load that overwrites its own address must stand alone. Any other instruction between loads separates
  // them.
  void keepClauseReplayable(isa::Encoder &encoder, const Load &load) {
    auto overwrites = [](const Load &by, const Load &of) {
      return of.address.code >= by.destination.code && of.address.code < by.destination.code + by.channels;
    };
    if (m_clauseEnd != encoder.offset())
      m_clause.clear();
    const bool conflicts = std::ranges::any_of(m_clause, [&](const Load &before) {
      return overwrites(load, before) || overwrites(before, before) || overwrites(load, load);
    });
    if (conflicts) {
      encoder.emit(isa::Opcode::SNop);
      m_clause.clear();
    }
    m_clause.push_back(load);
  }

  boost::container::small_vector<Pending, 32> m_pending;
  unsigned m_count = 0;
  boost::container::small_vector<Load, 32> m_clause; // loads without anything between them
  uint32_t m_clauseEnd = 0;
};

} // namespace dovetail

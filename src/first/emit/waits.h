// SPDX-License-Identifier: MIT
//
// What memory operations are still outstanding while code is emitted, and how long to wait for a register. Loads of
// vectors, LDS and exports come back in order, scalar loads in any ("Vega" ISA manual, section 4.4).
#pragma once

#include "src/isa/encoder.h"
#include <algorithm>
#include <array>
#include <cstdint>

namespace dovetail::first {

class Waits {
public:
  enum Counter : uint8_t { Vm, Lgkm, Exp };

  // An operation begins. Its registers are then noted one by one.
  void issueVm() { ++m_issued[Vm]; }
  void issueLds() { ++m_issued[Lgkm]; }
  void issueScalar() {
    ++m_issued[Lgkm];
    m_scalarPending = true;
  }
  // Flat memory may be LDS, so it comes back in any order.
  void issueFlat() {
    issueVm();
    issueScalar();
    m_flatPending = true;
  }
  void issueExport() { ++m_issued[Exp]; }
  void noteVgpr(Counter counter, unsigned vgpr) {
    (counter == Vm ? m_vm : counter == Lgkm ? m_lds : m_exports)[vgpr] = m_issued[counter];
  }
  void noteSgpr(unsigned sgpr) { m_scalars[sgpr] = m_issued[Lgkm]; }

  // An instruction is about to read or to write a register.
  void needVgpr(unsigned vgpr, bool isWrite) {
    need(Vm, m_vm[vgpr]);
    need(Lgkm, m_lds[vgpr]);
    if (isWrite)
      need(Exp, m_exports[vgpr]);
  }
  bool mustWait() const {
    return m_needed[Vm] > m_done[Vm] || m_needed[Lgkm] > m_done[Lgkm] || m_needed[Exp] > m_done[Exp];
  }
  void needSgpr(unsigned sgpr) { need(Lgkm, m_scalars[sgpr]); }
  // Where a loop begins and ends, nothing may be outstanding that registers wait for.
  void needRegisters() {
    needAll(false);
    need(Exp, m_issued[Exp]);
  }
  // Waits for all that is to write registers; with `stores`, for all of memory.
  void needAll(bool stores) {
    if (stores) {
      need(Vm, m_issued[Vm]);
      need(Lgkm, m_issued[Lgkm]);
      return;
    }
    for (unsigned i = 0; i < m_vm.size(); ++i) {
      need(Vm, m_vm[i]);
      need(Lgkm, m_lds[i]);
    }
    for (uint32_t scalar : m_scalars)
      need(Lgkm, scalar);
  }
  // Emits the wait for what has been asked for.
  void flush(isa::Encoder &encoder) {
    if (!mustWait())
      return;
    isa::WaitCounts counts;
    if (m_needed[Vm] > m_done[Vm]) {
      counts.vm = m_issued[Vm] - m_needed[Vm];
      const unsigned limit = encoder.isGfx9() ? 62 : 14;
      counts.vm = m_flatPending ? 0 : std::min(counts.vm, limit);
      m_flatPending &= counts.vm != 0;
      m_done[Vm] = m_issued[Vm] - counts.vm;
    }
    if (m_needed[Lgkm] > m_done[Lgkm]) {
      counts.lgkm = m_scalarPending ? 0 : std::min(m_issued[Lgkm] - m_needed[Lgkm], 14u);
      m_done[Lgkm] = m_issued[Lgkm] - counts.lgkm;
      m_scalarPending &= counts.lgkm != 0;
    }
    if (m_needed[Exp] > m_done[Exp]) {
      counts.exp = std::min(m_issued[Exp] - m_needed[Exp], 6u);
      m_done[Exp] = m_issued[Exp] - counts.exp;
    }
    encoder.wait(counts);
  }

  // What is outstanding where two ways meet: what is so on either.
  void merge(const Waits &other) {
    mergeCounter(Vm, m_vm, other.m_vm, other);
    const uint32_t shift = std::max(m_issued[Lgkm] - m_done[Lgkm], other.m_issued[Lgkm] - other.m_done[Lgkm]);
    const Waits before = *this;
    m_issued[Lgkm] = shift;
    m_done[Lgkm] = 0;
    m_needed[Lgkm] = 0;
    mergeList(Lgkm, m_lds, before.m_lds, before, other.m_lds, other);
    mergeList(Lgkm, m_scalars, before.m_scalars, before, other.m_scalars, other);
    m_scalarPending |= other.m_scalarPending;
    m_flatPending |= other.m_flatPending;
    mergeCounter(Exp, m_exports, other.m_exports, other);
  }

private:
  void need(Counter counter, uint32_t number) { m_needed[counter] = std::max(m_needed[counter], number); }

  template <typename List> void mergeCounter(Counter counter, List &list, const List &others, const Waits &other) {
    const Waits before = *this;
    m_issued[counter] = std::max(m_issued[counter] - m_done[counter], other.m_issued[counter] - other.m_done[counter]);
    m_done[counter] = 0;
    m_needed[counter] = 0;
    const List mine = list;
    mergeList(counter, list, mine, before, others, other);
  }
  // The younger of two operations decides: fewer others have begun behind it.
  template <typename List>
  void mergeList(Counter counter, List &list, const List &mine, const Waits &before, const List &others,
                 const Waits &other) {
    auto age = [&](const Waits &state, uint32_t number) {
      return number > state.m_done[counter] ? state.m_issued[counter] - number : UINT32_MAX;
    };
    for (size_t i = 0; i < list.size(); ++i) {
      const uint32_t youngest = std::min(age(before, mine[i]), age(other, others[i]));
      list[i] = youngest == UINT32_MAX ? 0 : m_issued[counter] - std::min(youngest, m_issued[counter] - 1);
    }
  }

  std::array<uint32_t, 3> m_issued{}, m_done{}, m_needed{};
  std::array<uint32_t, 256> m_vm{}, m_lds{}, m_exports{};
  std::array<uint32_t, 128> m_scalars{};
  bool m_scalarPending = false, m_flatPending = false;
};

} // namespace dovetail::first

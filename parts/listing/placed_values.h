// SPDX-License-Identifier: MIT
//
// Where the values of a listing are while it is encoded, and the code so far. What a step reads is waited for where the
// step asks for it.
//
// Registers: what arrives in a register stays there until its last use; what a contract gives is computed where it has
// to be, if that is free by then; anything else takes a register that is free, preferably one of those that are given
// later.
#pragma once

#include "parts/listing/lifetimes.h"
#include "parts/listing/listing.h"
#include "parts/listing/loads_in_flight.h"
#include "parts/listing/register_pool.h"
#include "src/abi/target_info.h"
#include "src/isa/encoder.h"
#include <boost/container/small_vector.hpp>
#include <optional>

namespace dovetail {

class PlacedValues {
public:
  PlacedValues(const Listing &listing, const TargetInfo &target);

  const Listing &listing() const { return m_listing; }
  const TargetInfo &target() const { return m_target; }
  bool lacksRegisters() const { return m_lacksRegisters; }

  // The steps, one after the other; behind them all values that are given are delivered at once.
  void beginStep(size_t step) { m_step = step; }
  void endStep();
  size_t step() const { return m_step; }
  const Step &current() const { return m_listing.steps()[m_step]; }
  const Step &stepOf(Value value) const { return m_listing.step(value); }

  bool isPlaced(Value value) const { return m_values[value.step()].place.code != Nowhere; }
  // Of a value that is in a register or a constant; nothing is waited for.
  isa::Operand placeOf(Value value) const;
  // A value that is in registers of its own from here on, or in some that are not to be freed (count 0).
  void place(Value value, isa::Operand first, unsigned count);

  // Operand `number` of the step: as it is; where literals cannot be; in a VGPR.
  isa::Operand operand(unsigned number) { return arrived(current().operands[number]); }
  isa::Operand shortOperand(unsigned number);
  isa::Operand vectorOperand(unsigned number);
  isa::Operand arrived(Value value);

  // Where the step's value goes: to where it is given, over an operand that dies, or elsewhere. `mayOverlap`: it may go
  // over an operand.
  isa::Operand destination(bool mayOverlap = true);
  // Where a step's value goes that takes several registers and is not given.
  isa::Operand destinations(unsigned count);

  // Until the end of the step; to the end.
  isa::Operand borrowVgprs(unsigned count);
  isa::Operand keepVgprs(unsigned count);
  bool keepVgprsAt(isa::Operand first, unsigned count); // false: something else is there
  isa::Operand takeSgprs(unsigned count);
  std::optional<isa::Operand> findSgprs(unsigned count);
  // A constant that stays where it is from its first use on.
  isa::Operand inSgpr(uint32_t value);
  // Gives up a descriptor that this step does not use, the one that is not used for longest, or a constant; false:
  // there is none.
  bool makeRoom();
  const std::optional<uint16_t> givenPlace(Value value) const;
  void takeGivenVgprs(unsigned first, unsigned count) { m_vgprs.take(first, count); }

  // SMEM and LDS.
  void addPendingScalarLoad() { m_hasPendingScalarLoads = true; }
  void addPendingLdsLoad(isa::Operand first, unsigned count) { m_ldsLoads.push_back({first, uint16_t(count)}); }
  void waitForScalarLoads();
  void waitForVgprs(isa::Operand first, unsigned count);

  isa::Encoder encoder;
  LoadsInFlight loads;

private:
  static constexpr uint16_t Nowhere = 0xffff;

  struct State {
    isa::Operand place = {Nowhere};
    uint16_t count = 0; // registers that it owns; 0 if they are not to be freed
  };
  struct Literal {
    uint32_t value;
    isa::Operand place;
  };
  struct Run {
    isa::Operand first;
    uint16_t count;
  };

  void takeInputs();
  bool isUnusedUntil(unsigned vgpr, size_t lastUse) const;
  isa::Operand takeVgprs(unsigned count, size_t lastUse);
  bool dies(Value value) const {
    return m_lifetimes.steps[value.step()].lastUse == m_step && m_values[value.step()].count != 0;
  }
  void freeIfDying(Value value);
  std::optional<isa::Operand> givenDestination(bool mayOverlap) const;
  std::optional<isa::Operand> overDyingOperand();
  size_t nextUse(Value descriptor) const;
  void waitForLgkm();

  const Listing &m_listing;
  const TargetInfo &m_target;
  const Lifetimes m_lifetimes;
  boost::container::small_vector<State, 64> m_values; // by step
  RegisterPool m_sgprs, m_vgprs;
  std::array<uint16_t, RegisterPool::MaxCount> m_inputUntil = {}; // by VGPR: the last use of what arrived there
  size_t m_step = 0;
  boost::container::small_vector<Run, 4> m_borrowed;
  boost::container::small_vector<Literal, 8> m_literals;
  boost::container::small_vector<Run, 2> m_ldsLoads;
  bool m_hasPendingScalarLoads = false;
  bool m_lacksRegisters = false;
};

} // namespace dovetail

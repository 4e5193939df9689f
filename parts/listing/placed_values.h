// SPDX-License-Identifier: MIT
//
// The places of a listing's values while it is encoded, and the code so far. A step waits for a loaded value when it
// asks for the operand.
//
// Registers: an input stays in its register until its last use. A value that the contract gives is computed in its
// given register, if that is free by then. Any other value takes a free register, preferably one that is given later.
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

  // Steps come one after the other. Behind the last step, all given values are delivered at once.
  void beginStep(size_t step) { m_step = step; }
  void endStep();
  size_t step() const { return m_step; }
  const Step &current() const { return m_listing.steps()[m_step]; }
  const Step &stepOf(Value value) const { return m_listing.step(value); }

  bool isPlaced(Value value) const { return m_values[value.step()].place.code != Nowhere; }
  // The place of a value that is in a register or a constant. Does not wait for loads.
  isa::Operand placeOf(Value value) const;
  // Notes that a value is in registers of its own from here on, or in registers that are not to be freed (count 0).
  void place(Value value, isa::Operand first, unsigned count);

  // Operand `number` of the step. operand(): as it is; shortOperand(): not a literal; vectorOperand(): in a VGPR.
  isa::Operand operand(unsigned number) { return arrived(current().operands[number]); }
  isa::Operand shortOperand(unsigned number);
  isa::Operand vectorOperand(unsigned number);
  isa::Operand arrived(Value value);

  // The register for the step's result: its given register, that of an operand with its last use here, or another one.
  // `mayOverlap`: it may be an operand's register.
  isa::Operand destination(bool mayOverlap = true);
  // The registers for a result that takes several registers and is not given.
  isa::Operand destinations(unsigned count);

  // borrowVgprs(): until the end of the step; keepVgprs(): to the end.
  isa::Operand borrowVgprs(unsigned count);
  isa::Operand keepVgprs(unsigned count);
  bool keepVgprsAt(isa::Operand first, unsigned count); // false: the registers are in use
  isa::Operand takeSgprs(unsigned count);
  std::optional<isa::Operand> findSgprs(unsigned count);
  // A constant in an SGPR, which stays there from its first use on.
  isa::Operand inSgpr(uint32_t value);
  // Frees the SGPRs of a descriptor that this step does not use, the one with the most distant next use; or else those
  // of a constant. Returns false if there is nothing to free.
  bool makeRoom();
  const std::optional<uint16_t> givenPlace(Value value) const;
  void takeGivenVgprs(unsigned first, unsigned count) { m_vgprs.take(first, count); }

  // Pending loads of SMEM and LDS.
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
  std::array<uint16_t, RegisterPool::MaxCount> m_inputUntil = {}; // for each VGPR: the last use of the input in it
  size_t m_step = 0;
  boost::container::small_vector<Run, 4> m_borrowed;
  boost::container::small_vector<Literal, 8> m_literals;
  boost::container::small_vector<Run, 2> m_ldsLoads;
  bool m_hasPendingScalarLoads = false;
  bool m_lacksRegisters = false;
};

} // namespace dovetail

// SPDX-License-Identifier: MIT
//
// Until when each value of a listing is used, and in which VGPR it has to be at the end.
#pragma once

#include "parts/listing/listing.h"
#include "parts/listing/register_pool.h"
#include <array>
#include <boost/container/small_vector.hpp>
#include <cstdint>

namespace dovetail {

struct Lifetimes {
  using Steps = boost::container::small_vector<uint16_t, 128>;
  static constexpr uint16_t ToTheEnd = 0xffff; // behind all steps
  static constexpr uint16_t NotGiven = 0xffff;

  // By step. A load is used as long as one of its channels is, but for those that are moved away at once
  // (Listing::savesRegisters).
  Steps lastUse;
  // By step: the VGPR in which the contract has the value first; of a load, the first of those that its channels have.
  Steps given;
  // By VGPR: the step that fills the register that is given, ToTheEnd if that is done behind all steps; 0 if it is not
  // given.
  std::array<uint16_t, RegisterPool::MaxCount> givenAt;
};

Lifetimes findLifetimes(const Listing &listing);

} // namespace dovetail

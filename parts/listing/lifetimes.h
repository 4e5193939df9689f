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
  static constexpr uint16_t ToTheEnd = 0xffff; // behind all steps
  static constexpr uint16_t NotGiven = 0xffff;

  struct OfStep {
    // A load is used as long as one of its channels is.
    uint16_t lastUse = 0;
    // The VGPR in which the contract has the value first; of a load, the first of those that its channels have.
    uint16_t given = NotGiven;
  };
  boost::container::small_vector<OfStep, 64> steps;
  // By VGPR: the step that fills the register that is given, ToTheEnd if that is done behind all steps; 0 if it is not
  // given.
  std::array<uint16_t, RegisterPool::MaxCount> givenAt;
};

Lifetimes findLifetimes(const Listing &listing);

} // namespace dovetail

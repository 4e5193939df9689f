// SPDX-License-Identifier: MIT
//
// The last use of each value of a listing, and the VGPR in which the value must be at the end.
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
    // The last use of a load is that of any of its channels.
    uint16_t lastUse = 0;
    // The first VGPR in which the contract has the value; for a load, the first of its channels' VGPRs.
    uint16_t given = NotGiven;
  };
  boost::container::small_vector<OfStep, 64> steps;
  // For each VGPR: the step that fills it with the value that the contract has there. ToTheEnd: it is filled behind all
  // steps; 0: the contract has no value there.
  std::array<uint16_t, RegisterPool::MaxCount> givenAt;
};

Lifetimes findLifetimes(const Listing &listing);

} // namespace dovetail

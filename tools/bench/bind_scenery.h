// SPDX-License-Identifier: MIT
//
// Variants to bind, as many as one likes. They are put into a device's tables as builds do, so binding them takes the
// same way as in a driver; but nothing is compiled, and all have one image, into which nobody looks.
#pragma once

#include "variants/bind/binder.h"
#include <cstdint>
#include <vector>

namespace dovetail {

struct BindScenery {
  struct Pair {
    uint32_t program, state;
  };
  std::unique_ptr<Device> device;
  std::vector<ProgramRef> programs;
  std::vector<StateRef> states;
  std::vector<Pair> order; // each pair once, in random order
};

// A variant for each pair of a program and a state, which differ in formats, blending and attributes, as in games.
// Errors: those of Device::create().
Result<BindScenery> makeBindScenery(uint32_t programs, uint32_t states);

} // namespace dovetail

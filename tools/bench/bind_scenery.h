// SPDX-License-Identifier: MIT
//
// Makes any number of variants to bind. They are put into a device's tables as builds do, so binding them takes the
// same way as in a driver. Nothing is compiled: all variants share one image, and nobody looks into it.
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

// Makes one variant for each pair of a program and a state. States differ in formats, blending and attributes, as in
// games. Errors: those of Device::create().
Result<BindScenery> makeBindScenery(uint32_t programs, uint32_t states);

} // namespace dovetail

// SPDX-License-Identifier: MIT
//
// Faults of placing, each in a copy of the machine. They may do no harm: machine_run.h tells.
#pragma once

#include "tests/first/break_machine.h"

namespace dovetail::first {

enum class Misplace : uint8_t {
  Elsewhere, // a group of registers is in other places of its bank
  Exchanged, // two groups have each other's places
  Torn,      // one register of a group is elsewhere
  Aside,     // copies set a register aside where another value is
  Whole,     // VGPRs of the whole wave are in other places
};
constexpr unsigned MisplaceCount = 5;
std::string_view toString(Misplace kind);

std::optional<Machine> misplace(const Machine &machine, Misplace kind, Random &random);

} // namespace dovetail::first

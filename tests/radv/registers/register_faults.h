// SPDX-License-Identifier: MIT
//
// Images with one field of one register changed, as a wrong rule in merge/registers would make them.
#pragma once

#include "merge/image.h"
#include "src/abi/registers/register_fields.h"
#include "src/abi/target_info.h"
#include <string>
#include <vector>

namespace dovetail {

struct RegisterFault {
  const RegisterRow *row = nullptr;
  uint32_t address = 0;
  std::string_view field; // "": the whole register, which has no fields
  RegisterField bits = {};
  uint32_t before = 0, after = 0; // of the field

  Image applyTo(const Image &image) const;
};

// One fault for each field of each register that the image programs, with a value chosen by the seed.
std::vector<RegisterFault> registerFaults(const Image &image, const TargetInfo &target, uint64_t seed);

// "SPI_PS_INPUT_CNTL_3.FLAT_SHADE".
std::string fieldName(const RegisterFault &fault);

// Why the hardware does the same with both values; empty if it does not. This is decided independently of the checks
// that must catch the fault.
std::string_view whyHarmless(const RegisterFault &fault, const Image &image, const TargetInfo &target);

} // namespace dovetail

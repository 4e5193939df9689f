// SPDX-License-Identifier: MIT
//
// The registers of an image as a driver emits them. An image keeps them in the order in which the join finds their
// values, so that images can be put together (combine.cpp). A packet writes consecutive registers of one space (PM4's
// SET_SH_REG, SET_CONTEXT_REG and SET_UCONFIG_REG, as PAL and Mesa write them). This file sorts the registers into such
// runs: all registers, or only those that differ from another image. A driver asks once for each image and keeps the
// answer.
//
// Registers of user data are left out: in an image they hold numbers, and the driver writes its own values in their
// place.
#pragma once

#include "merge/image.h"
#include "src/abi/registers/registers.h"
#include <vector>

namespace dovetail {

// Consecutive registers, which one packet writes.
struct RegisterRun {
  RegisterSpace space;
  uint8_t packetIndex; // packetIndexOf() its only register; 0 for all other runs
  uint16_t count;
  uint32_t address;    // of the first register
  uint32_t firstValue; // in RegisterRuns::values
};

// Runs by ascending address; their values lie one behind the other in the same order.
struct RegisterRuns {
  std::vector<RegisterRun> runs;
  std::vector<uint32_t> values;

  std::span<const uint32_t> valuesOf(const RegisterRun &run) const {
    return std::span(values).subspan(run.firstValue, run.count);
  }
};

RegisterRuns registerRuns(const Image &image);

// The registers to write for `image` while the registers have the values of `previous`, of the same GPU: those that
// `previous` does not have, or has other values in. Registers that only `previous` has may stay as they are, because
// nothing that runs under `image` reads them. The stages that an image does not have are off in its
// VGT_SHADER_STAGES_EN and VGT_GS_MODE, and SPI_PS_IN_CONTROL says how many SPI_PS_INPUT_CNTL are read.
//
// Graphics and compute programs have no register in common, so a bound graphics image is never the previous image of a
// compute image, nor the other way round.
RegisterRuns changedRegisterRuns(const Image &previous, const Image &image);

} // namespace dovetail

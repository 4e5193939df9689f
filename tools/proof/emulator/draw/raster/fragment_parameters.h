// SPDX-License-Identifier: MIT
//
// Makes the operands of v_interp from the vertex shader's parameters: P0, P10 and P20 of each attribute of a primitive.
#pragma once

#include "tools/proof/emulator/draw/command/front_end.h"
#include <span>

namespace dovetail::emulator {

// Which parameter each attribute is, and how it changes on the way.
class ParameterRouting {
public:
  // Errors: Unsupported for fields of SPI_PS_INPUT_CNTL that are not modelled.
  static Result<ParameterRouting> make(const HardwareRegisters &registers);

  // The attributes of a point, line or triangle. Errors: CheckFailed with BadExport's text if an attribute wants a
  // parameter that a corner did not export.
  Result<std::vector<FragmentParameters::Attribute>> route(std::span<const ShadedVertex *const> corners,
                                                           unsigned provoking) const;

private:
  std::vector<uint32_t> m_controls; // SPI_PS_INPUT_CNTL of each attribute
  uint32_t m_interpolation = 0;     // SPI_INTERP_CONTROL_0
};

} // namespace dovetail::emulator

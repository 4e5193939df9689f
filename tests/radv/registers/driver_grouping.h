// SPDX-License-Identifier: MIT
//
// The bits that a driver adds to an image's IA_MULTI_VGT_PARAM for a draw (docs/driver-contract.md), as RADV's
// si_get_ia_multi_vgt_param() does. The null hardware has four shader engines, whatever GPU it stands for.
#pragma once

#include "tests/radv/registers/compare_registers.h"

namespace dovetail {

uint32_t groupingRegister(const TargetInfo &target);

// The bits to add to the image's value.
uint32_t groupingOfDraw(const RegisterComparison &comparison, uint32_t ofImage);

} // namespace dovetail

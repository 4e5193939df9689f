// SPDX-License-Identifier: MIT
//
// LLVM's scheduler for AMDGPU (GCNSchedStrategy) schedules a region up to three times: for latency, for few registers,
// and for latency again with the number of waves that it has found. Each time costs as much as a quarter of instruction
// selection. This pass looks at the registers that a region takes in its present order, and then schedules it once:
//
// - A region that takes few registers gets its loads side by side and is scheduled for latency, within the registers
//   with which all waves run. If the new order takes more, the region is scheduled again as one of the second kind.
// - A region that takes more registers is scheduled without putting loads side by side, which would take registers.
//   The order does not change where it would cost waves.
//
// The waves of a function are those of its worst region, so regions behind a bad one may take as many registers as
// that.
#pragma once

#include "src/lgc/codegen/defects/pass_kinds.h"

namespace lgc {

// Takes the place of LLVM's pass machine-scheduler.
LGC_MACHINE_PASS(ScheduleRegions, "Schedule regions")

} // namespace lgc

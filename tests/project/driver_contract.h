// SPDX-License-Identifier: MIT
//
// Drivers read the contract in words (docs/driver-contract.md) and in the C API (dovetail_variant.h). The checks
// compare both with the table that programs and the emulated driver are made from (src/abi/driver_contract.def).
#pragma once

#include "tests/project/source_tree.h"

namespace dovetail::project {

// One sentence for each row that one of them lacks or has differently.
std::vector<std::string> findDriverContractViolations(const SourceTree &tree);

} // namespace dovetail::project

// SPDX-License-Identifier: MIT
//
// What drivers are told by words (docs/driver-contract.md) and by the C API (dovetail_variant.h), against the table
// that programs and the emulated driver are made from (src/abi/driver_contract.def).
#pragma once

#include "tests/project/source_tree.h"

namespace dovetail::project {

// One sentence for each row that one of them has and another lacks, or has differently.
std::vector<std::string> findDriverContractViolations(const SourceTree &tree);

} // namespace dovetail::project

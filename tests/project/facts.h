// SPDX-License-Identifier: MIT
//
// Each table of facts about the hardware must name its sources. docs/hardware-facts.md lists facts without a source as
// beliefs.
#pragma once

#include "tests/project/source_tree.h"

namespace dovetail::project {

// One sentence for each row of registers.def and driver_contract.def without a source, for each file of facts that
// names none, and for each file whose beliefs are only in the list or only in the file itself.
std::vector<std::string> findFactViolations(const SourceTree &tree);

} // namespace dovetail::project

// SPDX-License-Identifier: MIT
//
// Where facts about the hardware come from: each table of them says so, and what nobody says is listed as a belief in
// docs/hardware-facts.md.
#pragma once

#include "tests/project/source_tree.h"

namespace dovetail::project {

// One sentence for each row of registers.def and driver_contract.def without a source, for each file of facts that
// names none, and for each file that is in the list of beliefs without saying so itself, or the other way round.
std::vector<std::string> findFactViolations(const SourceTree &tree);

} // namespace dovetail::project

// SPDX-License-Identifier: MIT
#pragma once

#include "src/state/user_data_nodes.h"
#include <cstdint>

namespace dovetail {

// Another layout with the same resources: tables and push constants elsewhere in the root table, bindings elsewhere in
// their tables and farther apart, with nodes that nobody uses among them.
UserDataNodes randomLayout(const UserDataNodes &nodes, uint64_t seed);

} // namespace dovetail

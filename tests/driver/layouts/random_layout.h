// SPDX-License-Identifier: MIT
#pragma once

#include "src/state/user_data_nodes.h"
#include <cstdint>

namespace dovetail {

// Another layout with the same resources. Tables and push constants lie elsewhere in the root table. Bindings lie
// elsewhere in their tables and farther apart, with nodes between them that nobody uses.
UserDataNodes randomLayout(const UserDataNodes &nodes, uint64_t seed);

} // namespace dovetail

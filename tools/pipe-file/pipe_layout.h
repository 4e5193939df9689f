// SPDX-License-Identifier: MIT
//
// The root table of a pipeline file (userDataNode), as far as UserDataNodes can say it.
#pragma once

#include "src/state/user_data_nodes.h"
#include "tools/pipe-file/pipe_sections.h"

namespace dovetail::pipe_file {

// Adds the nodes of a section to those of the others: each stage may list what it sees of one root table. Tables of
// vertex buffers and of transform feedback are found in Dovetail's own way. Errors: InvalidInput for nodes that
// contradict each other; Unsupported for what a root table of Dovetail's cannot have: descriptors beside tables, two
// tables for one set or one for two, buffers of two dwords, inline buffers, mutable descriptors.
Result<void> addNodes(SectionReader &section, UserDataNodes &nodes);

} // namespace dovetail::pipe_file

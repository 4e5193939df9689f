// SPDX-License-Identifier: MIT
//
// The root table of a pipeline file (userDataNode), as far as UserDataNodes can say it.
#pragma once

#include "tools/common/fossilize/root_table.h"
#include "tools/common/pipe-file/pipe_sections.h"

namespace dovetail::pipe_file {

// Adds the nodes of a section to those of the others: each stage may list what it sees of one root table. Tables of
// vertex buffers and of transform feedback are found in Dovetail's own way. Errors: InvalidInput for nodes that
// contradict each other; Unsupported for what a root table of Dovetail's cannot have: descriptors beside tables, two
// tables for one set or one for two, mutable descriptors.
Result<void> addNodes(SectionReader &section, UserDataNodes &nodes);

// Takes the samplers that a section says itself (descriptorRangeValue) for those of the tables, whose nodes have been
// added. Errors: InvalidInput for values that contradict each other; Unsupported for what is no sampler, and for lists
// that do not have the dwords of each element.
Result<void> addImmutableSamplers(SectionReader &section, fossilize::RootTable &table);

} // namespace dovetail::pipe_file

// SPDX-License-Identifier: MIT
//
// Makes a root table of a pipeline file's userDataNode entries, as far as UserDataNodes can express them.
#pragma once

#include "tools/common/fossilize/root_table.h"
#include "tools/common/pipe-file/pipe_sections.h"

namespace dovetail::pipe_file {

// Adds the nodes of a section to those of other sections: each stage may list the part of one root table that it sees.
// Dovetail finds tables of vertex buffers and of transform feedback in its own way. Errors: InvalidInput for nodes that
// contradict each other; Unsupported for nodes that Dovetail's root tables cannot have: descriptors beside tables, two
// tables for one set or one for two, mutable descriptors.
Result<void> addNodes(SectionReader &section, UserDataNodes &nodes);

// Adds a section's immutable samplers (descriptorRangeValue) to the table, whose nodes must be complete. Errors:
// InvalidInput for values that contradict each other; Unsupported for other descriptor types, and for lists without the
// dwords of each element.
Result<void> addImmutableSamplers(SectionReader &section, fossilize::RootTable &table);

} // namespace dovetail::pipe_file

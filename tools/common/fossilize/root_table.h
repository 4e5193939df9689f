// SPDX-License-Identifier: MIT
//
// The root table that a pipeline layout of Vulkan comes to, the same for the layer and for what is read from captures.
#pragma once

#include "src/state/user_data_nodes.h"
#include "tools/common/fossilize/read_object.h"
#include <map>

namespace dovetail::fossilize {

struct RootTable {
  UserDataNodes nodes;
  std::vector<uint32_t> immutableSamplers; // of the nodes of that type and of conversions, as ResourceLayout has them

  bool operator==(const RootTable &) const = default;
};

// By the hashes that layouts have of them.
using Samplers = std::map<ObjectHash, Sampler>;

// The layout that the layer and replays give to a pipeline layout: root dword N for set N if that has descriptors, and
// push constants from dword 8 on, or behind more sets. In a set, bindings in ascending order, as user_data_layout.h
// sizes them; arrays are as long as the set says. Immutable samplers have no place in a set, but in arrays of more than
// 64, which no index could select among, and where `samplers` lacks one. Behind images whose samplers have YCbCr
// conversions come their other planes. `sets`: of the layout's setLayouts, nullptr for null. Errors: Unsupported for
// mutable descriptors, for conversions (ycbcrConversionOf()) and for sets of more than 256 MiB.
Result<RootTable> layOutRootTable(const PipelineLayout &layout, const std::vector<const DescriptorSetLayout *> &sets,
                                  const Samplers &samplers = {});

} // namespace dovetail::fossilize

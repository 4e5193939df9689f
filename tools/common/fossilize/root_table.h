// SPDX-License-Identifier: MIT
//
// Makes the root table of a Vulkan pipeline layout, in the same way for the layer and for captures that are read.
#pragma once

#include "src/state/user_data_nodes.h"
#include "tools/common/fossilize/read_object.h"
#include <map>

namespace dovetail::fossilize {

struct RootTable {
  UserDataNodes nodes;
  std::vector<uint32_t> immutableSamplers; // of the sampler nodes and of conversions, as in ResourceLayout

  bool operator==(const RootTable &) const = default;
};

// Samplers by the hashes that layouts have for them.
using Samplers = std::map<ObjectHash, Sampler>;

// Lays out a pipeline layout as the layer and replays do:
// - Root dword N is for set N if that set has descriptors. Push constants begin at dword 8, or behind the sets if there
//   are more than 8.
// - In a set, bindings lie in ascending order, with the sizes of user_data_layout.h. Arrays are as long as the set
//   says.
// - Immutable samplers take no place in a set, with two exceptions: arrays of more than 64, among which no index could
//   select, and arrays of which `samplers` lacks one.
// - The other planes of an image whose sampler has a YCbCr conversion lie behind the image.
//
// `sets` holds the layout's setLayouts; nullptr for null. Errors: Unsupported for mutable descriptors, for conversions
// (ycbcrConversionOf()) and for sets of more than 256 MiB.
Result<RootTable> layOutRootTable(const PipelineLayout &layout, const std::vector<const DescriptorSetLayout *> &sets,
                                  const Samplers &samplers = {});

} // namespace dovetail::fossilize

// SPDX-License-Identifier: MIT
//
// ShaderUses: the resources that shaders name in their functions. A layout may have others, whose descriptors an
// application need not write.
#pragma once

#include <cstdint>
#include <set>
#include <span>
#include <utility>

namespace dovetail::layer {

struct ShaderUses {
  std::set<std::pair<uint32_t, uint32_t>> bindings; // set, binding
  bool usesAddresses = false;                       // of buffers
  bool usesDrawNumbers = false;                     // in commands of several draws
  bool hasDoubles = false, hasHalves = false;       // in buffers, perhaps

  // Adds those of a module.
  void add(std::span<const uint32_t> words);
};

} // namespace dovetail::layer

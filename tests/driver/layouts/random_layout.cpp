// SPDX-License-Identifier: MIT
#include "tests/driver/layouts/random_layout.h"
#include <algorithm>
#include <map>
#include <random>

namespace dovetail {

UserDataNodes randomLayout(const UserDataNodes &nodes, uint64_t seed) {
  std::mt19937_64 random(seed);
  auto upTo = [&](uint32_t most) { return std::uniform_int_distribution<uint32_t>(0, most)(random); };
  UserDataNodes shuffled = nodes;
  std::ranges::shuffle(shuffled, random);
  uint32_t root = upTo(7);
  std::map<uint32_t, uint32_t> ends; // of the tables, by set
  for (UserDataNode &node : shuffled) {
    if (isInLayout(node.type))
      continue;
    const bool isRoot = isInRoot(node.type);
    uint32_t &end = isRoot ? root : ends[node.set];
    if (node.strideInDwords != 0) {
      const uint32_t count = node.sizeInDwords / node.strideInDwords;
      node.strideInDwords += 4 * upTo(2);
      node.sizeInDwords = count * node.strideInDwords;
    }
    end += isRoot ? upTo(3) : 4 * upTo(40);
    node.offsetInDwords = end;
    end += node.sizeInDwords;
  }
  const uint32_t otherSet = 20 + upTo(5);
  shuffled.push_back({UserDataNodeType::DescriptorTable, otherSet, 0, root + upTo(2)});
  std::ranges::shuffle(shuffled, random);
  return shuffled;
}

} // namespace dovetail

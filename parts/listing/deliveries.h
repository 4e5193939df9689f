// SPDX-License-Identifier: MIT
//
// Values that go to where a contract has them, all at once: constants, and what is in other registers, which may be
// where others have to go.
#pragma once

#include "src/isa/encoder.h"
#include <algorithm>
#include <vector>

namespace dovetail {

struct Delivery {
  isa::Operand to, from;
};

// Moves that have the same effect one after the other. Constants, which wait for no load, come first where they can;
// what is in its place is left out. `takeAside`: a register that is free, for circles.
template <typename TakeAside> std::vector<Delivery> inOrder(std::vector<Delivery> pending, const TakeAside &takeAside) {
  std::erase_if(pending, [](const Delivery &delivery) { return delivery.from == delivery.to; });
  std::ranges::stable_partition(pending, [](const Delivery &delivery) { return delivery.from.isConstant(); });
  std::vector<Delivery> ordered;
  auto isReadByOthers = [&](const Delivery &delivery) {
    return std::ranges::any_of(pending, [&](const Delivery &other) { return other.from == delivery.to; });
  };
  while (!pending.empty()) {
    auto ready = std::ranges::find_if_not(pending, isReadByOthers);
    if (ready == pending.end()) {
      ready = pending.begin();
      const isa::Operand saved = ready->to, aside = takeAside();
      ordered.push_back({aside, saved});
      for (Delivery &delivery : pending)
        if (delivery.from == saved)
          delivery.from = aside;
    }
    ordered.push_back(*ready);
    pending.erase(ready);
  }
  return ordered;
}

} // namespace dovetail

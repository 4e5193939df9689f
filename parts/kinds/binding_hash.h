// SPDX-License-Identifier: MIT
#pragma once

#include "src/abi/value.h"
#include "src/base/hash.h"
#include <span>

namespace dovetail {

// Adds their number, then each binding field by field.
inline void addBindings(Hasher &hasher, std::span<const Binding> bindings) {
  hasher.add(bindings.size());
  for (const Binding &binding : bindings)
    hasher.add(binding.value.kind)
        .add(binding.value.index)
        .add(binding.value.component)
        .add(binding.reg.bank)
        .add(binding.reg.index);
}

} // namespace dovetail

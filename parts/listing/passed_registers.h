// SPDX-License-Identifier: MIT
//
// What a prolog passes on without looking at it.
#pragma once

#include "src/abi/interface/shader_interface.h"
#include <algorithm>

namespace dovetail {

// How many SGPRs from s0: whatever the hardware may have put there, up to the last one that the main part reads, in
// fours so that shaders share prologs.
inline uint8_t passedSgprs(const ShaderInterface &main) {
  unsigned count = main.userSgprCount + 1; // and the scratch offset
  for (const Binding &input : main.inputs)
    if (input.reg.bank == RegisterBank::Sgpr)
      count = std::max(count, input.reg.index + 1u);
  return uint8_t((count + 3) / 4 * 4);
}

} // namespace dovetail

// SPDX-License-Identifier: MIT
//
// The registers that a prolog passes on unread.
#pragma once

#include "src/abi/interface/shader_interface.h"
#include <algorithm>

namespace dovetail {

// The number of SGPRs from s0: all that the hardware may have filled, up to the last one that the main part reads. It
// is rounded up to a multiple of four so that shaders share prologs.
inline uint8_t passedSgprs(const ShaderInterface &main) {
  unsigned count = main.userSgprCount + 1; // and the scratch offset
  for (const Binding &input : main.inputs)
    if (input.reg.bank == RegisterBank::Sgpr)
      count = std::max(count, input.reg.index + 1u);
  return uint8_t((count + 3) / 4 * 4);
}

} // namespace dovetail

// SPDX-License-Identifier: MIT
#include "tools/proof/radv-reference/fine_derivatives.h"
#include <algorithm>
#include <spirv/unified1/spirv.hpp11>

namespace dovetail {

Result<ShaderRef> withFineDerivatives(const ShaderRef &shader) {
  constexpr size_t HeaderWords = 5;
  constexpr uint32_t ToFine = uint32_t(spv::Op::OpDPdxFine) - uint32_t(spv::Op::OpDPdx);
  constexpr auto Capability = uint32_t(spv::Capability::DerivativeControl);
  ShaderDescription description = shader->description;
  std::vector<uint32_t> &words = description.words;
  bool isChanged = false, hasCapability = false;
  for (size_t at = HeaderWords; at < words.size(); at += std::max(words[at] >> 16, 1u)) {
    const auto opcode = static_cast<spv::Op>(words[at] & 0xffff);
    hasCapability |= opcode == spv::Op::OpCapability && words[at + 1] == Capability;
    if (opcode < spv::Op::OpDPdx || opcode > spv::Op::OpFwidth)
      continue;
    words[at] += ToFine;
    isChanged = true;
  }
  if (!isChanged)
    return shader;
  if (!hasCapability)
    words.insert(words.begin() + HeaderWords, {2u << 16 | uint32_t(spv::Op::OpCapability), Capability});
  return createShader(std::move(description));
}

} // namespace dovetail

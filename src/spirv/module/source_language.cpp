// SPDX-License-Identifier: MIT
#include "src/spirv/module/source_language.h"
#include "src/spirv/module/module.h"

namespace dovetail::spirv {

std::vector<uint32_t> withoutSourceLanguage(std::span<const uint32_t> words) {
  std::vector<uint32_t> result(words.begin(), words.end());
  for (size_t at = HeaderWords; at < result.size();) {
    size_t length = result[at] >> 16;
    auto opcode = static_cast<spv::Op>(result[at] & 0xffff);
    if (length == 0 || at + length > result.size() || opcode == spv::Op::OpFunction)
      break;
    if (opcode == spv::Op::OpSource && length > 1)
      result[at + 1] = static_cast<uint32_t>(spv::SourceLanguage::Unknown);
    at += length;
  }
  return result;
}

} // namespace dovetail::spirv

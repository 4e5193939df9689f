// SPDX-License-Identifier: MIT
//
// Imports GLSL.std.450 in modules that are words.
#pragma once

#include "tools/proof/spirv/spirv_words.h"
#include <cstring>
#include <string_view>

namespace dovetail {

// The id under which a module imports GLSL.std.450; 0: it does not.
inline uint32_t findGlslImport(std::span<const uint32_t> words) {
  uint32_t found = 0;
  eachInstruction(words, [&](SpirvInstruction inst) {
    if (opcodeOf(inst) != spv::Op::OpExtInstImport)
      return;
    const SpirvInstruction name = inst.subspan(2);
    const char *text = reinterpret_cast<const char *>(name.data());
    if (std::string_view(text, strnlen(text, name.size_bytes())) == "GLSL.std.450")
      found = inst[1];
  });
  return found;
}

// To be called where the import belongs: in front of OpMemoryModel.
inline void appendGlslImport(std::vector<uint32_t> &words, uint32_t id) {
  // The name's last word is zeros.
  uint32_t name[4] = {};
  std::memcpy(name, "GLSL.std.450", 12);
  appendInstruction(words, spv::Op::OpExtInstImport, {id, name[0], name[1], name[2], name[3]});
}

} // namespace dovetail

// SPDX-License-Identifier: MIT
#include "tools/proof/reference/adapt/clamp_depth.h"
#include "tools/proof/reference/adapt/glsl_import.h"
#include <bit>
#include <spirv/unified1/GLSL.std.450.h>

namespace dovetail {

std::vector<uint32_t> withClampedDepth(const std::vector<uint32_t> &words) {
  uint32_t depth = 0, pointer = 0, type = 0; // the variable, its type and what that points to
  eachInstruction(words, [&](SpirvInstruction inst) {
    if (opcodeOf(inst) == spv::Op::OpDecorate && static_cast<spv::Decoration>(inst[2]) == spv::Decoration::BuiltIn &&
        static_cast<spv::BuiltIn>(inst[3]) == spv::BuiltIn::FragDepth)
      depth = inst[1];
    if (opcodeOf(inst) == spv::Op::OpVariable && inst[2] == depth)
      pointer = inst[1];
  });
  eachInstruction(words, [&](SpirvInstruction inst) {
    if (opcodeOf(inst) == spv::Op::OpTypePointer && inst[1] == pointer)
      type = inst[3];
  });
  if (type == 0)
    return words;
  uint32_t bound = words[SpirvBoundWord], glsl = findGlslImport(words);
  const bool isImported = glsl != 0;
  if (!isImported)
    glsl = bound++;
  const uint32_t zero = bound++, one = bound++;
  bool isInFunctions = false;
  std::vector<uint32_t> out(words.begin(), words.begin() + SpirvHeaderWords);
  eachInstruction(words, [&](SpirvInstruction inst) {
    if (opcodeOf(inst) == spv::Op::OpMemoryModel && !isImported)
      appendGlslImport(out, glsl);
    if (opcodeOf(inst) == spv::Op::OpFunction && !isInFunctions) {
      isInFunctions = true;
      appendInstruction(out, spv::Op::OpConstant, {type, zero, std::bit_cast<uint32_t>(0.0f)});
      appendInstruction(out, spv::Op::OpConstant, {type, one, std::bit_cast<uint32_t>(1.0f)});
    }
    const bool isStore = opcodeOf(inst) == spv::Op::OpStore && inst[1] == depth;
    const uint32_t clamped = isStore ? bound++ : 0;
    if (isStore)
      appendInstruction(out, spv::Op::OpExtInst, {type, clamped, glsl, GLSLstd450FClamp, inst[2], zero, one});
    const size_t begin = out.size();
    out.insert(out.end(), inst.begin(), inst.end());
    if (isStore)
      out[begin + 2] = clamped;
  });
  out[SpirvBoundWord] = bound;
  return out;
}

} // namespace dovetail

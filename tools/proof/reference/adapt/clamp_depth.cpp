// SPDX-License-Identifier: MIT
#include "tools/proof/reference/adapt/clamp_depth.h"
#include "tools/proof/spirv/spirv_editor.h"
#include <spirv/unified1/GLSL.std.450.h>

namespace dovetail {

std::vector<uint32_t> withClampedDepth(const std::vector<uint32_t> &words) {
  SpirvEditor editor(words);
  return editor.rewrite([&](SpirvEditor::Instruction inst) {
    if (inst.opcode == spv::Op::OpStore &&
        editor.decoration(inst.operands[0], spv::Decoration::BuiltIn) == uint32_t(spv::BuiltIn::FragDepth)) {
      const uint32_t glsl = editor.declareImport("GLSL.std.450");
      const uint32_t zero = editor.declareFloat(0), one = editor.declareFloat(1);
      uint32_t &value = inst.operands[1];
      value = editor.emit(spv::Op::OpExtInst, editor.typeOf(value), {glsl, GLSLstd450FClamp, value, zero, one});
    }
    editor.emit(inst);
  });
}

} // namespace dovetail

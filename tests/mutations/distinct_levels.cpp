// SPDX-License-Identifier: MIT
//
// A level is stored through an access chain of one index, constant or not, from one of two built-in arrays; or all
// levels of an array are stored at once.
#include "tests/mutations/distinct_levels.h"
#include "tools/proof/spirv/spirv_editor.h"

namespace dovetail::mutations {

namespace {

using spv::Op;

// Larger than the differences that the spacing of edges rounds away.
constexpr float Step = 1.25f;

class Rewriter : SpirvEditor {
public:
  using SpirvEditor::SpirvEditor;

  Words run() {
    return rewrite([&](Instruction inst) {
      if (inst.opcode == Op::OpStore)
        inst.operands[1] = larger(definition(inst.operands[0]), inst.operands[1]);
      emit(inst);
    });
  }

private:
  // The levels of a built-in array; 0 for other variables.
  uint32_t levelsOf(uint32_t variable) const {
    const std::optional<uint32_t> builtIn = decoration(variable, spv::Decoration::BuiltIn);
    return builtIn == uint32_t(spv::BuiltIn::TessLevelOuter)   ? 4
           : builtIn == uint32_t(spv::BuiltIn::TessLevelInner) ? 2
                                                               : 0;
  }

  // The larger value to store instead.
  uint32_t larger(const Instruction &pointer, uint32_t value) {
    auto type = [&] { return declareType(Op::OpTypeFloat, {32}); };
    if (pointer.isAccessChain() && pointer.operands.size() == 2 && levelsOf(pointer.operands[0]) != 0) {
      const uint32_t edge = emit(Op::OpConvertSToF, type(), {pointer.operands[1]});
      return emit(Op::OpFAdd, type(), {value, emit(Op::OpFMul, type(), {edge, declareFloat(Step)})});
    }
    for (uint32_t edge = 0; edge < levelsOf(pointer.result); ++edge) {
      const uint32_t level = emit(Op::OpCompositeExtract, type(), {value, edge});
      const uint32_t raised = emit(Op::OpFAdd, type(), {level, declareFloat(Step * float(edge))});
      value = emit(Op::OpCompositeInsert, pointee(pointer.type), {raised, value, edge});
    }
    return value;
  }
};

} // namespace

std::vector<uint32_t> withDistinctLevels(const std::vector<uint32_t> &words) {
  return Rewriter(words).run();
}

} // namespace dovetail::mutations

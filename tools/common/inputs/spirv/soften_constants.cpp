// SPDX-License-Identifier: MIT
#include "tools/common/inputs/spirv/soften_constants.h"
#include "tools/proof/spirv/spirv_editor.h"
#include <bit>
#include <cmath>

namespace dovetail {

namespace {

constexpr float Large = 16;

// Divides only by a power of two, so the mantissa stays the same.
float soften(float value) {
  constexpr int BitsAboveHalf = 3;
  int exponent = 0;
  return std::ldexp(std::frexp(value, &exponent), BitsAboveHalf);
}

class Softener : SpirvEditor {
public:
  using SpirvEditor::SpirvEditor;

  // Returns no words if nothing is multiplied by a large constant.
  Words run() {
    Words softened = rewrite([&](Instruction inst) { visit(std::move(inst)); });
    return m_isSofter ? softened : Words();
  }

private:
  void visit(Instruction inst) {
    switch (inst.opcode) {
    case spv::Op::OpConstant: {
      emit(inst);
      const float value = std::bit_cast<float>(inst.operands[0]);
      const Instruction &type = definition(inst.type);
      if (type.opcode == spv::Op::OpTypeFloat && type.is(0, 32) && std::isfinite(value) && std::fabs(value) >= Large)
        m_twins[inst.result] = emit(inst.opcode, inst.type, {std::bit_cast<uint32_t>(soften(value))});
      return;
    }
    case spv::Op::OpConstantComposite:
      emit(inst);
      if (replace(inst.operands))
        m_twins[inst.result] = emit(inst.opcode, inst.type, inst.operands);
      return;
    case spv::Op::OpFMul:
    case spv::Op::OpVectorTimesScalar:
    case spv::Op::OpMatrixTimesScalar:
    case spv::Op::OpDot:
      m_isSofter |= replace(inst.operands);
      break;
    default:
      break;
    }
    emit(inst);
  }

  bool replace(Words &ids) const {
    bool isChanged = false;
    for (uint32_t &id : ids)
      if (auto twin = m_twins.find(id); twin != m_twins.end()) {
        id = twin->second;
        isChanged = true;
      }
    return isChanged;
  }

  bool m_isSofter = false;
  std::map<uint32_t, uint32_t> m_twins; // softened constants by the original's id
};

} // namespace

std::vector<uint32_t> softenConstants(std::span<const uint32_t> words) {
  std::vector<uint32_t> softened = Softener(words).run();
  return softened.empty() ? std::vector(words.begin(), words.end()) : softened;
}

} // namespace dovetail

// SPDX-License-Identifier: MIT
//
// An instruction gets a new result id, and a product behind it takes over the old id.
#include "tools/common/inputs/spirv/perturb_floats.h"
#include "tools/proof/spirv/spirv_editor.h"

namespace dovetail {

namespace {

using spv::Op;

class Perturbation : SpirvEditor {
public:
  Perturbation(std::span<const uint32_t> words, uint32_t seed) : SpirvEditor(words), m_random(seed * 2654435761u | 1) {}

  Words run() {
    return rewrite([&](Instruction inst) { visit(std::move(inst)); });
  }

private:
  uint32_t random() {
    m_random ^= m_random << 13;
    m_random ^= m_random >> 17;
    m_random ^= m_random << 5;
    return m_random >> 8;
  }

  // The float type itself, or that of a vector's components; nullptr for other types.
  const Instruction *floatOf(uint32_t typeId) const {
    if (!hasResult(typeId))
      return nullptr;
    const Instruction &type = definition(typeId);
    const Instruction &component = type.opcode == Op::OpTypeVector ? definition(type.operands[0]) : type;
    return component.opcode == Op::OpTypeFloat ? &component : nullptr;
  }

  // A constant: one plus so many steps (ulps) of the type.
  uint32_t factor(const Instruction &type, int32_t steps) {
    const uint32_t width = type.operands[0];
    if (width == 64) {
      const uint64_t bits = 0x3ff0000000000000 + static_cast<uint64_t>(int64_t(steps));
      return declareConstant(type.result, {static_cast<uint32_t>(bits), static_cast<uint32_t>(bits >> 32)});
    }
    const uint32_t one = width == 32 ? 0x3f800000 : 0x3c00;
    return declareConstant(type.result, {one + static_cast<uint32_t>(steps)});
  }

  // Steps below one are half as large, so they count double.
  int32_t randomSteps(int32_t most) {
    const auto steps = static_cast<int32_t>(random() % static_cast<uint32_t>(2 * most + 1)) - most;
    return steps < 0 ? 2 * steps : steps;
  }

  void multiply(uint32_t typeId, uint32_t result, uint32_t value, int32_t most) {
    const bool isVector = definition(typeId).opcode == Op::OpTypeVector;
    const uint32_t by = factor(*floatOf(typeId), randomSteps(most));
    emit({isVector ? Op::OpVectorTimesScalar : Op::OpFMul, typeId, result, {value, by}});
  }

  static bool isSample(Op opcode) {
    return (opcode >= Op::OpImageSampleImplicitLod && opcode <= Op::OpImageSampleProjDrefExplicitLod) ||
           opcode == Op::OpImageGather || opcode == Op::OpImageDrefGather;
  }

  bool isInexact(const Instruction &inst) const {
    switch (inst.opcode) {
    case Op::OpFAdd:
    case Op::OpFSub:
    case Op::OpFMul:
    case Op::OpFDiv:
    case Op::OpFRem:
    case Op::OpFMod:
    case Op::OpVectorTimesScalar:
    case Op::OpMatrixTimesVector:
    case Op::OpVectorTimesMatrix:
    case Op::OpDot:
    case Op::OpExtInst:
    case Op::OpFConvert:
    case Op::OpConvertSToF:
    case Op::OpConvertUToF:
    case Op::OpImageFetch:
    case Op::OpImageRead:
    case Op::OpDPdx:
    case Op::OpDPdy:
    case Op::OpFwidth:
    case Op::OpDPdxFine:
    case Op::OpDPdyFine:
    case Op::OpFwidthFine:
    case Op::OpDPdxCoarse:
    case Op::OpDPdyCoarse:
    case Op::OpFwidthCoarse:
      return true;
    case Op::OpLoad:
      return definition(typeOf(inst.operands[0])).is(0, spv::StorageClass::Input);
    default:
      return isSample(inst.opcode);
    }
  }

  void visit(Instruction inst) {
    constexpr int32_t Ulps = 3, PlaceSteps = 0x800; // 2^-12 of a place, in steps of an f32
    const uint32_t result = inst.result;
    const bool isOff = isInexact(inst) && floatOf(inst.type);
    if (isSample(inst.opcode))
      if (uint32_t &place = inst.operands[1]; const Instruction *type = floatOf(typeOf(place))) {
        const uint32_t moved = freshId();
        multiply(typeOf(place), moved, place, type->is(0, 16) ? Ulps : PlaceSteps);
        place = moved;
      }
    if (isOff)
      inst.result = freshId();
    emit(inst);
    if (isOff)
      multiply(inst.type, result, inst.result, Ulps);
  }

  uint32_t m_random;
};

} // namespace

std::vector<uint32_t> perturbFloats(std::span<const uint32_t> words, uint32_t seed) {
  return Perturbation(words, seed).run();
}

} // namespace dovetail

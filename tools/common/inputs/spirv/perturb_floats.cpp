// SPDX-License-Identifier: MIT
//
// Edits the module's words: an instruction gets a new result id, and a product behind it takes over the old id.
#include "tools/common/inputs/spirv/perturb_floats.h"
#include "src/spirv/module/module.h"
#include "tools/proof/spirv/spirv_words.h"
#include <algorithm>
#include <map>
#include <unordered_map>

namespace dovetail {

namespace {

using spirv::Instruction;
using spv::Op;

class Perturbation {
public:
  Perturbation(const spirv::Module &module, std::span<const uint32_t> words, uint32_t seed)
      : m_module(module), m_words(words), m_random(seed * 2654435761u | 1), m_bound(words[SpirvBoundWord]) {
    for (const Instruction &inst : module.globals)
      m_globals.emplace(inst.result, &inst);
  }

  std::vector<uint32_t> run() {
    for (const spirv::Function &function : m_module.functions)
      for (const spirv::Block &block : function.blocks)
        for (const Instruction &inst : block.instructions)
          m_types.emplace(inst.result, inst.resultType);
    for (const spirv::Function &function : m_module.functions)
      for (const spirv::Block &block : function.blocks)
        for (const Instruction &inst : block.instructions)
          visit(inst);
    return splice();
  }

private:
  // The changes at an instruction: words in front of it, the instruction with another operand or result, words behind
  // it.
  struct Edit {
    std::vector<uint32_t> before, instruction, after;
  };

  const Instruction *global(uint32_t id) const {
    auto found = m_globals.find(id);
    return found == m_globals.end() ? nullptr : found->second;
  }

  uint32_t typeOf(uint32_t id) const {
    if (auto found = m_types.find(id); found != m_types.end())
      return found->second;
    const Instruction *inst = global(id);
    return inst ? inst->resultType : 0;
  }

  uint32_t random() {
    m_random ^= m_random << 13;
    m_random ^= m_random >> 17;
    m_random ^= m_random << 5;
    return m_random >> 8;
  }

  // The float type itself, or that of a vector's components; nullptr for other types.
  const Instruction *floatOf(uint32_t typeId) const {
    const Instruction *type = global(typeId);
    if (type && type->opcode == Op::OpTypeVector)
      type = global(type->operand(0));
    return type && type->opcode == Op::OpTypeFloat ? type : nullptr;
  }

  // A constant: one plus so many steps (ulps) of the type.
  uint32_t factor(const Instruction &type, int32_t steps) {
    auto [found, isNew] = m_factors.try_emplace({type.result, steps}, 0);
    if (!isNew)
      return found->second;
    found->second = m_bound++;
    const uint32_t width = type.operand(0);
    if (width == 64) {
      const uint64_t bits = 0x3ff0000000000000 + static_cast<uint64_t>(int64_t(steps));
      appendInstruction(m_constants, Op::OpConstant,
                        {type.result, found->second, static_cast<uint32_t>(bits), static_cast<uint32_t>(bits >> 32)});
    } else {
      const uint32_t one = width == 32 ? 0x3f800000 : 0x3c00;
      appendInstruction(m_constants, Op::OpConstant, {type.result, found->second, one + static_cast<uint32_t>(steps)});
    }
    return found->second;
  }

  // Steps below one are half as large, so they count double.
  int32_t randomSteps(int32_t most) {
    const auto steps = static_cast<int32_t>(random() % static_cast<uint32_t>(2 * most + 1)) - most;
    return steps < 0 ? 2 * steps : steps;
  }

  void multiply(std::vector<uint32_t> &to, uint32_t typeId, uint32_t result, uint32_t value, int32_t most) {
    const bool isVector = global(typeId)->opcode == Op::OpTypeVector;
    appendInstruction(to, isVector ? Op::OpVectorTimesScalar : Op::OpFMul,
                      {typeId, result, value, factor(*floatOf(typeId), randomSteps(most))});
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
    case Op::OpLoad: {
      const Instruction *pointer = global(typeOf(inst.operand(0)));
      return pointer && pointer->opcode == Op::OpTypePointer &&
             static_cast<spv::StorageClass>(pointer->operand(0)) == spv::StorageClass::Input;
    }
    default:
      return isSample(inst.opcode);
    }
  }

  void visit(const Instruction &inst) {
    constexpr int32_t Ulps = 3, PlaceSteps = 0x800; // 2^-12 of a place, in steps of an f32
    constexpr size_t Coordinate = 1;
    const bool isOff = isInexact(inst) && floatOf(inst.resultType);
    const bool hasPlace = isSample(inst.opcode) && floatOf(typeOf(inst.operand(Coordinate)));
    if (!isOff && !hasPlace)
      return;
    Edit &edit = m_edits[inst.wordOffset];
    const size_t length = m_words[inst.wordOffset] >> 16;
    edit.instruction.assign(m_words.begin() + inst.wordOffset, m_words.begin() + inst.wordOffset + length);
    if (hasPlace) {
      const uint32_t place = inst.operand(Coordinate), moved = m_bound++;
      const bool isWide = floatOf(typeOf(place))->operand(0) != 16;
      multiply(edit.before, typeOf(place), moved, place, isWide ? PlaceSteps : Ulps);
      edit.instruction[length - inst.operandCount() + Coordinate] = moved;
    }
    if (isOff) {
      constexpr size_t ResultWord = 2;
      const uint32_t exact = m_bound++;
      edit.instruction[ResultWord] = exact;
      multiply(edit.after, inst.resultType, inst.result, exact, Ulps);
    }
  }

  std::vector<uint32_t> splice() const {
    size_t firstFunction = m_words.size();
    for (const spirv::Function &function : m_module.functions)
      firstFunction = std::min<size_t>(firstFunction, function.wordOffset);
    std::vector<uint32_t> out(m_words.begin(), m_words.begin() + firstFunction);
    out.insert(out.end(), m_constants.begin(), m_constants.end());
    size_t at = firstFunction;
    for (const auto &[offset, edit] : m_edits) {
      out.insert(out.end(), m_words.begin() + at, m_words.begin() + offset);
      for (const std::vector<uint32_t> *part : {&edit.before, &edit.instruction, &edit.after})
        out.insert(out.end(), part->begin(), part->end());
      at = offset + edit.instruction.size();
    }
    out.insert(out.end(), m_words.begin() + at, m_words.end());
    out[SpirvBoundWord] = m_bound;
    return out;
  }

  const spirv::Module &m_module;
  std::span<const uint32_t> m_words;
  uint32_t m_random, m_bound;
  std::vector<uint32_t> m_constants;
  std::unordered_map<uint32_t, const Instruction *> m_globals;
  std::unordered_map<uint32_t, uint32_t> m_types; // types of the functions' results
  std::map<std::pair<uint32_t, int32_t>, uint32_t> m_factors;
  std::map<size_t, Edit> m_edits;
};

} // namespace

Result<std::vector<uint32_t>> perturbFloats(std::span<const uint32_t> words, uint32_t seed) {
  spirv::Module module = DOVETAIL_TRY(spirv::parseModule(words));
  return Perturbation(module, words, seed).run();
}

} // namespace dovetail

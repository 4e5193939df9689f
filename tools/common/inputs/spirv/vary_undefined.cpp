// SPDX-License-Identifier: MIT
//
// Each rule returns what stands in an instruction's place, and emits what that needs in front of it.
#include "tools/common/inputs/spirv/vary_undefined.h"
#include "tools/proof/spirv/spirv_editor.h"
#include <bit>
#include <spirv/unified1/GLSL.std.450.h>

namespace dovetail {

namespace {

using spv::Op;

constexpr uint32_t MaxElements = 64;

class Variation : SpirvEditor {
public:
  Variation(std::span<const uint32_t> words, uint32_t seed) : SpirvEditor(words), m_seed(seed) {}

  Words run() {
    return rewrite([&](Instruction inst) { emit(varied(std::move(inst))); });
  }

private:
  Instruction varied(Instruction inst) {
    switch (inst.opcode) {
    case Op::OpVariable:
      return variedVariable(std::move(inst));
    case Op::OpUndef:
      return variedUndef(std::move(inst));
    case Op::OpAccessChain:
    case Op::OpInBoundsAccessChain:
      return variedChain(std::move(inst));
    case Op::OpUDiv:
    case Op::OpSDiv:
    case Op::OpUMod:
    case Op::OpSRem:
    case Op::OpSMod:
      return variedDivision(inst);
    case Op::OpShiftLeftLogical:
    case Op::OpShiftRightLogical:
    case Op::OpShiftRightArithmetic:
      return variedShift(inst);
    case Op::OpExtInst:
      return variedClamp(inst);
    case Op::OpImageFetch:
    case Op::OpImageRead:
      return variedSample(std::move(inst));
    case Op::OpVectorShuffle:
      return variedShuffle(std::move(inst));
    case Op::OpVectorExtractDynamic:
      putWithinBounds(inst.operands[1], typeOf(inst.operands[0]));
      return inst;
    case Op::OpVectorInsertDynamic:
      putWithinBounds(inst.operands[2], inst.type);
      return inst;
    default:
      return inst;
    }
  }

  uint32_t random() {
    m_seed = m_seed * 1664525 + 1013904223;
    return m_seed >> 16; // the lower bits of small seeds are nearly equal
  }

  // ---- Constants ----

  // A constant of a type, the same each time; 0 if the type has no constants here.
  uint32_t constantOf(uint32_t typeId) {
    if (auto known = m_known.find(typeId); known != m_known.end())
      return known->second;
    std::optional<Instruction> made = makeConstant(typeId);
    if (!made)
      return 0;
    made->result = freshId();
    add(Section::Global, *made);
    return m_known[typeId] = made->result;
  }

  // A constant that has no id yet.
  std::optional<Instruction> makeConstant(uint32_t typeId) {
    const Instruction &type = definition(typeId);
    switch (type.opcode) {
    case Op::OpTypeFloat:
      return Instruction{Op::OpConstant, typeId, 0, randomFloat(type.operands[0])};
    case Op::OpTypeInt: {
      // Can serve as an index or a truth value.
      Words literals = {random() % 2};
      literals.resize(type.is(0, 64) ? 2 : 1);
      return Instruction{Op::OpConstant, typeId, 0, literals};
    }
    case Op::OpTypeBool:
      return Instruction{random() % 2 ? Op::OpConstantTrue : Op::OpConstantFalse, typeId, 0, {}};
    case Op::OpTypeVector:
    case Op::OpTypeMatrix:
    case Op::OpTypeArray:
    case Op::OpTypeStruct: {
      Words parts = partsOf(type);
      if (std::ranges::find(parts, 0u) != parts.end())
        return std::nullopt;
      return Instruction{Op::OpConstantComposite, typeId, 0, std::move(parts)};
    }
    default:
      return std::nullopt;
    }
  }

  // The literals of a moderate float.
  Words randomFloat(uint32_t width) {
    constexpr float Floats[] = {0, 1, 0.25f, -0.75f, 3};
    constexpr uint16_t Halves[] = {0, 0x3c00, 0x3400, 0xba00, 0x4200};
    const size_t index = random() % std::size(Floats);
    if (width == 32)
      return {std::bit_cast<uint32_t>(Floats[index])};
    if (width == 64)
      return {0, static_cast<uint32_t>(std::bit_cast<uint64_t>(static_cast<double>(Floats[index])) >> 32)};
    return {Halves[random() % std::size(Halves)]};
  }

  // The number of a vector's, a matrix's or an array's elements; nothing if it is not known here.
  std::optional<uint32_t> countOf(const Instruction &type) const {
    const uint32_t count = type.operands[1];
    return type.opcode == Op::OpTypeArray ? valueOf(count) : std::optional(count);
  }

  // Constants for the parts of a type. A 0 among them: there is none, or there would be too many.
  Words partsOf(const Instruction &type) {
    Words parts = type.operands;
    if (type.opcode == Op::OpTypeStruct)
      for (uint32_t &part : parts)
        part = constantOf(part);
    else if (const std::optional<uint32_t> count = countOf(type); count && *count <= MaxElements)
      parts.assign(*count, constantOf(parts[0]));
    else
      parts.assign(1, 0);
    return parts;
  }

  // The bool type that a comparison of numbers of a type has.
  uint32_t boolsLike(uint32_t typeId) {
    const uint32_t component = declareType(Op::OpTypeBool, {});
    const Instruction &type = definition(typeId);
    return type.opcode == Op::OpTypeVector ? declareType(Op::OpTypeVector, {component, type.operands[1]}) : component;
  }

  // ---- Rules ----

  Instruction variedVariable(Instruction variable) {
    const bool isOutputOfItsOwn =
        variable.is(0, spv::StorageClass::Output) && decoration(variable.result, spv::Decoration::Location);
    const bool hasInitializer = variable.operands.size() > 1;
    if (!hasInitializer &&
        (variable.is(0, spv::StorageClass::Function) || variable.is(0, spv::StorageClass::Private) || isOutputOfItsOwn))
      if (const uint32_t value = constantOf(pointee(variable.type)))
        variable.operands.push_back(value);
    return variable;
  }

  Instruction variedUndef(Instruction undef) {
    if (isInFunctions()) {
      const uint32_t value = constantOf(undef.type);
      return value ? Instruction{Op::OpCopyObject, undef.type, undef.result, {value}} : undef;
    }
    std::optional<Instruction> constant = makeConstant(undef.type);
    m_known.erase(undef.type);
    if (!constant)
      return undef;
    constant->result = undef.result;
    return *constant;
  }

  Instruction variedChain(Instruction chain) {
    const Instruction &pointer = definition(typeOf(chain.operands[0]));
    // Descriptors stay: the scene maker fills them. Arrays of inputs and outputs stay, too: their index has a meaning.
    const bool isInterface = pointer.is(0, spv::StorageClass::Input) || pointer.is(0, spv::StorageClass::Output);
    if (pointer.is(0, spv::StorageClass::UniformConstant))
      return chain;
    uint32_t typeId = pointer.operands[1];
    for (uint32_t &index : std::span(chain.operands).subspan(1)) {
      const Instruction &type = definition(typeId);
      if (type.opcode == Op::OpTypeStruct) {
        typeId = type.operands[valueOf(index).value_or(0)];
      } else {
        if (!isInterface || type.opcode == Op::OpTypeVector)
          putWithinBounds(index, typeId);
        typeId = type.operands[0];
      }
    }
    return chain;
  }

  // An index beyond the elements of a type becomes one of theirs.
  void putWithinBounds(uint32_t &index, uint32_t typeId) {
    const Instruction &type = definition(typeId), &indexType = definition(typeOf(index));
    if (type.opcode == Op::OpTypeRuntimeArray || !indexType.is(0, 32))
      return;
    const std::optional<uint32_t> count = countOf(type), value = valueOf(index);
    if (!count || *count == 0 || (value && *value < *count))
      return;
    if (value) {
      index = declareConstant(indexType.result, {random() % *count});
      return;
    }
    const uint32_t bools = declareType(Op::OpTypeBool, {}), limit = declareConstant(indexType.result, {*count});
    const uint32_t isInside = emit(Op::OpULessThan, bools, {index, limit});
    const uint32_t other = declareConstant(indexType.result, {random() % *count});
    index = emit(Op::OpSelect, indexType.result, {isInside, index, other});
  }

  // An undefined component of a shuffle becomes a component of one of the vectors.
  Instruction variedShuffle(Instruction shuffle) {
    constexpr uint32_t Undefined = 0xffffffff;
    auto componentsOf = [&](uint32_t vector) { return definition(typeOf(vector)).operands[1]; };
    const uint32_t components = componentsOf(shuffle.operands[0]) + componentsOf(shuffle.operands[1]);
    for (uint32_t &number : std::span(shuffle.operands).subspan(2))
      if (number == Undefined)
        number = random() % components;
    return shuffle;
  }

  // A division by zero has an undefined result. In Vulkan, a remainder with a negative operand is undefined, too. Such
  // a result becomes its complement, or twice that: at least one of the two differs from the results of both sides.
  Instruction variedDivision(const Instruction &division) {
    const uint32_t divisor = division.operands[1], bools = boolsLike(division.type);
    const uint32_t quotient = emit(division.opcode, division.type, division.operands);
    uint32_t isUndefined = emit(Op::OpIEqual, bools, {divisor, declareNull(typeOf(divisor))});
    if (division.opcode == Op::OpSRem || division.opcode == Op::OpSMod)
      for (uint32_t number : division.operands) {
        const uint32_t isNegative = emit(Op::OpSLessThan, bools, {number, declareNull(typeOf(number))});
        isUndefined = emit(Op::OpLogicalOr, bools, {isUndefined, isNegative});
      }
    return choice(division, isUndefined, otherInteger(division.type, quotient), quotient);
  }

  // In place of an instruction: `other` where its result is undefined.
  static Instruction choice(const Instruction &inst, uint32_t isUndefined, uint32_t other, uint32_t defined) {
    return {Op::OpSelect, inst.type, inst.result, {isUndefined, other, defined}};
  }

  // The complement of a value, or twice that.
  uint32_t otherInteger(uint32_t typeId, uint32_t value) {
    const uint32_t complement = emit(Op::OpNot, typeId, {value});
    return random() % 2 == 0 ? complement : emit(Op::OpIAdd, typeId, {complement, complement});
  }

  // A shift by as many bits as the value has, or more, has an undefined result.
  Instruction variedShift(const Instruction &shift) {
    const uint32_t amount = shift.operands[1];
    const Instruction &amountType = definition(typeOf(amount)), &type = definition(shift.type);
    const bool isVector = amountType.opcode == Op::OpTypeVector;
    const Instruction &counting = isVector ? definition(amountType.operands[0]) : amountType;
    const uint32_t width = (isVector ? definition(type.operands[0]) : type).operands[0];
    if (counting.operands[0] > 32 || valueOf(amount).value_or(width) < width)
      return shift;
    const uint32_t bools = boolsLike(shift.type);
    uint32_t limit = declareConstant(counting.result, {width});
    if (isVector)
      limit = emit(Op::OpCompositeConstruct, amountType.result, Words(amountType.operands[1], limit));
    const uint32_t shifted = emit(shift.opcode, shift.type, shift.operands);
    const uint32_t isUndefined = emit(Op::OpUGreaterThanEqual, bools, {amount, limit});
    return choice(shift, isUndefined, otherInteger(shift.type, shifted), shifted);
  }

  // A clamp whose minimum is above its maximum has an undefined result: take the minimum, the maximum or the unclamped
  // value.
  Instruction variedClamp(const Instruction &clamp) {
    if (definition(clamp.operands[0]).operands != packString("GLSL.std.450"))
      return clamp;
    Op comparison = Op::OpFOrdGreaterThan;
    switch (clamp.operands[1]) {
    case GLSLstd450FClamp:
    case GLSLstd450NClamp:
      break;
    case GLSLstd450UClamp:
      comparison = Op::OpUGreaterThan;
      break;
    case GLSLstd450SClamp:
      comparison = Op::OpSGreaterThan;
      break;
    default:
      return clamp;
    }
    const uint32_t value = clamp.operands[2], least = clamp.operands[3], greatest = clamp.operands[4];
    const uint32_t bools = boolsLike(clamp.type);
    const uint32_t clamped = emit(clamp.opcode, clamp.type, clamp.operands);
    const uint32_t isUndefined = emit(comparison, bools, {least, greatest});
    const std::array<uint32_t, 3> others = {least, greatest, value};
    return choice(clamp, isUndefined, others[random() % others.size()], clamped);
  }

  // Makes a read of a sample beyond the fourth defined. Either it reads one of the four samples that all multisampled
  // images of scenes have. Or it reads far outside of the image, which gives 0.
  Instruction variedSample(Instruction read) {
    constexpr uint32_t Sample = 0x40, BitsOfScenes = 2, FarAway = 100'000;
    constexpr size_t CoordinateOperand = 1, MaskOperand = 2;
    if (read.operands.size() <= MaskOperand || (read.operands[MaskOperand] & Sample) == 0)
      return read;
    // Operands of lower mask bits come first; gradients are two operands.
    const uint32_t before = read.operands[MaskOperand] & (Sample - 1);
    const uint32_t gradients = static_cast<uint32_t>(spv::ImageOperandsMask::Grad);
    uint32_t &sample = read.operands[MaskOperand + 1 + std::popcount(before) + ((before & gradients) != 0)];
    const uint32_t index = sample, typeId = typeOf(index);
    if (!definition(typeId).is(0, 32))
      return read;
    const uint32_t mask = declareConstant(typeId, {(1u << BitsOfScenes) - 1}),
                   shift = declareConstant(typeId, {BitsOfScenes}), distance = declareConstant(typeId, {FarAway});
    sample = emit(Op::OpBitwiseAnd, typeId, {index, mask});
    uint32_t &coordinate = read.operands[CoordinateOperand];
    const Instruction &type = definition(typeOf(coordinate));
    if (random() % 2 != 0 && type.opcode == Op::OpTypeVector && type.is(0, typeId)) {
      const uint32_t beyond = emit(Op::OpShiftRightLogical, typeId, {index, shift});
      const uint32_t way = emit(Op::OpIMul, typeId, {beyond, distance});
      const uint32_t vector = emit(Op::OpCompositeConstruct, type.result, Words(type.operands[1], way));
      coordinate = emit(Op::OpIAdd, type.result, {coordinate, vector});
    }
    return read;
  }

  uint32_t m_seed;
  std::map<uint32_t, uint32_t> m_known; // constants by type
};

} // namespace

std::vector<uint32_t> varyUndefined(std::span<const uint32_t> words, uint32_t seed) {
  return Variation(words, seed).run();
}

} // namespace dovetail

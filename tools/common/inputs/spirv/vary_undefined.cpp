// SPDX-License-Identifier: MIT
//
// Edits the module's words: adds constants in front of the first function, or of the global variable that needs them,
// and selects in front of access chains.
#include "tools/common/inputs/spirv/vary_undefined.h"
#include "src/spirv/module/module.h"
#include "tools/proof/spirv/spirv_words.h"
#include <algorithm>
#include <bit>
#include <map>
#include <optional>
#include <spirv/unified1/GLSL.std.450.h>
#include <unordered_map>

namespace dovetail {

namespace {

using spirv::Instruction;
using spv::Op;

constexpr uint32_t MaxElements = 64;

class Variation {
public:
  Variation(const spirv::Module &module, std::span<const uint32_t> words, uint32_t seed)
      : m_module(module), m_words(words), m_seed(seed), m_bound(words[SpirvBoundWord]) {
    for (const Instruction &inst : module.globals)
      m_globals.emplace(inst.result, &inst);
  }

  std::vector<uint32_t> run() {
    for (const Instruction &inst : m_module.globals)
      visitGlobal(inst);
    // In front of the first function: the last place for types, constants and variables.
    m_place = m_module.functions.empty() ? m_words.size() : firstFunction();
    for (const spirv::Function &function : m_module.functions) {
      for (const Instruction &parameter : function.parameters)
        m_types.emplace(parameter.result, parameter.resultType);
      for (const spirv::Block &block : function.blocks)
        for (const Instruction &inst : block.instructions)
          m_types.emplace(inst.result, inst.resultType);
      for (const spirv::Block &block : function.blocks)
        for (const Instruction &inst : block.instructions)
          visit(inst);
    }
    return splice();
  }

private:
  // Words to insert at an offset, and how many old words from there on they replace.
  struct Edit {
    std::vector<uint32_t> words;
    size_t replaced = 0;
  };

  size_t firstFunction() const {
    size_t first = m_words.size();
    for (const spirv::Function &function : m_module.functions)
      first = std::min<size_t>(first, function.wordOffset);
    return first;
  }

  std::vector<uint32_t> splice() const {
    std::vector<uint32_t> out;
    size_t at = 0;
    for (const auto &[offset, edit] : m_edits) {
      out.insert(out.end(), m_words.begin() + at, m_words.begin() + offset);
      out.insert(out.end(), edit.words.begin(), edit.words.end());
      at = offset + edit.replaced;
    }
    out.insert(out.end(), m_words.begin() + at, m_words.end());
    out[SpirvBoundWord] = m_bound;
    return out;
  }

  size_t lengthOf(const Instruction &inst) const { return m_words[inst.wordOffset] >> 16; }

  const Instruction *global(uint32_t id) const {
    auto found = m_globals.find(id);
    return found == m_globals.end() ? nullptr : found->second;
  }

  std::optional<uint32_t> constantValue(uint32_t id) const {
    const Instruction *inst = global(id);
    return inst && inst->opcode == Op::OpConstant ? std::optional(inst->operand(0)) : std::nullopt;
  }

  uint32_t typeOf(uint32_t id) const {
    if (auto found = m_types.find(id); found != m_types.end())
      return found->second;
    const Instruction *inst = global(id);
    return inst ? inst->resultType : 0;
  }

  uint32_t random() {
    m_seed = m_seed * 1664525 + 1013904223;
    return m_seed >> 16; // the lower bits of small seeds are nearly equal
  }

  // A constant of a type, declared at m_place; 0 if the type has no constants here. `id`: the id that it must get, or
  // 0.
  uint32_t constantOf(uint32_t typeId, uint32_t id = 0) {
    if (auto known = m_known.find(typeId); known != m_known.end() && id == 0)
      return known->second;
    const Instruction *type = global(typeId);
    if (!type)
      return 0;
    std::vector<uint32_t> words;
    auto named = [&] { return id ? id : m_bound++; };
    switch (type->opcode) {
    case Op::OpTypeFloat:
    case Op::OpTypeInt: {
      const uint32_t width = type->operand(0);
      const uint32_t value = scalarBits(type->opcode == Op::OpTypeFloat, width);
      id = named();
      if (width == 64)
        appendInstruction(
            words, Op::OpConstant,
            {typeId, id, type->opcode == Op::OpTypeFloat ? 0 : value, type->opcode == Op::OpTypeFloat ? value : 0});
      else
        appendInstruction(words, Op::OpConstant, {typeId, id, value});
      break;
    }
    case Op::OpTypeBool:
      id = named();
      appendInstruction(words, random() % 2 ? Op::OpConstantTrue : Op::OpConstantFalse, {typeId, id});
      break;
    case Op::OpTypeVector:
    case Op::OpTypeMatrix:
    case Op::OpTypeArray:
    case Op::OpTypeStruct: {
      std::vector<uint32_t> parts;
      if (!partsOf(*type, parts))
        return 0;
      id = named();
      words = {static_cast<uint32_t>(parts.size() + 3) << 16 | static_cast<uint32_t>(Op::OpConstantComposite), typeId,
               id};
      words.insert(words.end(), parts.begin(), parts.end());
      break;
    }
    default:
      return 0;
    }
    std::vector<uint32_t> &edit = m_edits[m_place].words;
    edit.insert(edit.end(), words.begin(), words.end());
    m_known.try_emplace(typeId, id);
    return id;
  }

  // Moderate floats, and integers that can serve as an index or a truth value.
  uint32_t scalarBits(bool isFloat, uint32_t width) {
    constexpr float Floats[] = {0, 1, 0.25f, -0.75f, 3};
    if (!isFloat)
      return random() % 2;
    const float value = Floats[random() % std::size(Floats)];
    if (width == 32)
      return std::bit_cast<uint32_t>(value);
    if (width == 64)
      return static_cast<uint32_t>(std::bit_cast<uint64_t>(static_cast<double>(value)) >> 32);
    constexpr uint16_t Halves[] = {0, 0x3c00, 0x3400, 0xba00, 0x4200};
    return Halves[random() % std::size(Halves)];
  }

  bool partsOf(const Instruction &type, std::vector<uint32_t> &parts) {
    if (type.opcode == Op::OpTypeStruct) {
      for (uint32_t member : type.operands)
        parts.push_back(constantOf(member));
    } else {
      const std::optional<uint32_t> count =
          type.opcode == Op::OpTypeArray ? constantValue(type.operand(1)) : std::optional(type.operand(1));
      if (!count || *count > MaxElements)
        return false;
      parts.assign(*count, constantOf(type.operand(0)));
    }
    return std::ranges::find(parts, 0u) == parts.end();
  }

  void visitGlobal(const Instruction &inst) {
    m_place = inst.wordOffset;
    if (inst.opcode == Op::OpUndef) {
      if (constantOf(inst.resultType, inst.result) != 0)
        m_edits[inst.wordOffset].replaced = lengthOf(inst);
      m_known.erase(inst.resultType);
    }
    if (inst.opcode == Op::OpVariable)
      initialize(inst);
  }

  bool isOutputOfItsOwn(const Instruction &variable) const {
    return spirv::findDecoration(m_module.decorations(variable.result), spv::Decoration::Location) != nullptr;
  }

  void initialize(const Instruction &variable) {
    const auto storageClass = static_cast<spv::StorageClass>(variable.operand(0));
    const bool isOutput = storageClass == spv::StorageClass::Output && isOutputOfItsOwn(variable);
    if (variable.operandCount() > 1 ||
        (storageClass != spv::StorageClass::Function && storageClass != spv::StorageClass::Private && !isOutput))
      return;
    const Instruction *pointer = global(variable.resultType);
    const uint32_t value = pointer ? constantOf(pointer->operand(1)) : 0;
    if (value == 0)
      return;
    Edit &edit = m_edits[variable.wordOffset];
    appendInstruction(edit.words, Op::OpVariable, {variable.resultType, variable.result, variable.operand(0), value});
    edit.replaced = lengthOf(variable);
  }

  void visit(const Instruction &inst) {
    switch (inst.opcode) {
    case Op::OpVariable:
      return initialize(inst);
    case Op::OpUndef:
      if (const uint32_t value = constantOf(inst.resultType)) {
        Edit &edit = m_edits[inst.wordOffset];
        appendInstruction(edit.words, Op::OpCopyObject, {inst.resultType, inst.result, value});
        edit.replaced = lengthOf(inst);
      }
      return;
    case Op::OpAccessChain:
    case Op::OpInBoundsAccessChain:
      return visitChain(inst);
    case Op::OpUDiv:
    case Op::OpSDiv:
    case Op::OpUMod:
    case Op::OpSRem:
    case Op::OpSMod:
      return visitDivision(inst);
    case Op::OpShiftLeftLogical:
    case Op::OpShiftRightLogical:
    case Op::OpShiftRightArithmetic:
      return visitShift(inst);
    case Op::OpExtInst:
      return visitClamp(inst);
    case Op::OpImageFetch:
    case Op::OpImageRead:
      return visitSample(inst);
    case Op::OpVectorShuffle:
      return visitShuffle(inst);
    case Op::OpVectorExtractDynamic:
      return replaceOperands(inst, {{1, typeOf(inst.operand(0))}});
    case Op::OpVectorInsertDynamic:
      return replaceOperands(inst, {{2, inst.resultType}});
    default:
      return;
    }
  }

  // Operands that are indices, each with the type that it indexes.
  using Indices = std::vector<std::pair<size_t, uint32_t>>;

  void visitChain(const Instruction &chain) {
    const Instruction *pointer = global(typeOf(chain.operand(0)));
    if (!pointer || pointer->opcode != Op::OpTypePointer)
      return;
    const auto storageClass = static_cast<spv::StorageClass>(pointer->operand(0));
    // Descriptors stay: the scene maker fills them. Arrays of inputs and outputs stay, too: their index has a meaning.
    const bool isInterface = storageClass == spv::StorageClass::Input || storageClass == spv::StorageClass::Output;
    if (storageClass == spv::StorageClass::UniformConstant)
      return;
    uint32_t typeId = pointer->operand(1);
    Indices indices;
    for (size_t i = 1; i < chain.operandCount(); ++i) {
      const Instruction *type = global(typeId);
      if (!type)
        break;
      if (type->opcode == Op::OpTypeStruct) {
        typeId = type->operand(constantValue(chain.operand(i)).value_or(0));
      } else {
        if (!isInterface || type->opcode == Op::OpTypeVector)
          indices.emplace_back(i, typeId);
        typeId = type->operand(0);
      }
    }
    replaceOperands(chain, indices);
  }

  // An undefined component of a shuffle becomes a component of one of the vectors.
  void visitShuffle(const Instruction &shuffle) {
    constexpr uint32_t Undefined = 0xffffffff;
    const Instruction *first = global(typeOf(shuffle.operand(0))), *second = global(typeOf(shuffle.operand(1)));
    if (!first || !second || std::ranges::find(shuffle.operands.subspan(2), Undefined) == shuffle.operands.end())
      return;
    Edit &edit = m_edits[shuffle.wordOffset];
    edit.replaced = lengthOf(shuffle);
    edit.words.assign(m_words.begin() + shuffle.wordOffset, m_words.begin() + shuffle.wordOffset + edit.replaced);
    const uint32_t components = first->operand(1) + second->operand(1);
    const size_t firstNumber = edit.replaced - shuffle.operandCount() + 2;
    for (uint32_t &number : std::span(edit.words).subspan(firstNumber))
      if (number == Undefined)
        number = random() % components;
  }

  // A division by zero has an undefined result. In Vulkan, a remainder with a negative operand is undefined, too. Such
  // a result becomes its complement, or twice that: at least one of the two differs from the results of both sides.
  void visitDivision(const Instruction &division) {
    const uint32_t dividend = division.operand(0), divisor = division.operand(1);
    const uint32_t bools = boolsLike(division.resultType);
    if (bools == 0)
      return;
    Edit &edit = m_edits[division.wordOffset];
    const uint32_t quotient = m_bound++;
    uint32_t isUndefined = m_bound++;
    appendInstruction(edit.words, division.opcode, {division.resultType, quotient, dividend, divisor});
    appendInstruction(edit.words, Op::OpIEqual, {bools, isUndefined, divisor, zeroOf(typeOf(divisor))});
    if (division.opcode == Op::OpSRem || division.opcode == Op::OpSMod)
      for (uint32_t number : {dividend, divisor}) {
        const uint32_t isNegative = m_bound++, isEither = m_bound++;
        appendInstruction(edit.words, Op::OpSLessThan, {bools, isNegative, number, zeroOf(typeOf(number))});
        appendInstruction(edit.words, Op::OpLogicalOr, {bools, isEither, isUndefined, isNegative});
        isUndefined = isEither;
      }
    const uint32_t other = otherInteger(edit, division.resultType, quotient);
    appendInstruction(edit.words, Op::OpSelect, {division.resultType, division.result, isUndefined, other, quotient});
    edit.replaced = lengthOf(division);
  }

  // The complement of a value, or twice that.
  uint32_t otherInteger(Edit &edit, uint32_t typeId, uint32_t value) {
    const uint32_t complement = m_bound++;
    appendInstruction(edit.words, Op::OpNot, {typeId, complement, value});
    if (random() % 2 == 0)
      return complement;
    const uint32_t twice = m_bound++;
    appendInstruction(edit.words, Op::OpIAdd, {typeId, twice, complement, complement});
    return twice;
  }

  // A shift by as many bits as the value has, or more, has an undefined result.
  void visitShift(const Instruction &shift) {
    const uint32_t value = shift.operand(0), amount = shift.operand(1), amountTypeId = typeOf(amount);
    const Instruction *type = global(shift.resultType), *amountType = global(amountTypeId);
    if (!type || !amountType)
      return;
    const bool isVector = amountType->opcode == Op::OpTypeVector;
    const uint32_t amountComponent = isVector ? amountType->operand(0) : amountTypeId;
    const Instruction *component = type->opcode == Op::OpTypeVector ? global(type->operand(0)) : type;
    const Instruction *counting = global(amountComponent);
    if (!component || !counting || counting->opcode != Op::OpTypeInt || counting->operand(0) > 32)
      return;
    const uint32_t width = component->operand(0);
    if (const std::optional<uint32_t> constant = constantValue(amount); constant && *constant < width)
      return;
    const uint32_t bools = boolsLike(shift.resultType);
    uint32_t limit = integer(amountComponent, width);
    Edit &edit = m_edits[shift.wordOffset];
    if (isVector) {
      const uint32_t vector = m_bound++, count = amountType->operand(1);
      edit.words.push_back((count + 3) << 16 | static_cast<uint32_t>(Op::OpCompositeConstruct));
      edit.words.insert(edit.words.end(), {amountTypeId, vector});
      edit.words.insert(edit.words.end(), count, limit);
      limit = vector;
    }
    const uint32_t shifted = m_bound++, isUndefined = m_bound++;
    appendInstruction(edit.words, shift.opcode, {shift.resultType, shifted, value, amount});
    appendInstruction(edit.words, Op::OpUGreaterThanEqual, {bools, isUndefined, amount, limit});
    const uint32_t other = otherInteger(edit, shift.resultType, shifted);
    appendInstruction(edit.words, Op::OpSelect, {shift.resultType, shift.result, isUndefined, other, shifted});
    edit.replaced = lengthOf(shift);
  }

  // A clamp whose minimum is above its maximum has an undefined result: take the minimum, the maximum or the unclamped
  // value.
  void visitClamp(const Instruction &clamp) {
    const auto set = m_module.extInstImports.find(clamp.operand(0));
    if (set == m_module.extInstImports.end() || set->second != "GLSL.std.450" || clamp.operandCount() < 5)
      return;
    Op comparison = Op::OpFOrdGreaterThan;
    switch (clamp.operand(1)) {
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
      return;
    }
    const uint32_t value = clamp.operand(2), least = clamp.operand(3), greatest = clamp.operand(4);
    const uint32_t bools = boolsLike(clamp.resultType);
    if (bools == 0)
      return;
    Edit &edit = m_edits[clamp.wordOffset];
    const uint32_t clamped = m_bound++, isUndefined = m_bound++;
    appendInstruction(edit.words, Op::OpExtInst,
                      {clamp.resultType, clamped, clamp.operand(0), clamp.operand(1), value, least, greatest});
    appendInstruction(edit.words, comparison, {bools, isUndefined, least, greatest});
    const std::array<uint32_t, 3> others = {least, greatest, value};
    appendInstruction(edit.words, Op::OpSelect,
                      {clamp.resultType, clamp.result, isUndefined, others[random() % others.size()], clamped});
    edit.replaced = lengthOf(clamp);
  }

  // Makes a read of a sample beyond the fourth defined. Either it reads one of the four samples that all multisampled
  // images of scenes have. Or it reads far outside of the image, which gives 0.
  void visitSample(const Instruction &read) {
    constexpr uint32_t Sample = 0x40, BitsOfScenes = 2, FarAway = 100'000;
    constexpr size_t CoordinateOperand = 1, MaskOperand = 2;
    if (read.operandCount() <= MaskOperand || (read.operand(MaskOperand) & Sample) == 0)
      return;
    // Operands of lower mask bits come first; gradients are two operands.
    const uint32_t before = read.operand(MaskOperand) & (Sample - 1);
    const uint32_t gradients = static_cast<uint32_t>(spv::ImageOperandsMask::Grad);
    const size_t operand = MaskOperand + 1 + std::popcount(before) + ((before & gradients) != 0);
    const uint32_t index = read.operand(operand), typeId = typeOf(index);
    const Instruction *type = global(typeId);
    if (!type || type->opcode != Op::OpTypeInt || type->operand(0) != 32)
      return;
    std::vector<uint32_t> words(m_words.begin() + read.wordOffset, m_words.begin() + read.wordOffset + lengthOf(read));
    const size_t firstOperand = words.size() - read.operandCount();
    const uint32_t mask = integer(typeId, (1u << BitsOfScenes) - 1), shift = integer(typeId, BitsOfScenes),
                   distance = integer(typeId, FarAway);
    Edit &edit = m_edits[read.wordOffset];
    words[firstOperand + operand] = m_bound;
    appendInstruction(edit.words, Op::OpBitwiseAnd, {typeId, m_bound++, index, mask});
    const uint32_t coordinate = read.operand(CoordinateOperand), coordinateTypeId = typeOf(coordinate);
    const Instruction *coordinateType = global(coordinateTypeId);
    if (random() % 2 != 0 && coordinateType && coordinateType->opcode == Op::OpTypeVector &&
        coordinateType->operand(0) == typeId) {
      const uint32_t beyond = m_bound++, way = m_bound++, vector = m_bound++;
      appendInstruction(edit.words, Op::OpShiftRightLogical, {typeId, beyond, index, shift});
      appendInstruction(edit.words, Op::OpIMul, {typeId, way, beyond, distance});
      const uint32_t count = coordinateType->operand(1);
      edit.words.push_back((count + 3) << 16 | static_cast<uint32_t>(Op::OpCompositeConstruct));
      edit.words.insert(edit.words.end(), {coordinateTypeId, vector});
      edit.words.insert(edit.words.end(), count, way);
      words[firstOperand + CoordinateOperand] = m_bound;
      appendInstruction(edit.words, Op::OpIAdd, {coordinateTypeId, m_bound++, coordinate, vector});
    }
    edit.words.insert(edit.words.end(), words.begin(), words.end());
    edit.replaced = words.size();
  }

  void replaceOperands(const Instruction &inst, const Indices &indices) {
    std::vector<uint32_t> before,
        words(m_words.begin() + inst.wordOffset, m_words.begin() + inst.wordOffset + lengthOf(inst));
    const size_t firstOperand = words.size() - inst.operandCount();
    bool isChanged = false;
    for (const auto &[operand, typeId] : indices) {
      const uint32_t index = withinBounds(inst.operand(operand), typeId, before);
      isChanged |= index != inst.operand(operand);
      words[firstOperand + operand] = index;
    }
    if (!isChanged)
      return;
    Edit &edit = m_edits[inst.wordOffset];
    edit.words.insert(edit.words.end(), before.begin(), before.end());
    edit.words.insert(edit.words.end(), words.begin(), words.end());
    edit.replaced = words.size();
  }

  // The index if it is in bounds, otherwise one that is. Instructions that select between them go to `before`.
  uint32_t withinBounds(uint32_t index, uint32_t typeId, std::vector<uint32_t> &before) {
    const Instruction *type = global(typeId);
    const uint32_t indexTypeId = typeOf(index);
    const Instruction *indexType = global(indexTypeId);
    if (!type || type->opcode == Op::OpTypeRuntimeArray || !indexType || indexType->opcode != Op::OpTypeInt ||
        indexType->operand(0) != 32)
      return index;
    const std::optional<uint32_t> count =
        type->opcode == Op::OpTypeArray ? constantValue(type->operand(1)) : std::optional(type->operand(1));
    if (!count || *count == 0)
      return index;
    if (const std::optional<uint32_t> value = constantValue(index))
      return *value < *count ? index : integer(indexTypeId, random() % *count);
    const uint32_t isInside = m_bound++, chosen = m_bound++;
    appendInstruction(before, Op::OpULessThan, {boolType(), isInside, index, integer(indexTypeId, *count)});
    appendInstruction(before, Op::OpSelect,
                      {indexTypeId, chosen, isInside, index, integer(indexTypeId, random() % *count)});
    return chosen;
  }

  uint32_t integer(uint32_t typeId, uint32_t value) {
    auto [found, isNew] = m_integers.try_emplace({typeId, value}, 0);
    if (isNew) {
      found->second = m_bound++;
      appendInstruction(m_edits[m_place].words, Op::OpConstant, {typeId, found->second, value});
    }
    return found->second;
  }

  uint32_t zeroOf(uint32_t typeId) {
    auto [found, isNew] = m_zeros.try_emplace(typeId, 0);
    if (isNew) {
      found->second = m_bound++;
      appendInstruction(m_edits[m_place].words, Op::OpConstantNull, {typeId, found->second});
    }
    return found->second;
  }

  // The bool type that a comparison of numbers of a type has; 0: unknown here.
  uint32_t boolsLike(uint32_t typeId) {
    const Instruction *type = global(typeId);
    if (!type || type->opcode != Op::OpTypeVector)
      return type ? boolType() : 0;
    const uint32_t component = boolType(), count = type->operand(1);
    for (const Instruction &inst : m_module.globals)
      if (inst.opcode == Op::OpTypeVector && inst.operand(0) == component && inst.operand(1) == count)
        return inst.result;
    auto [found, isNew] = m_boolVectors.try_emplace(count, 0);
    if (isNew) {
      found->second = m_bound++;
      appendInstruction(m_edits[m_place].words, Op::OpTypeVector, {found->second, component, count});
    }
    return found->second;
  }

  uint32_t boolType() {
    if (m_bool == 0)
      for (const Instruction &inst : m_module.globals)
        if (inst.opcode == Op::OpTypeBool)
          m_bool = inst.result;
    if (m_bool == 0) {
      m_bool = m_bound++;
      appendInstruction(m_edits[m_place].words, Op::OpTypeBool, {m_bool});
    }
    return m_bool;
  }

  const spirv::Module &m_module;
  std::span<const uint32_t> m_words;
  uint32_t m_seed, m_bound;
  size_t m_place = 0; // the offset where constants are declared now
  std::unordered_map<uint32_t, const Instruction *> m_globals;
  std::unordered_map<uint32_t, uint32_t> m_types; // types of the functions' results
  std::map<size_t, Edit> m_edits;
  std::unordered_map<uint32_t, uint32_t> m_known; // constants by type
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> m_integers;
  std::unordered_map<uint32_t, uint32_t> m_zeros;       // by type
  std::unordered_map<uint32_t, uint32_t> m_boolVectors; // by their number of components
  uint32_t m_bool = 0;
};

} // namespace

Result<std::vector<uint32_t>> varyUndefined(std::span<const uint32_t> words, uint32_t seed) {
  spirv::Module module = DOVETAIL_TRY(spirv::parseModule(words));
  return Variation(module, words, seed).run();
}

} // namespace dovetail

// SPDX-License-Identifier: MIT
//
// Treats each value of a shader as a list of components, some of which are words of a block. Loads give words; bit
// casts, shuffles and compositions move them.
// - A word is a float if a component of a float holds it.
// - A word that is declared as a float is an integer if the shader casts it to an integer and no arithmetic uses it as
//   a float.
// - Four consecutive words of 4 bytes that are multiplied with one component of a vector may be the matrix column with
//   the component's number. They are a column if another column lies beside them.
// - The matrix's other columns need only be floats: a component may be computed, and translators leave out products
//   with 1.
#include "tools/proof/scene/maker/word_uses.h"
#include "src/spirv/reflect/value_flow.h"
#include "tools/proof/scene/maker/numbers.h"
#include "tools/proof/scene/maker/random.h"
#include <algorithm>
#include <bit>
#include <optional>
#include <unordered_map>
#include <vector>

namespace dovetail {

namespace {

using spirv::Instruction;
using spv::Op;

constexpr uint32_t WordBytes = 4, ColumnWords = 4, ColumnBytes = ColumnWords * WordBytes;

using WordPlace = std::tuple<uint32_t, uint32_t, uint32_t>;

// The origin of a value's component.
struct Component {
  std::optional<WordPlace> word;
  bool isFloat = false;            // that is how the word is declared
  uint32_t vector = 0, number = 0; // else: this component of this id; 0: of no vector
};
using Components = std::vector<Component>;

class UseSearch {
public:
  UseSearch(const spirv::Module &module, uint32_t function, WordUses &uses)
      : m_module(module), m_flow(module, function), m_uses(uses) {}

  void run() {
    for (const spirv::Function *function : m_flow.functions())
      for (const spirv::Block &block : function->blocks)
        for (const Instruction &inst : block.instructions)
          visit(inst);
    addMatrices();
    for (const auto &[word, isInteger] : m_floatWords)
      if (isInteger)
        m_uses.try_emplace(word, WordUse{.isInteger = true});
  }

private:
  void visit(const Instruction &inst) {
    const uint32_t bits = inst.result != 0 ? floatBits(inst.resultType) : 0;
    if (bits != 0)
      for (const Component &component : componentsOf(inst.result))
        if (component.word && !component.isFloat)
          m_uses.try_emplace(*component.word, WordUse{bits});
    if (inst.opcode == Op::OpBitcast && bits == 0)
      noteFloatWords(inst.operand(0), true);
    else if (!moves(inst.opcode))
      for (uint32_t operand : inst.operands)
        noteFloatWords(operand, false);
    if (inst.opcode == Op::OpFMul)
      visitProduct(inst.operand(0), inst.operand(1));
    else if (inst.opcode == Op::OpExtInst && inst.operandCount() == 5) // fma()
      visitProduct(inst.operand(2), inst.operand(3));
  }

  // Whether the instruction keeps the bits of its operands.
  static bool moves(Op opcode) {
    switch (opcode) {
    case Op::OpBitcast:
    case Op::OpCompositeConstruct:
    case Op::OpCompositeExtract:
    case Op::OpCompositeInsert:
    case Op::OpVectorShuffle:
    case Op::OpCopyObject:
    case Op::OpSelect:
    case Op::OpPhi:
    case Op::OpLoad:
    case Op::OpStore:
    case Op::OpFunctionCall:
    case Op::OpReturnValue:
      return true;
    default:
      return false;
    }
  }

  // `id` may also be a literal, or the id of something else.
  void noteFloatWords(uint32_t id, bool isInteger) {
    const Instruction *inst = m_flow.definition(id);
    if (!inst || floatBits(inst->resultType) != 32)
      return;
    for (const Component &component : componentsOf(id))
      if (component.word && component.isFloat)
        m_floatWords.try_emplace(*component.word, isInteger).first->second &= isInteger;
  }

  void visitProduct(uint32_t a, uint32_t b) {
    for (const auto &[words, factor] : {std::pair(a, b), std::pair(b, a)})
      if (const std::optional<WordPlace> place = columnAt(componentsOf(words)))
        if (const std::optional<uint32_t> number = repeatedComponent(componentsOf(factor)))
          if (const auto [set, binding, offset] = *place; offset >= *number * ColumnBytes)
            m_columns[{set, binding, offset - *number * ColumnBytes}] |= 1u << *number;
  }

  void addMatrices() {
    for (const auto &[place, columns] : m_columns) {
      if (std::popcount(columns) < 2)
        continue;
      for (uint32_t number = 0; number < ColumnWords; ++number)
        if (m_uses.contains(at(place, number, 0)))
          for (uint32_t row = 0; row < ColumnWords; ++row)
            m_uses[at(place, number, row)] = {.isMatrix = true, .column = number, .row = row};
    }
  }

  static WordPlace at(WordPlace matrix, uint32_t column, uint32_t row) {
    std::get<2>(matrix) += column * ColumnBytes + row * WordBytes;
    return matrix;
  }

  // The place of the first of four words that are side by side.
  static std::optional<WordPlace> columnAt(const Components &components) {
    if (components.size() != ColumnWords || !components[0].word || components[0].isFloat)
      return std::nullopt;
    WordPlace place = *components[0].word;
    for (const Component &component : components) {
      if (component.word != place)
        return std::nullopt;
      std::get<2>(place) += WordBytes;
    }
    return components[0].word;
  }

  // The number of the component that all components of a vector repeat.
  static std::optional<uint32_t> repeatedComponent(const Components &components) {
    if (components.size() != ColumnWords)
      return std::nullopt;
    for (const Component &component : components)
      if (component.word || component.vector == 0 || component.vector != components[0].vector ||
          component.number != components[0].number)
        return std::nullopt;
    return components[0].number;
  }

  const Components &componentsOf(uint32_t id) {
    if (const auto known = m_components.find(id); known != m_components.end())
      return known->second;
    m_components[id]; // empty for a phi around a loop, which is not followed
    Components found = findComponents(id);
    return m_components[id] = std::move(found);
  }

  Components findComponents(uint32_t id) {
    const Instruction *inst = m_flow.definition(id);
    if (!inst || componentCount(inst->resultType) == 0)
      return {};
    const uint32_t count = componentCount(inst->resultType);
    Components components;
    auto append = [&](uint32_t other) {
      const Components &more = componentsOf(other);
      components.insert(components.end(), more.begin(), more.end());
    };
    switch (inst->opcode) {
    case Op::OpLoad:
      if (std::optional<WordPlace> place = wordAt(inst->operand(0)))
        for (uint32_t number = 0; number < count; ++number) {
          components.push_back({place, floatBits(inst->resultType) != 0});
          std::get<2>(*place) += scalarBytes(inst->resultType);
        }
      break;
    case Op::OpBitcast:
    case Op::OpCopyObject:
      append(inst->operand(0));
      break;
    case Op::OpCompositeConstruct:
      for (uint32_t operand : inst->operands)
        append(operand);
      break;
    case Op::OpCompositeExtract:
      if (const Components &from = componentsOf(inst->operand(0));
          inst->operandCount() == 2 && inst->operand(1) < from.size())
        components = {from[inst->operand(1)]};
      break;
    case Op::OpVectorShuffle: {
      append(inst->operand(0));
      append(inst->operand(1));
      const Components both = std::move(components);
      components.clear();
      for (uint32_t number : inst->operands.subspan(2))
        components.push_back(number < both.size() ? both[number] : Component());
      break;
    }
    default:
      break;
    }
    if (components.size() == count)
      return components;
    components.clear();
    for (uint32_t number = 0; number < count; ++number)
      components.push_back({.vector = count > 1 ? id : 0, .number = number});
    return components;
  }

  // For scalars and vectors of 32 or 64 bits; 0 for all other types.
  uint32_t componentCount(uint32_t typeId) const {
    const Instruction *type = m_flow.definition(typeId);
    if (!type)
      return 0;
    if (type->opcode == Op::OpTypeVector)
      return componentCount(type->operand(0)) ? type->operand(1) : 0;
    return (type->opcode == Op::OpTypeInt || type->opcode == Op::OpTypeFloat) &&
           (type->operand(0) == 32 || type->operand(0) == 64);
  }

  // For a type that has components.
  uint32_t scalarBytes(uint32_t typeId) const {
    const Instruction *type = m_flow.definition(typeId);
    return type->opcode == Op::OpTypeVector ? scalarBytes(type->operand(0)) : type->operand(0) / 8;
  }

  // 0: not a float type.
  uint32_t floatBits(uint32_t typeId) const {
    const Instruction *type = m_flow.definition(typeId);
    if (type && type->opcode == Op::OpTypeVector)
      type = m_flow.definition(type->operand(0));
    return type && type->opcode == Op::OpTypeFloat ? type->operand(0) : 0;
  }

  // The word to which a pointer points (for a vector, its first one), if it is in a block and all indices are constant.
  std::optional<WordPlace> wordAt(uint32_t pointer) const {
    const Instruction *chain = m_flow.definition(pointer);
    const Instruction *pointerType = chain ? m_flow.definition(chain->resultType) : nullptr;
    if (!pointerType || pointerType->opcode != Op::OpTypePointer || componentCount(pointerType->operand(1)) == 0)
      return std::nullopt;
    std::vector<uint32_t> indices;
    for (; chain && (chain->opcode == Op::OpAccessChain || chain->opcode == Op::OpInBoundsAccessChain);
         chain = m_flow.definition(chain->operand(0)))
      for (size_t i = chain->operandCount(); i-- > 1;) {
        const std::optional<uint32_t> index = m_flow.constant(chain->operand(i));
        if (!index)
          return std::nullopt;
        indices.push_back(*index);
      }
    if (!chain || chain->opcode != Op::OpVariable)
      return std::nullopt;
    std::ranges::reverse(indices);
    const auto set = decoration(m_module.decorations(chain->result), spv::Decoration::DescriptorSet);
    const auto binding = decoration(m_module.decorations(chain->result), spv::Decoration::Binding);
    const std::optional<uint32_t> offset = offsetIn(chain->resultType, indices);
    if (!set || !binding || !offset)
      return std::nullopt;
    return WordPlace{*set, *binding, *offset};
  }

  std::optional<uint32_t> offsetIn(uint32_t pointerTypeId, std::span<const uint32_t> indices) const {
    const Instruction *type = m_flow.definition(m_flow.definition(pointerTypeId)->operand(1));
    uint32_t offset = 0;
    bool isInBlock = false; // arrays around the block are arrays of descriptors
    for (uint32_t index : indices) {
      if (!type)
        return std::nullopt;
      switch (type->opcode) {
      case Op::OpTypeStruct:
        isInBlock = true;
        if (index >= type->operandCount())
          return std::nullopt;
        offset += decoration(m_module.memberDecorations(type->result, index), spv::Decoration::Offset).value_or(0);
        type = m_flow.definition(type->operand(index));
        break;
      case Op::OpTypeArray:
      case Op::OpTypeRuntimeArray:
        if (isInBlock)
          offset += index * decoration(m_module.decorations(type->result), spv::Decoration::ArrayStride).value_or(0);
        type = m_flow.definition(type->operand(0));
        break;
      case Op::OpTypeVector:
        offset += index * WordBytes;
        type = m_flow.definition(type->operand(0));
        break;
      default:
        return std::nullopt;
      }
    }
    return offset;
  }

  static std::optional<uint32_t> decoration(std::span<const spirv::DecorationInstance> decorations,
                                            spv::Decoration kind) {
    const spirv::DecorationInstance *found = spirv::findDecoration(decorations, kind);
    return found && !found->operands.empty() ? std::optional(found->operands[0]) : std::nullopt;
  }

  const spirv::Module &m_module;
  spirv::ValueFlow m_flow;
  WordUses &m_uses;
  std::unordered_map<uint32_t, Components> m_components; // by id
  std::map<WordPlace, uint32_t> m_columns;               // by the place of the first, a bit for each
  std::map<WordPlace, bool> m_floatWords;                // those with a use, and whether all uses are as integers
};

// The depth offset moves points at depth 0 behind the near plane.
float nearIdentity(const WordUse &use) {
  constexpr float Depth = 0.1f;
  return use.column == use.row ? 1 : use.column == 3 && use.row == 2 ? Depth : 0;
}

} // namespace

Result<WordUses> findWordUses(const ShaderSet &shaders) {
  WordUses uses;
  for (const ShaderRef &shader : shaders.shaders) {
    if (!shader || shader->passesThrough) // no SPIR-V
      continue;
    const ShaderDescription &description = shader->description;
    const spirv::Module module = DOVETAIL_TRY(spirv::parseModule(description.words));
    for (const spirv::EntryPoint &entry : module.entryPoints)
      // Both enumerations have the stages in the pipeline's order.
      if (entry.name == description.entryPoint &&
          static_cast<uint32_t>(entry.model) == static_cast<uint32_t>(description.stage)) {
        UseSearch(module, entry.function, uses).run();
        break;
      }
  }
  return uses;
}

void writeWords(const WordUses &uses, uint32_t set, uint32_t binding, uint64_t seed, std::span<uint8_t> bytes) {
  Random random(seed, "words");
  for (auto use = uses.lower_bound({set, binding, 0}); use != uses.end(); ++use) {
    const auto [atSet, atBinding, offset] = use->first;
    if (atSet != set || atBinding != binding)
      return;
    const float noise = random.real(-MatrixNoise, MatrixNoise), value = random.real(0.1f, 0.9f);
    if (uint64_t(offset) + use->second.bits / 8 > bytes.size())
      continue;
    if (use->second.isInteger)
      writeNumber(&bytes[offset], NumericClass::Uint, use->second.bits, random.below(4));
    else
      writeNumber(&bytes[offset], NumericClass::Float, use->second.bits,
                  use->second.isMatrix ? nearIdentity(use->second) + noise : value);
  }
}

} // namespace dovetail

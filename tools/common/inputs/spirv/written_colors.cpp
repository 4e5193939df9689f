// SPDX-License-Identifier: MIT
#include "tools/common/inputs/spirv/written_colors.h"
#include "src/spirv/module/module.h"
#include <algorithm>
#include <optional>
#include <unordered_map>

namespace dovetail {

namespace {

using spirv::Instruction;

// What a pointer points to: an output variable, or the element that its known indices select.
struct Place {
  const Instruction *variable = nullptr;
  std::vector<uint32_t> indices;
  bool isExact = true; // all indices are constant
};

class StoreSearch {
public:
  explicit StoreSearch(const spirv::Module &module) : m_module(module) {
    for (const Instruction &inst : module.globals) {
      m_globals.emplace(inst.result, &inst);
      bool isOutput = inst.opcode == spv::Op::OpVariable &&
                      static_cast<spv::StorageClass>(inst.operand(0)) == spv::StorageClass::Output;
      if (!isOutput || !decoration(inst.result, spv::Decoration::Location))
        continue;
      m_places.emplace(inst.result, Place{&inst, {}, true});
      if (inst.operandCount() > 1) // an initializer
        mark(m_places.at(inst.result));
    }
  }

  WrittenColors run(uint32_t entryFunction) {
    for (const spirv::Function *function : m_module.callTree(entryFunction)) {
      for (const Instruction &parameter : function->parameters)
        m_values.emplace(parameter.result, &parameter);
      for (const spirv::Block &block : function->blocks)
        for (const Instruction &inst : block.instructions)
          visit(inst);
    }
    return m_written;
  }

private:
  std::optional<uint32_t> decoration(uint32_t id, spv::Decoration kind) const {
    const spirv::DecorationInstance *found = spirv::findDecoration(m_module.decorations(id), kind);
    return found && !found->operands.empty() ? std::optional(found->operands[0]) : std::nullopt;
  }

  void visit(const Instruction &inst) {
    if (inst.result)
      m_values.insert_or_assign(inst.result, &inst);
    switch (inst.opcode) {
    case spv::Op::OpLoad:
      return;
    case spv::Op::OpStore:
      if (auto place = m_places.find(inst.operand(0)); place != m_places.end())
        markStore(place->second, inst.operand(1));
      return;
    case spv::Op::OpAccessChain:
    case spv::Op::OpInBoundsAccessChain:
      if (auto base = m_places.find(inst.operand(0)); base != m_places.end())
        m_places.insert_or_assign(inst.result, pointInto(base->second, inst));
      return;
    default:
      // Counts not only stores: a pointer may be an argument. A literal may look like a pointer; then too much counts
      // as written, which is safe.
      for (uint32_t operand : inst.operands)
        if (auto place = m_places.find(operand); place != m_places.end())
          mark(place->second);
    }
  }

  Place pointInto(Place place, const Instruction &chain) const {
    for (size_t i = 1; i < chain.operandCount() && place.isExact; ++i) {
      auto index = m_globals.find(chain.operand(i));
      place.isExact = index != m_globals.end() && index->second->opcode == spv::Op::OpConstant;
      if (place.isExact)
        place.indices.push_back(index->second->operand(0));
    }
    return place;
  }

  // Does not mark components of a stored vector that were only read from the same place: `color.rgb = x`.
  void markStore(const Place &place, uint32_t value) {
    const Instruction *type = m_globals.at(place.variable->resultType);
    if (!place.indices.empty() || !place.isExact || m_globals.at(type->operand(1))->opcode != spv::Op::OpTypeVector) {
      mark(place);
      return;
    }
    Place component = place;
    component.indices.resize(1);
    for (uint32_t i = 0; i < m_globals.at(type->operand(1))->operand(1); ++i) {
      component.indices[0] = i;
      if (!isReadBack(value, i, place.variable->result, i))
        mark(component);
    }
  }

  // Whether a component of a value is an unchanged component of the output.
  bool isReadBack(uint32_t value, uint32_t component, uint32_t output, uint32_t outputComponent) const {
    auto found = m_values.find(value);
    if (found == m_values.end())
      return false;
    const Instruction &inst = *found->second;
    switch (inst.opcode) {
    case spv::Op::OpLoad:
      return inst.operand(0) == output && component == outputComponent;
    case spv::Op::OpCompositeInsert:
      return inst.operandCount() == 3 && inst.operand(2) != component &&
             isReadBack(inst.operand(1), component, output, outputComponent);
    case spv::Op::OpVectorShuffle: {
      // Components of the second vector are numbered behind those of the first.
      const uint32_t chosen = inst.operand(2 + component), count = componentCount(inst.operand(0));
      return chosen < count ? isReadBack(inst.operand(0), chosen, output, outputComponent)
                            : isReadBack(inst.operand(1), chosen - count, output, outputComponent);
    }
    default:
      return false;
    }
  }

  // The number of components of a vector value.
  uint32_t componentCount(uint32_t value) const {
    auto found = m_values.find(value);
    const Instruction *inst = found == m_values.end() ? m_globals.at(value) : found->second;
    return m_globals.at(inst->resultType)->operand(1);
  }

  void mark(const Place &place) {
    uint32_t id = place.variable->result;
    auto &masks = decoration(id, spv::Decoration::Index).value_or(0) ? m_written.secondSources : m_written.colors;
    markType(m_globals.at(place.variable->resultType)->operand(1), place.indices,
             decoration(id, spv::Decoration::Location).value_or(0),
             decoration(id, spv::Decoration::Component).value_or(0), masks);
  }

  // Marks the locations of a type, and returns how many it takes.
  uint32_t markType(uint32_t typeId, std::span<const uint32_t> indices, uint32_t location, uint32_t component,
                    std::array<uint32_t, MaxColorTargets> &masks) const {
    const Instruction &type = *m_globals.at(typeId);
    if (type.opcode == spv::Op::OpTypeArray) {
      auto length = m_globals.find(type.operand(1));
      bool isKnown = length != m_globals.end() && length->second->opcode == spv::Op::OpConstant;
      const uint32_t count = isKnown ? length->second->operand(0) : MaxColorTargets;
      uint32_t next = location;
      for (uint32_t i = 0; i < count && next < MaxColorTargets; ++i) {
        std::array<uint32_t, MaxColorTargets> skipped = {};
        bool isStoredTo = indices.empty() || indices[0] == i;
        next += markType(type.operand(0), indices.empty() ? indices : indices.subspan(1), next, component,
                         isStoredTo ? masks : skipped);
      }
      return next - location;
    }
    if (location >= MaxColorTargets)
      return 1;
    uint32_t components = type.opcode == spv::Op::OpTypeVector ? (1u << type.operand(1)) - 1 : 1u;
    if (type.opcode == spv::Op::OpTypeVector && !indices.empty())
      components &= indices[0] < 4 ? 1u << indices[0] : 0u;
    masks[location] |= components << component & 0xf;
    return 1;
  }

  const spirv::Module &m_module;
  std::unordered_map<uint32_t, const Instruction *> m_globals; // by result id
  std::unordered_map<uint32_t, Place> m_places;                // by pointer id
  std::unordered_map<uint32_t, const Instruction *> m_values;  // of functions, by result id
  WrittenColors m_written;
};

} // namespace

Result<WrittenColors> findWrittenColors(const ShaderDescription &fragment) {
  spirv::Module module = DOVETAIL_TRY(spirv::parseModule(fragment.words));
  auto entry = std::ranges::find_if(module.entryPoints, [&](const spirv::EntryPoint &point) {
    return point.name == fragment.entryPoint && point.model == spv::ExecutionModel::Fragment;
  });
  if (entry == module.entryPoints.end())
    return makeError(ErrorCode::InvalidInput, "the module has no fragment shader {}", fragment.entryPoint);
  return StoreSearch(module).run(entry->function);
}

} // namespace dovetail

// SPDX-License-Identifier: MIT
//
// Follows access chains from the variable on. A chain that ends at a texture becomes a chain into the texture's own
// variable, with one index. In other chains, the numbers of members change. A function's parameter could stand for any
// variable, so functions are inlined first.
#include "tools/proof/reference/adapt/lift_textures.h"
#include "tools/proof/reference/adapt/run_passes.h"
#include "tools/proof/spirv/spirv_editor.h"
#include <map>
#include <optional>

namespace dovetail {

namespace {

using spv::Op;
using Words = SpirvEditor::Words;

Words inlined(const Words &words) {
  auto passes = [](spvtools::Optimizer &optimizer) {
    optimizer.RegisterPass(spvtools::CreateWrapOpKillPass());
    optimizer.RegisterPass(spvtools::CreateMergeReturnPass());
    optimizer.RegisterPass(spvtools::CreateInlineExhaustivePass());
    optimizer.RegisterPass(spvtools::CreateEliminateDeadFunctionsPass());
  };
  return runPasses(words, SPV_ENV_UNIVERSAL_1_6, passes).value_or(words);
}

class Lifter : SpirvEditor {
public:
  explicit Lifter(const Words &words) : SpirvEditor(words) {
    for (const Instruction &inst : instructions()) {
      m_hasCalls |= inst.opcode == Op::OpFunctionCall;
      if (inst.opcode != Op::OpVariable || !inst.is(0, spv::StorageClass::UniformConstant))
        continue;
      const uint32_t location = decoration(inst.result, spv::Decoration::Location).value_or(0);
      if (const uint32_t type = pointee(inst.type); isTree(type))
        m_places[inst.result] = {inst.result, type, location, {}};
    }
    for (const auto &[id, place] : m_places)
      addTextures(place, 1);
  }

  bool hasNothingToDo() const { return m_places.empty(); }
  bool hasCalls() const { return m_hasCalls; }

  Words run() {
    m_uint = declareType(Op::OpTypeInt, {32, 0});
    for (const auto &[place, texture] : m_textures) {
      const uint32_t array = freshId(), pointer = freshId();
      const auto storage = uint32_t(spv::StorageClass::UniformConstant);
      decorate(texture.id, spv::Decoration::Location, {place.second});
      add(Section::Global, {Op::OpTypeArray, 0, array, {texture.type, number(texture.count)}});
      add(Section::Global, {Op::OpTypePointer, 0, pointer, {storage, array}});
      add(Section::Global, {Op::OpVariable, pointer, texture.id, {storage}});
    }
    return rewrite([&](Instruction inst) { translate(std::move(inst)); });
  }

private:
  // The index into all arrays around a texture, as one array: a known number, or an id.
  struct Element {
    uint32_t number = 0, id = 0;
  };

  // The target of a pointer into a variable.
  struct Place {
    uint32_t variable = 0, type = 0, location = 0;
    Element element;
  };

  struct Texture {
    uint32_t id = 0, type = 0, count = 1;
  };

  // ---- Types ----

  const Instruction &elementType(uint32_t id) const {
    const Instruction &type = definition(id);
    return type.opcode == Op::OpTypeArray ? elementType(type.operands[0]) : type;
  }

  static bool isOpaque(const Instruction &type) {
    return type.opcode == Op::OpTypeImage || type.opcode == Op::OpTypeSampledImage;
  }

  template <typename F> bool anyMember(uint32_t id, F holds) const {
    const Instruction &type = elementType(id);
    if (type.opcode != Op::OpTypeStruct)
      return holds(type);
    return std::ranges::any_of(type.operands, [&](uint32_t member) { return anyMember(member, holds); });
  }
  bool hasTextures(uint32_t id) const { return anyMember(id, isOpaque); }
  bool hasMemory(uint32_t id) const {
    return anyMember(id, [](const Instruction &type) { return !isOpaque(type); });
  }

  // Whether the type is a structure with textures, or an array of such structures.
  bool isTree(uint32_t id) const { return elementType(id).opcode == Op::OpTypeStruct && hasTextures(id); }

  // Whether nothing is left of an id: of the type, or of the thing that has it.
  bool isGone(uint32_t id) const {
    if (auto place = m_places.find(id); place != m_places.end())
      return !hasMemory(place->second.type);
    if (!hasResult(id))
      return false;
    const Instruction &type = definition(id);
    switch (type.opcode) {
    case Op::OpTypeStruct:
    case Op::OpTypeArray:
      return isTree(id) && !hasMemory(id);
    case Op::OpTypePointer:
      return isGone(type.operands[1]);
    case Op::OpTypeFunction:
      return std::ranges::any_of(type.operands, [&](uint32_t each) { return isGone(each); });
    default:
      return false;
    }
  }

  uint32_t locationsOf(uint32_t id) const {
    const Instruction &type = definition(id);
    if (type.opcode == Op::OpTypeArray)
      return countOf(type) * locationsOf(type.operands[0]);
    return type.opcode == Op::OpTypeStruct ? locationsInFrontOf(type, type.operands.size()) : 1;
  }

  uint32_t locationsInFrontOf(const Instruction &structure, size_t member) const {
    uint32_t count = 0;
    for (size_t each = 0; each < member; ++each)
      count += locationsOf(structure.operands[each]);
    return count;
  }

  uint32_t countOf(const Instruction &array) const { return valueOf(array.operands[1]).value(); }

  // The new number of a member; nullopt: the member is gone.
  std::optional<uint32_t> memberLeft(uint32_t structure, uint32_t member) const {
    const std::span<const uint32_t> members = definition(structure).operands;
    if (!isTree(structure))
      return member;
    if (!hasMemory(members[member]))
      return std::nullopt;
    return static_cast<uint32_t>(
        std::ranges::count_if(members.first(member), [&](uint32_t each) { return hasMemory(each); }));
  }

  void addTextures(Place place, uint32_t count) {
    const Instruction &type = definition(place.type);
    if (isOpaque(type)) {
      m_textures[{place.variable, place.location}] = {freshId(), place.type, count};
    } else if (type.opcode == Op::OpTypeArray) {
      place.type = type.operands[0];
      addTextures(place, count * countOf(type));
    } else if (type.opcode == Op::OpTypeStruct) {
      for (uint32_t member = 0; member < type.operands.size(); ++member)
        addTextures({place.variable, type.operands[member], place.location + locationsInFrontOf(type, member), {}},
                    count);
    }
  }

  // ---- Writing ----

  uint32_t number(uint32_t value) { return declareConstant(m_uint, {value}); }

  // Writes what is left of the instruction.
  void translate(Instruction inst) {
    switch (inst.opcode) {
    case Op::OpEntryPoint:
      translateEntryPoint(inst);
      break;
    case Op::OpName:
    case Op::OpDecorate:
      if (isGone(inst.operands[0]))
        return;
      break;
    case Op::OpMemberName:
    case Op::OpMemberDecorate: {
      const std::optional<uint32_t> left = memberLeft(inst.operands[0], inst.operands[1]);
      if (!left)
        return;
      inst.operands[1] = *left;
      break;
    }
    case Op::OpTypeArray:
    case Op::OpTypePointer:
    case Op::OpTypeFunction:
    case Op::OpVariable:
      if (isGone(inst.result))
        return;
      break;
    case Op::OpTypeStruct:
      if (isGone(inst.result))
        return;
      if (isTree(inst.result))
        std::erase_if(inst.operands, [&](uint32_t each) { return !hasMemory(each); });
      break;
    case Op::OpAccessChain:
    case Op::OpInBoundsAccessChain:
      if (m_places.contains(inst.operands[0]))
        return translateChain(std::move(inst));
      break;
    default:
      break;
    }
    emit(inst);
  }

  // From SPIR-V 1.4 on, the entry point lists all variables.
  void translateEntryPoint(Instruction &inst) {
    constexpr uint32_t listsAllVariables = 0x00010400;
    if (version() < listsAllVariables)
      return;
    // Behind the name, whose last word has a zero byte at the end.
    auto ids =
        std::find_if(inst.operands.begin() + 2, inst.operands.end(), [](uint32_t word) { return !(word >> 24); });
    inst.operands.erase(std::remove_if(ids + 1, inst.operands.end(), [&](uint32_t id) { return isGone(id); }),
                        inst.operands.end());
    for (const auto &[place, texture] : m_textures)
      inst.operands.push_back(texture.id);
  }

  Element stepped(Element outer, uint32_t count, uint32_t index) {
    const std::optional<uint32_t> known = valueOf(index);
    if (outer.id == 0 && known)
      return {outer.number * count + *known, 0};
    if (outer.id == 0 && outer.number == 0)
      return {0, index};
    const uint32_t scaled = outer.id ? emit(Op::OpIMul, m_uint, {outer.id, number(count)}) //
                                     : number(outer.number * count);
    return {0, emit(Op::OpIAdd, m_uint, {scaled, index})};
  }

  void translateChain(Instruction inst) {
    Place place = m_places.at(inst.operands[0]);
    for (uint32_t &index : std::span(inst.operands).subspan(1)) {
      const Instruction &type = definition(place.type);
      if (type.opcode == Op::OpTypeStruct) {
        const uint32_t member = valueOf(index).value();
        if (const std::optional<uint32_t> left = memberLeft(place.type, member); left && *left != member)
          index = number(*left);
        place.location += locationsInFrontOf(type, member);
        place.type = type.operands[member];
        continue;
      }
      // Only a way to a texture needs the element.
      if (type.opcode == Op::OpTypeArray && hasTextures(place.type))
        place.element = stepped(place.element, countOf(type), index);
      place.type = type.operands[0];
    }
    if (isOpaque(definition(place.type))) {
      const uint32_t element = place.element.id ? place.element.id : number(place.element.number);
      inst.opcode = Op::OpAccessChain;
      inst.operands = {m_textures.at({place.variable, place.location}).id, element};
    } else {
      if (hasTextures(place.type))
        m_places[inst.result] = place;
      if (!hasMemory(place.type))
        return;
    }
    emit(inst);
  }

  std::map<uint32_t, Place> m_places;                          // pointers into structures with textures
  std::map<std::pair<uint32_t, uint32_t>, Texture> m_textures; // by variable and location
  uint32_t m_uint = 0;
  bool m_hasCalls = false;
};

} // namespace

std::vector<uint32_t> withTexturesLifted(const std::vector<uint32_t> &words) {
  Lifter lifter(words);
  if (lifter.hasNothingToDo())
    return words;
  if (!lifter.hasCalls())
    return lifter.run();
  return Lifter(inlined(words)).run();
}

} // namespace dovetail

// SPDX-License-Identifier: MIT
//
// Follows access chains from the variable on. A chain that ends at a texture becomes a chain into the texture's own
// variable, with one index. In other chains, the numbers of members change. A function's parameter could stand for any
// variable, so functions are inlined first.
#include "tools/proof/reference/adapt/lift_textures.h"
#include "tools/proof/reference/adapt/run_passes.h"
#include "tools/proof/spirv/spirv_words.h"
#include <iterator>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>

namespace dovetail {

namespace {

using Words = std::vector<uint32_t>;
using Instruction = SpirvInstruction;

Words inlined(const Words &words) {
  auto passes = [](spvtools::Optimizer &optimizer) {
    optimizer.RegisterPass(spvtools::CreateWrapOpKillPass());
    optimizer.RegisterPass(spvtools::CreateMergeReturnPass());
    optimizer.RegisterPass(spvtools::CreateInlineExhaustivePass());
    optimizer.RegisterPass(spvtools::CreateEliminateDeadFunctionsPass());
  };
  return runPasses(words, SPV_ENV_UNIVERSAL_1_6, passes).value_or(words);
}

// The last word of the string has a zero byte at the end.
size_t literalStringWords(Instruction words) {
  const auto last = std::ranges::find_if(words, [](uint32_t word) { return word >> 24 == 0; });
  return static_cast<size_t>(last - words.begin()) + 1;
}

class Lifter {
public:
  explicit Lifter(const Words &words) : m_words(words), m_bound(words[SpirvBoundWord]) {
    eachInstruction(words, [&](Instruction inst) { index(inst); });
    for (Instruction variable : m_variables)
      if (const uint32_t type = m_types.at(variable[1])[3]; isTree(type))
        m_places[variable[2]] = {variable[2], type, m_locations[variable[2]], {}};
    for (const auto &[id, place] : m_places)
      addTextures(place, 1);
  }

  bool hasNothingToDo() const { return m_places.empty(); }
  bool hasCalls() const { return m_hasCalls; }

  Words run() {
    m_out.assign(m_words.begin(), m_words.begin() + SpirvHeaderWords);
    eachInstruction(m_words, [&](Instruction inst) { translate(inst); });
    writeVariables();
    m_out.insert(m_out.end(), m_body.begin(), m_body.end());
    m_out[SpirvBoundWord] = m_bound;
    return std::move(m_out);
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

  void index(Instruction inst) {
    switch (opcodeOf(inst)) {
    case spv::Op::OpDecorate:
      if (static_cast<spv::Decoration>(inst[2]) == spv::Decoration::Location)
        m_locations[inst[1]] = inst[3];
      return;
    case spv::Op::OpConstant:
      m_constants[inst[2]] = inst[3];
      return;
    case spv::Op::OpVariable:
      if (static_cast<spv::StorageClass>(inst[3]) == spv::StorageClass::UniformConstant)
        m_variables.push_back(inst);
      return;
    case spv::Op::OpFunctionCall:
      m_hasCalls = true;
      return;
    default:
      if (opcodeOf(inst) >= spv::Op::OpTypeVoid && opcodeOf(inst) <= spv::Op::OpTypeFunction)
        m_types[inst[1]] = inst;
    }
  }

  // ---- Types ----

  Instruction elementType(uint32_t id) const {
    Instruction type = m_types.at(id);
    while (opcodeOf(type) == spv::Op::OpTypeArray)
      type = m_types.at(type[2]);
    return type;
  }

  static bool isOpaque(Instruction type) {
    return opcodeOf(type) == spv::Op::OpTypeImage || opcodeOf(type) == spv::Op::OpTypeSampledImage;
  }

  template <typename F> bool anyMember(uint32_t id, F holds) const {
    const Instruction type = elementType(id);
    if (opcodeOf(type) != spv::Op::OpTypeStruct)
      return holds(type);
    return std::ranges::any_of(type.subspan(2), [&](uint32_t member) { return anyMember(member, holds); });
  }
  bool hasTextures(uint32_t id) const { return anyMember(id, isOpaque); }
  bool hasMemory(uint32_t id) const {
    return anyMember(id, [](Instruction type) { return !isOpaque(type); });
  }

  // Whether the type is a structure with textures, or an array of such structures.
  bool isTree(uint32_t id) const { return opcodeOf(elementType(id)) == spv::Op::OpTypeStruct && hasTextures(id); }

  // Whether nothing is left of an id: of the type, or of the thing that has it.
  bool isGone(uint32_t id) const {
    if (auto place = m_places.find(id); place != m_places.end())
      return !hasMemory(place->second.type);
    auto found = m_types.find(id);
    if (found == m_types.end())
      return false;
    const Instruction type = found->second;
    switch (opcodeOf(type)) {
    case spv::Op::OpTypeStruct:
    case spv::Op::OpTypeArray:
      return isTree(id) && !hasMemory(id);
    case spv::Op::OpTypePointer:
      return isGone(type[3]);
    case spv::Op::OpTypeFunction:
      return std::ranges::any_of(type.subspan(2), [&](uint32_t each) { return isGone(each); });
    default:
      return false;
    }
  }

  uint32_t locationsOf(uint32_t id) const {
    const Instruction type = m_types.at(id);
    uint32_t count = 1;
    if (opcodeOf(type) == spv::Op::OpTypeArray)
      count = m_constants.at(type[3]) * locationsOf(type[2]);
    else if (opcodeOf(type) == spv::Op::OpTypeStruct)
      count = locationsInFrontOf(type, static_cast<uint32_t>(type.size() - 2));
    return count;
  }

  uint32_t locationsInFrontOf(Instruction structure, uint32_t member) const {
    uint32_t count = 0;
    for (uint32_t each : structure.subspan(2, member))
      count += locationsOf(each);
    return count;
  }

  // The new number of a member; nullopt: the member is gone.
  std::optional<uint32_t> memberLeft(uint32_t structure, uint32_t member) const {
    const Instruction type = m_types.at(structure);
    if (!isTree(structure))
      return member;
    if (!hasMemory(type[2 + member]))
      return std::nullopt;
    return static_cast<uint32_t>(
        std::ranges::count_if(type.subspan(2, member), [&](uint32_t each) { return hasMemory(each); }));
  }

  void addTextures(Place place, uint32_t count) {
    const Instruction type = m_types.at(place.type);
    if (isOpaque(type)) {
      m_textures[{place.variable, place.location}] = {m_bound++, place.type, count};
    } else if (opcodeOf(type) == spv::Op::OpTypeArray) {
      place.type = type[2];
      addTextures(place, count * m_constants.at(type[3]));
    } else if (opcodeOf(type) == spv::Op::OpTypeStruct) {
      for (uint32_t member = 0; member < type.size() - 2; ++member)
        addTextures({place.variable, type[2 + member], place.location + locationsInFrontOf(type, member), {}}, count);
    }
  }

  // ---- Writing ----

  uint32_t number(uint32_t value) {
    uint32_t &id = m_numbers[value];
    if (id == 0)
      id = m_bound++;
    return id;
  }

  // Writes them behind all other types, constants and variables.
  void writeVariables() {
    for (const auto &[place, texture] : m_textures)
      number(texture.count);
    for (const auto &[value, id] : m_numbers)
      appendInstruction(m_out, spv::Op::OpConstant, {m_uint, id, value});
    for (const auto &[place, texture] : m_textures) {
      const uint32_t array = m_bound++, pointer = m_bound++;
      const auto storage = uint32_t(spv::StorageClass::UniformConstant);
      appendInstruction(m_out, spv::Op::OpTypeArray, {array, texture.type, number(texture.count)});
      appendInstruction(m_out, spv::Op::OpTypePointer, {pointer, storage, array});
      appendInstruction(m_out, spv::Op::OpVariable, {pointer, texture.id, storage});
    }
  }

  void writeLocations() {
    for (const auto &[place, texture] : m_textures)
      appendInstruction(m_out, spv::Op::OpDecorate, {texture.id, uint32_t(spv::Decoration::Location), place.second});
  }

  void copy(Instruction inst) {
    Words &to = m_isInFunctions ? m_body : m_out;
    to.insert(to.end(), inst.begin(), inst.end());
  }

  void translate(Instruction inst) {
    const spv::Op opcode = opcodeOf(inst);
    if (opcode >= spv::Op::OpTypeVoid && opcode <= spv::Op::OpTypeForwardPointer && !m_hasLocations) {
      m_hasLocations = true;
      writeLocations();
    }
    switch (opcode) {
    case spv::Op::OpEntryPoint:
      return translateEntryPoint(inst);
    case spv::Op::OpName:
    case spv::Op::OpDecorate:
      if (isGone(inst[1]))
        return;
      break;
    case spv::Op::OpMemberName:
    case spv::Op::OpMemberDecorate:
      return translateMember(inst);
    case spv::Op::OpTypeInt:
      if (inst[2] == 32 && inst[3] == 0)
        m_uint = inst[1];
      break;
    case spv::Op::OpTypeArray:
    case spv::Op::OpTypePointer:
    case spv::Op::OpTypeFunction:
      if (isGone(inst[1]))
        return;
      break;
    case spv::Op::OpTypeStruct:
      return translateStructure(inst);
    case spv::Op::OpVariable:
      if (isGone(inst[2]))
        return;
      break;
    case spv::Op::OpFunction:
      beginFunctions();
      break;
    case spv::Op::OpAccessChain:
    case spv::Op::OpInBoundsAccessChain:
      if (m_places.contains(inst[3]))
        return translateChain(inst);
      break;
    default:
      break;
    }
    copy(inst);
  }

  void beginFunctions() {
    if (m_uint == 0 && !m_isInFunctions)
      appendInstruction(m_out, spv::Op::OpTypeInt, {m_uint = m_bound++, 32, 0});
    m_isInFunctions = true;
  }

  // From SPIR-V 1.4 on, the entry point lists all variables.
  void translateEntryPoint(Instruction inst) {
    constexpr uint32_t listsAllVariables = 0x00010400;
    if (m_words[1] < listsAllVariables)
      return copy(inst);
    constexpr size_t name = 3;
    const size_t ids = name + literalStringWords(inst.subspan(name));
    Words left(inst.begin(), inst.begin() + static_cast<ptrdiff_t>(ids));
    std::ranges::copy_if(inst.subspan(ids), std::back_inserter(left), [&](uint32_t id) { return !isGone(id); });
    for (const auto &[place, texture] : m_textures)
      left.push_back(texture.id);
    left[0] = static_cast<uint32_t>(left.size()) << 16 | uint32_t(spv::Op::OpEntryPoint);
    copy(left);
  }

  void translateMember(Instruction inst) {
    const std::optional<uint32_t> left = memberLeft(inst[1], inst[2]);
    if (!left)
      return;
    const size_t begin = m_out.size();
    copy(inst);
    m_out[begin + 2] = *left;
  }

  void translateStructure(Instruction inst) {
    if (!isTree(inst[1]))
      return copy(inst);
    if (isGone(inst[1]))
      return;
    Words left = {0, inst[1]};
    std::ranges::copy_if(inst.subspan(2), std::back_inserter(left), [&](uint32_t each) { return hasMemory(each); });
    left[0] = static_cast<uint32_t>(left.size()) << 16 | uint32_t(spv::Op::OpTypeStruct);
    copy(left);
  }

  Element stepped(Element outer, uint32_t count, uint32_t index) {
    auto known = m_constants.find(index);
    if (outer.id == 0 && known != m_constants.end())
      return {outer.number * count + known->second, 0};
    if (outer.id == 0 && outer.number == 0)
      return {0, index};
    uint32_t scaled = outer.id ? m_bound++ : number(outer.number * count);
    if (outer.id)
      appendInstruction(m_body, spv::Op::OpIMul, {m_uint, scaled, outer.id, number(count)});
    const uint32_t sum = m_bound++;
    appendInstruction(m_body, spv::Op::OpIAdd, {m_uint, sum, scaled, index});
    return {0, sum};
  }

  void translateChain(Instruction inst) {
    Place place = m_places.at(inst[3]);
    Words left(inst.begin(), inst.begin() + 4);
    for (uint32_t index : inst.subspan(4)) {
      const Instruction type = m_types.at(place.type);
      if (opcodeOf(type) == spv::Op::OpTypeStruct) {
        const uint32_t member = m_constants.at(index);
        const std::optional<uint32_t> numberLeft = memberLeft(place.type, member);
        left.push_back(numberLeft && *numberLeft != member ? number(*numberLeft) : index);
        place.location += locationsInFrontOf(type, member);
        place.type = type[2 + member];
        continue;
      }
      // Only a way to a texture needs the element.
      if (opcodeOf(type) == spv::Op::OpTypeArray && hasTextures(place.type))
        place.element = stepped(place.element, m_constants.at(type[3]), index);
      left.push_back(index);
      place.type = type[2];
    }
    if (isOpaque(m_types.at(place.type))) {
      const uint32_t element = place.element.id ? place.element.id : number(place.element.number);
      return appendInstruction(m_body, spv::Op::OpAccessChain,
                               {inst[1], inst[2], m_textures.at({place.variable, place.location}).id, element});
    }
    if (hasTextures(place.type))
      m_places[inst[2]] = place;
    if (!hasMemory(place.type))
      return;
    left[0] = static_cast<uint32_t>(left.size()) << 16 | (inst[0] & 0xffff);
    copy(left);
  }

  const Words &m_words;
  uint32_t m_bound;
  Words m_out, m_body;
  std::vector<Instruction> m_variables;
  std::unordered_map<uint32_t, Instruction> m_types;
  std::unordered_map<uint32_t, uint32_t> m_constants, m_locations;
  std::map<uint32_t, Place> m_places;                          // pointers into structures with textures
  std::map<std::pair<uint32_t, uint32_t>, Texture> m_textures; // by variable and location
  std::map<uint32_t, uint32_t> m_numbers;                      // ids of added constants, by value
  uint32_t m_uint = 0;
  bool m_hasCalls = false, m_hasLocations = false, m_isInFunctions = false;
};

} // namespace

std::vector<uint32_t> withTexturesLifted(const std::vector<uint32_t> &words) {
  Lifter lifter(words);
  if (lifter.hasNothingToDo())
    return words;
  if (!lifter.hasCalls())
    return lifter.run();
  const Words whole = inlined(words);
  return Lifter(whole).run();
}

} // namespace dovetail

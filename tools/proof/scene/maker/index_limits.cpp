// SPDX-License-Identifier: MIT
//
// Follows values backward: from the indices of access chains to the loads that give them; then from a stage's inputs to
// the values that the stage before stores there.
#include "tools/proof/scene/maker/index_limits.h"
#include "src/spirv/reflect/declarations.h"
#include "src/spirv/reflect/opengl_uniforms.h"
#include "src/spirv/reflect/value_flow.h"
#include "variants/user_data_layout.h"
#include <algorithm>
#include <optional>
#include <unordered_map>

namespace dovetail {

namespace {

using spirv::Instruction;
using spv::Op;

using Locations = std::map<uint32_t, uint32_t>; // limits by location

void lower(uint32_t &limit, uint32_t to) {
  limit = std::min(limit, std::max(to, 1u));
}

void lower(Locations &limits, uint32_t location, uint32_t to) {
  lower(limits.try_emplace(location, NoIndexLimit).first->second, to);
}

// The target of a pointer.
struct Place {
  uint32_t variable = 0;
  uint32_t type = 0;                // of the target
  uint32_t offset = 0;              // in a block
  std::optional<uint32_t> location; // in an interface
  std::optional<uint32_t> builtIn;
};

// The condition on an index.
struct Wanted {
  uint32_t limit;
  // The index must be the same in all invocations, as that of a descriptor without NonUniform. If it comes from an
  // input that differs between invocations, the input becomes 0.
  bool isUniform = false;
};

class LimitSearch {
public:
  LimitSearch(const ShaderSet &shaders, const spirv::Module &module, uint32_t function, lgc::ShaderStage stage,
              const Locations &nextInputs, IndexLimits &limits)
      : m_shaders(shaders), m_module(module), m_declarations(module), m_flow(module, function), m_stage(stage),
        m_nextInputs(nextInputs), m_limits(limits) {}

  // Returns the limits of the stage's own inputs.
  Locations run() {
    eachInstruction([&](const Instruction &inst) { visit(inst); });
    followAll();
    // The end of a loop over indices is nearly an index itself.
    eachInstruction([&](const Instruction &inst) { visitComparison(inst); });
    followAll();
    return std::move(m_inputs);
  }

private:
  template <typename F> void eachInstruction(F visitOne) {
    for (const spirv::Function *function : m_flow.functions())
      for (const spirv::Block &block : function->blocks)
        for (const Instruction &inst : block.instructions)
          visitOne(inst);
  }

  void visit(const Instruction &inst) {
    switch (inst.opcode) {
    case Op::OpAccessChain:
    case Op::OpInBoundsAccessChain:
      wantIndices(inst);
      return;
    case Op::OpVectorExtractDynamic:
      want(inst.operand(1), {lengthOf(typeOf(inst.operand(0)))});
      return;
    case Op::OpVectorInsertDynamic:
      want(inst.operand(2), {lengthOf(inst.resultType)});
      return;
    case Op::OpStore:
      if (!m_nextInputs.empty())
        if (Place place = placeOf(inst.operand(0)); place.location && isVariable(place, spv::StorageClass::Output))
          if (auto limit = m_nextInputs.find(*place.location); limit != m_nextInputs.end())
            want(inst.operand(1), {limit->second});
      return;
    default:
      return;
    }
  }

  void visitComparison(const Instruction &inst) {
    switch (inst.opcode) {
    case Op::OpULessThan:
    case Op::OpSLessThan:
    case Op::OpULessThanEqual:
    case Op::OpSLessThanEqual:
    case Op::OpUGreaterThan:
    case Op::OpSGreaterThan:
    case Op::OpUGreaterThanEqual:
    case Op::OpSGreaterThanEqual:
    case Op::OpINotEqual:
      for (unsigned side : {0, 1})
        if (std::optional<Wanted> wanted = wantedOf(inst.operand(side)))
          want(inst.operand(1 - side), {wanted->limit});
      return;
    default:
      return;
    }
  }

  // The condition on a value that is an index, or is loaded from the same variable as an index.
  std::optional<Wanted> wantedOf(uint32_t id) const {
    if (auto found = m_seen.find(id); found != m_seen.end())
      return found->second;
    const Instruction *inst = m_flow.definition(id);
    if (!inst || inst->opcode != Op::OpLoad)
      return std::nullopt;
    auto found = m_seen.find(m_flow.variableOf(inst->operand(0)));
    return found == m_seen.end() ? std::nullopt : std::optional(found->second);
  }

  uint32_t typeOf(uint32_t id) const {
    const Instruction *inst = m_flow.definition(id);
    return inst ? inst->resultType : 0;
  }

  // The number of an array's elements, a vector's components or a matrix's columns; NoIndexLimit: unknown.
  // `descriptors`: the variable, if it is an array of descriptors.
  uint32_t lengthOf(uint32_t typeId, const Instruction *descriptors = nullptr) const {
    const Instruction *type = m_flow.definition(typeId);
    if (!type)
      return NoIndexLimit;
    switch (type->opcode) {
    case Op::OpTypeArray:
      return m_flow.constant(type->operand(1)).value_or(NoIndexLimit);
    case Op::OpTypeVector:
    case Op::OpTypeMatrix:
      return type->operand(1);
    case Op::OpTypeRuntimeArray:
      return descriptors ? lengthOfDescriptors(*descriptors) : NoIndexLimit;
    default:
      return NoIndexLimit;
    }
  }

  // For an array of descriptors without a size.
  uint32_t lengthOfDescriptors(const Instruction &variable) const {
    const auto decorations = m_module.decorations(variable.result);
    const uint32_t elements =
        elementsInLayout(m_shaders, decoration(decorations, spv::Decoration::DescriptorSet).value_or(0),
                         decoration(decorations, spv::Decoration::Binding).value_or(0));
    return elements ? std::min(elements, RuntimeArrayElements) : RuntimeArrayElements;
  }

  uint32_t elementType(uint32_t typeId, uint32_t index) const {
    const Instruction *type = m_flow.definition(typeId);
    if (!type)
      return 0;
    switch (type->opcode) {
    case Op::OpTypeArray:
    case Op::OpTypeRuntimeArray:
    case Op::OpTypeVector:
    case Op::OpTypeMatrix:
      return type->operand(0);
    case Op::OpTypeStruct: {
      const uint32_t member = m_flow.constant(index).value_or(0);
      return member < type->operandCount() ? type->operand(member) : 0;
    }
    default:
      return 0;
    }
  }

  uint32_t pointee(uint32_t pointerType) const {
    const Instruction *type = m_flow.definition(pointerType);
    return type && type->opcode == Op::OpTypePointer ? type->operand(1) : 0;
  }

  void wantIndices(const Instruction &chain) {
    uint32_t type = pointee(typeOf(chain.operand(0)));
    const Instruction *base = m_flow.definition(chain.operand(0));
    const uint32_t end = pointee(chain.resultType);
    const bool isTexture = end && m_declarations.hasTextures(end);
    // A variable's own dimensions count descriptors, unless the variable is memory itself. So do all dimensions on the
    // way to a texture.
    bool isDescriptors = base && base->opcode == Op::OpVariable;
    for (size_t i = 1; i < chain.operandCount() && type; ++i) {
      const Instruction *inst = m_flow.definition(type);
      if (inst->opcode == Op::OpTypeStruct)
        isDescriptors = false;
      else if (const uint32_t index = chain.operand(i); !m_flow.constant(index))
        want(index, {lengthOf(type, isDescriptors ? base : nullptr),
                     (isTexture || (isDescriptors && isResource(*base))) && !isNonUniform(index)});
      type = elementType(type, chain.operand(i));
    }
  }

  std::optional<uint32_t> decoration(std::span<const spirv::DecorationInstance> decorations,
                                     spv::Decoration kind) const {
    const spirv::DecorationInstance *found = spirv::findDecoration(decorations, kind);
    return found && !found->operands.empty() ? std::optional(found->operands[0]) : std::nullopt;
  }

  Place placeOf(uint32_t pointer) const {
    const Instruction *inst = m_flow.definition(pointer);
    if (!inst)
      return {};
    if (inst->opcode == Op::OpCopyObject)
      return placeOf(inst->operand(0));
    if (inst->opcode != Op::OpAccessChain && inst->opcode != Op::OpInBoundsAccessChain) {
      auto decorations = m_module.decorations(pointer);
      return {pointer, pointee(inst->resultType), 0, decoration(decorations, spv::Decoration::Location),
              decoration(decorations, spv::Decoration::BuiltIn)};
    }
    Place place = placeOf(inst->operand(0));
    for (size_t i = 1; i < inst->operandCount() && place.type; ++i) {
      const Instruction *type = m_flow.definition(place.type);
      if (type && type->opcode == Op::OpTypeStruct) {
        auto decorations = m_module.memberDecorations(place.type, m_flow.constant(inst->operand(i)).value_or(0));
        place.offset += decoration(decorations, spv::Decoration::Offset).value_or(0);
        if (auto location = decoration(decorations, spv::Decoration::Location))
          place.location = location;
        if (auto builtIn = decoration(decorations, spv::Decoration::BuiltIn))
          place.builtIn = builtIn;
      }
      place.type = elementType(place.type, inst->operand(i));
    }
    return place;
  }

  bool isVariable(const Place &place, spv::StorageClass storageClass) const {
    const Instruction *variable = m_flow.definition(place.variable);
    return variable && variable->opcode == Op::OpVariable &&
           static_cast<spv::StorageClass>(variable->operand(0)) == storageClass;
  }

  bool isResource(const Instruction &variable) const {
    const auto storageClass = static_cast<spv::StorageClass>(variable.operand(0));
    return storageClass == spv::StorageClass::UniformConstant || storageClass == spv::StorageClass::Uniform ||
           storageClass == spv::StorageClass::StorageBuffer;
  }

  bool isNonUniform(uint32_t id) const {
    return spirv::findDecoration(m_module.decorations(id), spv::Decoration::NonUniform) != nullptr;
  }

  void want(uint32_t id, Wanted wanted) {
    if (wanted.limit == NoIndexLimit)
      return;
    auto [seen, isNew] = m_seen.try_emplace(id, wanted);
    Wanted &known = seen->second;
    if (!isNew && known.limit <= wanted.limit && known.isUniform >= wanted.isUniform)
      return;
    known = {std::min(known.limit, wanted.limit), known.isUniform || wanted.isUniform};
    m_work.push_back(id);
  }

  void want(std::span<const uint32_t> ids, Wanted wanted) {
    for (uint32_t id : ids)
      want(id, wanted);
  }

  void followAll() {
    while (!m_work.empty()) {
      const uint32_t id = m_work.back();
      m_work.pop_back();
      if (const Instruction *inst = m_flow.definition(id))
        follow(*inst, m_seen.at(id));
    }
  }

  void follow(const Instruction &inst, Wanted wanted) {
    switch (inst.opcode) {
    case Op::OpLoad:
      return followLoad(inst.operand(0), wanted);
    case Op::OpVariable:
      return want(m_flow.storedInto(inst.result), wanted);
    case Op::OpFunctionParameter:
      want(m_flow.argumentsOf(inst.result), wanted);
      return want(m_flow.storedInto(inst.result), wanted);
    case Op::OpFunctionCall:
      return want(m_flow.returnedBy(inst.operand(0)), wanted);
    case Op::OpPhi:
      for (size_t i = 0; i < inst.operandCount(); i += 2)
        want(inst.operand(i), wanted);
      return;
    case Op::OpSelect:
      return want(inst.operands.subspan(1), wanted);
    case Op::OpExtInst: // clamp(), floor() and the like
      return want(inst.operands.subspan(2), wanted);
    case Op::OpCompositeExtract:
    case Op::OpVectorExtractDynamic:
    case Op::OpISub:
    case Op::OpFSub:
      return want(inst.operand(0), wanted);
    case Op::OpVectorShuffle:
    case Op::OpCompositeInsert:
      return want(inst.operands.first(2), wanted);
    case Op::OpIAdd:
      return followSum(inst, wanted);
    case Op::OpIMul:
      return followProduct(inst, wanted);
    case Op::OpCopyObject:
    case Op::OpBitcast:
    case Op::OpUConvert:
    case Op::OpSConvert:
    case Op::OpFConvert:
    case Op::OpConvertFToU:
    case Op::OpConvertFToS:
    case Op::OpConvertSToF:
    case Op::OpConvertUToF:
    case Op::OpCompositeConstruct:
    case Op::OpFAdd:
    case Op::OpFMul:
      return want(inst.operands, wanted);
    default:
      return;
    }
  }

  void followSum(const Instruction &inst, Wanted wanted) {
    for (unsigned side : {0, 1})
      if (std::optional<uint32_t> known = m_flow.constant(inst.operand(side))) {
        if (*known < wanted.limit)
          wanted.limit -= *known;
        return wantSummand(inst.operand(1 - side), wanted);
      }
    want(inst.operands, wanted);
  }

  // A counter is its own summand: its limit stays.
  void wantSummand(uint32_t id, Wanted wanted) {
    if (!wantedOf(id))
      want(id, wanted);
  }

  void followProduct(const Instruction &inst, Wanted wanted) {
    for (unsigned side : {0, 1})
      if (std::optional<uint32_t> known = m_flow.constant(inst.operand(side)); known && *known != 0)
        return want(inst.operand(1 - side), {(wanted.limit - 1) / *known + 1, wanted.isUniform});
    want(inst.operands, wanted);
  }

  void followLoad(uint32_t pointer, Wanted wanted) {
    const Place place = placeOf(pointer);
    const Instruction *variable = m_flow.definition(place.variable);
    if (!variable)
      return;
    if (variable->opcode != Op::OpVariable)
      return want(place.variable, wanted);
    switch (static_cast<spv::StorageClass>(variable->operand(0))) {
    case spv::StorageClass::Uniform:
    case spv::StorageClass::StorageBuffer:
    case spv::StorageClass::UniformConstant: // OpenGL's default block
    case spv::StorageClass::AtomicCounter: {
      const spirv::ResourcePlace resource = m_declarations.resourcePlace(*variable, m_stage);
      const uint32_t begin = m_declarations.decoration(place.variable, spv::Decoration::Offset).value_or(0);
      const IndexLimits::Member member = {resource.set, resource.binding, begin + place.offset};
      return lower(m_limits.members.try_emplace(member, NoIndexLimit).first->second, wanted.limit);
    }
    case spv::StorageClass::PushConstant: {
      const IndexLimits::Member member = {IndexLimits::PushConstants, 0, place.offset};
      return lower(m_limits.members.try_emplace(member, NoIndexLimit).first->second, wanted.limit);
    }
    case spv::StorageClass::Input: {
      const uint32_t limit = wanted.isUniform ? 1 : wanted.limit;
      const auto builtIn = static_cast<spv::BuiltIn>(place.builtIn.value_or(UINT32_MAX));
      if (builtIn == spv::BuiltIn::InstanceIndex || builtIn == spv::BuiltIn::InstanceId)
        lower(m_limits.instanceIndex, limit);
      if (builtIn == spv::BuiltIn::VertexIndex || builtIn == spv::BuiltIn::VertexId)
        lower(m_limits.vertexIndex, limit);
      if (place.location)
        lower(m_stage == lgc::ShaderStage::Vertex ? m_limits.vertexInputs : m_inputs, *place.location, limit);
      return;
    }
    default:
      return want(place.variable, wanted);
    }
  }

  const ShaderSet &m_shaders;
  const spirv::Module &m_module;
  const spirv::Declarations m_declarations;
  spirv::ValueFlow m_flow;
  lgc::ShaderStage m_stage;
  const Locations &m_nextInputs;
  IndexLimits &m_limits;
  Locations m_inputs;
  std::unordered_map<uint32_t, Wanted> m_seen; // by id
  std::vector<uint32_t> m_work;
};

} // namespace

uint32_t IndexLimits::ofMember(uint32_t set, uint32_t binding, uint32_t offset) const {
  auto found = members.find({set, binding, offset});
  return found == members.end() ? NoIndexLimit : found->second;
}

uint32_t IndexLimits::ofVertexInput(uint32_t location) const {
  auto found = vertexInputs.find(location);
  return found == vertexInputs.end() ? NoIndexLimit : found->second;
}

uint32_t elementsInLayout(const ShaderSet &shaders, uint32_t set, uint32_t binding) {
  for (const UserDataNode &node : shaders.userDataNodes())
    if (node.type != UserDataNodeType::DescriptorTable && node.type != UserDataNodeType::PushConstants &&
        node.set == set && node.binding == binding)
      return elementsOf(node);
  return 0;
}

Result<IndexLimits> findIndexLimits(const ShaderSet &shaders) {
  IndexLimits limits;
  Locations nextInputs;
  for (size_t stage = shaders.shaders.size(); stage-- > 0;) {
    const ShaderRef &shader = shaders.shaders[stage];
    if (!shader || shader->passesThrough) // the stage in front of it goes on to the stage behind it
      continue;
    const ShaderDescription &description = shader->description;
    spirv::Module module = DOVETAIL_TRY(spirv::readModule(description.words, description.environment));
    for (const spirv::EntryPoint &entry : module.entryPoints)
      // Both enumerations have the stages in the pipeline's order.
      if (entry.name == description.entryPoint &&
          static_cast<uint32_t>(entry.model) == static_cast<uint32_t>(description.stage)) {
        nextInputs = LimitSearch(shaders, module, entry.function, description.stage, nextInputs, limits).run();
        break;
      }
  }
  return limits;
}

} // namespace dovetail

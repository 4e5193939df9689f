// SPDX-License-Identifier: MIT
//
// Follows each conversion to a pointer back to the loads that its operand comes from; their access chains name the
// members. Below are the functions of Declarations that describe the memory at an address.
#include "src/spirv/reflect/declarations.h"
#include "src/spirv/reflect/shader_uses.h"
#include "src/spirv/reflect/value_flow.h"
#include <optional>
#include <set>
#include <unordered_set>

namespace dovetail::spirv {

namespace {

using spv::Op;

class Finder {
public:
  Finder(const ValueFlow &flow, AddressMembers &found) : m_flow(flow), m_found(found) {}

  void run() {
    for (const Function *function : m_flow.functions())
      for (const Block &block : function->blocks)
        for (const Instruction &inst : block.instructions)
          if ((inst.opcode == Op::OpConvertUToPtr || inst.opcode == Op::OpBitcast) && isAddress(inst.resultType)) {
            m_seen.clear();
            m_pointer = inst.resultType;
            trace(inst.operand(0));
          }
  }

private:
  bool isAddress(uint32_t typeId) const {
    const Instruction *type = m_flow.definition(typeId);
    return type && type->opcode == Op::OpTypePointer &&
           static_cast<spv::StorageClass>(type->operand(0)) == spv::StorageClass::PhysicalStorageBuffer;
  }

  bool isInteger(uint32_t typeId, uint32_t bits) const {
    const Instruction *type = m_flow.definition(typeId);
    return type && type->opcode == Op::OpTypeInt && type->operand(0) == bits;
  }
  // Whether the type is as large as an address.
  bool isAddressSized(const Instruction &type) const {
    return isInteger(type.result, 64) ||
           (type.opcode == Op::OpTypeVector && type.operand(1) == 2 && isInteger(type.operand(0), 32));
  }

  // Follows a value back to its sources.
  void trace(uint32_t id) {
    const Instruction *inst = m_flow.definition(id);
    if (!inst || !m_seen.insert(id).second)
      return;
    switch (inst->opcode) {
    case Op::OpBitcast:
    case Op::OpCopyObject:
      trace(inst->operand(0));
      return;
    case Op::OpIAdd:
    case Op::OpISub:
      trace(inst->operand(0));
      trace(inst->operand(1));
      return;
    case Op::OpSelect:
      trace(inst->operand(1));
      trace(inst->operand(2));
      return;
    case Op::OpPhi:
      for (size_t i = 0; i < inst->operandCount(); i += 2)
        trace(inst->operand(i));
      return;
    case Op::OpFunctionCall:
      traceAll(m_flow.returnedBy(inst->operand(0)));
      return;
    case Op::OpFunctionParameter:
      traceAll(m_flow.argumentsOf(id));
      return;
    case Op::OpVariable: // a variable that passes an argument to a function, which loads it
      traceAll(m_flow.storedInto(id));
      return;
    case Op::OpCompositeExtract:
      if (const Instruction *load = m_flow.definition(inst->operand(0)); load && load->opcode == Op::OpLoad)
        traceMember(load->operand(0), inst->operands.subspan(1));
      return;
    case Op::OpLoad:
      trace(m_flow.variableOf(inst->operand(0)));
      traceMember(inst->operand(0), {});
      return;
    default:
      return;
    }
  }

  void traceAll(std::span<const uint32_t> ids) {
    for (uint32_t id : ids)
      trace(id);
  }

  // Notes the member at these literal indices below the pointer.
  void traceMember(uint32_t pointer, std::span<const uint32_t> literals) {
    const Instruction *inst = m_flow.definition(pointer);
    std::vector<std::optional<uint32_t>> indices;
    if (inst && (inst->opcode == Op::OpAccessChain || inst->opcode == Op::OpInBoundsAccessChain)) {
      for (uint32_t index : inst->operands.subspan(1))
        indices.push_back(m_flow.constant(index));
      inst = m_flow.definition(inst->operand(0));
    }
    indices.insert(indices.end(), literals.begin(), literals.end());
    const Instruction *type = inst ? m_flow.definition(inst->resultType) : nullptr;
    if (type && type->opcode == Op::OpTypePointer)
      noteMember(type->operand(1), indices);
  }

  void noteMember(uint32_t typeId, std::span<const std::optional<uint32_t>> indices) {
    std::optional<std::pair<uint32_t, uint32_t>> member;
    const Instruction *type = m_flow.definition(typeId);
    for (std::optional<uint32_t> index : indices) {
      if (type->opcode == Op::OpTypeStruct && index && *index < type->operandCount()) {
        member = {type->result, *index};
        type = m_flow.definition(type->operand(*index));
      } else if (type->opcode == Op::OpTypeArray || type->opcode == Op::OpTypeRuntimeArray) {
        type = m_flow.definition(type->operand(0));
      } else {
        return; // half of an address, or a member that is not known
      }
    }
    if (member && isAddressSized(*type))
      m_found.emplace(*member, m_pointer);
  }

  const ValueFlow &m_flow;
  AddressMembers &m_found;
  std::unordered_set<uint32_t> m_seen;
  uint32_t m_pointer = 0; // the pointer type that is made
};

} // namespace

AddressMembers findAddressMembers(const Module &module) {
  AddressMembers found;
  std::set<uint32_t> functions;
  for (const EntryPoint &entry : module.entryPoints)
    if (functions.insert(entry.function).second)
      Finder(ValueFlow(module, entry.function), found).run();
  return found;
}

Result<std::shared_ptr<const AddressedBlock>> Declarations::addressedBlock(const Instruction &pointer) const {
  constexpr uint32_t Alignment = 16;
  if (m_addressLevel == MaxAddressLevels)
    return nullptr;
  const std::pair key(m_addressLevel, pointer.result);
  if (auto known = m_addressedBlocks.find(key); known != m_addressedBlocks.end())
    return known->second;
  const uint32_t pointee = pointer.operand(1);
  auto block = std::make_shared<AddressedBlock>();
  block->bytes = std::min<uint64_t>(DOVETAIL_TRY(layoutSize(pointee, {})), UINT32_MAX - Alignment);
  block->stride = decoration(pointer.result, spv::Decoration::ArrayStride)
                      .value_or((block->bytes + Alignment - 1) / Alignment * Alignment);
  ++m_addressLevel;
  Result<void> added = addMembers(pointee, {}, {}, block->members, 0);
  --m_addressLevel;
  DOVETAIL_CHECK(added);
  m_addressedBlocks[key] = block;
  return block;
}

const Instruction *Declarations::addressOfMember(uint32_t structId, uint32_t member) const {
  if (m_module.addressingModel != spv::AddressingModel::PhysicalStorageBuffer64)
    return nullptr;
  if (!m_addressMembers)
    m_addressMembers = findAddressMembers(m_module);
  auto found = m_addressMembers->find({structId, member});
  return found == m_addressMembers->end() ? nullptr : &global(found->second);
}

} // namespace dovetail::spirv

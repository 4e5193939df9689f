// SPDX-License-Identifier: MIT
#include "src/first/select/selector.h"
#include "src/isa/opcode_rows.h"
#include <algorithm>
#include <bit>

namespace dovetail::first {

using isa::Opcode;

// Of a texel, the last components that nobody needs are not loaded.
void Selector::trimImage(NodeId id, Access &access) {
  const VReg made = m_registers[id];
  const bool isGather = access.opcode >= Opcode::ImageGather4 && access.opcode <= Opcode::ImageGather4CLzO;
  if (access.writes || isGather || made == NoRegister)
    return;
  unsigned count = 0;
  for (unsigned i = 0; i < access.dwords; ++i)
    if (m_registers[id + 1 + i] != NoRegister) // the parts stand behind their node
      count = i + 1;
  while (access.dwords > count) {
    access.dmask &= ~std::bit_floor(access.dmask);
    --access.dwords;
  }
  for (unsigned i = 0; i < count; ++i)
    m_machine.registers[made + i].groupSize = uint8_t(count);
}

void Selector::selectMemory(NodeId id) {
  const Node &node = nodeOf(id);
  Access &access = m_program.accesses[node.imm];
  if (node.op == Op::Image)
    trimImage(id, access);
  const auto operands = m_program.operandsOf(node);
  const VReg made = m_registers[id];
  auto definition = [&](unsigned dwords) { return registerOperand(made, dwords); };
  switch (node.op) {
  case Op::ScalarLoad: {
    Operands uses = {tuple(operands.first(2), Bank::Scalar)};
    if (operands.size() > 2)
      uses.push_back(scalarOrInline(operands[2]));
    if (uses.size() > 1 && uses[1].kind == Operand::Constant)
      uses[1] = inSgpr(uses[1]);
    emit(Form::Smem, access.opcode, {definition(access.dwords)}, uses).imm = node.imm;
    return;
  }
  case Op::ScalarBufferLoad: {
    Operands uses = {tuple(operands.first(4), Bank::Scalar)};
    if (operands.size() > 4)
      uses.push_back(isConstantNode(operands[4]) ? inSgpr(constantOperand(nodeOf(operands[4]).imm))
                                                 : scalar(operands[4]));
    emit(Form::Smem, access.opcode, {definition(access.dwords)}, uses).imm = node.imm;
    return;
  }
  case Op::LdsLoad:
    if (operands.size() > 1) // ds_bpermute
      emit(Form::Lds, access.opcode, {definition(access.dwords)}, {vector(operands[0]), vector(operands[1])}).imm =
          node.imm;
    else
      emit(Form::Lds, access.opcode, {definition(access.dwords)}, {vector(operands[0])}).imm = node.imm;
    return;
  case Op::LdsStore: {
    const VReg all = leaveExact();
    const isa::OpcodeRow &row = isa::rowOf(access.opcode);
    if (row.destinationDwords > 0) { // an atomic
      const VReg result = made != NoRegister ? made : newRegister(Bank::Vector, row.destinationDwords);
      Operands uses = {vector(operands[0])};
      std::span<const NodeId> data = operands.subspan(1);
      for (unsigned i = 1; i < row.sourceCount; ++i) {
        uses.push_back(tuple(data.first(row.sourceDwords[i]), Bank::Vector));
        data = data.subspan(row.sourceDwords[i]);
      }
      emit(Form::Lds, access.opcode, {registerOperand(result, row.destinationDwords)}, uses).imm = node.imm;
    } else if (access.opcode == Opcode::DsWrite2B32)
      emit(Form::Lds, access.opcode, {}, {vector(operands[0]), vector(operands[1]), vector(operands[2])}).imm =
          node.imm;
    else
      emit(Form::Lds, access.opcode, {}, {vector(operands[0]), tuple(operands.subspan(1), Bank::Vector)}).imm =
          node.imm;
    enterExact(all);
    return;
  }
  case Op::GlobalLoad:
    emit(Form::Flat, access.opcode, {definition(access.dwords)}, {tuple(operands, Bank::Vector)}).imm = node.imm;
    return;
  case Op::GlobalStore:
  case Op::GlobalAtomic: {
    const VReg all = leaveExact();
    const Operand where = tuple(operands.first(2), Bank::Vector), data = tuple(operands.subspan(2), Bank::Vector);
    if (node.op == Op::GlobalAtomic && access.returns) {
      const unsigned dwords = isa::rowOf(access.opcode).destinationDwords;
      const VReg result = made != NoRegister ? made : newRegister(Bank::Vector, dwords);
      emit(Form::Flat, access.opcode, {registerOperand(result, dwords)}, {where, data}).imm = node.imm;
    } else {
      emit(Form::Flat, access.opcode, {}, {where, data}).imm = node.imm;
    }
    enterExact(all);
    return;
  }
  case Op::BufferLoad:
  case Op::BufferStore:
  case Op::BufferAtomic: {
    const VReg all = access.writes && !access.isPrivate ? leaveExact() : NoRegister;
    const unsigned addresses = access.idxen + access.offen;
    const Repetition repetition = endRepetition(access, operands.first(4));
    Operands uses = {repetition.descriptor, scalarOrInline(operands[4])};
    if (addresses)
      uses.push_back(sharedTuple(id, operands.subspan(5, addresses)));
    const auto data = operands.subspan(5 + addresses);
    if (node.op == Op::BufferAtomic && access.returns && made != NoRegister) {
      uses.push_back(tuple(data, Bank::Vector, made));
      emit(Form::Buffer, access.opcode, {definition(access.dwords)}, uses).imm = node.imm;
    } else if (node.op != Op::BufferLoad) {
      uses.push_back(sharedTuple(id, data));
      emit(Form::Buffer, access.opcode, {}, uses).imm = node.imm;
    } else {
      emit(Form::Buffer, access.opcode, {definition(access.dwords)}, uses).imm = node.imm;
    }
    beginRepetition(repetition);
    enterExact(all);
    return;
  }
  default:
    break;
  }
  // Images
  const VReg all = access.writes ? leaveExact() : NoRegister;
  const Repetition repetition = endRepetition(access, operands.first(access.samples ? 12 : 8));
  Operands uses = {repetition.descriptor};
  unsigned next = 8;
  if (access.samples) {
    uses.push_back(access.isApart ? registerOperand(repetition.descriptor.value + next, 4)
                                  : tuple(operands.subspan(next, 4), Bank::Scalar));
    next += 4;
  }
  uses.push_back(sharedTuple(id, operands.subspan(next, access.addresses)));
  const auto data = operands.subspan(next + access.addresses);
  if (!data.empty() && access.returns && made != NoRegister && access.opcode != Opcode::ImageStore &&
      access.opcode != Opcode::ImageStoreMip) {
    uses.push_back(tuple(data, Bank::Vector, made));
    emit(Form::Image, access.opcode, {definition(access.dwords)}, uses).imm = node.imm;
  } else if (!data.empty()) {
    uses.push_back(sharedTuple(id, data));
    emit(Form::Image, access.opcode, {}, uses).imm = node.imm;
  } else {
    emit(Form::Image, access.opcode, {definition(access.dwords)}, uses).imm = node.imm;
  }
  beginRepetition(repetition);
  enterExact(all);
}

// Where lanes have different descriptors, the access is repeated: each time for those lanes that have the descriptor of
// the first one. These stand around the access; the first of the two stands behind it.
Selector::Repetition Selector::endRepetition(const Access &access, std::span<const NodeId> descriptor) {
  if (!access.isApart) // an image's sampler is apart from its descriptor
    return {tuple(descriptor.first(std::min<size_t>(descriptor.size(), 8)), Bank::Scalar), {}, NoRegister, NoRegister};
  Repetition repetition;
  const unsigned dwords = unsigned(descriptor.size());
  repetition.ofLanes = tuple(descriptor, Bank::Vector);
  repetition.all = newRegister(Bank::Scalar, 2);
  repetition.left = newRegister(Bank::Scalar, 2);
  repetition.descriptor = registerOperand(newRegister(Bank::Scalar, dwords), std::min(dwords, 8u));
  emit(Form::SetExec, Opcode::SMovB64, {}, {registerOperand(repetition.all, 2)});
  emit(Form::RepeatEnd, Opcode::SCbranchExecnz, {}, {});
  emit(Form::SetExec, Opcode::SXorB64, {}, {exec(), registerOperand(repetition.left, 2)});
  return repetition;
}

void Selector::beginRepetition(const Repetition &repetition) {
  if (repetition.all == NoRegister)
    return;
  const VReg first = repetition.descriptor.value, ofLanes = repetition.ofLanes.value;
  const unsigned dwords = m_machine.registers[first].groupSize;
  VReg equal = newMask();
  emit(Form::SetExec, Opcode::SAndB64, {}, {exec(), registerOperand(equal, 2)});
  emitSalu(Opcode::SMovB64, repetition.left, 2, {exec()});
  for (unsigned i = 0; i < dwords; i += 2) {
    VReg here = equal;
    if (i + 2 < dwords) {
      here = newRegister(Bank::Scalar, 2);
      const VReg others = newRegister(Bank::Scalar, 2);
      emitSalu(Opcode::SAndB64, equal, 2, {registerOperand(here, 2), registerOperand(others, 2)});
      equal = others;
    }
    emitValu(Opcode::VCmpEqU64, NoRegister, {{registerOperand(first + i, 2)}, {registerOperand(ofLanes + i, 2)}}, {},
             {}, here);
  }
  for (unsigned i = 0; i < dwords; ++i)
    emit(Form::Valu, Opcode::VReadfirstlaneB32, {registerOperand(first + i)}, {registerOperand(ofLanes + i)});
  emit(Form::RepeatBegin, Opcode::SNop, {}, {});
  emitSalu(Opcode::SMovB64, repetition.all, 2, {exec()});
}

void Selector::selectExport(NodeId id) {
  const Node &node = nodeOf(id);
  const Access &access = m_program.accesses[node.imm];
  const auto operands = m_program.operandsOf(node);
  Operands uses;
  for (unsigned i = 0; i < 4; ++i)
    uses.push_back(access.dmask >> i & 1 ? vector(operands[i]) : Operand());
  emit(Form::Export, Opcode::Exp, {}, uses).imm = node.imm;
}

} // namespace dovetail::first

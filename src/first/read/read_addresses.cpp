// SPDX-License-Identifier: MIT
//
// Addresses of 64 bits, and memory at addresses of lanes. GFX8 has flat instructions for it, GFX9 global ones.
#include "src/first/read/reader.h"
#include "src/isa/opcode_rows.h"
#include <llvm/IR/Constants.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>

namespace dovetail::first {

using isa::Opcode;

namespace {

constexpr uint32_t MaxGlobalOffset = 4095; // bytes, of GFX9's instructions

// Rows of the table have flat and global instructions in one order.
Opcode globalOpcode(Opcode flat, bool isGfx9) {
  constexpr int loads = int(Opcode::GlobalLoadUbyte) - int(Opcode::FlatLoadUbyte),
                stores = int(Opcode::GlobalStoreDword) - int(Opcode::FlatStoreDword),
                atomics = int(Opcode::GlobalAtomicSwap) - int(Opcode::FlatAtomicSwap);
  static_assert(int(Opcode::GlobalLoadDwordx4) - int(Opcode::FlatLoadDwordx4) == loads);
  static_assert(int(Opcode::GlobalStoreByte) - int(Opcode::FlatStoreByte) == stores &&
                int(Opcode::GlobalStoreDwordx4) - int(Opcode::FlatStoreDwordx4) == stores);
  static_assert(int(Opcode::GlobalAtomicDecX2) - int(Opcode::FlatAtomicDecX2) == atomics);
  if (!isGfx9)
    return flat;
  const int shift = flat >= Opcode::FlatAtomicSwap ? atomics : flat >= Opcode::FlatStoreByte ? stores : loads;
  return Opcode(int(flat) + shift);
}

} // namespace

Reader::Address Reader::addressOf(const llvm::Value *pointer) {
  if (const auto found = m_addresses.find(pointer); found != m_addresses.end()) {
    const Address &address = found->second;
    for (NodeId node : {address.low, address.high, address.index})
      if (node != NoNode && nodeOf(node).bank == Bank::Scalar && leavesLoopApart(node))
        m_mustRepeat |= m_lessons.carried.insert(pointer).second;
    return address;
  }
  const Nodes nodes = valuesOf(pointer);
  if (nodes.size() != 2)
    return {undefined(false), undefined(false)};
  return {nodes[0], nodes[1]};
}

// One that lanes carry out of a loop is a value like others (isCarried()).
void Reader::setAddress(const llvm::Value *pointer, const Address &address) {
  if (!m_lessons.carried.contains(pointer)) {
    m_addresses[pointer] = address;
    return;
  }
  const auto [low, high] = wholeAddress(address);
  set(pointer, {low, high});
}

std::pair<NodeId, NodeId> Reader::wholeAddress(const Address &address) {
  Wide sum = {address.low, address.high};
  auto add = [&](NodeId addend) { sum = addWide(Op::AddWide, sum, {addend, constant(0)}); };
  if (address.index != NoNode)
    add(address.index);
  if (address.relocated != UINT32_MAX)
    add(relocated(address.relocated));
  if (address.offset)
    add(constant(address.offset));
  return {sum.low, sum.high};
}

// Indices have signs.
Reader::Nodes Reader::indexOf(const llvm::Value *value) {
  Nodes index = valuesOf(value);
  if (const unsigned bits = narrowBits(value->getType()))
    index[0] = extend(index[0], bits, true);
  if (index.size() == 2)
    index[1] = extend(index[1], value->getType()->getIntegerBitWidth() - 32, true);
  return index;
}

void Reader::readGep(const llvm::GetElementPtrInst &gep) {
  const unsigned space = gep.getPointerAddressSpace();
  if (gep.getType()->isVectorTy() || !partsOf(gep.getType()))
    return refuse("an address in address space " + std::to_string(space));
  const llvm::DataLayout &layout = m_function.getParent()->getDataLayout();
  llvm::SmallMapVector<llvm::Value *, llvm::APInt, 4> variables;
  const unsigned bits = layout.getIndexSizeInBits(space);
  llvm::APInt offset(bits, 0);
  if (!llvm::cast<llvm::GEPOperator>(gep).collectOffset(layout, bits, variables, offset))
    return refuse("an address");
  if (space == 3 || space == 5) {
    NodeId sum = valueOf1(gep.getPointerOperand());
    for (const auto &[value, scale] : variables) {
      NodeId index = indexOf(value)[0];
      if (!scale.isOne())
        index = operation(Op::Mul, {index, constant(uint32_t(scale.getZExtValue()))});
      sum = operation(Op::Add, {sum, index});
    }
    return set(&gep, {addConstant(sum, uint32_t(offset.getZExtValue()))});
  }
  Address address = addressOf(gep.getPointerOperand());
  for (const auto &[value, scale] : variables) {
    Nodes index = indexOf(value);
    const bool isUnsigned = index.size() == 2 && isConstant(index[1]) && valueOf(index[1]) == 0;
    const bool isOfTable = tableSize(address.low) != nullptr; // no index of more than 32 bits is in it
    if (!isOfTable && (!scale.isOne() || !isUnsigned)) {
      const auto [low, high] = wholeAddress(address);
      const NodeId sign = index.size() == 1 ? operation(Op::ShiftRightSigned, {index[0], constant(31)}) : index[1];
      Wide bytes = {index[0], sign};
      const uint64_t by = scale.getZExtValue();
      if (scale.isPowerOf2())
        bytes = shiftWide(llvm::Instruction::Shl, bytes, constant(scale.logBase2()));
      else
        bytes = multiplyWide(bytes, {constant(uint32_t(by)), constant(uint32_t(by >> 32))});
      const Wide sum = addWide(Op::AddWide, {low, high}, bytes);
      address = {sum.low, sum.high};
      continue;
    }
    if (!scale.isOne())
      index[0] = operation(Op::Mul, {index[0], constant(uint32_t(scale.getZExtValue()))});
    if (isOfTable && address.index != NoNode)
      index[0] = operation(Op::Add, {std::exchange(address.index, NoNode), index[0]});
    const Node &node = nodeOf(index[0]);
    if (address.index != NoNode || (address.relocated != UINT32_MAX && node.op == Op::Relocated)) {
      const auto [low, high] = wholeAddress(address);
      address = {low, high};
    }
    if (node.op == Op::Relocated)
      address.relocated = node.imm;
    else
      address.index = index[0];
  }
  const uint64_t number = offset.getZExtValue();
  if (number > MaxScalarOffsetOfLoad || address.offset + number > MaxScalarOffsetOfLoad) {
    const auto [low, high] = wholeAddress(address);
    const Wide sum = addWide(Op::AddWide, {low, high}, {constant(uint32_t(number)), constant(uint32_t(number >> 32))});
    address = {sum.low, sum.high};
  } else {
    address.offset += uint32_t(number);
  }
  setAddress(&gep, address);
}

// The operands of an access at an address of lanes.
Reader::Nodes Reader::globalOperands(Address address, uint32_t extra, Access &access) {
  const bool hasOffset = isGfx9() && address.offset + extra <= MaxGlobalOffset;
  if (hasOffset)
    access.offset = std::exchange(address.offset, 0) + extra;
  const auto [low, high] = wholeAddress(address);
  if (hasOffset || extra == 0)
    return {low, high};
  const Wide sum = addWide(Op::AddWide, {low, high}, {constant(extra), constant(0)});
  return {sum.low, sum.high};
}

Reader::Nodes Reader::loadGlobal(const Address &address, Units units, bool glc) {
  static constexpr Opcode opcodes[] = {Opcode::FlatLoadDword, Opcode::FlatLoadDwordx2, Opcode::FlatLoadDwordx3,
                                       Opcode::FlatLoadDwordx4};
  const unsigned step = units.bytes == 4 ? 4 : 1;
  Nodes parts;
  for (unsigned i = 0; i < units.count; i += step) {
    Access access;
    access.dwords = uint8_t(std::min(step, units.count - i));
    access.opcode = globalOpcode(units.bytes == 1   ? Opcode::FlatLoadUbyte
                                 : units.bytes == 2 ? Opcode::FlatLoadUshort
                                                    : opcodes[access.dwords - 1],
                                 isGfx9());
    access.glc = glc;
    const Nodes operands = globalOperands(address, units.bytes * i, access);
    parts.append(partsOf(makeAccess(Op::GlobalLoad, Bank::Vector, access, operands), access.dwords));
  }
  return parts;
}

void Reader::storeGlobal(const Address &address, llvm::ArrayRef<NodeId> data, unsigned bytes) {
  static constexpr Opcode opcodes[] = {Opcode::FlatStoreDword, Opcode::FlatStoreDwordx2, Opcode::FlatStoreDwordx3,
                                       Opcode::FlatStoreDwordx4};
  const size_t step = bytes == 4 ? 4 : 1;
  for (size_t i = 0; i < data.size(); i += step) {
    Access access;
    access.dwords = uint8_t(std::min(step, data.size() - i));
    access.opcode = globalOpcode(bytes == 1   ? Opcode::FlatStoreByte
                                 : bytes == 2 ? Opcode::FlatStoreShort
                                              : opcodes[access.dwords - 1],
                                 isGfx9());
    access.writes = true;
    Nodes operands = globalOperands(address, uint32_t(bytes * i), access);
    operands.append(data.begin() + i, data.begin() + i + access.dwords);
    effect(makeAccess(Op::GlobalStore, Bank::Scalar, access, operands));
  }
}

// Of global memory or LDS; `data`: the operand, or of an exchange what is expected and the new value.
void Reader::readAtomic(const llvm::Instruction &instruction, const llvm::Value *pointer, llvm::ArrayRef<NodeId> data,
                        AtomicOpcodes opcodes, unsigned dwords) {
  const unsigned space = pointer->getType()->getPointerAddressSpace();
  const auto *exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction);
  const auto *atomic = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction);
  const llvm::AtomicOrdering ordering = exchange ? exchange->getMergedOrdering() : atomic->getOrdering();
  if (ordering != llvm::AtomicOrdering::Monotonic || (space != 1 && space != 3))
    return refuse(std::string(instruction.getOpcodeName()) + " of address space " + std::to_string(space));
  Access access;
  access.writes = true;
  access.dwords = uint8_t(data.size());
  Nodes operands;
  if (space == 3) {
    NodeId base;
    splitOffset(valueOf1(pointer), base, access.offset, MaxLdsOffset);
    access.opcode = dwords == 2 ? opcodes.wideInLds : opcodes.inLds;
    access.dwords = uint8_t(dwords);
    operands = {base};
    operands.append(data.begin(), data.end());
  } else {
    access.opcode = globalOpcode(dwords == 2 ? opcodes.wide : opcodes.dword, isGfx9());
    access.returns = access.glc = !instruction.use_empty();
    operands = globalOperands(addressOf(pointer), 0, access);
    if (exchange) // the new value first
      operands.append(data.begin() + dwords, data.end());
    operands.append(data.begin(), exchange ? data.begin() + dwords : data.end());
  }
  const NodeId made = makeAccess(space == 3 ? Op::LdsStore : Op::GlobalAtomic, Bank::Vector, access, operands, true);
  effect(made);
  if (instruction.use_empty())
    return;
  Nodes result = partsOf(made, dwords);
  if (exchange)
    result.push_back(dwords == 2 ? compareWide(llvm::CmpInst::ICMP_EQ, {result[0], result[1]}, {data[0], data[1]})
                                 : operation(Op::CompareI, {result[0], data[0]}, llvm::CmpInst::ICMP_EQ));
  set(&instruction, result);
}

void Reader::readAtomicOperation(const llvm::AtomicRMWInst &atomic) {
  using Operation = llvm::AtomicRMWInst::BinOp;
  static constexpr std::pair<Operation, AtomicOpcodes> rows[] = {
#define ROW(operation, lds, type, flat)                                                                                \
  {                                                                                                                    \
    Operation::operation, {                                                                                            \
      Opcode::Ds##lds##Rtn##type##32, Opcode::Ds##lds##Rtn##type##64, Opcode::FlatAtomic##flat,                        \
          Opcode::FlatAtomic##flat##X2                                                                                 \
    }                                                                                                                  \
  }
      ROW(Xchg, Wrxchg, B, Swap), ROW(Add, Add, U, Add),   ROW(Sub, Sub, U, Sub),      ROW(And, And, B, And),
      ROW(Or, Or, B, Or),         ROW(Xor, Xor, B, Xor),   ROW(Max, Max, I, Smax),     ROW(Min, Min, I, Smin),
      ROW(UMax, Max, U, Umax),    ROW(UMin, Min, U, Umin), ROW(UIncWrap, Inc, U, Inc), ROW(UDecWrap, Dec, U, Dec),
#undef ROW
  };
  const llvm::Type *type = atomic.getType();
  const unsigned dwords = partsOf(type);
  const bool isExchange = atomic.getOperation() == Operation::Xchg && (type->isFloatTy() || type->isDoubleTy());
  if (type->isIntegerTy(32) || type->isIntegerTy(64) || isExchange)
    for (const auto &[operation, opcodes] : rows)
      if (operation == atomic.getOperation())
        return readAtomic(atomic, atomic.getPointerOperand(), valuesOf(atomic.getValOperand()), opcodes, dwords);
  refuse("atomicrmw " + llvm::AtomicRMWInst::getOperationName(atomic.getOperation()).str());
}

void Reader::readExchange(const llvm::AtomicCmpXchgInst &exchange) {
  const llvm::Type *type = exchange.getCompareOperand()->getType();
  if (!type->isIntegerTy(32) && !type->isIntegerTy(64))
    return refuse("cmpxchg");
  Nodes data = valuesOf(exchange.getCompareOperand());
  const unsigned dwords = unsigned(data.size());
  data.append(valuesOf(exchange.getNewValOperand()));
  readAtomic(exchange, exchange.getPointerOperand(), data,
             {Opcode::DsCmpstRtnB32, Opcode::DsCmpstRtnB64, Opcode::FlatAtomicCmpswap, Opcode::FlatAtomicCmpswapX2},
             dwords);
}

} // namespace dovetail::first

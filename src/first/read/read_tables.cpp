// SPDX-License-Identifier: MIT
//
// Memory that the shader brings itself: tables of constants behind the code, and variables of a lane in scratch memory.
#include "src/first/read/reader.h"
#include <algorithm>
#include <bit>
#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/Module.h>

namespace dovetail::first {

using isa::Opcode;

// The address of a table of constants relative to the program counter (src/lgc/codegen/constants/relative_constants.h).
bool Reader::readTable(const llvm::CallInst &call) {
  const auto *text = llvm::dyn_cast<llvm::InlineAsm>(call.getCalledOperand());
  const auto *variable = call.arg_size() == 1 ? llvm::dyn_cast<llvm::GlobalVariable>(call.getArgOperand(0)) : nullptr;
  if (!llvm::StringRef(text->getAsmString()).starts_with("s_getpc_b64") || !variable || !variable->isConstant() ||
      !variable->hasInitializer() || !call.getType()->isIntegerTy(64))
    return false;
  constexpr size_t alignment = 16;
  const uint64_t size = m_function.getParent()->getDataLayout().getTypeAllocSize(variable->getValueType());
  constexpr uint64_t maxSize = 1u << 16;
  const size_t begin = (m_program.tables.size() + alignment - 1) / alignment * alignment;
  if (size > maxSize || begin > maxSize)
    return false;
  m_program.tables.resize(begin + size);
  if (!writeConstant(variable->getInitializer(), begin))
    return false;
  Node node;
  node.op = Op::TableAddress;
  node.imm = uint32_t(begin);
  const NodeId made = makeList(node, {});
  m_tableSizes[part(made, 0)] = uint32_t(size);
  setParts(&call, made, 2);
  return true;
}

bool Reader::writeConstant(const llvm::Constant *value, uint64_t at) {
  const llvm::DataLayout &layout = m_function.getParent()->getDataLayout();
  if (value->isNullValue() || llvm::isa<llvm::UndefValue>(value))
    return true;
  llvm::Type *type = value->getType();
  if (type->isIntegerTy() || type->isFloatingPointTy()) {
    const uint64_t bits = type->isIntegerTy()
                              ? llvm::cast<llvm::ConstantInt>(value)->getZExtValue()
                              : llvm::cast<llvm::ConstantFP>(value)->getValueAPF().bitcastToAPInt().getZExtValue();
    for (uint64_t i = 0; i < layout.getTypeStoreSize(type); ++i)
      m_program.tables[at + i] = uint8_t(bits >> 8 * i);
    return true;
  }
  if (auto *structure = llvm::dyn_cast<llvm::StructType>(type)) {
    for (unsigned i = 0; i < structure->getNumElements(); ++i)
      if (!writeConstant(value->getAggregateElement(i),
                         at + layout.getStructLayout(structure)->getElementOffset(i).getFixedValue()))
        return false;
    return true;
  }
  const auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
  if (!vector && !type->isArrayTy())
    return false;
  llvm::Type *element = vector ? vector->getElementType() : type->getArrayElementType();
  const uint64_t count = vector ? vector->getNumElements() : type->getArrayNumElements();
  for (unsigned i = 0; i < count; ++i)
    if (!writeConstant(value->getAggregateElement(i), at + i * layout.getTypeAllocSize(element)))
      return false;
  return true;
}

const uint32_t *Reader::tableSize(NodeId low) const {
  const auto found = m_tableSizes.find(low);
  return found == m_tableSizes.end() ? nullptr : &found->second;
}

// Where lanes have different indices, a table is a buffer.
Reader::Nodes Reader::loadTable(const Address &address, uint32_t size, Units units) {
  static constexpr Opcode opcodes[] = {Opcode::BufferLoadDword, Opcode::BufferLoadDwordx2, Opcode::BufferLoadDwordx3,
                                       Opcode::BufferLoadDwordx4};
  // DST_SEL x, y, z, w; floats of 32 bits ("Vega" ISA manual, section 8.1.5).
  constexpr uint32_t formatOfDwords = 0x27fac, highOfAddress = 0xffff;
  const NodeId descriptor[] = {address.low, operation(Op::And, {address.high, constant(highOfAddress)}), constant(size),
                               constant(formatOfDwords)};
  const unsigned step = units.bytes == 4 ? 4 : 1;
  Nodes parts;
  for (unsigned i = 0; i < units.count; i += step) {
    Access access;
    access.dwords = uint8_t(std::min(step, units.count - i));
    access.opcode = units.bytes == 1   ? Opcode::BufferLoadUbyte
                    : units.bytes == 2 ? Opcode::BufferLoadUshort
                                       : opcodes[access.dwords - 1];
    access.offset = address.offset + units.bytes * i;
    access.offen = true;
    Nodes operands(std::begin(descriptor), std::end(descriptor));
    operands.push_back(constant(0));
    operands.push_back(address.index);
    if (access.offset > MaxBufferOffset) {
      operands.back() = addConstant(address.index, access.offset);
      access.offset = 0;
    }
    parts.append(partsOf(makeAccess(Op::BufferLoad, Bank::Vector, access, operands), access.dwords));
  }
  return parts;
}

void Reader::readAlloca(const llvm::AllocaInst &variable) {
  const llvm::DataLayout &layout = m_function.getParent()->getDataLayout();
  if (!variable.isStaticAlloca())
    return refuse("a variable of a size that is computed");
  constexpr uint32_t alignment = 16;
  m_program.scratchBytes = (m_program.scratchBytes + alignment - 1) & ~(alignment - 1);
  set(&variable, {constant(m_program.scratchBytes)});
  const uint64_t size = layout.getTypeAllocSize(variable.getAllocatedType()) *
                        llvm::cast<llvm::ConstantInt>(variable.getArraySize())->getZExtValue();
  if (size > MaxScratchBytes || m_program.scratchBytes + size > MaxScratchBytes)
    return refuse("too much scratch memory");
  m_program.scratchBytes += uint32_t(size);
  makeScratchDescriptor();
}

// The descriptor of scratch memory: it begins the driver's global table (behind another one for compute shaders), and
// the wave's offset is added (LLVM: SIFrameLowering, emitEntryFunctionScratchRsrcRegSetup; buildGitPtr).
void Reader::makeScratchDescriptor() {
  if (m_scratch[0] != NoNode)
    return;
  Node high;
  Access access;
  high.op = Op::PcHigh;
  access.opcode = Opcode::SLoadDwordx4;
  access.dwords = 4;
  access.offset = m_program.scratchDescriptorOffset;
  const NodeId table = valueOf1(m_function.getArg(0));
  const NodeId load = makeAccess(Op::ScalarLoad, Bank::Scalar, access, {table, make(high)});
  for (unsigned i = 0; i < 4; ++i)
    m_scratch[i] = part(load, i);
  const Wide base = addWide(Op::AddWide, {m_scratch[0], m_scratch[1]}, {m_scratchOffset, constant(0)});
  m_scratch[0] = base.low;
  m_scratch[1] = base.high;
}

Reader::Nodes Reader::scratchOperands(NodeId address, Access &access) {
  NodeId base;
  splitOffset(address, base, access.offset, MaxBufferOffset - 15);
  if (!isGfx9() && !isConstant(base)) { // GFX8 compares the base alone with the size
    base = addConstant(base, access.offset);
    access.offset = 0;
  }
  access.offen = !isConstant(base) || valueOf(base) != 0;
  Nodes operands(m_scratch.begin(), m_scratch.end());
  operands.push_back(constant(0));
  if (access.offen)
    operands.push_back(base);
  return operands;
}

// What is known of a lane's memory where a block begins: what all ways to it agree on.
void Reader::beginScratch(uint16_t number) {
  m_scratchKnown.clear();
  const Block &block = m_program.blocks[number];
  if (block.isLoopHeader || block.predecessors.empty())
    return;
  m_scratchKnown = m_scratchAtEnd[block.predecessors[0]];
  for (uint16_t predecessor : llvm::ArrayRef(block.predecessors).drop_front())
    llvm::erase_if(m_scratchKnown, [&, other = m_scratchAtEnd[predecessor].begin()](const ScratchDword &known) mutable {
      while (other != m_scratchAtEnd[predecessor].end() && other->offset < known.offset)
        ++other;
      return other == m_scratchAtEnd[predecessor].end() || other->offset != known.offset || other->value != known.value;
    });
}

// What is known of an index.
Reader::Known Reader::known(NodeId id, unsigned depth) const {
  constexpr unsigned maxDepth = 4;
  constexpr Known nothing;
  const Node &node = nodeOf(id);
  if (node.op == Op::Constant)
    return {32, node.imm, node.imm, node.imm};
  if (depth == maxDepth)
    return nothing;
  auto fits = [](uint64_t most) { return most <= UINT32_MAX; };
  switch (node.op) {
  case Op::And:
    for (unsigned i = 0; i < 2; ++i)
      if (isConstant(node.a[i]))
        return {0, 0, 0, valueOf(node.a[i])};
    return nothing;
  case Op::ShiftLeft:
  case Op::Mul: {
    const unsigned i = isConstant(node.a[1]) ? 1 : 0;
    if (!isConstant(node.a[i]) || (node.op == Op::ShiftLeft && i == 0))
      return nothing;
    const uint32_t by = node.op == Op::Mul ? valueOf(node.a[i]) : 1u << (valueOf(node.a[i]) & 31);
    const Known of = known(node.a[1 - i], depth + 1);
    const unsigned bits = unsigned(std::countr_zero(by));
    if (!fits(uint64_t(of.most) * by))
      return {bits, 0, 0, UINT32_MAX};
    return {bits, 0, of.least * by, of.most * by};
  }
  case Op::Add: {
    const Known left = known(node.a[0], depth + 1), right = known(node.a[1], depth + 1);
    const unsigned bits = std::min(left.bits, right.bits);
    const uint32_t low = left.low + right.low;
    Known sum = {bits, bits >= 32 ? low : low & ((1u << bits) - 1), 0, UINT32_MAX};
    if (fits(uint64_t(left.most) + right.most)) {
      sum.least = left.least + right.least;
      sum.most = left.most + right.most;
    }
    return sum;
  }
  default:
    return nothing;
  }
}

// A dword or less is written, so what was there is known no longer; `value`: a dword that is there now, or NoNode.
void Reader::noteScratch(NodeId address, unsigned bytes, NodeId value) {
  const Known at = known(address, 0);
  const uint32_t mask = at.bits >= 32 ? UINT32_MAX : (1u << at.bits) - 1;
  llvm::erase_if(m_scratchKnown, [&](const ScratchDword &dword) {
    const uint32_t behind = (dword.offset - at.low) & mask; // behind the next place that may be written
    const bool isInRange = uint64_t(dword.offset) + 4 > at.least && dword.offset < uint64_t(at.most) + bytes;
    return isInRange && (behind < bytes || mask - behind < 3);
  });
  constexpr size_t maxKnown = 64;
  if (value != NoNode && at.bits >= 32 && bytes == 4 && m_scratchKnown.size() < maxKnown)
    m_scratchKnown.insert(
        llvm::lower_bound(m_scratchKnown, at.low,
                          [](const ScratchDword &known, uint32_t offset) { return known.offset < offset; }),
        {at.low, value});
}

// The dwords of a lane lie between those of the other lanes, so each is an access of its own.
Reader::Nodes Reader::readScratch(NodeId address, Units units) {
  Nodes parts;
  for (unsigned i = 0; i < units.count; ++i) {
    Access access;
    const NodeId at = addConstant(address, units.bytes * i);
    if (isConstant(at) && units.bytes == 4) {
      const auto known = llvm::find_if(m_scratchKnown, [&](const ScratchDword &dword) {
        return dword.offset == valueOf(at) && !leavesLoopApart(dword.value);
      });
      if (known != m_scratchKnown.end()) {
        parts.push_back(known->value);
        continue;
      }
    }
    const Nodes operands = scratchOperands(at, access);
    access.dwords = 1;
    access.opcode = units.bytes == 1   ? Opcode::BufferLoadUbyte
                    : units.bytes == 2 ? Opcode::BufferLoadUshort
                                       : Opcode::BufferLoadDword;
    access.isSwizzled = true;
    parts.push_back(part(makeAccess(Op::BufferLoad, Bank::Vector, access, operands, true), 0));
  }
  return parts;
}

void Reader::writeScratch(NodeId address, llvm::ArrayRef<NodeId> data, unsigned bytes) {
  for (size_t i = 0; i < data.size(); ++i) {
    Access access;
    const NodeId at = addConstant(address, uint32_t(bytes * i));
    noteScratch(at, bytes, data[i]);
    Nodes operands = scratchOperands(at, access);
    access.dwords = 1;
    access.opcode = bytes == 1   ? Opcode::BufferStoreByte
                    : bytes == 2 ? Opcode::BufferStoreShort
                                 : Opcode::BufferStoreDword;
    access.isSwizzled = access.writes = access.isPrivate = true;
    operands.push_back(data[i]);
    effect(makeAccess(Op::BufferStore, Bank::Scalar, access, operands));
  }
}
} // namespace dovetail::first

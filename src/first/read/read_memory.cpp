// SPDX-License-Identifier: MIT
//
// Memory, images and exports. Names and operands of the intrinsics: LLVM, IntrinsicsAMDGPU.td.
#include "src/first/read/reader.h"
#include <bit>
#include <llvm/ADT/StringSwitch.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/IntrinsicsAMDGPU.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>
#include <optional>

namespace dovetail::first {

using isa::Opcode;
namespace Intrinsic = llvm::Intrinsic;

namespace {

constexpr uint32_t MaxBufferOffset = 4095;
constexpr uint32_t MaxLdsOffset = 65535;
constexpr uint32_t MaxScalarOffsetOfLoad = (1u << 20) - 1;

uint32_t numberAt(const llvm::CallInst &call, unsigned argument) {
  return uint32_t(llvm::cast<llvm::ConstantInt>(call.getArgOperand(argument))->getZExtValue());
}

bool isDwords(const llvm::Type *type) {
  const llvm::Type *scalar = type->getScalarType();
  return scalar->isFloatTy() || scalar->isIntegerTy(32);
}

} // namespace

void Reader::setParts(const llvm::Value *value, NodeId node, unsigned count, bool isDivergent, Bank bank) {
  Nodes parts;
  for (unsigned i = 0; i < count; ++i)
    parts.push_back(part(node, i, isDivergent, bank));
  set(value, parts);
}

// Takes a constant addend out of an offset, as LLVM does for buffers (SIISelLowering, splitBufferOffsets).
void Reader::splitOffset(NodeId value, NodeId &base, uint32_t &offset, uint32_t limit) {
  base = value;
  offset = 0;
  const Node &node = nodeOf(value);
  if (node.op == Op::Constant) {
    offset = node.imm <= limit ? node.imm : node.imm & limit;
    base = constant(node.imm - offset);
  } else if (node.op == Op::Add) {
    for (unsigned i = 0; i < 2; ++i)
      if (isConstant(node.a[i]) && valueOf(node.a[i]) <= limit) {
        offset = valueOf(node.a[i]);
        base = node.a[1 - i];
        return;
      }
  }
}

Reader::Address Reader::addressOf(const llvm::Value *pointer) {
  if (const auto found = m_addresses.find(pointer); found != m_addresses.end())
    return found->second;
  const Nodes nodes = valuesOf(pointer);
  if (nodes.size() != 2)
    return {undefined(false), undefined(false)};
  return {nodes[0], nodes[1]};
}

std::pair<NodeId, NodeId> Reader::wholeAddress(const Address &address) {
  NodeId low = address.low, high = address.high;
  auto add = [&](NodeId addend) {
    Node node;
    node.op = Op::AddWide;
    bool isScalar = true;
    for (NodeId operand : {low, high, addend}) {
      isScalar &= nodeOf(operand).bank == Bank::Scalar;
      node.isDivergent |= nodeOf(operand).isDivergent;
    }
    node.bank = isScalar ? Bank::Scalar : Bank::Vector;
    const NodeId sum = makeList(node, {low, high, addend, constant(0)});
    low = part(sum, 0, node.isDivergent, node.bank);
    high = part(sum, 1, node.isDivergent, node.bank);
  };
  if (address.index != NoNode)
    add(address.index);
  if (address.relocated != UINT32_MAX)
    add(relocated(address.relocated));
  if (address.offset)
    add(constant(address.offset));
  return {low, high};
}

void Reader::readGep(const llvm::GetElementPtrInst &gep) {
  const unsigned space = gep.getPointerAddressSpace();
  if (gep.getType()->isVectorTy() || space < 3 || space > 5)
    return refuse("an address in address space " + std::to_string(space));
  const llvm::DataLayout &layout = m_function.getParent()->getDataLayout();
  llvm::SmallMapVector<llvm::Value *, llvm::APInt, 4> variables;
  const unsigned bits = layout.getIndexSizeInBits(space);
  llvm::APInt offset(bits, 0);
  if (!llvm::cast<llvm::GEPOperator>(gep).collectOffset(layout, bits, variables, offset))
    return refuse("an address");
  if (space != 4) {
    NodeId sum = valueOf1(gep.getPointerOperand());
    for (const auto &[value, scale] : variables) {
      NodeId index = valueOf1(value);
      if (!scale.isOne())
        index = operation(Op::Mul, {index, constant(uint32_t(scale.getZExtValue()))});
      sum = operation(Op::Add, {sum, index});
    }
    return set(&gep, {addConstant(sum, uint32_t(offset.getZExtValue()))});
  }
  Address address = addressOf(gep.getPointerOperand());
  for (const auto &[value, scale] : variables) {
    Nodes index = valuesOf(value);
    const bool isUnsigned = index.size() == 2 && isConstant(index[1]) && valueOf(index[1]) == 0;
    const bool isOfTable = tableSize(address.low) != nullptr; // no index of more than 32 bits is in it
    if (!isOfTable && (!scale.isOne() || !isUnsigned))
      return refuse("an index of 64 bits");
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
  if (number > MaxScalarOffsetOfLoad || address.offset + number > MaxScalarOffsetOfLoad)
    return refuse("a far address");
  address.offset += uint32_t(number);
  m_addresses[&gep] = address;
}

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
  const NodeId low = part(made, 0, false, Bank::Scalar), high = part(made, 1, false, Bank::Scalar);
  m_tableSizes[low] = uint32_t(size);
  set(&call, {low, high});
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
void Reader::loadTable(const llvm::LoadInst &load, const Address &address, uint32_t size) {
  static constexpr Opcode opcodes[] = {Opcode::BufferLoadDword, Opcode::BufferLoadDwordx2, Opcode::BufferLoadDwordx3,
                                       Opcode::BufferLoadDwordx4};
  // DST_SEL x, y, z, w; floats of 32 bits ("Vega" ISA manual, section 8.1.5).
  constexpr uint32_t formatOfDwords = 0x27fac, highOfAddress = 0xffff;
  const NodeId descriptor[] = {address.low, operation(Op::And, {address.high, constant(highOfAddress)}), constant(size),
                               constant(formatOfDwords)};
  const unsigned count = partsOf(load.getType());
  Nodes parts;
  for (unsigned i = 0; i < count; i += 4) {
    Access access;
    access.dwords = uint8_t(std::min(4u, count - i));
    access.opcode = opcodes[access.dwords - 1];
    access.offset = address.offset + 4 * i;
    access.offen = true;
    Node node;
    node.op = Op::BufferLoad;
    node.bank = Bank::Vector;
    node.isDivergent = true;
    node.imm = uint32_t(m_program.accesses.size());
    Nodes operands(std::begin(descriptor), std::end(descriptor));
    operands.push_back(constant(0));
    operands.push_back(address.index);
    if (access.offset > MaxBufferOffset) {
      operands.back() = addConstant(address.index, access.offset);
      access.offset = 0;
    }
    m_program.accesses.push_back(access);
    const NodeId made = makeList(node, operands);
    for (unsigned k = 0; k < access.dwords; ++k)
      parts.push_back(part(made, k, true, Bank::Vector));
  }
  set(&load, parts);
}

void Reader::readLoad(const llvm::LoadInst &load) {
  const unsigned space = load.getPointerAddressSpace();
  if (!isDwords(load.getType()) || load.isAtomic())
    return refuse("a load of a type");
  const unsigned count = partsOf(load.getType());
  Node node;
  Access access;
  access.dwords = uint8_t(count);
  node.imm = uint32_t(m_program.accesses.size());
  if (space == 3) {
    if (count > 4)
      return refuse("a wide load of LDS");
    NodeId base;
    splitOffset(valueOf1(load.getPointerOperand()), base, access.offset, MaxLdsOffset - 15);
    Nodes parts;
    const bool isWide = (count == 2 && load.getAlign().value() >= 8) || (count == 4 && load.getAlign().value() >= 16);
    const unsigned step = isWide ? count : 1;
    for (unsigned i = 0; i < count; i += step) {
      Access each = access;
      each.dwords = uint8_t(step);
      each.offset += 4 * i;
      each.opcode = step == 1 ? Opcode::DsReadB32 : step == 2 ? Opcode::DsReadB64 : Opcode::DsReadB128;
      node.op = Op::LdsLoad;
      node.imm = uint32_t(m_program.accesses.size());
      node.bank = Bank::Vector;
      node.isDivergent = nodeOf(base).isDivergent;
      m_program.accesses.push_back(each);
      const NodeId made = makeList(node, {base});
      for (unsigned k = 0; k < step; ++k)
        parts.push_back(part(made, k, node.isDivergent, Bank::Vector));
    }
    return set(&load, parts);
  }
  if (space == 5)
    return readScratch(load);
  if (space != 4)
    return refuse("a load of address space " + std::to_string(space));
  static constexpr Opcode opcodes[] = {Opcode::SLoadDword, Opcode::SLoadDwordx2, Opcode::SLoadDwordx4,
                                       Opcode::SLoadDwordx8, Opcode::SLoadDwordx16};
  const unsigned size = std::bit_ceil(count);
  if (size > 16 || load.getAlign().value() < 4)
    return refuse("a wide load");
  Address address = addressOf(load.getPointerOperand());
  if (const uint32_t *table = tableSize(address.low); table && address.index != NoNode)
    if (nodeOf(address.index).isDivergent || leavesLoopApart(address.index))
      return loadTable(load, address, *table);
  const unsigned ways = (address.index != NoNode) + (address.relocated != UINT32_MAX) + (address.offset != 0);
  if (ways > 1) { // the load has one of these
    const uint32_t offset = address.offset;
    address.offset = 0;
    const auto [low, high] = wholeAddress(address);
    address = {low, high, offset};
  }
  for (NodeId half : {address.low, address.high})
    if (nodeOf(half).bank != Bank::Scalar || leavesLoopApart(half))
      return refuse("a load of constant memory at a divergent address");
  node.op = Op::ScalarLoad;
  node.bank = Bank::Scalar;
  access.relocated = address.relocated;
  if (size != count && (address.index != NoNode || address.relocated != UINT32_MAX)) {
    const auto [low, high] = wholeAddress(address);
    address = {low, high};
    access.relocated = UINT32_MAX;
  }
  Nodes operands = {address.low, address.high}, parts;
  if (address.index != NoNode)
    operands.push_back(uniform(address.index));
  for (unsigned first = 0; first < count;) { // nothing behind the value may be read
    const unsigned here = std::bit_floor(count - first);
    access.opcode = opcodes[std::countr_zero(here)];
    access.dwords = uint8_t(here);
    access.offset = address.offset + 4 * first;
    node.imm = uint32_t(m_program.accesses.size());
    m_program.accesses.push_back(access);
    const NodeId made = makeList(node, operands);
    for (unsigned i = 0; i < here; ++i)
      parts.push_back(part(made, i, false, Bank::Scalar));
    first += here;
  }
  set(&load, parts);
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
  constexpr uint64_t maxScratch = 1u << 18;
  if (size > maxScratch || m_program.scratchBytes + size > maxScratch)
    return refuse("too much scratch memory");
  m_program.scratchBytes += uint32_t(size);
  makeScratchDescriptor();
}

// The descriptor of scratch memory: it begins the driver's global table (behind another one for compute shaders), and
// the wave's offset is added (LLVM: SIFrameLowering, emitEntryFunctionScratchRsrcRegSetup; buildGitPtr).
void Reader::makeScratchDescriptor() {
  if (m_scratch[0] != NoNode)
    return;
  Node node, high, sum;
  Access access;
  high.op = Op::PcHigh;
  access.opcode = Opcode::SLoadDwordx4;
  access.dwords = 4;
  constexpr uint32_t computeOffset = 16;
  access.offset = m_function.getCallingConv() == llvm::CallingConv::AMDGPU_CS ? computeOffset : 0;
  node.op = Op::ScalarLoad;
  node.imm = uint32_t(m_program.accesses.size());
  m_program.accesses.push_back(access);
  const NodeId table = valueOf1(m_function.getArg(0));
  const NodeId load = makeList(node, {table, make(high)});
  for (unsigned i = 0; i < 4; ++i)
    m_scratch[i] = part(load, i, false, Bank::Scalar);
  sum.op = Op::AddWide;
  const NodeId base = makeList(sum, {m_scratch[0], m_scratch[1], m_scratchOffset, constant(0)});
  m_scratch[0] = part(base, 0, false, Bank::Scalar);
  m_scratch[1] = part(base, 1, false, Bank::Scalar);
}

Reader::Nodes Reader::scratchOperands(const llvm::Value *pointer, Access &access) {
  NodeId base;
  splitOffset(valueOf1(pointer), base, access.offset, MaxBufferOffset - 15);
  access.offen = !isConstant(base) || valueOf(base) != 0;
  Nodes operands(m_scratch.begin(), m_scratch.end());
  operands.push_back(constant(0));
  if (access.offen)
    operands.push_back(base);
  return operands;
}

void Reader::readScratch(const llvm::LoadInst &load) {
  const unsigned count = partsOf(load.getType());
  if (load.getAlign().value() < 4)
    return refuse("scratch memory that is not aligned");
  Access access;
  const Nodes operands = scratchOperands(load.getPointerOperand(), access);
  Nodes parts;
  for (unsigned i = 0; i < count; ++i) { // the dwords of a lane lie between those of the other lanes
    Access each = access;
    each.dwords = 1;
    each.opcode = Opcode::BufferLoadDword;
    each.offset += 4 * i;
    each.isSwizzled = true;
    Node node;
    node.op = Op::BufferLoad;
    node.bank = Bank::Vector;
    node.isDivergent = true;
    node.imm = uint32_t(m_program.accesses.size());
    m_program.accesses.push_back(each);
    parts.push_back(part(makeList(node, operands), 0, true, Bank::Vector));
  }
  set(&load, parts);
}

void Reader::writeScratch(const llvm::StoreInst &store) {
  if (store.getAlign().value() < 4)
    return refuse("scratch memory that is not aligned");
  const Nodes data = valuesOf(store.getValueOperand());
  Access access;
  const Nodes operands = scratchOperands(store.getPointerOperand(), access);
  for (size_t i = 0; i < data.size(); ++i) {
    Access each = access;
    each.dwords = 1;
    each.opcode = Opcode::BufferStoreDword;
    each.offset += uint32_t(4 * i);
    each.isSwizzled = each.writes = each.isPrivate = true;
    Node node;
    node.op = Op::BufferStore;
    node.imm = uint32_t(m_program.accesses.size());
    m_program.accesses.push_back(each);
    Nodes list = operands;
    list.push_back(data[i]);
    effect(makeList(node, list));
  }
}

void Reader::readStore(const llvm::StoreInst &store) {
  if (store.getPointerAddressSpace() == 5 && isDwords(store.getValueOperand()->getType()) && !store.isAtomic())
    return writeScratch(store);
  if (store.getPointerAddressSpace() != 3 || !isDwords(store.getValueOperand()->getType()) || store.isAtomic())
    return refuse("a store to address space " + std::to_string(store.getPointerAddressSpace()));
  const Nodes data = valuesOf(store.getValueOperand());
  NodeId base;
  Access access;
  splitOffset(valueOf1(store.getPointerOperand()), base, access.offset, MaxLdsOffset - 15);
  const bool isWide =
      (data.size() == 2 && store.getAlign().value() >= 8) || (data.size() == 4 && store.getAlign().value() >= 16);
  const size_t step = isWide ? data.size() : 1;
  for (size_t i = 0; i < data.size(); i += step) {
    Access each = access;
    each.writes = true;
    each.dwords = uint8_t(step);
    each.offset += uint32_t(4 * i);
    each.opcode = step == 1 ? Opcode::DsWriteB32 : step == 2 ? Opcode::DsWriteB64 : Opcode::DsWriteB128;
    Node node;
    node.op = Op::LdsStore;
    node.imm = uint32_t(m_program.accesses.size());
    m_program.accesses.push_back(each);
    Nodes operands = {base};
    operands.append(data.begin() + i, data.begin() + i + step);
    effect(makeList(node, operands));
  }
}

bool Reader::readMemoryCall(const llvm::CallInst &call) {
  const llvm::Function *callee = call.getCalledFunction();
  if (!callee)
    return false;
  switch (call.getIntrinsicID()) {
  case Intrinsic::amdgcn_s_buffer_load:
    readScalarBuffer(call);
    return true;
  case Intrinsic::amdgcn_exp:
    readExport(call);
    return true;
  default:
    break;
  }
  llvm::StringRef name = callee->getName();
  if (!name.consume_front("llvm.amdgcn."))
    return false;
  if (name.starts_with("raw.") || name.starts_with("struct.")) {
    readBuffer(call, name);
    return true;
  }
  if (name.consume_front("image.")) {
    readImage(call, name);
    return true;
  }
  return false;
}

void Reader::readScalarBuffer(const llvm::CallInst &call) {
  if (!isDwords(call.getType()) || numberAt(call, 2) > 1)
    return refuse(call.getCalledFunction()->getName().str());
  const unsigned count = partsOf(call.getType());
  const unsigned size = std::bit_ceil(count);
  const Nodes descriptor = valuesOf(call.getArgOperand(0));
  const NodeId offset = valueOf1(call.getArgOperand(1));
  Node node;
  Access access;
  access.glc = numberAt(call, 2) & 1;
  Nodes operands;
  for (NodeId dword : descriptor)
    operands.push_back(uniform(dword));
  if (nodeOf(offset).isDivergent || leavesLoopApart(offset)) { // then it is a load of a buffer by lane
    constexpr Opcode opcodes[] = {Opcode::BufferLoadDword, Opcode::BufferLoadDwordx2, Opcode::BufferLoadDwordx3,
                                  Opcode::BufferLoadDwordx4};
    NodeId base;
    uint32_t start;
    splitOffset(offset, base, start, MaxBufferOffset);
    if (start + 4 * count > MaxBufferOffset) {
      base = offset;
      start = 0;
    }
    Nodes parts;
    for (unsigned i = 0; i < count; i += 4) {
      const unsigned here = std::min(4u, count - i);
      Access each = access;
      each.opcode = opcodes[here - 1];
      each.dwords = uint8_t(here);
      each.offset = start + 4 * i;
      each.offen = true;
      node.op = Op::BufferLoad;
      node.bank = Bank::Vector;
      node.isDivergent = true;
      node.imm = uint32_t(m_program.accesses.size());
      m_program.accesses.push_back(each);
      Nodes list = operands;
      list.append({constant(0), base});
      const NodeId made = makeList(node, list);
      for (unsigned k = 0; k < here; ++k)
        parts.push_back(part(made, k, true, Bank::Vector));
    }
    return set(&call, parts);
  }
  constexpr Opcode opcodes[] = {Opcode::SBufferLoadDword, Opcode::SBufferLoadDwordx2, Opcode::SBufferLoadDwordx4,
                                Opcode::SBufferLoadDwordx8, Opcode::SBufferLoadDwordx16};
  if (size > 16)
    return refuse("a wide load of a uniform buffer");
  access.opcode = opcodes[std::countr_zero(size)];
  access.dwords = uint8_t(size);
  if (isConstant(offset) && valueOf(offset) <= MaxScalarOffsetOfLoad)
    access.offset = valueOf(offset);
  else
    operands.push_back(uniform(offset));
  node.op = Op::ScalarBufferLoad;
  node.imm = uint32_t(m_program.accesses.size());
  m_program.accesses.push_back(access);
  setParts(&call, makeList(node, operands), count, false, Bank::Scalar);
}

// raw.buffer.load(descriptor, offset, scalar offset, cache policy), struct.… also with an index in front of the offset,
// stores and atomics with the data first, tbuffer with a format in front of the policy.
void Reader::readBuffer(const llvm::CallInst &call, llvm::StringRef name) {
  const std::string whole = name.str();
  const bool isStruct = name.consume_front("struct.");
  if (!isStruct)
    name.consume_front("raw.");
  const bool isTyped = name.consume_front("tbuffer.");
  if (!isTyped && !name.consume_front("buffer."))
    return refuse(whole);
  const bool isAtomic = name.consume_front("atomic."), isStore = !isAtomic && name.consume_front("store");
  if (!isAtomic && !isStore && !name.consume_front("load"))
    return refuse(whole);
  const bool isFormat = name.consume_front(".format");
  const bool isSwap = isAtomic && name.starts_with("cmpswap");
  const llvm::Type *type = isStore ? call.getArgOperand(0)->getType() : call.getType();
  if (!isDwords(type))
    return refuse(whole);
  const unsigned count = partsOf(type);
  if (count > 4 || (isAtomic && count > 1))
    return refuse(whole);

  unsigned next = 0;
  Nodes data;
  if (isStore || isAtomic)
    data = valuesOf(call.getArgOperand(next++));
  if (isSwap)
    data.push_back(valueOf1(call.getArgOperand(next++)));
  Nodes operands;
  for (NodeId dword : valuesOf(call.getArgOperand(next++)))
    operands.push_back(uniform(dword));
  NodeId index = NoNode;
  if (isStruct)
    index = valueOf1(call.getArgOperand(next++));
  const NodeId offset = valueOf1(call.getArgOperand(next++));
  const NodeId scalarOffset = uniform(valueOf1(call.getArgOperand(next++)));
  Access access;
  if (isTyped) {
    const uint32_t format = numberAt(call, next++);
    access.dataFormat = format & 15;
    access.numFormat = format >> 4 & 7;
  }
  const uint32_t policy = numberAt(call, next);
  constexpr uint32_t glc = 1, slc = 2, swizzled = 8;
  if (policy & ~(glc | slc | swizzled))
    return refuse(whole + " with a cache policy");
  access.glc = policy & glc;
  access.slc = policy & slc;
  access.isSwizzled = policy & swizzled;
  access.dwords = uint8_t(count);
  NodeId base;
  splitOffset(offset, base, access.offset, MaxBufferOffset);
  access.offen = !isConstant(base) || valueOf(base) != 0;
  access.idxen = isStruct;
  access.writes = isStore || isAtomic;

  if (isAtomic) {
    const llvm::StringRef operation = name.substr(0, name.find('.'));
    const auto opcode = llvm::StringSwitch<std::optional<Opcode>>(operation)
                            .Case("add", Opcode::BufferAtomicAdd)
                            .Case("sub", Opcode::BufferAtomicSub)
                            .Case("smin", Opcode::BufferAtomicSmin)
                            .Case("umin", Opcode::BufferAtomicUmin)
                            .Case("smax", Opcode::BufferAtomicSmax)
                            .Case("umax", Opcode::BufferAtomicUmax)
                            .Case("and", Opcode::BufferAtomicAnd)
                            .Case("or", Opcode::BufferAtomicOr)
                            .Case("xor", Opcode::BufferAtomicXor)
                            .Case("swap", Opcode::BufferAtomicSwap)
                            .Case("inc", Opcode::BufferAtomicInc)
                            .Case("dec", Opcode::BufferAtomicDec)
                            .Case("cmpswap", Opcode::BufferAtomicCmpswap)
                            .Default(std::nullopt);
    if (!opcode)
      return refuse(whole);
    access.opcode = *opcode;
    access.returns = !call.use_empty();
    access.glc = access.returns;
    access.dwords = uint8_t(data.size());
  } else {
    constexpr Opcode loads[] = {Opcode::BufferLoadDword, Opcode::BufferLoadDwordx2, Opcode::BufferLoadDwordx3,
                                Opcode::BufferLoadDwordx4};
    constexpr Opcode stores[] = {Opcode::BufferStoreDword, Opcode::BufferStoreDwordx2, Opcode::BufferStoreDwordx3,
                                 Opcode::BufferStoreDwordx4};
    constexpr Opcode formatLoads[] = {Opcode::BufferLoadFormatX, Opcode::BufferLoadFormatXy,
                                      Opcode::BufferLoadFormatXyz, Opcode::BufferLoadFormatXyzw};
    constexpr Opcode formatStores[] = {Opcode::BufferStoreFormatX, Opcode::BufferStoreFormatXy,
                                       Opcode::BufferStoreFormatXyz, Opcode::BufferStoreFormatXyzw};
    constexpr Opcode typedLoads[] = {Opcode::TbufferLoadFormatX, Opcode::TbufferLoadFormatXy,
                                     Opcode::TbufferLoadFormatXyz, Opcode::TbufferLoadFormatXyzw};
    constexpr Opcode typedStores[] = {Opcode::TbufferStoreFormatX, Opcode::TbufferStoreFormatXy,
                                      Opcode::TbufferStoreFormatXyz, Opcode::TbufferStoreFormatXyzw};
    const Opcode *row = isTyped    ? (isStore ? typedStores : typedLoads)
                        : isFormat ? (isStore ? formatStores : formatLoads)
                                   : (isStore ? stores : loads);
    access.opcode = row[count - 1];
  }
  operands.push_back(scalarOffset);
  if (access.idxen)
    operands.push_back(index);
  if (access.offen)
    operands.push_back(base);
  operands.append(data.begin(), data.end());
  Node node;
  node.imm = uint32_t(m_program.accesses.size());
  node.op = isAtomic ? Op::BufferAtomic : isStore ? Op::BufferStore : Op::BufferLoad;
  node.bank = Bank::Vector;
  node.isDivergent = isAtomic || (index != NoNode && nodeOf(index).isDivergent) || nodeOf(base).isDivergent;
  m_program.accesses.push_back(access);
  const NodeId made = makeList(node, operands);
  if (access.writes)
    effect(made);
  if (!isStore && access.returns)
    setParts(&call, made, count, node.isDivergent, Bank::Vector);
}

// image.OPERATION[.MODIFIERS].DIMENSION.TYPES([data], dmask (but for atomics), address…, descriptor, [sampler,
// unnormalised], failures of textures, cache policy). The address is in the order of the instruction's VGPRs.
void Reader::readImage(const llvm::CallInst &call, llvm::StringRef name) {
  const std::string whole = "image." + name.str();
  llvm::SmallVector<llvm::StringRef, 8> words;
  name.split(words, '.');
  size_t at = 0;
  auto is = [&](llvm::StringRef word) { return at < words.size() && words[at] == word && ++at; };
  Access access;
  bool isStore = false, isAtomic = false, hasSampler = false, isGather = false, isSwap = false;
  bool impliesLod = false;
  std::optional<Opcode> opcode;
  if (is("load")) {
    opcode = is("mip") ? Opcode::ImageLoadMip : Opcode::ImageLoad;
  } else if (is("store")) {
    isStore = true;
    opcode = is("mip") ? Opcode::ImageStoreMip : Opcode::ImageStore;
  } else if (is("getresinfo")) {
    opcode = Opcode::ImageGetResinfo;
  } else if (is("getlod")) {
    opcode = Opcode::ImageGetLod;
    hasSampler = impliesLod = true;
  } else if (is("atomic")) {
    isAtomic = true;
    isSwap = at < words.size() && words[at] == "cmpswap";
    opcode = llvm::StringSwitch<std::optional<Opcode>>(at < words.size() ? words[at] : "")
                 .Case("add", Opcode::ImageAtomicAdd)
                 .Case("sub", Opcode::ImageAtomicSub)
                 .Case("smin", Opcode::ImageAtomicSmin)
                 .Case("umin", Opcode::ImageAtomicUmin)
                 .Case("smax", Opcode::ImageAtomicSmax)
                 .Case("umax", Opcode::ImageAtomicUmax)
                 .Case("and", Opcode::ImageAtomicAnd)
                 .Case("or", Opcode::ImageAtomicOr)
                 .Case("xor", Opcode::ImageAtomicXor)
                 .Case("swap", Opcode::ImageAtomicSwap)
                 .Case("inc", Opcode::ImageAtomicInc)
                 .Case("dec", Opcode::ImageAtomicDec)
                 .Case("cmpswap", Opcode::ImageAtomicCmpswap)
                 .Default(std::nullopt);
    ++at;
  } else if (at < words.size() && (words[at] == "sample" || words[at] == "gather4")) {
    isGather = words[at++] == "gather4";
    hasSampler = true;
    std::string modifiers;
    impliesLod = true;
    for (llvm::StringRef word : {"c", "d", "cd", "b", "l", "lz", "cl", "o"})
      if (is(word)) {
        modifiers += "." + word.str();
        impliesLod &= word != "d" && word != "cd" && word != "l" && word != "lz";
      }
    static const llvm::StringMap<Opcode> samples = {
#define SAMPLES(name, opcode)                                                                                          \
  {"", Opcode::opcode}, {".cl", Opcode::opcode##Cl}, {".l", Opcode::opcode##L}, {".b", Opcode::opcode##B},             \
      {".b.cl", Opcode::opcode##BCl}, {".lz", Opcode::opcode##Lz}, {".c", Opcode::opcode##C},                          \
      {".c.cl", Opcode::opcode##CCl}, {".c.l", Opcode::opcode##CL}, {".c.b", Opcode::opcode##CB},                      \
      {".c.b.cl", Opcode::opcode##CBCl}, {".c.lz", Opcode::opcode##CLz}, {".o", Opcode::opcode##O},                    \
      {".cl.o", Opcode::opcode##ClO}, {".l.o", Opcode::opcode##LO}, {".b.o", Opcode::opcode##BO},                      \
      {".b.cl.o", Opcode::opcode##BClO}, {".lz.o", Opcode::opcode##LzO}, {".c.o", Opcode::opcode##CO},                 \
      {".c.cl.o", Opcode::opcode##CClO}, {".c.l.o", Opcode::opcode##CLO}, {".c.b.o", Opcode::opcode##CBO},             \
      {".c.b.cl.o", Opcode::opcode##CBClO}, {".c.lz.o", Opcode::opcode##CLzO}
        SAMPLES("sample", ImageSample),          {".d", Opcode::ImageSampleD},
        {".d.cl", Opcode::ImageSampleDCl},       {".c.d", Opcode::ImageSampleCD},
        {".c.d.cl", Opcode::ImageSampleCDCl},    {".d.o", Opcode::ImageSampleDO},
        {".d.cl.o", Opcode::ImageSampleDClO},    {".c.d.o", Opcode::ImageSampleCDO},
        {".c.d.cl.o", Opcode::ImageSampleCDClO},
    };
    static const llvm::StringMap<Opcode> gathers = {SAMPLES("gather4", ImageGather4)};
#undef SAMPLES
    const llvm::StringMap<Opcode> &table = isGather ? gathers : samples;
    if (const auto found = table.find(modifiers); found != table.end())
      opcode = found->second;
  }
  if (!opcode || at >= words.size())
    return refuse(whole);
  const llvm::StringRef dimension = words[at];
  access.opcode = *opcode;
  access.array = dimension.ends_with("array") || dimension == "2darraymsaa" || dimension == "cube";
  const llvm::Type *type = isStore ? call.getArgOperand(0)->getType() : call.getType();
  if (!isDwords(type))
    return refuse(whole);

  unsigned next = 0;
  Nodes data;
  if (isStore || isAtomic)
    data = valuesOf(call.getArgOperand(next++));
  if (isSwap)
    data.push_back(valueOf1(call.getArgOperand(next++)));
  access.dmask = isAtomic ? uint8_t((1u << data.size()) - 1) : uint8_t(numberAt(call, next++));
  const unsigned end = call.arg_size() - (hasSampler ? 5 : 3); // descriptor, [sampler, unnormalised], …, policy
  Nodes address;
  for (; next < end; ++next) {
    if (!isDwords(call.getArgOperand(next)->getType()))
      return refuse(whole);
    address.push_back(valueOf1(call.getArgOperand(next)));
  }
  Nodes operands;
  for (NodeId dword : valuesOf(call.getArgOperand(next++)))
    operands.push_back(uniform(dword));
  if (operands.size() != 8)
    return refuse(whole);
  access.unnormalized = true;
  if (hasSampler) {
    for (NodeId dword : valuesOf(call.getArgOperand(next++)))
      operands.push_back(uniform(dword));
    access.unnormalized = numberAt(call, next++);
  }
  if (numberAt(call, next++) != 0 || (numberAt(call, next) & ~3u))
    return refuse(whole + " with a cache policy");
  access.glc = numberAt(call, next) & 1;
  access.slc = numberAt(call, next) & 2;
  access.addresses = uint8_t(address.size());
  access.samples = hasSampler;
  access.writes = isStore || isAtomic;
  const unsigned count = isAtomic ? 1 : partsOf(type);
  if (!isStore && !isAtomic && !isGather && unsigned(std::popcount(access.dmask)) != count)
    return refuse(whole + " with a mask of other components");
  if (isStore && unsigned(std::popcount(access.dmask)) != data.size())
    return refuse(whole + " with a mask of other components");
  access.dwords = uint8_t(isStore || isAtomic ? data.size() : count);
  if (isAtomic) {
    access.returns = !call.use_empty();
    access.glc = access.returns;
  }
  m_program.needsQuads |= impliesLod && m_program.isFragment;
  operands.append(address.begin(), address.end());
  operands.append(data.begin(), data.end());
  Node node;
  node.op = Op::Image;
  node.bank = Bank::Vector;
  node.imm = uint32_t(m_program.accesses.size());
  node.isDivergent = isAtomic || impliesLod;
  for (NodeId dword : address)
    node.isDivergent |= nodeOf(dword).isDivergent;
  m_program.accesses.push_back(access);
  const NodeId made = makeList(node, operands);
  if (access.writes)
    effect(made);
  if (!isStore && access.returns)
    setParts(&call, made, count, node.isDivergent, Bank::Vector);
}

void Reader::readExport(const llvm::CallInst &call) {
  if (!call.getArgOperand(2)->getType()->isFloatTy() && !call.getArgOperand(2)->getType()->isIntegerTy(32))
    return refuse("an export of halves");
  Access access;
  access.opcode = Opcode::Exp;
  access.offset = numberAt(call, 0);
  access.dmask = uint8_t(numberAt(call, 1));
  access.done = numberAt(call, 6);
  access.validMask = numberAt(call, 7);
  Nodes operands;
  for (unsigned i = 0; i < 4; ++i)
    operands.push_back(valueOf1(call.getArgOperand(2 + i)));
  Node node;
  node.op = Op::Export;
  node.imm = uint32_t(m_program.accesses.size());
  m_program.accesses.push_back(access);
  effect(makeList(node, operands));
}

} // namespace dovetail::first

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

// Takes a constant addend out of an offset, as LLVM does for buffers (SIISelLowering, splitBufferOffsets).
void Reader::splitOffset(NodeId value, NodeId &base, uint32_t &offset, uint32_t limit) {
  // What is too much for the instruction is the same for neighbours.
  const uint32_t page = std::bit_floor(limit + 1);
  auto inInstruction = [&](uint32_t number) { return number <= limit ? number : number & (page - 1); };
  base = value;
  offset = 0;
  const Node &node = nodeOf(value);
  if (node.op == Op::Constant) {
    const uint32_t number = node.imm;
    offset = inInstruction(number);
    base = constant(number - offset);
  } else if (node.op == Op::Add) {
    for (unsigned i = 0; i < 2; ++i) {
      const NodeId other = node.a[1 - i];
      if (!isConstant(node.a[i]) || valueOf(node.a[i]) > INT32_MAX) // negative, but hardware counts without sign
        continue;
      const uint32_t number = valueOf(node.a[i]);
      offset = inInstruction(number);
      base = addConstant(other, number - offset);
      return;
    }
  }
}

// Whether a value of the type has dwords in memory, without gaps.
bool Reader::isOfDwords(const llvm::Type *type) {
  if (const auto *structure = llvm::dyn_cast<llvm::StructType>(type))
    return llvm::all_of(structure->elements(), [](const llvm::Type *element) { return isOfDwords(element); });
  if (type->isArrayTy())
    return isOfDwords(type->getArrayElementType());
  const llvm::Type *scalar = type->getScalarType();
  return scalar->isFloatTy() || scalar->isDoubleTy() || scalar->isIntegerTy(32) || scalar->isIntegerTy(64);
}

// Nothing, if loads and stores do not move such a type.
Reader::Units Reader::unitsOf(llvm::Type *type, llvm::Align align) const {
  const uint64_t size = m_function.getParent()->getDataLayout().getTypeStoreSize(type).getFixedValue();
  const unsigned bits = narrowBits(type);
  if (bits ? bits != 8 && bits != 16 : !isOfDwords(type) || size != 4 * partsOf(type))
    return {};
  unsigned bytes = unsigned(std::min<uint64_t>(align.value(), 4));
  if (size % bytes != 0)
    bytes = bits / 8;
  return {bytes, unsigned(size / bytes)};
}

// Values of what was loaded, unit by unit.
Reader::Nodes Reader::packedUnits(llvm::ArrayRef<NodeId> units, const llvm::Type *type, unsigned bytes) {
  const unsigned bits = narrowBits(type);
  if (bits == 8 * bytes || (bits == 0 && bytes == 4))
    return Nodes(units.begin(), units.end());
  const Nodes dwords = packed(units, 8 * bytes);
  return bits ? unpacked(dwords, bits, partsOf(type)) : dwords;
}

Reader::Nodes Reader::unpackedUnits(llvm::ArrayRef<NodeId> values, const llvm::Type *type, Units units) {
  const unsigned bits = narrowBits(type);
  if (bits == 8 * units.bytes || (bits == 0 && units.bytes == 4))
    return Nodes(values.begin(), values.end());
  return unpacked(packed(values, bits ? bits : 32), 8 * units.bytes, units.count);
}

// What is moved one by one: the type itself, or, if it has gaps or narrow members, its members.
bool Reader::findMembers(llvm::Type *type, uint64_t offset, llvm::SmallVectorImpl<Member> &members) const {
  constexpr size_t maxMembers = 256;
  constexpr uint64_t maxOffset = 4096;
  const llvm::DataLayout &layout = m_function.getParent()->getDataLayout();
  auto *structure = llvm::dyn_cast<llvm::StructType>(type);
  if (offset > maxOffset || members.size() >= maxMembers)
    return false;
  if ((!structure && !type->isArrayTy()) || unitsOf(type, llvm::Align(4)).count) {
    members.push_back({type, uint32_t(offset)});
    return true;
  }
  if (structure) {
    for (unsigned i = 0; i < structure->getNumElements(); ++i)
      if (!findMembers(structure->getElementType(i),
                       offset + layout.getStructLayout(structure)->getElementOffset(i).getFixedValue(), members))
        return false;
    return true;
  }
  for (uint64_t i = 0; i < type->getArrayNumElements(); ++i)
    if (!findMembers(type->getArrayElementType(),
                     offset + i * layout.getTypeAllocSize(type->getArrayElementType()).getFixedValue(), members))
      return false;
  return true;
}

void Reader::readLoad(const llvm::LoadInst &load) {
  llvm::SmallVector<Member, 4> members;
  if (!findMembers(load.getType(), 0, members) ||
      (load.isAtomic() && (members.size() > 1 || llvm::isStrongerThanMonotonic(load.getOrdering()))))
    return refuse("a load of " + nameOf(load.getType()));
  Nodes loaded;
  for (const Member &member : members) {
    loaded.append(loadAt(load, member));
    if (!m_refusal.empty())
      return;
  }
  set(&load, loaded);
}

Reader::Nodes Reader::loadAt(const llvm::LoadInst &load, const Member &member) {
  const unsigned space = load.getPointerAddressSpace();
  const llvm::Align align = llvm::commonAlignment(load.getAlign(), member.offset);
  const Units units = unitsOf(member.type, align);
  if (!units.count) {
    refuse("a load of " + nameOf(member.type));
    return {};
  }
  auto address = [&] {
    Address at = addressOf(load.getPointerOperand());
    at.offset += member.offset;
    return at;
  };
  auto offset = [&] { return addConstant(valueOf1(load.getPointerOperand()), member.offset); };
  Nodes loaded;
  switch (space) {
  case 1:
    loaded = loadGlobal(address(), units, load.isVolatile() || load.isAtomic());
    break;
  case 3:
    loaded = loadLds(offset(), units, align, load.isVolatile() || load.isAtomic());
    break;
  case 4:
    loaded = loadOfAddress(address(), units);
    break;
  case 5:
    loaded = readScratch(offset(), units);
    break;
  default:
    refuse("a load of address space " + std::to_string(space));
    return {};
  }
  if (!m_refusal.empty())
    return {};
  return packedUnits(loaded, member.type, units.bytes);
}

// From memory that nobody writes.
Reader::Nodes Reader::loadOfAddress(const Address &address, Units units) {
  const uint32_t *table = tableSize(address.low);
  auto isOfLanes = [&](NodeId node) { return node != NoNode && (differs(node)); };
  if (table && address.index != NoNode && (units.bytes < 4 || isOfLanes(address.index)))
    return loadTable(address, *table, units);
  if (units.bytes < 4 || isOfLanes(address.low) || isOfLanes(address.high) || isOfLanes(address.index))
    return loadGlobal(address, units, false);
  return loadConstants(address, units.count);
}

Reader::Nodes Reader::loadConstants(Address address, unsigned count) {
  static constexpr Opcode opcodes[] = {Opcode::SLoadDword, Opcode::SLoadDwordx2, Opcode::SLoadDwordx4,
                                       Opcode::SLoadDwordx8, Opcode::SLoadDwordx16};
  const unsigned size = std::bit_ceil(count);
  if (size > 16) {
    refuse("a wide load");
    return {};
  }
  const unsigned ways = (address.index != NoNode) + (address.relocated != UINT32_MAX) + (address.offset != 0);
  if (ways > 1) { // the load has one of these
    const uint32_t offset = address.offset;
    address.offset = 0;
    const auto [low, high] = wholeAddress(address);
    address = {low, high, offset};
  }
  Access access;
  access.relocated = address.relocated;
  if (size != count && (address.index != NoNode || address.relocated != UINT32_MAX)) {
    const auto [low, high] = wholeAddress(address);
    address = {low, high};
    access.relocated = UINT32_MAX;
  }
  Nodes operands = {uniform(address.low), uniform(address.high)}, parts;
  if (address.index != NoNode)
    operands.push_back(uniform(address.index));
  for (unsigned first = 0; first < count;) { // nothing behind the value may be read
    const unsigned here = std::bit_floor(count - first);
    access.opcode = opcodes[std::countr_zero(here)];
    access.dwords = uint8_t(here);
    access.offset = address.offset + 4 * first;
    parts.append(partsOf(makeAccess(Op::ScalarLoad, Bank::Scalar, access, operands), here));
    first += here;
  }
  return parts;
}

void Reader::readStore(const llvm::StoreInst &store) {
  llvm::Type *type = store.getValueOperand()->getType();
  llvm::SmallVector<Member, 4> members;
  if (!findMembers(type, 0, members) ||
      (store.isAtomic() && (members.size() > 1 || llvm::isStrongerThanMonotonic(store.getOrdering()))))
    return refuse("a store of " + nameOf(type));
  const Nodes values = valuesOf(store.getValueOperand());
  size_t next = 0;
  for (const Member &member : members) {
    const unsigned count = partsOf(member.type);
    storeAt(store, member, llvm::ArrayRef(values).slice(next, count));
    if (!m_refusal.empty())
      return;
    next += count;
  }
}

void Reader::storeAt(const llvm::StoreInst &store, const Member &member, llvm::ArrayRef<NodeId> values) {
  const unsigned space = store.getPointerAddressSpace();
  const llvm::Align align = llvm::commonAlignment(store.getAlign(), member.offset);
  const Units units = unitsOf(member.type, align);
  if (!units.count || (space != 1 && space != 3 && space != 5))
    return refuse("a store of " + nameOf(member.type) + " to address space " + std::to_string(space));
  const Nodes data = unpackedUnits(values, member.type, units);
  if (space == 1) {
    Address address = addressOf(store.getPointerOperand());
    address.offset += member.offset;
    return storeGlobal(address, data, units.bytes);
  }
  const NodeId address = addConstant(valueOf1(store.getPointerOperand()), member.offset);
  if (space == 5)
    writeScratch(address, data, units.bytes);
  else
    storeLds(address, data, units.bytes, align);
}

// `isAgain`: each load counts, even if an equal one stands before it.
Reader::Nodes Reader::loadLds(NodeId address, Units units, llvm::Align align, bool isAgain) {
  const unsigned count = units.count;
  Access access;
  access.glc = isAgain;
  NodeId base;
  splitOffset(address, base, access.offset, MaxLdsOffset - 4 * count);
  Nodes parts;
  const bool isWide = units.bytes == 4 && ((count == 2 && align.value() >= 8) || (count == 4 && align.value() >= 16));
  const unsigned step = isWide ? count : 1;
  for (unsigned i = 0; i < count; i += step) {
    Access each = access;
    each.dwords = uint8_t(step);
    each.offset += units.bytes * i;
    each.opcode = units.bytes == 1   ? Opcode::DsReadU8
                  : units.bytes == 2 ? Opcode::DsReadU16
                  : step == 1        ? Opcode::DsReadB32
                  : step == 2        ? Opcode::DsReadB64
                                     : Opcode::DsReadB128;
    parts.append(partsOf(makeAccess(Op::LdsLoad, Bank::Vector, each, {base}), step));
  }
  return parts;
}

void Reader::storeLds(NodeId address, llvm::ArrayRef<NodeId> data, unsigned bytes, llvm::Align align) {
  NodeId base;
  Access access;
  splitOffset(address, base, access.offset, MaxLdsOffset - uint32_t(4 * data.size()));
  const bool isWide =
      bytes == 4 && ((data.size() == 2 && align.value() >= 8) || (data.size() == 4 && align.value() >= 16));
  const size_t step = isWide ? data.size() : 1;
  for (size_t i = 0; i < data.size(); i += step) {
    Access each = access;
    each.writes = true;
    each.dwords = uint8_t(step);
    each.offset += uint32_t(bytes * i);
    each.opcode = bytes == 1   ? Opcode::DsWriteB8
                  : bytes == 2 ? Opcode::DsWriteB16
                  : step == 1  ? Opcode::DsWriteB32
                  : step == 2  ? Opcode::DsWriteB64
                               : Opcode::DsWriteB128;
    each.returns = false;
    Nodes operands = {base};
    operands.append(data.begin() + i, data.begin() + i + step);
    effect(makeAccess(Op::LdsStore, Bank::Scalar, each, operands));
  }
}

// Variables of a lane that are filled or copied as a whole: some dwords after the other.
void Reader::moveMemory(const llvm::MemIntrinsic &call) {
  constexpr uint64_t maxBytes = 8192;
  constexpr unsigned maxUnits = 16;
  const auto *length = llvm::dyn_cast<llvm::ConstantInt>(call.getLength());
  const auto *copy = llvm::dyn_cast<llvm::MemCpyInst>(&call);
  const unsigned from = copy ? copy->getSourceAddressSpace() : 0;
  if (!length || length->getZExtValue() > maxBytes || call.isVolatile() || call.getDestAddressSpace() != 5 ||
      (copy && from != 4 && from != 5))
    return refuse(call.getCalledFunction()->getName().str());
  const llvm::Align align = copy ? std::min(call.getDestAlign().valueOrOne(), copy->getSourceAlign().valueOrOne())
                                 : call.getDestAlign().valueOrOne();
  const unsigned unit = unsigned(std::min<uint64_t>(align.value(), 4));
  const unsigned bytes = unsigned(length->getZExtValue());
  const NodeId to = valueOf1(call.getDest());
  NodeId filling = NoNode;
  if (!copy)
    filling = operation(
        Op::Mul, {extend(valueOf1(llvm::cast<llvm::MemSetInst>(call).getValue()), 8, false), constant(0x01010101)});
  // The last bytes may be less than a unit; they are moved one by one.
  for (unsigned first = 0; first < bytes && m_refusal.empty();) {
    const unsigned count = std::min(maxUnits, (bytes - first) / unit);
    const Units units = count ? Units{unit, count} : Units{1, bytes - first};
    Nodes data;
    if (!copy) {
      data.assign(units.count, filling);
    } else if (from == 5) {
      data = readScratch(addConstant(valueOf1(copy->getSource()), first), units);
    } else {
      Address address = addressOf(copy->getSource());
      address.offset += first;
      data = loadOfAddress(address, units);
    }
    writeScratch(addConstant(to, first), data, units.bytes);
    first += units.bytes * units.count;
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

// A descriptor in SGPRs, or in VGPRs if lanes have different ones.
Reader::Nodes Reader::descriptorOf(llvm::ArrayRef<NodeId> dwords, Access &access) {
  Nodes nodes(dwords.begin(), dwords.end());
  const bool isApart = llvm::any_of(nodes, [&](NodeId node) { return differs(node); });
  access.isApart |= isApart;
  if (!isApart)
    for (NodeId &node : nodes)
      node = uniform(node);
  return nodes;
}

void Reader::readScalarBuffer(const llvm::CallInst &call) {
  if (!isDwords(call.getType()) || numberAt(call, 2) > 1)
    return refuse(call.getCalledFunction()->getName().str());
  const unsigned count = partsOf(call.getType());
  const unsigned size = std::bit_ceil(count);
  const Nodes descriptor = valuesOf(call.getArgOperand(0));
  const NodeId offset = valueOf1(call.getArgOperand(1));
  Access access;
  access.glc = numberAt(call, 2) & 1;
  Nodes operands = descriptorOf(descriptor, access);
  if (access.isApart || differs(offset)) { // it is a load of a buffer by lane
    constexpr Opcode opcodes[] = {Opcode::BufferLoadDword, Opcode::BufferLoadDwordx2, Opcode::BufferLoadDwordx3,
                                  Opcode::BufferLoadDwordx4};
    NodeId base;
    uint32_t start;
    splitOffset(offset, base, start, MaxBufferOffset - 4 * count);
    Nodes parts;
    for (unsigned i = 0; i < count; i += 4) {
      const unsigned here = std::min(4u, count - i);
      Access each = access;
      each.opcode = opcodes[here - 1];
      each.dwords = uint8_t(here);
      each.offset = start + 4 * i;
      each.offen = true;
      Nodes list = operands;
      list.append({constant(0), base});
      parts.append(partsOf(makeAccess(Op::BufferLoad, Bank::Vector, each, list), here));
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
  setParts(&call, makeAccess(Op::ScalarBufferLoad, Bank::Scalar, access, operands), count);
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
  const unsigned narrow = narrowBits(type);
  const bool isNarrow = !isTyped && !isFormat && !isAtomic && !type->isVectorTy() && (narrow == 8 || narrow == 16);
  const bool isWideAtomic = isAtomic && type->isIntegerTy(64);
  if (!isDwords(type) && !isNarrow && !isWideAtomic)
    return refuse(whole);
  const unsigned count = partsOf(type);
  if (count > 4 || (isAtomic && type->isVectorTy()))
    return refuse(whole);

  unsigned next = 0;
  Nodes data;
  if (isStore || isAtomic)
    data = valuesOf(call.getArgOperand(next++));
  if (isSwap)
    data.append(valuesOf(call.getArgOperand(next++)));
  Access access;
  Nodes operands = descriptorOf(valuesOf(call.getArgOperand(next++)), access);
  NodeId index = NoNode;
  if (isStruct)
    index = valueOf1(call.getArgOperand(next++));
  const NodeId offset = valueOf1(call.getArgOperand(next++));
  const NodeId scalarOffset = uniform(valueOf1(call.getArgOperand(next++)));
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
    // The rows of the table have the instructions of 64 bits in the order of those of 32.
    constexpr int toWide = int(Opcode::BufferAtomicSwapX2) - int(Opcode::BufferAtomicSwap);
    static_assert(int(Opcode::BufferAtomicDecX2) - int(Opcode::BufferAtomicDec) == toWide);
    access.opcode = isWideAtomic ? Opcode(int(*opcode) + toWide) : *opcode;
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
    access.opcode = !isNarrow     ? row[count - 1]
                    : narrow == 8 ? (isStore ? Opcode::BufferStoreByte : Opcode::BufferLoadUbyte)
                                  : (isStore ? Opcode::BufferStoreShort : Opcode::BufferLoadUshort);
  }
  operands.push_back(scalarOffset);
  if (access.idxen)
    operands.push_back(index);
  if (access.offen)
    operands.push_back(base);
  operands.append(data.begin(), data.end());
  const NodeId made = makeAccess(isAtomic  ? Op::BufferAtomic
                                 : isStore ? Op::BufferStore
                                           : Op::BufferLoad,
                                 Bank::Vector, access, operands,
                                 isAtomic || access.isSwizzled); // a descriptor may add the lane
  if (access.writes)
    effect(made);
  if (!isStore && access.returns)
    setParts(&call, made, count);
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
  effect(makeAccess(Op::Export, Bank::Scalar, access, operands));
}

} // namespace dovetail::first

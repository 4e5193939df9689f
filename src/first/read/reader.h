// SPDX-License-Identifier: MIT
//
// Makes nodes while IR is read. What each instruction and intrinsic becomes is in the other files of
// the folder.
#pragma once

#include "src/abi/target_info.h"
#include "src/first/form/program.h"
#include "src/first/read/block_order.h"
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Support/raw_ostream.h>
#include <optional>
#include <string>

namespace dovetail::first {

constexpr uint32_t MaxBufferOffset = 4095, MaxLdsOffset = 65535;     // bytes, in an instruction
constexpr uint32_t MaxScalarOffsetOfLoad = MaxScalarOffset - 4 * 16; // of the last dword of a load

inline uint32_t numberAt(const llvm::CallInst &call, unsigned argument) {
  return uint32_t(llvm::cast<llvm::ConstantInt>(call.getArgOperand(argument))->getZExtValue());
}

inline bool isDwords(const llvm::Type *type) {
  const llvm::Type *scalar = type->getScalarType();
  return scalar->isFloatTy() || scalar->isIntegerTy(32);
}

inline std::string nameOf(const llvm::Type *type) {
  std::string text;
  llvm::raw_string_ostream(text) << *type;
  return text;
}

// Bits of values that share a dword with others in memory; 0: the type has none such.
inline unsigned narrowBits(const llvm::Type *type) {
  const llvm::Type *scalar = type->getScalarType();
  const unsigned bits = scalar->isHalfTy() ? 16 : scalar->isIntegerTy() ? scalar->getIntegerBitWidth() : 0;
  return bits > 1 && bits < 32 ? bits : 0;
}

// The first reason to refuse is kept, and reading ends at the next instruction.
class Reader {
public:
  using Nodes = llvm::SmallVector<NodeId, 4>;

  // `pixelInputs`: PsInputBits that have registers, of fragment shaders.
  Reader(const llvm::Function &function, const BlockOrder &order, const TargetInfo &target, uint32_t pixelInputs);

  // Returns whether all has been read. If it has not and nothing was refused, the caller reads again with the lessons.
  bool read();
  const std::string &refusal() const { return m_refusal; }
  Program takeProgram() { return std::move(m_program); }
  // What a reading has learned for the next one.
  struct Lessons {
    llvm::DenseMap<const llvm::PHINode *, uint32_t> vectorPhis; // no scalars: 1; and lanes differ: 2
    llvm::DenseSet<const llvm::Value *> carried;                // out of a loop that lanes leave apart
  };
  Lessons &lessons() { return m_lessons; }

private:
  // An address of 64 bits: low and high dword, and what is added.
  struct Address {
    NodeId low, high;
    uint32_t offset = 0;
    uint32_t relocated = UINT32_MAX;
    NodeId index = NoNode; // bytes, without sign
  };
  // A value of 64 bits.
  struct Wide {
    NodeId low, high;
  };
  // A dword of a lane's memory whose value is known.
  struct ScratchDword {
    uint32_t offset; // bytes
    NodeId value;
  };
  // The low bits of a number that are the same whatever it is, and its limits.
  struct Known {
    unsigned bits = 0; // so many
    uint32_t low = 0, least = 0, most = UINT32_MAX;
  };
  // What a load or store moves: `count` units of so many bytes.
  struct Units {
    unsigned bytes = 4, count = 0;
  };

  void refuse(std::string reason) {
    if (m_refusal.empty())
      m_refusal = std::move(reason);
  }
  bool isGfx9() const { return m_target.gfxIp.major >= 9; }

  // read_program.cpp, read_values.cpp
  void readLimits();
  void readArguments();
  void readBlock(uint16_t block);
  void readPhis(uint16_t block);
  NodeId sameOnAllWays(const llvm::PHINode &phi, uint16_t block, unsigned part) const;
  void readLeaving(uint16_t block);
  NodeId decided(uint16_t block, unsigned successor, NodeId value);
  void fillPhis();
  void spreadLessons();
  void dropIdleBranches();
  bool isDivergentJoin(uint16_t block) const;
  bool leavesLoopApart(NodeId node) const;
  // Whether lanes may have different values here.
  bool differs(NodeId node) const { return nodeOf(node).isDivergent || leavesLoopApart(node); }
  NodeId constant(uint32_t value);
  NodeId boolConstant(bool value);
  NodeId undefined(bool isBool);
  NodeId relocated(uint32_t index);
  NodeId make(const Node &node);
  NodeId makeList(Node node, llvm::ArrayRef<NodeId> operands);
  NodeId makeAccess(Op op, Bank bank, const Access &access, llvm::ArrayRef<NodeId> operands, bool isDivergent = false);
  Nodes partsOf(NodeId node, unsigned count);
  bool isPure(const Node &node) const;
  void checkWhole(const Node &node, llvm::ArrayRef<NodeId> operands);
  NodeId part(NodeId node, uint32_t index);
  NodeId unary(Op op, NodeId value, uint32_t imm = 0) { return operation(op, {value}, imm); }
  NodeId operation(Op op, llvm::ArrayRef<NodeId> operands, uint32_t imm = 0);
  NodeId withConstant(Op op, NodeId value, uint32_t number, bool isSecond);
  NodeId valu(isa::Opcode opcode, llvm::ArrayRef<NodeId> dwords);
  NodeId salu(isa::Opcode opcode, llvm::ArrayRef<NodeId> dwords);
  Wide saluWide(isa::Opcode opcode, llvm::ArrayRef<NodeId> dwords);
  Wide valuWide(isa::Opcode opcode, llvm::ArrayRef<NodeId> dwords);
  NodeId uniform(NodeId node);
  NodeId readFirstLane(NodeId value);
  NodeId addConstant(NodeId node, uint32_t value);
  bool isConstant(NodeId node) const { return m_program.nodes[node].op == Op::Constant; }
  uint32_t valueOf(NodeId node) const { return m_program.nodes[node].imm; }
  const Node &nodeOf(NodeId node) const { return m_program.nodes[node]; }

  // Dwords or bools of a type, narrow values one in each; 0: not supported.
  static unsigned partsOf(const llvm::Type *type);
  static void findBools(const llvm::Type *type, llvm::SmallVectorImpl<bool> &bools);
  Nodes valuesOf(const llvm::Value *value);
  bool isCarried(const llvm::Value *value, llvm::ArrayRef<NodeId> nodes);
  NodeId valueOf1(const llvm::Value *value) {
    const Nodes nodes = valuesOf(value);
    return nodes.empty() ? undefined(false) : nodes[0];
  }
  void set(const llvm::Value *value, llvm::ArrayRef<NodeId> nodes);
  NodeId ldsAddress(const llvm::Constant *pointer);
  void constantParts(const llvm::Constant *constant, Nodes &nodes);

  // read_operations.cpp, read_calls.cpp
  void readInstruction(const llvm::Instruction &instruction);
  void readBinary(const llvm::BinaryOperator &instruction);
  void readCast(const llvm::CastInst &instruction);
  Nodes recast(const llvm::Type *from, const llvm::Type *to, llvm::ArrayRef<NodeId> parts);
  void readShuffle(const llvm::ShuffleVectorInst &instruction);
  void readCompare(const llvm::CmpInst &instruction);
  void readSelect(const llvm::SelectInst &instruction);
  void readAggregate(const llvm::Instruction &instruction);
  std::optional<std::pair<uint32_t, uint32_t>> valuesToKeep(const llvm::Instruction &instruction) const;
  void readElement(const llvm::Instruction &instruction);
  void selectElement(const llvm::Instruction &instruction, Nodes nodes, llvm::ArrayRef<NodeId> element, unsigned each,
                     NodeId index);
  void readCall(const llvm::CallInst &call);
  bool readArithmetic(const llvm::CallInst &call);
  bool readOtherSizes(const llvm::CallInst &call, Op op);
  Nodes readLdexp(const llvm::CallInst &call, llvm::ArrayRef<Nodes> of);
  bool readClass(const llvm::CallInst &call);
  NodeId multiply(const llvm::BinaryOperator &instruction, NodeId left, NodeId right);
  NodeId divide(const llvm::BinaryOperator &instruction, NodeId dividend, NodeId divisor);
  NodeId divideByConstant(NodeId dividend, uint32_t divisor, bool isSigned);
  NodeId boolOperation(Op op, NodeId left, NodeId right);
  NodeId selectBool(NodeId condition, NodeId left, NodeId right);

  // read_whole_waves.cpp
  void findWholeWaves();
  void readOfWholeWave(const llvm::Instruction &instruction);
  Nodes wholeValuesOf(const llvm::Value *value);
  void readSetInactive(const llvm::CallInst &call);
  void readLeaveWhole(const llvm::CallInst &call);
  bool readDpp(const llvm::CallInst &call);

  // read_integers.cpp
  NodeId extend(NodeId value, unsigned bits, bool isSigned);
  NodeId lowBitsOf(NodeId value, unsigned bits) const;
  bool hasZerosAbove(NodeId value, unsigned bits) const;
  Wide extendWide(Wide value, unsigned bits, bool isSigned);
  Nodes packed(llvm::ArrayRef<NodeId> values, unsigned bits);
  Nodes unpacked(llvm::ArrayRef<NodeId> dwords, unsigned bits, size_t count);
  bool readNarrow(const llvm::BinaryOperator &instruction, llvm::ArrayRef<NodeId> left, llvm::ArrayRef<NodeId> right,
                  unsigned bits);
  bool readWide(const llvm::BinaryOperator &instruction, llvm::ArrayRef<NodeId> left, llvm::ArrayRef<NodeId> right);
  Wide addWide(Op op, Wide left, Wide right);
  Wide multiplyWide(Wide left, Wide right);
  Wide shiftWide(unsigned opcode, Wide value, NodeId amount);
  std::optional<Wide> divideWide(unsigned opcode, Wide dividend, Wide divisor);
  NodeId compareWide(llvm::CmpInst::Predicate predicate, Wide left, Wide right);

  // read_integer_calls.cpp
  bool readIntegerCall(const llvm::CallInst &call);
  bool readFunnelShift(const llvm::CallInst &call);
  NodeId narrowCall(llvm::Intrinsic::ID id, unsigned bits, NodeId left, NodeId right, bool flag);
  Nodes wideCall(llvm::Intrinsic::ID id, Wide left, Wide right, bool flag);

  // read_floats.cpp
  Nodes negated(const llvm::Type *type, llvm::ArrayRef<NodeId> value);
  Nodes floatOperation(const llvm::Type *type, Op op, llvm::ArrayRef<Nodes> operands);
  static const llvm::BinaryOperator *productToFuse(const llvm::BinaryOperator &sum);
  bool readFloats(const llvm::BinaryOperator &instruction, llvm::ArrayRef<NodeId> left, llvm::ArrayRef<NodeId> right);
  Nodes divideDoubles(llvm::ArrayRef<NodeId> dividend, llvm::ArrayRef<NodeId> divisor);
  NodeId divideHalves(NodeId dividend, NodeId divisor);
  NodeId compareFloats(const llvm::Type *type, llvm::CmpInst::Predicate predicate, llvm::ArrayRef<NodeId> left,
                       llvm::ArrayRef<NodeId> right);
  bool readSquareRoot(const llvm::CallInst &call);
  Nodes squareRootOfDouble(llvm::ArrayRef<NodeId> value);
  Nodes floatOfWide(const llvm::Type *type, Wide value, bool isSigned);
  Wide wideOfFloat(const llvm::Type *type, llvm::ArrayRef<NodeId> value, bool isSigned);
  NodeId halfOfDouble(llvm::ArrayRef<NodeId> value);
  bool convertFloats(const llvm::CastInst &instruction, llvm::ArrayRef<NodeId> parts);

  // read_addresses.cpp
  struct AtomicOpcodes {
    isa::Opcode inLds, wideInLds, dword, wide;
  };
  Address addressOf(const llvm::Value *pointer);
  void setAddress(const llvm::Value *pointer, const Address &address);
  Nodes indexOf(const llvm::Value *value);
  std::pair<NodeId, NodeId> wholeAddress(const Address &address);
  void readGep(const llvm::GetElementPtrInst &gep);
  Nodes globalOperands(Address address, uint32_t extra, Access &access);
  Nodes loadGlobal(const Address &address, Units units, bool glc);
  void storeGlobal(const Address &address, llvm::ArrayRef<NodeId> data, unsigned bytes);
  void readAtomic(const llvm::Instruction &instruction, const llvm::Value *pointer, llvm::ArrayRef<NodeId> data,
                  AtomicOpcodes opcodes, unsigned dwords);
  void readAtomicOperation(const llvm::AtomicRMWInst &atomic);
  void readExchange(const llvm::AtomicCmpXchgInst &exchange);

  // read_memory.cpp, read_image.cpp, read_tables.cpp
  bool readMemoryCall(const llvm::CallInst &call);
  void readLoad(const llvm::LoadInst &load);
  void readStore(const llvm::StoreInst &store);
  struct Member {
    llvm::Type *type;
    uint32_t offset; // bytes
  };
  bool findMembers(llvm::Type *type, uint64_t offset, llvm::SmallVectorImpl<Member> &members) const;
  Nodes loadAt(const llvm::LoadInst &load, const Member &member);
  void storeAt(const llvm::StoreInst &store, const Member &member, llvm::ArrayRef<NodeId> values);
  Units unitsOf(llvm::Type *type, llvm::Align align) const;
  Nodes packedUnits(llvm::ArrayRef<NodeId> units, const llvm::Type *type, unsigned bytes);
  Nodes unpackedUnits(llvm::ArrayRef<NodeId> values, const llvm::Type *type, Units units);
  static bool isOfDwords(const llvm::Type *type);
  Nodes loadLds(NodeId address, Units units, llvm::Align align, bool isAgain);
  void storeLds(NodeId address, llvm::ArrayRef<NodeId> data, unsigned bytes, llvm::Align align);
  Nodes loadOfAddress(const Address &address, Units units);
  Nodes loadConstants(Address address, unsigned dwords);
  Nodes descriptorOf(llvm::ArrayRef<NodeId> dwords, Access &access);
  void moveMemory(const llvm::MemIntrinsic &call);
  bool readTable(const llvm::CallInst &call);
  bool writeConstant(const llvm::Constant *constant, uint64_t at);
  Nodes loadTable(const Address &address, uint32_t size, Units units);
  const uint32_t *tableSize(NodeId low) const;
  void beginScratch(uint16_t block);
  Known known(NodeId node, unsigned depth) const;
  void noteScratch(NodeId address, unsigned bytes, NodeId value);
  Nodes readScratch(NodeId address, Units units);
  void writeScratch(NodeId address, llvm::ArrayRef<NodeId> data, unsigned bytes);
  void readAlloca(const llvm::AllocaInst &variable);
  void makeScratchDescriptor();
  Nodes scratchOperands(NodeId address, Access &access);
  void readBuffer(const llvm::CallInst &call, llvm::StringRef name);
  void readScalarBuffer(const llvm::CallInst &call);
  void readImage(const llvm::CallInst &call, llvm::StringRef name);
  void readExport(const llvm::CallInst &call);
  void effect(NodeId node) { m_program.blocks[m_block].effects.push_back(node); }
  void splitOffset(NodeId value, NodeId &base, uint32_t &offset, uint32_t limit);
  void setParts(const llvm::Value *value, NodeId node, unsigned count) { set(value, partsOf(node, count)); }

  const llvm::Function &m_function;
  const BlockOrder &m_order;
  const TargetInfo &m_target;
  const uint32_t m_pixelInputs;
  Program m_program;
  std::string m_refusal;
  const llvm::Instruction *m_instruction = nullptr; // that is being read
  bool m_mustRepeat = false;
  bool m_isWhole = false;                         // nodes of the whole wave are made
  bool m_readsLanes = false, m_endsLanes = false; // values of the first lane; fragments that are discarded
  uint16_t m_block = 0;
  llvm::DenseMap<const llvm::Value *, std::pair<uint32_t, uint32_t>> m_values; // first in m_parts, count
  llvm::DenseMap<const llvm::Value *, Nodes> m_wholeValues;                    // of those of the whole wave
  llvm::DenseSet<const llvm::Instruction *> m_wholeWaves;                      // that make them
  llvm::DenseMap<const llvm::Value *, Address> m_addresses;
  llvm::DenseMap<const llvm::Value *, uint32_t> m_ldsOffsets;
  std::vector<NodeId> m_parts;
  std::vector<std::pair<const llvm::PHINode *, uint32_t>> m_phis; // with the number of the first part's node
  llvm::DenseMap<std::pair<const llvm::PHINode *, unsigned>, Nodes> m_leaving; // by phi and predecessor
  Lessons m_lessons;
  llvm::DenseMap<const llvm::Value *, Nodes> m_carriedBools; // as 0 or 1 in VGPRs
  std::vector<NodeId> m_table;                               // of equal nodes; a power of two
  uint32_t m_tableUsed = 0;
  llvm::DenseMap<uint64_t, NodeId> m_lists;      // by hash: the last node with a list that can be shared
  std::vector<bool> m_isDivergentBranch;         // by block
  std::vector<bool> m_isDivergentLoop;           // lanes leave it apart
  llvm::DenseMap<NodeId, uint32_t> m_tableSizes; // by the low dword of the address: bytes
  NodeId m_scratchOffset = NoNode;               // the SGPR in which the hardware hands it over
  std::array<NodeId, 4> m_scratch = {NoNode, NoNode, NoNode, NoNode};
  std::vector<ScratchDword> m_scratchKnown;              // here, by offset
  std::vector<std::vector<ScratchDword>> m_scratchAtEnd; // by block
  NodeId m_undefined[2] = {NoNode, NoNode};
};

} // namespace dovetail::first

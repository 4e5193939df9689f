// SPDX-License-Identifier: MIT
//
// What first code is made of: a shader as a graph of scalar operations. Vectors, aggregates, casts and pointers of LLVM
// IR are gone; each node is one dword, one bool, or an instruction that hands out several dwords (Op::Part) or none.
// read_program.h makes it, select.h makes machine instructions of it.
#pragma once

#include "src/abi/interface/layout_constant.h"
#include "src/abi/interface/link_constant.h"
#include "src/abi/value.h"
#include "src/first/form/refusal.h"
#include "src/isa/encoder.h"
#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <variant>
#include <vector>

namespace dovetail::first {

// Where a value lives. Scalar: an SGPR, or for a bool the SCC of a comparison that is made where it is needed. Vector:
// a VGPR, or for a bool a mask of lanes in two SGPRs.
enum class Bank : uint8_t { Scalar, Vector };

enum class Op : uint8_t {
  Undefined,
  Constant,  // imm
  Argument,  // imm: register of the bank
  Relocated, // imm: number in Program::relocated
  PcLow,     // halves of the program counter; nobody may need the low one
  PcHigh,
  Phi,  // operands: one for each predecessor of the block, in its order
  Part, // a[0]: the node that makes several dwords, imm: which
  // Integers. Shifts take the low five bits of their second operand.
  Add,
  Sub,
  Mul,
  MulU24,
  MulHighU,
  MulHighI,
  And,
  Or,
  Xor,
  ShiftLeft,
  ShiftRight,
  ShiftRightSigned,
  MinI,
  MaxI,
  MinU,
  MaxU,
  ExtractU, // value, offset, width: v_bfe
  ExtractI,
  SelectBits, // a mask: bits of the first value where it has ones, of the second elsewhere
  CountBits,
  ReverseBits,
  FindLowBit,  // -1 if there is none
  FindHighBit, // from the top; -1 if there is none
  // Bools. imm of comparisons: LLVM's predicate.
  True,
  CompareI,
  CompareF,
  BoolAnd,
  BoolOr,
  BoolXor,
  BoolNot,
  BoolOf, // a dword that is not 0
  Select, // a bool, two dwords
  // Floats of 32 bits
  AddF,
  SubF,
  MulF, // imm: LosesZeroSign, or nothing
  MadF, // rounds twice
  FmaF,
  Negate,
  Absolute,
  DivideF, // exact
  MinF,
  MaxF,
  MedF,
  MulLegacy,
  Rcp,
  Rsq,
  Sqrt,
  Log,
  Exp,
  Sin, // of turns
  Cos,
  Fract,
  Floor,
  Ceil,
  Truncate,
  RoundEven,
  Ldexp,
  FrexpMantissa,
  FrexpExponent,
  CubeId,
  CubeSc,
  CubeTc,
  CubeMa,
  FloatOfI,
  FloatOfU,
  IntOfF,
  UintOfF,
  // Lanes
  ReadFirstLane, // imm: 1 if lanes have different values
  CopyToVector,  // of a scalar, so that each lane has its own
  Dpp,           // source, [what lanes without a source get]; imm: DppControl and so on
  SetInactive,   // a value, that of lanes that do not run: the value of the whole wave
  LeaveWhole,    // of a value of the whole wave, what the lanes have that run
  LanesBelowLow, // v_mbcnt_lo: mask, addend
  LanesBelowHigh,
  // Interpolation. imm: attribute << 2 | channel; a[0]: weight (P1, P2), a[1]: P1's result (P2), a[2]: M0
  InterpP1,
  InterpP2,
  InterpMov,  // imm also has the vertex << 8
  InterpHalf, // both steps for an input of 16 bits: weights, M0. imm also has the half << 8
  // Nodes with several results or none: operands in Program::lists, imm: number in Program::accesses
  Valu,     // an instruction of the vector unit with the dwords of its sources
  ValuMask, // likewise; the result is a bool
  Salu,     // likewise, of the scalar unit
  SaluTest,
  AddWide, // low, high + low, high. From here to TableAddress: two dwords
  SubWide,
  DivideF64,    // exact
  MaskDwords,   // of the lanes that run, those in which a bool holds
  TableAddress, // imm: bytes into Program::tables
  ScalarLoad,
  ScalarBufferLoad,
  BufferLoad,
  BufferStore,
  BufferAtomic,
  GlobalLoad,
  GlobalStore,
  GlobalAtomic,
  LdsLoad,
  LdsStore, // or an atomic
  Image,
  Export,
  // Other effects
  Barrier,
  WaitAll,     // imm: EmptyCaches, OfWave, or nothing
  SendMessage, // imm; a[0]: M0
  Kill,        // a[0]: the bool of lanes that stay; imm: 1 if the others become helpers
  QuadAny,     // a bool: another one holds in any lane of the quad
  Live,        // a bool: the lane is no helper and was not discarded
};

// Of Op::Dpp and Form::Dpp: the control's nine bits ("Vega" ISA manual, section 13.3.9), and from these bits on, four
// for rows and four for banks. Lanes without a source get 0 if DppBound is set, and keep what they have otherwise.
constexpr unsigned DppRows = 9, DppBanks = 13;
constexpr uint32_t DppControl = 511, DppBound = 1u << 17;

// EmptyCaches: what other workgroups write is to be seen. OfWave: no other wave is meant, and a wave's accesses are in
// order.
constexpr uint32_t EmptyCaches = 1, OfWave = 2;

// Of Op::MulF: the sign of a zero may be lost.
constexpr uint32_t LosesZeroSign = 1;
// isa::Modifiers::omod for a product with a float of 32 bits; 0: there is none.
constexpr uint8_t outputModifierOf(uint32_t factor) {
  return factor == std::bit_cast<uint32_t>(2.0f)   ? 1
         : factor == std::bit_cast<uint32_t>(4.0f) ? 2
         : factor == std::bit_cast<uint32_t>(0.5f) ? 3
                                                   : 0;
}

using NodeId = uint32_t;
constexpr NodeId NoNode = UINT32_MAX;

struct Node {
  Op op = Op::Undefined;
  Bank bank = Bank::Scalar;
  bool isBool = false;
  bool isDivergent = false; // lanes may have different values
  bool isWhole = false;     // of the vector bank: made in all lanes of the wave, also in those that do not run
  uint16_t block = 0;
  uint16_t count = 0;                                 // operands in `lists`
  std::array<NodeId, 3> a = {NoNode, NoNode, NoNode}; // a[0]: index into `lists`, if there are
  uint32_t imm = 0;
  uint32_t uses = 0;
};

// Reads or writes memory, or exports; from Op::Valu to Op::SaluTest, the opcode.
struct Access {
  isa::Opcode opcode{};
  uint8_t dwords = 0;    // of data
  uint8_t addresses = 0; // dwords of an image's address
  uint8_t dmask = 0;     // or the components of an export
  uint32_t offset = 0;   // bytes; or the target of an export
  bool offen = false, idxen = false, glc = false, slc = false, unnormalized = false, array = false, done = false,
       validMask = false;
  bool writes = false, returns = true, samples = false;
  bool isPrivate = false;          // memory of the lane: helper lanes have theirs
  bool isSwizzled = false;         // neighbouring dwords are apart in memory
  bool isApart = false;            // descriptors are in VGPRs: lanes have different ones
  uint32_t relocated = UINT32_MAX; // the offset of a scalar load is this constant
  uint8_t dataFormat = 0, numFormat = 0;
};

enum class Terminator : uint8_t { Jump, Branch, End };

struct Block {
  uint32_t firstNode = 0, endNode = 0; // its nodes
  Terminator terminator = Terminator::End;
  NodeId condition = NoNode;       // Branch
  uint16_t successors[2] = {0, 0}; // taken if the condition holds, if not
  std::vector<uint16_t> predecessors;
  std::vector<NodeId> phis;
  std::vector<NodeId> effects; // nodes that nobody has to ask for
  std::vector<NodeId> results; // End: what is returned
  uint16_t dominator = 0;      // immediate
  uint16_t rank = 0;           // in a walk over the tree of dominators, where the blocks that this one dominates
  uint16_t dominated = 1;      // follow it: so many, with itself
  uint16_t loop = UINT16_MAX;  // innermost
  bool isLoopHeader = false;

  unsigned successorCount() const {
    return terminator == Terminator::Branch ? 2 : terminator == Terminator::Jump ? 1 : 0;
  }
};

struct Loop {
  uint16_t header = 0, last = 0; // blocks [header, last]
  uint16_t parent = UINT16_MAX;
};

constexpr uint32_t MaxScratchBytes = 1u << 18; // of a lane

using RelocatedConstant = std::variant<LinkConstant, LayoutConstant>;

// Blocks are in the order in which they stand in the code; those of a loop stand together.
struct Program {
  std::vector<Node> nodes;
  std::vector<NodeId> lists;
  std::vector<Access> accesses;
  std::vector<Block> blocks;
  std::vector<Loop> loops;
  std::vector<RelocatedConstant> relocated;
  std::vector<uint8_t> tables; // constants in memory
  bool endsProgram = true;
  unsigned scalarResults = 0; // of the results, those in SGPRs, which come first
  bool needsQuads = false;    // derivatives: helper lanes have to run
  bool isFragment = false;
  bool countsLanes = false;                // lanes are discarded, and others ask which lanes there are
  uint32_t ldsBytes = 0, scratchBytes = 0; // of a group, of a lane
  uint32_t scratchDescriptorOffset = 0;    // bytes in the driver's global table
  unsigned maxSgprs = 96, maxVgprs = 256;  // numbered ones

  bool dominates(uint16_t block, uint16_t of) const {
    return uint16_t(blocks[of].rank - blocks[block].rank) < blocks[block].dominated;
  }
  std::span<const NodeId> operandsOf(const Node &node) const {
    if (node.count)
      return {lists.data() + node.a[0], node.count};
    return {node.a.data(), size_t(node.a[0] == NoNode ? 0 : node.a[1] == NoNode ? 1 : node.a[2] == NoNode ? 2 : 3)};
  }
};

} // namespace dovetail::first

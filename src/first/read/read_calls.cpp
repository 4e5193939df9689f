// SPDX-License-Identifier: MIT
#include "src/first/read/reader.h"
#include <llvm/IR/Constants.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/IntrinsicsAMDGPU.h>
#include <llvm/IR/Metadata.h>
#include <optional>

namespace dovetail::first {

using llvm::Intrinsic::ID;
namespace Intrinsic = llvm::Intrinsic;

namespace {

// Operations on each part of their operands, one for one.
std::optional<Op> elementwise(ID id) {
  switch (id) {
  case Intrinsic::fmuladd:
    return Op::MadF;
  case Intrinsic::fma:
    return Op::FmaF;
  case Intrinsic::fabs:
    return Op::Absolute;
  case Intrinsic::minnum:
    return Op::MinF;
  case Intrinsic::maxnum:
    return Op::MaxF;
  case Intrinsic::floor:
    return Op::Floor;
  case Intrinsic::ceil:
    return Op::Ceil;
  case Intrinsic::trunc:
    return Op::Truncate;
  case Intrinsic::rint:
  case Intrinsic::nearbyint:
  case Intrinsic::roundeven:
    return Op::RoundEven;
  case Intrinsic::smin:
    return Op::MinI;
  case Intrinsic::smax:
    return Op::MaxI;
  case Intrinsic::umin:
    return Op::MinU;
  case Intrinsic::umax:
    return Op::MaxU;
  case Intrinsic::ctpop:
    return Op::CountBits;
  case Intrinsic::bitreverse:
    return Op::ReverseBits;
  case Intrinsic::ldexp:
    return Op::Ldexp;
  case Intrinsic::amdgcn_ubfe:
    return Op::ExtractU;
  case Intrinsic::amdgcn_sbfe:
    return Op::ExtractI;
  case Intrinsic::amdgcn_mul_u24:
    return Op::MulU24;
  case Intrinsic::amdgcn_fmed3:
    return Op::MedF;
  case Intrinsic::amdgcn_fmul_legacy:
    return Op::MulLegacy;
  case Intrinsic::amdgcn_rcp:
    return Op::Rcp;
  case Intrinsic::amdgcn_rsq:
    return Op::Rsq;
  case Intrinsic::amdgcn_sqrt:
    return Op::Sqrt;
  case Intrinsic::amdgcn_log:
    return Op::Log;
  case Intrinsic::amdgcn_exp2:
    return Op::Exp;
  case Intrinsic::amdgcn_fract:
    return Op::Fract;
  case Intrinsic::amdgcn_frexp_mant:
    return Op::FrexpMantissa;
  case Intrinsic::amdgcn_frexp_exp:
    return Op::FrexpExponent;
  case Intrinsic::amdgcn_cubeid:
    return Op::CubeId;
  case Intrinsic::amdgcn_cubesc:
    return Op::CubeSc;
  case Intrinsic::amdgcn_cubetc:
    return Op::CubeTc;
  case Intrinsic::amdgcn_cubema:
    return Op::CubeMa;
  case Intrinsic::amdgcn_readfirstlane:
    return Op::ReadFirstLane;
  case Intrinsic::amdgcn_mbcnt_lo:
    return Op::LanesBelowLow;
  case Intrinsic::amdgcn_mbcnt_hi:
    return Op::LanesBelowHigh;
  default:
    return std::nullopt;
  }
}

} // namespace

// Which lane is the first depends on the lanes that run, so this is no operation that equal ones share.
NodeId Reader::readFirstLane(NodeId value) {
  m_readsLanes = true;
  Node node;
  node.op = Op::ReadFirstLane;
  node.block = m_block;
  node.a[0] = value;
  m_program.nodes.push_back(node);
  return NodeId(m_program.nodes.size() - 1);
}

// Intrinsics that compute; false: the intrinsic is none of them.
bool Reader::readArithmetic(const llvm::CallInst &call) {
  const ID id = call.getIntrinsicID();
  if (const std::optional<Op> op = elementwise(id)) {
    if (!isDwords(call.getType()))
      return false;
    llvm::SmallVector<Nodes, 3> operands;
    for (const llvm::Use &argument : call.args()) {
      if (!isDwords(argument->getType()))
        return false;
      operands.push_back(valuesOf(argument));
    }
    Nodes result;
    for (size_t i = 0; i < operands[0].size(); ++i) {
      Nodes of;
      for (const Nodes &operand : operands)
        of.push_back(operand[i]);
      if (*op != Op::ReadFirstLane)
        result.push_back(operation(*op, of));
      else
        result.push_back(nodeOf(of[0]).isDivergent || leavesLoopApart(of[0]) ? readFirstLane(of[0]) : uniform(of[0]));
    }
    set(&call, result);
    return true;
  }
  auto each = [&](auto &&make) {
    Nodes nodes = valuesOf(call.getArgOperand(0));
    for (NodeId &node : nodes)
      node = make(node);
    set(&call, nodes);
    return true;
  };
  if (call.arg_size() && !isDwords(call.getType()))
    return false;
  switch (id) {
  case Intrinsic::sin:
  case Intrinsic::cos:
    return each([&](NodeId node) { // v_sin_f32 takes turns; its range is that of v_fract_f32 on GFX8 and GFX9
      constexpr uint32_t inverseOfTwoPi = 0x3e22f983;
      return unary(id == Intrinsic::sin ? Op::Sin : Op::Cos,
                   unary(Op::Fract, operation(Op::MulF, {node, constant(inverseOfTwoPi)})));
    });
  case Intrinsic::usub_sat:
  case Intrinsic::uadd_sat: {
    const Nodes left = valuesOf(call.getArgOperand(0)), right = valuesOf(call.getArgOperand(1));
    Nodes result;
    for (size_t i = 0; i < left.size(); ++i)
      if (id == Intrinsic::usub_sat)
        result.push_back(operation(Op::Sub, {operation(Op::MaxU, {left[i], right[i]}), right[i]}));
      else
        result.push_back(operation(
            Op::Add, {operation(Op::MinU, {left[i], operation(Op::Xor, {right[i], constant(UINT32_MAX)})}), right[i]}));
    set(&call, result);
    return true;
  }
  case Intrinsic::abs:
    return each([&](NodeId node) { return operation(Op::MaxI, {node, operation(Op::Sub, {constant(0), node})}); });
  case Intrinsic::cttz:
  case Intrinsic::ctlz: {
    const bool isZeroPoison = llvm::cast<llvm::ConstantInt>(call.getArgOperand(1))->isOne();
    return each([&](NodeId node) {
      const NodeId bit = unary(id == Intrinsic::cttz ? Op::FindLowBit : Op::FindHighBit, node);
      return isZeroPoison ? bit : operation(Op::MinU, {bit, constant(32)});
    });
  }
  case Intrinsic::copysign: {
    const Nodes magnitudes = valuesOf(call.getArgOperand(0)), signs = valuesOf(call.getArgOperand(1));
    Nodes result;
    for (size_t i = 0; i < magnitudes.size(); ++i)
      result.push_back(operation(Op::SelectBits, {constant(0x7fffffff), magnitudes[i], signs[i]}));
    set(&call, result);
    return true;
  }
  case Intrinsic::amdgcn_wqm:
  case Intrinsic::amdgcn_softwqm:
    m_program.needsQuads |= id == Intrinsic::amdgcn_wqm;
    return each([](NodeId node) { return node; });
  case Intrinsic::amdgcn_update_dpp: {
    constexpr unsigned QuadPermutations = 256; // controls below are permutations of four lanes
    const NodeId old = valueOf1(call.getArgOperand(0)), source = valueOf1(call.getArgOperand(1));
    if (numberAt(call, 2) >= QuadPermutations || numberAt(call, 3) != 15 || numberAt(call, 4) != 15 ||
        nodeOf(old).op != Op::Undefined)
      return false;
    if (nodeOf(source).bank == Bank::Scalar) {
      set(&call, {source});
      return true;
    }
    m_program.needsQuads |= m_program.isFragment;
    set(&call, {operation(Op::Dpp, {source}, numberAt(call, 2))});
    return true;
  }
  case Intrinsic::amdgcn_interp_p1:
  case Intrinsic::amdgcn_interp_p2:
  case Intrinsic::amdgcn_interp_mov: {
    const NodeId mask = valueOf1(call.getArgOperand(call.arg_size() - 1));
    if (id == Intrinsic::amdgcn_interp_mov)
      set(&call,
          {operation(Op::InterpMov, {mask}, numberAt(call, 2) << 2 | numberAt(call, 1) | numberAt(call, 0) << 8)});
    else if (id == Intrinsic::amdgcn_interp_p1)
      set(&call, {operation(Op::InterpP1, {valueOf1(call.getArgOperand(0)), mask},
                            numberAt(call, 2) << 2 | numberAt(call, 1))});
    else
      set(&call, {operation(Op::InterpP2, {valueOf1(call.getArgOperand(1)), valueOf1(call.getArgOperand(0)), mask},
                            numberAt(call, 3) << 2 | numberAt(call, 2))});
    return true;
  }
  case Intrinsic::amdgcn_reloc_constant: {
    const auto *metadata = llvm::cast<llvm::MetadataAsValue>(call.getArgOperand(0))->getMetadata();
    const auto *text = llvm::dyn_cast<llvm::MDString>(llvm::cast<llvm::MDNode>(metadata)->getOperand(0));
    const std::string_view symbol = text ? std::string_view(text->getString()) : std::string_view();
    uint32_t index = 0;
    RelocatedConstant constant;
    if (const auto link = linkConstantOf(symbol))
      constant = *link;
    else if (const auto layout = layoutConstantOf(symbol))
      constant = *layout;
    else
      return false;
    while (index < m_program.relocated.size() && m_program.relocated[index] != constant)
      ++index;
    if (index == m_program.relocated.size())
      m_program.relocated.push_back(constant);
    set(&call, {relocated(index)});
    return true;
  }
  default:
    return false;
  }
}

void Reader::readCall(const llvm::CallInst &call) {
  if (const auto *text = llvm::dyn_cast<llvm::InlineAsm>(call.getCalledOperand())) {
    // Our own IR hides values from LLVM's optimisations like this; there is no code.
    const llvm::StringRef constraints = text->getConstraintString();
    const bool isCopy = text->getAsmString().empty() && (constraints == "=v,0" || constraints == "=s,0");
    if (readTable(call))
      return;
    if (!isCopy || !partsOf(call.getType()))
      return refuse("inline assembly: " + text->getAsmString().substr(0, 12).str() + " " + constraints.str());
    Nodes nodes = valuesOf(call.getArgOperand(0));
    if (constraints == "=s,0")
      for (NodeId &node : nodes)
        node = uniform(node);
    return set(&call, nodes);
  }
  switch (call.getIntrinsicID()) {
  case Intrinsic::amdgcn_s_getpc: {
    Node low, high;
    low.op = Op::PcLow;
    high.op = Op::PcHigh;
    const NodeId lowNode = make(low);
    return set(&call, {lowNode, make(high)});
  }
  case Intrinsic::amdgcn_wave_barrier:
  case Intrinsic::assume:
  case Intrinsic::lifetime_start:
  case Intrinsic::lifetime_end:
    return;
  case Intrinsic::amdgcn_s_barrier: {
    Node node;
    node.op = Op::Barrier;
    return effect(makeList(node, {}));
  }
  case Intrinsic::amdgcn_s_sendmsg: {
    Node node;
    node.op = Op::SendMessage;
    node.imm = numberAt(call, 0);
    return effect(makeList(node, {uniform(valueOf1(call.getArgOperand(1)))}));
  }
  case Intrinsic::amdgcn_kill:
  case Intrinsic::amdgcn_wqm_demote: {
    Node node;
    node.op = Op::Kill;
    m_endsLanes = true;
    return effect(makeList(node, {valueOf1(call.getArgOperand(0))}));
  }
  default:
    break;
  }
  if (readArithmetic(call) || readMemoryCall(call))
    return;
  refuse(call.getCalledFunction() ? call.getCalledFunction()->getName().str() : "a call");
}
} // namespace dovetail::first

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
  case Intrinsic::amdgcn_log: // where denormals are flushed, LLVM's intrinsics are the same
  case Intrinsic::log2:
    return Op::Log;
  case Intrinsic::amdgcn_exp2:
  case Intrinsic::exp2:
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
  node.imm = 1;
  node.block = m_block;
  node.a[0] = value;
  m_program.nodes.push_back(node);
  return NodeId(m_program.nodes.size() - 1);
}

// Floats of 16 and 64 bits.
bool Reader::readOtherSizes(const llvm::CallInst &call, Op op) {
  const llvm::Type *type = call.getType()->getScalarType();
  if (!partsOf(call.getType()) || type->isIntegerTy(1))
    return false;
  llvm::SmallVector<Nodes, 3> operands;
  llvm::SmallVector<unsigned, 3> sizes; // dwords of each element
  const unsigned elements =
      call.getType()->isVectorTy() ? llvm::cast<llvm::FixedVectorType>(call.getType())->getNumElements() : 1;
  for (const llvm::Use &argument : call.args()) {
    operands.push_back(valuesOf(argument));
    if (operands.back().size() % elements != 0)
      return false;
    sizes.push_back(unsigned(operands.back().size() / elements));
  }
  Nodes result;
  for (unsigned i = 0; i < elements; ++i) {
    llvm::SmallVector<Nodes, 3> of;
    for (size_t k = 0; k < operands.size(); ++k)
      of.emplace_back(operands[k].begin() + i * sizes[k], operands[k].begin() + (i + 1) * sizes[k]);
    Nodes made;
    if (type->isFloatingPointTy()) {
      if (op == Op::Ldexp && (type->isHalfTy() || type->isDoubleTy()))
        made = readLdexp(call, of);
      else
        made = floatOperation(type, op, of);
    } else if (op == Op::FrexpExponent) {
      const bool isWide = sizes[0] == 2;
      made = {valu(isWide ? isa::Opcode::VFrexpExpI32F64 : isa::Opcode::VFrexpExpI16F16, of[0])};
      if (!isWide)
        made[0] = extend(made[0], 16, true);
    }
    if (made.empty())
      return false;
    result.append(made);
  }
  set(&call, result);
  return true;
}

Reader::Nodes Reader::readLdexp(const llvm::CallInst &call, llvm::ArrayRef<Nodes> of) {
  if (!call.getArgOperand(1)->getType()->getScalarType()->isIntegerTy(32))
    return {};
  if (call.getType()->getScalarType()->isHalfTy()) { // the instruction takes 16 bits of the exponent
    const NodeId exponent =
        operation(Op::MinI, {operation(Op::MaxI, {of[1][0], constant(uint32_t(INT16_MIN))}), constant(INT16_MAX)});
    return {valu(isa::Opcode::VLdexpF16, {of[0][0], exponent})};
  }
  const Wide made = valuWide(isa::Opcode::VLdexpF64, {of[0][0], of[0][1], of[1][0]});
  return {made.low, made.high};
}

// Both number the classes of floats as v_cmp_class does ("Vega" ISA manual, V_CMP_CLASS_F32).
bool Reader::readClass(const llvm::CallInst &call) {
  const llvm::Type *type = call.getArgOperand(0)->getType()->getScalarType();
  const Nodes value = valuesOf(call.getArgOperand(0));
  const NodeId mask = valueOf1(call.getArgOperand(1));
  const unsigned each = type->isDoubleTy() ? 2 : 1;
  Nodes result;
  for (size_t i = 0; i < value.size(); i += each) {
    Nodes operands(value.begin() + i, value.begin() + i + each);
    operands.push_back(mask);
    result.push_back(valu(type->isDoubleTy() ? isa::Opcode::VCmpClassF64
                          : type->isHalfTy() ? isa::Opcode::VCmpClassF16
                                             : isa::Opcode::VCmpClassF32,
                          operands));
  }
  set(&call, result);
  return true;
}

// Intrinsics that compute; false: the intrinsic is none of them.
bool Reader::readArithmetic(const llvm::CallInst &call) {
  const ID id = call.getIntrinsicID();
  if (id == Intrinsic::amdgcn_readfirstlane && partsOf(call.getType()) && !call.getType()->isIntOrIntVectorTy(1)) {
    Nodes nodes = valuesOf(call.getArgOperand(0));
    for (NodeId &node : nodes)
      node = differs(node) ? readFirstLane(node) : uniform(node);
    set(&call, nodes);
    return true;
  }
  if (const std::optional<Op> op = elementwise(id)) {
    if (!isDwords(call.getType()))
      return readIntegerCall(call) || readOtherSizes(call, *op);
    llvm::SmallVector<Nodes, 3> operands;
    for (const llvm::Use &argument : call.args()) {
      if (!isDwords(argument->getType()))
        return *op == Op::FrexpExponent && readOtherSizes(call, *op);
      operands.push_back(valuesOf(argument));
    }
    Nodes result;
    for (size_t i = 0; i < operands[0].size(); ++i) {
      Nodes of;
      for (const Nodes &operand : operands)
        of.push_back(operand[i]);
      result.push_back(operation(*op, of));
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
  switch (id) { // of any type
  case Intrinsic::amdgcn_class:
  case Intrinsic::is_fpclass:
    return readClass(call);
  case Intrinsic::amdgcn_ballot: {
    if (!call.getType()->isIntegerTy(64))
      return false;
    m_readsLanes = true;
    Node node;
    node.op = Op::MaskDwords;
    setParts(&call, makeList(node, {valueOf1(call.getArgOperand(0))}), 2);
    return true;
  }
  case Intrinsic::amdgcn_wqm_vote: {
    Node node;
    node.op = Op::QuadAny;
    node.isBool = node.isDivergent = true;
    node.bank = Bank::Vector;
    m_program.needsQuads |= m_program.isFragment;
    set(&call, {makeList(node, {valueOf1(call.getArgOperand(0))})});
    return true;
  }
  case Intrinsic::amdgcn_live_mask:
  case Intrinsic::amdgcn_ps_live: {
    Node node;
    node.op = Op::Live;
    node.isBool = node.isDivergent = true;
    node.bank = Bank::Vector;
    set(&call, {makeList(node, {})});
    return true;
  }
  case Intrinsic::amdgcn_wqm:
  case Intrinsic::amdgcn_softwqm:
    m_program.needsQuads |= id == Intrinsic::amdgcn_wqm;
    set(&call, valuesOf(call.getArgOperand(0)));
    return true;
  case Intrinsic::amdgcn_set_inactive:
    readSetInactive(call);
    return true;
  case Intrinsic::amdgcn_strict_wwm:
  case Intrinsic::amdgcn_wwm:
    readLeaveWhole(call);
    return true;
  case Intrinsic::amdgcn_interp_p2_f16: {
    const auto *first = llvm::dyn_cast<llvm::CallInst>(call.getArgOperand(0));
    const bool hasFewBanks = m_target.gfxIp.major == 8 && m_target.gfxIp.minor == 1; // LLVM: has16BankLDS
    if (!first || first->getIntrinsicID() != Intrinsic::amdgcn_interp_p1_f16 || hasFewBanks)
      return false;
    set(&call, {operation(Op::InterpHalf,
                          {valueOf1(first->getArgOperand(0)), valueOf1(call.getArgOperand(1)),
                           valueOf1(call.getArgOperand(5))},
                          numberAt(call, 3) << 2 | numberAt(call, 2) | numberAt(call, 4) << 8)});
    return true;
  }
  case Intrinsic::sqrt:
    return readSquareRoot(call);
  case Intrinsic::amdgcn_cvt_pkrtz: {
    const NodeId pair =
        valu(isa::Opcode::VCvtPkrtzF16F32, {valueOf1(call.getArgOperand(0)), valueOf1(call.getArgOperand(1))});
    set(&call, unpacked({pair}, 16, 2));
    return true;
  }
  default:
    break;
  }
  if (readIntegerCall(call))
    return true;
  if (call.arg_size() && !isDwords(call.getType()))
    return false;
  switch (id) {
  case Intrinsic::amdgcn_readlane: {
    const NodeId value = valueOf1(call.getArgOperand(0)), lane = valueOf1(call.getArgOperand(1));
    m_readsLanes = true;
    set(&call, {valu(isa::Opcode::VReadlaneB32, {value, uniform(lane)})});
    return true;
  }
  case Intrinsic::amdgcn_ds_bpermute:
  case Intrinsic::amdgcn_ds_swizzle: { // by the hardware of LDS
    const bool isSwizzle = id == Intrinsic::amdgcn_ds_swizzle;
    m_readsLanes = true;
    Access access;
    access.opcode = isSwizzle ? isa::Opcode::DsSwizzleB32 : isa::Opcode::DsBpermuteB32;
    access.dwords = 1;
    access.offset = isSwizzle ? numberAt(call, 1) : 0;
    Nodes operands = {valueOf1(call.getArgOperand(0))};
    if (!isSwizzle)
      operands.push_back(valueOf1(call.getArgOperand(1)));
    setParts(&call, makeAccess(Op::LdsLoad, Bank::Vector, access, operands, true), 1);
    return true;
  }
  case Intrinsic::sin:
  case Intrinsic::cos:
    return each([&](NodeId node) { // v_sin_f32 takes turns; its range is that of v_fract_f32 on GFX8 and GFX9
      constexpr uint32_t inverseOfTwoPi = 0x3e22f983;
      return unary(id == Intrinsic::sin ? Op::Sin : Op::Cos,
                   unary(Op::Fract, operation(Op::MulF, {node, constant(inverseOfTwoPi)})));
    });
  case Intrinsic::copysign: {
    const Nodes magnitudes = valuesOf(call.getArgOperand(0)), signs = valuesOf(call.getArgOperand(1));
    Nodes result;
    for (size_t i = 0; i < magnitudes.size(); ++i)
      result.push_back(operation(Op::SelectBits, {constant(0x7fffffff), magnitudes[i], signs[i]}));
    set(&call, result);
    return true;
  }
  case Intrinsic::amdgcn_update_dpp:
    return readDpp(call);
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
  case Intrinsic::amdgcn_interp_p1_f16: // the second step makes both
    if (!llvm::all_of(call.users(), [](const llvm::User *user) {
          const auto *second = llvm::dyn_cast<llvm::CallInst>(user);
          return second && second->getIntrinsicID() == Intrinsic::amdgcn_interp_p2_f16;
        }))
      return false;
    set(&call, {undefined(false)});
    return true;
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
    node.imm = call.getIntrinsicID() == Intrinsic::amdgcn_wqm_demote;
    m_endsLanes = true;
    return effect(makeList(node, {valueOf1(call.getArgOperand(0))}));
  }
  case Intrinsic::memset:
  case Intrinsic::memcpy:
    return moveMemory(llvm::cast<llvm::MemIntrinsic>(call));
  default:
    break;
  }
  if (readArithmetic(call) || readMemoryCall(call))
    return;
  refuse(call.getCalledFunction() ? call.getCalledFunction()->getName().str() : "a call");
}
} // namespace dovetail::first

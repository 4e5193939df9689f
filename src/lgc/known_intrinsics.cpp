// SPDX-License-Identifier: MIT
#include "src/lgc/known_intrinsics.h"
#include <bit>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/IntrinsicsAMDGPU.h>
#include <llvm/IR/Module.h>

using namespace llvm;

namespace lgc {

namespace {

// Beginnings of names. A name without a dot at its end is complete except for types.
constexpr StringRef IntrinsicNames[] = {
    "llvm.abs",
    "llvm.assume",
    "llvm.bitreverse",
    "llvm.bswap",
    "llvm.canonicalize",
    "llvm.ceil",
    "llvm.copysign",
    "llvm.cos",
    "llvm.ctlz",
    "llvm.ctpop",
    "llvm.cttz",
    "llvm.exp2",
    "llvm.fabs",
    "llvm.floor",
    "llvm.fma",
    "llvm.fmuladd",
    "llvm.fshl",
    "llvm.fshr",
    "llvm.is.fpclass",
    "llvm.ldexp",
    "llvm.lifetime.end",
    "llvm.lifetime.start",
    "llvm.log2",
    "llvm.maximum",
    "llvm.maxnum",
    "llvm.memcpy",
    "llvm.memmove",
    "llvm.memset",
    "llvm.minimum",
    "llvm.minnum",
    "llvm.rint",
    "llvm.round",
    "llvm.roundeven",
    "llvm.sadd.sat",
    "llvm.sadd.with.overflow",
    "llvm.scmp",
    "llvm.sin",
    "llvm.smax",
    "llvm.smin",
    "llvm.smul.with.overflow",
    "llvm.sqrt",
    "llvm.ssub.sat",
    "llvm.ssub.with.overflow",
    "llvm.trunc",
    "llvm.uadd.sat",
    "llvm.uadd.with.overflow",
    "llvm.ucmp",
    "llvm.umax",
    "llvm.umin",
    "llvm.umul.with.overflow",
    "llvm.usub.sat",
    "llvm.usub.with.overflow",
    "llvm.vector.reduce.and",
    "llvm.vector.reduce.or",
    "llvm.nearbyint",
};
constexpr Intrinsic::ID TargetIntrinsics[] = {
    Intrinsic::amdgcn_ballot,
    Intrinsic::amdgcn_cubeid,
    Intrinsic::amdgcn_cubema,
    Intrinsic::amdgcn_cubesc,
    Intrinsic::amdgcn_cubetc,
    Intrinsic::amdgcn_cvt_pk_i16,
    Intrinsic::amdgcn_cvt_pk_u16,
    Intrinsic::amdgcn_cvt_pknorm_i16,
    Intrinsic::amdgcn_cvt_pknorm_u16,
    Intrinsic::amdgcn_cvt_pkrtz,
    Intrinsic::amdgcn_ds_bpermute,
    Intrinsic::amdgcn_ds_swizzle,
    Intrinsic::amdgcn_exp,
    Intrinsic::amdgcn_exp2,
    Intrinsic::amdgcn_exp_compr,
    Intrinsic::amdgcn_fmed3,
    Intrinsic::amdgcn_fmul_legacy,
    Intrinsic::amdgcn_fract,
    Intrinsic::amdgcn_frexp_exp,
    Intrinsic::amdgcn_frexp_mant,
    Intrinsic::amdgcn_init_exec,
    Intrinsic::amdgcn_interp_mov,
    Intrinsic::amdgcn_interp_p1,
    Intrinsic::amdgcn_interp_p1_f16,
    Intrinsic::amdgcn_interp_p2,
    Intrinsic::amdgcn_interp_p2_f16,
    Intrinsic::amdgcn_kill,
    Intrinsic::amdgcn_live_mask,
    Intrinsic::amdgcn_log,
    Intrinsic::amdgcn_mbcnt_hi,
    Intrinsic::amdgcn_mbcnt_lo,
    Intrinsic::amdgcn_mul_i24,
    Intrinsic::amdgcn_mul_u24,
    Intrinsic::amdgcn_mulhi_i24,
    Intrinsic::amdgcn_mulhi_u24,
    Intrinsic::amdgcn_pops_exiting_wave_id,
    Intrinsic::amdgcn_ps_live,
    Intrinsic::amdgcn_rcp,
    Intrinsic::amdgcn_readfirstlane,
    Intrinsic::amdgcn_readlane,
    Intrinsic::amdgcn_reloc_constant,
    Intrinsic::amdgcn_rsq,
    Intrinsic::amdgcn_s_barrier,
    Intrinsic::amdgcn_s_buffer_load,
    Intrinsic::amdgcn_s_getpc,
    Intrinsic::amdgcn_s_memrealtime,
    Intrinsic::amdgcn_s_memtime,
    Intrinsic::amdgcn_s_sendmsg,
    Intrinsic::amdgcn_s_setreg,
    Intrinsic::amdgcn_s_sleep,
    Intrinsic::amdgcn_sbfe,
    Intrinsic::amdgcn_sched_barrier,
    Intrinsic::amdgcn_set_inactive,
    Intrinsic::amdgcn_softwqm,
    Intrinsic::amdgcn_sqrt,
    Intrinsic::amdgcn_strict_wwm,
    Intrinsic::amdgcn_ubfe,
    Intrinsic::amdgcn_update_dpp,
    Intrinsic::amdgcn_wave_barrier,
    Intrinsic::amdgcn_wqm,
    Intrinsic::amdgcn_wqm_demote,
    Intrinsic::amdgcn_wqm_vote,
};
constexpr StringRef TargetFamilies[] = {"llvm.amdgcn.image.", "llvm.amdgcn.raw.buffer.", "llvm.amdgcn.struct.buffer.",
                                        "llvm.amdgcn.struct.tbuffer."};

// The type of the data that is loaded, stored or combined, without the residency behind it.
Type *dataType(const Function &function) {
  Type *result = function.getReturnType();
  if (auto *withResidency = dyn_cast<StructType>(result))
    return withResidency->getElementType(0);
  return result->isVoidTy() ? function.getArg(0)->getType() : result;
}

unsigned elementsOf(const Type *type) {
  const auto *vector = dyn_cast<FixedVectorType>(type);
  return vector ? vector->getNumElements() : 1;
}

bool isOneElementVector(const Type *type) {
  return type->isVectorTy() && elementsOf(type) == 1;
}

bool hasBufferCode(const Function &function) {
  const StringRef name = function.getName();
  Type *const data = dataType(function), *const element = data->getScalarType();
  const unsigned bits = element->getScalarSizeInBits(), count = elementsOf(data);
  if (name.contains(".atomic.")) {
    const bool isWord = count == 1 && element->isIntegerTy() && (bits == 32 || bits == 64);
    return name.contains(".atomic.swap.f32") || (isWord && !name.contains(".cond.sub."));
  }
  if (name.contains(".tbuffer.") || name.contains(".format.")) {
    const bool isHalf = element->isHalfTy() || (bits == 16 && element->isIntegerTy() && !name.contains(".tbuffer."));
    return count <= 4 && (bits == 32 || isHalf);
  }
  if (name.starts_with("llvm.amdgcn.s."))
    return bits == 32 && (count == 3 || (count <= 16 && (count & (count - 1)) == 0));
  const uint64_t size = function.getParent()->getDataLayout().getTypeSizeInBits(element); // of pointers, too
  switch (size) {
  case 8:
    return count == 1;
  case 16:
    return count <= 8 && std::has_single_bit(count);
  case 32:
  case 64:
  case 128:
    return size * count <= 128;
  default:
    return false;
  }
}

bool hasImageCode(const Function &function, unsigned gfxMajor) {
  const StringRef name = function.getName();
  if (any_of(ArrayRef<StringRef>{".atomic.pk.", ".flt.", ".image.msaa.load", ".image.bvh."},
             [&](StringRef later) { return name.contains(later); }))
    return false;
  if (!name.contains(".getresinfo.") && !name.contains(".atomic.")) {
    const unsigned bits = dataType(function)->getScalarSizeInBits();
    if ((bits != 16 && bits != 32) || elementsOf(dataType(function)) > 4)
      return false;
  }
  // Derivatives and coordinates, in front of the resource; the first may be the value to compare with.
  SmallVector<const Type *, 12> addresses;
  for (const Argument &argument : function.args()) {
    const Type *type = argument.getType();
    if (type->isIntOrIntVectorTy() && type->getPrimitiveSizeInBits() == 256)
      break;
    addresses.push_back(type);
  }
  if (addresses.empty())
    return true;
  const auto differs = [&](const Type *type) { return type->isFloatingPointTy() && type != addresses.back(); };
  if (name.contains(".d.") && count_if(addresses, differs) > (name.contains(".c.") ? 1 : 0))
    return false;
  return gfxMajor >= 9 || addresses.back()->getScalarSizeInBits() != 16;
}

} // namespace

bool isKnownIntrinsic(const Function &function) {
  StringRef name = function.getName();
  if (is_contained(TargetIntrinsics, function.getIntrinsicID()))
    return true;
  if (any_of(TargetFamilies, [&](StringRef family) { return name.starts_with(family); }))
    return true;
  return any_of(IntrinsicNames, [&](StringRef known) {
    return name == known || (name.starts_with(known) && name[known.size()] == '.');
  });
}

bool hasCode(const Function &function, unsigned gfxMajor) {
  const StringRef name = function.getName();
  const Type *const element = function.getReturnType()->getScalarType();
  const bool isFamily = any_of(TargetFamilies, [&](StringRef family) { return name.starts_with(family); });
  if (isFamily && isOneElementVector(dataType(function)))
    return false;
  switch (function.getIntrinsicID()) {
  case Intrinsic::amdgcn_pops_exiting_wave_id:
    return gfxMajor >= 9;
  case Intrinsic::amdgcn_fmed3:
    return element->isFloatTy() || (element->isHalfTy() && gfxMajor >= 9);
  case Intrinsic::amdgcn_ballot:
    return element->isIntegerTy(64);
  default:
    if (name.starts_with("llvm.amdgcn.image."))
      return hasImageCode(function, gfxMajor);
    return !name.contains("buffer.") || hasBufferCode(function);
  }
}

} // namespace lgc

// SPDX-License-Identifier: MIT
//
// The functions that rows of handlers.def name. A handler reads operands from the Services, emits through the Builder,
// and either returns the result's value or binds the result itself. Errors are Unsupported.
#pragma once

#include "src/lgc/builder/builder.h"
#include "src/lgc/ops/op_types.h"
#include "src/spirv/module/types.h"
#include "src/spirv/translate/ops/services.h"
#include <llvm/ADT/ArrayRef.h>
#include <optional>
#include <spirv/unified1/GLSL.std.450.h>

namespace dovetail::spirv {

// Translates one instruction that handlers.def lists.
Result<void> translateInstruction(Services &s, const Instruction &inst);

// memory_ops.cpp
Result<void> translateUndef(Services &s, const Instruction &inst);
Result<void> translateLoad(Services &s, const Instruction &inst);
Result<void> translateStore(Services &s, const Instruction &inst);
Result<void> translateCopyMemory(Services &s, const Instruction &inst);
Result<void> translateAccessChain(Services &s, const Instruction &inst);
Result<llvm::Value *> translateArrayLength(Services &s, const Instruction &inst);
Result<llvm::Value *> translatePointerConversion(Services &s, const Instruction &inst);
Result<llvm::Value *> translatePointerDifference(Services &s, const Instruction &inst);
Result<llvm::Value *> translatePointerEquality(Services &s, const Instruction &inst, bool isEqual);

// composite_ops.cpp
Result<void> translateCopyObject(Services &s, const Instruction &inst);
Result<void> translateCopyLogical(Services &s, const Instruction &inst);
Result<void> translateCompositeConstruct(Services &s, const Instruction &inst);
Result<void> translateCompositeExtract(Services &s, const Instruction &inst);
Result<void> translateCompositeInsert(Services &s, const Instruction &inst);
Result<llvm::Value *> translateVectorShuffle(Services &s, const Instruction &inst);
Result<llvm::Value *> translateVectorInsertDynamic(Services &s, const Instruction &inst);
Result<void> translateSelect(Services &s, const Instruction &inst);

// arithmetic_ops.cpp, conversion_ops.cpp, dot_product_ops.cpp
Result<llvm::Value *> translateBitFieldInsert(Services &s, const Instruction &inst);
Result<llvm::Value *> translateBitFieldExtract(Services &s, const Instruction &inst, bool isSigned);
Result<llvm::Value *> translateFloatConversion(Services &s, const Instruction &inst);
Result<llvm::Value *> translateBitcast(Services &s, const Instruction &inst);
Result<llvm::Value *> translateIntegerDot(Services &s, const Instruction &inst, bool isFirstSigned, bool isSecondSigned,
                                          bool saturates = false);

// glsl_std_450.cpp and amd_ops.cpp, by the set of extended instructions
Result<llvm::Value *> translateExtInst(Services &s, const Instruction &inst);
Result<llvm::Value *> translateTrinaryMinMax(Services &s, const Instruction &inst);
Result<llvm::Value *> translateGcnShader(Services &s, const Instruction &inst);
Result<llvm::Value *> translateShaderBallot(Services &s, const Instruction &inst);
Result<llvm::Value *> translateExplicitVertexParameter(Services &s, const Instruction &inst);

// image_ops.cpp; see also ImageInstruction
Result<void> translateSampledImage(Services &s, const Instruction &inst);
Result<void> translateImageOf(Services &s, const Instruction &inst);

// atomic_ops.cpp. translateAtomicStep: adds or subtracts 1.
Result<llvm::Value *> translateAtomicLoad(Services &s, const Instruction &inst);
Result<void> translateAtomicStore(Services &s, const Instruction &inst);
Result<llvm::Value *> translateAtomic(Services &s, const Instruction &inst, lgc::AtomicOp op);
Result<llvm::Value *> translateAtomicStep(Services &s, const Instruction &inst, lgc::AtomicOp op);
Result<llvm::Value *> translateAtomicCompareExchange(Services &s, const Instruction &inst);

// subgroup_ops.cpp
enum class GroupForm { Scoped, Unscoped }; // whether the first operand is a scope
// The types that the operand of a group operation must have; the validator does not check them.
enum class GroupOperand { Bool, Ballot, Integers, Floats, Bools, Any };
Result<llvm::Value *> translateGroup(Services &s, const Instruction &inst, GroupForm form, GroupOperand kind,
                                     llvm::Value *(*make)(lgc::Builder &, llvm::Value *x));
Result<llvm::Value *> translateGroupLane(Services &s, const Instruction &inst, GroupForm form, GroupOperand kind,
                                         llvm::Value *(*make)(lgc::Builder &, llvm::Value *x, llvm::Value *lane));
Result<llvm::Value *> translateGroupArithmetic(Services &s, const Instruction &inst, lgc::GroupOp op,
                                               GroupOperand kind);
Result<llvm::Value *> translateElect(Services &s, const Instruction &inst);
Result<llvm::Value *> translateBallotBitCount(Services &s, const Instruction &inst);
Result<llvm::Value *> translateSubgroupRotate(Services &s, const Instruction &inst);
Result<llvm::Value *> translateSubgroupPartition(Services &s, const Instruction &inst);
Result<llvm::Value *> translateQuadSwap(Services &s, const Instruction &inst);
Result<llvm::Value *> translateQuadVote(Services &s, const Instruction &inst, bool isAll);

// fragment_ops.cpp
Result<llvm::Value *> translateDerivative(Services &s, const Instruction &inst, bool isDirectionY, bool isFine);
Result<llvm::Value *> translateWidth(Services &s, const Instruction &inst, bool isFine);
Result<llvm::Value *> translateIsHelper(Services &s, const Instruction &inst);
Result<void> translateDemote(Services &s, const Instruction &inst);
Result<void> translateInterlock(Services &s, const Instruction &inst, bool isBegin);

// geometry_ops.cpp and barrier_ops.cpp
Result<void> translateEmitVertex(Services &s, const Instruction &inst);
Result<void> translateEndPrimitive(Services &s, const Instruction &inst);
Result<void> translateControlBarrier(Services &s, const Instruction &inst);
Result<void> translateMemoryBarrier(Services &s, const Instruction &inst);
Result<llvm::Value *> translateReadClock(Services &s, const Instruction &inst);
// MemoryBarrierScope bits of the scope in this operand and the memory semantics behind it; 0 if nothing is to be
// ordered.
Result<unsigned> barrierScope(Services &s, const Instruction &inst, unsigned scopeIndex);

// The shape of an OpTypeImage for the Builder's image operations; nothing for texel buffers and for shapes that no
// hardware image has. Subpass inputs are 2D images.
std::optional<lgc::ImageDim> imageDimOf(const TypeInfo &type);

// The instructions of the extended set GLSL.std.450 that are functions of their operands' values. glsl_std_450.cpp has
// those with pointer operands or structure results.
//
// The result; nullptr if the instruction is none of these. The operands must have the types that SPIR-V demands.
llvm::Value *makeGlslMath(lgc::Builder &builder, GLSLstd450 instruction, llvm::ArrayRef<llvm::Value *> operands,
                          llvm::Type *resultType);

} // namespace dovetail::spirv

// SPDX-License-Identifier: MIT
//
// BuilderImpl is the Builder that lowers. Front ends call its methods through DirectBuilder. For each recorded op,
// BuilderReplayer calls one of them, with the insertion point at the op, and puts the returned value in the op's place.
// A method makes ordinary LLVM IR and AMDGPU intrinsics for the target. It may split the block at the insertion point
// (waterfall loops, atomics without an instruction); the insertion point then moves to the new block behind it. The
// caller names the results.
//
// The methods are in *_builder.cpp, by category. They see only the operands, the target and the shader's modes.
#pragma once

#include "src/abi/target_info.h"
#include "src/base/error.h"
#include "src/lgc/builder/builder.h"
#include "src/lgc/state/patch_dword.h"
#include "src/lgc/state/resource_usage.h"
#include "src/state/ycbcr_conversion.h"
#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/IR/ValueHandle.h>
#include <optional>

namespace lgc {

class PipelineState;

// Not thread-safe, like the LLVMContext that it works in.
class BuilderImpl : public Builder {
public:
  BuilderImpl(llvm::LLVMContext &context, PipelineState &pipelineState);

  const dovetail::TargetInfo &targetInfo() const { return m_targetInfo; }

#define LGC_OP(name, mnemonic, effects, resultType, operands)                                                          \
  Value *Create##name(LGC_PARAMETERS(operands) const llvm::Twine &instName = "") override;
#include "src/lgc/ops/ops.def"
#undef LGC_OP

  // Helpers that several categories share.

  using Values = llvm::ArrayRef<Value *>;

  // As IRBuilder has them. The first one finds the declaration again without making its name.
  llvm::CallInst *CreateIntrinsic(llvm::Intrinsic::ID id, llvm::ArrayRef<Type *> types, Values operands);
  llvm::CallInst *CreateIntrinsic(Type *resultType, llvm::Intrinsic::ID id, Values operands) {
    return IRBuilderBase::CreateIntrinsic(resultType, id, operands);
  }

  // Cuts the block at the insertion point, which may be its end. The first half loses its terminator. The builder then
  // stands at the start of the second half, which is returned.
  llvm::BasicBlock *splitBlock();

  // Calls `make` for each element of the operands, which are scalars or vectors of one length, and puts the results
  // together: a scalar from scalars, a vector from vectors.
  Value *mapElements(Values operands, llvm::function_ref<Value *(Values elements)> make);

  // Cuts a scalar or vector of any element type up into i32 values, calls `make` for each (`operand` is one i32), and
  // reassembles a value of the same type. Elements narrower than 32 bits are widened one by one.
  Value *mapDwords(Value *value, llvm::function_ref<Value *(Value *dword)> make);

  // Calls `make` with the resources (descriptors: i32 or vectors of i32). Resources that are marked as divergent may
  // differ between lanes; the result of `make` then stands in a loop. Each round takes the first active lane's values
  // and serves all lanes that have the same ones. With nothing divergent, `make` is called in place. resultType may be
  // void.
  Value *waterfall(Values resources, llvm::ArrayRef<bool> isDivergent, Type *resultType,
                   llvm::function_ref<Value *(Values uniform)> make);

  // Calls an intrinsic by its name without the overload suffix. The types of the operands and of the result determine
  // the suffix.
  llvm::CallInst *callByName(llvm::StringRef name, Type *resultType, Values operands);

  // Replaces a value in memory by a compare-and-swap loop, for operations without an instruction (f32 and others).
  // `swap(expected, desired)` makes the compare-and-swap and returns the value that memory held. All values have the
  // integer type of `initial`. Returns the old value.
  Value *compareSwapLoop(Value *initial, llvm::function_ref<Value *(Value *old)> desired,
                         llvm::function_ref<Value *(Value *expected, Value *desired)> swap);

  // x / y of floats or vectors of them, within Vulkan's 2.5 ulp for f32 divisors between 2^-126 and 2^126; exact
  // rounding for f64.
  Value *divide(Value *x, Value *y);

  // The cache policy operand of buffer and image intrinsics for ResourceFlags.
  llvm::ConstantInt *cachePolicy(unsigned flags, bool isAtomic = false);

  // If the flags say Volatile, keeps LLVM from mixing the accesses before and behind; makes no instruction.
  void separateVolatile(unsigned flags);

  // Whether a value can be an input or output: a scalar or vector of 8- to 64-bit numbers.
  static bool canCross(Type *type);

  // The number of this lane in its wave (i32).
  Value *laneNumber();

  // Makes a value of 8- to 64-bit elements from its 32-bit components. `readComponent` returns, as i32, the component
  // `number` components behind the first.
  Value *joinComponents(Type *type, llvm::function_ref<Value *(unsigned number)> readComponent);
  // The reverse: calls `writeComponent` for each 32-bit component of a value (i32), with its number. Narrower integers
  // are extended by their sign or by zeros.
  void splitComponents(Value *value, bool isSigned,
                       llvm::function_ref<void(Value *component, unsigned number)> writeComponent);

  // Records that the shader cannot be lowered: generate() will return this Error. The caller goes on with a value of
  // the right type.
  void fail(dovetail::ErrorCode code, std::string text);

private:
  Value *loadDescriptor(dovetail::ResourceKind resource, unsigned dwords, unsigned set, unsigned binding, Value *index,
                        unsigned flags);
  // The YCbCr conversion of a sampler, or of the sampler beside an image. std::nullopt if there is none, and also after
  // a fail().
  std::optional<dovetail::YcbcrConversion> conversionOf(Value *desc);
  // Whether the sampler has no conversion; if it has one, calls fail().
  bool checkNoConversion(Value *samplerDesc);
  // The descriptors of the first planes of an image; std::nullopt after a fail().
  std::optional<llvm::SmallVector<Value *, 3>> planesOf(Value *imageDesc, unsigned count);
  Value *readVertexOfFragment(Type *type, unsigned location, unsigned component, unsigned vertex);
  Value *readInputAt(Type *type, unsigned location, unsigned component, InterpMode mode, InterpLocation interpLocation,
                     Value *aux);
  void writeOutputAt(Value *value, unsigned location, unsigned component, unsigned index, Value *condition);
  std::optional<unsigned> colorAt(unsigned location) const;
  bool isClamped(unsigned location) const;
  InterpLocation placeInput(InterpLocation declared) const;
  Value *barycentrics(InterpMode mode, InterpLocation interpLocation, Value *aux);
  Value *sampleOffset(Value *sample); // relative to the pixel's centre
  Value *samplePosition(Value *sample);
  Value *scaleByOrigin(Value *offset);
  // The difference of two lanes of the quad, in the hardware's direction.
  Value *differenceInQuad(Value *value, bool isDirectionY, bool isFine);
  Value *readVertexBuiltIn(BuiltIn builtIn);
  Value *readFragmentBuiltIn(Type *resultType, BuiltIn builtIn, Value *arrayIndex);
  Value *readComputeBuiltIn(BuiltIn builtIn);
  Value *readSubgroupBuiltIn(BuiltIn builtIn);
  Value *geometryVertexOffset(Value *vertexIndex);
  Value *readGeometryInput(Type *type, unsigned location, Value *locationOffset, unsigned component,
                           unsigned locationCount, Value *vertexIndex);
  Value *readGeometryBuiltIn(Type *resultType, BuiltIn builtIn, Value *arrayIndex, Value *vertexIndex);

  bool isTessellation();
  // Calls `access` for each dword of a value at a generic location.
  void forPatchDwords(unsigned location, Value *locationOffset, unsigned component, unsigned locationCount,
                      unsigned dwordCount, Value *vertexIndex,
                      llvm::function_ref<void(unsigned number, const PatchDword &dword)> access);
  std::optional<PatchDword> patchDwordOfBuiltIn(BuiltIn builtIn, Value *element, Value *vertexIndex);
  Value *readPatchDword(const PatchDword &dword, bool isOutput);
  void writePatchDword(const PatchDword &dword, Value *value);
  Value *readPatchGeneric(Type *type, unsigned location, Value *locationOffset, unsigned component,
                          unsigned locationCount, Value *vertexIndex, bool isOutput);
  void writePatchGeneric(Value *value, unsigned location, Value *locationOffset, unsigned component,
                         unsigned locationCount, Value *vertexIndex);
  Value *readTessBuiltIn(Type *resultType, BuiltIn builtIn, Value *arrayIndex, Value *vertexIndex, bool isOutput);
  bool writeTessBuiltIn(Value *value, BuiltIn builtIn, Value *arrayIndex, Value *vertexIndex);
  Value *tessCoord(Value *index);
  Value *defaultTessLevel(BuiltIn builtIn, Value *arrayIndex);
  void setOutputStream(OutputSlot output, unsigned component, unsigned stream);

  const dovetail::TargetInfo &m_targetInfo;
  PipelineState &m_pipelineState;
  // Declarations in the module that is built, by intrinsic and its one type or none.
  llvm::DenseMap<std::pair<unsigned, Type *>, llvm::WeakVH> m_intrinsics;
};

} // namespace lgc

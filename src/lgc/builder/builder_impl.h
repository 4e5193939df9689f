// SPDX-License-Identifier: MIT
//
// BuilderImpl: the Builder that lowers. BuilderReplayer calls one method of it for each dialect op, with the insertion
// point at the op, and puts the returned value in the op's place. A method makes ordinary LLVM IR and AMDGPU intrinsics
// for the target; it may split the block at the insertion point (waterfall loops, atomics without an instruction), and
// the insertion point then moves to the new block behind it. Names of the results are the replayer's business.
//
// The methods live by category in *_builder.cpp; their bodies see only the operands, the target and the shader's modes.
#pragma once

#include "src/abi/target_info.h"
#include "src/base/error.h"
#include "src/lgc/builder/builder.h"
#include "src/lgc/state/patch_dword.h"
#include "src/lgc/state/resource_usage.h"
#include "src/state/ycbcr_conversion.h"
#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/STLFunctionalExtras.h>
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

  // Calls `make` for each element of the operands, which are scalars or vectors of one length, and joins the results: a
  // scalar from scalars, a vector from vectors.
  Value *mapElements(Values operands, llvm::function_ref<Value *(Values elements)> make);

  // Cuts a scalar or vector of any element type up into i32 values, calls `make` for each (`operand` is one i32), and
  // reassembles a value of the same type. Elements narrower than 32 bits are widened one by one.
  Value *mapDwords(Value *value, llvm::function_ref<Value *(Value *dword)> make);

  // Calls `make` with the resources (descriptors: i32 or vectors of i32). Those that are marked as divergent may differ
  // between lanes; `make` then stands in a loop that takes the first active lane's values and serves all lanes that
  // have the same ones. With nothing divergent `make` is called in place. resultType may be void.
  Value *waterfall(Values resources, llvm::ArrayRef<bool> isDivergent, Type *resultType,
                   llvm::function_ref<Value *(Values uniform)> make);

  // Calls an intrinsic by its name without the overload suffix, which follows from the types of the operands and the
  // result.
  llvm::CallInst *callByName(llvm::StringRef name, Type *resultType, Values operands);

  // An old value that an f32 or other operation replaces in memory through a compare-and-swap loop: `swap(expected,
  // desired)` makes the compare-and-swap and returns what memory held. All values have the integer type of `initial`.
  // Returns the old value.
  Value *compareSwapLoop(Value *initial, llvm::function_ref<Value *(Value *old)> desired,
                         llvm::function_ref<Value *(Value *expected, Value *desired)> swap);

  // x / y of floats or vectors of them, within Vulkan's 2.5 ulp for f32 divisors between 2^-126 and 2^126; exact
  // rounding for f64.
  Value *divide(Value *x, Value *y);

  // The cache policy operand of buffer and image intrinsics for ResourceFlags.
  llvm::ConstantInt *cachePolicy(unsigned flags, bool isAtomic = false);

  // Keeps the accesses before and behind apart in LLVM's eyes if the flags say Volatile; makes no instruction.
  void separateVolatile(unsigned flags);

  // Whether a value can be an input or output: a scalar or vector of 8- to 64-bit numbers.
  static bool canCross(Type *type);

  // The number of this lane in its wave (i32).
  Value *laneNumber();

  // A value of 8- to 64-bit elements from its 32-bit components. `readComponent` gives the one that is `number`
  // (counted through) behind the first, as i32.
  Value *joinComponents(Type *type, llvm::function_ref<Value *(unsigned number)> readComponent);
  // The other way round: hands on each 32-bit component of a value (i32), with its number. Narrower integers are
  // widened by their sign, or with zeros.
  void splitComponents(Value *value, bool isSigned,
                       llvm::function_ref<void(Value *component, unsigned number)> writeComponent);

  // The shader cannot be lowered: generate() will give this Error. The caller goes on with a value of the right type.
  void fail(dovetail::ErrorCode code, std::string text);

private:
  Value *loadDescriptor(dovetail::ResourceKind resource, unsigned dwords, unsigned set, unsigned binding, Value *index,
                        unsigned flags);
  // The YCbCr conversion of a sampler, or of the one beside an image; nothing also for what fail() has been told.
  std::optional<dovetail::YcbcrConversion> conversionOf(Value *desc);
  // Whether it has none; else fail() is told.
  bool checkNoConversion(Value *samplerDesc);
  // The descriptors of the first planes of an image; nothing if fail() has been told.
  std::optional<llvm::SmallVector<Value *, 3>> planesOf(Value *imageDesc, unsigned count);
  Value *readVertexOfFragment(Type *type, unsigned location, unsigned component, unsigned vertex);
  Value *readInputAt(Type *type, unsigned location, unsigned component, InterpMode mode, InterpLocation interpLocation,
                     Value *aux);
  void writeOutputAt(Value *value, unsigned location, unsigned component, unsigned index, Value *condition);
  std::optional<unsigned> colorAt(unsigned location) const;
  bool isClamped(unsigned location) const;
  InterpLocation placeInput(InterpLocation declared) const;
  Value *barycentrics(InterpMode mode, InterpLocation interpLocation, Value *aux);
  Value *sampleOffset(Value *sample); // from the pixel's centre
  Value *samplePosition(Value *sample);
  Value *scaleByOrigin(Value *offset);
  // Of two lanes of the quad, in the hardware's direction.
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
};

} // namespace lgc

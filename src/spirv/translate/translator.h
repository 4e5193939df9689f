// SPDX-License-Identifier: MIT
//
// Translator: turns one entry point of a parsed module into the LLVM function `main`. SPIR-V functions are inlined as
// they are translated: a call translates the callee's blocks again in a new Scope with its parameters bound, so every
// pointer is known symbolically.
//
// Files, in the order in which they run:
//   translator.cpp        the driver, dispatch through handlers.def, errors
//   type_table.cpp        types and their layouts
//   constants.cpp         constants and specialisation
//   variables.cpp         module-scope variables
//   execution_modes.cpp   shader modes
//   control_flow.cpp      blocks, branches, phis, calls
//   *_ops.cpp             instructions, by group
//   composites.cpp        large arrays and structures as values
//   pointers.cpp          access chains; uniform_trees.cpp: OpenGL's structures with textures
//   laid_out_memory.cpp   loads and stores of explicitly laid out memory
//   inputs.cpp, outputs.cpp  interface variables; shared_outputs.cpp: those of control shaders; capture.cpp: transform
//                         feedback
//
// How an instruction file works: a handler is a method `Result<void> translateX(const Instruction &)` with a row in
// handlers.def. It gets its operands with value(), pointer() or image(), emits through m_builder and binds its result
// with setValue().
#pragma once

#include "src/lgc/builder/builder.h"
#include "src/spirv/module/module.h"
#include "src/spirv/module/types.h"
#include "src/spirv/reflect/declarations.h"
#include "src/spirv/translate/call_copies.h"
#include "src/spirv/translate/loops.h"
#include "src/spirv/translate/pointer.h"
#include "src/spirv/translate/source_lines.h"
#include "src/spirv/translate/translate.h"
#include <functional>
#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/Module.h>
#include <unordered_set>

namespace dovetail::spirv {

class Translator {
public:
  Translator(const Module &module, const SourcePlaces &places, const TranslateOptions &options, lgc::Builder &builder,
             llvm::Module &target);

  // Emits the whole entry point into the target module.
  Result<void> run();

private:
  using Value = llvm::Value;

  // ---- Services for instruction files ----

  // "OpFoo at word 123: <reason>".
  [[nodiscard]] tl::unexpected<Error> unsupported(const Instruction &inst, std::string_view reason) const;
  // "OpFoo at word 123 (capability Bar) is not supported".
  [[nodiscard]] tl::unexpected<Error> unsupported(const Instruction &inst) const;

  // The type with this id; it exists in every valid module.
  const TypeInfo &type(uint32_t typeId) const { return m_types.at(typeId); }
  // The type of a value id.
  uint32_t typeIdOf(uint32_t id) const;
  const TypeInfo &typeOf(uint32_t id) const { return type(typeIdOf(id)); }
  const TypeInfo &resultType(const Instruction &inst) const { return type(inst.resultType); }
  // The LLVM type of the result; an Error if it has none.
  Result<llvm::Type *> valueType(const Instruction &inst, uint32_t typeId) const;

  // An id as an LLVM value (pointers that can be values become one), as a pointer, or as an image or sampler.
  Result<Value *> value(const Instruction &inst, uint32_t id);
  Result<Pointer> pointer(const Instruction &inst, uint32_t id);
  Result<ImageValue> image(const Instruction &inst, uint32_t id);
  // operand(i) as an LLVM value.
  Result<Value *> operandValue(const Instruction &inst, unsigned index) { return value(inst, inst.operand(index)); }
  // The value of an integer constant id (a scope, semantics, a component number); an Error if it is no known constant.
  Result<uint64_t> constantInteger(const Instruction &inst, uint32_t id);

  // Binds the result of an instruction.
  void setValue(const Instruction &inst, Value *value);
  void setPointer(const Instruction &inst, Pointer pointer);
  void setImage(const Instruction &inst, ImageValue image);

  bool hasDecoration(uint32_t id, spv::Decoration decoration) const;
  std::optional<uint32_t> decorationOperand(uint32_t id, spv::Decoration decoration) const; // its first literal
  // Sets the builder's fast-math flags for an instruction (NoContraction and the entry point's float controls).
  void setFastMath(const Instruction &inst);

  // Loads and stores through any pointer. Images and samplers are loaded with loadResource().
  Result<Value *> load(const Instruction &inst, const Pointer &pointer, const MemoryAccess &access = {});
  Result<void> store(const Instruction &inst, const Pointer &pointer, Value *value, const MemoryAccess &access = {});
  Result<ImageValue> loadResource(const Instruction &inst, const Pointer &pointer, uint32_t resultTypeId);
  // The memory operands from this operand on; none if there are no more operands.
  Result<MemoryAccess> memoryAccess(const Instruction &inst, unsigned operandIndex);
  // A fragment input, evaluated at another place than it is declared for: interpolateAt*. aux as InterpLocation says,
  // or nullptr.
  Result<Value *> readInput(const Instruction &inst, const Pointer &pointer, lgc::InterpLocation location, Value *aux);
  Result<Value *> readInput(const Instruction &inst, const Pointer &pointer);
  // A fragment input's value at one of the primitive's vertices.
  Result<Value *> readInputOfVertex(const Instruction &inst, const Pointer &pointer, uint64_t vertex);

  // Whether values of a type are represented by the memory that holds them.
  bool liesInMemory(const TypeInfo &type) const;
  // Whether it is an array of images or samplers. Its value is the place of its descriptors, which nothing changes.
  bool isOpaqueArray(const TypeInfo &type) const;
  Result<void> extractOpaque(const Instruction &inst, Pointer array);
  Result<void> stepElement(const Instruction &inst, Pointer &array, llvm::Value *index);
  void storeDescriptors(const Pointer &to, const ImageValue &image);
  ImageValue loadDescriptors(const Pointer &from);
  bool isOpaqueAlias(const Instruction &variable) const;
  Result<void> translateOpaqueVariable(const Instruction &inst);
  Result<void> storeOpaque(const Instruction &inst);
  // Stores the value of an id, whatever its form.
  Result<void> storeBound(const Instruction &inst, const Pointer &to, uint32_t id, const MemoryAccess &access);
  void setComposite(const Instruction &inst, Pointer memory);

  // Conversions between the value form and the memory form of a type (bools are i32 in memory).
  Value *toMemoryForm(const TypeInfo &type, Value *value);
  Value *toValueForm(const TypeInfo &type, Value *value);

  // ---- Instruction groups ----
  // Code that is built from now on comes from the place of this instruction.
  void setSourcePlace(const Instruction &inst);
  Result<void> translateInstruction(const Instruction &inst);
  Result<void> dispatch(const Instruction &inst);
  Result<void> checkResult(const Instruction &inst) const;

  Result<void> translateUndef(const Instruction &inst);
  Result<void> translateLoad(const Instruction &inst);
  Result<void> translateStore(const Instruction &inst);
  Result<void> translateCopyMemory(const Instruction &inst);
  Result<void> translateAccessChain(const Instruction &inst);
  Result<void> translateArrayLength(const Instruction &inst);
  Result<void> translatePointerConversion(const Instruction &inst);
  Result<void> translatePointerComparison(const Instruction &inst);

  Result<void> translateCopyObject(const Instruction &inst);
  Result<void> translateCopyLogical(const Instruction &inst);
  Result<void> translateCompositeConstruct(const Instruction &inst);
  Result<void> translateCompositeExtract(const Instruction &inst);
  Result<void> translateCompositeInsert(const Instruction &inst);
  Result<void> translateVectorShuffle(const Instruction &inst);
  Result<void> translateVectorExtractDynamic(const Instruction &inst);
  Result<void> translateVectorInsertDynamic(const Instruction &inst);
  Result<void> translateSelect(const Instruction &inst);
  Result<void> translateMatrixOp(const Instruction &inst);

  Result<void> translateArithmetic(const Instruction &inst);
  Result<void> translateExtendedArithmetic(const Instruction &inst);
  Result<void> translateIntegerDot(const Instruction &inst);
  Result<void> translateBitField(const Instruction &inst);
  Result<void> translateConversion(const Instruction &inst);
  // Whether the shader or the instruction says how a conversion to half floats rounds.
  bool asksForHalfRounding(const Instruction &inst) const;
  Result<void> translateBitcast(const Instruction &inst);
  Result<void> translateLogic(const Instruction &inst);
  Result<void> translateComparison(const Instruction &inst);
  Result<void> translateHelperInvocation(const Instruction &inst);

  Result<void> translateExtInst(const Instruction &inst);
  Result<void> translateGlslInstruction(const Instruction &inst);
  Result<void> translateTrinaryMinMax(const Instruction &inst);
  Result<void> translateGcnShader(const Instruction &inst);
  Result<void> translateShaderBallot(const Instruction &inst);
  Result<void> translateExplicitVertexParameter(const Instruction &inst);
  class ImageInstruction;
  Result<void> translateImage(const Instruction &inst);
  Result<void> translateSampledImage(const Instruction &inst);
  Result<void> translateImageOf(const Instruction &inst);
  class AtomicInstruction;
  Result<void> translateAtomic(const Instruction &inst);
  Result<void> translateSubgroup(const Instruction &inst);
  Result<void> translateSubgroupArithmetic(const Instruction &inst);
  Result<void> translateSubgroupRotate(const Instruction &inst);
  Result<void> translateSubgroupPartition(const Instruction &inst);
  Result<void> translatePartitioned(const Instruction &inst, lgc::GroupOp op, llvm::Value *x);
  Result<void> translateQuadVote(const Instruction &inst);
  // operand(i) of a group operation; an Error if the operation does not take its type.
  Result<Value *> groupOperand(const Instruction &inst, unsigned index);
  Result<void> checkSubgroupScope(const Instruction &inst);
  Result<void> translateDerivative(const Instruction &inst);
  Result<void> translateEmitVertex(const Instruction &inst);
  Result<void> translateEndPrimitive(const Instruction &inst);
  Result<unsigned> vertexStream(const Instruction &inst);
  Result<void> translateBarrier(const Instruction &inst);
  Result<void> translateInterlock(const Instruction &inst);
  Result<void> translateReadClock(const Instruction &inst);
  // MemoryBarrierScope bits of a scope and memory semantics; 0 if nothing is to be ordered.
  Result<unsigned> barrierScope(const Instruction &inst, uint32_t scopeId, uint32_t semanticsId);

  // ---- Driver ----
  const EntryPoint *findEntryPoint() const;
  Result<void> translateGlobals();
  Result<void> translateGlobal(const Instruction &inst);
  Result<void> translateExecutionModes();

  // ---- Types ----
  Result<void> translateType(const Instruction &inst);
  Result<void> completeType(const Instruction &inst, TypeInfo &info);

  // ---- Constants ----
  Result<void> translateConstant(const Instruction &inst);
  Result<void> translateSpecConstantOp(const Instruction &inst);
  Result<llvm::Constant *> scalarConstant(const Instruction &inst);

  // ---- Composites in memory ----
  // The memory with a load's result; nullptr: the result is an LLVM value.
  Result<std::shared_ptr<const Pointer>> loadComposite(const Instruction &inst, const Pointer &from,
                                                       const MemoryAccess &access);
  // The operands that may be ids of values. In rare instructions, they may also be literals.
  static std::span<const uint32_t> valueOperands(const Instruction &inst);
  bool isUsedBeforeWrites(const Instruction &load) const;
  Pointer createTemporary(const TypeInfo &type);
  Result<void> copyComposite(const Instruction &inst, const Pointer &to, const Pointer &from,
                             const MemoryAccess &access);
  Result<void> copyElements(const Instruction &inst, const Pointer &to, const Pointer &from,
                            const MemoryAccess &access);
  Result<void> extractFromMemory(const Instruction &inst, Pointer part);
  Result<void> constructInMemory(const Instruction &inst);
  Result<void> insertInMemory(const Instruction &inst);
  Result<void> selectInMemory(const Instruction &inst, Value *condition);
  Value *extractValue(Value *whole, std::span<const uint32_t> path);

  // ---- Variables ----
  Result<void> translateGlobalVariable(const Instruction &inst);
  void noteBlock(Variable &variable) const;
  void placeInBuffer(const Variable &variable, Pointer &pointer);
  void placeUniform(const Variable &variable, Pointer &pointer);
  bool isInvariant(uint32_t variableId, const TypeInfo &type) const;
  Result<void> translateLocalVariable(const Instruction &inst);
  Result<Value *> createAlloca(const Instruction &inst, const TypeInfo &type);

  // Shared memory of blocks with an explicit layout, which all begin at its start; or nullptr.
  Result<llvm::GlobalVariable *> sharedBlocks(const Instruction &inst);
  Result<Pointer> sharedVariable(const Instruction &inst, Variable &variable);
  // Stores zeros to shared memory before the shader begins, for variables with a null initializer.
  void zeroSharedMemory();

  // ---- Control flow ----
  struct Scope {
    std::unordered_map<uint32_t, IdValue> values;
    const Function *function = nullptr;
    std::unordered_map<uint32_t, llvm::BasicBlock *> entryOf; // label -> where the block starts
    std::unordered_map<uint32_t, llvm::BasicBlock *> endOf;   // label -> the LLVM block with its terminator
    struct PendingPhi {
      const Instruction *inst;
      uint32_t block;
      llvm::SmallVector<llvm::PHINode *, 2> phis; // two for a pointer into a buffer
      PointeeLayout layout;                       // of a pointer
      // A large composite. `composite`: its value; `incoming`: its value at the block's next start. `composite` does
      // not change along other edges and for other phis.
      std::optional<Pointer> composite = {};
      Pointer incoming = {};
    };
    std::vector<PendingPhi> phis;
    llvm::BasicBlock *returnBlock = nullptr;
    std::shared_ptr<const Pointer> returnMemory; // a large composite of several returns
    bool hasSeveralReturns = false;
    llvm::SmallVector<std::pair<IdValue, llvm::BasicBlock *>, 4> returns; // the values that reach returnBlock
    LoopsOfBlocks loops;                                                  // only if the shader reconverges maximally
    const CallCopies *copies = nullptr;
    std::unordered_set<uint32_t> opaqueVariables; // of images or samplers, or arrays of them, with one store
    std::unordered_set<uint32_t> shared;          // variables of `copies` whose original a call was given
    std::unordered_multimap<uint32_t, llvm::BasicBlock *> kept; // loop's head -> ends of blocks that are kept in it
  };
  Result<void> translateFunctionBody(const Function &function, Scope &scope, IdValue &returned);
  Result<void> translateBlock(const Block &block);
  Result<void> translateTerminator(const Instruction &inst);
  // Branches to a block behind the innermost loop, if there is one. `kills`: the lane ends here.
  void leaveLoop(llvm::BasicBlock *target, bool kills = false);
  Result<void> translatePhi(const Instruction &inst, uint32_t block);
  Result<llvm::SmallVector<Value *, 2>> incomingValues(const Scope::PendingPhi &pending, uint32_t id);
  Result<void> completePhis();
  Result<IdValue> joinReturns(const Function &function, const Scope &scope);
  Result<void> checkInlinedSize(uint32_t function) const;
  Result<void> translateCall(const Instruction &inst);
  // Whether a load or store belongs to a copy that the call replaces: the call was given the original, or makes the
  // copy itself.
  bool isLeftToCall(const Instruction &inst) const;
  Result<std::vector<IdValue>> callArguments(const Instruction &call);
  const CallCopies &callCopies(const Function &function);
  // The descriptors of an image, sampler or both, in the order image, FMASK, sampler, as far as the type has them.
  llvm::SmallVector<llvm::Value **, 3> descriptorsOf(ImageValue &image) const;
  // An undefined image: its descriptors are zeros.
  ImageValue nullImage(const TypeInfo &type) const;
  const IdValue *find(uint32_t id) const;
  void bind(uint32_t id, IdValue value);

  // ---- Pointers ----
  // Error if the pointer's layout differs.
  Result<Value *> pointerToValue(const Instruction &inst, const Pointer &pointer, const PointeeLayout &layout = {});
  Result<Pointer> pointerFromValue(const Instruction &inst, Value *value, uint32_t pointerTypeId);
  // `parts`: the pointer's value, or the members of its structure.
  Result<Pointer> pointerFromParts(const Instruction &inst, llvm::ArrayRef<Value *> parts, uint32_t pointerTypeId);
  Result<void> stepPointer(const Instruction &inst, Pointer &pointer, uint32_t indexId);
  Value *numberedThrough(Value *outer, uint32_t count, Value *index);
  Result<void> stepMemory(const Instruction &inst, Pointer &pointer, Value *index); // in memory of any kind
  // Steps into a UniformTree, which becomes a texture or a place in the block.
  Result<void> stepUniform(const Instruction &inst, Pointer &pointer, uint32_t indexId);
  Variable &textureVariable(const Pointer &pointer);
  Result<void> openBlock(const Instruction &inst, Pointer &pointer); // Resource that is a buffer block -> Buffer
  Result<void> bindPointerValue(const Instruction &inst, Value *value, const PointeeLayout &layout);
  bool isReadOnlyBlock(const Variable &variable) const;
  Result<Value *> index32(const Instruction &inst, uint32_t id); // an index as i32, sign-extended or truncated
  unsigned pointerFlags(uint32_t id) const; // ResourceFlags of Coherent, Volatile, NonUniform ... decorations

  // ---- Explicitly laid out memory ----
  Value *sharedAddress(const Pointer &pointer, uint64_t offset);
  Value *loadLeaf(const Pointer &pointer, llvm::Type *type, uint64_t offset, unsigned flags, uint32_t alignment);
  void storeLeaf(const Pointer &pointer, Value *value, uint64_t offset, unsigned flags, uint32_t alignment);
  Value *loadLaidOut(const Pointer &pointer, const TypeInfo &type, const MatrixLayout &matrix, uint32_t componentStride,
                     uint64_t offset, const MemoryAccess &access);
  void storeLaidOut(const Pointer &pointer, const TypeInfo &type, const MatrixLayout &matrix, uint32_t componentStride,
                    uint64_t offset, Value *value, const MemoryAccess &access);

  // ---- Interface ----
  Result<void> applyInterfaceDecorations(const Instruction &inst, std::span<const DecorationInstance> decorations,
                                         InterfacePlace &place) const;
  Result<void> stepInterface(const Instruction &inst, Pointer &pointer, uint32_t indexId);
  uint32_t locationCountOf(const TypeInfo &type) const;
  static uint32_t componentsOf(const TypeInfo &scalar);
  Result<void> enterMember(const Instruction &inst, const TypeInfo &type, uint32_t member, InterfacePlace &place) const;
  static void moveLocation(InterfacePlace &place, uint32_t count);
  Result<Value *> readInterface(const Instruction &inst, const TypeInfo &type, const InterfacePlace &place, Value *aux);
  Result<Value *> readLeaf(const Instruction &inst, const TypeInfo &type, const InterfacePlace &place, Value *aux);
  // Outputs of control shaders.
  Result<void> initializeSharedOutput(const Instruction &inst, const Pointer &pointer, Value *value);
  Result<void> writeShared(const Instruction &inst, const TypeInfo &type, const InterfacePlace &place, Value *value);
  Result<void> writeSharedComponent(const Instruction &inst, const InterfacePlace &place, Value *value);
  void writeSharedScalar(const InterfacePlace &place, uint32_t component, Value *value);
  // Numbers the vectors and scalars of an output type, depth first, and passes each one with its path.
  struct OutputLeaf;
  Result<void> visitOutputLeaves(const Variable &variable,
                                 const std::function<Result<void>(const OutputLeaf &)> &visit);
  Result<void> noteOutputStore(const Instruction &inst, const Pointer &pointer);
  // Writes the outputs of a stream; in stages other than geometry, all outputs.
  Result<void> writeOutputs(unsigned stream);
  Result<void> captureOutputs();
  Result<void> captureLeaf(const Variable &variable, const OutputLeaf &leaf, uint32_t mask);
  void enterCapturedMember(const TypeInfo &type, uint32_t member, InterfacePlace &place) const;
  uint32_t captureSize(const TypeInfo &type) const;
  uint32_t captureAlignment(const TypeInfo &type) const;
  Result<void> writeOutputLeaf(const Variable &variable, const OutputLeaf &leaf, uint32_t mask);

  const Module &m_module;
  const Declarations m_declarations;
  const SourcePlaces &m_places;
  const TranslateOptions &m_options;
  lgc::Builder &m_builder;
  llvm::Module &m_target;
  llvm::LLVMContext &m_context;
  const EntryPoint *m_entryPoint = nullptr;

  std::unordered_map<uint32_t, TypeInfo> m_types;
  std::unordered_map<uint32_t, uint32_t> m_resultTypes; // value id -> type id, of the whole module
  std::unordered_map<uint32_t, IdValue> m_globals;
  std::vector<std::unique_ptr<Variable>> m_variables;
  std::unordered_set<uint32_t> m_usedVariables; // Module::usedIds()

  llvm::Function *m_main = nullptr;
  llvm::BasicBlock *m_entryBlock = nullptr; // allocas, initialisers
  llvm::BasicBlock *m_exitBlock = nullptr;  // output writes
  Scope *m_scope = nullptr;
  unsigned m_callDepth = 0;
  std::unordered_map<uint32_t, CallCopies> m_callCopies;        // by function
  const Block *m_block = nullptr;                               // the block that is being translated
  std::vector<uint32_t> m_useCounts;                            // by id: an upper bound of a value's uses
  std::unordered_map<uint32_t, const Block *> m_ownTemporaries; // results in temporaries, and the block of each
  uint64_t m_temporaryBytes = 0;
  uint64_t m_memoryBytes = 0; // of all allocas so far
  llvm::GlobalVariable *m_sharedBlocks = nullptr;
  std::vector<llvm::GlobalVariable *> m_zeroedSharedMemory;
  bool m_preserveSignedZero = false;
  bool m_reconvergesMaximally = false;
  bool m_hasInvariantOutput = false;
  bool m_hasInitializedSharedOutput = false;
  // A place where a geometry shader emits a vertex: the end of a block. Its outputs are written there, as soon as it is
  // known which outputs the shader stores to.
  struct Emission {
    llvm::BasicBlock *block;
    unsigned stream;
  };
  std::vector<Emission> m_emissions;
  std::optional<SourceLines> m_sourceLines; // empty if no places are wanted
};

} // namespace dovetail::spirv

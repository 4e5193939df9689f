// SPDX-License-Identifier: MIT
//
// Every row of the op table, through the recorder: the op matches its own class and no other, its operands come back by
// name, it verifies, and the replayer lowers it. DirectBuilder lowers it, too. The tests are expanded from the table,
// so they cover a new row at once.
#include "src/lgc/builder/builder_impl.h"
#include "src/lgc/builder/builder_recorder.h"
#include "src/lgc/builder/builder_replayer.h"
#include "src/lgc/builder/direct_builder.h"
#include "src/lgc/ops/op_result_types.h"
#include "src/lgc/state/pipeline_state.h"
#include "tests/lgc/stages/compile_shader.h"
#include <boost/preprocessor/stringize.hpp>
#include <doctest/doctest.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Verifier.h>

// To optimise so many checks takes longer than to run them once.
#pragma GCC optimize("O0")

using namespace llvm;
using namespace lgc;

namespace {

// Operands that suit a row by their names. `shift` makes the immediates of two calls differ.
struct OperandMaker {
  LLVMContext &context;
  StringRef row;
  unsigned shift = 0;

  Type *i32() const { return Type::getInt32Ty(context); }
  Type *vector(Type *element, unsigned count) const { return FixedVectorType::get(element, count); }
  Type *floats(unsigned count) const { return vector(Type::getFloatTy(context), count); }
  bool rowHas(StringRef text) const { return row.contains(text); }

  Type *valueType(StringRef name) const {
    if (name == "matrix" || (rowHas("Matrix") && (name == "a" || name == "b")))
      return ArrayType::get(floats(3), 3);
    if (rowHas("Matrix") || rowHas("OuterProduct"))
      return name == "scalar" ? Type::getFloatTy(context) : floats(3);
    if (name.ends_with("esc"))
      return vector(i32(), name == "imageDesc" || name == "fmaskDesc" ? 8 : 4);
    if (name == "ballot")
      return vector(i32(), 4);
    if (name == "condition" || row == "SubgroupAny" || row == "SubgroupAll" || row == "SubgroupBallot" ||
        row == "SubgroupQuadAny" || row == "SubgroupQuadAll")
      return Type::getInt1Ty(context);
    if (name == "texel")
      return floats(4);
    if (name == "coord" && !rowHas("TexelBuffer"))
      return vector(rowHas("Sample") || rowHas("Gather") || rowHas("Lod") ? Type::getFloatTy(context) : i32(), 2);
    if (name == "offset" && rowHas("Image"))
      return vector(i32(), 2);
    if (name == "gradX" || name == "gradY")
      return floats(2);
    bool isInteger = rowHas("BitField") || rowHas("Find") || rowHas("SAbs") || rowHas("SSign") || rowHas("SMod") ||
                     rowHas("Atomic") || rowHas("WriteOutput") || rowHas("PatchOutput");
    static constexpr StringRef Integers[] = {
        "index", "byteOffset", "locationOffset", "arrayIndex", "vertexIndex", "dwordOffset", "vertexOffset",
        "lane",  "mask",       "delta",          "exp",        "sample",      "count",       "comparator"};
    if (isInteger || row == "ExtendAddress" || (rowHas("TexelBuffer") && name == "coord") ||
        is_contained(Integers, name))
      return i32();
    if (row == "TexelBufferLoad" || row == "TexelBufferStore")
      return i32();
    if (name == "lod" && !(rowHas("Sample") || rowHas("Gather")))
      return i32();
    if (row == "CrossProduct" || row == "DotProduct" || row == "Reflect" || row == "FaceForward")
      return floats(3);
    if (row == "Refract")
      return name == "eta" ? Type::getFloatTy(context) : floats(3);
    return Type::getFloatTy(context);
  }

  template <typename T> T make(StringRef name) const {
    if constexpr (std::is_same_v<T, Type *>)
      return row == "LoadDescriptor" ? vector(i32(), 8) // an image's
             : row == "ImageSample" || row == "ImageGather" || row == "ImageLoad" || row == "TexelBufferLoad"
                 ? floats(4)
             : row == "ReadBuiltInInput" || row == "HardwareValue" ? i32()
                                                                   : Type::getFloatTy(context);
    else if constexpr (std::is_same_v<T, Value *>)
      return name == "locationOffset" || name == "index" ? static_cast<Value *>(ConstantInt::get(i32(), 0))
                                                         : Constant::getNullValue(valueType(name));
    else if constexpr (std::is_same_v<T, OptionalValue>)
      return name == "arrayIndex" && shift ? OptionalValue(ConstantInt::get(i32(), 0)) : OptionalValue();
    else if constexpr (std::is_same_v<T, ImageDim>)
      return rowHas("Samples") || rowHas("Fmask") || rowHas("FragmentMask") ? ImageDim::Msaa2D : ImageDim::Dim2D;
    else if constexpr (std::is_same_v<T, BuiltIn>)
      return row == "ReadBuiltInOutput" ? BuiltIn::TessLevelOuter
             : row.starts_with("Write") ? BuiltIn::FragDepth
                                        : BuiltIn::SampleId;
    else if constexpr (std::is_same_v<T, AtomicOp>)
      return AtomicOp::Add;
    else if constexpr (std::is_same_v<T, GroupOp>)
      return GroupOp::FAdd;
    else if constexpr (std::is_same_v<T, bool>)
      return shift & 1;
    else if constexpr (std::is_enum_v<T>)
      return static_cast<T>(0);
    else
      return name == "clusterSize"                            ? T(64)
             : name == "flags"                                ? T(0)
             : name == "locationCount" || name == "slotCount" ? T(1)
             : name == "stride"                               ? T(4)
             : name == "elementBits"                          ? T(16u << shift)
                                                              : T(shift);
  }
};

template <typename T> bool sameOperand(const T &a, const T &b) {
  if constexpr (std::is_same_v<T, OptionalValue>)
    return static_cast<Value *>(a) == static_cast<Value *>(b);
  else
    return a == b;
}

// The number of op classes that match an instruction.
unsigned matchingClasses(Instruction *instruction) {
  unsigned count = 0;
#define LGC_OP(name, mnemonic, effects, resultType, operands) count += isa<name##Op>(instruction);
#include "src/lgc/ops/internal.def"
#include "src/lgc/ops/ops.def"
#undef LGC_OP
  return count;
}

class OpTable {
public:
  OpTable() : m_module(m_compiler.builderContext->createModule("ops")), m_builder(m_compiler.context) {
    auto *type = FunctionType::get(m_builder.getVoidTy(), false);
    m_function = Function::Create(type, GlobalValue::ExternalLinkage, "main", *m_module);
    BasicBlock *block = BasicBlock::Create(m_compiler.context, "", m_function);
    m_builder.SetInsertPoint(block);
    m_builder.CreateRetVoid();
    m_builder.SetInsertPoint(block->getTerminator());
  }

  OperandMaker maker(StringRef row, unsigned shift) { return {m_compiler.context, row, shift}; }

  ShaderCompiler m_compiler;
  std::unique_ptr<Module> m_module;
  BuilderRecorder m_builder;
  Function *m_function;
};

} // namespace

TEST_CASE("every row makes an op that only its own class matches and whose operands come back by name") {
  OpTable table;
#define MAKE_OPERAND(r, data, operand)                                                                                 \
  auto LGC_OPERAND_NAME(operand) = maker.make<LGC_OPERAND_TYPE(operand)>(BOOST_PP_STRINGIZE(LGC_OPERAND_NAME(operand)));
#define CHECK_OPERAND(r, data, operand)                                                                                \
  CHECK(sameOperand<LGC_OPERAND_TYPE(operand)>(made->LGC_OPERAND_NAME(operand)(), LGC_OPERAND_NAME(operand)));
#define LGC_OP(name, mnemonic_, effects, resultType, operands)                                                         \
  for (unsigned shift = 0; shift < 2; ++shift) {                                                                       \
    INFO("row " << #name);                                                                                             \
    [[maybe_unused]] OperandMaker maker = table.maker(#name, shift);                                                   \
    BOOST_PP_SEQ_FOR_EACH(MAKE_OPERAND, _, operands)                                                                   \
    name##Op *made = name##Op::create(table.m_builder, LGC_ARGUMENTS(operands) "");                                    \
    CHECK(matchingClasses(made) == 1);                                                                                 \
    CHECK(isa<name##Op>(made));                                                                                        \
    CHECK((made->mnemonic() == mnemonic_));                                                                            \
    BOOST_PP_SEQ_FOR_EACH(CHECK_OPERAND, _, operands)                                                                  \
  }
#include "src/lgc/ops/internal.def"
#include "src/lgc/ops/ops.def"
#undef LGC_OP
  CHECK(verifyOps(*table.m_module) == "");
}

// A stage that has the op.
static ShaderStage stageOf(StringRef row) {
  if (row == "ReadGenericOutput" || row == "ReadBuiltInOutput")
    return ShaderStage::TessControl;
  return row == "EmitVertex" || row == "EndPrimitive" ? ShaderStage::Geometry : ShaderStage::Fragment;
}

static void replayRowsOf(ShaderStage stage) {
  OpTable table;
#define LGC_OP(name, mnemonic_, effects, resultType, operands)                                                         \
  if (stageOf(#name) == stage) {                                                                                       \
    [[maybe_unused]] OperandMaker maker = table.maker(#name, 0);                                                       \
    BOOST_PP_SEQ_FOR_EACH(MAKE_OPERAND, _, operands)                                                                   \
    table.m_builder.Create##name(LGC_ARGUMENTS(operands) "");                                                          \
  }
#include "src/lgc/ops/ops.def"
#undef LGC_OP
#undef CHECK_OPERAND
  CHECK(verifyOps(*table.m_module) == "");

  PipelineState state(table.m_compiler.builderContext->targetInfo(), FrontEndState(), modesOf(stage));
  BuilderImpl builder(table.m_compiler.context, state);
  ModuleAnalysisManager analyses;
  BuilderReplayer(builder).run(*table.m_module, analyses);

  auto result = state.checkNoFailure();
  CHECK_MESSAGE(result.has_value(), result.error().text);
  for (Instruction &instruction : instructions(table.m_function)) {
    [[maybe_unused]] auto *op = dyn_cast<Op>(&instruction);
#define LGC_OP(name, mnemonic, effects, resultType, operands) CHECK_FALSE(isa<name##Op>(&instruction));
#include "src/lgc/ops/ops.def"
#undef LGC_OP
  }
  CHECK_FALSE(verifyModule(*table.m_module, &errs()));
  CHECK(verifyOps(*table.m_module) == "");
}

// Makes the rows of a stage at the end of a block, one behind the other.
static void makeRowsDirectly(ShaderStage stage) {
  ShaderCompiler compiler;
  std::unique_ptr<Module> module = compiler.builderContext->createModule("ops");
  DirectBuilder builder(compiler.context, std::make_unique<PipelineState>(compiler.builderContext->targetInfo(),
                                                                          FrontEndState(), modesOf(stage)));
  auto *type = FunctionType::get(builder.getVoidTy(), false);
  Function *function = Function::Create(type, GlobalValue::ExternalLinkage, "main", *module);
  builder.SetInsertPoint(BasicBlock::Create(compiler.context, "", function));
#define LGC_OP(name, mnemonic_, effects_, resultType_, operands)                                                       \
  if (stageOf(#name) == stage) {                                                                                       \
    INFO("row " << #name);                                                                                             \
    using namespace result_types;                                                                                      \
    [[maybe_unused]] LLVMContext &context = compiler.context;                                                          \
    [[maybe_unused]] OperandMaker maker{compiler.context, #name, 0};                                                   \
    BOOST_PP_SEQ_FOR_EACH(MAKE_OPERAND, _, operands)                                                                   \
    Type *wanted = resultType_;                                                                                        \
    Value *made = builder.Create##name(LGC_ARGUMENTS(operands) "");                                                    \
    CHECK((wanted->isVoidTy() || made->getType() == wanted));                                                          \
  }
#include "src/lgc/ops/ops.def"
#undef LGC_OP
#undef MAKE_OPERAND
  builder.CreateRetVoid();

  auto result = builder.finishState().checkNoFailure();
  CHECK_MESSAGE(result.has_value(), result.error().text);
  CHECK_FALSE(verifyModule(*module, &errs()));
  CHECK(verifyOps(*module) == "");
}

TEST_CASE("every row is made directly, at the end of a block") {
  makeRowsDirectly(ShaderStage::Fragment);
  makeRowsDirectly(ShaderStage::TessControl);
  makeRowsDirectly(ShaderStage::Geometry);
}

TEST_CASE("every recorded row is replayed") {
  replayRowsOf(ShaderStage::Fragment);
  replayRowsOf(ShaderStage::TessControl);
  replayRowsOf(ShaderStage::Geometry);
}

TEST_CASE("the replayer keeps fast-math flags, names and users") {
  OpTable table;
  FastMathFlags flags;
  flags.setNoNaNs();
  table.m_builder.setFastMathFlags(flags);
  Value *x = table.m_builder.CreateReadGenericInput(table.m_builder.getFloatTy(), 0, table.m_builder.getInt32(0), 0, 1,
                                                    InterpMode::Smooth, InterpLocation::Center, nullptr, nullptr);
  auto *fract = cast<CallInst>(table.m_builder.CreateFMin(x, x, "least"));
  CHECK(fract->hasNoNaNs());
  Instruction *user = cast<Instruction>(table.m_builder.CreateFNeg(fract));

  PipelineState state(table.m_compiler.builderContext->targetInfo(), {}, modesOf(ShaderStage::Fragment));
  BuilderImpl builder(table.m_compiler.context, state);
  ModuleAnalysisManager analyses;
  BuilderReplayer(builder).run(*table.m_module, analyses);
  auto *lowered = dyn_cast<Instruction>(user->getOperand(0));
  REQUIRE(lowered);
  CHECK(lowered->hasNoNaNs());
  CHECK((lowered->getName() == "least"));
}

namespace {

// A DirectBuilder at the end of a block of a fragment shader.
class DirectBench {
public:
  DirectBench()
      : m_module(m_compiler.builderContext->createModule("direct")),
        m_builder(m_compiler.context,
                  std::make_unique<PipelineState>(m_compiler.builderContext->targetInfo(), FrontEndState(),
                                                  modesOf(ShaderStage::Fragment))) {
    auto *type = FunctionType::get(m_builder.getVoidTy(), false);
    Function *function = Function::Create(type, GlobalValue::ExternalLinkage, "main", *m_module);
    m_builder.SetInsertPoint(BasicBlock::Create(m_compiler.context, "", function));
  }

  // A number that is no constant.
  Value *number() {
    return m_builder.CreateReadGenericInput(m_builder.getFloatTy(), 0, m_builder.getInt32(0), 0, 1, InterpMode::Smooth,
                                            InterpLocation::Center, nullptr, nullptr);
  }

  ShaderCompiler m_compiler;
  std::unique_ptr<Module> m_module;
  DirectBuilder m_builder;
};

} // namespace

TEST_CASE("an op that is made directly gets the builder's fast-math flags, and leaves them as they were") {
  DirectBench bench;
  DirectBuilder &builder = bench.m_builder;
  FastMathFlags flags;
  flags.setNoSignedZeros();
  builder.setFastMathFlags(flags);
  CHECK(cast<Instruction>(builder.CreateFMin(bench.number(), bench.number()))->hasNoSignedZeros());

  // This op has no result, so a recorded one would have no flags either.
  Value *half = builder.CreateFPTrunc(bench.number(), builder.getHalfTy());
  builder.CreateWriteGenericOutput(half, 0, builder.getInt32(0), 0, 1, 0, nullptr);
  unsigned extensions = 0;
  for (Instruction &instruction : *builder.GetInsertBlock())
    if (isa<FPExtInst>(instruction)) {
      CHECK_FALSE(instruction.hasNoSignedZeros());
      ++extensions;
    }
  CHECK(extensions == 1);
  CHECK(builder.getFastMathFlags().noSignedZeros());
}

TEST_CASE("an op whose operands do not fit its row is refused when it is made directly") {
  DirectBench bench;
  DirectBuilder &builder = bench.m_builder;
  REQUIRE(builder.finishState().checkNoFailure().has_value());
  Value *made = builder.CreateFMin(bench.number(), builder.getInt32(1));
  CHECK(made->getType()->isFloatTy()); // the front end can go on
  CHECK(builder.CreateSubgroupAny(bench.number())->getType()->isIntegerTy(1));
  auto result = builder.finishState().checkNoFailure();
  REQUIRE_FALSE(result.has_value());
  CHECK((result.error().code == dovetail::ErrorCode::CompileFailed));
  CHECK(result.error().text == "lgc.fmin has operands that do not go together");
}

TEST_CASE("verifyOps names an op whose operands do not fit its row") {
  OpTable table;
  Module &module = *table.m_module;
  Builder &builder = table.m_builder;
  Value *x = builder.CreateReadBuiltInInput(builder.getInt32Ty(), BuiltIn::SampleId, nullptr, nullptr);
  auto *bits = cast<CallInst>(builder.CreateExtractBitField(x, builder.getInt32(1), builder.getInt32(2), true));
  REQUIRE(verifyOps(module) == "");

  bits->setArgOperand(3, x); // an immediate that is no constant
  CHECK(verifyOps(module).find("extract.bit.field in main operand 3 is not a constant") != std::string::npos);
  bits->setArgOperand(3, builder.getInt32(1));
  REQUIRE(verifyOps(module) == "");

  // The declaration of another row: too few operands for it.
  Function *other =
      cast<CallInst>(builder.CreateFract(ConstantFP::get(builder.getFloatTy(), 1.0)))->getCalledFunction();
  bits->getCalledFunction()->setMetadata("lgc.op", other->getMetadata("lgc.op"));
  CHECK(verifyOps(module).find("has 4 operands, not 1") != std::string::npos);
}

TEST_CASE("a call that is not a dialect op matches no op class") {
  OpTable table;
  Function *plain = Function::Create(FunctionType::get(table.m_builder.getVoidTy(), false),
                                     GlobalValue::ExternalLinkage, "lgc.fmod.f32.f32.f32", *table.m_module);
  CallInst *call = table.m_builder.CreateCall(plain);
  CHECK(matchingClasses(call) == 0);
  CHECK_FALSE(isa<Op>(call));
}

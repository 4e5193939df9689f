// SPDX-License-Identifier: MIT
//
// A front end outside of the library. Its language is one colour. It makes a vertex and a fragment shader with Builder
// calls and an op of its own, runs a pass of its own, and writes the pipeline's ELF.
//
//   front_end GPU RED GREEN BLUE OUTPUT.elf
#include <cstdio>
#include <cstdlib>
#include <dovetail-lgc/builder.h>
#include <dovetail-lgc/front_end.h>
#include <dovetail-lgc/run_passes.h>
#include <fstream>
#include <functional>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

using dovetail::Result;

namespace {

constexpr char Halve[] = "example.halve"; // halves a float

std::unique_ptr<llvm::Module> makeShader(lgc::BuilderContext &context, lgc::ShaderStage stage,
                                         const std::function<void(lgc::Builder &, llvm::Module &)> &fill) {
  std::unique_ptr<llvm::Module> module = context.createModule("example");
  std::unique_ptr<lgc::Builder> builder = context.createBuilder();
  builder->shaderModes().stage = stage;
  auto *type = llvm::FunctionType::get(builder->getVoidTy(), false);
  auto *function = llvm::Function::Create(type, llvm::GlobalValue::ExternalLinkage, "main", *module);
  builder->SetInsertPoint(llvm::BasicBlock::Create(context.context(), "", function));
  fill(*builder, *module);
  builder->CreateRetVoid();
  builder->shaderModes().record(*module);
  return module;
}

llvm::Value *vectorOf(lgc::Builder &builder, llvm::ArrayRef<llvm::Value *> elements) {
  llvm::Value *vector = llvm::PoisonValue::get(llvm::FixedVectorType::get(builder.getFloatTy(), 4));
  for (unsigned i = 0; i < elements.size(); ++i)
    vector = builder.CreateInsertElement(vector, elements[i], i);
  return vector;
}

llvm::Value *constant(lgc::Builder &builder, double value) {
  return llvm::ConstantFP::get(builder.getFloatTy(), value);
}

// A triangle that covers everything: (-1, -1), (3, -1), (-1, 3).
void fillVertexShader(lgc::Builder &builder, llvm::Module &) {
  llvm::Value *index =
      builder.CreateReadBuiltInInput(builder.getInt32Ty(), lgc::BuiltIn::VertexIndex, nullptr, nullptr);
  auto coordinate = [&](unsigned vertex) {
    return builder.CreateSelect(builder.CreateICmpEQ(index, builder.getInt32(vertex)), constant(builder, 3),
                                constant(builder, -1));
  };
  builder.CreateWriteBuiltInOutput(
      vectorOf(builder, {coordinate(1), coordinate(2), constant(builder, 0), constant(builder, 1)}),
      lgc::BuiltIn::Position, nullptr, nullptr);
}

// Half of the colour, by the op that only this front end knows.
void fillFragmentShader(const double (&color)[3], lgc::Builder &builder, llvm::Module &module) {
  llvm::FunctionCallee halve = module.getOrInsertFunction(Halve, builder.getFloatTy(), builder.getFloatTy());
  std::vector<llvm::Value *> elements;
  for (double component : color)
    elements.push_back(builder.CreateCall(halve, constant(builder, component)));
  elements.push_back(constant(builder, 1));
  builder.CreateWriteGenericOutput(vectorOf(builder, elements), 0, builder.getInt32(0), 0, 1, 0, nullptr);
}

struct LowerHalvePass : llvm::PassInfoMixin<LowerHalvePass> {
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &) {
    llvm::Function *halve = module.getFunction(Halve);
    if (!halve)
      return llvm::PreservedAnalyses::all();
    for (llvm::User *user : llvm::make_early_inc_range(halve->users())) {
      auto *call = llvm::cast<llvm::CallInst>(user);
      llvm::IRBuilder<> builder(call);
      call->replaceAllUsesWith(
          builder.CreateFMul(call->getArgOperand(0), llvm::ConstantFP::get(builder.getFloatTy(), 0.5)));
      call->eraseFromParent();
    }
    halve->eraseFromParent();
    return llvm::PreservedAnalyses::none();
  }
};

Result<void> lowerHalve(lgc::BuilderContext &context, llvm::Module &module) {
  llvm::ModulePassManager passes;
  passes.addPass(LowerHalvePass());
  return lgc::runPassManager(context, module, passes);
}

struct ComplainPass : llvm::PassInfoMixin<ComplainPass> {
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &) {
    module.getContext().emitError("there is too little of it");
    return llvm::PreservedAnalyses::all();
  }
};

// Whether a pass's complaint arrives as an Error, and is gone when the next passes run.
bool hearsComplaint(lgc::BuilderContext &context, llvm::Module &module) {
  llvm::ModulePassManager complaint, silence;
  complaint.addPass(ComplainPass());
  const Result<void> heard = lgc::runPassManager(context, module, complaint);
  return !heard && heard.error().text.find("there is too little of it") != std::string::npos &&
         lgc::runPassManager(context, module, silence);
}

// A shader alone keeps its own ops until the front end lowers them: here behind lgc-replay. Without `isLowered`, the
// front end never does.
Result<size_t> compileAlone(lgc::BuilderContext &context, const double (&color)[3], bool isLowered) {
  std::unique_ptr<lgc::Pipeline> pipeline = context.createPipeline();
  Result<void> lowered;
  pipeline->setObserver([&](lgc::Step step, llvm::Module &module) {
    if (isLowered && step == lgc::Step::Replay)
      lowered = lowerHalve(context, module);
  });
  std::vector<std::unique_ptr<llvm::Module>> shaders;
  shaders.push_back(makeShader(context, lgc::ShaderStage::Fragment, [&](lgc::Builder &builder, llvm::Module &module) {
    fillFragmentShader(color, builder, module);
  }));
  const lgc::CompiledShader compiled =
      DOVETAIL_TRY(pipeline->generate(DOVETAIL_TRY(pipeline->irLink(std::move(shaders)))));
  DOVETAIL_CHECK(std::move(lowered));
  return compiled.elf.size();
}

Result<std::vector<uint8_t>> compilePipeline(lgc::BuilderContext &context, const double (&color)[3]) {
  std::vector<std::unique_ptr<llvm::Module>> shaders;
  shaders.push_back(makeShader(context, lgc::ShaderStage::Vertex, fillVertexShader));
  shaders.push_back(makeShader(context, lgc::ShaderStage::Fragment, [&](lgc::Builder &builder, llvm::Module &module) {
    fillFragmentShader(color, builder, module);
  }));
  if (!hearsComplaint(context, *shaders.back()))
    return dovetail::makeError(dovetail::ErrorCode::Internal, "a pass's complaint was not told");

  lgc::GraphicsState graphics;
  graphics.state.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
  graphics.state.colorTargets[0].format = VK_FORMAT_R8G8B8A8_UNORM;
  std::unique_ptr<lgc::Pipeline> pipeline = context.createPipeline();
  pipeline->setShaderStageMask(lgc::stageBit(lgc::ShaderStage::Vertex) | lgc::stageBit(lgc::ShaderStage::Fragment));
  pipeline->setGraphicsState(std::move(graphics));
  // The pipeline module still has the front end's own ops.
  unsigned replayed = 0;
  Result<void> lowered;
  pipeline->setObserver([&](lgc::Step step, llvm::Module &module) {
    if (step != lgc::Step::Replay)
      return;
    ++replayed;
    if (Result<void> outcome = lowerHalve(context, module); !outcome)
      lowered = std::move(outcome);
    if (!hearsComplaint(context, module))
      lowered = dovetail::makeError(dovetail::ErrorCode::Internal, "the observer was not told a pass's complaint");
  });
  std::vector<uint8_t> elf = DOVETAIL_TRY(pipeline->generate(DOVETAIL_TRY(pipeline->irLink(std::move(shaders))))).elf;
  DOVETAIL_CHECK(std::move(lowered));
  if (replayed < 2)
    return dovetail::makeError(dovetail::ErrorCode::Internal, "the observer did not see both stages");
  return elf;
}

Result<void> run(char **arguments) {
  const double color[] = {std::atof(arguments[2]), std::atof(arguments[3]), std::atof(arguments[4])};
  llvm::LLVMContext llvmContext;
  std::unique_ptr<lgc::BuilderContext> context =
      DOVETAIL_TRY(dovetail::createFrontEndContext(llvmContext, arguments[1]));
  context->addDialect("example.");

  DOVETAIL_TRY(compileAlone(*context, color, true));
  const Result<size_t> left = compileAlone(*context, color, false);
  if (left || left.error().text.find(Halve) == std::string::npos)
    return dovetail::makeError(dovetail::ErrorCode::Internal, "an op that nobody lowered was not told");

  const std::vector<uint8_t> elf = DOVETAIL_TRY(compilePipeline(*context, color));
  std::ofstream(arguments[5], std::ios::binary)
      .write(reinterpret_cast<const char *>(elf.data()), std::streamsize(elf.size()));
  return {};
}

} // namespace

int main(int argc, char **argv) {
  if (argc != 6)
    return 2;
  const Result<void> outcome = run(argv);
  if (!outcome)
    std::fprintf(stderr, "%s\n", outcome.error().text.c_str());
  return outcome ? 0 : 1;
}

// SPDX-License-Identifier: MIT
#include "variants/link/front_end.h"
#include "src/base/asking_thread.h"
#include "src/lgc/ir_file.h"
#include "variants/link/ir_pipeline.h"
#include "variants/link/whole_pipeline.h"
#include <optional>
#include <utility>

namespace dovetail {

Result<std::unique_ptr<lgc::BuilderContext>> createFrontEndContext(llvm::LLVMContext &context, std::string_view gpuName,
                                                                   DriverCache cache) {
  std::unique_ptr<lgc::BuilderContext> builderContext = DOVETAIL_TRY(lgc::BuilderContext::create(context, gpuName));
  const std::string gpu(builderContext->targetInfo().gpuName);
  auto joined = [gpu, cache = std::move(cache), frontEnd = builderContext.get()](
                    const llvm::Module &module, const lgc::StepObserver &observer) -> Result<std::vector<uint8_t>> {
    // For an observer, stages are compiled one after the other, as the optimiser does.
    std::optional<OptimizingScope> inTurn;
    if (observer)
      inTurn.emplace();
    const IrPipeline pipeline = DOVETAIL_TRY(readIrPipeline(
        module.getModuleIdentifier(), lgc::writeIr(module, lgc::IrFormat::Bitcode), gpu, frontEnd->dialects()));
    // The pipeline has its own maker, so that the observer sees all compiles, and no part outlives the pipeline.
    std::unique_ptr<PartMaker> maker = DOVETAIL_TRY(PartMaker::create(gpu, nullptr, cache));
    maker->setObserver(observer, frontEnd->dialects());
    return compileWholePipeline(*maker, pipeline.shaders, pipeline.state);
  };
  builderContext->setPipelineGenerator(joined);
  return builderContext;
}

} // namespace dovetail

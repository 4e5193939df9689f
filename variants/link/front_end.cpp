// SPDX-License-Identifier: MIT
#include "variants/link/front_end.h"
#include "src/lgc/ir_file.h"
#include "variants/link/ir_pipeline.h"
#include "variants/link/whole_pipeline.h"

namespace dovetail {

Result<std::unique_ptr<lgc::BuilderContext>> createFrontEndContext(llvm::LLVMContext &context,
                                                                   std::string_view gpuName) {
  std::unique_ptr<lgc::BuilderContext> builderContext = DOVETAIL_TRY(lgc::BuilderContext::create(context, gpuName));
  const std::string gpu(builderContext->targetInfo().gpuName);
  auto joined = [gpu](const llvm::Module &module) -> Result<std::vector<uint8_t>> {
    const IrPipeline pipeline =
        DOVETAIL_TRY(readIrPipeline(module.getModuleIdentifier(), lgc::writeIr(module, lgc::IrFormat::Bitcode), gpu));
    std::unique_ptr<PartMaker> maker = DOVETAIL_TRY(PartMaker::create(gpu));
    return compileWholePipeline(*maker, pipeline.shaders, pipeline.state);
  };
  builderContext->setPipelineGenerator(joined);
  return builderContext;
}

} // namespace dovetail

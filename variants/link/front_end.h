// SPDX-License-Identifier: MIT
//
// What a front end of one's own begins with: LGC's interfaces (src/lgc), and stages that are joined to pipelines.
#pragma once

#include "src/lgc/builder_context.h"
#include <llvm/IR/LLVMContext.h>
#include <memory>
#include <string_view>

namespace dovetail {

// A BuilderContext whose Pipelines take pipeline modules of any number of stages: Pipeline::generate() compiles them as
// a whole (whole_pipeline.h). gpuName: see getTarget(). Errors: UnknownGpu.
Result<std::unique_ptr<lgc::BuilderContext>> createFrontEndContext(llvm::LLVMContext &context,
                                                                   std::string_view gpuName);

} // namespace dovetail

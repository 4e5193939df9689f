// SPDX-License-Identifier: MIT
//
// What a front end of one's own begins with: LGC's interfaces (src/lgc), and stages that are joined to pipelines.
#pragma once

#include "parts/store/driver_cache.h"
#include "src/lgc/builder_context.h"
#include <llvm/IR/LLVMContext.h>
#include <memory>
#include <string_view>

namespace dovetail {

// A BuilderContext whose Pipelines take pipeline modules of any number of stages: Pipeline::generate() compiles them as
// a whole (whole_pipeline.h). `cache` is asked for each shader's code once it is known what the shader has to read and
// write, and given what was compiled; of what it has, no code is generated. gpuName: see getTarget(). Errors:
// UnknownGpu.
Result<std::unique_ptr<lgc::BuilderContext>> createFrontEndContext(llvm::LLVMContext &context, std::string_view gpuName,
                                                                   DriverCache cache = {});

} // namespace dovetail

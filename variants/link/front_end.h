// SPDX-License-Identifier: MIT
//
// The entry point for other front ends: LGC's interfaces (src/lgc), and stages that are joined to pipelines.
#pragma once

#include "parts/store/driver_cache.h"
#include "src/lgc/builder_context.h"
#include <llvm/IR/LLVMContext.h>
#include <memory>
#include <string_view>

namespace dovetail {

// A BuilderContext whose Pipelines take pipeline modules of any number of stages: Pipeline::generate() compiles them as
// a whole (whole_pipeline.h). As soon as a shader's inputs and outputs are known, `cache` is asked for its code, and no
// code is generated if the cache has it. New code is put into the cache. gpuName: see getTarget(). Errors: UnknownGpu.
Result<std::unique_ptr<lgc::BuilderContext>> createFrontEndContext(llvm::LLVMContext &context, std::string_view gpuName,
                                                                   DriverCache cache = {});

} // namespace dovetail

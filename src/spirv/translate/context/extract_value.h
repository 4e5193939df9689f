// SPDX-License-Identifier: MIT
#pragma once

#include "src/lgc/builder/builder.h"
#include <span>

namespace dovetail::spirv {

// The part of a vector, array or structure at these indices. If it has just been put in, no instruction is made.
llvm::Value *extractValue(lgc::Builder &builder, llvm::Value *whole, std::span<const uint32_t> path);

} // namespace dovetail::spirv

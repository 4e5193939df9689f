// SPDX-License-Identifier: MIT
#pragma once

#include "src/abi/interface/shader_interface.h"
#include "src/abi/target_info.h"
#include "src/base/error.h"
#include "src/lgc/state/inter_shader_data.h"
#include "src/lgc/state/resource_usage.h"
#include <llvm/IR/Module.h>

namespace lgc {

// The outputs that a copy shader exports, as if it had written the geometry shader's outputs of stream 0 itself.
ResourceUsage copyShaderUsage(const dovetail::GeometryInterface &geometry);

// Adds the copy shader of a geometry shader to the module, lowered as far as lowerInputsAndOutputs lowers a shader.
// `usage`: from copyShaderUsage. Fills in the interface's exports and transform feedback.
dovetail::Result<llvm::Function *> buildCopyShader(llvm::Module &module, const dovetail::TargetInfo &target,
                                                   const dovetail::ShaderInterface &geometryShader,
                                                   const ResourceUsage &usage, const InterShaderData &otherStages,
                                                   dovetail::ShaderInterface &interface);

} // namespace lgc

// SPDX-License-Identifier: MIT
//
// The steps of the middle-end, in running order, one file each. Pipeline::lower runs those up to makeEntryPoint,
// BuilderContext::generateCode the others. They work on the one shader of a linked module; what they learn is in
// PipelineState::usage() and, at the end, in the ShaderInterface.
//
//   BuilderReplayer                 builder_replayer.h: recorded ops become target IR and internal ops
//   foldInlinableUniforms           fold_inlinable_uniforms.h: uniforms of known value; again after each optimisation
//   applyKnowledge                  apply_knowledge.h: the same for constant inputs and unwanted outputs
//   CodeGenerator::optimizeShader   optimization_pipelines.h: what is unused goes
//   collectResources                collect_resources.h: from here on, usage() is final and nothing new is read
//   lowerInputsAndOutputs           lower_in_out.h: interpolation; outputs become exports, memory or the values for the
//                                   epilog. First learn_interface.h notes what other stages may want to know of them
//   lowerUserData                   lower_user_data.h: root dwords get SGPRs or are read from the spill table
//   makeEntryPoint                  entry_point.h: the function with the hardware's calling convention; fills in the
//                                   interface. Behind it, monolithic compiles add prolog and epilog
//   CodeGenerator::optimizeHardwareForm
//                                   also trim_samples.h, reach_return.h and relative_constants.h
//   finishEntryPoint                entry_point.h: lists the VGPRs that are read, and fixes those of the fragment
//   inputs CodeGenerator::emitObject
#pragma once

#include "src/lgc/builder/builder_replayer.h"
#include "src/lgc/lowering/collect_resources.h"
#include "src/lgc/lowering/entry_point.h"
#include "src/lgc/lowering/lower_in_out.h"
#include "src/lgc/lowering/lower_user_data.h"
#include "src/lgc/optimize/apply_knowledge.h"
#include "src/lgc/optimize/fold_inlinable_uniforms.h"

// SPDX-License-Identifier: MIT
//
// The fields of those structs in src/lgc/state that keys and IR metadata contain.
#pragma once

#include "src/abi/interface/interface_fields.h"
#include "src/lgc/state/front_end_state.h"
#include "src/lgc/state/resource_usage.h"
#include "src/state/state_fields.h"

namespace lgc {

DOVETAIL_LAST(ShaderStage, Compute)
DOVETAIL_LAST(CodeFormat, Assembly)
DOVETAIL_LAST(OutputKind, PrimitiveId)
DOVETAIL_LAST(FpRoundMode, Zero)
DOVETAIL_LAST(FpDenormMode, FlushInOut)
DOVETAIL_LAST(ConservativeDepth, Unchanged)

// The pipeline.
DOVETAIL_FIELDS(ShaderOptions, vgprLimit, sgprLimit, waveLimit, maxThreadGroupsPerComputeUnit, subgroupSize,
                unrollThreshold, disableLoopUnroll, trapPresent, debugMode, allowReZ, forceLateZ,
                viewIndexFromDeviceIndex, fp32DenormMode)
DOVETAIL_FIELDS(ColorInputLocations, front, back)
DOVETAIL_FIELDS(Options, optimizationLevel, keepIr, codeFormat, exportPrimitiveId, vertexStage, colorInputs,
                mainPartState)
DOVETAIL_FIELDS(FrontEndState, stageMask, options, shaderOptions, resourceForms, deviceIndex, knowledge)

// The shader.
DOVETAIL_FIELDS(CommonShaderMode, fp16RoundMode, fp16DenormMode, fp32RoundMode, fp32DenormMode, fp64RoundMode,
                fp64DenormMode, useSubgroupSize)
DOVETAIL_FIELDS(TessellationMode, primitive, spacing, vertexOrder, pointMode, outputVertices)
DOVETAIL_FIELDS(GeometryShaderMode, input, output, maxVertices, invocations)
DOVETAIL_FIELDS(FragmentShaderMode, pixelCenterInteger, originLowerLeft, earlyFragmentTests, depthReplacing,
                requireFullQuads, conservativeDepth, interlock)
DOVETAIL_FIELDS(ComputeShaderMode, workgroupSizeX, workgroupSizeY, workgroupSizeZ, derivativeGroupQuads)
DOVETAIL_FIELDS(ShaderModes, stage, common, tessellation, geometry, transformFeedback, fragment, compute)

// The middle-end's results.
DOVETAIL_FIELDS(OutputSlot, kind, slot)
DOVETAIL_FIELDS(OutputUsage, componentMask, numericClass)
DOVETAIL_FIELDS(ResourceUsage, hardwareValues, vertexInputs, fragmentInputs, colorInputs, outputs, outputStreams, xfb,
                rootValues, sgprRootValues, runsAtSampleRate, usesDiscard, writesMemory, numbersLanes)

} // namespace lgc

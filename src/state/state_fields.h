// SPDX-License-Identifier: MIT
//
// The fields of those structs in src/state that keys contain.
#pragma once

#include "src/abi/interface/interface_fields.h"
#include "src/state/format_table.h"
#include "src/state/main_part_state.h"
#include "src/state/resource_form.h"
#include "src/state/stage_knowledge.h"
#include "src/state/state_values.h"
#include "src/state/user_data_nodes.h"

namespace dovetail {

DOVETAIL_LAST(IntegerClamp, Int10)
DOVETAIL_LAST(UserDataNodeType, ImagePlane2)
DOVETAIL_LAST(ResourceFormKind, YcbcrConversion)
DOVETAIL_LAST(InputPlacement, Center)
DOVETAIL_LAST(UniformPlace::Place, UniformBuffer)
DOVETAIL_LAST(DwordPart, HighHalf)
DOVETAIL_LAST(BufferDataFormat, Format32_32_32_32)
DOVETAIL_LAST(BufferNumFormat, Float)
DOVETAIL_LAST(ExportFormat, Abgr32)

DOVETAIL_FIELDS(UserDataNode, type, set, binding, offsetInDwords, sizeInDwords, strideInDwords)
DOVETAIL_FIELDS(ResourceForm, set, binding, kind, element, content)
DOVETAIL_FIELDS(MainPartState, inputPlacement, smoothingSamples, pointSmoothing, layeredInputAttachments,
                clampedOutputs, passThroughVertices)
DOVETAIL_FIELDS(UniformPlace, place, set, binding, offset)
DOVETAIL_FIELDS_BEYOND(InlinableUniform, UniformPlace, value)
DOVETAIL_FIELDS(ParameterPlace, location, component)
DOVETAIL_FIELDS(PackedParameter, declared, packed, part)
DOVETAIL_FIELDS(StageKnowledge, droppedOutputs, droppedPatchOutputs, keptColors, droppedFixedFunctionOutputs,
                dropsTransformFeedback, constantInputs, inlinableUniforms, patchControlPoints, packedParameters)

} // namespace dovetail

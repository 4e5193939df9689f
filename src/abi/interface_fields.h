// SPDX-License-Identifier: MIT
//
// The fields of what keys contain of this folder.
#pragma once

#include "src/abi/merged_entry.h"
#include "src/abi/shader_interface.h"
#include "src/base/fields.h"

namespace dovetail {

constexpr HardwareStage lastOf(HardwareStage) {
  return HardwareStage(HardwareStageCount - 1);
}

DOVETAIL_FIELDS(ValueName, kind, index, component)
DOVETAIL_FIELDS(Register, bank, index)
DOVETAIL_FIELDS(Binding, value, reg)
DOVETAIL_FIELDS(EntryInterface, inputs, userSgprCount)
DOVETAIL_FIELDS(ConstantDword, slot, component, value)
DOVETAIL_FIELDS(GeometryOutputDword, slot, component, stream)
DOVETAIL_FIELDS(XfbOutput, slot, component, buffer, stream, offset)
DOVETAIL_FIELDS(XfbInterface, strides, bufferStream, outputs)
DOVETAIL_FIELDS(ParameterExport, location, parameter)
DOVETAIL_FIELDS(PreRasterInterface, xfb, parameters, positionExports, writesPointSize, writesLayer, writesViewportIndex,
                clipDistanceMask, cullDistanceMask, usesPrimitiveId)

} // namespace dovetail

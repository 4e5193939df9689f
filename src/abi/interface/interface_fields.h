// SPDX-License-Identifier: MIT
//
// The fields of those structs in src/abi that keys and parts contain.
#pragma once

#include "src/abi/interface/layout_constant.h"
#include "src/abi/interface/merged_entry.h"
#include "src/abi/interface/shader_interface.h"
#include "src/base/fields.h"

namespace dovetail {

DOVETAIL_LAST(ValueKind, InterpolatedColor)
DOVETAIL_LAST(RegisterBank, Vgpr)
constexpr HardwareStage lastOf(HardwareStage) {
  return HardwareStage(HardwareStageCount - 1);
}
DOVETAIL_LAST(VertexSource, TessEval)
constexpr ResourceKind lastOf(ResourceKind) {
  return ResourceKind(ResourceKindCount - 1);
}
constexpr LayoutQuantity lastOf(LayoutQuantity) {
  return LayoutQuantity(LayoutQuantityCount - 1);
}
DOVETAIL_LAST(NumericClass, Uint)
DOVETAIL_LAST(TessPrimitive, Isolines)
DOVETAIL_LAST(TessSpacing, FractionalEven)
DOVETAIL_LAST(TessVertexOrder, Clockwise)
DOVETAIL_LAST(GeometryInput, TrianglesAdjacency)
DOVETAIL_LAST(FragmentInterlock, Sample)
DOVETAIL_LAST(GeometryOutput, TriangleStrip)

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
DOVETAIL_FIELDS(VertexInput, location, dwordMask, numericClass, elementBits)
DOVETAIL_FIELDS(VertexInterface, inputs, usesInstanceId)
DOVETAIL_FIELDS(LayoutConstant, quantity, resource, set, binding, element, addend)
DOVETAIL_FIELDS(TessellationInterface, primitive, spacing, vertexOrder, pointMode, outputVertices, ldsPatchStride,
                factorsInRegisters, readsFactors)
DOVETAIL_FIELDS(GeometryInterface, input, output, maxVertices, invocations, streamMask, outputs, usesPrimitiveId,
                usesInvocationId)
DOVETAIL_FIELDS(FragmentInput, location, flat, pointCoord, ofVertices, halves)
DOVETAIL_FIELDS(ColorInput, index, componentMask, location, backLocation)
DOVETAIL_FIELDS(ColorOutput, location, index, componentMask, numericClass)
DOVETAIL_FIELDS(FragmentInterface, inputs, narrowComponents, colorInputs, placesInputs, colors, writesDepth,
                writesStencil, writesSampleMask, usesDiscard, earlyFragmentTests, runsAtSampleRate, interlock,
                conservativeDepth, pixelCenterInteger, allowReZ, forceLateZ)
DOVETAIL_FIELDS(ComputeInterface, workgroupSize, numbersLanes)
DOVETAIL_FIELDS(ShaderInterface, hardwareStage, source, inputs, outputs, userSgprCount, pushConstantEnd,
                spilledPushConstants, spilledSets, floatMode, writesMemory, trapPresent, debugMode, outputSlots,
                patchOutputSlots, inputSlots, patchInputSlots, inputComponents, patchInputComponents, constantOutputs,
                functionHash, vertex, tessellation, geometry, preRaster, fragment, compute)

} // namespace dovetail

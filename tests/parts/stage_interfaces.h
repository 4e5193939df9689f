// SPDX-License-Identifier: MIT
//
// Interfaces of tessellation main parts, made by hand.
#pragma once

#include "src/abi/interface/shader_interface.h"

namespace dovetail {

// A control main part: GlobalTable, offsets, ids, and the factors where they are.
inline ShaderInterface controlInterface(uint8_t outputVertices, bool factorsInRegisters = false) {
  ShaderInterface interface;
  interface.hardwareStage = HardwareStage::Hs;
  uint16_t sgpr = 0, vgpr = 0;
  for (ValueKind kind : {ValueKind::GlobalTable, ValueKind::OffchipOffset, ValueKind::TessFactorOffset})
    interface.outputs.push_back({{kind}, {RegisterBank::Sgpr, sgpr++}});
  for (ValueKind kind : {ValueKind::RelPatchId, ValueKind::TessInvocationId, ValueKind::TessFactorLds})
    interface.outputs.push_back({{kind}, {RegisterBank::Vgpr, vgpr++}});
  if (factorsInRegisters) {
    for (uint8_t i = 0; i < 4; ++i)
      interface.outputs.push_back({{ValueKind::TessFactorOuter, i}, {RegisterBank::Vgpr, vgpr++}});
    for (uint8_t i = 0; i < 2; ++i)
      interface.outputs.push_back({{ValueKind::TessFactorInner, i}, {RegisterBank::Vgpr, vgpr++}});
  }
  interface.tessellation.outputVertices = outputVertices;
  interface.tessellation.factorsInRegisters = factorsInRegisters;
  return interface;
}

inline ShaderInterface evaluationInterface(TessPrimitive primitive, bool readsFactors = false) {
  ShaderInterface interface;
  interface.source = VertexSource::TessEval;
  interface.tessellation.primitive = primitive;
  interface.tessellation.readsFactors = readsFactors;
  return interface;
}

} // namespace dovetail

// SPDX-License-Identifier: MIT
//
// The copy shader of a geometry shader. It runs as Vs, once for each vertex that the geometry shader emitted. It reads
// the vertex from the GSVS ring, does the transform feedback and exports the vertex. It has no source of its own:
// everything follows from the interface of the geometry main part, so geometry shaders with the same outputs share a
// copy shader.
#pragma once

#include "parts/part.h"
#include "src/abi/interface/interface_fields.h"
#include "src/base/error.h"
#include "src/state/state_fields.h"
#include <string>
#include <string_view>

namespace lgc {
class BuilderContext;
}

namespace dovetail {

struct GeometryCopyKey {
  std::string gpuName;
  // The fields of the geometry shader's interface that a copy shader depends on.
  uint8_t floatMode = 0xc0;
  uint16_t maxVertices = 0;
  uint8_t streamMask = 1;
  std::vector<GeometryOutputDword> outputs;
  PreRasterInterface preRaster;
  // Optimised variants: outputs that are exported for nobody, and the places of the packed ones (StageKnowledge).
  SlotComponents droppedOutputs = {};
  SlotComponents droppedFixedFunctionOutputs = {};
  std::vector<PackedParameter> packedParameters;

  bool operator==(const GeometryCopyKey &) const = default;

  PartKey partKey() const;
  // "12 dwords of 2 streams, 3 parameters, transform feedback".
  std::string describe() const;
  // The interface of a geometry shader that has nothing but these outputs.
  ShaderInterface geometryInterface() const;
};
DOVETAIL_FIELDS(GeometryCopyKey, gpuName, floatMode, maxVertices, streamMask, outputs, preRaster, droppedOutputs,
                droppedFixedFunctionOutputs, packedParameters)

// `knowledge`: with which the geometry shader was compiled. Knowledge that the copy shader does not use is left out of
// the key.
GeometryCopyKey makeGeometryCopyKey(const ShaderInterface &geometry, std::string_view gpuName,
                                    const StageKnowledge &knowledge = {});

// Errors: those of the compiler.
Result<Part> makeGeometryCopy(const GeometryCopyKey &key, lgc::BuilderContext &context);

} // namespace dovetail

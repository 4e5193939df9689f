// SPDX-License-Identifier: MIT
//
// Makes the values of vertex attributes, in the formats of the state.
#pragma once

#include "src/base/error.h"
#include "src/spirv/reflect/reflection.h"
#include "src/state/pipeline_state.h"
#include "tools/proof/scene/maker/index_limits.h"
#include <array>
#include <vector>

namespace dovetail {

// A point in the unit square.
struct GridPoint {
  float u, v;
};

class AttributeMaker {
public:
  // Copies its arguments.
  AttributeMaker(const spirv::Reflection &vertex, const IndexLimits &limits, uint64_t seed);

  // Errors of these functions: Unsupported, naming a format that vertices cannot have.
  Result<uint32_t> byteSize(const VertexAttribute &attribute) const;
  Result<void> writeForVertex(const VertexAttribute &attribute, GridPoint point, uint32_t vertex, uint8_t *bytes) const;
  Result<void> writeForInstance(const VertexAttribute &attribute, uint32_t element, uint8_t *bytes) const;

private:
  struct Input {
    uint32_t location;
    bool isPosition;
    bool hasW;        // whether the shader reads the fourth component
    int matrixColumn; // -1: not part of a matrix
    float greatest;   // the greatest valid index
    spirv::InterfaceLocation shape;
    std::array<std::array<float, 4>, 4> corners; // [component][corner of the unit square]
  };
  using Values = std::array<float, 4>;
  const Input *find(uint32_t location) const;
  Values valuesAt(const Input &input, const VertexAttribute &attribute, GridPoint point, uint32_t vertex) const;
  Values anyValuesAt(const Input &input, const VertexAttribute &attribute, GridPoint point, uint32_t vertex) const;
  Result<void> write(const VertexAttribute &attribute, const Values &values, uint8_t *bytes) const;

  uint64_t m_seed;
  std::vector<Input> m_inputs;
};

} // namespace dovetail

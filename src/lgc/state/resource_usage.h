// SPDX-License-Identifier: MIT
//
// ResourceUsage says what the optimised shader really uses; resource collection finds it after dead code is gone.
// Registers are assigned from it, so unused values take none.
#pragma once

#include "src/abi/interface/shader_interface.h"
#include "src/lgc/ops/op_types.h"
#include <map>
#include <set>
#include <vector>

namespace lgc {

using dovetail::ValueName;

// One output: the components that are written somewhere in the shader.
struct OutputSlot {
  OutputKind kind;
  unsigned slot;

  auto operator<=>(const OutputSlot &) const = default;
};

struct OutputUsage {
  uint8_t componentMask = 0;
  dovetail::NumericClass numericClass = dovetail::NumericClass::Float;

  bool operator==(const OutputUsage &) const = default;
};

struct ResourceUsage {
  // Hardware and system values by kind and index; barycentric pairs count as one.
  std::set<dovetail::ValueName> hardwareValues;
  // By location.
  std::map<unsigned, dovetail::VertexInput> vertexInputs;
  // In the order of their attribute numbers.
  std::vector<dovetail::FragmentInput> fragmentInputs;
  // Components of GL's colours, by number.
  std::map<uint8_t, uint8_t> colorInputs;
  std::map<OutputSlot, OutputUsage> outputs;
  // Geometry shaders: the vertex stream of outputs, by output and component; outputs that are not listed belong to
  // stream 0.
  std::map<std::pair<OutputSlot, unsigned>, unsigned> outputStreams;
  // The transform feedback that the shader declares, even if another stage does it.
  dovetail::XfbInterface xfb;

  // rootValues: sets whose tables are read, and dwords of push constants that are read at constant places
  // (DescriptorSet and PushConstant). sgprRootValues: those among them that got an SGPR, in SGPR order.
  std::set<dovetail::ValueName> rootValues;
  std::vector<dovetail::ValueName> sgprRootValues;

  bool runsAtSampleRate = false;
  bool usesDiscard = false;
  bool writesMemory = false;
  bool numbersLanes = false; // compute shaders: ShaderInterface::compute

  bool uses(dovetail::ValueKind kind, unsigned index = 0) const {
    return hardwareValues.contains({kind, static_cast<uint8_t>(index), 0});
  }
};

} // namespace lgc

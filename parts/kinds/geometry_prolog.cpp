// SPDX-License-Identifier: MIT
#include "parts/kinds/geometry_prolog.h"
#include "parts/kinds/key_bytes.h"
#include "parts/kinds/passed_registers.h"
#include "src/abi/entry_registers.h"

namespace dovetail {

namespace {

Register vgpr(size_t index) {
  return {RegisterBank::Vgpr, uint16_t(index)};
}

} // namespace

std::optional<GeometryPrologKey> makeGeometryPrologKey(const ShaderInterface &main, bool tessellated,
                                                       const PipelineState &state, std::string_view gpuName) {
  if (tessellated || !state.flatProvokingVertexLast ||
      state.topology != VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP_WITH_ADJACENCY ||
      main.geometry.input != GeometryInput::TrianglesAdjacency)
    return std::nullopt;
  return GeometryPrologKey{std::string(gpuName), passedSgprs(main)};
}

PartKey GeometryPrologKey::partKey() const {
  return {Kind, hashKey(*this)};
}

std::string GeometryPrologKey::describe() const {
  return "triangle strip with adjacency";
}

Contract GeometryPrologKey::contract() const {
  Contract contract;
  std::span<const ValueName> vgprs = entryVgprs(HardwareStage::Gs);
  for (size_t i = 0; i != vgprs.size(); ++i) {
    // It only passes on the invocation's number; whether it is there is for the main part to say.
    if (vgprs[i].kind != ValueKind::GsInvocationId)
      contract.inputs.push_back({vgprs[i], vgpr(i)});
    contract.outputs.push_back({vgprs[i], vgpr(i)});
  }
  contract.preservedSgprs = sgprCount;
  return contract;
}

} // namespace dovetail

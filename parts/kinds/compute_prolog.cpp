// SPDX-License-Identifier: MIT
#include "parts/kinds/compute_prolog.h"
#include "parts/kinds/key_bytes.h"
#include "parts/kinds/passed_registers.h"
#include <algorithm>
#include <fmt/format.h>

namespace dovetail {

namespace {

constexpr uint32_t SquareSize = 8;

Binding localId(uint8_t dimension) {
  return {{ValueKind::LocalInvocationId, 0, dimension}, {RegisterBank::Vgpr, dimension}};
}

} // namespace

std::optional<ComputePrologKey> makeComputePrologKey(const ShaderInterface &main, const PipelineState &state,
                                                     std::string_view gpuName) {
  const std::array<uint32_t, 3> &size = main.compute.workgroupSize;
  auto reads = [&](uint8_t dimension) {
    return std::ranges::find(main.inputs, localId(dimension)) != main.inputs.end();
  };
  if (!state.squareComputeWaves || main.compute.numbersLanes || size[0] % SquareSize != 0 ||
      size[1] % SquareSize != 0 || !reads(0) || !reads(1))
    return std::nullopt;
  return ComputePrologKey{std::string(gpuName), passedSgprs(main), uint16_t(size[0]), reads(2)};
}

PartKey ComputePrologKey::partKey() const {
  return {Kind, hashKey(*this)};
}

std::string ComputePrologKey::describe() const {
  return fmt::format("squares in rows of {}", rowLength);
}

Contract ComputePrologKey::contract() const {
  Contract contract;
  for (uint8_t dimension = 0; dimension < vgprCount(); ++dimension)
    contract.inputs.push_back(localId(dimension));
  contract.outputs = contract.inputs;
  contract.preservedSgprs = sgprCount;
  return contract;
}

} // namespace dovetail

// SPDX-License-Identifier: MIT
#include "parts/kinds/around/geometry_prolog.h"
#include "parts/compile/compose_ir.h"
#include "parts/compile/key_bytes.h"
#include "parts/listing/listing.h"
#include "parts/listing/listing_ir.h"
#include "parts/listing/passed_registers.h"
#include "src/abi/entry_registers.h"
#include "src/lgc/pipeline.h"
#include <array>

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

Result<std::optional<GeometryPrologKey>> GeometryPrologKey::make(const Surroundings &around) {
  return makeGeometryPrologKey(around.main, around.evaluation != nullptr, around.state, around.target.gpuName);
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
    // The prolog only passes on the invocation's number. The main part's interface says whether it is loaded.
    if (vgprs[i].kind != ValueKind::GsInvocationId)
      contract.inputs.push_back({vgprs[i], vgpr(i)});
    contract.outputs.push_back({vgprs[i], vgpr(i)});
  }
  contract.preservedSgprs = sgprCount;
  return contract;
}

// ---- Listing ----

// The prolog chooses between two vertices for each place.
namespace {

constexpr unsigned VertexCount = 6;

} // namespace

Listing listingOf(const GeometryPrologKey &key) {
  Listing listing(key.sgprCount, 0, false);
  std::array<Value, VertexCount> vertices;
  std::array<Register, VertexCount> places;
  Value primitiveId;
  std::span<const ValueName> vgprs = entryVgprs(HardwareStage::Gs);
  for (uint16_t i = 0; i != vgprs.size(); ++i) {
    const Value value = listing.input(RegisterBank::Vgpr, i);
    if (vgprs[i].kind == ValueKind::GsVertexOffset) {
      vertices[vgprs[i].index] = value;
      places[vgprs[i].index] = {RegisterBank::Vgpr, i};
      continue;
    }
    if (vgprs[i].kind == ValueKind::GsPrimitiveId)
      primitiveId = value;
    listing.give(value, {RegisterBank::Vgpr, i});
  }

  const Value isOdd = listing.add(Operation::IsNonzero, listing.add(Operation::And, primitiveId, listing.constant(1)));
  // In this order, a place's old vertex is last needed by the place before it.
  for (unsigned place : {0, 4, 2, 1, 5, 3})
    listing.give(listing.add(Operation::Select, isOdd, vertices[(place + 4) % VertexCount], vertices[place]),
                 places[place]);
  return listing;
}

// ---- LLVM IR ----

// A geometry prolog as LLVM IR, for the amdgpu_vs calling convention.
llvm::Function *emitFunction(llvm::Module &module, const GeometryPrologKey &key, std::string_view name) {
  return emitProlog(module, key.sgprCount, GeometryVgprCount, listingOf(key), name);
}

Result<void> composeAround(lgc::HardwareFormShader &shader, const GeometryPrologKey &key) {
  llvm::Function &main = *DOVETAIL_TRY(findHardwareEntry(*shader.module));
  llvm::Function &prolog = *emitFunction(*shader.module, key, toSymbol(key.Kind));
  DOVETAIL_CHECK(composeProlog(main, prolog, key.sgprCount, GeometryVgprCount));
  addInputs(shader.interface, key.contract());
  return {};
}

} // namespace dovetail

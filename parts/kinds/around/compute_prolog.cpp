// SPDX-License-Identifier: MIT
#include "parts/kinds/around/compute_prolog.h"
#include "parts/compile/compose_ir.h"
#include "parts/compile/key_bytes.h"
#include "parts/listing/listing.h"
#include "parts/listing/listing_ir.h"
#include "parts/listing/passed_registers.h"
#include "src/lgc/pipeline.h"
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

Result<std::optional<ComputePrologKey>> ComputePrologKey::make(const Surroundings &around) {
  return makeComputePrologKey(around.main, around.state, around.target.gpuName);
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

// ---- Listing ----

// Eight rows of a workgroup hold as many squares as waves. A lane's number within these rows tells which of the squares
// it belongs to. Its low bits tell its place in the square: squares of 2 by 2 come first.
Listing listingOf(const ComputePrologKey &key) {
  constexpr unsigned x = 0, y = 1, z = 2;
  constexpr uint32_t inSquare = 7;
  Listing listing(key.sgprCount, 0, false);
  auto shiftedDown = [&](Value value, unsigned count) {
    return listing.addImmediate(Operation::DivideUnsigned, value, 1u << count);
  };
  // The bits of `value` that the mask has, combined with `other`.
  auto bitsOf = [&](Value value, uint32_t mask, Value other) {
    return listing.add(Step{.operation = Operation::SelectBits, .operands = {value, other}, .immediate = mask});
  };
  const Value idX = listing.input(RegisterBank::Vgpr, x), idY = listing.input(RegisterBank::Vgpr, y);
  const Value rowOfSquare = listing.add(Operation::And, idY, listing.constant(inSquare));
  const Value row = listing.addImmediate(Operation::MultiplySmall, rowOfSquare, key.rowLength);
  const Value lane = listing.add(Operation::Add, row, idX); // of eight rows
  const Value by2 = shiftedDown(lane, 1), by8 = shiftedDown(lane, 3);
  // Bits 0, 2 and 3 of the lane's number are x in the square, bits 1, 4 and 5 are y; the bits above tell the square.
  const Value newX = bitsOf(lane, 1, bitsOf(by2, 6, by8));
  const Value newY = bitsOf(by2, 1, bitsOf(by8, 6, idY));
  listing.give(newX, {RegisterBank::Vgpr, x});
  listing.give(newY, {RegisterBank::Vgpr, y});
  if (key.passesDepth)
    listing.give(listing.input(RegisterBank::Vgpr, z), {RegisterBank::Vgpr, z});
  return listing;
}

// ---- LLVM IR ----

// A compute prolog as LLVM IR, for the amdgpu_vs calling convention.
llvm::Function *emitFunction(llvm::Module &module, const ComputePrologKey &key, std::string_view name) {
  return emitProlog(module, key.sgprCount, key.vgprCount(), listingOf(key), name);
}

// Main takes all ids up to the last one that the code read before the last optimisation.
Result<void> composeAround(lgc::HardwareFormShader &shader, const ComputePrologKey &key) {
  llvm::Function &main = *DOVETAIL_TRY(findHardwareEntry(*shader.module));
  ComputePrologKey whole = key;
  whole.passesDepth =
      std::ranges::count_if(main.args(), [](const llvm::Argument &argument) { return !argument.hasInRegAttr(); }) == 3;
  llvm::Function &prolog = *emitFunction(*shader.module, whole, toSymbol(key.Kind));
  DOVETAIL_CHECK(composeProlog(main, prolog, whole.sgprCount, whole.vgprCount()));
  addInputs(shader.interface, whole.contract());
  return {};
}

} // namespace dovetail

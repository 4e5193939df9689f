// SPDX-License-Identifier: MIT
//
// Parts that no compiler made, for tests of caches and stores: any number of them, of any size. The same number always
// gives the same part.
#pragma once

#include "parts/part.h"
#include <random>

namespace dovetail::test {

inline PartKey madeUpKey(uint32_t number) {
  std::mt19937_64 random(number);
  PartKey key;
  key.kind = PartKind(random() % PartKindCount);
  key.hash = {random(), random()};
  return key;
}

// The hardware stage of a part's interface; nothing if parts of this kind have no interface.
inline std::optional<HardwareStage> stageOf(PartKind kind) {
  switch (kind) {
  case PartKind::VertexMain:
  case PartKind::TessEvalMain:
  case PartKind::GeometryCopy:
  case PartKind::Monolithic:
    return HardwareStage::Vs;
  case PartKind::TessControlMain:
    return HardwareStage::Hs;
  case PartKind::GeometryMain:
    return HardwareStage::Gs;
  case PartKind::FragmentMain:
  case PartKind::NullFragment:
    return HardwareStage::Ps;
  case PartKind::ComputeMain:
    return HardwareStage::Cs;
  default:
    return std::nullopt;
  }
}

// Gives the part all that parts of its kind have, and `interface` if they have one.
inline void complete(Part &part, ShaderInterface interface) {
  const PartKind kind = part.key.kind;
  part.interface.reset();
  part.fragmentExports.reset();
  if (kind == PartKind::FragmentEpilog || kind == PartKind::NullFragment)
    part.fragmentExports.emplace();
  if (!stageOf(kind))
    return;
  interface.hardwareStage = *stageOf(kind);
  interface.source = kind == PartKind::TessEvalMain ? VertexSource::TessEval : VertexSource::Vertex;
  part.interface = std::move(interface);
}

inline PartRef madeUpPart(uint32_t number, size_t codeBytes = 1024) {
  std::mt19937 random(number);
  Part part;
  part.key = madeUpKey(number);
  part.keyFields = {uint8_t(number), 2, 3};
  part.description = "part " + std::to_string(number);
  part.code.resize(codeBytes / 4 * 4);
  for (uint8_t &byte : part.code)
    byte = uint8_t(random());
  if (codeBytes >= 8)
    part.relocations = {{4, RelocationKind::Rel32Lo, RelocationTarget::Constants, -4}};
  part.constants.assign(random() % 3 * 8, uint8_t(number));
  part.contract.inputs = {{{ValueKind::PushConstant, 3, 0}, {RegisterBank::Sgpr, 2}},
                          {{ValueKind::Attribute, 1, 2}, {RegisterBank::Vgpr, 6}}};
  part.contract.preservedSgprs = uint16_t(random() % 100);
  part.usage.vgprs = uint16_t(random() % 256);
  part.hazards.pendingAtEnd = {{isa::Hazard::ValuWritesExecThenDpp, RegisterBank::Vgpr, 1, 2, 3}};
  ShaderInterface interface;
  interface.fragment.inputs = {{uint8_t(random() % 32), true, false}};
  interface.constantOutputs = {{1, 2, uint32_t(random())}};
  complete(part, std::move(interface));
  part.instructionCount = random();
  part.buildMicroseconds = 0.25 * (random() % 1000);
  return std::make_shared<const Part>(std::move(part));
}

} // namespace dovetail::test

// SPDX-License-Identifier: MIT
//
// The metadata of every kind of pipeline: type, hardware stages with their LDS and scratch, and the place of each API
// shader.
#include "merge/image_metadata.h"
#include "merge/steps.h"
#include "tests/merge/image_by_hand.h"
#include <algorithm>
#include <doctest/doctest.h>
#include <string>

using namespace dovetail;
using namespace dovetail::test;

namespace {

// Places a part for each shader, in a program of `stage`.
void place(ImageByHand &image, HardwareStage stage, PartKind kind, ApiStage shader) {
  auto part = std::make_shared<Part>();
  part->key.kind = kind;
  image.image.apiShaders[unsigned(shader)].low = unsigned(shader) + 1;
  const HardwareStage own[] = {HardwareStage::Ls, HardwareStage::Hs, HardwareStage::Es,
                               HardwareStage::Gs, HardwareStage::Ps, HardwareStage::Cs};
  part->interface.emplace();
  part->interface->hardwareStage = own[unsigned(shader)];
  if (shader == ApiStage::Domain)
    part->interface->source = VertexSource::TessEval;
  ImageStage &program = image.stageOf(stage);
  const auto index = uint8_t(&program - image.image.stages.data());
  if (program.partCount == 0)
    program.firstPart = uint8_t(image.image.parts.size());
  ++program.partCount;
  image.image.parts.push_back({.part = part, .stage = index});
}

std::string mappingOf(const PalMetadata &metadata, ApiStage shader) {
  std::string names;
  for (const PalShader &each : metadata.shaders)
    if (each.stage == shader) {
      CHECK(each.hash.low == unsigned(shader) + 1);
      for (HardwareStage stage : each.hardwareMapping)
        names += std::string(names.empty() ? "" : " ") + std::string(toString(stage));
    }
  return names;
}

const PalHardwareStage &stageOf(const PalMetadata &metadata, HardwareStage stage) {
  auto found = std::ranges::find(metadata.hardwareStages, stage, &PalHardwareStage::stage);
  REQUIRE(found != metadata.hardwareStages.end());
  return *found;
}

} // namespace

TEST_CASE("pipeline types and the stages that they have") {
  const std::pair<std::string, std::string> expected[] = {
      {"VsPs", "vs ps"},     {"VsPs", "vs ps"},  {"Tess", "ls hs vs ps"},         {"Tess", "hs vs ps"},
      {"Gs", "es gs vs ps"}, {"Gs", "gs vs ps"}, {"GsTess", "ls hs es gs vs ps"}, {"GsTess", "hs gs vs ps"},
      {"Cs", "cs"},          {"Cs", "cs"},
  };
  const std::vector<PipelineKind> kinds = allPipelineKinds();
  REQUIRE(kinds.size() == std::size(expected));
  for (size_t i = 0; i < kinds.size(); ++i) {
    INFO(kinds[i].name);
    ImageByHand image(kinds[i]);
    PalMetadata metadata = makePalMetadata(image.image);
    CHECK(metadata.type == expected[i].first);
    std::string stages;
    for (const PalHardwareStage &stage : metadata.hardwareStages) {
      CHECK(stage.entryPoint == "_amdgpu_" + std::string(toString(stage.stage)) + "_main");
      stages += std::string(stages.empty() ? "" : " ") + std::string(toString(stage.stage));
    }
    CHECK(stages == expected[i].second);
  }
}

TEST_CASE("API shaders of separate stages") {
  ImageByHand image({"LS HS ES GS VS PS", true, true, true});
  place(image, HardwareStage::Ls, PartKind::VertexMain, ApiStage::Vertex);
  place(image, HardwareStage::Hs, PartKind::TessControlMain, ApiStage::Hull);
  place(image, HardwareStage::Es, PartKind::TessEvalMain, ApiStage::Domain);
  place(image, HardwareStage::Gs, PartKind::GeometryMain, ApiStage::Geometry);
  place(image, HardwareStage::Vs, PartKind::GeometryCopy, ApiStage::Vertex);
  place(image, HardwareStage::Ps, PartKind::FragmentMain, ApiStage::Pixel);
  PalMetadata metadata = makePalMetadata(image.image);
  CHECK(metadata.shaders.size() == 5);
  CHECK(mappingOf(metadata, ApiStage::Vertex) == "ls");
  CHECK(mappingOf(metadata, ApiStage::Hull) == "hs");
  CHECK(mappingOf(metadata, ApiStage::Domain) == "es");
  CHECK(mappingOf(metadata, ApiStage::Geometry) == "gs vs");
  CHECK(mappingOf(metadata, ApiStage::Pixel) == "ps");
}

TEST_CASE("API shaders of merged stages") {
  ImageByHand image({"LS-HS ES-GS VS PS", false, true, true});
  place(image, HardwareStage::Hs, PartKind::VertexMain, ApiStage::Vertex);
  place(image, HardwareStage::Hs, PartKind::TessControlMain, ApiStage::Hull);
  place(image, HardwareStage::Gs, PartKind::TessEvalMain, ApiStage::Domain);
  place(image, HardwareStage::Gs, PartKind::GeometryMain, ApiStage::Geometry);
  place(image, HardwareStage::Vs, PartKind::GeometryCopy, ApiStage::Vertex);
  place(image, HardwareStage::Ps, PartKind::FragmentMain, ApiStage::Pixel);
  PalMetadata metadata = makePalMetadata(image.image);
  CHECK(metadata.shaders.size() == 5);
  CHECK(mappingOf(metadata, ApiStage::Vertex) == "hs");
  CHECK(mappingOf(metadata, ApiStage::Hull) == "hs");
  CHECK(mappingOf(metadata, ApiStage::Domain) == "gs");
  CHECK(mappingOf(metadata, ApiStage::Geometry) == "gs vs");
}

TEST_CASE("a monolithic merged program has two API shaders") {
  ImageByHand image({"LS-HS VS PS", false, true, false});
  place(image, HardwareStage::Hs, PartKind::Monolithic, ApiStage::Hull);
  auto part = std::make_shared<Part>(*image.image.parts[0].part);
  part->firstInterface.emplace();
  part->firstInterface->hardwareStage = HardwareStage::Ls;
  image.image.parts[0].part = part;
  PalMetadata metadata = makePalMetadata(image.image);
  REQUIRE(metadata.shaders.size() == 2);
  CHECK((metadata.shaders[0].stage == ApiStage::Vertex));
  CHECK((metadata.shaders[1].stage == ApiStage::Hull));
}

TEST_CASE("LDS of a group belongs to the stage that is launched first, scratch to each program") {
  ImageByHand separate({"LS HS ES GS VS PS", true, true, true});
  separate.stageOf(HardwareStage::Es).usage.scratchBytes = 32;
  PalMetadata metadata = makePalMetadata(separate.image);
  CHECK(stageOf(metadata, HardwareStage::Ls).ldsSize == 4992);
  CHECK(stageOf(metadata, HardwareStage::Hs).ldsSize == 0);
  CHECK(stageOf(metadata, HardwareStage::Gs).ldsSize == 0); // GFX8's ring is in memory
  CHECK(stageOf(metadata, HardwareStage::Es).scratchMemorySize == 32);
  CHECK(stageOf(metadata, HardwareStage::Gs).scratchMemorySize == 0);

  ImageByHand merged({"LS-HS ES-GS VS PS", false, true, true});
  metadata = makePalMetadata(merged.image);
  CHECK(stageOf(metadata, HardwareStage::Hs).ldsSize == 4992);
  CHECK(stageOf(metadata, HardwareStage::Gs).ldsSize == 62 * 48);
  CHECK(stageOf(metadata, HardwareStage::Vs).ldsSize == 0);
}

TEST_CASE("user data of both halves counts") {
  ImageByHand image({"LS-HS VS PS", false, true, false});
  image.image.layout = std::make_shared<const ResourceLayout>(
      UserDataNodes{{UserDataNodeType::DescriptorTable, 1, 0, 3}, {UserDataNodeType::PushConstants, 0, 0, 1, 5}});
  image.interfaceOf(HardwareStage::Ls).pushConstantEnd = 5;
  image.interfaceOf(HardwareStage::Ls).spilledSets = {1};
  image.interfaceOf(HardwareStage::Hs).pushConstantEnd = 4;
  REQUIRE(mapUserData(image.target, image.image));
  PalMetadata metadata = makePalMetadata(image.image);
  CHECK(metadata.userDataLimit == 6);
  CHECK(metadata.spillThreshold == 3);
}

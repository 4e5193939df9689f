// SPDX-License-Identifier: MIT
//
// Every program of tests/shaders, under the state that a seed makes up, on both GPUs, through files. A linker must make
// the joined pipeline of unlinked shaders, byte for byte. A pipeline that is read from a file must be the pipeline that
// was written.
#include "merge/elf/pal_elf.h"
#include "merge/image_metadata.h"
#include "tools/common/pipelines/corpus_units.h"
#include "tools/common/pipelines/draw_case.h"
#include <doctest/doctest.h>

using namespace dovetail;

namespace {

// Compares all that a driver looks at.
void checkSameForDriver(const Image &made, const Image &read) {
  CHECK(read.gpuName == made.gpuName);
  CHECK(read.code == made.code);
  CHECK(read.registers == made.registers);
  CHECK(read.loadRelocations.size() == made.loadRelocations.size());
  REQUIRE(read.stages.size() == made.stages.size());
  for (size_t i = 0; i < read.stages.size(); ++i) {
    const ImageStage &ours = read.stages[i], &theirs = made.stages[i];
    CHECK((ours.stage == theirs.stage));
    CHECK(ours.entry == theirs.entry);
    CHECK(ours.size == theirs.size);
    CHECK(ours.firstPart == theirs.firstPart);
    CHECK(ours.partCount == theirs.partCount);
    CHECK(ours.secondHalf == theirs.secondHalf);
    CHECK(ours.usage.scratchBytes == theirs.usage.scratchBytes);
    CHECK(ours.userSgprCount == theirs.userSgprCount);
    for (unsigned sgpr = 0; sgpr < theirs.userSgprCount; ++sgpr)
      CHECK(ours.userDataMap[sgpr] == theirs.userDataMap[sgpr]);
  }
  REQUIRE(read.parts.size() == made.parts.size());
  for (size_t i = 0; i < read.parts.size(); ++i) {
    CHECK((read.parts[i].part->key.kind == made.parts[i].part->key.kind));
    CHECK(read.parts[i].offset == made.parts[i].offset);
    CHECK(read.parts[i].size == made.parts[i].size);
    CHECK(read.parts[i].part->constants == made.parts[i].part->constants);
  }
  CHECK(read.samples == made.samples);
  REQUIRE(read.tessellation.has_value() == made.tessellation.has_value());
  if (made.tessellation) {
    CHECK(read.tessellation->inputControlPoints == made.tessellation->inputControlPoints);
    CHECK(read.tessellation->outputControlPoints == made.tessellation->outputControlPoints);
    CHECK(read.tessellation->patchesPerGroup == made.tessellation->patchesPerGroup);
  }
  REQUIRE(read.geometry.has_value() == made.geometry.has_value());
  if (made.geometry)
    for (unsigned stream = 0; stream < MaxVertexStreams; ++stream)
      CHECK(read.geometry->gsvsItemDwords[stream] == made.geometry->gsvsItemDwords[stream]);
  PalMetadata metadata = makePalMetadata(read);
  const PalMetadata wanted = makePalMetadata(made);
  metadata.pipelineHash = wanted.pipelineHash;
  CHECK(encodePalMetadata(metadata) == encodePalMetadata(wanted));
}

struct Counts {
  size_t programs = 0, refused = 0;
};

Counts checkPrograms(const char *gpu) {
  auto device = Device::create(gpu);
  REQUIRE(device.has_value());
  auto units = findCorpusUnits({DOVETAIL_OWN_SHADERS});
  REQUIRE(units.has_value());
  Counts counts;
  for (const CorpusUnit &unit : *units) {
    INFO(unit.name);
    DrawRequest request;
    request.files = unit.files;
    request.seed = counts.programs;
    request.randomState = true;
    Result<DrawCase> drawCase = makeDrawCase(request);
    Result<VariantRef> joined = drawCase ? buildDrawn(**device, *drawCase, DrawnCode::Joined)
                                         : Result<VariantRef>(tl::unexpected(drawCase.error()));
    if (!joined) {
      CHECK((joined.error().code != ErrorCode::Internal));
      continue;
    }
    ++counts.programs;
    Result<LinkedPipeline> linked = buildInMode(**device, *drawCase, PipelineMode::Unlinked);
    if (!linked)
      FAIL(linked.error().text);
    checkSameForDriver(*linked->made, *linked->image);
    if (!linked->refusal.empty()) {
      INFO(linked->refusal);
      // Only this turns the joined variant into whole stages.
      CHECK(linked->refusal.ends_with("the state of the pipeline changes its own code"));
      ++counts.refused;
      continue;
    }
    CHECK(linked->elf == *writePalElf(*(*joined)->image));
  }
  return counts;
}

} // namespace

TEST_CASE("own shaders on gfx900: unlinked, linked, read back") {
  const Counts counts = checkPrograms("gfx900");
  CHECK(counts.programs > 150);
  CHECK(counts.refused * 10 < counts.programs);
}

TEST_CASE("own shaders on gfx803: unlinked, linked, read back") {
  const Counts counts = checkPrograms("gfx803");
  CHECK(counts.programs > 150);
  CHECK(counts.refused * 10 < counts.programs);
}

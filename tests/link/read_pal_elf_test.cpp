// SPDX-License-Identifier: MIT
#include "merge/elf/pal_elf.h"
#include "merge/image_metadata.h"
#include "tests/merge/parts_by_hand.h"
#include <cstring>
#include <doctest/doctest.h>
#include <random>

using namespace dovetail;
using namespace dovetail::test;

namespace {

ImageRef must(Result<ImageRef> image) {
  REQUIRE(image.has_value());
  return *image;
}

std::vector<uint8_t> write(const Image &image) {
  Result<std::vector<uint8_t>> elf = writePalElf(image);
  REQUIRE(elf.has_value());
  return *elf;
}

} // namespace

TEST_CASE("an image comes back from its ELF with what a driver needs") {
  std::vector<StageParts> stages = drawStages();
  Part vertex = vertexMain();
  vertex.constants.assign(16, 7);
  stages[0].parts[1] = std::make_shared<const Part>(vertex);
  const ImageRef image = must(joinStages(stages)), back = must(readPalElf(write(*image)));
  CHECK(back->gpuName == "gfx900");
  CHECK(back->code == image->code);
  CHECK(back->registers == image->registers);
  REQUIRE(back->stages.size() == 2);
  for (unsigned i = 0; i < 2; ++i) {
    CHECK((back->stages[i].stage == image->stages[i].stage));
    CHECK(back->stages[i].entry == image->stages[i].entry);
    CHECK(back->stages[i].size == image->stages[i].size);
    CHECK(back->stages[i].userSgprCount == image->stages[i].userSgprCount);
    for (unsigned sgpr = 0; sgpr < image->stages[i].userSgprCount; ++sgpr)
      CHECK(back->stages[i].userDataMap[sgpr] == image->stages[i].userDataMap[sgpr]);
    CHECK(back->stages[i].partCount == image->stages[i].partCount);
  }
  REQUIRE(back->parts.size() == image->parts.size());
  CHECK(back->parts[1].part->constants == vertex.constants);
  CHECK(back->parts[1].constantsOffset == image->parts[1].constantsOffset);
  CHECK((back->parts[3].part->key.kind == PartKind::FragmentEpilog));
  CHECK(back->parts[3].offset == image->parts[3].offset);
}

TEST_CASE("the ELF of an image that was read is the same but for the hash of its parts") {
  std::vector<StageParts> stages = drawStages();
  Part vertex = vertexMain();
  vertex.usage.scratchBytes = 64;
  stages[0].parts[1] = std::make_shared<const Part>(vertex);
  const ImageRef image = must(joinStages(stages)), back = must(readPalElf(write(*image)));
  PalMetadata first = makePalMetadata(*image), second = makePalMetadata(*back);
  second.pipelineHash = first.pipelineHash;
  CHECK(encodePalMetadata(second) == encodePalMetadata(first));
  CHECK(second.hardwareStages[0].scratchMemorySize == 64);
}

TEST_CASE("an ELF with a register that no packet writes is refused") {
  Image image = *must(joinStages(drawStages()));
  image.registers.push_back({0x1234, 0});
  const Result<ImageRef> back = readPalElf(write(image));
  REQUIRE(!back.has_value());
  CHECK(back.error().text == "the pipeline ELF: no packet writes its register 0x1234");
}

TEST_CASE("the workgroup's size comes back") {
  Part compute = computeMain("s_endpgm");
  compute.interface->compute.workgroupSize = {64, 2, 1};
  const ImageRef back = must(readPalElf(write(*must(joinCompute({compute})))));
  CHECK(back->stages[0].interface->compute.workgroupSize == std::array<uint32_t, 3>{64, 2, 1});
}

TEST_CASE("fields that the loader fills in come back") {
  Part compute = computeMain("s_mov_b32 s0, 0x12345678\ns_endpgm");
  compute.relocations = {{4, RelocationKind::Abs32Lo, RelocationTarget::Code, 8}};
  const ImageRef image = must(joinCompute({compute})), back = must(readPalElf(write(*image)));
  REQUIRE(back->loadRelocations.size() == 1);
  CHECK(back->loadRelocations[0].offset == image->loadRelocations[0].offset);
  CHECK((back->loadRelocations[0].kind == RelocationKind::Abs32Lo));
  CHECK(back->loadRelocations[0].target == image->loadRelocations[0].target);
}

TEST_CASE("damaged pipeline ELFs are refused or read, and never astray") {
  const std::vector<uint8_t> elf = write(*must(joinStages(drawStages())));
  std::mt19937 random(1);
  unsigned read = 0;
  for (unsigned round = 0; round < 5000; ++round) {
    std::vector<uint8_t> damaged = elf;
    for (unsigned count = 1 + random() % 3; count > 0; --count)
      damaged[random() % damaged.size()] = uint8_t(random());
    if (Result<ImageRef> image = readPalElf(damaged)) {
      ++read;
      for (const ImagePart &part : (*image)->parts)
        CHECK(part.offset + part.size <= (*image)->code.size());
    }
  }
  CHECK(read > 0);
}

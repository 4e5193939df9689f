// SPDX-License-Identifier: MIT
#include "src/abi/metadata/pal_metadata.h"
#include <doctest/doctest.h>
#include <random>

using namespace dovetail;

namespace {

PalMetadata fullMetadata() {
  PalMetadata metadata;
  metadata.type = "GsTess";
  metadata.api = "OpenGL";
  metadata.pipelineHash = {0x1122334455667788, 0x99aabbccddeeff00};
  metadata.userDataLimit = 12;
  metadata.spillThreshold = 7;
  metadata.usesViewportArrayIndex = true;
  metadata.psSampleMask = true;
  metadata.shaders = {{ApiStage::Geometry, {1, 2}, {HardwareStage::Gs, HardwareStage::Vs}},
                      {ApiStage::Pixel, {3, 4}, {HardwareStage::Ps}}};
  PalHardwareStage gs;
  gs.stage = HardwareStage::Gs;
  gs.entryPoint = "_amdgpu_gs_main";
  gs.scratchMemorySize = 16;
  gs.ldsSize = 512;
  gs.sgprCount = 30;
  gs.vgprCount = 20;
  gs.sgprLimit = 102;
  gs.vgprLimit = 256;
  PalHardwareStage ps;
  ps.stage = HardwareStage::Ps;
  ps.entryPoint = "_amdgpu_ps_main";
  ps.usesUavs = ps.writesUavs = ps.writesDepth = true;
  PalHardwareStage cs;
  cs.stage = HardwareStage::Cs;
  cs.threadgroupDimensions = {64, 2, 3};
  metadata.hardwareStages = {gs, ps, cs};
  metadata.registers = {{0xa1b1, 7}, {0x2c0a, 0xffffffff}};
  return metadata;
}

std::string text(std::string_view text) {
  return char(0xa0 | text.size()) + std::string(text);
}

// The error of metadata with these entries, in MessagePack.
std::string errorOf(std::string_view shaders, std::string_view stages) {
  std::string bytes = "\x82" + text("amdpal.version") + "\x92\x02\x06" + text("amdpal.pipelines") + "\x91\x83";
  bytes += text(".shaders").append(shaders) + text(".hardware_stages").append(stages) + text(".registers") + "\x80";
  Result<PalMetadata> read = decodePalMetadata({reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size()});
  return read ? "" : read.error().text;
}

} // namespace

TEST_CASE("metadata comes back as it was encoded, in its order") {
  const std::vector<uint8_t> bytes = encodePalMetadata(fullMetadata());
  Result<PalMetadata> back = decodePalMetadata(bytes);
  REQUIRE(back.has_value());
  CHECK(back->type == "GsTess");
  CHECK((back->pipelineHash == fullMetadata().pipelineHash));
  CHECK(back->registers == fullMetadata().registers);
  CHECK(encodePalMetadata(*back) == bytes);
}

TEST_CASE("what is no MessagePack is no metadata") {
  const std::vector<uint8_t> bytes = encodePalMetadata(fullMetadata());
  Result<PalMetadata> back = decodePalMetadata(std::span(bytes).first(bytes.size() - 1));
  REQUIRE(!back);
  CHECK(back.error().text == "PAL metadata is not MessagePack");
}

TEST_CASE("MessagePack that is something else is no metadata") {
  Result<PalMetadata> back = decodePalMetadata(std::vector<uint8_t>{0x01});
  REQUIRE(!back);
  CHECK(back.error().text == "PAL metadata: amdpal.version is missing or malformed");
}

TEST_CASE("shaders and stages that are no maps are refused") {
  CHECK(errorOf("\x80", "\x80") == "");
  CHECK(errorOf("\x05", "\x80") == "PAL metadata: .shaders is missing or malformed");
  CHECK(errorOf("\x80", "\x81" + text(".ps") + "\x80") == "");
  CHECK(errorOf("\x80", "\x81" + text(".ps") + "\x05") == "PAL metadata: a map is missing or malformed");
}

TEST_CASE("lists in lists without end are no metadata") {
  CHECK(!decodePalMetadata(std::vector<uint8_t>(100000, 0x91)));
}

TEST_CASE("damaged metadata is refused or decoded, and never astray") {
  const std::vector<uint8_t> bytes = encodePalMetadata(fullMetadata());
  std::mt19937 random(1);
  unsigned decoded = 0;
  for (unsigned round = 0; round < 20000; ++round) {
    std::vector<uint8_t> damaged = bytes;
    for (unsigned count = 1 + random() % 3; count > 0; --count)
      damaged[random() % damaged.size()] = uint8_t(random());
    if (Result<PalMetadata> back = decodePalMetadata(damaged)) {
      ++decoded;
      CHECK(back->registers.size() <= damaged.size());
    }
  }
  CHECK(decoded > 0);
}

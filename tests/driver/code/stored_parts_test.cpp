// SPDX-License-Identifier: MIT
//
// A part store returns exactly the parts that went into it: parts of every kind, and the variants that are made of
// them.
#include "parts/cache/part_maker.h"
#include "parts/kinds/part_description.h"
#include "parts/part_bytes.h"
#include "tests/driver/own_shaders.h"
#include "tests/tools/temporary_folder.h"
#include "variants/bind/device.h"
#include "variants/state/default_state.h"
#include <algorithm>
#include <doctest/doctest.h>
#include <set>

using namespace dovetail;

namespace {

struct Case {
  const char *program; // the beginning of its name
  bool stipple = false;
  VkPrimitiveTopology topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
  bool smooth = false; // so that the fragment shader's program is monolithic, and its main part has no code
};

// Together they need a part of every kind.
constexpr Case Cases[] = {
    {"blur.comp"},
    {"clip_distance.", true},
    {"dual_source."},
    {"fetch."},
    {"fetch.", false, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST, true},
    {"shared_memory."},
    {"tess_3_to_6.", false, VK_PRIMITIVE_TOPOLOGY_PATCH_LIST},
    {"tess_bezier.", true, VK_PRIMITIVE_TOPOLOGY_PATCH_LIST},
    {"geom_streams_2.", false, VK_PRIMITIVE_TOPOLOGY_POINT_LIST},
    {"geom_strip_adjacency_order.", false, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP_WITH_ADJACENCY},
};

std::unique_ptr<Device> makeDevice(const char *gpu, const std::string &folder) {
  DeviceOptions options;
  options.gpuName = gpu;
  options.store.path = folder;
  options.onLog = [](LogLevel, std::string_view warning) { FAIL_CHECK(std::string(warning)); };
  Result<std::unique_ptr<Device>> device = Device::create(std::move(options));
  REQUIRE(device.has_value());
  return std::move(*device);
}

// The images of all cases, joined and monolithic, and of a vertex shader alone.
std::vector<ImageRef> buildAll(Device &device, const std::vector<OwnProgram> &programs) {
  std::vector<ImageRef> images;
  for (const Case &one : Cases) {
    auto program = std::ranges::find_if(programs, [&](const auto &it) { return it.name.starts_with(one.program); });
    REQUIRE_MESSAGE(program != programs.end(), one.program);
    PipelineState state = defaultState(program->shaders);
    state.topology = one.topology;
    state.polygonStippleEnable = one.stipple;
    if (one.smooth) {
      state.smoothing = true;
      state.rasterizationSamples = 4;
    }
    state.squareComputeWaves = true;
    state.flatProvokingVertexLast = true; // so that strips with adjacency need a prolog
    for (bool monolithic : {false, true}) {
      Result<VariantRef> variant = device.bind(program->shaders, state, {monolithic});
      if (!variant)
        FAIL(program->name << ": " << variant.error().text);
      images.push_back(imageOf(*variant));
    }
  }
  const auto fetch = std::ranges::find_if(programs, [](const auto &it) { return it.name.starts_with("fetch."); });
  const ShaderSet alone = makeShaderSet(std::array{fetch->shaders.shader(lgc::ShaderStage::Vertex)}).value();
  images.push_back(imageOf(device.bind(alone, defaultState(alone)).value()));
  return images;
}

std::vector<uint8_t> bytesOf(const Part &part) {
  std::vector<uint8_t> bytes;
  encodePart(part, bytes);
  return bytes;
}

} // namespace

TEST_CASE("a device whose store has everything compiles nothing and makes the same variants") {
  std::vector<OwnProgram> programs = readOwnPrograms();
  std::set<PartKind> kinds;
  for (const char *gpu : {"gfx900", "gfx803"}) {
    CAPTURE(gpu);
    TemporaryFolder folder;
    std::vector<PartRef> parts;
    std::vector<ImageRef> images;
    {
      std::unique_ptr<Device> device = makeDevice(gpu, folder.path());
      images = buildAll(*device, programs);
      parts = device->partMaker().cache().parts();
      CHECK(device->statistics().parts.made == parts.size());
    }
    std::unique_ptr<Device> device = makeDevice(gpu, folder.path());
    std::vector<ImageRef> again = buildAll(*device, programs);
    CHECK(device->statistics().parts.made == 0);
    CHECK(device->statistics().parts.stored == parts.size());
    REQUIRE(again.size() == images.size());
    for (size_t i = 0; i < images.size(); ++i) {
      CHECK(again[i]->code == images[i]->code);
      CHECK(std::ranges::equal(again[i]->registers, images[i]->registers));
    }
    for (const PartRef &part : parts) {
      CAPTURE(partDescription(*part));
      PartRef back = device->partMaker().cache().find(part->key);
      REQUIRE(back);
      CHECK(back != part);
      CHECK(bytesOf(*back) == bytesOf(*part));
      kinds.insert(part->key.kind);
    }
  }
  for (unsigned kind = 0; kind < PartKindCount; ++kind)
    CHECK_MESSAGE(kinds.contains(PartKind(kind)), "there was no " << std::string(toString(PartKind(kind))));
}

TEST_CASE("parts of one GPU are not those of another") {
  std::vector<OwnProgram> programs = readOwnPrograms();
  TemporaryFolder folder;
  std::set<PartKey> keys;
  size_t count = 0;
  for (const char *gpu : {"gfx900", "gfx906"}) {
    std::unique_ptr<Device> device = makeDevice(gpu, folder.path());
    buildAll(*device, programs);
    CHECK(device->statistics().parts.stored == 0);
    for (const PartRef &part : device->partMaker().cache().parts()) {
      keys.insert(part->key);
      ++count;
    }
  }
  CHECK(keys.size() == count);
}

// SPDX-License-Identifier: MIT
//
// Programs of all shapes under states that make the fragment shader's program monolithic. On first use, each shader
// goes through the compiler once, and code is generated once for each part that has code.
#include "parts/cache/part_maker.h"
#include "parts/compile/compiler_pool.h"
#include "parts/kinds/main_part.h"
#include "tests/driver/own_shaders.h"
#include "variants/assemble/get_parts.h"
#include "variants/bind/device.h"
#include "variants/state/default_state.h"
#include <algorithm>
#include <doctest/doctest.h>

using namespace dovetail;

namespace {

struct Case {
  const char *program; // the beginning of its name
  VkPrimitiveTopology topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
  void (*change)(PipelineState &state) = [](PipelineState &state) { state.smoothing = true; };
};

constexpr Case Cases[] = {
    {"fetch."},
    {"mrt_array."},
    {"interpolation."}, // parameters, no vertex attribute
    {"tess_3_to_6.", VK_PRIMITIVE_TOPOLOGY_PATCH_LIST},
    {"tess_primitive_id.", VK_PRIMITIVE_TOPOLOGY_PATCH_LIST},
    {"geom_primitive_id."},
    {"geom_strip_adjacency_order.", VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP_WITH_ADJACENCY},
    {"tess_geom_layers.", VK_PRIMITIVE_TOPOLOGY_PATCH_LIST},
    {"interpolate_at.", VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
     [](PipelineState &state) { state.multisampleDisable = true; }},
    {"interpolate_at.", VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
     [](PipelineState &state) { state.perSampleInterpolation = state.sampleShadingEnable = true; }},
};

PipelineState stateOf(const Case &one, const ShaderSet &shaders) {
  PipelineState state = defaultState(shaders);
  state.topology = one.topology;
  state.flatProvokingVertexLast = true; // so that strips with adjacency need a prolog
  state.rasterizationSamples = 4;
  one.change(state);
  return state;
}

// An encoder makes these, without a compiler.
bool isEncoded(PartKind kind) {
  switch (kind) {
  case PartKind::VertexProlog:
  case PartKind::TessControlEpilog:
  case PartKind::GeometryProlog:
  case PartKind::ComputeProlog:
  case PartKind::FragmentProlog:
  case PartKind::FragmentEpilog:
  case PartKind::Glue:
  case PartKind::NullFragment:
    return true;
  default:
    return false;
  }
}

// The number of parts that LLVM has generated code for. First code makes geometry copy shaders.
size_t generatedParts(const std::vector<PartRef> &parts) {
  return size_t(std::ranges::count_if(parts, [](const PartRef &part) {
    return !isEncoded(part->key.kind) && part->key.kind != PartKind::GeometryCopy && !part->code.empty();
  }));
}

size_t partsOf(const std::vector<PartRef> &parts, PartKind kind) {
  return size_t(std::ranges::count(parts, kind, [](const PartRef &part) { return part->key.kind; }));
}

} // namespace

TEST_CASE("on first use of a state that makes a program monolithic, each shader is compiled once") {
  const std::vector<OwnProgram> programs = readOwnPrograms();
  for (const char *gpu : {"gfx900", "gfx803"})
    for (const Case &one : Cases) {
      CAPTURE(gpu);
      CAPTURE(one.program);
      auto program = std::ranges::find_if(programs, [&](const auto &it) { return it.name.starts_with(one.program); });
      REQUIRE(program != programs.end());
      const ShaderSet &shaders = program->shaders;
      std::unique_ptr<Device> device = std::move(Device::create(gpu).value());
      Result<VariantRef> variant = device->bind(shaders, stateOf(one, shaders));
      REQUIRE_MESSAGE(variant.has_value(), (variant ? std::string() : variant.error().text));

      const std::vector<PartRef> parts = device->partMaker().cache().parts();
      const lgc::CompileCounts counts = device->partMaker().compileCounts();
      CHECK(counts.lowered == size_t(std::ranges::count_if(shaders.shaders, [](auto &it) { return it != nullptr; })));
      CHECK(counts.emitted == generatedParts(parts));
      CHECK(partsOf(parts, PartKind::Monolithic) == 1);
      for (const PartRef &part : parts)
        if (part->key.kind == PartKind::FragmentMain)
          CHECK(part->code.empty());
    }
}

TEST_CASE("what fragment shaders read is known before their code is finished") {
  std::unique_ptr<CompilerPool> compilers = CompilerPool::create("gfx900").value();
  int count = 0;
  for (const OwnProgram &program : readOwnPrograms()) {
    if (!program.shaders.shader(lgc::ShaderStage::Fragment))
      continue;
    CAPTURE(program.name);
    for (uint8_t samples : {0, 4}) {
      CompilerPool::Lease compiler = compilers->lease().value();
      ShaderSource source = sourceOf(program.shaders, lgc::ShaderStage::Fragment, compilers->target().gpuName);
      source.key.mainPartState.smoothingSamples = samples;
      Result<lgc::HardwareFormShader> lowered = lowerShader(source.key, source.words, *compiler);
      REQUIRE(lowered.has_value());
      const ShaderInterface before = lowered->interface;
      Result<lgc::CompiledShader> compiled = compiler->generateCode(std::move(*lowered));
      REQUIRE(compiled.has_value());
      CHECK(before == compiled->interface);
      ++count;
    }
  }
  CHECK(count > 100);
}

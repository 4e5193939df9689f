// SPDX-License-Identifier: MIT
//
// The cost of joining, in code: compares every program of tests/shaders, joined, with the monolithic program, under its
// default state. Joined code may need more for two reasons only:
//   Registers: all values that go from part to part exist at once. Monolithic code loads an attribute when it is
//   needed,
//   and exports a colour when it is made.
//   Instructions: glue moves values to where the halves of merged programs expect them.
// Any other difference is LLVM's scheduling, which orders a main part in another way than the whole program:
// Exceptions.
#include "merge/image.h"
#include "src/abi/target_info.h"
#include "src/mc/disassembler.h"
#include "tests/driver/own_shaders.h"
#include "tests/driver/shared_device.h"
#include "tests/scene_maker/glsl_shaders.h"
#include "variants/optimize/program_cost.h"
#include "variants/state/default_state.h"
#include <algorithm>
#include <array>
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <span>
#include <string_view>

using namespace dovetail;

namespace {

constexpr unsigned LongShader = 100; // instructions
// An epilog reads the factors back from LDS. Monolithic code has them in registers where one invocation writes them.
constexpr unsigned ReadBack = 10;

// Shaders whose joined code loses a wave, or has more instructions, and the GPU (empty: both).
struct Exception {
  std::string_view shader, gpu;
};
constexpr Exception Exceptions[] = {
    {"phong.vert", ""},    // 9 waves instead of 10
    {"skinning.vert", ""}, // 9 waves instead of 10
};

bool isException(const std::string &program, std::string_view gpu) {
  return std::ranges::any_of(Exceptions, [&](const Exception &exception) {
    return program.find(exception.shader) != std::string::npos && (exception.gpu.empty() || exception.gpu == gpu);
  });
}

struct Cost {
  unsigned instructions = 0, vgprs = 0, waves = 0;
};

Cost costOf(const Image &image, size_t stage, const TargetInfo &target) {
  const Usage &usage = image.stages[stage].usage;
  return {programCosts(image)[stage].instructions, usage.vgprs, wavesPerSimd(target, usage.sgprs, usage.vgprs)};
}

std::span<const ImagePart> partsOf(const Image &image, const ImageStage &stage) {
  return {image.parts.data() + stage.firstPart, stage.partCount};
}

// The VGPRs that the largest border between two parts needs, with the values that are kept across it.
unsigned vgprsAtBorders(const Image &image, const ImageStage &stage) {
  unsigned most = 0;
  for (const ImagePart &placed : partsOf(image, stage))
    for (const Binding &binding : placed.part->contract.outputs)
      if (binding.reg.bank == RegisterBank::Vgpr)
        most = std::max(most, binding.reg.index + 1u);
  return most;
}

unsigned instructionsOf(const Image &image, const ImageStage &stage, PartKind kind) {
  unsigned count = 0;
  for (const ImagePart &placed : partsOf(image, stage))
    if (placed.part->key.kind == kind)
      count += placed.part->instructionCount;
  return count;
}

template <typename Compare> void forEachShader(const char *gpu, const Compare &compare) {
  Device &device = sharedDevice(gpu);
  for (const OwnProgram &program : readOwnPrograms()) {
    const PipelineState state = defaultState(program.shaders);
    Result<VariantRef> joined = device.bind(program.shaders, state);
    Result<VariantRef> monolithic = device.bind(program.shaders, state, {.monolithic = true});
    REQUIRE_MESSAGE(joined.has_value(), program.name);
    REQUIRE_MESSAGE(monolithic.has_value(), program.name);
    const Image &image = *(*joined)->image, &whole = *(*monolithic)->image;
    REQUIRE(image.stages.size() == whole.stages.size());
    for (size_t i = 0; i != image.stages.size(); ++i) {
      const Cost cost = costOf(image, i, device.target()), wholeCost = costOf(whole, i, device.target());
      INFO(fmt::format("{} {} {}: {} instructions, {} VGPRs, {} waves; monolithic {}, {}, {}", gpu, program.name,
                       toString(image.stages[i].stage), cost.instructions, cost.vgprs, cost.waves,
                       wholeCost.instructions, wholeCost.vgprs, wholeCost.waves));
      compare(program.name, image, image.stages[i], cost, wholeCost);
    }
  }
}

} // namespace

TEST_CASE("joined code has the waves of monolithic code, unless what goes from part to part takes more registers") {
  for (const char *gpu : {"gfx900", "gfx803"}) {
    unsigned shaders = 0, fewer = 0;
    forEachShader(gpu, [&](const std::string &program, const Image &image, const ImageStage &stage, const Cost &joined,
                           const Cost &monolithic) {
      ++shaders;
      fewer += joined.waves < monolithic.waves;
      if (joined.waves < monolithic.waves && !isException(program, gpu))
        CHECK(joined.vgprs <= vgprsAtBorders(image, stage));
    });
    MESSAGE(std::string(gpu) << ": " << fewer << " of " << shaders << " shaders have fewer waves");
    CHECK(fewer <= 5);
  }
}

TEST_CASE("joined code of long shaders has at most 3 % more instructions than monolithic code, but for glue") {
  for (const char *gpu : {"gfx900", "gfx803"}) {
    unsigned total = 0, wholeTotal = 0;
    forEachShader(gpu, [&](const std::string &program, const Image &image, const ImageStage &stage, const Cost &joined,
                           const Cost &monolithic) {
      total += joined.instructions;
      wholeTotal += monolithic.instructions;
      if (monolithic.instructions < LongShader || isException(program, gpu))
        return;
      unsigned explained = instructionsOf(image, stage, PartKind::Glue);
      if (instructionsOf(image, stage, PartKind::TessControlEpilog) != 0)
        explained += ReadBack;
      CHECK((joined.instructions - explained) * 100 <= monolithic.instructions * 103);
    });
    MESSAGE(std::string(gpu) << ": " << total << " instructions, monolithic " << wholeTotal);
    CHECK(total * 100 <= wholeTotal * 107);
  }
}

namespace {

struct Waves {
  std::string_view shader, gpu;
  unsigned count;
};

void checkWaves(std::span<const Waves> expected) {
  unsigned found = 0;
  for (const Waves &waves : expected)
    for (const OwnProgram &program : readOwnPrograms()) {
      if (program.name.find(waves.shader) == std::string::npos)
        continue;
      INFO(waves.shader << " on " << waves.gpu);
      Device &device = sharedDevice(std::string(waves.gpu).c_str());
      Result<VariantRef> joined = device.bind(program.shaders, defaultState(program.shaders));
      REQUIRE_MESSAGE(joined.has_value(), program.name);
      const Image &image = *(*joined)->image;
      for (size_t i = 0; i != image.stages.size(); ++i)
        if (image.stages[i].stage == HardwareStage::Ps) {
          ++found;
          CHECK(costOf(image, i, device.target()).waves == waves.count);
          CHECK(image.stages[i].usage.scratchBytes == 0);
        }
    }
  CHECK(found == expected.size());
}

} // namespace

// LLVM's allocator alone takes one VGPR more than ten waves allow.
TEST_CASE("code that takes one register too many for another wave gets by with fewer") {
  checkWaves(std::array<Waves, 3>{
      {{"queries.frag", "gfx803", 10}, {"sample_offset.frag", "gfx900", 10}, {"sample_offset.frag", "gfx803", 10}}});
}

// LLVM's coalescer alone merges the tuples: 9, 9 and 7 waves.
TEST_CASE("coordinates that several samples share stay in tuples of their own") {
  checkWaves(std::array<Waves, 3>{
      {{"sample_bias_lod.frag", "gfx900", 10}, {"sample_dims.frag", "gfx900", 10}, {"sample_proj.frag", "gfx900", 9}}});
}

namespace {

unsigned instructionsOn(const char *gpu, std::string_view shader, HardwareStage stage) {
  for (const OwnProgram &program : readOwnPrograms()) {
    if (program.name.find(shader) == std::string::npos)
      continue;
    Device &device = sharedDevice(gpu);
    Result<VariantRef> joined = device.bind(program.shaders, defaultState(program.shaders));
    REQUIRE_MESSAGE(joined.has_value(), program.name);
    const Image &image = *(*joined)->image;
    for (size_t i = 0; i != image.stages.size(); ++i)
      if (image.stages[i].stage == stage)
        return costOf(image, i, device.target()).instructions;
  }
  FAIL(shader << " has no such stage");
  return 0;
}

} // namespace

TEST_CASE("a loop that lanes leave at several places stays a loop, unless it is short") {
  for (const char *gpu : {"gfx900", "gfx803"}) {
    CHECK(instructionsOn(gpu, "fxaa.frag", HardwareStage::Ps) < 250);        // 540 if unrolled
    CHECK(instructionsOn(gpu, "nested_flow.frag", HardwareStage::Ps) < 400); // 2,400 if unrolled
  }
}

TEST_CASE("a loop that all lanes go through to its end is unrolled") {
  for (const char *gpu : {"gfx900", "gfx803"})
    CHECK(instructionsOn(gpu, "water.vert", HardwareStage::Vs) > 200); // 110 if it stays a loop
}

namespace {

bool takesWholeQuads(const std::string &sample) {
  const ShaderSet shaders = shadersOf("void main() { gl_Position = vec4(0, 0, 0, 1); }",
                                      "#extension GL_EXT_demote_to_helper_invocation : require\n"
                                      "layout(set = 0, binding = 0) uniform sampler2D image;"
                                      "layout(set = 0, binding = 1) buffer Words { uint count, words[]; };"
                                      "layout(location = 0) out vec4 color;"
                                      "void main() {"
                                      "  uvec2 at = uvec2(gl_FragCoord.xy);"
                                      "  color = vec4(1);"
                                      "  if (at.x < 7u) {"
                                      "    if (at.y < count) demote;"
                                      "    for (uint i = 0u; i < (count & 7u); ++i) { words[i] = i; color += " +
                                          sample + "; } } }");
  const Result<VariantRef> joined = sharedDevice().bind(shaders, defaultState(shaders));
  REQUIRE(joined);
  Result<mc::Disassembler::Lease> disassembler = mc::Disassembler::forGpu("gfx900");
  REQUIRE(disassembler);
  for (const ImagePart &part : (*joined)->image->parts) {
    const Result<std::vector<isa::Instruction>> instructions = (*disassembler)->decodeAll(part.part->code);
    REQUIRE(instructions);
    for (const isa::Instruction &inst : *instructions)
      if ((*disassembler)->print(part.part->code, inst.offset).value().starts_with("s_wqm_b64"))
        return true;
  }
  return false;
}

} // namespace

TEST_CASE("loops behind demotes want whole quads only for levels that are not given") {
  CHECK(takesWholeQuads("texture(image, vec2(i))"));
  CHECK_FALSE(takesWholeQuads("textureLod(image, vec2(i), 1.0)"));
  CHECK_FALSE(takesWholeQuads("textureLod(image, vec2(i), 0.0)"));
  CHECK_FALSE(takesWholeQuads("textureGrad(image, vec2(i), vec2(0), vec2(1))"));
}

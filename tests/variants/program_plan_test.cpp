// SPDX-License-Identifier: MIT
//
// Variants that are joined by a program's plan, or combined of known images, must be the same as those that are built
// part by part.
#include "merge/check/check_image.h"
#include "src/state/state_fields.h"
#include "tests/variants/background/background_device.h"
#include "variants/bind/device_core.h"
#include "variants/state/default_state.h"
#include "variants/state/state_table.h"
#include <algorithm>
#include <span>
#include <tuple>

using namespace dovetail;
using lgc::ShaderStage;

namespace {

std::unique_ptr<Device> deviceFor(std::string_view gpuName) {
  DeviceOptions options;
  options.firstTier = CodeTier::Llvm;
  options.gpuName = gpuName;
  return createDevice(options);
}

// The plan is made with the shaders' own state.
struct TestProgram {
  std::vector<ShaderRef> shaders;
  std::vector<std::function<void(PipelineState &)>> changes;
};

const std::vector<std::function<void(PipelineState &)>> &commonChanges() {
  static const std::vector<std::function<void(PipelineState &)>> changes = {
      [](PipelineState &state) { state.vertexAttributes[0].format = VK_FORMAT_R16G16_SNORM; },
      [](PipelineState &state) { state.vertexAttributes[0].offset = 8; },
      [](PipelineState &state) {
        state.vertexAttributes.push_back({7, 0, VK_FORMAT_R32_SFLOAT, 0});
      },
      [](PipelineState &state) { state.vertexBindings[0].inputRate = VK_VERTEX_INPUT_RATE_INSTANCE; },
      [](PipelineState &state) { state.colorTargets[0].format = VK_FORMAT_R32G32B32A32_SFLOAT; },
      [](PipelineState &state) { state.colorTargets[0].writeMask = 1; },
      [](PipelineState &state) { state.colorTargets[0] = {}; },
      [](PipelineState &state) { state.colorTargets[3].format = VK_FORMAT_R8G8B8A8_UNORM; },
      [](PipelineState &state) { state.colorTargets[0].srcColorBlendFactor = VK_BLEND_FACTOR_SRC_ALPHA; },
      [](PipelineState &state) { state.colorTargets[0].blendEnable = true; },
      [](PipelineState &state) { state.alphaTestFunc = VK_COMPARE_OP_LESS; },
      [](PipelineState &state) { state.alphaToCoverageEnable = state.alphaToOneEnable = true; },
      [](PipelineState &state) {
        state.alphaToCoverageEnable = state.alphaToOneEnable = true;
        state.rasterizationSamples = 4;
      },
      [](PipelineState &state) { state.clampColor = true; },
      [](PipelineState &state) { state.rasterizerDiscardEnable = true; },
      [](PipelineState &state) { state.depthClampEnable = true; },
      [](PipelineState &state) { state.polygonStippleEnable = true; },
      [](PipelineState &state) { state.barycentricOptimization = true; },
      [](PipelineState &state) { state.rasterizationSamples = 8; },
      [](PipelineState &state) {
        state.rasterizationSamples = 4;
        state.perSampleInterpolation = true;
      },
      [](PipelineState &state) { state.clipDistanceEnable = 0; },
      [](PipelineState &state) { state.patchControlPoints = 7; },
  };
  return changes;
}

const char *GeometryText = "layout(triangles_adjacency) in; layout(triangle_strip, max_vertices = 3) out;"
                           "layout(location = 0) in vec4 seen[]; layout(location = 0) out vec4 seenOut;"
                           "void main() { for (int i = 0; i < 6; i += 2) {"
                           "  gl_Position = gl_in[i].gl_Position; seenOut = seen[i]; EmitVertex(); } }";
const char *ControlText = "layout(vertices = 3) out;"
                          "layout(location = 0) in vec4 seen[]; layout(location = 0) out vec4 seenOut[];"
                          "void main() { gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;"
                          "  seenOut[gl_InvocationID] = seen[gl_InvocationID];"
                          "  gl_TessLevelOuter = float[4](2.0, 2.0, 2.0, 2.0);"
                          "  gl_TessLevelInner = float[2](2.0, 2.0); }";
const char *EvaluationText = "layout(triangles) in;"
                             "layout(location = 0) in vec4 seen[]; layout(location = 0) out vec4 seenOut;"
                             "void main() { gl_Position = gl_TessCoord.x * gl_in[0].gl_Position; seenOut = seen[1]; }";

ShaderRef changed(const ShaderRef &shader, const std::function<void(ShaderDescription &)> &change) {
  ShaderDescription description = shader->description;
  change(description);
  Result<ShaderRef> result = createShader(std::move(description));
  REQUIRE(result.has_value());
  return *result;
}

ShaderRef openGlOf(const ShaderRef &shader) {
  return changed(shader, [](auto &description) { description.environment = spirv::Environment::OpenGl; });
}

ShaderRef coloredOf(const ShaderRef &fragment) {
  return changed(fragment, [](auto &description) { description.colorInputs[0].front = 0; });
}

std::vector<TestProgram> testPrograms() {
  const std::vector<ShaderRef> pair = pairOfShaders();
  std::vector<TestProgram> programs = {{pair, commonChanges()}};
  programs.push_back({{pair[0]}, commonChanges()});
  programs.push_back({{pair[0], compileGlsl(ShaderStage::Geometry, GeometryText), pair[1]}, commonChanges()});
  programs.back().changes.push_back([](PipelineState &state) {
    state.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP_WITH_ADJACENCY;
    state.flatProvokingVertexLast = true;
  });
  programs.push_back({{pair[0], compileGlsl(ShaderStage::TessControl, ControlText),
                       compileGlsl(ShaderStage::TessEval, EvaluationText), pair[1]},
                      commonChanges()});
  // A state that changes main parts cannot use a plan.
  programs.push_back(
      {{pair[0], openGlOf(compileGlsl(ShaderStage::TessEval, EvaluationText)), pair[1]}, commonChanges()});
  programs.push_back({{pair[0], coloredOf(pair[1])}, commonChanges()});
  programs.back().changes.push_back([](PipelineState &state) { state.clampVertexColor = true; });
  return programs;
}

auto placeOf(const ImagePart &part) {
  return std::tuple(part.part->key, part.stage, part.offset, part.size, part.waitStates, part.constantsOffset);
}

auto placeOf(const ImageStage &stage) {
  return std::tuple(stage.stage, stage.entry, stage.size, stage.firstPart, stage.partCount, stage.secondHalf,
                    stage.usage.vgprs, stage.usage.sgprs, stage.userDataMap, stage.userSgprCount);
}

// Compares images, except for members that follow from the others.
bool areEqual(const Image &left, const Image &right) {
  auto haveEqualPlaces = [](const auto &a, const auto &b) { return placeOf(a) == placeOf(b); };
  return left.code == right.code && left.registers == right.registers && left.samples == right.samples &&
         left.apiShaders == right.apiShaders && left.gpuName == right.gpuName && left.textSize == right.textSize &&
         left.constantsStart == right.constantsStart && left.constantsEnd == right.constantsEnd &&
         left.constantsAlignment == right.constantsAlignment && left.firstPixelRegister == right.firstPixelRegister &&
         std::ranges::equal(left.parts, right.parts, haveEqualPlaces) &&
         std::ranges::equal(left.stages, right.stages, haveEqualPlaces);
}

// Its pixel shader reads constants, which lie behind all text.
std::vector<ShaderRef> pairWithConstants() {
  return {pairOfShaders()[0],
          compileGlsl(ShaderStage::Fragment,
                      "layout(location = 0) out vec4 target;"
                      "const float table[9] = float[9](3.0, 1.0, 4.0, 1.5, 9.0, 2.0, 6.0, 5.0, 3.5);"
                      "void main() { target = vec4(table[int(gl_FragCoord.x) % 9], table[int(gl_FragCoord.y) % 9],"
                      "  0.0, 1.0); }")};
}

} // namespace

TEST_CASE("a variant that is joined by a plan is the one that is built part by part") {
  for (const char *gpuName : {"gfx900", "gfx803"}) {
    std::unique_ptr<Device> planned = deviceFor(gpuName), plain = deviceFor(gpuName);
    Binder binder(*planned);
    for (const TestProgram &test : testPrograms()) {
      ProgramRef program = makeProgram(*planned, test.shaders);
      PipelineState base = defaultState(program->set);
      bindNow(binder, program, makeState(base));
      REQUIRE(program->plans() != nullptr);
      for (size_t change = 0; change < test.changes.size(); ++change) {
        CAPTURE(std::string(gpuName));
        CAPTURE(test.shaders.size());
        CAPTURE(change);
        PipelineState state = base;
        test.changes[change](state);
        VariantRef variant = bindNow(binder, program, makeState(state));
        Result<VariantRef> expected = plain->bind(program->set, state);
        REQUIRE(expected.has_value());
        CHECK(variant->key == (*expected)->key);
        CHECK(areEqual(*variant->image, *(*expected)->image));
      }
    }
  }
}

TEST_CASE("a plan serves the states that ask for the main parts of the first one") {
  std::unique_ptr<Device> planned = deviceFor("gfx900"), plain = deviceFor("gfx900");
  Binder binder(*planned);
  const std::vector<ShaderRef> pair = pairOfShaders();
  ProgramRef program = makeProgram(*planned, {pair[0], coloredOf(pair[1])});
  PipelineState state = defaultState(program->set);
  for (bool isStippled : {false, true})
    for (bool isClamped : {true, false}) {
      state.clampVertexColor = isClamped;
      state.polygonStippleEnable = isStippled;
      VariantRef variant = bindNow(binder, program, makeState(state));
      Result<VariantRef> expected = plain->bind(program->set, state);
      REQUIRE(expected.has_value());
      CHECK(variant->key == (*expected)->key);
      CHECK(areEqual(*variant->image, *(*expected)->image));
    }
}

TEST_CASE("images that are combined of two sides are those that are built part by part") {
  using Change = std::function<void(PipelineState &)>;
  const Change vertexInputs[] = {
      [](PipelineState &state) { state.vertexAttributes[0].format = VK_FORMAT_R16G16_SNORM; },
      [](PipelineState &state) { state.vertexAttributes[0].offset = 8; },
      [](PipelineState &state) { state.vertexBindings[0].inputRate = VK_VERTEX_INPUT_RATE_INSTANCE; },
  };
  const Change colorOutputs[] = {
      [](PipelineState &state) { state.colorTargets[0].format = VK_FORMAT_R32G32B32A32_SFLOAT; },
      [](PipelineState &state) { state.colorTargets[0] = {}; },
      [](PipelineState &state) { state.alphaTestFunc = VK_COMPARE_OP_LESS; },
      [](PipelineState &state) { state.alphaToCoverageEnable = state.alphaToOneEnable = true; },
  };
  const Change rests[] = {
      [](PipelineState &) {},
      [](PipelineState &state) { state.polygonStippleEnable = true; },
      [](PipelineState &state) { state.patchControlPoints = 7; },
  };
  bool hasConstants = false;
  for (const char *gpuName : {"gfx900", "gfx803"}) {
    std::unique_ptr<Device> device = deviceFor(gpuName), plain = deviceFor(gpuName);
    Binder binder(*device);
    std::vector<TestProgram> programs = testPrograms();
    programs.push_back({pairWithConstants(), {}});
    for (const TestProgram &test : programs) {
      ProgramRef program = makeProgram(*device, test.shaders);
      const PipelineState base = defaultState(program->set);
      bindNow(binder, program, makeState(base));
      for (const Change &changeRest : rests) {
        PipelineState rest = base;
        changeRest(rest);
        for (const auto &changes : {std::span<const Change>(vertexInputs), std::span<const Change>(colorOutputs)})
          for (const Change &change : changes) {
            PipelineState state = rest;
            change(state);
            bindNow(binder, program, makeState(state));
          }
        for (const Change &changeInput : vertexInputs)
          for (const Change &changeColor : colorOutputs) {
            CAPTURE(std::string(gpuName));
            CAPTURE(test.shaders.size());
            PipelineState state = rest;
            changeInput(state);
            changeColor(state);
            VariantRef variant = bindNow(binder, program, makeState(state));
            Result<VariantRef> expected = plain->bind(program->set, state);
            REQUIRE(expected.has_value());
            CHECK(variant->key == (*expected)->key);
            CHECK(areEqual(*variant->image, *(*expected)->image));
            CHECK(checkImage(*variant->image).has_value());
            hasConstants |= variant->image->constantsStart != variant->image->constantsEnd;
          }
      }
    }
  }
  CHECK(hasConstants); // in some of the programs
}

TEST_CASE("sides are known only both together") {
  KnownSides known;
  auto hash = [](uint64_t number) { return Hasher().add(number).finish(); };
  const Hash128 program = hash(0), rest = hash(1), canonicalRest = hash(2);
  const StateHashes first = {hash(3), hash(4), rest}, second = {hash(5), hash(6), rest};
  const StateHashes both = {first.vertexInput, second.colorOutput, rest};
  const VariantKey front = {hash(13)}, pixel = {hash(14)};
  known.add(program, first, {hash(7), hash(8), canonicalRest}, front, 1);
  CHECK_FALSE(known.find(program, both).has_value());
  known.add(program, second, {hash(9), hash(10), canonicalRest}, pixel, 2);

  std::optional<KnownSides::Found> found = known.find(program, both);
  REQUIRE(found.has_value());
  CHECK(found->front == front);
  CHECK(found->pixel == pixel);
  CHECK(found->canonical == StateHashes{hash(7), hash(10), canonicalRest});
  CHECK_FALSE(known.find(hash(11), both).has_value());                                             // another program
  CHECK_FALSE(known.find(program, {first.vertexInput, second.colorOutput, hash(12)}).has_value()); // another rest
  CHECK_FALSE(known.find(program, {second.colorOutput, first.vertexInput, rest}).has_value()); // the other way round
}

TEST_CASE("sides whose variants were evicted are joined again") {
  std::unique_ptr<Device> device = deviceFor("gfx900");
  const ProgramRef program = makeProgram(*device, pairOfShaders());
  PipelineState state = defaultState(program->set);
  const PipelineState base = state;
  {
    Binder binder(*device);
    bindNow(binder, program, makeState(base));
    state.vertexAttributes[0].offset = 4;
    bindNow(binder, program, makeState(state));
    state = base;
    state.colorTargets[0].writeMask = 3;
    bindNow(binder, program, makeState(state));
  }
  VariantTables &tables = device->core().tables();
  for (unsigned round = 0; tables.variantCount() > 0 && round < 1000; ++round)
    tables.evictFromSample(1);
  REQUIRE(tables.variantCount() == 0);
  Binder binder(*device);
  state.vertexAttributes[0].offset = 4; // both sides were joined before, but not together
  const VariantRef variant = bindNow(binder, program, makeState(state));
  CHECK(binder.lastBind().kind == BindKind::Joined);
  CHECK(checkImage(*variant->image).has_value());
}

TEST_CASE("known sides are bounded by the variants that there are") {
  KnownSides known;
  auto hash = [](uint64_t number) { return Hasher().add(number).finish(); };
  constexpr uint64_t Many = 200'000, Variants = 1000;
  auto state = [&](uint64_t number) { return StateHashes{hash(number), hash(number), {}}; };
  for (uint64_t number = 0; number < Many; ++number)
    known.add({}, state(number), state(number), {hash(number)}, Variants);
  uint64_t held = 0;
  for (uint64_t number = 0; number < Many; ++number)
    held += known.find({}, state(number)).has_value();
  CHECK(held > 0);
  CHECK(held < Many / 5);
}

TEST_CASE("states that come to the same share the variant that a plan joined") {
  std::unique_ptr<Device> device = deviceFor("gfx900");
  Binder binder(*device);
  ProgramRef program = makeProgram(*device, pairOfShaders());
  PipelineState state = defaultState(program->set);
  bindNow(binder, program, makeState(state));
  state.colorTargets[0].writeMask = 3;
  VariantRef variant = bindNow(binder, program, makeState(state));
  state.vertexAttributes.push_back({9, 0, VK_FORMAT_R32_SFLOAT, 4}); // no shader reads it
  state.colorTargets[5].format = VK_FORMAT_R8_UNORM;                 // no shader writes it
  CHECK(bindNow(binder, program, makeState(state)) == variant);
  CHECK(device->statistics().joinedVariants == 2);
}

TEST_CASE("programs that need the same share what was found for one of them") {
  std::unique_ptr<Device> device = deviceFor("gfx900");
  Binder binder(*device);
  ProgramRef first = makeProgram(*device, pairOfShaders(0)), second = makeProgram(*device, pairOfShaders(1));
  PipelineState state = defaultState(first->set);
  bindNow(binder, first, makeState(state));
  bindNow(binder, second, makeState(state));
  state.vertexAttributes[0].offset = 4;
  state.colorTargets[0].writeMask = 3;
  bindNow(binder, first, makeState(state));
  const PartCacheStatistics before = device->statistics().parts;
  bindNow(binder, second, makeState(state));
  const PartCacheStatistics after = device->statistics().parts;
  CHECK(after.made == before.made);
  CHECK(after.found == before.found); // the cache was not asked either
}

TEST_CASE("a state that is an Error is the same Error with a plan") {
  std::unique_ptr<Device> device = deviceFor("gfx900"), other = deviceFor("gfx900");
  Binder binder(*device), otherBinder(*other);
  ProgramRef program = makeProgram(*device, pairOfShaders());
  PipelineState base = defaultState(program->set);
  bindNow(binder, program, makeState(base));
  const std::function<void(PipelineState &)> changes[] = {
      [](PipelineState &state) { state.vertexAttributes.clear(); },
      [](PipelineState &state) { state.colorTargets[0].format = VK_FORMAT_R8G8B8A8_UINT; },
      [](PipelineState &state) { state.topology = VK_PRIMITIVE_TOPOLOGY_PATCH_LIST; },
  };
  for (const auto &change : changes) {
    PipelineState state = base;
    change(state);
    Result<const Variant *> planned = binder.bind(program, makeState(state));
    Result<const Variant *> plain = otherBinder.bind(makeProgram(*other, pairOfShaders()), makeState(state));
    REQUIRE_FALSE(planned.has_value());
    REQUIRE_FALSE(plain.has_value());
    CHECK(planned.error().text == plain.error().text);
    CHECK((planned.error().code == plain.error().code));
  }
  CHECK(device->statistics().failedBuilds == 3);
}

TEST_CASE("a state that changes a main part's code is built as a whole in spite of a plan") {
  std::unique_ptr<Device> device = deviceFor("gfx900");
  Binder binder(*device);
  ProgramRef program = makeProgram(*device, pairOfShaders());
  bindNow(binder, program, pairState());
  bindNow(binder, program, compiledState());
  CHECK(device->statistics().monolithicVariants == 1);
}

TEST_CASE("a program that two devices bind has the parts of each GPU") {
  std::unique_ptr<Device> first = deviceFor("gfx900"), second = deviceFor("gfx803");
  ProgramRef program = makeProgram(*first, pairOfShaders());
  Binder firstBinder(*first), secondBinder(*second);
  bindNow(firstBinder, program, pairState());
  for (VkFormat format : {VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_R32G32B32A32_SFLOAT}) {
    CHECK(bindNow(secondBinder, program, pairState(format))->image->gpuName == "gfx803");
    CHECK(bindNow(firstBinder, program, pairState(format))->image->gpuName == "gfx900");
  }
}

TEST_CASE("known pieces are bounded, and those that were forgotten can be added again") {
  KnownPieces known;
  auto hash = [](uint64_t number) { return Hasher().add(number).finish(); };
  auto part = std::make_shared<const Part>();
  constexpr uint64_t Many = 100'000;
  for (uint64_t number = 0; number < Many; ++number)
    known.add(hash(0), hash(number), {hash(number), part});
  uint64_t held = 0;
  for (uint64_t number = 0; number < Many; ++number)
    if (std::optional<KnownPiece> piece = known.find(hash(0), hash(number))) {
      CHECK(piece->canonical == hash(number));
      ++held;
    }
  CHECK(held > 0);
  CHECK(held < Many / 10);
  CHECK(part.use_count() == long(held) + 1);
  CHECK_FALSE(known.find(hash(1), hash(Many - 1)).has_value()); // others need something else
  known.clear();
  CHECK(part.use_count() == 1);
}

TEST_CASE("each field of a state is in the pieces of those who read it") {
  const StateHashes before = hashState({});
  auto changed = [&](const std::function<void(PipelineState &)> &change) {
    PipelineState state;
    change(state);
    const StateHashes after = hashState(state);
    return uint8_t((after.vertexInput != before.vertexInput ? bitOf(StatePiece::VertexInput) : 0) |
                   (after.colorOutput != before.colorOutput ? bitOf(StatePiece::ColorOutput) : 0) |
                   (after.rest != before.rest ? bitOf(StatePiece::Rest) : 0));
  };
  CHECK(changed([](PipelineState &state) { state.vertexBindings.emplace_back(); }) == bitOf(StatePiece::VertexInput));
  CHECK(changed([](PipelineState &state) { state.vertexAttributes.emplace_back(); }) == bitOf(StatePiece::VertexInput));
  CHECK(changed([](PipelineState &state) { state.colorTargets[7].writeMask = 1; }) == bitOf(StatePiece::ColorOutput));
  CHECK(changed([](PipelineState &state) { state.depthStencilFormat = VK_FORMAT_UNDEFINED; }) ==
        bitOf(StatePiece::ColorOutput));
  CHECK(changed([](PipelineState &state) { state.topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST; }) ==
        bitOf(StatePiece::Rest));
  CHECK(changed([](PipelineState &state) { state.rasterizationSamples = 2; }) ==
        (bitOf(StatePiece::ColorOutput) | bitOf(StatePiece::Rest)));
}

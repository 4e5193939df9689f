// SPDX-License-Identifier: MIT
//
// Control shaders that are compiled for the size of the patches that are drawn. On GFX9, with as many vertices as
// invocations, an invocation has its own vertex in registers. The tests check which data goes through LDS then, and
// that the picture stays the same.
#include "merge/check/check_image.h"
#include "parts/cache/part_maker.h"
#include "tests/driver/code/known_variant.h"
#include "tests/driver/own_shaders.h"
#include "tests/driver/shared_device.h"
#include "tools/proof/reference/reference.h"
#include "tools/proof/scene/compare.h"
#include "tools/proof/scene/maker/make_scene.h"
#include "variants/optimize/optimized_variant.h"
#include "variants/state/canonicalize.h"
#include <cstring>
#include <doctest/doctest.h>

using namespace dovetail;

namespace {

using lgc::ShaderStage;

struct Drawn {
  VariantRef joined, known;
  Comparison comparison;
};

uint32_t outputVertices(const ShaderSet &shaders) {
  return shaders.reflection(ShaderStage::TessControl)->tessellation.outputVertices;
}

// Makes the scene draw `count` vertices: its own again and again.
void repeatPatches(Scene &scene, uint32_t count) {
  std::vector<uint32_t> indices = scene.indices;
  if (indices.empty()) {
    for (uint32_t i = 0; i < scene.vertexCount; ++i)
      indices.push_back(i);
    scene.vertexOffset = static_cast<int32_t>(scene.firstVertex);
    scene.firstVertex = 0;
  }
  REQUIRE_FALSE(scene.primitiveRestart);
  scene.indices.clear();
  for (uint32_t i = 0; i < count; ++i)
    scene.indices.push_back(indices[i % indices.size()]);
  scene.vertexCount = count;
}

// Draws patches of a size, joined and compiled for that size. `patches`: their number; 0: as the scene has them.
Drawn draw(const OwnProgram &program, uint32_t patchControlPoints, const std::string &gpu = "gfx900",
           uint32_t patches = 0) {
  PipelineState state = randomState(program.shaders, 1);
  state.patchControlPoints = patchControlPoints;
  Result<Scene> scene = makeScene(program.shaders, state, {1, 16, 16});
  if (!scene)
    FAIL(program.name << ": " << scene.error().text);
  if (patches)
    repeatPatches(*scene, patches * patchControlPoints);
  KnowledgeByStage knowledge;
  knowledge[size_t(ShaderStage::TessControl)].patchControlPoints = patchControlPoints;
  PipelineState canonical = canonicalize(scene->state, program.shaders);
  Drawn drawn;
  drawn.joined = buildJoined(sharedDevice(gpu), program.shaders, canonical);
  drawn.known = buildUnderKnowledge(sharedDevice(gpu), program.shaders, canonical, knowledge);
  drawn.comparison = compare(*scene, drawWith(*drawn.joined, *scene, program.shaders),
                             drawWith(*drawn.known, *scene, program.shaders));
  return drawn;
}

uint32_t ldsBytes(const Variant &variant) {
  return variant.image->tessellation->ldsBytes;
}

unsigned barriers(const Variant &variant) {
  constexpr uint32_t barrier = 0xbf8a0000; // s_barrier
  unsigned count = 0;
  for (const ImageStage &stage : variant.image->stages)
    for (uint32_t at = stage.entry; stage.stage == HardwareStage::Hs && at + 4 <= stage.entry + stage.size; at += 4) {
      uint32_t word;
      std::memcpy(&word, variant.image->code.data() + at, 4);
      count += word == barrier;
    }
  return count;
}

bool refersTo(const Part &part, LinkConstant constant) {
  return std::ranges::any_of(part.relocations, [&](const Relocation &relocation) {
    return relocation.target == RelocationTarget::Link && relocation.addend == int64_t(constant);
  });
}

const OwnProgram &program(const std::string &stem) {
  static const std::vector<OwnProgram> programs = readOwnPrograms();
  for (const OwnProgram &program : programs)
    if (program.name.rfind(stem + ".", 0) == 0)
      return program;
  FAIL("no program " << stem);
  return programs.front();
}

// The test fails if there is no optimised variant.
VariantRef buildOptimized(const ShaderSet &shaders, const PipelineState &canonical) {
  VariantRef joined = buildJoined(sharedDevice(), shaders, canonical);
  Result<OptimizedBuild> build =
      buildOptimizedVariant(sharedDevice().partMaker(), makeOptimizedKey(shaders, canonical, nullptr), shaders,
                            canonical, nullptr, *joined, {});
  REQUIRE_MESSAGE(build.has_value(), build.error().text);
  REQUIRE_MESSAGE(build->variant, build->rejection);
  return build->variant;
}

bool isTessellated(const OwnProgram &program) {
  return program.shaders.shader(ShaderStage::TessControl) && !program.shaders.shader(ShaderStage::Geometry);
}

} // namespace

TEST_CASE("programs of control shaders draw the same when the size of the patches is known") {
  for (const OwnProgram &program : readOwnPrograms()) {
    if (!isTessellated(program))
      continue;
    CAPTURE(program.name);
    // A shader that reads a fixed number of vertices states that number.
    const uint32_t read = program.shaders.reflection(ShaderStage::TessControl)->patchVertices;
    const uint32_t size = read ? read : outputVertices(program.shaders);
    for (const char *gpu : {"gfx900", "gfx803"}) {
      CAPTURE(std::string(gpu));
      Drawn drawn = draw(program, size, gpu);
      CHECK_MESSAGE(drawn.comparison.matches, drawn.comparison.text);
      for (const ImagePart &part : drawn.known->image->parts)
        if (drawn.known->image->stages[part.stage].stage == HardwareStage::Hs)
          CHECK_FALSE(refersTo(*part.part, LinkConstant::PatchControlPoints));
    }
  }
}

TEST_CASE("a control shader that reads its own vertex only needs neither LDS nor a barrier") {
  for (const char *name : {"tess_triangles_equal", "tess_quads_odd", "tess_one_control_point"}) {
    CAPTURE(std::string(name));
    Drawn drawn = draw(program(name), outputVertices(program(name).shaders));
    CHECK_MESSAGE(drawn.comparison.matches, drawn.comparison.text);
    CHECK(ldsBytes(*drawn.joined) > 0);
    CHECK(ldsBytes(*drawn.known) == 0);
    CHECK(barriers(*drawn.joined) == 1);
    CHECK(barriers(*drawn.known) == 0);
    CHECK(instructionsOf(*drawn.known, HardwareStage::Hs) < instructionsOf(*drawn.joined, HardwareStage::Hs));
  }
}

TEST_CASE("what other invocations read, too, stays in LDS") {
  Drawn drawn = draw(program("tess_bezier"), 16);
  CHECK_MESSAGE(drawn.comparison.matches, drawn.comparison.text);
  CHECK(ldsBytes(*drawn.known) > 0);
  CHECK(barriers(*drawn.known) == 1);
  CHECK(instructionsOf(*drawn.known, HardwareStage::Hs) < instructionsOf(*drawn.joined, HardwareStage::Hs));
}

TEST_CASE("patches of another size go through LDS") {
  Drawn drawn = draw(program("tess_3_to_6"), 3);
  CHECK_MESSAGE(drawn.comparison.matches, drawn.comparison.text);
  CHECK(ldsBytes(*drawn.known) == ldsBytes(*drawn.joined));
  CHECK(barriers(*drawn.known) == barriers(*drawn.joined));
  Drawn smaller = draw(program("tess_16_to_4"), 16);
  CHECK_MESSAGE(smaller.comparison.matches, smaller.comparison.text);
}

TEST_CASE("waves and groups that are not full draw the same") {
  for (const char *name : {"tess_triangles_equal", "tess_bezier"})
    for (uint32_t patches : {1u, 21u, 22u, 43u, 90u}) {
      CAPTURE(std::string(name));
      CAPTURE(patches);
      Drawn drawn = draw(program(name), outputVertices(program(name).shaders), "gfx900", patches);
      CHECK_MESSAGE(drawn.comparison.matches, drawn.comparison.text);
    }
}

TEST_CASE("whatever the size of the patches, halves that meet in LDS wait for each other") {
  unsigned withoutBarrier = 0;
  for (const char *name : {"tess_point_size", "tess_triangles_equal", "tess_one_control_point"}) {
    const ShaderSet &shaders = program(name).shaders;
    for (uint32_t size : {1u, 2u, 3u, 4u}) {
      CAPTURE(std::string(name));
      CAPTURE(size);
      PipelineState state = randomState(shaders, 1);
      state.patchControlPoints = size;
      const VariantRef optimized = buildOptimized(shaders, canonicalize(state, shaders));
      CHECK(findImageDefects(*optimized->image).empty());
      const ImageStage &hull = *optimized->image->findStage(HardwareStage::Hs);
      const bool meet = hull.firstInterface->outputSlots || hull.interface->inputSlots;
      CHECK(meet == (size != outputVertices(shaders)));
      if (meet)
        CHECK(barriers(*optimized) > 0);
      else
        withoutBarrier += barriers(*optimized) == 0;
    }
  }
  CHECK(withoutBarrier == 3);
}

TEST_CASE("a program without a barrier is refused if one of its halves uses LDS") {
  const ShaderSet &shaders = program("tess_point_size").shaders;
  PipelineState state = randomState(shaders, 1);
  state.patchControlPoints = outputVertices(shaders);
  const VariantRef optimized = buildOptimized(shaders, canonicalize(state, shaders));
  REQUIRE(barriers(*optimized) == 0);
  for (const bool isFirst : {true, false}) {
    Image changed = *optimized->image;
    auto hull = std::ranges::find(changed.stages, HardwareStage::Hs, &ImageStage::stage);
    ShaderInterface half = isFirst ? *hull->firstInterface : *hull->interface;
    (isFirst ? half.outputSlots : half.inputSlots) |= 1;
    (isFirst ? hull->firstInterface : hull->interface) = &half;
    const std::vector<Defect> defects = findImageDefects(changed);
    CHECK(std::ranges::find(defects, DefectKind::NoBarrier, &Defect::kind) != defects.end());
  }
}

TEST_CASE("optimised variants keep vertices in registers and draw what lavapipe draws") {
  unsigned withoutLds = 0, count = 0;
  for (const OwnProgram &program : readOwnPrograms()) {
    if (!program.shaders.shader(ShaderStage::TessControl))
      continue;
    CAPTURE(program.name);
    PipelineState state = randomState(program.shaders, 1);
    const uint32_t read = program.shaders.reflection(ShaderStage::TessControl)->patchVertices;
    state.patchControlPoints = read ? read : outputVertices(program.shaders);
    Result<Scene> scene = makeScene(program.shaders, state, {1, 16, 16});
    if (!scene)
      FAIL(scene.error().text);
    PipelineState canonical = canonicalize(scene->state, program.shaders);
    VariantRef joined = buildJoined(sharedDevice(), program.shaders, canonical);
    const VariantRef variant = buildOptimized(program.shaders, canonical);
    const Variant &optimized = *variant;
    Result<void> checked = checkImage(*optimized.image);
    REQUIRE_MESSAGE(checked.has_value(), checked.error().text);
    CHECK(instructionsOf(optimized, HardwareStage::Hs) < instructionsOf(*joined, HardwareStage::Hs));
    CHECK(ldsBytes(optimized) <= ldsBytes(*joined));
    ++count;
    withoutLds += ldsBytes(optimized) == 0;
    const SceneResult drawn = drawWith(optimized, *scene, program.shaders);
    Comparison withJoined = compare(*scene, drawn, drawWith(*joined, *scene, program.shaders));
    CHECK_MESSAGE(withJoined.matches, withJoined.text);
    // lavapipe crashes on inputs and outputs of 16 bits.
    if (program.name.starts_with("xfb_") || program.name.starts_with("tess_halves"))
      continue;
    Result<SceneResult> reference = drawReference(*scene);
    REQUIRE_MESSAGE(reference.has_value(), reference.error().text);
    Comparison withReference = compare(*scene, drawn, *reference);
    CHECK_MESSAGE(withReference.matches, withReference.text);
  }
  CHECK(withoutLds > count / 2);
}

// SPDX-License-Identifier: MIT
//
// Links shaders that were compiled for one pipeline into another. Either the linker refuses, or the result draws the
// same as the pipeline that was compiled for itself.
#include "merge/check/check_image.h"
#include "tests/link/part_makers.h"
#include "tests/link/random_pipelines.h"
#include "tools/common/pipelines/draw_case.h"
#include "tools/proof/scene/compare.h"
#include "variants/link/elf_linker.h"
#include "variants/link/part_pipeline.h"
#include <cstdlib>
#include <fmt/format.h>

using namespace dovetail;

namespace {

using lgc::ShaderStage;
using File = std::vector<uint8_t>;

Result<FsInputMappings> mappingsOf(PartMaker &maker, const RandomPipeline &pipeline) {
  if (!pipeline.shaders.shader(ShaderStage::Fragment))
    return FsInputMappings();
  ElfLinker linker(maker, pipeline.state, pipeline.shaders.layout);
  const File fragment = DOVETAIL_TRY(compileFragmentPart(maker, pipeline.shaders, pipeline.state));
  DOVETAIL_CHECK(linker.addInputElf(fragment));
  return decodeMappings(DOVETAIL_TRY(linker.getFsInputMappings()));
}

// One shader's file, as it is compiled for this pipeline.
Result<File> compileFor(PartMaker &maker, const RandomPipeline &pipeline, ShaderStage stage, bool isPart) {
  const ShaderSet &shaders = pipeline.shaders;
  if (!isPart) {
    UnlinkedOptions options;
    options.next = shaders.stageBehind(stage);
    options.layout = shaders.layout;
    options.exportPrimitiveId = DOVETAIL_TRY(mappingsOf(maker, pipeline)).readsPrimitiveId;
    return compileUnlinkedShader(maker, shaders.shader(stage), options);
  }
  if (stage == ShaderStage::Fragment)
    return compileFragmentPart(maker, shaders, pipeline.state);
  std::vector<File> files =
      DOVETAIL_TRY(compileOtherPart(maker, shaders, pipeline.state, DOVETAIL_TRY(mappingsOf(maker, pipeline))));
  size_t index = 0;
  for (size_t before = 0; before < size_t(stage); ++before)
    index += shaders.shaders[before] != nullptr;
  return std::move(files[index]);
}

enum class Outcome : uint8_t { Impossible, Refused, Same };

// Fails the test if the linker makes a wrong pipeline without refusing.
Outcome linkInto(Device &device, Random &random) {
  RandomPipeline pipeline = randomPipeline(random);
  DrawRequest request;
  request.width = request.height = 16;
  Result<DrawCase> drawCase =
      makeDrawCase(PipelineInput{.shaders = pipeline.shaders, .state = pipeline.state}, request);
  if (!drawCase)
    return Outcome::Impossible;
  pipeline = {drawCase->shaders, drawCase->scene.state};
  PartMaker &maker = device.partMaker();
  const unsigned howMany = random.below(3); // the most shaders that are compiled for another pipeline
  const bool isPart = random.chance(60);
  ElfLinker linker(maker, pipeline.state, pipeline.shaders.layout);
  unsigned changes = 0;
  for (size_t index = 0; index < lgc::ShaderStageCount; ++index) {
    if (!pipeline.shaders.shaders[index])
      continue;
    const auto stage = ShaderStage(index);
    const bool isChanged = changes < howMany && random.chance(60);
    changes += isChanged;
    Result<File> file = compileFor(maker, isChanged ? changedPipeline(pipeline, stage, random) : pipeline, stage,
                                   isChanged && random.chance(30) ? !isPart : isPart);
    if (!file)
      return Outcome::Impossible;
    REQUIRE(linker.addInputElf(*file).has_value());
  }
  Result<Drawing> expected = drawInEmulator(device, *drawCase, DrawnCode::Joined);
  Result<VariantRef> linked = linker.linkVariant();
  if (!linked) {
    INFO(linked.error().text);
    CHECK((linked.error().code != ErrorCode::Internal));
    // An unlinked shader is compiled without a state, and a few states change its code.
    if (changes == 0 && isPart)
      CHECK_FALSE(expected.has_value());
    return Outcome::Refused;
  }
  if (!expected)
    return Outcome::Impossible;
  const Image &image = *(*linked)->image;
  CHECK(checkImage(image).has_value());
  const SceneResult drawn = must(emulate(drawCase->scene, drawCase->shaders, image));
  const Comparison comparison = compare(drawCase->scene, drawn, expected->result, monolithicTolerance());
  CHECK_MESSAGE(comparison.matches, comparison.text);
  return Outcome::Same;
}

void linkMany(const char *gpu) {
  auto device = must(Device::create(gpu));
  const char *soak = std::getenv("DOVETAIL_SOAK");
  const unsigned count = soak ? unsigned(std::strtoul(soak, nullptr, 10)) : 60;
  std::array<unsigned, 3> outcomes = {};
  for (unsigned seed = 0; seed < count; ++seed) {
    CAPTURE(seed);
    Random random(seed, gpu);
    ++outcomes[size_t(linkInto(*device, random))];
  }
  MESSAGE(fmt::format("{}: {} links are right, {} are refused, {} pipelines cannot be", gpu,
                      outcomes[size_t(Outcome::Same)], outcomes[size_t(Outcome::Refused)],
                      outcomes[size_t(Outcome::Impossible)]));
  CHECK(outcomes[size_t(Outcome::Same)] * 4 > count);
  CHECK(outcomes[size_t(Outcome::Refused)] * 20 > count);
}

} // namespace

TEST_CASE("gfx900: a link is refused, or draws what the pipeline draws that was compiled for itself") {
  linkMany("gfx900");
}

TEST_CASE("gfx803: a link is refused, or draws what the pipeline draws that was compiled for itself") {
  linkMany("gfx803");
}

// SPDX-License-Identifier: MIT
#include "tests/mutations/subject.h"
#include "merge/check/check_image.h"
#include "src/state/format_table.h"
#include "tools/proof/emulator/driver/emulate.h"
#include "tools/proof/scene/maker/make_scene.h"
#include "variants/assemble/build_variant.h"
#include "variants/state/canonicalize.h"
#include <algorithm>

namespace dovetail::mutations {

namespace {

constexpr uint32_t PictureSize = 24;
constexpr unsigned SceneCount = 8;

bool isSamePicture(const ScenePicture &a, const ScenePicture &b) {
  return a.format == b.format && a.bytes == b.bytes;
}

Result<ImageRef> joinStages(const Subject &subject, const Stages &stages) {
  return join({stages, subject.scenes.front().state, subject.target, {}, subject.shaders.layout});
}

// Whether some scene's result differs from the sound image's, or why there is no result.
Verdict draw(const Subject &subject, const Image &image) {
  for (size_t i = 0; i < subject.scenes.size(); ++i) {
    Result<SceneResult> result = emulate(subject.scenes[i], subject.shaders, image);
    if (!result)
      return Verdict{Outcome::Trap, result.error().text};
    if (!isSame(*result, subject.results[i]))
      return Verdict{Outcome::Picture, {}};
  }
  return Verdict{Outcome::Survived, {}};
}

// In formats without fractions, the columns of made-up matrices are zeros and ones. So swapping columns shows nothing.
bool hasScaledAttributes(const PipelineState &state) {
  return std::ranges::any_of(state.vertexAttributes, [](const VertexAttribute &attribute) {
    const FormatInfo *format = findFormat(attribute.format);
    return format && (format->numeric == FormatNumeric::Uscaled || format->numeric == FormatNumeric::Sscaled);
  });
}

bool hasStagesBetween(const ShaderSet &shaders) {
  return shaders.shader(lgc::ShaderStage::TessControl) || shaders.shader(lgc::ShaderStage::Geometry);
}

// A state that shows all that a shader writes. Integers keep their formats; all other targets are floats of 32 or 16
// bits, which take part in the epilog's code.
PipelineState visibleState(const ShaderSet &shaders, uint64_t seed) {
  constexpr unsigned MaxTries = 100;
  PipelineState state = randomState(shaders, seed);
  for (unsigned i = 1; i < MaxTries && hasScaledAttributes(state); ++i)
    state = randomState(shaders, seed + i);
  // Patches and geometry shaders decide the topology themselves.
  if (!hasStagesBetween(shaders))
    state.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
  bool hasColor = false;
  for (ColorTarget &target : state.colorTargets) {
    const FormatInfo *format = findFormat(target.format);
    if (format == nullptr)
      continue;
    if (format->numeric != FormatNumeric::Uint && format->numeric != FormatNumeric::Sint)
      target.format = seed % 2 == 0 ? VK_FORMAT_R16G16B16A16_SFLOAT : VK_FORMAT_R32G32B32A32_SFLOAT;
    target.writeMask = 0xf;
    target.blendEnable = false;
    hasColor = true;
  }
  // Depth and stencil can be read only if there is one sample.
  if (!hasColor)
    state.rasterizationSamples = 1;
  state.depthStencilFormat = VK_FORMAT_D32_SFLOAT_S8_UINT;
  return canonicalize(state, shaders);
}

// Shows depth and stencil, whatever the shaders write there. Vertices do not count from 0, and neither do instances if
// no buffer has a record for each. (A vertex behind the end of its buffer has zeros.)
void showMore(Scene &scene, unsigned number) {
  scene.depthTestEnable = scene.depthWriteEnable = scene.stencilTestEnable = true;
  scene.depthCompareOp = VK_COMPARE_OP_ALWAYS;
  if (!scene.indices.empty())
    scene.vertexOffset += int32_t(number);
  const bool hasInstances = std::ranges::any_of(scene.state.vertexBindings, [](const VertexBinding &binding) {
    return binding.inputRate == VK_VERTEX_INPUT_RATE_INSTANCE;
  });
  if (!hasInstances)
    scene.firstInstance = 2 * number;
  if (scene.vertexBuffers.empty() && scene.indices.empty())
    scene.firstVertex += number;
}

// Drops two thirds of the triangles and half of the workgroups: a scene whose geometry covers all of the target looks
// the same when x and y are exchanged.
void makeLopsided(Scene &scene) {
  scene.workgroups[1] = 1;
  uint32_t kept = std::max(scene.vertexCount / 9 * 3, scene.state.patchControlPoints);
  if (kept == 0)
    return;
  scene.vertexCount = kept;
  if (!scene.indices.empty())
    scene.indices.resize(kept);
}

// Draws as many instances as it takes to have `vertices` vertices. So there are waves other than a group's first,
// groups other than the first, and waves in which one half has no lanes.
void drawMore(Scene &scene, uint32_t vertices) {
  scene.instanceCount = std::max(scene.instanceCount, vertices / std::max(scene.vertexCount, 1u));
}

} // namespace

std::string_view toString(MutationKind kind) {
  constexpr std::string_view Names[] = {
      "s_waitcnt dropped",       "s_nop at a join dropped", "contract registers swapped", "part shortened",
      "relocation 4 bytes off",  "EXEC of the glue",        "move of the glue",           "branch of the glue",
      "MODE of the second half", "s_barrier dropped",       "geometry message",           "link constant off",
      "load of the copy shader", "ordered section"};
  return Names[size_t(kind)];
}

std::string_view toString(Outcome outcome) {
  constexpr std::string_view Names[] = {"join", "check", "trap", "picture", "survived"};
  return Names[size_t(outcome)];
}

bool isSame(const SceneResult &a, const SceneResult &b) {
  for (size_t i = 0; i < a.colors.size(); ++i) {
    if (!isSamePicture(a.colors[i], b.colors[i]))
      return false;
  }
  return isSamePicture(a.depth, b.depth) && isSamePicture(a.stencil, b.stencil) && a.buffers == b.buffers &&
         a.images == b.images;
}

Result<Subject> makeSubject(Device &device, const std::string &name, const ShaderSet &shaders, uint64_t seed,
                            CodeTier tier) {
  Subject subject;
  subject.name = name;
  subject.shaders = shaders;
  PipelineState state = visibleState(shaders, seed);
  for (unsigned i = 0; i < SceneCount; ++i) {
    subject.scenes.push_back(DOVETAIL_TRY(makeScene(shaders, state, {seed + i, PictureSize, PictureSize})));
    showMore(subject.scenes.back(), i);
    if (i % 4 != 3)
      makeLopsided(subject.scenes.back());
    else if (hasStagesBetween(shaders))
      drawMore(subject.scenes.back(), 100 * i);
  }
  subject.target = device.target();
  VariantRef variant = DOVETAIL_TRY(device.bind(shaders, state, {.tier = tier}));
  subject.image = imageOf(variant);
  subject.isFirstCode = hasFirstCode(*variant);
  DOVETAIL_CHECK(checkImage(*subject.image));
  for (const ImageStage &stage : subject.image->stages) {
    StageParts parts;
    parts.stage = stage.stage;
    for (unsigned i = 0; i < stage.partCount; ++i)
      parts.parts.push_back(subject.image->parts[stage.firstPart + i].part);
    subject.stages.push_back(std::move(parts));
  }
  for (const Scene &scene : subject.scenes)
    subject.results.push_back(DOVETAIL_TRY(emulate(scene, shaders, *subject.image)));
  return subject;
}

std::vector<Mutant> allMutants(const Subject &subject) {
  std::vector<Mutant> mutants;
  for (auto make : {dropWaits, dropJoinNops, swapContracts, shortenParts, shiftRelocations, breakGlue, dropBarriers,
                    breakMessages, changeConstants, shiftCopyLoads, breakInterlocks}) {
    std::vector<Mutant> made = make(subject);
    std::move(made.begin(), made.end(), std::back_inserter(mutants));
  }
  return mutants;
}

Result<Verdict> judge(const Subject &subject, const Mutant &mutant) {
  if (!mutant.before.empty()) {
    ImageRef before = DOVETAIL_TRY(joinStages(subject, mutant.before));
    DOVETAIL_CHECK(checkImage(*before));
    Verdict verdict = draw(subject, *before);
    if (verdict.outcome != Outcome::Survived)
      return makeError(ErrorCode::CheckFailed, "{}: draws something else before it is mutated: {}", mutant.what,
                       verdict.text);
  }
  Result<ImageRef> image = joinStages(subject, mutant.stages);
  if (!image)
    return Verdict{Outcome::Refused, image.error().text};
  if (std::vector<Defect> defects = findImageDefects(**image); !defects.empty())
    return Verdict{Outcome::Defect, toString(defects.front())};
  return draw(subject, **image);
}

Result<Outcome> drawAll(const Subject &subject, const Stages &stages) {
  ImageRef image = DOVETAIL_TRY(joinStages(subject, stages));
  return draw(subject, *image).outcome;
}

} // namespace dovetail::mutations

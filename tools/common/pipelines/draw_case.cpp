// SPDX-License-Identifier: MIT
#include "tools/common/pipelines/draw_case.h"
#include "merge/check/check_image.h"
#include "parts/cache/part_maker.h"
#include "src/state/format_table.h"
#include "tools/common/inputs/earlier_stages.h"
#include "tools/common/inputs/later_stages.h"
#include "tools/common/inputs/scene_json.h"
#include "tools/common/inputs/spirv/perturb_floats.h"
#include "tools/common/inputs/spirv/spirv_passes.h"
#include "tools/common/inputs/spirv/vary_undefined.h"
#include "tools/common/inputs/spirv/written_colors.h"
#include "tools/common/inputs/state_file.h"
#include "tools/proof/emulator/image/image_descriptor.h"
#include "tools/proof/reference/reference.h"
#include "tools/proof/scene/maker/make_scene.h"
#include "tools/proof/scene/maker/vertex_buffers.h"
#include "tools/proof/spirv/spirv_words.h"
#include "variants/state/canonicalize.h"
#include "variants/state/default_state.h"
#include <algorithm>
#include <spirv/unified1/spirv.hpp11>

namespace dovetail {

namespace {

// For a shell: quoted unless it is plain.
std::string quoted(const std::string &text) {
  constexpr std::string_view Plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=:,./@%";
  if (!text.empty() && text.find_first_not_of(Plain) == std::string::npos)
    return text;
  std::string result = "'";
  for (char c : text)
    result += c == '\'' ? "'\\''" : std::string(1, c);
  return result + "'";
}

void setFloatColorFormat(PipelineState &state, VkFormat format) {
  if (format == VK_FORMAT_UNDEFINED)
    return;
  for (ColorTarget &target : state.colorTargets)
    if (const FormatInfo *info = findFormat(target.format); info && !info->isInteger())
      target.format = format;
}

// Masks the components of targets that the shader does not write: their values are undefined after the draw. A state
// file is read later and overrides these masks.
void maskUndefined(PipelineState &state, const spirv::Reflection &fragment, const WrittenColors &written) {
  bool hasSecondSource = std::ranges::any_of(fragment.fragmentOutputs, [](const auto &output) { return output.index; });
  for (uint32_t location = 0; location < MaxColorTargets; ++location) {
    ColorTarget &target = state.colorTargets[location];
    target.writeMask &= written.colors[location];
    // Blend factors may read the missing alpha.
    if (!(written.colors[location] & 8) || (hasSecondSource && written.secondSources[location] != 0xf))
      target.blendEnable = false;
  }
}

// Whether the last stage before the rasteriser writes a position; true for compute shaders.
bool writesPosition(const ShaderSet &shaders) {
  for (lgc::ShaderStage stage : {lgc::ShaderStage::Geometry, lgc::ShaderStage::TessEval, lgc::ShaderStage::Vertex})
    if (const spirv::Reflection *last = shaders.reflection(stage))
      return std::ranges::any_of(last->builtIns, [](const spirv::BuiltInVariable &variable) {
        return variable.isOutput && variable.builtIn == static_cast<uint32_t>(spv::BuiltIn::Position);
      });
  return true;
}

// Whether a shader sets a mode for half denormals (preserve or flush).
bool choosesHalfDenormals(const std::vector<uint32_t> &words) {
  bool chooses = false;
  eachInstruction(words, [&](SpirvInstruction inst) {
    constexpr uint32_t Halves = 16;
    const bool isMode = opcodeOf(inst) == spv::Op::OpExecutionMode && inst.size() > 3 && inst[3] == Halves;
    chooses |= isMode && (inst[2] == static_cast<uint32_t>(spv::ExecutionMode::DenormPreserve) ||
                          inst[2] == static_cast<uint32_t>(spv::ExecutionMode::DenormFlushToZero));
  });
  return chooses;
}

// The kinds of noise that may explain differences of these shaders.
uint8_t noiseOf(const ShaderSet &shaders) {
  constexpr uint8_t HalfDenormals = 1u << unsigned(emulator::NoiseSource::HalfDenormals);
  const bool isChosen = std::ranges::any_of(shaders.shaders, [](const ShaderRef &shader) {
    return shader && !shader->passesThrough && choosesHalfDenormals(shader->description.words);
  });
  return isChosen ? emulator::AllNoise & ~HalfDenormals : emulator::AllNoise;
}

// Adds what the shaders say about the numbers in their buffers.
Tolerance withTypes(Tolerance tolerance, const ShaderSet &shaders) {
  for (const ShaderRef &shader : shaders.shaders) {
    if (!shader || shader->passesThrough)
      continue;
    const std::vector<uint32_t> &words = shader->description.words;
    tolerance.buffersHoldDoubles |= declaresCapability(words, spv::Capability::Float64);
    tolerance.buffersHoldHalves |= declaresCapability(words, spv::Capability::Float16) ||
                                   declaresCapability(words, spv::Capability::StorageBuffer16BitAccess);
  }
  return tolerance;
}

constexpr size_t FirstVariations = 8, MaxVariations = 64;

// Whether only so few components are outside that more variations may explain them.
bool isNearMatch(const Comparison &comparison) {
  constexpr size_t Share = 20;
  return std::ranges::all_of(
      comparison.channels, [](const ChannelDifference &channel) { return channel.outside * Share <= channel.texels; });
}

// Whether an integer or a word of a buffer is unstable. Only an unstable float of the program excuses that.
bool hasUnstableWords(const Comparison &comparison) {
  return std::ranges::any_of(comparison.channels, [](const ChannelDifference &channel) {
    return channel.unstableIntegers > 0 || (channel.unstable > 0 && channel.what.starts_with("buffer"));
  });
}

// Takes the samplers of the pipeline's layout instead of made-up ones. Whether a sampler compares is the shader's
// choice.
void setSamplers(const std::vector<PipelineSampler> &samplers, Scene &scene) {
  for (const PipelineSampler &given : samplers)
    for (SceneDescriptor &descriptor : scene.descriptors) {
      const bool hasSampler =
          descriptor.type == VK_DESCRIPTOR_TYPE_SAMPLER || descriptor.type == VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
      if (!hasSampler || descriptor.set != given.set || descriptor.binding != given.binding ||
          descriptor.element != given.element)
        continue;
      SceneSampler sampler = given.sampler;
      sampler.compareEnable = scene.samplers[descriptor.sampler].compareEnable;
      descriptor.sampler = uint32_t(scene.samplers.size());
      scene.samplers.push_back(sampler);
    }
}

// Gives the layout the scene's immutable samplers and conversions, with which the reference draws.
void takeSamplersOf(const Scene &scene, ShaderSet &shaders) {
  if (!shaders.layout || shaders.layout->immutableSamplers().empty())
    return;
  std::vector<uint32_t> words = shaders.layout->immutableSamplers();
  for (const UserDataNode &node : shaders.layout->nodes())
    for (const SceneDescriptor &descriptor : scene.descriptors) {
      const uint64_t dword = uint64_t(descriptor.element) * strideOf(node);
      const bool hasSampler =
          descriptor.type == VK_DESCRIPTOR_TYPE_SAMPLER || descriptor.type == VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
      if (node.type == UserDataNodeType::ImmutableSampler && hasSampler && descriptor.set == node.set &&
          descriptor.binding == node.binding && descriptor.sampler < scene.samplers.size()) {
        const std::array<uint32_t, 4> sampler = emulator::samplerDescriptor(scene.samplers[descriptor.sampler]);
        if (dword + sampler.size() <= node.sizeInDwords)
          std::ranges::copy(sampler, words.begin() + ptrdiff_t(node.offsetInDwords + dword));
      }
      if (node.type == UserDataNodeType::YcbcrConversion &&
          descriptor.type == VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER && descriptor.set == node.set &&
          descriptor.binding == node.binding && dword < node.sizeInDwords)
        words[node.offsetInDwords + dword] = descriptor.ycbcrConversion;
    }
  shaders.layout = std::make_shared<const ResourceLayout>(shaders.layout->nodes(), std::move(words));
}

// The layout's immutable samplers may differ from the scene's.
Result<DrawCase> makeWithScene(ShaderSet shaders, PipelineState state, const std::vector<PipelineSampler> &samplers,
                               const DrawRequest &request) {
  DrawCase made;
  made.shaders = std::move(shaders);
  setFloatColorFormat(state, request.floatColorFormat);
  if (const ShaderRef &fragment = made.shaders.shader(lgc::ShaderStage::Fragment)) {
    WrittenColors written = DOVETAIL_TRY(findWrittenColors(fragment->description));
    maskUndefined(state, fragment->reflection, written);
  }
  if (!request.stateFile.empty())
    state = DOVETAIL_TRY(readStateFile(request.stateFile, state));
  if (!state.rasterizerDiscardEnable && !writesPosition(made.shaders))
    return makeError(ErrorCode::Unsupported, "no stage writes gl_Position, so where anything is drawn is undefined");
  SceneOptions options = {request.seed, request.width, request.height, request.randomState};
  made.scene = DOVETAIL_TRY(makeScene(made.shaders, state, options));
  setSamplers(samplers, made.scene);
  if (request.stateFile.empty())
    return made;
  Scene madeUp = made.scene;
  DOVETAIL_CHECK(readSceneFile(request.stateFile, made.scene));
  if (made.scene.width != request.width || made.scene.height != request.height) {
    // Made-up inputs depend on the framebuffer's size, which the file has just changed.
    options.width = made.scene.width;
    options.height = made.scene.height;
    madeUp = DOVETAIL_TRY(makeScene(made.shaders, state, options));
    setSamplers(samplers, madeUp);
    made.scene = madeUp;
    DOVETAIL_CHECK(readSceneFile(request.stateFile, made.scene));
  }
  DOVETAIL_CHECK(growVertexBuffers(made.shaders, madeUp, made.scene));
  return made;
}

Result<DrawCase> makeCase(ShaderSet shaders, PipelineState state, const std::vector<PipelineSampler> &samplers,
                          const DrawRequest &request) {
  DrawCase made = DOVETAIL_TRY(makeWithScene(std::move(shaders), std::move(state), samplers, request));
  takeSamplersOf(made.scene, made.shaders);
  return made;
}

// Runs the passes on the case's shaders only; the scene keeps its own.
Result<DrawCase> afterPasses(DrawCase drawCase, const std::string &passes) {
  if (!passes.empty())
    drawCase.shaders = DOVETAIL_TRY(withSpirvPasses(drawCase.shaders, passes));
  return drawCase;
}

} // namespace

Result<DrawCase> makeDrawCase(const DrawRequest &request) {
  return makeDrawCase(DOVETAIL_TRY(readShaders(request.files, request.read)), request);
}

Result<DrawCase> makeDrawCase(std::vector<ShaderRef> shaders, const DrawRequest &request) {
  DOVETAIL_CHECK(addEarlierStages(shaders));
  DOVETAIL_CHECK(addLaterStages(shaders));
  ShaderSet set = DOVETAIL_TRY(makeShaderSet(shaders));
  PipelineState state = request.randomState ? randomState(set, request.seed) : defaultState(set);
  return afterPasses(DOVETAIL_TRY(makeCase(std::move(set), std::move(state), {}, request)), request.read.spirvPasses);
}

Result<DrawCase> makeDrawCase(PipelineInput pipeline, const DrawRequest &request) {
  return afterPasses(
      DOVETAIL_TRY(makeCase(std::move(pipeline.shaders), std::move(pipeline.state), pipeline.samplers, request)),
      request.read.spirvPasses);
}

std::string_view toString(DrawnCode code) {
  switch (code) {
  case DrawnCode::Joined:
    return "joined";
  case DrawnCode::Monolithic:
    return "monolithic";
  case DrawnCode::Optimized:
    return "optimized";
  case DrawnCode::FirstCode:
    return "first code";
  }
  return "?";
}

Result<OptimizedBuild> buildOptimized(Device &device, const DrawCase &drawCase) {
  VariantRef joined = DOVETAIL_TRY(device.bind(drawCase.shaders, drawCase.scene.state));
  PipelineState state = canonicalize(drawCase.scene.state, drawCase.shaders);
  return buildOptimizedVariant(device.partMaker(), makeOptimizedKey(drawCase.shaders, state, nullptr), drawCase.shaders,
                               state, nullptr, *joined, {});
}

Result<VariantRef> buildDrawn(Device &device, const DrawCase &drawCase, DrawnCode code) {
  if (code == DrawnCode::Optimized)
    if (OptimizedBuild build = DOVETAIL_TRY(buildOptimized(device, drawCase)); build.variant)
      return build.variant;
  if (code == DrawnCode::FirstCode)
    return DOVETAIL_TRY(buildFirstCode(device.target().gpuName, drawCase.shaders, drawCase.scene.state)).variant;
  return device.bind(drawCase.shaders, drawCase.scene.state, {code == DrawnCode::Monolithic});
}

Result<FirstCodeBuild> buildFirstCode(std::string_view gpu, const ShaderSet &shaders, const PipelineState &state) {
  const std::unique_ptr<PartMaker> maker = DOVETAIL_TRY(PartMaker::create(gpu));
  const PipelineState canonical = canonicalize(state, shaders);
  const BuildOptions options = {.tier = CodeTier::FirstCode};
  VariantRef variant =
      DOVETAIL_TRY(buildVariant(*maker, makeVariantKey(shaders, canonical, options), shaders, canonical, options));
  return FirstCodeBuild{std::move(variant), maker->firstCodeCounts()};
}

std::string printFirstCode(const FirstCodeCounts &counts) {
  std::string text = fmt::format("first code made {} of {} main parts\n", counts.made, counts.made + counts.refused);
  std::vector<std::pair<std::string, uint64_t>> reasons(counts.reasons.begin(), counts.reasons.end());
  std::ranges::stable_sort(reasons, std::greater(), &std::pair<std::string, uint64_t>::second);
  for (const auto &[reason, count] : reasons)
    text += fmt::format("{:6} refused: {}\n", count, reason);
  return text;
}

Result<LinkedPipeline> buildInMode(Device &device, const DrawCase &drawCase, PipelineMode mode) {
  std::unique_ptr<PartMaker> linker = DOVETAIL_TRY(PartMaker::create(device.target().gpuName));
  return buildInMode(device.partMaker(), *linker, drawCase.shaders, drawCase.scene.state, mode);
}

Result<Drawing> drawInEmulator(Device &device, const DrawCase &drawCase, DrawnCode code,
                               const emulator::Variation &variation) {
  Drawing drawing;
  VariantRef variant;
  if (code == DrawnCode::FirstCode) {
    FirstCodeBuild build =
        DOVETAIL_TRY(buildFirstCode(device.target().gpuName, drawCase.shaders, drawCase.scene.state));
    variant = std::move(build.variant);
    drawing.firstCode = std::move(build.counts);
  } else {
    variant = DOVETAIL_TRY(buildDrawn(device, drawCase, code));
  }
  DOVETAIL_CHECK(checkImage(*variant->image));
  drawing.result =
      DOVETAIL_TRY(emulate(drawCase.scene, drawCase.shaders, *variant->image, &drawing.statistics, variation));
  return drawing;
}

Result<Comparison> PictureJudge::compare(const SceneResult &ours, const SceneResult &reference,
                                         const Tolerance &chosen) {
  const Tolerance tolerance = withTypes(chosen, m_case.shaders);
  Comparison comparison = dovetail::compare(m_case.scene, ours, reference, tolerance);
  if (comparison.matches)
    return comparison;
  for (size_t count = FirstVariations; count <= MaxVariations; count *= 2) {
    DOVETAIL_CHECK(addNoise(count));
    if (m_hasUndefined)
      DOVETAIL_CHECK(addUndefined(count));
    comparison = dovetail::compare(m_case.scene, ours, reference, tolerance, variations());
    if (m_perturbed.empty() && hasUnstableWords(comparison)) {
      DOVETAIL_CHECK(addPerturbed());
      comparison = dovetail::compare(m_case.scene, ours, reference, tolerance, variations());
    }
    if (comparison.matches || !isNearMatch(comparison))
      break;
  }
  for (uint32_t count : {4, 12}) {
    if (comparison.matches)
      break;
    DOVETAIL_CHECK(addDefinite(count));
    comparison = dovetail::compare(m_case.scene, ours, reference, tolerance, variations());
  }
  return comparison;
}

Result<Comparison> PictureJudge::explain(const SceneResult &ours, const SceneResult &reference,
                                         const Tolerance &tolerance) {
  Comparison comparison = DOVETAIL_TRY(compare(ours, reference, tolerance));
  if (std::ranges::none_of(comparison.channels, [](const auto &channel) { return channel.unstable > 0; }))
    return comparison;
  DOVETAIL_CHECK(addNoiseOf());
  return dovetail::compare(m_case.scene, ours, reference, withTypes(tolerance, m_case.shaders), variations());
}

// Seed 0 draws the shaders unchanged.
Result<SceneResult> PictureJudge::drawDefinite(uint32_t seed) {
  Scene scene = m_case.scene;
  bool isVaried = seed == 0;
  for (SceneShader &shader : scene.shaders) {
    std::vector<uint32_t> words = seed == 0 ? shader.words : varyUndefined(shader.words, seed);
    isVaried |= words != shader.words;
    shader.words = std::move(words);
  }
  if (!isVaried)
    return makeError(ErrorCode::Unsupported, "the shaders leave nothing undefined");
  return drawReference(scene);
}

Result<void> PictureJudge::addDefinite(uint32_t count) {
  if (m_definite.empty() && m_definiteSeed == 0)
    if (Result<SceneResult> drawn = drawDefinite(0))
      m_definite.push_back(std::move(*drawn));
  m_isDefiniteOurs |= m_definite.empty();
  while (m_definiteSeed < count) {
    const uint32_t seed = ++m_definiteSeed;
    // A value that the shader leaves undefined may decide whether a loop ends, so a failed draw is skipped.
    if (Result<SceneResult> drawn = m_isDefiniteOurs ? drawDefiniteOurs(seed) : drawDefinite(seed))
      m_definite.push_back(std::move(*drawn));
  }
  return {};
}

Result<SceneResult> PictureJudge::drawDefiniteOurs(uint32_t seed) {
  std::vector<ShaderRef> shaders;
  for (const ShaderRef &shader : m_case.shaders.shaders) {
    if (!shader || shader->passesThrough) // makeShaderSet() makes pass-through shaders again
      continue;
    ShaderDescription description = shader->description;
    description.words = varyUndefined(description.words, seed);
    shaders.push_back(DOVETAIL_TRY(createShader(std::move(description))));
  }
  const DrawCase varied = {DOVETAIL_TRY(makeShaderSet(shaders)), m_case.scene};
  return DOVETAIL_TRY(drawInEmulator(m_device, varied, DrawnCode::Joined)).result;
}

Result<void> PictureJudge::addPerturbed() {
  constexpr uint32_t Seeds = 8;
  for (uint32_t seed = 0; seed <= Seeds; ++seed) {
    Scene scene = m_case.scene;
    if (seed != 0)
      for (SceneShader &shader : scene.shaders)
        shader.words = perturbFloats(shader.words, seed);
    if (Result<SceneResult> drawn = drawReference(scene))
      m_perturbed.push_back(std::move(*drawn));
    else if (seed == 0)
      return {}; // lavapipe cannot draw even the unchanged shaders
  }
  return {};
}

Result<void> PictureJudge::addNoiseOf() {
  constexpr uint64_t Seeds = 2;
  if (!m_noiseOf.empty())
    return {};
  for (unsigned source = 0; source < emulator::NoiseSourceCount; ++source) {
    ResultVariations::NoiseOf &kind = m_noiseOf.emplace_back();
    kind.name = toString(emulator::NoiseSource(source));
    for (uint64_t seed = 1; seed <= Seeds; ++seed)
      kind.results.push_back(
          DOVETAIL_TRY(drawInEmulator(m_device, m_case, DrawnCode::Joined,
                                      {.roundingNoise = seed, .noiseSources = uint8_t(1u << source)}))
              .result);
  }
  return {};
}

Result<void> PictureJudge::addNoise(size_t count) {
  while (m_noise.size() < count) {
    Drawing drawing =
        DOVETAIL_TRY(drawInEmulator(m_device, m_case, DrawnCode::Joined,
                                    {.roundingNoise = m_noise.size() + 1, .noiseSources = noiseOf(m_case.shaders)}));
    m_hasUndefined |= std::ranges::any_of(drawing.statistics.undefinedEvents, [](uint64_t times) { return times > 0; });
    m_noise.push_back(std::move(drawing.result));
  }
  return {};
}

Result<void> PictureJudge::addUndefined(size_t count) {
  while (m_undefined.size() < count)
    m_undefined.push_back(
        DOVETAIL_TRY(drawInEmulator(m_device, m_case, DrawnCode::Joined, {.undefinedChoices = m_undefined.size() + 1}))
            .result);
  return {};
}

Tolerance monolithicTolerance() {
  return {.relative = 1e-6, .absolute = 1e-7, .normalizedSteps = 1, .halfUlps = 1};
}

std::string replayCommand(const DrawRequest &request, const std::string &gpu) {
  std::string command = "dovetail draw";
  for (const std::string &file : request.files)
    command += " " + quoted(file);
  for (const auto &[option, values] :
       {std::pair("-D", &request.read.defines), std::pair("-I", &request.read.includeFolders),
        std::pair("--spec", &request.read.specConstants)})
    for (const std::string &value : *values)
      command += fmt::format(" {} {}", option, quoted(value));
  if (request.read.environment == spirv::Environment::OpenGl)
    command += " --environment opengl";
  if (request.read.optimizationLevel != ReadOptions().optimizationLevel)
    command += fmt::format(" --optimization-level {}", request.read.optimizationLevel);
  command += fmt::format(" --gpu {} --seed {} --size {}x{}", gpu, request.seed, request.width, request.height);
  if (request.randomState)
    command += " --random-state";
  if (request.floatColorFormat != VK_FORMAT_UNDEFINED)
    command += fmt::format(" --color-format {}", formatName(request.floatColorFormat));
  if (!request.read.spirvPasses.empty())
    command += " --spirv-opt=" + quoted(request.read.spirvPasses);
  if (!request.stateFile.empty())
    command += " --state " + quoted(request.stateFile);
  return command + " --joined --monolithic --compare";
}

} // namespace dovetail

// SPDX-License-Identifier: MIT
//
// Makes a draw or dispatch to try out, for `dovetail draw` and `dovetail corpus --draw`.
#pragma once

#include "parts/cache/first_code_counts.h"
#include "tools/common/inputs/read_shaders.h"
#include "tools/common/pipelines/captured_pipeline.h"
#include "tools/common/pipelines/link_modes.h"
#include "tools/proof/emulator/driver/emulate.h"
#include "tools/proof/scene/compare.h"
#include "variants/bind/device.h"
#include "variants/optimize/optimized_variant.h"
#include <string>

namespace dovetail {

struct DrawRequest {
  std::vector<std::string> files;
  ReadOptions read;
  uint64_t seed = 1;
  uint32_t width = 64, height = 64;
  bool randomState = false;                        // a state chosen by the seed instead of the default state
  VkFormat floatColorFormat = VK_FORMAT_UNDEFINED; // of all float targets; VK_FORMAT_UNDEFINED: each keeps its own
  std::string stateFile;                           // overrides state and scene; "": none
};

struct DrawCase {
  ShaderSet shaders;
  Scene scene; // includes the state
};

// Reads shader files, adds partners to a lone shader, and makes up everything else. Errors: those of reading,
// reflection, the scene maker and the state file.
Result<DrawCase> makeDrawCase(const DrawRequest &request);
// Does the same for a pipeline that has been read, with its state instead of a made-up one. The write masks leave out
// components that the shader does not write. Geometry is made up, so culling, tests and viewports are made up, too.
Result<DrawCase> makeDrawCase(PipelineInput pipeline, const DrawRequest &request);
// Does the same for shaders that have been read.
Result<DrawCase> makeDrawCase(std::vector<ShaderRef> shaders, const DrawRequest &request);

struct Drawing {
  SceneResult result;
  EmulationStatistics statistics;
  FirstCodeCounts firstCode; // DrawnCode::FirstCode
};

// One of a pipeline's variants.
enum class DrawnCode : uint8_t {
  Joined,
  Monolithic,
  Optimized, // the joined one if there is none
  FirstCode, // joined, with main parts of first code where it does not refuse them
};

std::string_view toString(DrawnCode code);

// Errors: those of Device::bind() and buildOptimizedVariant().
Result<VariantRef> buildDrawn(Device &device, const DrawCase &drawCase, DrawnCode code);
Result<OptimizedBuild> buildOptimized(Device &device, const DrawCase &drawCase);

struct FirstCodeBuild {
  VariantRef variant;
  FirstCodeCounts counts; // of its main parts
};
// Builds the variant of first code, with a PartMaker of its own: LLVM's parts, which others may have, would take the
// place of first code. Errors: those of buildVariant().
Result<FirstCodeBuild> buildFirstCode(std::string_view gpu, const ShaderSet &shaders, const PipelineState &state);
// A line that says how many main parts first code made, and one for each reason of a refusal.
std::string printFirstCode(const FirstCodeCounts &counts);

// Builds the pipeline as a file (link_modes.h), with a linker that gets only files. Errors: those of buildInMode().
Result<LinkedPipeline> buildInMode(Device &device, const DrawCase &drawCase, PipelineMode mode);

// Builds the variant and runs it in the emulator. Errors: those of buildDrawn(), checkImage() and emulate().
Result<Drawing> drawInEmulator(Device &device, const DrawCase &drawCase, DrawnCode code,
                               const emulator::Variation &variation = {});

// The tolerance between joined and monolithic code. Both are made of the same operations. But LLVM may fold operations
// of a prolog or epilog into a monolithic main part (a scale into a multiplication, a conversion into another), which
// moves a result by an ulp or two.
Tolerance monolithicTolerance();

// Compares pictures of one case: ours with lavapipe's, or with those of another kind of our code. If two pictures
// differ, it looks for an excuse in this order:
// - It draws the case several times more with rounding noise. Noise tells a wrong picture from that of a shader that is
//   discontinuous there.
// - If noise does not explain the difference, it draws with other choices where something undefined happened.
// - To learn whether a shader leaves a value undefined, it has lavapipe draw shaders that define a value there: another
//   program of ours would prove nothing about this one. Only where lavapipe draws nothing, our own code draws these
//   shaders.
// - To learn whether a float of the program stands behind an integer that noise moves, it asks lavapipe, too.
//
// The variations are those of joined code, whatever drew the picture. They are made once, so equal pictures get the
// same verdict.
class PictureJudge {
public:
  // Keeps references to both arguments.
  PictureJudge(Device &device, const DrawCase &drawCase) : m_device(device), m_case(drawCase) {}

  // Errors: those of drawInEmulator().
  Result<Comparison> compare(const SceneResult &ours, const SceneResult &reference, const Tolerance &tolerance = {});
  // Does the same, and finds the kinds of noise that make values unstable. Errors: the same.
  Result<Comparison> explain(const SceneResult &ours, const SceneResult &reference, const Tolerance &tolerance = {});

private:
  Device &m_device;
  const DrawCase &m_case;
  // Adds draws for seeds up to `count`, except those that exist.
  Result<void> addNoise(size_t count);
  Result<void> addUndefined(size_t count);
  // Adds draws of the case's shaders, and of up to `count` copies that define the values that the shaders leave
  // undefined (tools/common/inputs/spirv/vary_undefined.h).
  Result<void> addDefinite(uint32_t count);
  Result<SceneResult> drawDefinite(uint32_t seed); // by lavapipe
  Result<SceneResult> drawDefiniteOurs(uint32_t seed);
  // Adds draws of the case's shaders, and of copies whose floats are a little off
  // (tools/common/inputs/spirv/perturb_floats.h).
  Result<void> addPerturbed();
  Result<void> addNoiseOf();
  ResultVariations variations() const { return {m_noise, m_undefined, m_definite, m_perturbed, m_noiseOf}; }

  // Each is empty until it is needed.
  std::vector<SceneResult> m_noise, m_undefined, m_definite, m_perturbed;
  std::vector<ResultVariations::NoiseOf> m_noiseOf;
  bool m_hasUndefined = false; // in a draw of m_noise
  uint32_t m_definiteSeed = 0; // the last seed that was tried
  bool m_isDefiniteOurs = false;
};

// The `dovetail draw …` command that draws the same case again.
std::string replayCommand(const DrawRequest &request, const std::string &gpu);

} // namespace dovetail

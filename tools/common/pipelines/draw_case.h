// SPDX-License-Identifier: MIT
//
// A draw or dispatch to be tried out: what `dovetail draw` and `dovetail corpus --draw` have in common.
#pragma once

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
  bool randomState = false;                        // a state chosen by the seed instead of the default one
  VkFormat floatColorFormat = VK_FORMAT_UNDEFINED; // of all targets of floats, unless it is undefined
  std::string stateFile;                           // "": none; it has the last word over state and scene
};

struct DrawCase {
  ShaderSet shaders;
  Scene scene; // with the state
};

// Reads shader files, gives a lone one company, and makes everything else up. Errors: those of reading, reflection, the
// scene maker and the state file.
Result<DrawCase> makeDrawCase(const DrawRequest &request);
// The same for a pipeline that has been read: with its state instead of a made-up one, but for components of targets
// that the shader does not write. Geometry is made up, so culling, tests and viewports are, too.
Result<DrawCase> makeDrawCase(PipelineInput pipeline, const DrawRequest &request);
// The same for shaders that have been read.
Result<DrawCase> makeDrawCase(std::vector<ShaderRef> shaders, const DrawRequest &request);

struct Drawing {
  SceneResult result;
  EmulationStatistics statistics;
};

// Which of a pipeline's variants.
enum class DrawnCode : uint8_t {
  Joined,
  Monolithic,
  Optimized, // the joined one if there is none
};

std::string_view toString(DrawnCode code);

// Errors: those of Device::bind() and buildOptimizedVariant().
Result<VariantRef> buildDrawn(Device &device, const DrawCase &drawCase, DrawnCode code);
Result<OptimizedBuild> buildOptimized(Device &device, const DrawCase &drawCase);

// The pipeline as a file (link_modes.h), with a linker that has nothing but files. Errors: those of buildInMode().
Result<LinkedPipeline> buildInMode(Device &device, const DrawCase &drawCase, PipelineMode mode);

// The variant of the shaders, run in the emulator. Errors: those of buildDrawn(), checkImage() and emulate().
Result<Drawing> drawInEmulator(Device &device, const DrawCase &drawCase, DrawnCode code,
                               const emulator::Variation &variation = {});

// How far joined code and that of whole stages may be apart. They are made of the same operations, but LLVM may fold
// those of a prolog or epilog into a monolithic main part (a scale into a multiplication, a conversion into another),
// which moves a result by an ulp or two.
Tolerance monolithicTolerance();

// Compares pictures of one case: with lavapipe's, or with those of another kind of code. If two are apart, the case is
// drawn several times more with rounding noise, to tell a wrong picture from one of a shader that is discontinuous
// there; and if that does not explain it, with other choices where something undefined happened. Whether a shader left
// something out is asked of lavapipe, which draws shaders that say something there: another program of ours would
// prove nothing about this one. Only where lavapipe draws nothing, our own code draws them.
// Whether a float of the program stands behind an integer that noise moves, lavapipe is asked, too.
// Variations are those of joined code, whatever drew the picture, and made once: so equal pictures get the same
// verdict.
class PictureJudge {
public:
  // Refers to both.
  PictureJudge(Device &device, const DrawCase &drawCase) : m_device(device), m_case(drawCase) {}

  // Errors: those of drawInEmulator().
  Result<Comparison> compare(const SceneResult &ours, const SceneResult &reference, const Tolerance &tolerance = {});
  // The same, and where what is unstable comes from. Errors: the same.
  Result<Comparison> explain(const SceneResult &ours, const SceneResult &reference, const Tolerance &tolerance = {});

private:
  Device &m_device;
  const DrawCase &m_case;
  // Draws with seeds up to `count`, but for those that are there.
  Result<void> addNoise(size_t count);
  Result<void> addUndefined(size_t count);
  // With the case's shaders and up to `count` that say something where those say nothing
  // (tools/common/inputs/spirv/vary_undefined.h).
  Result<void> addDefinite(uint32_t count);
  Result<SceneResult> drawDefinite(uint32_t seed); // by lavapipe
  Result<SceneResult> drawDefiniteOurs(uint32_t seed);
  // With the case's shaders, and with floats that are a little off (tools/common/inputs/spirv/perturb_floats.h).
  Result<void> addPerturbed();
  Result<void> addNoiseOf();
  ResultVariations variations() const { return {m_noise, m_undefined, m_definite, m_perturbed, m_noiseOf}; }

  // None until they are wanted.
  std::vector<SceneResult> m_noise, m_undefined, m_definite, m_perturbed;
  std::vector<ResultVariations::NoiseOf> m_noiseOf;
  bool m_hasUndefined = false; // something undefined happened
  uint32_t m_definiteSeed = 0; // of the last one that was tried
  bool m_isDefiniteOurs = false;
};

// `dovetail draw …` that draws the same case again.
std::string replayCommand(const DrawRequest &request, const std::string &gpu);

} // namespace dovetail

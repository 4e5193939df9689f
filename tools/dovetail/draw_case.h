// SPDX-License-Identifier: MIT
//
// A draw or dispatch to be tried out: what `dovetail draw` and `dovetail corpus --draw` have in common.
#pragma once

#include "tools/dovetail/link_modes.h"
#include "tools/emulator/driver/emulate.h"
#include "tools/inputs/captured_pipeline.h"
#include "tools/inputs/read_shaders.h"
#include "tools/scene/compare.h"
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
// there; and if that does not explain it, with other choices where something undefined happened, or was left out.
// Variations are those of joined code, whatever drew the picture, and made once: so equal pictures get the same
// verdict.
class PictureJudge {
public:
  // Refers to both.
  PictureJudge(Device &device, const DrawCase &drawCase) : m_device(device), m_case(drawCase) {}

  // Errors: those of drawInEmulator().
  Result<Comparison> compare(const SceneResult &ours, const SceneResult &reference, const Tolerance &tolerance = {});

private:
  Device &m_device;
  const DrawCase &m_case;
  // Draws with seeds up to `count`, but for those that are there.
  Result<void> addNoise(size_t count);
  Result<void> addUndefined(size_t count);
  // With shaders that say something else where the case's say nothing (tools/inputs/vary_undefined.h).
  Result<void> addVariedShaders();

  // None until they are wanted.
  std::vector<SceneResult> m_noise, m_undefined;
  bool m_hasUndefined = false; // something undefined happened
  bool m_hasVariedShaders = false;
};

// `dovetail draw …` that draws the same case again.
std::string replayCommand(const DrawRequest &request, const std::string &gpu);

} // namespace dovetail

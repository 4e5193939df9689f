// SPDX-License-Identifier: MIT
#include "tests/storm/storm_states.h"
#include "src/state/format_table.h"
#include "tools/common/inputs/earlier_stages.h"
#include "tools/common/inputs/later_stages.h"
#include "tools/common/inputs/read_shaders.h"
#include "tools/proof/scene/maker/make_scene.h"
#include "tools/proof/scene/maker/random.h"
#include "variants/assemble/build_variant.h"
#include "variants/state/canonicalize.h"
#include <unordered_set>

namespace dovetail::storm {

namespace {

// Files of tests/shaders, without their endings; those of one line are drawn together.
constexpr const char *ProgramFiles[][5] = {
    {"pbr.vert", "pbr.frag"},
    {"phong.vert", "phong.frag"},
    {"terrain.vert", "terrain.frag"},
    {"interpolation.vert", "interpolation.frag"},
    {"input_components.vert", "input_components.frag"},
    {"input_float.vert", "input_float.frag"},
    {"input_integer.vert", "input_integer.frag"},
    {"clip_distance.vert", "clip_distance.frag"},
    {"array_of_blocks.vert", "array_of_blocks.frag"},
    {"skinning.vert"},
    {"input_matrix.vert"},
    {"block_std140.vert"},
    {"mrt_array.frag"},
    {"mrt_holes.frag"},
    {"math_common.frag"},
    {"interpolate_at.frag"},
    {"fetch.frag"},
    {"geom_triangles.vert", "geom_triangles.geom", "geom_triangles.frag"},
    {"tess_3_to_6.vert", "tess_3_to_6.tesc", "tess_3_to_6.tese", "tess_3_to_6.frag"},
    {"tess_point_size.vert", "tess_point_size.tesc", "tess_point_size.tese", "tess_point_size.frag"},
};

Result<ProgramOfStates> readProgram(std::span<const char *const> files) {
  ProgramOfStates program;
  std::vector<std::string> paths;
  for (const char *file : files) {
    if (!file)
      break;
    paths.push_back(std::string(DOVETAIL_OWN_SHADERS "/") + file);
    program.name += (program.name.empty() ? "" : " + ") + std::string(file);
  }
  std::vector<ShaderRef> shaders = DOVETAIL_TRY(readShaders(paths));
  DOVETAIL_CHECK(addEarlierStages(shaders));
  DOVETAIL_CHECK(addLaterStages(shaders));
  program.shaders = DOVETAIL_TRY(makeShaderSet(shaders));
  return program;
}

bool hasFloatTarget(const PipelineState &state) {
  const FormatInfo *format = findFormat(state.colorTargets[0].format);
  return format && !format->isInteger();
}

// Adds state that the scene maker leaves out: a GL driver's state around the same shaders.
void addGlStates(uint64_t seed, PipelineState &state) {
  constexpr VkCompareOp Tests[] = {VK_COMPARE_OP_LESS, VK_COMPARE_OP_EQUAL, VK_COMPARE_OP_LESS_OR_EQUAL,
                                   VK_COMPARE_OP_GREATER, VK_COMPARE_OP_GREATER_OR_EQUAL};
  Random random(seed, "GL states");
  if (hasFloatTarget(state)) {
    if (random.chance(30))
      state.alphaTestFunc = random.pick(Tests);
    state.clampColor = random.chance(25);
    state.alphaToOneEnable = state.rasterizationSamples > 1 && random.chance(20);
    state.alphaToCoverageEnable = state.rasterizationSamples > 1 && random.chance(30);
    // Needs a compiler. Few states have it, as in programs that applications draw.
    state.smoothing = state.rasterizationSamples > 1 && random.chance(5);
    state.pointSmoothing = random.chance(5);
  }
  state.spriteCoordEnable = random.chance(20) ? uint32_t(random.next()) : 0;
  state.spriteCoordLowerLeft = random.chance(30);
  state.polygonStippleEnable = random.chance(10);
  if (state.rasterizationSamples > 1) {
    state.perSampleInterpolation = random.chance(20);
    state.multisampleDisable = !state.perSampleInterpolation && random.chance(20);
  }
}

} // namespace

Result<std::vector<ProgramOfStates>> makeProgramsOfStates(size_t count, uint64_t seed) {
  constexpr size_t TriesForEach = 40;
  std::vector<ProgramOfStates> programs;
  size_t missing = count;
  for (size_t i = 0; i < std::size(ProgramFiles); ++i) {
    ProgramOfStates program = DOVETAIL_TRY(readProgram(ProgramFiles[i]));
    // If a program has too few states, the programs after it have more.
    size_t share = missing / (std::size(ProgramFiles) - i);
    std::unordered_set<Hash128> known;
    for (size_t attempt = 0; program.states.size() < share && attempt < share * TriesForEach; ++attempt) {
      uint64_t stateSeed = seed + attempt;
      PipelineState state = randomState(program.shaders, stateSeed);
      addGlStates(stateSeed, state);
      if (known.insert(hashState(canonicalize(state, program.shaders)).hash()).second)
        program.states.push_back(std::move(state));
    }
    missing -= program.states.size();
    programs.push_back(std::move(program));
  }
  if (missing > 0)
    return makeError(ErrorCode::InvalidInput, "{} of {} states are missing: these shaders do not have so many", missing,
                     count);
  return programs;
}

} // namespace dovetail::storm

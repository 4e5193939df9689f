// SPDX-License-Identifier: MIT
#include "variants/c_api/convert/arguments.h"
#include "variants/c_api/convert/handles.h"
#include "variants/c_api/convert/sized_struct.h"
#include <array>

using namespace dovetail;
using namespace dovetail::c_api;

namespace {

static_assert(int(lgc::ShaderStage::Vertex) == DOVETAIL_STAGE_VERTEX &&
              int(lgc::ShaderStage::TessControl) == DOVETAIL_STAGE_TESS_CONTROL &&
              int(lgc::ShaderStage::TessEval) == DOVETAIL_STAGE_TESS_EVALUATION &&
              int(lgc::ShaderStage::Geometry) == DOVETAIL_STAGE_GEOMETRY &&
              int(lgc::ShaderStage::Fragment) == DOVETAIL_STAGE_FRAGMENT &&
              int(lgc::ShaderStage::Compute) == DOVETAIL_STAGE_COMPUTE);
static_assert(int(CompileTime::FirstUse) == DOVETAIL_COMPILE_AT_FIRST_USE &&
              int(CompileTime::Now) == DOVETAIL_COMPILE_NOW &&
              int(CompileTime::Background) == DOVETAIL_COMPILE_IN_BACKGROUND);
static_assert(int(spirv::Environment::Vulkan) == DOVETAIL_ENVIRONMENT_VULKAN &&
              int(spirv::Environment::OpenGl) == DOVETAIL_ENVIRONMENT_OPENGL);
static_assert(DOVETAIL_NO_LOCATION == lgc::ColorInputLocations::None);

constexpr std::array<const char *, lgc::ShaderStageCount> StageNames = {"vertex shader",
                                                                        "tessellation control shader",
                                                                        "tessellation evaluation shader",
                                                                        "geometry shader",
                                                                        "fragment shader",
                                                                        "compute shader"};

Outcome<void> readColorInputs(const dovetail_shader_description &given, ShaderDescription &description) {
  constexpr const char *Name = "description->color_inputs";
  for (const dovetail_color_input &input :
       DOVETAIL_C_TRY(readArray(given.color_inputs, given.color_input_count, Name))) {
    if (input.color >= description.colorInputs.size())
      return badArgument("{}: there is no colour {}", Name, input.color);
    lgc::ColorInputLocations &locations = description.colorInputs[input.color];
    if (locations.front != DOVETAIL_NO_LOCATION)
      return badArgument("{}: colour {} is described twice", Name, input.color);
    if (input.front >= DOVETAIL_NO_LOCATION || input.back > DOVETAIL_NO_LOCATION)
      return badArgument("{}: colour {} is at the locations {} and {}; they are to be below {}", Name, input.color,
                         input.front, input.back, DOVETAIL_NO_LOCATION);
    locations = {input.front, input.back};
  }
  return {};
}

static_assert(DOVETAIL_SUBGROUP_SIZE == lgc::WaveLanes);
static_assert(int(lgc::FpDenormMode::DontCare) == DOVETAIL_DENORMAL_AS_DECLARED &&
              int(lgc::FpDenormMode::FlushNone) == DOVETAIL_DENORMAL_PRESERVE &&
              int(lgc::FpDenormMode::FlushInOut) == DOVETAIL_DENORMAL_FLUSH);

Outcome<lgc::ShaderOptions> readOptions(const dovetail_shader_description &given) {
  lgc::ShaderOptions options;
  options.subgroupSize = given.required_subgroup_size;
  if (!given.options)
    return options;
  constexpr const char *Name = "description->options";
  const dovetail_shader_options chosen = DOVETAIL_C_TRY(readSized(given.options, dovetail_shader_options{}, Name));
  auto flag = [&](uint32_t value, const char *field) { return readBool(value, fmt::format("{}->{}", Name, field)); };
  options.vgprLimit = chosen.vgpr_limit;
  options.sgprLimit = chosen.sgpr_limit;
  options.waveLimit = chosen.min_waves_per_simd;
  options.maxThreadGroupsPerComputeUnit = chosen.max_workgroups_per_unit;
  options.unrollThreshold = chosen.unroll_threshold;
  options.disableLoopUnroll = DOVETAIL_C_TRY(flag(chosen.disable_loop_unroll, "disable_loop_unroll"));
  options.trapPresent = DOVETAIL_C_TRY(flag(chosen.trap_present, "trap_present"));
  options.debugMode = DOVETAIL_C_TRY(flag(chosen.debug_mode, "debug_mode"));
  options.allowReZ = DOVETAIL_C_TRY(flag(chosen.allow_re_z, "allow_re_z"));
  options.forceLateZ = DOVETAIL_C_TRY(flag(chosen.force_late_z, "force_late_z"));
  options.viewIndexFromDeviceIndex =
      DOVETAIL_C_TRY(flag(chosen.view_index_is_device_index, "view_index_is_device_index"));
  options.fp32DenormMode =
      DOVETAIL_C_TRY(readEnum(chosen.denormals, lgc::FpDenormMode::FlushInOut, fmt::format("{}->denormals", Name)));
  return options;
}

Outcome<ShaderDescription> toDescription(const dovetail_shader_description &given) {
  DOVETAIL_C_CHECK(checkNotNull(given.words, "description->words"));
  const auto words = DOVETAIL_C_TRY(readArray(given.words, given.word_count, "description->words"));
  ShaderDescription description;
  description.stage = DOVETAIL_C_TRY(readEnum(given.stage, lgc::ShaderStage::Compute, "description->stage"));
  description.name = given.name ? given.name : StageNames[given.stage];
  description.words.assign(words.begin(), words.end());
  if (given.entry_point)
    description.entryPoint = given.entry_point;
  for (const dovetail_spec_constant &constant :
       DOVETAIL_C_TRY(readArray(given.spec_constants, given.spec_constant_count, "description->spec_constants"))) {
    DOVETAIL_C_CHECK(checkReserved(constant.reserved, "description->spec_constants: reserved"));
    description.specConstants.push_back({constant.id, constant.value});
  }
  DOVETAIL_C_CHECK(readColorInputs(given, description));
  description.environment =
      DOVETAIL_C_TRY(readEnum(given.environment, spirv::Environment::OpenGl, "description->environment"));
  constexpr uint32_t allFlags = DOVETAIL_SUBGROUP_ALLOW_VARYING_SIZE | DOVETAIL_SUBGROUP_REQUIRE_FULL;
  if ((given.subgroup_flags & ~allFlags) != 0)
    return badArgument("description->subgroup_flags is {:#x}; it is to have no bits beyond {:#x}", given.subgroup_flags,
                       allFlags);
  description.options = DOVETAIL_C_TRY(readOptions(given));
  description.needsFullSubgroups = (given.subgroup_flags & DOVETAIL_SUBGROUP_REQUIRE_FULL) != 0;
  return description;
}

} // namespace

dovetail_status dovetail_shader_create(dovetail_device *device, const dovetail_shader_description *description,
                                       dovetail_shader **shader, dovetail_message *message) {
  return guarded(message, [&]() -> Outcome<void> {
    DOVETAIL_C_CHECK(checkNotNull(shader, "shader"));
    *shader = nullptr;
    DOVETAIL_C_CHECK(checkNotNull(device, "device"));
    const dovetail_shader_description given =
        DOVETAIL_C_TRY(readSized(description, dovetail_shader_description{}, "description"));
    ShaderDescription shaderDescription = DOVETAIL_C_TRY(toDescription(given));
    const CompileTime compile =
        DOVETAIL_C_TRY(readEnum(given.compile, CompileTime::Background, "description->compile"));
    const auto next = DOVETAIL_C_TRY(readEnum(given.next_stage, lgc::ShaderStage::Fragment, "description->next_stage"));
    const bool hasLayout = DOVETAIL_C_TRY(readBool(given.has_layout, "description->has_layout"));
    UserDataNodes layout;
    if (hasLayout)
      layout = DOVETAIL_C_TRY(readLayout(given.layout, given.layout_count, "description->layout"));
    const AutomaticLayout automatic =
        DOVETAIL_C_TRY(readDynamicBuffers(given.dynamic_buffers, "description->dynamic_buffers"));
    ShaderRef made = DOVETAIL_C_TRY(device->device->createShader(
        std::move(shaderDescription), compile, next == lgc::ShaderStage::Vertex ? lgc::ShaderStage::Fragment : next,
        hasLayout ? &layout : nullptr, automatic));
    *shader = makeHandle<dovetail_shader>(*device, std::move(made));
    return {};
  });
}

void dovetail_shader_destroy(dovetail_shader *shader) {
  destroyHandle(shader);
}

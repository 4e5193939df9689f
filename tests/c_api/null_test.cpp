// SPDX-License-Identifier: MIT
//
// Calls each function with NULL for each of its pointers. A pointer that may be NULL is accepted; for any other, the
// message names the argument.
#include "tests/c_api/bad_calls.h"
#include <functional>
#include <type_traits>
#include <utility>
#include <vulkan/vulkan_core.h>

using namespace dovetail::c_test;

namespace {

// Calls `function` with NULL for the argument at `Index` and the others as they are. The function's last parameter is
// the message.
template <size_t Index, typename Function, typename... Arguments>
dovetail_status callWithNull(Function function, dovetail_message &message, Arguments... arguments) {
  auto pass = [&]<size_t At, typename Argument>(std::integral_constant<size_t, At>, Argument argument) {
    if constexpr (At == Index && std::is_pointer_v<Argument>)
      return Argument(nullptr);
    else
      return argument;
  };
  return [&]<size_t... At>(std::index_sequence<At...>) {
    return function(pass(std::integral_constant<size_t, At>(), arguments)..., &message);
  }
  (std::index_sequence_for<Arguments...>());
}

// `names`: for each argument that must not be NULL, its name; nullptr for numbers and for pointers that may be NULL.
template <size_t... Index, typename Function, typename... Arguments>
void checkEach(std::index_sequence<Index...>, std::initializer_list<const char *> names, Function function,
               Arguments... arguments) {
  REQUIRE(names.size() == sizeof...(Arguments));
  auto check = [&]<size_t At>(std::integral_constant<size_t, At>) {
    const char *name = names.begin()[At];
    if (!name)
      return;
    CAPTURE(name);
    dovetail_message message;
    checkBad(callWithNull<At>(function, message, arguments...), message, std::string(name) + " is NULL");
  };
  (check(std::integral_constant<size_t, Index>()), ...);
  dovetail_message message; // the valid neighbour: no argument is NULL
  CHECK(function(arguments..., &message) == DOVETAIL_OK);
}

template <typename Function, typename... Arguments>
void checkNulls(std::initializer_list<const char *> names, Function function, Arguments... arguments) {
  checkEach(std::index_sequence_for<Arguments...>(), names, function, arguments...);
}

} // namespace

TEST_CASE("C: NULL in calls that create names the argument") {
  Device owner;
  dovetail_device *const device = owner;
  TexturedProgram given(device);
  const dovetail_shader_description description = describe(textured_frag, DOVETAIL_STAGE_FRAGMENT);
  const dovetail_pipeline_state fields = DOVETAIL_PIPELINE_STATE_INIT;
  const dovetail_uniform_value value = {};
  auto deviceOptions = sized<dovetail_device_options>();
  deviceOptions.gpu = "gfx900";

  dovetail_device *otherDevice = nullptr;
  checkNulls({"options", "device"}, dovetail_device_create, &deviceOptions, &otherDevice);
  CHECK(dovetail_device_destroy(otherDevice, nullptr) == DOVETAIL_OK);
  dovetail_shader *shader = nullptr;
  checkNulls({"device", "description", "shader"}, dovetail_shader_create, device, &description, &shader);
  dovetail_shader_destroy(shader);
  dovetail_program *program = nullptr;
  dovetail_shader *const *shaders = given.shaders().data();
  checkNulls({"device", "shaders", nullptr, nullptr, "program"}, dovetail_program_create, device, shaders, size_t(2),
             static_cast<const dovetail_program_options *>(nullptr), &program);
  dovetail_program_destroy(program);
  dovetail_state *state = nullptr;
  checkNulls({"device", "description", "state"}, dovetail_state_create, device, &fields, &state);
  dovetail_state_destroy(state);
  checkNulls({"device", "program", "state"}, dovetail_state_create_default, device,
             static_cast<const dovetail_program *>(given), &state);
  dovetail_state_destroy(state);
  dovetail_uniforms *uniforms = nullptr;
  checkNulls({"device", "values", nullptr, "uniforms"}, dovetail_uniforms_create, device, &value, size_t(1), &uniforms);
  dovetail_uniforms_destroy(uniforms);
  dovetail_binder *binder = nullptr;
  checkNulls({"device", "binder"}, dovetail_binder_create, device, &binder);
  dovetail_binder_destroy(binder);
}

TEST_CASE("C: NULL in calls that ask and bind names the argument") {
  Device owner;
  TexturedProgram program(owner);
  State state(owner, program);
  Binder binderOwner(owner);
  dovetail_device *const device = owner;
  dovetail_binder *const binder = binderOwner;
  const dovetail_program *const asked = program;
  const dovetail_state *const askedState = state;

  const dovetail_variant *variant = nullptr;
  checkNulls({"binder", "program", nullptr, nullptr, nullptr, "variant"}, dovetail_bind, binder, asked, askedState,
             static_cast<const dovetail_uniforms *>(nullptr), static_cast<const dovetail_bind_options *>(nullptr),
             &variant);
  const dovetail_pipeline_state plain = state.get();
  checkNulls({"binder", "program", "description", nullptr, nullptr, "variant"}, dovetail_bind_pipeline_state, binder,
             asked, &plain, static_cast<const dovetail_uniforms *>(nullptr),
             static_cast<const dovetail_bind_options *>(nullptr), &variant);
  auto lastBind = sized<dovetail_bind_info>();
  checkNulls({"binder", "info"}, dovetail_binder_get_last_bind, static_cast<const dovetail_binder *>(binder),
             &lastBind);
  checkNulls({"program"}, dovetail_program_cancel_builds, asked);
  const dovetail_variant *built = nullptr;
  checkNulls({"device", "program", nullptr, nullptr, "variant"}, dovetail_build, device, asked, askedState,
             static_cast<const dovetail_build_options *>(nullptr), &built);
  dovetail_variant_release(built);
  checkNulls({"device"}, dovetail_device_drain, device);
  checkNulls({"device"}, dovetail_device_flush_store, device);
  auto format = sized<dovetail_format_info>();
  checkNulls({"gpu", nullptr, "info"}, dovetail_format_get_info, "gfx900", uint32_t(37), &format);
  auto conversion = sized<dovetail_ycbcr_conversion>();
  conversion.format = VK_FORMAT_G8_B8R8_2PLANE_420_UNORM;
  uint32_t dword = 0;
  checkNulls({"conversion", "dword"}, dovetail_ycbcr_conversion_get_dword,
             static_cast<const dovetail_ycbcr_conversion *>(&conversion), &dword);
  size_t masks = 0;
  checkNulls({"gpu", nullptr, "count"}, dovetail_register_get_masks, "gfx900",
             static_cast<dovetail_register_mask *>(nullptr), &masks);
  auto statistics = sized<dovetail_device_statistics>();
  checkNulls({"device", "statistics"}, dovetail_device_get_statistics, static_cast<const dovetail_device *>(device),
             &statistics);
  CHECK(dovetail_device_generation(nullptr) == 0);
  size_t bundleSize = 0;
  checkNulls({"device", nullptr, "size"}, dovetail_device_export_parts, device, static_cast<void *>(nullptr),
             &bundleSize);
  std::vector<uint8_t> bundle(bundleSize);
  CHECK_OK(dovetail_device_export_parts(device, bundle.data(), &bundleSize, message));
  checkNulls({"device", "data", nullptr, nullptr}, dovetail_device_import_parts, device,
             static_cast<const void *>(bundle.data()), bundle.size(), static_cast<dovetail_import_info *>(nullptr));
  size_t count = 0;
  checkNulls({"program", nullptr, "count"}, dovetail_program_get_layout, asked,
             static_cast<dovetail_layout_node *>(nullptr), &count);
  dovetail_pipeline_state fields = DOVETAIL_PIPELINE_STATE_INIT;
  checkNulls({"state", "description"}, dovetail_state_get, askedState, &fields);
}

TEST_CASE("C: NULL in calls about a shader names the argument") {
  Device device;
  Program program(device, {describe(reflected_vert, DOVETAIL_STAGE_VERTEX)});
  const dovetail_shader *const shader = program.shaders()[0];
  auto info = sized<dovetail_shader_info>();
  checkNulls({"shader", "info"}, dovetail_shader_get_info, shader, &info);
  auto place = sized<dovetail_interface_info>();
  checkNulls({"shader", nullptr, "info"}, dovetail_shader_get_input, shader, uint32_t(0), &place);
  checkNulls({"shader", nullptr, "info"}, dovetail_shader_get_output, shader, uint32_t(0), &place);
  auto builtin = sized<dovetail_builtin_info>();
  checkNulls({"shader", nullptr, "info"}, dovetail_shader_get_builtin, shader, uint32_t(0), &builtin);
  auto descriptor = sized<dovetail_descriptor_info>();
  checkNulls({"shader", nullptr, "info"}, dovetail_shader_get_descriptor, shader, uint32_t(0), &descriptor);
  auto member = sized<dovetail_member_info>();
  checkNulls({"shader", nullptr, nullptr, "info"}, dovetail_shader_get_member, shader, uint32_t(2), uint32_t(0),
             &member);
  auto entry = sized<dovetail_entry_point_info>();
  checkNulls({"shader", nullptr, "info"}, dovetail_shader_get_entry_point, shader, uint32_t(0), &entry);
  auto constant = sized<dovetail_spec_constant_info>();
  checkNulls({"shader", nullptr, "info"}, dovetail_shader_get_spec_constant, shader, uint32_t(0), &constant);
}

TEST_CASE("C: NULL in calls about a variant names the argument") {
  Device device;
  FiveStageProgram program(device);
  Binder binder(device);
  const dovetail_variant *variant = binder.bind(program);

  auto info = sized<dovetail_variant_info>();
  checkNulls({"variant", "info"}, dovetail_variant_get_info, variant, &info);
  auto stage = sized<dovetail_stage_info>();
  checkNulls({"variant", nullptr, "info"}, dovetail_variant_get_stage, variant, uint32_t(0), &stage);
  auto part = sized<dovetail_part_info>();
  checkNulls({"variant", nullptr, "info"}, dovetail_variant_get_part, variant, uint32_t(0), &part);
  auto tessellation = sized<dovetail_tessellation_info>();
  checkNulls({"variant", "info"}, dovetail_variant_get_tessellation, variant, &tessellation);
  auto geometry = sized<dovetail_geometry_info>();
  checkNulls({"variant", "info"}, dovetail_variant_get_geometry, variant, &geometry);
  // The variant has no relocations, so only `variant` can be NULL in this test.
  dovetail_relocation relocation;
  dovetail_message message;
  checkBad(dovetail_variant_get_relocation(nullptr, 0, &relocation, &message), message, "variant is NULL");

  size_t runs = 0, values = 0;
  checkNulls({"variant", nullptr, nullptr, "run_count", nullptr, "value_count"}, dovetail_variant_get_register_runs,
             variant, variant, static_cast<dovetail_register_run *>(nullptr), &runs, static_cast<uint32_t *>(nullptr),
             &values);

  std::vector<uint8_t> copied(info.code_size);
  checkNulls({"variant", "destination", nullptr, nullptr}, dovetail_variant_copy_code, variant,
             static_cast<void *>(copied.data()), copied.size(), uint64_t(0));
  size_t size = 0;
  checkNulls({"variant", nullptr, "size"}, dovetail_variant_write_elf, variant, static_cast<void *>(nullptr), &size);
  std::vector<uint8_t> elf(size);
  CHECK_OK(dovetail_variant_write_elf(variant, elf.data(), &size, message));
  const dovetail_variant *read = nullptr;
  checkNulls({"data", nullptr, "variant"}, dovetail_variant_read_elf, static_cast<const void *>(elf.data()), elf.size(),
             &read);
  dovetail_variant_release(read);
  checkNulls({"variant", nullptr, "size"}, dovetail_variant_export_parts, variant, static_cast<void *>(nullptr), &size);
  checkNulls({"variant", nullptr, "size"}, dovetail_variant_disassemble, variant, static_cast<char *>(nullptr), &size);
  auto cost = sized<dovetail_code_cost>();
  checkNulls({"variant", nullptr, "cost"}, dovetail_variant_get_stage_cost, variant, uint32_t(0), &cost);
  checkNulls({"variant", nullptr, "cost"}, dovetail_variant_get_part_cost, variant, uint32_t(0), &cost);
  auto code = sized<dovetail_code_place>();
  checkNulls({"variant", nullptr, "place"}, dovetail_variant_find_place, variant, uint32_t(0), &code);
  dovetail_source_lines *lines = nullptr;
  const dovetail_program *const asked = program;
  checkNulls({"program", nullptr, "variant", "lines"}, dovetail_source_lines_create, asked,
             static_cast<const dovetail_state *>(nullptr), variant, &lines);
  dovetail_source_line line;
  checkNulls({"lines", nullptr, "line"}, dovetail_source_lines_find, static_cast<const dovetail_source_lines *>(lines),
             uint32_t(0), &line);
  checkNulls({"lines", nullptr, "size"}, dovetail_source_lines_write_elf,
             static_cast<const dovetail_source_lines *>(lines), static_cast<void *>(nullptr), &size);
  CHECK(dovetail_source_lines_get(nullptr, &size) == nullptr);
  CHECK(size == 0);
  CHECK(dovetail_source_lines_get(lines, nullptr) == nullptr); // the modules have no source lines
  dovetail_source_lines_destroy(lines);
  checkNulls({"program", nullptr, nullptr, "size"}, dovetail_program_print_ir, asked,
             static_cast<const dovetail_state *>(nullptr), static_cast<char *>(nullptr), &size);
  checkNulls({"variant"}, dovetail_variant_retain, variant);
  dovetail_variant_release(variant);
}

TEST_CASE("C: destroying NULL does nothing") {
  CHECK(dovetail_device_destroy(nullptr, nullptr) == DOVETAIL_OK);
  dovetail_shader_destroy(nullptr);
  dovetail_program_destroy(nullptr);
  dovetail_state_destroy(nullptr);
  dovetail_uniforms_destroy(nullptr);
  dovetail_binder_destroy(nullptr);
  dovetail_variant_release(nullptr);
  dovetail_source_lines_destroy(nullptr);
}

TEST_CASE("C: a message is not needed") {
  dovetail_device *device = nullptr;
  CHECK(dovetail_device_create(nullptr, &device, nullptr) == DOVETAIL_BAD_ARGUMENT);
}

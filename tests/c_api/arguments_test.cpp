// SPDX-License-Identifier: MIT
//
// Each wrong call gives a status and a message that names the argument. It returns no handle and leaves the objects as
// they were.
#include "tests/c_api/bad_calls.h"
#include <cstring>
#include <functional>
#include <string_view>

using namespace dovetail::c_test;

namespace {

void checkBadDevice(const dovetail_device_options &options, std::string_view named) {
  auto *device = garbage<dovetail_device>();
  dovetail_message message;
  checkBad(dovetail_device_create(&options, &device, &message), message, named);
  CHECK(device == nullptr);
}

dovetail_device_options goodDevice() {
  dovetail_device_options options = {};
  options.size = sizeof options;
  options.gpu = "gfx900";
  return options;
}

void checkBadShader(dovetail_device *device, const dovetail_shader_description &description, std::string_view named) {
  auto *shader = garbage<dovetail_shader>();
  dovetail_message message;
  checkBad(dovetail_shader_create(device, &description, &shader, &message), message, named);
  CHECK(shader == nullptr);
}

void checkBadState(dovetail_device *device, std::string_view named,
                   const std::function<void(dovetail_pipeline_state &)> &spoil) {
  const dovetail_vertex_binding bindings[2] = {{0, 16, 0, 1}, {1, 16, 0, 1}};
  const dovetail_vertex_attribute attributes[2] = {{0, 0, 109, 0}, {1, 1, 109, 0}};
  dovetail_pipeline_state description = DOVETAIL_PIPELINE_STATE_INIT;
  description.vertex_bindings = bindings;
  description.vertex_binding_count = 2;
  description.vertex_attributes = attributes;
  description.vertex_attribute_count = 2;
  dovetail_state *state = nullptr;
  CHECK_OK(dovetail_state_create(device, &description, &state, message));
  dovetail_state_destroy(state);

  spoil(description);
  state = garbage<dovetail_state>();
  dovetail_message message;
  checkBad(dovetail_state_create(device, &description, &state, &message), message, named);
  CHECK(state == nullptr);
}

} // namespace

TEST_CASE("C: messages that are too long end in dots") {
  const std::string gpu(3000, 'x');
  dovetail_device_options options = goodDevice();
  options.gpu = gpu.c_str();
  dovetail_device *device = nullptr;
  dovetail_message message;
  std::memset(&message, 0xff, sizeof message);
  CHECK(dovetail_device_create(&options, &device, &message) == DOVETAIL_UNKNOWN_GPU);
  CHECK(std::strlen(message.text) == sizeof message.text - 1);
  CHECK(std::string_view(message.text).ends_with("xxx..."));
}

TEST_CASE("C: every status has a text") {
  for (int status = DOVETAIL_OK; status <= DOVETAIL_BUFFER_TOO_SMALL; ++status)
    CHECK(dovetail_status_text(dovetail_status(status)) != std::string_view("unknown status"));
  CHECK(dovetail_status_text(dovetail_status(15)) == std::string_view("unknown status"));
}

TEST_CASE("C: GPUs are listed, and each makes a device") {
  CHECK(dovetail_gpu_count() >= 2);
  CHECK(dovetail_gpu_name(dovetail_gpu_count()) == nullptr);
  for (size_t i = 0; i < dovetail_gpu_count(); ++i)
    Device device(dovetail_gpu_name(i));
}

TEST_CASE("C: an unknown GPU is an error that lists the known ones") {
  dovetail_device_options options = goodDevice();
  options.gpu = "gfx000";
  auto *device = garbage<dovetail_device>();
  dovetail_message message;
  CHECK(dovetail_device_create(&options, &device, &message) == DOVETAIL_UNKNOWN_GPU);
  CHECK(device == nullptr);
  CHECK(std::string_view(message.text).find("gfx000") != std::string_view::npos);
  for (size_t i = 0; i < dovetail_gpu_count(); ++i)
    CHECK(std::string_view(message.text).find(dovetail_gpu_name(i)) != std::string_view::npos);
}

TEST_CASE("C: a GPU is found by its chip's name and by its PCI device") {
  dovetail_device_options options = goodDevice();
  options.gpu = "Polaris10";
  dovetail_device *device = nullptr;
  CHECK(dovetail_device_create(&options, &device, nullptr) == DOVETAIL_OK);
  dovetail_device_destroy(device, nullptr);

  const char *gpu = nullptr;
  CHECK(dovetail_gpu_from_pci(0x1638, 0, &gpu, nullptr) == DOVETAIL_OK);
  CHECK(gpu == std::string_view("gfx90c"));
  dovetail_message message;
  CHECK(dovetail_gpu_from_pci(0x1637, 0, &gpu, &message) == DOVETAIL_UNKNOWN_GPU);
  CHECK(gpu == nullptr);
  CHECK(std::string_view(message.text) == "PCI device 1002:1637 is no GPU that is known");
  CHECK(dovetail_gpu_from_pci(0x1638, 0, nullptr, &message) == DOVETAIL_BAD_ARGUMENT);
}

TEST_CASE("C: bad options of a device") {
  dovetail_device_options options = goodDevice();
  options.gpu = nullptr;
  checkBadDevice(options, "options->gpu is NULL");
  options = goodDevice();
  options.policy = 3;
  checkBadDevice(options, "options->policy is 3");
  options = goodDevice();
  options.store_read_only = 2;
  checkBadDevice(options, "options->store_read_only is 2");
  options.store_read_only = 0;
  options.start_background_early = 2;
  checkBadDevice(options, "options->start_background_early is 2");
  options = goodDevice();
  options.keep_unpacked = 2;
  checkBadDevice(options, "options->keep_unpacked is 2");
  options = goodDevice();
  options.archive_count = 1;
  checkBadDevice(options, "options->archives is NULL");
  const char *const noName = nullptr;
  options.archives = &noName;
  checkBadDevice(options, "options->archives[] is NULL");
  options.archive_count = 9;
  checkBadDevice(options, "options->archive_count is 9");
  options = goodDevice();
  options.store_trust_folder = 3;
  checkBadDevice(options, "options->store_trust_folder is 3");
  options = goodDevice();
  options.store_path = "";
  checkBadDevice(options, "options->store_path is empty; it is NULL without a store");
  options = goodDevice();
  options.allocator.free = [](void *, void *) {};
  checkBadDevice(options, "options->allocator has one of");
}

TEST_CASE("C: a device stays while something that was made from it exists") {
  Device device;
  dovetail_message message;
  {
    Binder binder(device);
    checkBad(dovetail_device_destroy(device, &message), message, "device: 1 of its");
    TexturedProgram program(device); // with two shaders
    State state(device, program);
    checkBad(dovetail_device_destroy(device, &message), message, "device: 5 of its");
    CHECK(binder.bind(program, state) != nullptr);
  }
}

TEST_CASE("C: bad descriptions of shaders") {
  Device device;
  const dovetail_shader_description good = describe(textured_frag, DOVETAIL_STAGE_FRAGMENT);
  dovetail_shader_description bad = good;
  bad.words = nullptr;
  checkBadShader(device, bad, "description->words is NULL");
  bad = good;
  bad.word_count = SIZE_MAX / 2;
  checkBadShader(device, bad, "description->words has 9223372036854775807 elements");
  bad = good;
  bad.stage = 6;
  checkBadShader(device, bad, "description->stage is 6");
  bad = good;
  bad.compile = 3;
  checkBadShader(device, bad, "description->compile is 3");
  bad = good;
  bad.next_stage = 5;
  checkBadShader(device, bad, "description->next_stage is 5");
  bad = good;
  bad.environment = 2;
  checkBadShader(device, bad, "description->environment is 2");
  bad = good;
  bad.dynamic_buffers = 4;
  checkBadShader(device, bad, "description->dynamic_buffers is 0x4; the known bits are 0x3");
  bad = good;
  bad.subgroup_flags = 4;
  checkBadShader(device, bad, "description->subgroup_flags is 0x4; it is to have no bits beyond 0x3");
  dovetail_shader_options options = {};
  options.size = sizeof options;
  options.force_late_z = 2;
  bad = good;
  bad.options = &options;
  checkBadShader(device, bad, "description->options->force_late_z is 2");
  options.force_late_z = 0;
  options.denormals = 3;
  checkBadShader(device, bad, "description->options->denormals is 3");
  bad = good;
  bad.has_layout = 2;
  checkBadShader(device, bad, "description->has_layout is 2");
  bad = good;
  bad.has_layout = 1;
  bad.layout_count = 1;
  checkBadShader(device, bad, "description->layout is NULL");
  bad = good;
  bad.spec_constant_count = 1;
  checkBadShader(device, bad, "description->spec_constants is NULL");
  const dovetail_spec_constant constant = {1, 0, 1};
  bad.spec_constants = &constant;
  checkBadShader(device, bad, "description->spec_constants: reserved is 1");
  const dovetail_color_input colors[2] = {{1, 3, DOVETAIL_NO_LOCATION}, {1, 4, DOVETAIL_NO_LOCATION}};
  bad = good;
  bad.color_inputs = colors;
  bad.color_input_count = 2;
  checkBadShader(device, bad, "colour 1 is described twice");
  bad.color_input_count = 1;
  const dovetail_color_input tertiary = {2, 3, DOVETAIL_NO_LOCATION}, nowhere = {0, DOVETAIL_NO_LOCATION, 1};
  bad.color_inputs = &tertiary;
  checkBadShader(device, bad, "there is no colour 2");
  bad.color_inputs = &nowhere;
  checkBadShader(device, bad, "colour 0 is at the locations 255 and 1");
  const dovetail_layout_node nodes[2] = {{0, 0, 0, 0, 1, 0}, {99, 0, 0, 0, 1, 0}};
  bad = good;
  bad.has_layout = 1;
  bad.layout = nodes;
  bad.layout_count = 2;
  checkBadShader(device, bad, "description->layout[1].type is 99");
  const dovetail_layout_node far = {DOVETAIL_NODE_BUFFER, 0, 0, 0x40000000, 4, 4}; // 2^32 bytes
  bad.layout = &far;
  bad.layout_count = 1;
  checkBadShader(device, bad, "description->layout[0] ends beyond dword 1073741823 of its table");
}

TEST_CASE("C: a subgroup is a wave, whatever a shader requires") {
  Device device;
  dovetail_shader_description description = describe(textured_frag, DOVETAIL_STAGE_FRAGMENT);
  description.subgroup_flags = DOVETAIL_SUBGROUP_ALLOW_VARYING_SIZE;
  dovetail_message message;
  for (uint32_t size : {0u, DOVETAIL_SUBGROUP_SIZE, 32u, 128u}) {
    description.required_subgroup_size = size;
    dovetail_shader *shader = nullptr;
    const bool isGood = size == 0 || size == DOVETAIL_SUBGROUP_SIZE;
    CHECK(dovetail_shader_create(device, &description, &shader, &message) ==
          (isGood ? DOVETAIL_OK : DOVETAIL_UNSUPPORTED));
    CHECK((shader != nullptr) == isGood);
    CHECK((isGood || std::string_view(message.text).find("waves have 64 lanes") != std::string_view::npos));
    dovetail_shader_destroy(shader);
  }
}

TEST_CASE("C: what is wrong with SPIR-V is said with the shader's name") {
  Device device;
  const uint32_t words[8] = {0x07230203, 0x00010000, 0, 8, 0, 0x00020011, 1, 0xffffffff};
  dovetail_shader_description description = describe(words, DOVETAIL_STAGE_VERTEX);
  description.name = "cube.vert";
  auto *shader = garbage<dovetail_shader>();
  dovetail_message message;
  CHECK(dovetail_shader_create(device, &description, &shader, &message) == DOVETAIL_INVALID_INPUT);
  CHECK(shader == nullptr);
  CHECK(std::string_view(message.text).find("cube.vert") != std::string_view::npos);
  description.name = nullptr;
  CHECK(dovetail_shader_create(device, &description, &shader, &message) == DOVETAIL_INVALID_INPUT);
  CHECK(std::string_view(message.text).find("vertex shader") != std::string_view::npos);
  description.word_count = 0;
  CHECK(dovetail_shader_create(device, &description, &shader, &message) == DOVETAIL_INVALID_INPUT);
}

TEST_CASE("C: bad arguments of programs") {
  Device device, other;
  TexturedProgram good(device), foreign(other);
  dovetail_shader *const *shaders = good.shaders().data();
  dovetail_message message;
  auto check = [&](dovetail_device *from, dovetail_shader *const *list, size_t count,
                   const dovetail_program_options *options, const char *named) {
    auto *program = garbage<dovetail_program>();
    checkBad(dovetail_program_create(from, list, count, options, &program, &message), message, named);
    CHECK(program == nullptr);
  };
  check(device, shaders, 0, nullptr, "shader_count is 0");
  dovetail_shader *const withNull[2] = {shaders[0], nullptr};
  check(device, withNull, 2, nullptr, "shaders[1] is NULL");
  dovetail_shader *const withForeign[2] = {shaders[0], foreign.shaders()[1]};
  check(device, withForeign, 2, nullptr, "shaders[1] was made from another device");
  dovetail_program_options options = {};
  options.size = sizeof options;
  options.has_layout = 1;
  options.layout_count = 1;
  check(device, shaders, 2, &options, "options->layout is NULL");
  options.layout_count = 0;
  options.has_layout = 2;
  check(device, shaders, 2, &options, "options->has_layout is 2");
  const dovetail_layout_node sampler = {DOVETAIL_NODE_IMMUTABLE_SAMPLER, 0, 0, 4, 4, 4};
  const uint32_t dwords[7] = {};
  options.has_layout = 1;
  options.layout = &sampler;
  options.layout_count = 1;
  options.immutable_samplers = dwords;
  options.immutable_sampler_dwords = 7;
  check(device, shaders, 2, &options, "options->layout[0] ends beyond the 7 dwords of options->immutable_samplers");
  const dovetail_layout_node conversion = {DOVETAIL_NODE_YCBCR_CONVERSION, 0, 0, 6, 1, 1};
  options.layout = &conversion;
  check(device, shaders, 2, &options, "options->layout[0]: 0x0 is no YCbCr conversion");
  const dovetail_layout_node halfAnElement = {DOVETAIL_NODE_YCBCR_CONVERSION, 0, 0, 6, 1, 2};
  const dovetail_layout_node nothing = {DOVETAIL_NODE_YCBCR_CONVERSION, 0, 0, 6, 0, 0};
  for (const dovetail_layout_node *node : {&halfAnElement, &nothing}) {
    options.layout = node;
    check(device, shaders, 2, &options, "options->layout[0] is a YCbCr conversion without a whole element");
  }
  options.immutable_samplers = nullptr;
  check(device, shaders, 2, &options, "options->immutable_samplers is NULL");
  options.immutable_sampler_dwords = 0;
  options.has_layout = 0;
  options.dynamic_buffers = 7;
  check(device, shaders, 2, &options, "options->dynamic_buffers is 0x7; the known bits are 0x3");

  auto *program = garbage<dovetail_program>();
  dovetail_shader *const twice[2] = {shaders[0], shaders[0]};
  CHECK(dovetail_program_create(device, twice, 2, nullptr, &program, &message) == DOVETAIL_INVALID_INPUT);
  CHECK(program == nullptr);
}

TEST_CASE("C: bad fields of states") {
  Device device;
  using S = dovetail_pipeline_state;
  checkBadState(device, "description->topology is 11", [](S &state) { state.topology = 11; });
  checkBadState(device, "description->depth_clamp_enable is 2", [](S &state) { state.depth_clamp_enable = 2; });
  checkBadState(device, "description->rasterization_samples is 3", [](S &state) { state.rasterization_samples = 3; });
  checkBadState(device, "description->rasterization_samples is 32", [](S &state) { state.rasterization_samples = 32; });
  checkBadState(device, "description->rasterization_samples is 0", [](S &state) { state.rasterization_samples = 0; });
  checkBadState(device, "description->clip_distance_enable is 256", [](S &state) { state.clip_distance_enable = 256; });
  checkBadState(device, "description->alpha_test_func is 8", [](S &state) { state.alpha_test_func = 8; });
  checkBadState(device, "description->depth_stencil_format is 9999",
                [](S &state) { state.depth_stencil_format = 9999; });
  checkBadState(device, "color_targets[7].blend_enable is 5",
                [](S &state) { state.color_targets[7].blend_enable = 5; });
  checkBadState(device, "color_targets[1].write_mask is 16", [](S &state) { state.color_targets[1].write_mask = 16; });
  checkBadState(device, "color_targets[0].src_color_blend_factor is 19",
                [](S &state) { state.color_targets[0].src_color_blend_factor = 19; });
  checkBadState(device, "color_targets[0].color_blend_op is 5",
                [](S &state) { state.color_targets[0].color_blend_op = 5; });
  checkBadState(device, "description->vertex_bindings is NULL", [](S &state) { state.vertex_bindings = nullptr; });
  checkBadState(device, "vertex_binding_count is 33", [](S &state) { state.vertex_binding_count = 33; });
}

TEST_CASE("C: bad vertex input") {
  Device device;
  using S = dovetail_pipeline_state;
  const dovetail_vertex_binding twice[2] = {{1, 16, 0, 1}, {1, 16, 0, 1}};
  checkBadState(device, "binding 1 is described twice", [&](S &state) { state.vertex_bindings = twice; });
  const dovetail_vertex_binding rate[2] = {{0, 16, 0, 1}, {1, 16, 2, 1}};
  checkBadState(device, "vertex_bindings[1].input_rate is 2", [&](S &state) { state.vertex_bindings = rate; });
  const dovetail_vertex_attribute location[2] = {{0, 0, 109, 0}, {32, 0, 109, 0}};
  checkBadState(device, "vertex_attributes[1].location is 32", [&](S &state) { state.vertex_attributes = location; });
  const dovetail_vertex_attribute same[2] = {{5, 0, 109, 0}, {5, 0, 109, 0}};
  checkBadState(device, "location 5 is described twice", [&](S &state) { state.vertex_attributes = same; });
  const dovetail_vertex_attribute lost[2] = {{0, 0, 109, 0}, {1, 9, 109, 0}};
  checkBadState(device, "there is no vertex binding 9", [&](S &state) { state.vertex_attributes = lost; });
  const dovetail_vertex_attribute format[2] = {{0, 0, 109, 0}, {1, 1, 77777, 0}};
  checkBadState(device, "vertex_attributes[1].format is 77777", [&](S &state) { state.vertex_attributes = format; });
}

TEST_CASE("C: bad values of uniforms") {
  Device device;
  const dovetail_uniform_value place = {2, 0, 0, 0, 0}, offset = {0, 0, 0, 2, 0};
  const dovetail_uniform_value twice[2] = {{0, 0, 0, 4, 1}, {0, 0, 0, 4, 2}};
  auto *uniforms = garbage<dovetail_uniforms>();
  dovetail_message message;
  checkBad(dovetail_uniforms_create(device, &place, 1, &uniforms, &message), message, "values[0].place is 2");
  CHECK(uniforms == nullptr);
  CHECK(dovetail_uniforms_create(device, &offset, 1, &uniforms, &message) == DOVETAIL_INVALID_INPUT);
  CHECK(dovetail_uniforms_create(device, twice, 2, &uniforms, &message) == DOVETAIL_INVALID_INPUT);
  CHECK(uniforms == nullptr);
}

TEST_CASE("C: bad arguments of binds, after which the bound variant is still good") {
  Device device, other;
  TexturedProgram program(device), foreign(other);
  Binder binder(device);
  const dovetail_variant *bound = binder.bind(program);
  dovetail_message message;
  auto *variant = garbage<const dovetail_variant>();
  checkBad(dovetail_bind(binder, nullptr, nullptr, nullptr, nullptr, &variant, &message), message, "program is NULL");
  CHECK(variant == nullptr);
  variant = garbage<const dovetail_variant>();
  checkBad(dovetail_bind(binder, foreign, nullptr, nullptr, nullptr, &variant, &message), message,
           "program was made from another device than binder");
  CHECK(variant == nullptr);
  CHECK(infoOf(bound).part_count == 4);
  CHECK(binder.bind(program) == bound);
}

TEST_CASE("C: a state that contradicts the shaders is an error, after which the bound variant is still good") {
  Device device;
  TexturedProgram program(device);
  Binder binder(device);
  const dovetail_variant *bound = binder.bind(program);
  dovetail_pipeline_state description = DOVETAIL_PIPELINE_STATE_INIT; // no vertex attribute
  State state(device, description);
  auto *variant = garbage<const dovetail_variant>();
  dovetail_message message;
  CHECK(dovetail_bind(binder, program, state, nullptr, nullptr, &variant, &message) == DOVETAIL_STATE_MISMATCH);
  CHECK(variant == nullptr);
  CHECK(std::strlen(message.text) > 0);
  CHECK(infoOf(bound).part_count == 4);
  CHECK(binder.bind(program) == bound);
}

TEST_CASE("C: bad arguments of functions that describe a variant") {
  Device device;
  TexturedProgram program(device);
  Binder binder(device);
  const dovetail_variant *variant = binder.bind(program);
  dovetail_message message;
  dovetail_stage_info stage = {};
  stage.size = sizeof stage;
  checkBad(dovetail_variant_get_stage(variant, 2, &stage, &message), message, "index is 2; the variant has 2 stages");
  dovetail_part_info part = {};
  part.size = sizeof part;
  checkBad(dovetail_variant_get_part(variant, 4, &part, &message), message, "index is 4; the variant has 4 parts");
  dovetail_relocation relocation;
  checkBad(dovetail_variant_get_relocation(variant, 1000, &relocation, &message), message, "index is 1000");
  std::vector<uint8_t> code(infoOf(variant).code_size);
  checkBad(dovetail_variant_copy_code(variant, code.data(), code.size(), 128, &message), message,
           "gpu_address is 0x80");
  const auto *built = garbage<const dovetail_variant>();
  dovetail_build_options options = {};
  options.size = sizeof options;
  options.monolithic = 2;
  checkBad(dovetail_build(device, program, nullptr, &options, &built, &message), message, "options->monolithic is 2");
  CHECK(built == nullptr);
  options.monolithic = 0;
  options.reserved = 1;
  checkBad(dovetail_build(device, program, nullptr, &options, &built, &message), message, "options->reserved is 1");
}

TEST_CASE("C: bad options of a bind") {
  Device device;
  TexturedProgram program(device);
  Binder binder(device);
  dovetail_message message;
  const dovetail_variant *variant = nullptr;
  dovetail_bind_options options = {};
  options.size = sizeof options;
  options.never_compile = 2;
  checkBad(dovetail_bind(binder, program, nullptr, nullptr, &options, &variant, &message), message,
           "options->never_compile is 2");
  options.never_compile = 0;
  options.priority = 3;
  checkBad(dovetail_bind(binder, program, nullptr, nullptr, &options, &variant, &message), message,
           "options->priority is 3; its enumeration ends with 2");
}

TEST_CASE("C: handles of other devices are refused, but for states and uniforms") {
  Device device("gfx900"), other("gfx803");
  TexturedProgram program(device), foreign(other);
  State foreignState(other, foreign);
  Binder binder(device), foreignBinder(other);
  dovetail_message message;
  const dovetail_variant *variant = nullptr;
  auto *state = garbage<dovetail_state>();
  checkBad(dovetail_state_create_default(device, foreign, &state, &message), message, "program was made from another");
  CHECK(state == nullptr);
  checkBad(dovetail_build(device, foreign, nullptr, nullptr, &variant, &message), message, "program was made from");
  // A fallback with the code of another GPU must be refused.
  dovetail_bind_options options = {};
  options.size = sizeof options;
  options.fallback = foreignBinder.bind(foreign);
  checkBad(dovetail_bind(binder, program, nullptr, nullptr, &options, &variant, &message), message,
           "options->fallback is for gfx803, and the device for gfx900");
  CHECK(variant == nullptr);

  const dovetail_uniform_value value = {DOVETAIL_UNIFORM_PUSH_CONSTANTS, 0, 0, 4, 7};
  dovetail_uniforms *uniforms = nullptr;
  CHECK_OK(dovetail_uniforms_create(other, &value, 1, &uniforms, message));
  CHECK(infoOf(binder.bind(program, foreignState, uniforms)).gpu == std::string_view("gfx900"));
  dovetail_uniforms_destroy(uniforms);
}

TEST_CASE("C: a state that no program could be bound under is refused") {
  Device device;
  const auto check = [&](dovetail_status expected, std::string_view named,
                         const std::function<void(dovetail_pipeline_state &, dovetail_vertex_attribute &)> &spoil) {
    const dovetail_vertex_binding binding = {0, 16, 0, 1};
    dovetail_vertex_attribute attribute = {3, 0, 109, 0};
    dovetail_pipeline_state description = DOVETAIL_PIPELINE_STATE_INIT;
    description.vertex_bindings = &binding;
    description.vertex_binding_count = 1;
    description.vertex_attributes = &attribute;
    description.vertex_attribute_count = 1;
    spoil(description, attribute);
    auto *state = garbage<dovetail_state>();
    dovetail_message message;
    CHECK(dovetail_state_create(device, &description, &state, &message) == expected);
    CHECK_MESSAGE(std::string_view(message.text).find(named) != std::string_view::npos, message.text);
    CHECK((state != nullptr) == (expected == DOVETAIL_OK));
    if (expected == DOVETAIL_OK)
      dovetail_state_destroy(state);
  };
  check(DOVETAIL_UNSUPPORTED, "description: vertex attribute at location 3: VK_FORMAT_R8_SRGB is not a vertex format",
        [](auto &, auto &attribute) { attribute.format = 15; });
  check(DOVETAIL_UNSUPPORTED, "VK_FORMAT_UNDEFINED is not a vertex format",
        [](auto &, auto &attribute) { attribute.format = 0; });
  check(DOVETAIL_UNSUPPORTED, "description: colour target 2: VK_FORMAT_R8G8B8_UNORM is not a colour target format",
        [](auto &description, auto &) { description.color_targets[2].format = 23; });
  check(DOVETAIL_STATE_MISMATCH, "description: patches of 33 control points", [](auto &description, auto &) {
    description.topology = 10;
    description.patch_control_points = 33;
  });
  // Valid neighbours of these states.
  check(DOVETAIL_OK, "", [](auto &, auto &) {});
  check(DOVETAIL_OK, "", [](auto &, auto &attribute) { attribute.format = 9; });
  check(DOVETAIL_OK, "", [](auto &description, auto &) { description.color_targets[2].format = 37; });
  check(DOVETAIL_OK, "", [](auto &description, auto &) { description.patch_control_points = 33; });
}

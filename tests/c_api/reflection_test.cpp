// SPDX-License-Identifier: MIT
//
// A shader's reflection, row by row, against the GLSL in tests/c_api/shaders.
#include "tests/c_api/bad_calls.h"
#include <bit>
#include <cstring>
#include <map>
#include <string>

using namespace dovetail::c_test;

namespace {

class Shader {
public:
  Shader(dovetail_device *device, const dovetail_shader_description &description) {
    CHECK_OK(dovetail_shader_create(device, &description, &m_shader, message));
  }
  ~Shader() { dovetail_shader_destroy(m_shader); }
  Shader(const Shader &) = delete;
  Shader &operator=(const Shader &) = delete;

  operator dovetail_shader *() const { return m_shader; }

private:
  dovetail_shader *m_shader = nullptr;
};

dovetail_shader_info infoOf(const dovetail_shader *shader) {
  dovetail_shader_info info = {};
  info.size = sizeof info;
  CHECK_OK(dovetail_shader_get_info(shader, &info, message));
  return info;
}

// One row of one of the shader's lists.
template <typename Info>
Info rowOf(dovetail_status (*get)(const dovetail_shader *, uint32_t, Info *, dovetail_message *),
           const dovetail_shader *shader, uint32_t index) {
  Info info = {};
  info.size = sizeof info;
  CHECK_OK(get(shader, index, &info, message));
  return info;
}

dovetail_member_info memberOf(const dovetail_shader *shader, uint32_t descriptor, uint32_t index) {
  dovetail_member_info info = {};
  info.size = sizeof info;
  CHECK_OK(dovetail_shader_get_member(shader, descriptor, index, &info, message));
  return info;
}

// The list has `count` rows: the call refuses the row behind the last.
template <typename Info>
void checkEnd(dovetail_status (*get)(const dovetail_shader *, uint32_t, Info *, dovetail_message *),
              const dovetail_shader *shader, uint32_t count) {
  Info info = {};
  info.size = sizeof info;
  dovetail_message message;
  checkBad(get(shader, count, &info, &message), message,
           "index is " + std::to_string(count) + "; the shader has " + std::to_string(count));
}

} // namespace

TEST_CASE("C: a shader says what it is called, its stage and how much of everything there is") {
  Device device;
  dovetail_shader_description description = describe(reflected_vert, DOVETAIL_STAGE_VERTEX);
  description.name = "reflected";
  Shader shader(device, description);
  const dovetail_shader_info info = infoOf(shader);
  CHECK(info.name == std::string_view("reflected"));
  CHECK(info.entry_point == std::string_view("main"));
  CHECK(info.stage == DOVETAIL_STAGE_VERTEX);
  CHECK(info.input_count == 3);
  CHECK(info.output_count == 2);
  CHECK(info.descriptor_count == 3);
  CHECK(info.spec_constant_count == 3);
  CHECK(info.push_constant_begin == 16);
  CHECK(info.push_constant_end == 96);
  CHECK(info.push_constant_count == 2);
  CHECK(info.workgroup_size[0] == 0);
  CHECK(info.uses_atomics == 0);
}

TEST_CASE("C: inputs that the shader reads are told with location, components and type") {
  Device device;
  Shader shader(device, describe(reflected_vert, DOVETAIL_STAGE_VERTEX));
  const auto get = dovetail_shader_get_input;
  const dovetail_interface_info position = rowOf(get, shader, 0), cell = rowOf(get, shader, 1),
                                weight = rowOf(get, shader, 2);
  CHECK(position.name == std::string_view("position"));
  CHECK(position.location == 0);
  CHECK(position.component_mask == 7);
  CHECK(position.numeric_class == DOVETAIL_NUMERIC_FLOAT);
  CHECK(position.component_bits == 32);
  CHECK(position.feeds_position == 1);
  CHECK(cell.name == std::string_view("cell"));
  CHECK(cell.location == 3);
  CHECK(cell.component_mask == 3);
  CHECK(cell.numeric_class == DOVETAIL_NUMERIC_SINT);
  CHECK(cell.feeds_position == 0);
  CHECK(weight.name == std::string_view("weight"));
  CHECK(weight.location == 5);
  CHECK(weight.component_mask == 3);
  CHECK(weight.component_bits == 64);
  checkEnd(get, shader, 3);
}

TEST_CASE("C: outputs are told with how they are interpolated") {
  Device device;
  Shader shader(device, describe(reflected_vert, DOVETAIL_STAGE_VERTEX));
  const auto get = dovetail_shader_get_output;
  const dovetail_interface_info kind = rowOf(get, shader, 0), place = rowOf(get, shader, 1);
  CHECK(kind.location == 1);
  CHECK(kind.numeric_class == DOVETAIL_NUMERIC_UINT);
  CHECK(kind.interpolation == DOVETAIL_INTERPOLATION_FLAT);
  CHECK(place.name == std::string_view("place"));
  CHECK(place.location == 2);
  CHECK(place.component_mask == 3);
  CHECK(place.interpolation == DOVETAIL_INTERPOLATION_LINEAR);
  CHECK(place.interpolation_point == DOVETAIL_INTERPOLATION_CENTROID);
  CHECK(place.second_source == 0);
  checkEnd(get, shader, 2);
}

TEST_CASE("C: built-in variables are told with SPIR-V's numbers") {
  Device device;
  Shader shader(device, describe(reflected_vert, DOVETAIL_STAGE_VERTEX));
  const uint32_t count = infoOf(shader).builtin_count;
  std::map<uint32_t, dovetail_builtin_info> found;
  for (uint32_t i = 0; i < count; ++i) {
    const dovetail_builtin_info row = rowOf(dovetail_shader_get_builtin, shader, i);
    found[row.builtin] = row;
  }
  REQUIRE(found.contains(0)); // Position
  CHECK(found[0].is_output == 1);
  CHECK(found[0].elements == 1);
  REQUIRE(found.contains(3)); // ClipDistance
  CHECK(found[3].elements == 2);
  CHECK(found[3].is_per_vertex == 0);
  checkEnd(dovetail_shader_get_builtin, shader, count);
}

TEST_CASE("C: descriptors are told with set, binding, kind and count, and images with their shape") {
  Device device;
  Shader shader(device, describe(reflected_vert, DOVETAIL_STAGE_VERTEX));
  const auto get = dovetail_shader_get_descriptor;
  const dovetail_descriptor_info shadows = rowOf(get, shader, 0), words = rowOf(get, shader, 1),
                                 lights = rowOf(get, shader, 2);
  CHECK(shadows.name == std::string_view("shadows"));
  CHECK(shadows.set == 0);
  CHECK(shadows.binding == 1);
  CHECK(shadows.kind == DOVETAIL_DESCRIPTOR_COMBINED_IMAGE_SAMPLER);
  CHECK(shadows.array_size == 3);
  CHECK(shadows.image_dimension == DOVETAIL_IMAGE_2D);
  CHECK(shadows.image_is_arrayed == 1);
  CHECK(shadows.compares_depth == 1);
  CHECK(words.binding == 4);
  CHECK(words.kind == DOVETAIL_DESCRIPTOR_STORAGE_TEXEL_BUFFER);
  CHECK(words.array_size == 1);
  CHECK(words.image_dimension == DOVETAIL_IMAGE_BUFFER);
  CHECK(words.image_numeric_class == DOVETAIL_NUMERIC_UINT);
  CHECK(words.image_format == 98); // VK_FORMAT_R32_UINT
  CHECK(lights.set == 1);
  CHECK(lights.binding == 2);
  CHECK(lights.kind == DOVETAIL_DESCRIPTOR_UNIFORM_BUFFER);
  CHECK(lights.member_count == 2);
  CHECK(lights.block_bytes == 3 * 48 + 36); // reaches to the end of lights[3].range[1]
  CHECK(lights.image_dimension == 0);
  checkEnd(get, shader, 3);
}

TEST_CASE("C: uniforms of OpenGL are told with their locations") {
  Device device;
  dovetail_shader_description description = describe(opengl_frag, DOVETAIL_STAGE_FRAGMENT);
  description.environment = DOVETAIL_ENVIRONMENT_OPENGL;
  Shader shader(device, description);
  const dovetail_descriptor_info block = rowOf(dovetail_shader_get_descriptor, shader, 0),
                                 picture = rowOf(dovetail_shader_get_descriptor, shader, 1),
                                 cookies = rowOf(dovetail_shader_get_descriptor, shader, 2);
  CHECK(block.set == DOVETAIL_OPENGL_DEFAULT_BLOCK);
  CHECK(block.binding == DOVETAIL_STAGE_FRAGMENT);
  CHECK(block.kind == DOVETAIL_DESCRIPTOR_UNIFORM_BUFFER);
  CHECK(block.member_count == 4);
  CHECK(block.block_bytes == 56);
  CHECK(picture.set == DOVETAIL_OPENGL_UNIFORMS);
  CHECK(picture.binding == 7);
  CHECK(picture.declared_binding == 3);
  CHECK(picture.image_dimension == DOVETAIL_IMAGE_RECT);
  CHECK(picture.array_dimensions == 0);
  CHECK(cookies.name == std::string_view("lamps.cookies"));
  CHECK(cookies.binding == 9);
  CHECK(cookies.array_size == 6);
  CHECK(cookies.array_dimensions == 2);
  CHECK(cookies.array_counts[0] == 2);
  CHECK(cookies.array_locations[0] == 4);
  CHECK(cookies.array_counts[1] == 3);
  CHECK(cookies.array_locations[1] == 1);
  const dovetail_member_info tint = memberOf(shader, 0, 0), power = memberOf(shader, 0, 2);
  CHECK(tint.name == std::string_view("tint"));
  CHECK(tint.has_location == 1);
  CHECK(tint.location == 0);
  CHECK(tint.offset == 0);
  CHECK(power.name == std::string_view("lights.power"));
  CHECK(power.location == 2);
  CHECK(power.offset == 28);
  CHECK(power.array_counts[0] == 2);
  CHECK(power.array_strides[0] == 16);
  CHECK(power.array_locations[0] == 2);
}

TEST_CASE("C: members of blocks are told with offsets and with the arrays around them") {
  Device device;
  Shader shader(device, describe(reflected_vert, DOVETAIL_STAGE_VERTEX));
  const dovetail_member_info color = memberOf(shader, 2, 0), range = memberOf(shader, 2, 1);
  CHECK(color.name == std::string_view("lights.color"));
  CHECK(color.offset == 0);
  CHECK(color.rows == 3);
  CHECK(color.columns == 1);
  CHECK(color.array_dimensions == 1);
  CHECK(color.array_counts[0] == 4);
  CHECK(color.array_strides[0] == 48);
  CHECK(range.name == std::string_view("lights.range"));
  CHECK(range.offset == 16);
  CHECK(range.array_dimensions == 2);
  CHECK(range.array_counts[1] == 2);
  CHECK(range.array_strides[1] == 16);
  CHECK(range.array_counts[2] == 0);

  const dovetail_member_info matrix = memberOf(shader, DOVETAIL_PUSH_CONSTANTS, 0),
                             tint = memberOf(shader, DOVETAIL_PUSH_CONSTANTS, 1);
  CHECK(matrix.name == std::string_view("matrix"));
  CHECK(matrix.offset == 16);
  CHECK(matrix.rows == 4);
  CHECK(matrix.columns == 4);
  CHECK(matrix.matrix_stride == 16);
  CHECK(matrix.is_row_major == 0);
  CHECK(tint.offset == 80);
  CHECK(tint.component_bits == 32);

  dovetail_member_info unused = {};
  unused.size = sizeof unused;
  dovetail_message message;
  checkBad(dovetail_shader_get_member(shader, DOVETAIL_PUSH_CONSTANTS, 2, &unused, &message), message,
           "index is 2; the block has 2 members");
  checkBad(dovetail_shader_get_member(shader, 0, 0, &unused, &message), message, "the block has 0 members"); // an image
  checkBad(dovetail_shader_get_member(shader, 3, 0, &unused, &message), message, "descriptor is 3");
}

TEST_CASE("C: specialisation constants are told with their types and the module's own values") {
  Device device;
  const dovetail_spec_constant value = {std::bit_cast<uint32_t>(9.0f), 7, 0};
  dovetail_shader_description description = describe(reflected_vert, DOVETAIL_STAGE_VERTEX);
  description.spec_constants = &value;
  description.spec_constant_count = 1;
  Shader shader(device, description);
  std::map<uint32_t, dovetail_spec_constant_info> found;
  for (uint32_t i = 0; i < 3; ++i) {
    const dovetail_spec_constant_info row = rowOf(dovetail_shader_get_spec_constant, shader, i);
    found[row.id] = row;
  }
  REQUIRE(found.size() == 3);
  CHECK(found[7].name == std::string_view("scale"));
  CHECK(found[7].numeric_class == DOVETAIL_NUMERIC_FLOAT);
  CHECK(found[7].bits == 32);
  CHECK(found[7].default_value == std::bit_cast<uint32_t>(1.5f));
  CHECK(found[9].numeric_class == DOVETAIL_NUMERIC_UINT);
  CHECK(found[9].bits == 1);
  CHECK(found[9].default_value == 1);
  CHECK(found[11].numeric_class == DOVETAIL_NUMERIC_SINT);
  CHECK(uint32_t(found[11].default_value) == uint32_t(-2));
  checkEnd(dovetail_shader_get_spec_constant, shader, 3);
}

TEST_CASE("C: a module's entry points are told with their stages") {
  Device device;
  Shader shader(device, describe(reflected_vert, DOVETAIL_STAGE_VERTEX));
  REQUIRE(infoOf(shader).entry_point_count == 1);
  const dovetail_entry_point_info entry = rowOf(dovetail_shader_get_entry_point, shader, 0);
  CHECK(entry.name == std::string_view("main"));
  CHECK(entry.stage == DOVETAIL_STAGE_VERTEX);
  checkEnd(dovetail_shader_get_entry_point, shader, 1);
}

TEST_CASE("C: a shader's cache hash is that of what changes its code, not of its name or its layout") {
  Device device;
  auto hashOf = [&](const dovetail_shader_description &description) {
    Shader shader(device, description);
    const dovetail_shader_info info = infoOf(shader);
    return std::pair(info.cache_hash[0], info.cache_hash[1]);
  };
  dovetail_shader_description description = describe(reflected_vert, DOVETAIL_STAGE_VERTEX);
  const auto plain = hashOf(description);
  CHECK(plain != std::pair(uint64_t(0), uint64_t(0)));
  description.name = "another";
  description.has_layout = 1;
  CHECK(hashOf(description) == plain);
  const dovetail_spec_constant value = {std::bit_cast<uint32_t>(9.0f), 7, 0};
  description.spec_constants = &value;
  description.spec_constant_count = 1;
  CHECK(hashOf(description) != plain);
}

TEST_CASE("C: a workgroup's size is told as it is specialised") {
  Device device;
  const dovetail_spec_constant depth = {4, 3, 0};
  dovetail_shader_description description = describe(sized_comp, DOVETAIL_STAGE_COMPUTE);
  Shader plain(device, description);
  description.spec_constants = &depth;
  description.spec_constant_count = 1;
  Shader specialised(device, description);
  const dovetail_shader_info before = infoOf(plain), after = infoOf(specialised);
  CHECK(before.workgroup_size[0] == 8);
  CHECK(before.workgroup_size[1] == 2);
  CHECK(before.workgroup_size[2] == 1);
  CHECK(after.workgroup_size[2] == 4);
  CHECK(after.uses_atomics == 1);
  CHECK(after.input_count == 0);
  CHECK(rowOf(dovetail_shader_get_descriptor, specialised, 0).kind == DOVETAIL_DESCRIPTOR_STORAGE_BUFFER);
  CHECK(memberOf(specialised, 0, 0).array_counts[0] == 0); // a runtime array
}

TEST_CASE("C: what reflection points to lives as long as the shader, also in a program") {
  Device device;
  dovetail_shader *shader = nullptr;
  std::string name = "short-lived";
  dovetail_shader_description description = describe(textured_vert, DOVETAIL_STAGE_VERTEX);
  description.name = name.c_str();
  CHECK_OK(dovetail_shader_create(device, &description, &shader, message));
  name.assign(100, '?'); // it was copied
  CHECK(infoOf(shader).name == std::string_view("short-lived"));
  CHECK(rowOf(dovetail_shader_get_input, shader, 1).name == std::string_view("normal"));
  dovetail_shader_destroy(shader);
}

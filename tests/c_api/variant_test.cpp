// SPDX-License-Identifier: MIT
//
// The way from shaders to the facts about a variant that a driver reads.
#include "tests/c_api/objects.h"
#include <algorithm>
#include <cstring>
#include <set>
#include <span>

using namespace dovetail::c_test;

namespace {

std::string disassemble(const dovetail_variant *variant) {
  size_t size = 0;
  CHECK_OK(dovetail_variant_disassemble(variant, nullptr, &size, message));
  std::string text(size, '\0');
  CHECK_OK(dovetail_variant_disassemble(variant, text.data(), &size, message));
  CHECK(text.back() == '\0');
  text.pop_back();
  return text;
}

std::vector<uint8_t> codeOf(const dovetail_variant *variant) {
  const dovetail_variant_info info = infoOf(variant);
  return {info.code, info.code + info.code_size};
}

bool hasMonolithicPart(const dovetail_variant *variant) {
  for (uint32_t i = 0; i < infoOf(variant).part_count; ++i)
    if (partOf(variant, i).kind == DOVETAIL_PART_MONOLITHIC)
      return true;
  return false;
}

} // namespace

TEST_CASE("C: a program of stages that cannot be drawn with is refused when it is made, and the stages are named") {
  Device device;
  FiveStageProgram all(device);
  enum { Vertex, Control, Evaluation, Geometry, Fragment };
  const auto refusalOf = [&](std::vector<dovetail_shader *> shaders) {
    dovetail_program *program = reinterpret_cast<dovetail_program *>(1);
    dovetail_message refusal = {};
    CHECK(dovetail_program_create(device, shaders.data(), shaders.size(), nullptr, &program, &refusal) ==
          DOVETAIL_INVALID_INPUT);
    CHECK(program == nullptr);
    return std::string(refusal.text);
  };
  const std::vector<dovetail_shader *> &shaders = all.shaders();
  CHECK(refusalOf({shaders[Fragment]}) == "a pipeline with these stages (fragment) also needs: vertex");
  CHECK(refusalOf({shaders[Vertex], shaders[Control], shaders[Fragment]}) ==
        "a pipeline with these stages (vertex, tessellation control, fragment) also needs: tessellation evaluation");
  CHECK(refusalOf({shaders[Vertex], shaders[Evaluation]}) ==
        "a pipeline with these stages (vertex, tessellation evaluation) also needs: tessellation control");
  CHECK(refusalOf({shaders[Geometry], shaders[Fragment]}) ==
        "a pipeline with these stages (geometry, fragment) also needs: vertex");
}

TEST_CASE("C: five functions make a variant") {
  Device device;
  TexturedProgram program(device);
  Binder binder(device);
  const dovetail_variant *variant = binder.bind(program);
  const dovetail_variant_info info = infoOf(variant);
  CHECK(info.gpu == std::string("gfx900"));
  CHECK(info.code_size > info.text_size);
  CHECK(info.code_alignment == 256);
  CHECK(info.register_count > 20);
  CHECK(info.stage_count == 2);
  CHECK(info.part_count == 4); // vertex prolog and main, fragment main and epilog
  CHECK(info.is_monolithic == 0);
  CHECK(info.is_optimized == 0);
  CHECK(info.instruction_count > 10);
  CHECK(info.has_tessellation == 0);
  CHECK(info.has_geometry == 0);
}

TEST_CASE("C: stages say where they begin and what goes into user SGPRs") {
  Device device;
  TexturedProgram program(device);
  Binder binder(device);
  const dovetail_variant *variant = binder.bind(program);
  const dovetail_stage_info vs = stageOf(variant, 0), ps = stageOf(variant, 1);
  CHECK(vs.stage == DOVETAIL_HARDWARE_VS);
  CHECK(ps.stage == DOVETAIL_HARDWARE_PS);
  CHECK(vs.entry == 0);
  CHECK(ps.entry % 256 == 0);
  CHECK(ps.entry >= vs.text_size);
  CHECK(vs.part_count == 2);
  CHECK(vs.vgprs > 0);
  CHECK(vs.wave_size == 64);
  // The driver sets the table of vertex buffers, and the matrix in push constants.
  const uint32_t *begin = vs.user_data, *end = begin + vs.user_sgpr_count;
  CHECK(std::find(begin, end, uint32_t(DOVETAIL_USER_DATA_VERTEX_BUFFER_TABLE)) != end);
  CHECK(std::any_of(begin, end, [](uint32_t what) { return what < 0x10000000; }));
  CHECK(vs.user_data[31] == DOVETAIL_USER_DATA_UNMAPPED);
}

TEST_CASE("C: parts follow each other in the code, and their symbols differ") {
  Device device;
  TexturedProgram program(device);
  Binder binder(device);
  const dovetail_variant *variant = binder.bind(program);
  std::set<std::string> symbols;
  uint32_t end = 0;
  for (uint32_t i = 0; i < infoOf(variant).part_count; ++i) {
    const dovetail_part_info part = partOf(variant, i);
    CHECK(part.offset >= end);
    CHECK(part.code_size > 0);
    CHECK(part.instruction_count > 0);
    CHECK(std::strlen(part.description) > 0);
    end = part.offset + part.code_size;
    symbols.insert(part.symbol);
  }
  CHECK(symbols ==
        std::set<std::string>{"ps.fragment_epilog", "ps.fragment_main", "vs.vertex_main", "vs.vertex_prolog"});
  CHECK(end == infoOf(variant).text_size);
  CHECK(partOf(variant, 0).kind == DOVETAIL_PART_VERTEX_PROLOG);
}

TEST_CASE("C: assembly shows where each part begins") {
  Device device;
  TexturedProgram program(device);
  Binder binder(device);
  const dovetail_variant *variant = binder.bind(program);
  const std::string text = disassemble(variant);
  for (uint32_t i = 0; i < infoOf(variant).part_count; ++i)
    CHECK(text.find(std::string("----- ") + partOf(variant, i).symbol) != std::string::npos);
  CHECK(text.find("s_endpgm") != std::string::npos);
}

TEST_CASE("C: code is copied for the address where it is going to run") {
  Device device;
  TexturedProgram program(device);
  Binder binder(device);
  const dovetail_variant *variant = binder.bind(program);
  const dovetail_variant_info info = infoOf(variant);
  std::vector<uint8_t> code(info.code_size + 1, 0xee);
  CHECK_OK(dovetail_variant_copy_code(variant, code.data(), code.size(), 0x123400, message));
  if (info.relocation_count == 0)
    CHECK(std::equal(info.code, info.code + info.code_size, code.begin()));
  CHECK(code.back() == 0xee);
}

TEST_CASE("C: a buffer that is too small is not written to") {
  Device device;
  TexturedProgram program(device);
  Binder binder(device);
  const dovetail_variant *variant = binder.bind(program);
  size_t needed = 0;
  CHECK_OK(dovetail_variant_write_elf(variant, nullptr, &needed, message));
  std::vector<uint8_t> file(needed, 0xee);
  size_t size = needed - 1;
  dovetail_message message;
  CHECK(dovetail_variant_write_elf(variant, file.data(), &size, &message) == DOVETAIL_BUFFER_TOO_SMALL);
  CHECK(std::string(message.text).find(std::to_string(needed)) != std::string::npos);
  CHECK(size == needed);
  CHECK(file[0] == 0xee);
  const size_t codeSize = infoOf(variant).code_size;
  CHECK(dovetail_variant_copy_code(variant, file.data(), codeSize - 1, 0, &message) == DOVETAIL_BUFFER_TOO_SMALL);
  CHECK(file[0] == 0xee);
  CHECK_OK(dovetail_variant_write_elf(variant, file.data(), &size, message));
  CHECK(std::memcmp(file.data(), "\177ELF", 4) == 0);
}

TEST_CASE("C: tessellation and geometry shaders have their layouts") {
  for (const char *gpu : {"gfx900", "gfx803"}) {
    CAPTURE(gpu);
    Device device(gpu);
    FiveStageProgram program(device);
    Binder binder(device);
    const dovetail_variant *variant = binder.bind(program);
    CHECK(infoOf(variant).has_tessellation == 1);
    CHECK(infoOf(variant).has_geometry == 1);
    dovetail_tessellation_info tessellation = {};
    tessellation.size = sizeof tessellation;
    CHECK_OK(dovetail_variant_get_tessellation(variant, &tessellation, message));
    CHECK(tessellation.input_control_points == 3);
    CHECK(tessellation.output_control_points == 3);
    CHECK(tessellation.patches_per_group > 0);
    CHECK(tessellation.offchip_bytes > 0);
    dovetail_geometry_info geometry = {};
    geometry.size = sizeof geometry;
    CHECK_OK(dovetail_variant_get_geometry(variant, &geometry, message));
    CHECK(geometry.es_vertex_stride >= 16);
    CHECK(geometry.gsvs_item_dwords[0] == 4 * 3);
    // GFX9 has the ring in LDS.
    CHECK((geometry.es_vertices_per_group > 0) == (std::string(gpu) == "gfx900"));
  }
}

TEST_CASE("C: a variant without tessellation and geometry shader has no layouts") {
  Device device;
  TexturedProgram program(device);
  Binder binder(device);
  const dovetail_variant *variant = binder.bind(program);
  dovetail_tessellation_info tessellation = {};
  tessellation.size = sizeof tessellation;
  CHECK(dovetail_variant_get_tessellation(variant, &tessellation, nullptr) == DOVETAIL_BAD_ARGUMENT);
  dovetail_geometry_info geometry = {};
  geometry.size = sizeof geometry;
  CHECK(dovetail_variant_get_geometry(variant, &geometry, nullptr) == DOVETAIL_BAD_ARGUMENT);
}

TEST_CASE("C: compute shaders say how large their groups are") {
  Device device;
  Program program(device, {describe(triple_comp, DOVETAIL_STAGE_COMPUTE)});
  Binder binder(device);
  const dovetail_stage_info cs = stageOf(binder.bind(program), 0);
  CHECK(cs.stage == DOVETAIL_HARDWARE_CS);
  CHECK(cs.workgroup_size[0] == 64);
  CHECK(cs.workgroup_size[1] == 1);
  CHECK(cs.writes_memory == 1);
}

TEST_CASE("C: a program tells the layout that it was given by default") {
  Device device;
  TexturedProgram program(device);
  size_t count = 0;
  CHECK_OK(dovetail_program_get_layout(program, nullptr, &count, message));
  REQUIRE(count == 3); // table of set 0, push constants, the image with its sampler
  std::vector<dovetail_layout_node> nodes(count);
  CHECK_OK(dovetail_program_get_layout(program, nodes.data(), &count, message));
  CHECK(std::any_of(nodes.begin(), nodes.end(), [](const dovetail_layout_node &node) {
    return node.type == DOVETAIL_NODE_COMBINED_IMAGE_SAMPLER && node.set == 0 && node.size_in_dwords == 12;
  }));
  CHECK(std::any_of(nodes.begin(), nodes.end(), [](const dovetail_layout_node &node) {
    return node.type == DOVETAIL_NODE_PUSH_CONSTANTS && node.size_in_dwords == 16;
  }));
}

TEST_CASE("C: all storage buffers of a program may be dynamic without a layout") {
  Device device;
  Program plain(device, {describe(triple_comp, DOVETAIL_STAGE_COMPUTE)});
  dovetail_program_options options = {};
  options.size = sizeof options;
  auto offsetsWith = [&](uint32_t dynamicBuffers) {
    options.dynamic_buffers = dynamicBuffers;
    dovetail_program *program = nullptr;
    CHECK_OK(dovetail_program_create(device, plain.shaders().data(), 1, &options, &program, message));
    std::vector<dovetail_layout_node> nodes(16);
    size_t count = nodes.size();
    CHECK_OK(dovetail_program_get_layout(program, nodes.data(), &count, message));
    dovetail_program_destroy(program);
    return std::count_if(nodes.begin(), nodes.begin() + count,
                         [](const auto &node) { return node.type == DOVETAIL_NODE_DYNAMIC_OFFSET; });
  };
  CHECK(offsetsWith(0) == 0);
  CHECK(offsetsWith(DOVETAIL_DYNAMIC_UNIFORM_BUFFERS) == 0);
  CHECK(offsetsWith(DOVETAIL_DYNAMIC_STORAGE_BUFFERS) == 1);
}

TEST_CASE("C: a program takes the layout that it is given") {
  Device device;
  TexturedProgram defaults(device);
  std::vector<dovetail_layout_node> nodes(3);
  size_t count = nodes.size();
  CHECK_OK(dovetail_program_get_layout(defaults, nodes.data(), &count, message));
  for (dovetail_layout_node &node : nodes)
    if (node.type == DOVETAIL_NODE_PUSH_CONSTANTS)
      node.offset_in_dwords += 7;
  dovetail_program_options options = {};
  options.size = sizeof options;
  options.has_layout = 1;
  options.layout = nodes.data();
  options.layout_count = count;
  dovetail_program *program = nullptr;
  CHECK_OK(dovetail_program_create(device, defaults.shaders().data(), 2, &options, &program, message));
  std::vector<dovetail_layout_node> read(3);
  CHECK_OK(dovetail_program_get_layout(program, read.data(), &count, message));
  auto bytes = std::as_bytes(std::span(nodes)), readBytes = std::as_bytes(std::span(read));
  CHECK(std::equal(bytes.begin(), bytes.end(), readBytes.begin(), readBytes.end()));
  dovetail_program_destroy(program);
}

TEST_CASE("C: retained variants outlive everything") {
  const dovetail_variant *variant = nullptr;
  {
    Device device;
    TexturedProgram program(device);
    Binder binder(device);
    variant = binder.bind(program);
    CHECK_OK(dovetail_variant_retain(variant, message));
    CHECK_OK(dovetail_variant_retain(variant, message));
  }
  dovetail_variant_release(variant);
  CHECK(infoOf(variant).code_size > 0);
  CHECK(disassemble(variant).find("s_endpgm") != std::string::npos);
  dovetail_variant_release(variant);
}

TEST_CASE("C: tools build monolithic variants") {
  Device device;
  TexturedProgram program(device);
  dovetail_build_options options = {};
  options.size = sizeof options;
  options.monolithic = 1;
  const dovetail_variant *monolithic = nullptr, *joined = nullptr;
  CHECK_OK(dovetail_build(device, program, nullptr, &options, &monolithic, message));
  CHECK_OK(dovetail_build(device, program, nullptr, nullptr, &joined, message));
  CHECK(infoOf(monolithic).is_monolithic == 1);
  CHECK(infoOf(monolithic).part_count == 2);
  CHECK(infoOf(joined).part_count == 4);
  CHECK(infoOf(joined).key[0] != infoOf(monolithic).key[0]);
  dovetail_variant_release(monolithic);
  dovetail_variant_release(joined);
}

TEST_CASE("C: shaders of a source language that nobody knows are compiled, joined and monolithic") {
  for (uint32_t language : {11u, 12345u}) {
    CAPTURE(language);
    std::vector<uint32_t> modules[] = {{std::begin(textured_vert), std::end(textured_vert)},
                                       {std::begin(textured_frag), std::end(textured_frag)}};
    for (std::vector<uint32_t> &words : modules) {
      const uint32_t source[] = {3u << 16 | 3u, 2, 450}; // OpSource GLSL 450
      auto found = std::search(words.begin(), words.end(), std::begin(source), std::end(source));
      REQUIRE(found != words.end());
      found[1] = language;
    }
    auto description = [](const std::vector<uint32_t> &words, dovetail_shader_stage stage) {
      dovetail_shader_description result = describe(textured_vert, stage);
      result.words = words.data();
      result.word_count = words.size();
      return result;
    };
    Device device;
    Program program(device,
                    {description(modules[0], DOVETAIL_STAGE_VERTEX), description(modules[1], DOVETAIL_STAGE_FRAGMENT)});
    Binder binder(device);
    TexturedProgram plain(device);
    const dovetail_variant *variant = binder.bind(program);
    const std::vector<uint8_t> code = codeOf(variant);
    const uint64_t key = infoOf(variant).key[0];
    const dovetail_variant *plainVariant = binder.bind(plain);
    CHECK((code == codeOf(plainVariant)));
    CHECK(key != infoOf(plainVariant).key[0]); // keys are made from the words that the caller gave
    dovetail_build_options options = {};
    options.size = sizeof options;
    options.monolithic = 1;
    const dovetail_variant *monolithic = nullptr;
    CHECK_OK(dovetail_build(device, program, nullptr, &options, &monolithic, message));
    CHECK(infoOf(monolithic).is_monolithic == 1);
    dovetail_variant_release(monolithic);
  }
}

TEST_CASE("C: a bind that never compiles is not ready until the background has built it") {
  Device device;
  TexturedProgram program(device);
  Binder binder(device);
  dovetail_bind_options options = {};
  options.size = sizeof options;
  options.never_compile = 1;
  options.priority = DOVETAIL_PRIORITY_HIGH;
  const dovetail_variant *variant = nullptr;
  CHECK(dovetail_bind(binder, program, nullptr, nullptr, &options, &variant, nullptr) == DOVETAIL_NOT_READY);
  CHECK(variant == nullptr);
  dovetail_bind_info info = {};
  info.size = sizeof info;
  CHECK_OK(dovetail_binder_get_last_bind(binder, &info, message));
  CHECK(info.kind == DOVETAIL_BIND_NOT_READY);
  CHECK(statisticsOf(device).not_ready_binds == 1);
  CHECK_OK(dovetail_device_drain(device, message));
  CHECK(dovetail_device_generation(device) == 1);
  CHECK_OK(dovetail_bind(binder, program, nullptr, nullptr, &options, &variant, message));
  CHECK(variant != nullptr);
  CHECK_OK(dovetail_program_cancel_builds(program, message)); // there is nothing to cancel
}

TEST_CASE("C: a fallback is bound until the background has what the state takes a compiler for") {
  Device device(withLlvm());
  TexturedProgram program(device);
  State defaults(device, program);
  dovetail_pipeline_state description = defaults.get();
  description.rasterization_samples = 4;
  State plain(device, description);
  description.smoothing = 1; // changes the fragment shader's own code
  State smooth(device, description);
  Binder binder(device);
  dovetail_bind_options options = {};
  options.size = sizeof options;
  options.fallback = binder.bind(program, plain); // only the binder keeps it, and this bind may end that
  const dovetail_variant *variant = nullptr;
  CHECK_OK(dovetail_bind(binder, program, smooth, nullptr, &options, &variant, message));
  CHECK(variant == options.fallback);
  CHECK_FALSE(hasMonolithicPart(variant));
  CHECK(statisticsOf(device).fallbacks == 1);
  CHECK_OK(dovetail_device_drain(device, message));
  CHECK_OK(dovetail_bind(binder, program, smooth, nullptr, nullptr, &variant, message));
  CHECK(hasMonolithicPart(variant));
  CHECK(dovetail_device_generation(device) == 1);

  // The neighbour: without a fallback, the bind waits for the compiler.
  description.color_targets[0].write_mask = 7;
  State other(device, description);
  CHECK(hasMonolithicPart(binder.bind(program, other)));
}

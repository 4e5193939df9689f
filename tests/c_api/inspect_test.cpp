// SPDX-License-Identifier: MIT
//
// Tools ask the C API about a variant's code.
#include "tests/c_api/bad_calls.h"
#include <string_view>

using namespace dovetail::c_test;

namespace {

class LinedProgram : public Program {
public:
  explicit LinedProgram(dovetail_device *device) : Program(device, {describe(lined_comp, DOVETAIL_STAGE_COMPUTE)}) {}
};

class SourceLines {
public:
  SourceLines(const dovetail_program *program, const dovetail_variant *variant) {
    CHECK_OK(dovetail_source_lines_create(program, nullptr, variant, &m_lines, message));
  }
  ~SourceLines() { dovetail_source_lines_destroy(m_lines); }
  SourceLines(const SourceLines &) = delete;
  SourceLines &operator=(const SourceLines &) = delete;

  size_t count() const {
    size_t count = 0;
    dovetail_source_lines_get(m_lines, &count);
    return count;
  }
  dovetail_source_line find(uint32_t offset) const {
    dovetail_source_line line = {};
    CHECK_OK(dovetail_source_lines_find(m_lines, offset, &line, message));
    return line;
  }

private:
  dovetail_source_lines *m_lines = nullptr;
};

dovetail_code_place placeOf(const dovetail_variant *variant, uint32_t offset) {
  auto place = sized<dovetail_code_place>();
  CHECK_OK(dovetail_variant_find_place(variant, offset, &place, message));
  return place;
}

} // namespace

TEST_CASE("C: a stage costs what its parts do") {
  Device device;
  TexturedProgram program(device);
  Binder binder(device);
  const dovetail_variant *variant = binder.bind(program);
  const dovetail_stage_info stage = stageOf(variant, 1);
  auto whole = sized<dovetail_code_cost>();
  CHECK_OK(dovetail_variant_get_stage_cost(variant, 1, &whole, message));
  uint32_t instructions = 0, memory = 0;
  for (uint32_t part = stage.first_part; part < stage.first_part + stage.part_count; ++part) {
    auto cost = sized<dovetail_code_cost>();
    CHECK_OK(dovetail_variant_get_part_cost(variant, part, &cost, message));
    CHECK(cost.instruction_count == partOf(variant, part).instruction_count);
    instructions += cost.instruction_count + (partOf(variant, part).wait_states ? 1 : 0);
    memory += cost.vector_memory_count;
  }
  CHECK(whole.instruction_count == instructions);
  CHECK(whole.vector_memory_count == memory);
  CHECK(memory > 0); // the program samples a texture
  CHECK(whole.cycles >= 4 * instructions);
  dovetail_message message;
  checkBad(dovetail_variant_get_stage_cost(variant, 2, &whole, &message), message, "index is 2");
  checkBad(dovetail_variant_get_part_cost(variant, 99, &whole, &message), message, "index is 99");
}

TEST_CASE("C: an offset has a part and an instruction") {
  Device device;
  TexturedProgram program(device);
  Binder binder(device);
  const dovetail_variant *variant = binder.bind(program);
  const dovetail_part_info part = partOf(variant, 1);
  const dovetail_code_place place = placeOf(variant, part.offset);
  CHECK(place.part == 1);
  CHECK(place.stage == part.stage);
  CHECK(place.offset_in_part == 0);
  CHECK(place.instruction_offset == part.offset);
  CHECK(place.text[0] != 0);
  CHECK(placeOf(variant, part.offset + place.instruction_size).offset_in_part == place.instruction_size);
  auto none = sized<dovetail_code_place>();
  dovetail_message message;
  CHECK(dovetail_variant_find_place(variant, infoOf(variant).text_size, &none, &message) == DOVETAIL_INVALID_INPUT);
}

TEST_CASE("C: code of a module with lines has them, to the end of its part") {
  Device device(withLlvm());
  LinedProgram program(device);
  Binder binder(device);
  const dovetail_variant *variant = binder.bind(program);
  const SourceLines lines(program, variant);
  CHECK(lines.count() > 2);
  bool hasRoot = false, hasPower = false;
  const uint32_t end = infoOf(variant).text_size;
  for (uint32_t offset = 0; offset < end;) {
    const dovetail_code_place place = placeOf(variant, offset);
    const dovetail_source_line line = lines.find(offset);
    const std::string_view text = place.text;
    if (text.starts_with("v_sqrt_f32")) {
      CHECK(line.line == 6);
      CHECK(std::string_view(line.file).ends_with("lined.comp"));
      hasRoot = true;
    }
    if (text.starts_with("v_exp_f32")) {
      CHECK(line.line == 7);
      hasPower = true;
    }
    offset += place.instruction_size;
  }
  CHECK(hasRoot);
  CHECK(hasPower);
  CHECK(lines.find(end).line == 0);
  CHECK(lines.find(end).file == std::string_view());
}

TEST_CASE("C: an ELF with lines has what one without has, and more") {
  Device device(withLlvm());
  LinedProgram program(device);
  Binder binder(device);
  const dovetail_variant *variant = binder.bind(program);
  dovetail_source_lines *lines = nullptr;
  CHECK_OK(dovetail_source_lines_create(program, nullptr, variant, &lines, message));
  size_t plain = 0, size = 0;
  CHECK_OK(dovetail_variant_write_elf(variant, nullptr, &plain, message));
  CHECK_OK(dovetail_source_lines_write_elf(lines, nullptr, &size, message));
  CHECK(size > plain);
  std::vector<uint8_t> file(size);
  CHECK_OK(dovetail_source_lines_write_elf(lines, file.data(), &size, message));
  CHECK(std::string(file.begin(), file.end()).find("lined.comp") != std::string::npos);
  const dovetail_variant *read = nullptr;
  CHECK_OK(dovetail_variant_read_elf(file.data(), file.size(), &read, message));
  CHECK(infoOf(read).code_size == infoOf(variant).code_size);
  dovetail_variant_release(read);
  dovetail_source_lines_destroy(lines);
}

TEST_CASE("C: source lines belong to their device") {
  dovetail_device_options options = sized<dovetail_device_options>();
  options.gpu = "gfx900";
  dovetail_device *device = nullptr;
  CHECK_OK(dovetail_device_create(&options, &device, message));
  dovetail_source_lines *lines = nullptr;
  {
    LinedProgram program(device);
    Binder binder(device);
    CHECK_OK(dovetail_source_lines_create(program, nullptr, binder.bind(program), &lines, message));
  }
  CHECK(dovetail_device_destroy(device, nullptr) == DOVETAIL_BAD_ARGUMENT);
  dovetail_source_lines_destroy(lines);
  CHECK_OK(dovetail_device_destroy(device, message));
}

TEST_CASE("C: a variant of another GPU has no lines of this device") {
  Device device("gfx900"), other("gfx803");
  LinedProgram program(device), otherProgram(other);
  Binder binder(other);
  dovetail_source_lines *lines = garbage<dovetail_source_lines>();
  dovetail_message message;
  checkBad(dovetail_source_lines_create(program, nullptr, binder.bind(otherProgram), &lines, &message), message,
           "variant is for gfx803");
  CHECK(lines == nullptr);
}

TEST_CASE("C: the IR of a program's main parts") {
  Device device;
  TexturedProgram program(device);
  size_t size = 0;
  CHECK_OK(dovetail_program_print_ir(program, nullptr, nullptr, &size, message));
  std::vector<char> text(size);
  CHECK_OK(dovetail_program_print_ir(program, nullptr, text.data(), &size, message));
  REQUIRE(size == text.size());
  CHECK(text.back() == 0);
  const std::string_view ir(text.data());
  CHECK(ir.find("amdgpu_vs") != std::string_view::npos);
  CHECK(ir.find("amdgpu_ps") != std::string_view::npos);
}

TEST_CASE("C: the IR is that of the main parts under a state") {
  Device device;
  TexturedProgram program(device);
  const auto printIr = [&](bool isSmoothed) {
    dovetail_pipeline_state description = DOVETAIL_PIPELINE_STATE_INIT;
    description.rasterization_samples = 4;
    description.smoothing = isSmoothed;
    const State state(device, description);
    size_t size = 0;
    CHECK_OK(dovetail_program_print_ir(program, state, nullptr, &size, message));
    std::string text(size, 0);
    CHECK_OK(dovetail_program_print_ir(program, state, text.data(), &size, message));
    return text;
  };
  CHECK(printIr(false) == printIr(false));
  CHECK(printIr(true) != printIr(false));
}

TEST_CASE("C: spills are those of the parts") {
  Device device;
  TexturedProgram program(device);
  Binder binder(device);
  const dovetail_variant *variant = binder.bind(program);
  CHECK(stageOf(variant, 0).spilled_vgprs == 0);
  CHECK(partOf(variant, 0).spilled_sgprs == 0);
}

// SPDX-License-Identifier: MIT
//
// Compares C's state with the library's own: C must be able to express all of it.
#include "src/state/state_fields.h"
#include "tests/project/source_tree.h"
#include "variants/c_api/convert/state_fields.h"
#include "variants/state/canonicalize.h"
#include <algorithm>
#include <doctest/doctest.h>
#include <regex>

using namespace dovetail;
using namespace dovetail::c_api;

namespace {

PipelineState read(const dovetail_pipeline_state &description) {
  Outcome<PipelineState> state = toPipelineState(description, "description");
  if (!state)
    FAIL(state.error().text);
  return *state;
}

// "colorTwoSide" -> "color_two_side".
std::string inC(const std::string &field) {
  return std::regex_replace(field, std::regex("([A-Z])"), "_$1");
}

std::string lowered(std::string text) {
  for (char &c : text)
    c = char(std::tolower(c));
  return text;
}

template <typename T> std::vector<std::string> namesOf(const T &value) {
  std::vector<std::string> names;
  forEachField(value, [&](std::string_view name, const auto &) { names.emplace_back(name); });
  return names;
}

// Pointers to all members of type uint32_t.
std::vector<uint32_t *> numbersOf(dovetail_pipeline_state &description) {
  std::vector<uint32_t *> numbers;
  for (uint32_t *number = &description.topology; number != &description.depth_stencil_format; ++number)
    numbers.push_back(number);
  numbers.push_back(&description.depth_stencil_format);
  for (uint32_t *number = &description.square_compute_waves; number != &description.reserved; ++number)
    numbers.push_back(number);
  return numbers;
}

} // namespace

TEST_CASE("C's initializer is the library's default state") {
  CHECK(read(DOVETAIL_PIPELINE_STATE_INIT) == PipelineState());
}

TEST_CASE("every number of C's state arrives, each in a field of its own, and comes back") {
  dovetail_pipeline_state defaults = DOVETAIL_PIPELINE_STATE_INIT;
  const size_t count = numbersOf(defaults).size();
  CHECK(count == 18 + 8 * 9 + 6 + 5);
  std::vector<PipelineState> seen = {PipelineState()};
  for (size_t i = 0; i < count; ++i) {
    CAPTURE(i);
    dovetail_pipeline_state description = DOVETAIL_PIPELINE_STATE_INIT;
    uint32_t &number = *numbersOf(description)[i];
    // Each field accepts 0, 1 or 2; this takes a value other than the field's default.
    number = number == 0 ? 1 : number == 1 && &number == &description.rasterization_samples ? 2 : number == 1 ? 0 : 1;
    const PipelineState state = read(description);
    CHECK(std::ranges::find(seen, state) == seen.end());
    seen.push_back(state);
    const dovetail_pipeline_state back = fromPipelineState(state, {}, {});
    for (size_t other = 0; other < count; ++other)
      CHECK(*numbersOf(const_cast<dovetail_pipeline_state &>(back))[other] == *numbersOf(description)[other]);
  }
}

TEST_CASE("a number that its enumeration does not have is refused, in every field that has one") {
  dovetail_pipeline_state defaults = DOVETAIL_PIPELINE_STATE_INIT;
  std::vector<size_t> taken;
  for (size_t i = 0; i < numbersOf(defaults).size(); ++i) {
    CAPTURE(i);
    dovetail_pipeline_state description = DOVETAIL_PIPELINE_STATE_INIT;
    *numbersOf(description)[i] = 0xffffffff;
    const Outcome<PipelineState> state = toPipelineState(description, "description");
    if (state) {
      taken.push_back(i);
      continue;
    }
    CHECK((state.error().status == DOVETAIL_BAD_ARGUMENT));
    CHECK_MESSAGE(state.error().text.find(" is 4294967295; it ") != std::string::npos, state.error().text);
  }
  // Two fields accept any number here: patch_control_points, whose limit a bind checks, and a mask of locations.
  const std::vector<uint32_t *> numbers = numbersOf(defaults);
  auto indexOf = [&](uint32_t &number) { return size_t(std::ranges::find(numbers, &number) - numbers.begin()); };
  CHECK(taken == std::vector<size_t>{indexOf(defaults.patch_control_points), indexOf(defaults.sprite_coord_enable)});
}

TEST_CASE("vertex input arrives and comes back") {
  const dovetail_vertex_binding bindings[] = {{3, 20, 1, 7}, {5, 8, 0, 1}};
  const dovetail_vertex_attribute attributes[] = {{9, 3, VK_FORMAT_R16G16_SNORM, 4}, {31, 5, VK_FORMAT_R8_UINT, 1}};
  dovetail_pipeline_state description = DOVETAIL_PIPELINE_STATE_INIT;
  description.vertex_bindings = bindings;
  description.vertex_binding_count = 2;
  description.vertex_attributes = attributes;
  description.vertex_attribute_count = 2;
  const PipelineState state = read(description);
  PipelineState expected;
  expected.vertexBindings = {{3, 20, VK_VERTEX_INPUT_RATE_INSTANCE, 7}, {5, 8, VK_VERTEX_INPUT_RATE_VERTEX, 1}};
  expected.vertexAttributes = {{9, 3, VK_FORMAT_R16G16_SNORM, 4}, {31, 5, VK_FORMAT_R8_UINT, 1}};
  CHECK(state == expected);
  const auto backBindings = toVertexBindings(state);
  const auto backAttributes = toVertexAttributes(state);
  CHECK(read(fromPipelineState(state, backBindings, backAttributes)) == expected);
}

TEST_CASE("C's state has a member for each field of the library's") {
  const project::SourceTree tree = project::readProject();
  const std::string header = tree.at("variants/c_api/include/dovetail_state.h");
  const std::pair<std::vector<std::string>, const char *> structs[] = {
      {namesOf(PipelineState()), "dovetail_pipeline_state"},
      {namesOf(ColorTarget()), "dovetail_color_target"},
      {namesOf(VertexBinding()), "dovetail_vertex_binding"},
      {namesOf(VertexAttribute()), "dovetail_vertex_attribute"}};
  for (const auto &[fields, theirs] : structs) {
    const size_t begin = header.find("typedef struct " + std::string(theirs) + " {");
    REQUIRE(begin != std::string::npos);
    const std::string body = header.substr(begin, header.find("\n} ", begin) - begin);
    for (const std::string &field : fields)
      CHECK_MESSAGE(std::regex_search(body, std::regex("\\b" + lowered(inC(field)) + "\\b(\\[8\\])?;")), theirs,
                    "::", field);
  }
}

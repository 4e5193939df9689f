// SPDX-License-Identifier: MIT
#include "tests/tools/temporary_folder.h"
#include "tools/bench/variant-bench/measure/programs.h"
#include "tools/bench/variant-bench/ways/cold_states.h"
#include "variants/state/canonicalize.h"
#include <algorithm>
#include <doctest/doctest.h>
#include <map>
#include <set>

using namespace dovetail;
using lgc::ShaderStage;

namespace {

BenchProgram own(const std::string &name, const GridSize &size) {
  static std::map<unsigned, std::vector<BenchProgram>> known;
  std::vector<BenchProgram> &programs = known[size.count()];
  if (programs.empty())
    programs = std::move(*readOwnPrograms(size));
  const BenchProgram *found = findProgram(programs, name);
  REQUIRE(found);
  return *found;
}

size_t distinct(const ShaderSet &set, const std::vector<PipelineState> &states) {
  std::set<Hash128> hashes;
  for (const PipelineState &state : states)
    hashes.insert(hashState(canonicalize(state, set)).hash());
  return hashes.size();
}

} // namespace

TEST_CASE("the benchmark's own programs come in the order of its lines") {
  Result<std::vector<BenchProgram>> programs = readOwnPrograms({1, 1, 1});
  REQUIRE(programs);
  std::string names;
  for (const BenchProgram &program : *programs)
    names += program.name + " ";
  CHECK(names == "textured phong pbr tess geom uint gbuffer ");
}

TEST_CASE("all states of a grid differ for the shaders") {
  for (const char *name : {"textured", "uint", "tess"}) {
    CAPTURE(name);
    const BenchProgram program = own(name, {10, 14, 4});
    CHECK(program.grid.states.size() == program.grid.size.count());
    CHECK(program.grid.size.vertexInputs == 10);
    CHECK(program.grid.size.colors == 14);
    CHECK(distinct(program.set, program.grid.states) == program.grid.states.size());
  }
}

TEST_CASE("rows and columns of a grid differ in vertex inputs and in colours alone") {
  const BenchProgram program = own("textured", {3, 4, 2});
  const StateGrid &grid = program.grid;
  const PipelineState &one = grid.states[grid.index(1, 2, 1)], &otherColor = grid.states[grid.index(1, 3, 1)],
                      &otherInput = grid.states[grid.index(2, 2, 1)];
  CHECK(one.vertexAttributes == otherColor.vertexAttributes);
  CHECK(one.colorTargets != otherColor.colorTargets);
  CHECK(one.colorTargets == otherInput.colorTargets);
  CHECK(one.vertexAttributes != otherInput.vertexAttributes);
}

TEST_CASE("compute shaders have one state") {
  Result<ProgramList> list = readBenchPrograms({std::string(DOVETAIL_OWN_SHADERS) + "/blur.comp"}, {8, 8, 2});
  REQUIRE(list);
  CHECK(list->programs[0].grid.states.size() == 1);
}

TEST_CASE("programs of one name are told apart, and what is none is refused") {
  TemporaryFolder temporary;
  const std::string folder = DOVETAIL_OWN_SHADERS;
  const std::string broken = temporary.write("broken.frag", "#version 450\nvoid main() { this is no shader; }\n");
  Result<ProgramList> list =
      readBenchPrograms({folder + "/phong.vert", folder + "/phong.frag", DOVETAIL_BENCH_SHADERS "/phong.vert",
                         DOVETAIL_BENCH_SHADERS "/phong.frag", broken},
                        {1, 1, 1});
  REQUIRE(list);
  REQUIRE(list->programs.size() == 2);
  CHECK(list->programs[0].name == "phong");
  CHECK(list->programs[1].name == "phong_2");
  REQUIRE(list->refused.size() == 1);
  CHECK(list->refused[0].find("broken") != std::string::npos);
}

TEST_CASE("a tessellation control shader alone gets the stages around it") {
  Result<ProgramList> list = readBenchPrograms({DOVETAIL_OWN_SHADERS "/tess_bezier.tesc"}, {1, 1, 1});
  REQUIRE(list);
  REQUIRE(list->programs.size() == 1);
  for (ShaderStage stage : {ShaderStage::Vertex, ShaderStage::TessEval, ShaderStage::Fragment})
    CHECK(list->programs[0].set.shader(stage));
}

TEST_CASE("a limit takes some of the programs, always the same") {
  auto namesOf = [](size_t limit) {
    std::string names;
    Result<ProgramList> list = readBenchPrograms({DOVETAIL_BENCH_SHADERS}, {1, 1, 1}, limit);
    REQUIRE(list);
    for (const BenchProgram &program : list->programs)
      names += program.name + " ";
    return names;
  };
  const std::string two = namesOf(2);
  CHECK(std::ranges::count(two, ' ') == 2);
  CHECK(namesOf(2) == two);
  CHECK(namesOf(0).size() > two.size());
}

TEST_CASE("cold states need a part each") {
  const BenchProgram program = own("gbuffer", {1, 1, 1});
  const PipelineState &base = program.grid.states.front();
  const std::vector<PipelineState> inputs = coldVertexInputs(base, 200);
  CHECK(inputs.size() == 200);
  CHECK(distinct(program.set, inputs) == 200);
  CHECK(inputs[0].vertexAttributes.size() == 4);
  for (unsigned targets : {1u, 4u}) {
    const std::vector<PipelineState> colors = coldColors(base, targets, 60);
    CHECK(distinct(program.set, colors) == 60);
    for (const PipelineState &state : colors)
      for (unsigned target = 0; target < MaxColorTargets; ++target)
        CHECK((state.colorTargets[target].format != VK_FORMAT_UNDEFINED) == (target < targets));
  }
}

// SPDX-License-Identifier: MIT
//
// Lists of pipelines by their cost, and one pipeline in all detail.
#include "tests/fossilize/capture_program.h"
#include "tests/tools/temporary_folder.h"
#include "tools/programs/dovetail/corpus/corpus_unit_compile.h"
#include "tools/programs/dovetail/inspect/inspect_list.h"
#include "tools/programs/dovetail/inspect/inspect_pipeline.h"
#include "tools/programs/dovetail/inspect/inspect_variant.h"
#include "tools/programs/dovetail/inspect/live_registers.h"
#include "variants/state/default_state.h"
#include <algorithm>
#include <doctest/doctest.h>

using namespace dovetail;

namespace {

template <typename Value> Value must(Result<Value> result) {
  if (!result)
    FAIL(result.error().text);
  return std::move(*result);
}

InspectedPipeline pipelineOf(const std::string &name, uint32_t waves, uint32_t scratch, uint32_t instructions) {
  ProgramRow row;
  row.stage = "cs";
  row.waves = waves;
  row.scratchBytes = scratch;
  row.instructions = instructions;
  return {name, {row}, ""};
}

} // namespace

TEST_CASE("the fewest waves come first, then scratch memory, then instructions, and what failed comes last") {
  std::vector<InspectedPipeline> pipelines = {{"failed", {}, "no"},
                                              pipelineOf("small", 10, 0, 5),
                                              pipelineOf("large", 10, 0, 500),
                                              pipelineOf("spills", 10, 16, 1),
                                              pipelineOf("slow", 3, 0, 1)};
  sortByWorst(pipelines);
  std::string order;
  for (const InspectedPipeline &pipeline : pipelines)
    order += pipeline.name + " ";
  CHECK(order == "slow spills large small failed ");
  const std::string list = printList(pipelines, 2);
  CHECK(list.find("slow") != std::string::npos);
  CHECK(list.find("small") == std::string::npos);
  CHECK(
      list.find("not compiled: failed: no\n2 more are not shown (--limit 0 shows all)\n5 pipelines, 1 not compiled") !=
      std::string::npos);
}

TEST_CASE("a unit's rows come back from a worker as they were") {
  TemporaryFolder folder;
  const CapturedProgram program(simpleShaders());
  REQUIRE(must(fossilize::Capture::create(folder / "a.foz"))->add(program.capture(defaultState(program.shaders))));
  const CorpusUnit unit = must(findCorpusUnits({folder / "a.foz"})).front();
  const InspectedPipeline pipeline = must(parseInspected(inspectUnit(unit, {})));
  CHECK(pipeline.failure.empty());
  REQUIRE(pipeline.programs.size() == 2);
  CHECK(pipeline.programs[0].stage != pipeline.programs[1].stage);
  CHECK(pipeline.programs[0].instructions > 0);
  CHECK(pipeline.programs[0].cycles >= 4 * pipeline.programs[0].instructions);
  CHECK(pipeline.programs[0].waves == 10);
  CHECK(pipeline.programs[0].limit.empty());
}

TEST_CASE("a program without too many registers is limited by nothing, another by what it has too many of") {
  auto device = must(Device::create("gfx900"));
  const CapturedProgram program(simpleShaders());
  const VariantRef variant = must(device->bind(program.shaders, defaultState(program.shaders)));
  Image image = *variant->image;
  image.stages[0].usage.vgprs = 66;
  image.stages[1].usage.sgprs = 90;
  const std::vector<ProgramRow> rows = must(programRows(image, device->target(), 0));
  CHECK(rows[0].waves == 3);
  CHECK(rows[0].limit == "VGPRs, 2 more than for 4 waves");
  CHECK(rows[1].waves == 8);
  CHECK(rows[1].limit.starts_with("SGPRs, "));
}

TEST_CASE("code that the disassembler refuses has no rows, but a reason") {
  auto device = must(Device::create("gfx900"));
  const CapturedProgram program(simpleShaders());
  Image image = *must(device->bind(program.shaders, defaultState(program.shaders)))->image;
  std::ranges::fill(image.code, uint8_t(0xff));
  const InspectedPipeline pipeline = inspectedPipeline("name", programRows(image, device->target(), 0));
  CHECK(pipeline.programs.empty());
  CHECK_FALSE(pipeline.failure.empty());
}

TEST_CASE("a unit's programs are disassembled only if their rows are wanted") {
  TemporaryFolder folder;
  auto device = must(Device::create("gfx900"));
  const CorpusUnit unit = {"sum.comp",
                           {folder.write("sum.comp", "#version 450\nlayout(local_size_x = 64) in;\nvoid main() {}\n")}};
  const UnitOutcome without = compileUnit(*device, unit), with = compileUnit(*device, unit, {}, {}, UnitRows::Wanted);
  CHECK(without.pipelines.empty());
  REQUIRE(with.pipelines.size() == 1);
  CHECK(with.pipelines[0].programs.size() == 1);
  CHECK(without.shaders.size() == 1);
}

TEST_CASE("of a pair of which one shader is refused, nothing is told under the pair's name but why") {
  TemporaryFolder folder;
  auto device = must(Device::create("gfx900"));
  const CorpusUnit unit = {
      "pair",
      {folder.write("pair.vert", "nonsense"),
       folder.write("pair.frag",
                    "#version 450\nlayout(location = 0) out vec4 color;\nvoid main() { color = vec4(1); }\n")}};
  const std::vector<InspectedPipeline> pipelines = compileUnit(*device, unit, {}, {}, UnitRows::Wanted).pipelines;
  REQUIRE(pipelines.size() == 2);
  CHECK(pipelines[0].name == "pair");
  CHECK(pipelines[0].programs.empty());
  CHECK(pipelines[0].failure.find("syntax error") != std::string::npos);
  CHECK(pipelines[1].name == unit.files[1] + ":fragment:main");
  CHECK(pipelines[1].programs.size() == 2);
}

TEST_CASE("no more registers are live than the program has, and none at its end") {
  auto device = must(Device::create("gfx900"));
  const CapturedProgram program(simpleShaders());
  const VariantRef variant = must(device->bind(program.shaders, defaultState(program.shaders)));
  const std::map<uint32_t, LiveCount> counts = countLiveRegisters(*variant->image);
  for (const ImageStage &stage : variant->image->stages) {
    unsigned most = 0;
    LiveCount last;
    for (auto at = counts.lower_bound(stage.entry); at != counts.end() && at->first < stage.entry + stage.size; ++at) {
      most = std::max(most, at->second.vgprs);
      last = at->second;
    }
    CHECK(most > 0);
    CHECK(most <= stage.usage.vgprs);
    CHECK(last.vgprs == 0);
    CHECK(last.sgprs == 0);
  }
}

TEST_CASE("the detail of a pipeline has its parts, its kinds of code and the code with live registers") {
  auto device = must(Device::create("gfx900"));
  const CapturedProgram program(simpleShaders());
  const Subject subject = {"subject", program.shaders, defaultState(program.shaders)};
  const std::string text = must(describePipeline(*device, subject, InspectedCode::Joined));
  for (const char *part : {"subject: vertex \"main\", fragment \"main\", on gfx900", "vs.vertex_prolog", "joined",
                           "monolithic", "VGPRs (at ", "s_endpgm", "\nv0   s0   "})
    CHECK_MESSAGE(text.find(part) != std::string::npos, part);
}

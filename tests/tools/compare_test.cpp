// SPDX-License-Identifier: MIT
//
// `dovetail compare`, on made-up lists, and on a list that `dovetail inspect` has written.
#include "tests/tools/run_tool.h"
#include "tools/programs/dovetail/inspect/inspected_json.h"
#include <doctest/doctest.h>
#include <filesystem>
#include <fmt/format.h>
#include <map>
#include <nlohmann/json.hpp>

using namespace dovetail;

namespace {

std::string program(const std::string &stage, unsigned instructions, unsigned waves) {
  return fmt::format(R"({{"stage":"{}","instructions":{},"bytes":{},"sgprs":16,"vgprs":8,"scratchBytes":0,)"
                     R"("ldsBytes":0,"waves":{},"limit":""}})",
                     stage, instructions, 4 * instructions, waves);
}

std::string pipeline(const std::string &name, const std::string &programs, const std::string &failure = "") {
  return fmt::format(R"({{"name":"{}","failure":"{}","programs":[{}]}})", name, failure, programs);
}

std::string list(const std::string &pipelines, const std::string &gpu = "gfx900") {
  return fmt::format(R"({{"gpu":"{}","pipelines":[{}]}})", gpu, pipelines);
}

} // namespace

TEST_CASE("compare says what became better and worse, and what compiles only in one") {
  TemporaryFolder folder;
  const std::string before = folder.write(
      "before.json", list(pipeline("a", program("vs", 100, 10) + "," + program("ps", 50, 4)) + "," +
                          pipeline("b", program("ps", 10, 10)) + "," + pipeline("c", "", "refused") + "," +
                          pipeline("d", program("cs", 1, 1)) + "," + pipeline("gone", program("cs", 1, 1))));
  const std::string after =
      folder.write("after.json", list(pipeline("a", program("vs", 80, 10) + "," + program("ps", 50, 5)) + "," +
                                      pipeline("b", program("ps", 12, 10)) + "," + pipeline("c", program("ps", 1, 1)) +
                                      "," + pipeline("d", "", "a crash")));
  const Run run = runTool("compare " + before + " " + after);
  CHECK(run.status == 0);
  CAPTURE(run.output);
  auto says = [&](const std::string &text) { return run.output.find(text) != std::string::npos; };
  CHECK(says("instructions      160    142  -11.25 %       1      1      1\n"));
  CHECK(says("waves              24     25   +4.17 %       1      0      2\n"));
  CHECK(says("instructions, better:\n  a vs: 100 to 80 (-20.00 %)\n"));
  CHECK(says("instructions, worse:\n  b ps: 10 to 12 (+20.00 %)\n"));
  CHECK(says("waves, better:\n  a ps: 4 to 5 (+25.00 %)\n"));
  CHECK(says("lost: d: a crash\ngained: c\n"));
  CHECK(run.output.ends_with("3 programs, 1 pipelines only before, 0 only after\n"));
}

TEST_CASE("compare counts programs that only one of the lists has of a pipeline") {
  TemporaryFolder folder;
  const std::string vs = program("vs", 1, 1), gs = program("gs", 1, 1), ps = program("ps", 1, 1);
  const std::string before = folder.write("before.json", list(pipeline("a", vs + "," + gs + "," + ps)));
  const std::string after =
      folder.write("after.json", list(pipeline("a", vs + "," + program("es", 1, 1) + "," + program("cs", 1, 1))));
  const Run run = runTool("compare " + before + " " + after);
  CAPTURE(run.output);
  CHECK(run.output.ends_with("of pipelines in both: 2 programs only before, 2 only after\n"
                             "1 programs, 0 pipelines only before, 0 only after\n"));
}

TEST_CASE("compare leaves out figures that one list does not have") {
  TemporaryFolder folder;
  std::string text = list(pipeline("a", program("vs", 1, 1)));
  const std::string old = folder.write("old.json", text);
  text.insert(text.find("\"limit\""), R"("cycles":0,"spilledSgprs":3,"spilledVgprs":0,)");
  const std::string young = folder.write("young.json", text);
  auto tableOf = [&](const std::string &before, const std::string &after) {
    return runTool("compare " + before + " " + after).output;
  };
  for (const std::string &output : {tableOf(old, young), tableOf(young, old), tableOf(old, old)}) {
    CAPTURE(output);
    CHECK(output.find("instructions") != std::string::npos);
    CHECK(output.find("cycles") == std::string::npos);
    CHECK(output.find("spilled") == std::string::npos);
  }
  const std::string output = tableOf(young, young);
  CAPTURE(output);
  CHECK(output.find("cycles") != std::string::npos);
  CHECK(output.find("spilled SGPRs       3      3") != std::string::npos);
}

TEST_CASE("a figure that a list lacks stays away when the list is written again") {
  TemporaryFolder folder;
  const InspectedList read = readInspected(folder.write("a.json", list(pipeline("a", program("vs", 7, 1))))).value();
  const nlohmann::ordered_json written = toJson(read.pipelines)[0]["programs"][0];
  CHECK(written.value("instructions", 0) == 7);
  CHECK_FALSE(written.contains("cycles"));
}

TEST_CASE("compare reads the standard input") {
  TemporaryFolder folder;
  const std::string good = folder.write("a.json", list(pipeline("a", program("vs", 1, 1))));
  CHECK(runTool("compare - " + good + " < " + good).status == 0);
  CHECK(runTool("compare " + good + " - < " + good).status == 0);
  checkError(runTool("compare " + good + " - < " + folder.write("b.json", "[1]")), "<stdin>: /: expected an object");
}

TEST_CASE("compare refuses what is no list, and lists of different GPUs") {
  TemporaryFolder folder;
  const std::string list900 = folder.write("a.json", list("")), list803 = folder.write("b.json", list("", "gfx803")),
                    other = folder.write("c.json", "[1]"), broken = folder.write("d.json", "{");
  checkError(runTool("compare " + list900 + " " + list803), "is of gfx900, and");
  checkError(runTool("compare " + list900 + " " + other), "c.json: /: expected an object, found [1]");
  checkError(runTool("compare " + list900 + " " + broken), "d.json: not JSON");
  checkError(runTool("compare " + list900 + " " + (folder / "none.json")), "none.json");
}

TEST_CASE("compare names the file and the field that is no count") {
  TemporaryFolder folder;
  const std::string good = folder.write("a.json", list(""));
  auto complaint = [&](const std::string &instructions) {
    std::string text = list(pipeline("a", program("ps", 77, 4)));
    text.replace(text.find("77"), 2, instructions);
    return runTool("compare " + good + " " + folder.write("b.json", text));
  };
  CHECK(complaint("5").status == 0);
  for (const char *wrong : {"-1", "5e9", "5000000000", "1.7", "\"5\"", "null"})
    checkError(complaint(wrong),
               fmt::format("b.json: /pipelines/0/programs/0/instructions: expected an unsigned 32-bit "
                           "number, found {}",
                           std::string_view(wrong) == "5e9" ? "5000000000.0" : wrong));
  checkError(runTool("compare " + good + " " + folder.write("c.json", R"({"gpu":"gfx900"})")),
             "c.json: /pipelines: missing");
}

TEST_CASE("compare refuses empty names of files") {
  checkError(runTool("compare '' x.json"), "is empty");
  checkError(runTool("compare x.json ''"), "is empty");
}

TEST_CASE("compare reads what corpus writes, also of shaders that do not go together") {
  TemporaryFolder folder;
  folder.write("good.frag", Fragment);
  folder.write("bad.vert", "nonsense");
  folder.write("sum.comp", "#version 450\nlayout(local_size_x = 64) in;\nlayout(binding = 0) buffer B { uint b[]; };\n"
                           "void main() { b[gl_LocalInvocationIndex] += 1; }\n");
  folder.write("two.spvasm", R"(OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint Vertex %a "a"
OpEntryPoint Vertex %b "b"
%void = OpTypeVoid
%function = OpTypeFunction %void
%a = OpFunction %void None %function
%1 = OpLabel
OpReturn
OpFunctionEnd
%b = OpFunction %void None %function
%2 = OpLabel
OpReturn
OpFunctionEnd
)");
  const std::string json = folder / "corpus.json";
  const Run corpus = runTool("corpus --jobs 1 --json " + json + " " + folder.path().string());
  CHECK(corpus.output.ends_with("\n4 compiled, 0 failed, 1 not valid input\n"));
  const Run run = runTool("compare " + json + " " + json);
  CHECK(run.status == 0);
  CAPTURE(run.output);
  CHECK(run.output.ends_with(" programs, 0 pipelines only before, 0 only after\n"));

  const InspectedList list = readInspected(json).value();
  CHECK(list.gpu == "gfx900");
  std::map<std::string, size_t> programs;
  for (const InspectedPipeline &pipeline : list.pipelines) {
    programs[std::filesystem::path(pipeline.name).filename()] = pipeline.programs.size();
    CHECK(pipeline.failure.empty() == !pipeline.programs.empty());
  }
  CHECK(programs == std::map<std::string, size_t>{{"bad.vert", 0},
                                                  {"good.frag", 2},
                                                  {"sum.comp", 1},
                                                  {"two.spvasm", 0},
                                                  {"two.spvasm:vertex:a", 2},
                                                  {"two.spvasm:vertex:b", 2}});
}

TEST_CASE("compare reads what inspect writes") {
  Shaders shaders;
  const std::string json = shaders / "list.json";
  REQUIRE(runTool("inspect --jobs 1 --json " + json + " " + shaders.path().string()).status == 0);
  const Run run = runTool("compare " + json + " " + json);
  CHECK(run.status == 0);
  CHECK(run.output.ends_with("2 programs, 0 pipelines only before, 0 only after\n"));
}

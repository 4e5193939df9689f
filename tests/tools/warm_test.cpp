// SPDX-License-Identifier: MIT
//
// `dovetail warm`: the contents of the store afterwards, and their use by another run.
#include "tests/tools/run_tool.h"
#include <doctest/doctest.h>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>

using namespace dovetail;

namespace {

// Programs that differ, so that each has main parts of its own.
void writePrograms(const TemporaryFolder &folder, unsigned count) {
  for (unsigned number = 0; number < count; ++number) {
    const std::string name = "many/" + std::to_string(number);
    folder.write(name + ".vert", Vertex);
    folder.write(name + ".frag", "#version 450\nlayout(location = 0) out vec4 color;\nvoid main() { color = vec4(" +
                                     std::to_string(number) + "); }\n");
  }
}

} // namespace

TEST_CASE("what one run of warm has made, the next one finds") {
  Shaders shaders;
  const std::string command = "warm --jobs 2 --store " + (shaders / "store") + " " + shaders.path().string();
  const Run first = runTool(command), second = runTool(command);
  CHECK(first.status == 0);
  CHECK(first.output.ends_with("1 of 1 pipelines: 4 parts made, 0 known, 0 failed\n"));
  CHECK(second.output.ends_with("1 of 1 pipelines: 0 parts made, 4 known, 0 failed\n"));
  CHECK(runTool("compile --stats --store " + (shaders / "store") + " " + shaders.pair()).status == 0);
}

TEST_CASE("a run of warm that was interrupted is resumed by the next one") {
  TemporaryFolder folder;
  writePrograms(folder, 60);
  const std::string command = "warm --jobs 2 --store " + (folder / "store") + " " + (folder / "many");
  const std::string log = folder / "log";
  // The run is interrupted after its first progress.
  const Run interrupted =
      runCommand("/bin/sh", "-c 'exec \"" DOVETAIL_TOOL "\" " + command + " 2>" + log +
                                " & process=$!; until grep -q \" of 60\" " + log +
                                " || ! kill -0 $process; do sleep 0.01; done; kill -INT $process; wait $process'");
  CHECK(interrupted.status == 130);
  // One worker makes no part twice. So the parts that it finds in the store were there before.
  const Run resumed = runTool("warm --jobs 1 --store " + (folder / "store") + " " + (folder / "many")),
            last = runTool(command);
  CHECK(resumed.status == 0);
  CHECK(resumed.output.find(" 0 known") == std::string::npos);
  CHECK(last.output.find("60 of 60 pipelines: 0 parts made") != std::string::npos);
}

TEST_CASE("warm says what could not be compiled, and goes on") {
  Shaders shaders;
  shaders.write("bad.comp", "#version 450\nvoid main() { nonsense }\n");
  const Run run = runTool("warm --jobs 1 --store " + (shaders / "store") + " " + shaders.path().string());
  CHECK(run.status == 1);
  CHECK(run.errors.find("bad.comp: ") != std::string::npos);
  CHECK(run.output.find("2 of 2 pipelines: 4 parts made, 0 known, 1 failed\n") != std::string::npos);
}

TEST_CASE("warm wants a store that can be written to") {
  Shaders shaders;
  checkError(runTool("warm " + shaders.path().string()), "--store is required");
  const Run run = runTool("warm --store " + shaders.vertex + "/store " + shaders.path().string());
  CHECK(run.status == 1);
  CHECK(run.errors.find("the part store in") != std::string::npos);
}

TEST_CASE("what is known is what the store had, not what the same run has made") {
  TemporaryFolder folder;
  writePrograms(folder, 2); // they share one vertex shader
  const std::string command = "warm --jobs 1 --store " + (folder / "store") + " " + (folder / "many");
  CHECK(runTool(command).output.find(", 0 known, 0 failed\n") != std::string::npos);
  CHECK(runTool(command).output.find(": 0 parts made, 0 known") == std::string::npos);
}

TEST_CASE("warm says that parts have no room in the store") {
  TemporaryFolder folder;
  std::string numbers;
  for (unsigned number = 0; number < 20000; ++number)
    numbers += (number ? "," : "") + std::to_string(number * 2654435761u) + "u";
  folder.write("many/large.comp",
               "#version 450\nlayout(local_size_x = 1) in;\nlayout(binding = 0) buffer B { uint b; };"
               "\nconst uint numbers[20000] = uint[](" +
                   numbers + ");\nvoid main() { b = numbers[b % 20000u]; }\n");
  const std::string command = " --jobs 1 --store " + (folder / "store") + " " + (folder / "many");
  const Run small = runTool("warm --max-bytes 1M" + command);
  CHECK(small.status == 0);
  CHECK(small.errors.find("warning: the store has no room for all: 1 parts were evicted") != std::string::npos);
  const Run large = runTool("warm" + command);
  CHECK(large.status == 0);
  CHECK(large.errors.find("warning") == std::string::npos);
}

namespace {

// Shaders with a text of so many lines or terms.
std::string repeated(const std::string &before, unsigned count, const std::function<std::string(std::string)> &each,
                     const std::string &after) {
  std::string text = "#version 450\nlayout(local_size_x = 1) in;\nlayout(binding = 0) buffer B { float a[]; };\n"
                     "void main() { float x = a[gl_GlobalInvocationID.x];\n" +
                     before;
  for (unsigned number = 0; number < count; ++number)
    text += each(std::to_string(number));
  return text + after + "}\n";
}
std::string largeShader(unsigned lines) {
  return repeated(
      "", lines, [](const std::string &n) { return "x = sin(x * " + n + ".5 + a[" + n + "]); a[" + n + "] = x;\n"; },
      "");
}
// The front end walks down this expression term by term, so a small stack does not hold it.
std::string deepShader() {
  return repeated(
      "a[0] = x", 4000, [](const std::string &n) { return " + a[" + n + "]"; }, ";\n");
}

void writeGood(const TemporaryFolder &folder) {
  folder.write("many/good.comp", largeShader(2));
}

} // namespace

TEST_CASE("a pipeline that crashes the compiler costs itself alone, and later runs leave it out") {
  TemporaryFolder folder;
  writeGood(folder);
  folder.write("many/deep.comp", deepShader());
  const std::string command = "warm --jobs 1 --store " + (folder / "store") + " " + (folder / "many");
  const Run first = runTool(command, "ulimit -s 128;");
  CHECK(first.status == 1);
  CHECK(first.errors.find("deep.comp: crashed: ") != std::string::npos);
  CHECK(first.output.ends_with("2 of 2 pipelines: 1 parts made, 0 known, 1 failed\n"));
  const Run second = runTool(command);
  CHECK(second.status == 1);
  CHECK(second.errors.find("deep.comp: skipped, because an earlier run failed: crashed: ") != std::string::npos);
  CHECK(second.output.ends_with("1 of 1 pipelines: 0 parts made, 1 known, 0 failed, 1 skipped\n"));
  CHECK(runTool(command + " --retry-bad").output.ends_with("2 of 2 pipelines: 1 parts made, 1 known, 0 failed\n"));
  // A pipeline that has changed is tried again.
  folder.write("many/deep.comp", largeShader(3));
  CHECK(runTool(command).output.ends_with("2 of 2 pipelines: 1 parts made, 1 known, 0 failed\n"));
}

TEST_CASE("a pipeline that takes too long or too much memory is ended") {
  TemporaryFolder folder;
  writeGood(folder);
  folder.write("many/large.comp", largeShader(8000));
  const std::string command = "warm --jobs 2 --store " + (folder / "store") + " " + (folder / "many") + " --gpu ";
  const Run slow = runTool(command + "gfx900 --timeout 1");
  CHECK(slow.errors.find("large.comp: took too long") != std::string::npos);
  CHECK(slow.output.find("1 parts made, 0 known, 1 failed\n") != std::string::npos);
#ifndef __SANITIZE_ADDRESS__ // whose memory would count
  const Run big = runTool(command + "gfx803 --memory 60M");
  CHECK(big.errors.find("large.comp: needed more than 60 MiB of memory") != std::string::npos);
  CHECK(big.output.find("1 parts made, 0 known, 1 failed\n") != std::string::npos);
#endif
}

TEST_CASE("warm fills one store for several GPUs, and sums up as JSON") {
  TemporaryFolder folder;
  writeGood(folder);
  const Run run = runTool("warm --gpu gfx900,gfx803 --json - --store " + (folder / "store") + " " + (folder / "many"));
  CHECK(run.status == 0);
  CHECK(run.errors.find("2 of 2 pipelines: 2 parts made, 0 known, 0 failed") != std::string::npos);
  const nlohmann::json summary = nlohmann::json::parse(run.output);
  CHECK(summary["done"] == 2);
  CHECK(summary["made"] == 2);
  CHECK(summary["failures"].empty());
  CHECK(summary["pipelinesPerSecond"] > 0);
}

TEST_CASE("each state file beside shaders is a pipeline") {
  Shaders shaders;
  shaders.write("good.json", "{}");
  shaders.write("good.half.json", R"({"colorTargets": [{"format": "VK_FORMAT_R32G32B32A32_SFLOAT"}]})");
  shaders.write("goodness.json", "nothing of good's");
  const Run run = runTool("warm --jobs 1 --store " + (shaders / "store") + " " + shaders.path().string());
  CHECK(run.output.find("2 of 2 pipelines: 5 parts made, 0 known, 0 failed") != std::string::npos);
  CHECK(run.errors.find("ignored") == std::string::npos);
}

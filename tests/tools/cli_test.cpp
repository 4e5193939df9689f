// SPDX-License-Identifier: MIT
//
// The command line as a user meets it: exit status, one line on stderr, and files that are whole or absent.
#include "parts/store/part_store.h"
#include "tests/tools/run_tool.h"
#include "tools/common/command/write_file.h"
#include "tools/common/inputs/glsl.h"
#include <algorithm>
#include <array>
#include <cstdio>
#include <doctest/doctest.h>
#include <random>

using namespace dovetail;

namespace {

std::string spirvOf(const std::string &text) {
  std::vector<uint32_t> words = translateGlsl({{lgc::ShaderStage::Fragment, "f", text}}).value().front();
  return std::string(reinterpret_cast<const char *>(words.data()), words.size() * 4);
}

} // namespace

TEST_CASE("a good pair compiles silently") {
  Shaders shaders;
  Run run = runTool("compile " + shaders.pair());
  CHECK(run.status == 0);
  CHECK(run.output.empty());
  CHECK_MESSAGE(run.errors.empty(), run.errors);
}

TEST_CASE("--stats has a row for each part and --asm shows borders and contracts") {
  Shaders shaders;
  Run run = runTool("compile --stats --asm " + shaders.pair());
  CHECK(run.status == 0);
  for (const char *expected :
       {"vs.vertex_prolog", "vs.vertex_main", "ps.fragment_main", "ps.fragment_epilog", "made",
        "; ----- vs.vertex_main at", "takes ", "gives ", "keeps ", "exp pos0", "exp mrt0", "s_endpgm"})
    CHECK_MESSAGE(run.output.find(expected) != std::string::npos, expected);
}

TEST_CASE("--ir prints the main parts' LLVM IR") {
  Shaders shaders;
  Run run = runTool("compile --ir " + shaders.pair());
  CHECK(run.status == 0);
  CHECK(run.output.find("amdgpu_vs") != std::string::npos);
  CHECK(run.output.find("amdgpu_ps") != std::string::npos);
}

TEST_CASE("the ELF of a joined pair is read by llvm-readobj and disassembled by llvm-objdump") {
  Shaders shaders;
  std::string elf = shaders / "out.elf";
  CHECK(runTool("compile -o " + elf + " " + shaders.pair()).status == 0);
  auto capture = [](const std::string &command) {
    FILE *pipe = popen((command + " 2>&1").c_str(), "r");
    std::string output;
    std::array<char, 4096> buffer;
    while (size_t length = fread(buffer.data(), 1, buffer.size(), pipe))
      output.append(buffer.data(), length);
    CHECK_MESSAGE(pclose(pipe) == 0, output);
    return output;
  };
  std::string notes = capture("llvm-readobj-22 --notes " + elf);
  for (const char *expected :
       {"AMDGPU Metadata", "amdpal.pipelines", ".hardware_stages", "_amdgpu_vs_main", "_amdgpu_ps_main"})
    CHECK_MESSAGE(notes.find(expected) != std::string::npos, expected);
  std::string assembly = capture("llvm-objdump-22 -d --mcpu=gfx900 " + elf);
  for (const char *expected : {"vs.vertex_prolog", "vs.vertex_main", "ps.fragment_epilog", "s_endpgm"})
    CHECK_MESSAGE(assembly.find(expected) != std::string::npos, expected);
  CHECK(assembly.find("<unknown>") == std::string::npos);
}

TEST_CASE("--monolithic compiles the same pair") {
  Shaders shaders;
  Run run = runTool("compile --monolithic --stats " + shaders.pair());
  CHECK_MESSAGE(run.status == 0, run.errors);
  CHECK(run.output.find("monolithic") != std::string::npos);
}

TEST_CASE("a state that --print-state prints can be given back") {
  Shaders shaders;
  Run first = runTool("compile --print-state " + shaders.pair());
  CHECK(first.status == 0);
  std::string file = shaders.write("state.json", first.output);
  Run second = runTool("compile --print-state --state " + file + " " + shaders.pair());
  CHECK(second.status == 0);
  CHECK(second.output == first.output);
}

TEST_CASE("wrong command lines are one line") {
  checkError(runTool(""), "subcommand");
  checkError(runTool("compile"), "SHADER");
  checkError(runTool("compile --frobnicate x.vert"), "");
  checkError(runTool("corpus --jobs 0 /"), "jobs");
  checkError(runTool("corpus --limit -1 /"), "-1");
  checkError(runTool("corpus --seed 18446744073709551616 /"), "18446744073709551616");
}

TEST_CASE("files that cannot be used are named") {
  Shaders shaders;
  const std::string none = shaders / "none";
  checkError(runTool("compile " + none + "/x.vert"), none + "/x.vert: No such file or directory");
  checkError(runTool("compile " + shaders.write("x.txt", "")), "x.txt: unknown kind of file");
  checkError(runTool("compile " + shaders.write("empty.spv", "")), "empty.spv");
  checkError(runTool("compile " + shaders.write("odd.spv", "abc")), "odd.spv");
  checkError(runTool("compile " + shaders.write("truncated.spv", "\x03\x02\x23\x07")), "truncated.spv");
  checkError(runTool("compile " + shaders.vertex + " " + shaders.vertex), "both vertex shaders");
  checkError(runTool("corpus " + none), none + ": No such file or directory");
}

TEST_CASE("an unknown GPU is named beside the known ones") {
  Shaders shaders;
  checkError(runTool("compile --gpu gfx1 " + shaders.pair()), "gfx900");
  checkError(runTool("corpus --gpu gfx1 " + shaders.path().string()), "gfx900");
}

TEST_CASE("a state that contradicts the shader is refused with the location") {
  Shaders shaders;
  std::string missing = shaders.write("a.json", R"({"vertexAttributes": []})");
  checkError(runTool("compile --state " + missing + " " + shaders.pair()), "0");
  std::string integer = shaders.write("b.json", R"({"colorTargets": [{"format": "VK_FORMAT_R8_UINT"}]})");
  checkError(runTool("compile --state " + integer + " " + shaders.pair()), "VK_FORMAT_R8_UINT");
  std::string typo = shaders.write("c.json", R"({"colorTarget": []})");
  checkError(runTool("compile --state " + typo + " " + shaders.pair()), "/colorTarget: unknown key");
}

TEST_CASE("a full disk leaves nothing half-written") {
  Shaders shaders;
  size_t filesBefore = shaders.size();
  checkError(runTool("compile -o /dev/full " + shaders.pair()), "No space left on device");
  // A limit of one block on file sizes stands for a disk without more room.
  checkError(runTool("compile -o " + (shaders / "out.elf") + " " + shaders.pair(), "trap '' XFSZ; ulimit -f 1; "),
             "File too large");
  checkError(runTool("compile -o " + (shaders / "none/out.elf") + " " + shaders.pair()), "none/out.elf");
  CHECK(shaders.size() == filesBefore);
  checkError(runTool("compile --asm " + shaders.pair() + " >/dev/full"),
             "cannot write to the standard output: No space left on device");
  for (const char *asked : {"--version", "--help", "compile --help"})
    checkError(runTool(std::string(asked) + " >/dev/full"),
               "cannot write to the standard output: No space left on device");
  checkError(runTool("gpus >/dev/full"), "cannot write to the standard output: No space left on device");
}

TEST_CASE("an Error makes no folder") {
  Shaders shaders;
  const std::string bad = shaders.write("bad.spv", "nonsense"), folder = shaders / "folder";
  const size_t filesBefore = shaders.size();
  checkError(runTool("compile --store " + folder + " " + shaders.vertex + " " + bad), "bad.spv");
  checkError(runTool("compile --gpu gfx1 --store " + folder + " " + shaders.pair()), "gfx1");
  checkError(runTool("demo -o " + folder + "/sub " + shaders.pair()), folder + "/sub: No such file or directory");
  checkError(runTool("demo -o " + folder + " --store " + folder + " " + shaders.vertex + " " + bad), "bad.spv");
  CHECK(shaders.size() == filesBefore);
}

TEST_CASE("a store's folder is made with its parents") {
  Shaders shaders;
  for (const std::string command : {"compile", "demo"}) {
    const std::string folder = shaders / command;
    const Run run = runTool(command + " --store " + folder + "/a/b " + shaders.pair());
    CHECK_MESSAGE(run.status == 0, run.errors);
    CHECK_MESSAGE(run.errors.empty(), run.errors);
    CHECK_FALSE(std::filesystem::is_empty(folder + "/a/b"));
  }
}

TEST_CASE("a store that cannot be used is a warning") {
  Shaders shaders;
  const Run run = runTool("compile --stats --store " + shaders.vertex + " " + shaders.pair());
  CHECK(run.status == 0);
  CHECK(run.output.find("made") != std::string::npos);
  CHECK_MESSAGE(run.errors.starts_with("dovetail: warning: parts are not stored: "), run.errors);
  CHECK_MESSAGE(run.errors.find(shaders.vertex) != std::string::npos, run.errors);
}

TEST_CASE("a store that others may write to is a warning, unless it is said to be trusted") {
  Shaders shaders;
  const std::string folder = shaders / "open";
  std::filesystem::create_directory(folder);
  std::filesystem::permissions(folder, std::filesystem::perms::all);
  const Run run = runTool("compile --store " + folder + " " + shaders.pair());
  CHECK(run.status == 0);
  CHECK_MESSAGE(run.errors.find(folder + ": others may write to it") != std::string::npos, run.errors);
  CHECK(std::filesystem::is_empty(folder));
  CHECK(runTool("compile --trust-store --store " + folder + " " + shaders.pair()).errors.empty());
  CHECK(std::filesystem::exists(folder + "/" + PartStoreFile));
}

TEST_CASE("an Error leaves the output that was there") {
  Shaders shaders;
  std::string output = shaders.write("out.elf", "old");
  checkError(runTool("compile -o " + output + " --gpu gfx1 " + shaders.pair()), "gfx1");
  CHECK(readWholeFile(output).value() == "old");
}

TEST_CASE("damaged SPIR-V is an Error and never a crash") {
  TemporaryFolder folder;
  std::string good = spirvOf(Fragment);
  std::mt19937 random(42);
  for (unsigned round = 0; round < 12; ++round) {
    std::string bad = good;
    if (round % 3 == 0)
      bad.resize(random() % bad.size()); // truncated
    else if (round % 3 == 1)
      bad[random() % bad.size()] ^= 1 << (random() % 8); // one bit flipped
    else
      for (size_t at = 4; at < bad.size(); ++at)
        bad[at] = static_cast<char>(random()); // random after the magic number
    CAPTURE(round);
    Run run = runTool("compile " + folder.write("bad.spv", bad));
    bool isFlip = round % 3 == 1; // may have hit a name
    CHECK((run.status == 1 || (isFlip && run.status == 0)));
    if (run.status == 1)
      CHECK(std::ranges::count(run.errors, '\n') == 1);
  }
}

TEST_CASE("a corpus ends with a count of everything, pairs its shaders, and survives what is bad") {
  Shaders shaders;
  shaders.write("sub/alone.frag", Fragment);
  shaders.write("sub/bad.vert", "nonsense");
  shaders.write("sub/notes.txt", "not a shader");
  shaders.write("t.shader_test", "[vertex shader]\nvoid main() { gl_Position = gl_Vertex; }\n[fragment shader]\n"
                                 "uniform vec4 c;\nvoid main() { gl_FragColor = c; }\n[test]\n");
  shaders.write("g.shader_test", "[geometry program]\nmain() {}\n");
  std::string json = shaders / "out.json";
  Run run = runTool("corpus --jobs 2 --json " + json + " " + shaders.path().string());
  CHECK_MESSAGE(run.status == 0, run.output);
  CHECK_MESSAGE(run.output.ends_with("\n5 compiled, 0 failed, 2 not valid input\n"), run.output);
  CHECK(run.output.find("a geometry program is not supported") != std::string::npos);
  CHECK(run.errors.ends_with(" units: 5 compiled, 0 failed, 2 not valid input\n"));
  CHECK(run.errors.find(" s left\n") != std::string::npos);
  std::string outcomes = readWholeFile(json).value_or("");
  CHECK(outcomes.find("\"compiled\": 5") != std::string::npos);
  CHECK(outcomes.find("alone.frag") != std::string::npos);
}

TEST_CASE("a corpus says how many shaders come under several layouts, and that none is compiled again for that") {
  Shaders shaders;
  const std::string fragment = "#version 450\nlayout(set = 1, binding = 2) uniform B { vec4 tint; };\n"
                               "layout(location = 0) out vec4 color;\nvoid main() { color = tint; }\n";
  shaders.write("one.frag", fragment);
  shaders.write("two.frag", fragment);
  shaders.write("one.vert", "#version 450\nvoid main() { gl_Position = vec4(0); }\n");
  shaders.write("two.vert", "#version 450\nlayout(set = 0, binding = 0) uniform B { vec4 place; };\n"
                            "void main() { gl_Position = place; }\n");
  Run run = runTool("corpus --jobs 2 " + (shaders / "one.frag") + " " + (shaders / "two.frag") + " " +
                    (shaders / "one.vert") + " " + (shaders / "two.vert"));
  CHECK_MESSAGE(run.output.find("1 shaders under several layouts, 0 of them compiled more than once\n") !=
                    std::string::npos,
                run.output);
}

TEST_CASE("a limited corpus is the same sample for the same seed") {
  TemporaryFolder folder;
  for (unsigned index = 0; index < 12; ++index)
    folder.write(std::to_string(index) + ".frag", Fragment);
  auto namesOf = [&](const std::string &options) {
    std::string json = folder / "out.json";
    Run run = runTool("corpus --json " + json + " --limit 4 " + options + " " + folder.path().string());
    CHECK(run.output.ends_with("4 compiled, 0 failed, 0 not valid input\n"));
    return readWholeFile(json).value_or("");
  };
  auto units = [](const std::string &json) {
    std::string names;
    for (size_t at = 0; (at = json.find("\"unit\"", at)) != std::string::npos; ++at)
      names += json.substr(at, json.find('\n', at) - at);
    return names;
  };
  std::string first = units(namesOf("--seed 1 --jobs 1"));
  CHECK(first == units(namesOf("--seed 1 --jobs 2")));
  CHECK(first != units(namesOf("--seed 2")));
}

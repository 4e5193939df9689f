// SPDX-License-Identifier: MIT
//
// The command line's work on shaders before they are compiled: macros, #include, specialisation constants, and the
// places of errors.
#include "tests/tools/run_tool.h"
#include <algorithm>
#include <doctest/doctest.h>
#include <vector>

using namespace dovetail;

namespace {

// Needs the macro VALUE.
const std::string Macros = "#version 450\nlayout(location = 0) out vec4 c;\n"
                           "void main() { c = vec4(VALUE); }\n";
const std::string Specialized = "#version 450\nlayout(location = 0) out vec4 c;\n"
                                "layout(constant_id = 3) const float scale = 0.25;\n"
                                "layout(constant_id = 4) const int count = 1;\n"
                                "layout(constant_id = 5) const bool negated = false;\n"
                                "layout(constant_id = 6) const uint mask = 1u;\n"
                                "void main() { c = vec4(negated ? -scale : scale, float(count), float(mask), 1); }\n";

std::string stateOf(const Run &run) {
  CHECK_MESSAGE(run.status == 0, run.errors);
  return run.output;
}

// The output must have a line for each error, and a last line that counts them.
void checkDiagnostics(const Run &run, const std::vector<std::string> &lines) {
  CAPTURE(run.errors);
  CHECK(run.status == 1);
  CHECK(run.output.empty());
  size_t at = 0;
  for (const std::string &line : lines) {
    CHECK(run.errors.compare(at, line.size(), line) == 0);
    at = run.errors.find('\n', at) + 1;
  }
  CHECK(run.errors.substr(at) ==
        "dovetail: invalid input: " + std::to_string(lines.size()) + " error" + (lines.size() == 1 ? "" : "s") + "\n");
}

} // namespace

TEST_CASE("-D defines a macro, with and without a value") {
  Shaders shaders;
  const std::string file = shaders.write("m.frag", Macros);
  CHECK(runTool("compile " + file).status == 1);
  for (const char *define : {"-DVALUE=0.5", "-D VALUE=0.5", "--define VALUE=0.5", "-D A=0.5 -D VALUE=A"})
    CHECK_MESSAGE(runTool(std::string("compile ") + define + " " + file).status == 0, define);
  const std::string ifdef =
      shaders.write("i.frag", "#version 450\n#ifndef WANTED\n#error it is not\n#endif\nvoid main() {}\n");
  CHECK(runTool("compile -D WANTED " + ifdef).status == 0);
  checkError(runTool("compile -D 1=2 " + ifdef), "\"1=2\" is neither NAME nor NAME=VALUE");
}

TEST_CASE("-D and -I are for draw, demo and corpus, too") {
  Shaders shaders;
  const std::string file = shaders.write("m.frag", Macros);
  shaders.write("sub/half.h", "#define VALUE 0.5\n");
  CHECK(runTool("demo -DVALUE=0.5 " + shaders.vertex + " " + file).status == 0);
  const std::string folder = shaders.path().string();
  CHECK(runTool("corpus --jobs 1 " + folder).output.ends_with("2 compiled, 0 failed, 1 not valid input\n"));
  CHECK(runTool("corpus --jobs 1 -DVALUE=1.0 " + folder).output.ends_with("3 compiled, 0 failed, 0 not valid input\n"));
}

TEST_CASE("#include looks beside the file, then in the folders of -I in their order") {
  Shaders shaders;
  shaders.write("a/which.h", "#define VALUE 0.25\n");
  shaders.write("b/which.h", "#define VALUE UNKNOWN_B\n");
  shaders.write("b/only.h", "#include \"deeper/more.h\"\n");
  shaders.write("b/deeper/more.h", "#define MORE 1.0\n");
  const std::string body = "layout(location = 0) out vec4 c;\nvoid main() { c = vec4(VALUE); }\n";
  const std::string file = shaders.write("x.frag", "#version 450\n#include <which.h>\n" + body);
  const std::string folders = " -I " + (shaders / "a") + " -I " + (shaders / "b");
  CHECK(runTool("compile" + folders + " " + file).status == 0);
  CHECK(runTool("compile -I " + (shaders / "b") + " " + file).status == 1);
  const std::string nested = shaders.write(
      "n.frag",
      "#version 450\n#include \"only.h\"\nlayout(location = 0) out vec4 c;\nvoid main() { c = vec4(MORE); }\n");
  const Run run = runTool("compile" + folders + " " + nested);
  CHECK_MESSAGE(run.status == 0, run.errors);
  checkError(runTool("compile -I " + (shaders / "none") + " " + file), "does not exist");
}

TEST_CASE("a file that includes itself, and one that is not there, are errors with their place") {
  Shaders shaders;
  const std::string endless = shaders.write("e.frag", "#version 450\n#include \"e.h\"\nvoid main() {}\n");
  shaders.write("e.h", "#include \"e.h\"\n");
  const Run run = runTool("compile -I " + shaders.path().string() + " " + endless);
  CHECK(run.status == 1);
  CHECK_MESSAGE(run.errors.find("e.h:1: ") != std::string::npos, run.errors);
  const std::string missing = shaders.write("m.frag", "#version 450\n#include \"none.h\"\nvoid main() {}\n");
  const Run other = runTool("compile -I " + shaders.path().string() + " " + missing);
  CHECK(other.status == 1);
  CHECK_MESSAGE(other.errors.starts_with(missing + ":2: "), other.errors);
}

TEST_CASE("all errors of a shader are listed with file and line") {
  Shaders shaders;
  const std::string bad =
      shaders.write("bad.frag", "#version 450\nvoid main() {\n  first = 1;\n  int x = 1;\n  second = 2;\n}\n");
  checkDiagnostics(runTool("compile " + bad), {bad + ":3: 'first' : ", bad + ":5: 'second' : "});
  const std::string one = shaders.write("one.vert", "#version 450\nvoid main() { x = 1; }\n");
  checkDiagnostics(runTool("compile " + one), {one + ":2: 'x' : undeclared identifier"});
  const std::string assembly = shaders.write("bad.spvasm", "\nOpFoo\n");
  checkDiagnostics(runTool("compile " + assembly), {assembly + ":2: "});
  const std::string included = shaders.write("i.frag", "#version 450\n#include \"bad.h\"\nvoid main() {}\n");
  shaders.write("bad.h", "\n\nfloat f() { return nothing; }\n");
  checkDiagnostics(runTool("compile -I " + shaders.path().string() + " " + included),
                   {(shaders / "bad.h") + ":3: 'nothing' : "});
}

TEST_CASE("errors of all shaders are listed, not only those of the first one") {
  Shaders shaders;
  const std::string vertex = shaders.write("bad.vert", "#version 450\nvoid main() { first = 1; }\n");
  const std::string fragment = shaders.write("bad.frag", "#version 450\n\nvoid main() { second = 1; }\n");
  const std::string assembly = shaders.write("bad.spvasm", "OpFoo\n");
  checkDiagnostics(runTool("compile " + vertex + " " + shaders.fragment + " " + fragment + " " + assembly),
                   {vertex + ":2: 'first' : undeclared identifier\n",
                    fragment + ":3: 'second' : undeclared identifier\n", assembly + ":1: "});
  checkError(runTool("compile " + shaders.write("a.spv", "abc") + " " + shaders.write("b.spv", "abc")), "b.spv");
}

TEST_CASE("an error that has no line names the file") {
  Shaders shaders;
  checkError(runTool("compile " + shaders.write("empty.frag", "#version 450\nvoid f() {}\n")), "empty.frag: ");
}

TEST_CASE("--spec gives constants their values, by number and by name") {
  Shaders shaders;
  const std::string file = shaders.write("s.frag", Specialized);
  const std::string command = "compile --ir " + file;
  const std::string plain = stateOf(runTool(command));
  CHECK(stateOf(runTool(command + " --spec 3=0.25")) == plain);
  CHECK(stateOf(runTool(command + " --spec 3=0.75")) != plain);
  CHECK(stateOf(runTool(command + " --spec scale=0.75")) == stateOf(runTool(command + " --spec 3=0x3f400000")));
  CHECK(stateOf(runTool(command + " --spec negated=true")) == stateOf(runTool(command + " --spec scale=-0.25")));
  CHECK(stateOf(runTool(command + " --spec count=-2 --spec 6=7")) ==
        stateOf(runTool(command + " --spec 4=0xfffffffe --spec mask=7")));
  CHECK(stateOf(runTool(command + " --spec 4=5 --spec 4=1")) == plain); // the last one counts
}

TEST_CASE("--optimization-level chooses how much is optimised") {
  Shaders shaders;
  const char *withLoop =
      "#version 450\nlayout(location = 0) in vec4 p;\nlayout(location = 0) out vec4 target;\nvoid main() "
      "{\n  target = p;\n  for (int i = 0; i < 4; ++i)\n    target = sin(target) * float(i);\n}\n";
  const std::string command = "compile --ir " + shaders.write("s.frag", withLoop);
  const std::string plain = stateOf(runTool(command));
  CHECK(stateOf(runTool(command + " --optimization-level 2")) == plain);
  CHECK(stateOf(runTool(command + " --optimization-level 0")) != plain);
  checkError(runTool(command + " --optimization-level 4"), "--optimization-level: ");
}

TEST_CASE("a constant that there is not, and a value that its type does not have, are refused") {
  Shaders shaders;
  const std::string file = shaders.write("s.frag", Specialized);
  checkError(runTool("compile " + file + " --spec 8=1"), "--spec 8=1: no shader has such a specialisation constant");
  checkError(runTool("compile " + file + " --spec scal=1"), "no shader has");
  checkError(runTool("compile " + file + " --spec 3"), "--spec 3: expected ID=VALUE or NAME=VALUE");
  checkError(runTool("compile " + file + " --spec scale=much"), "a float of 32 bits");
  checkError(runTool("compile " + file + " --spec count=2147483648"), "a signed integer of 32 bits");
  checkError(runTool("compile " + file + " --spec mask=-1"), "an unsigned integer of 32 bits");
  checkError(runTool("compile " + file + " --spec mask=0x123456789"), "an unsigned integer of 32 bits");
  checkError(runTool("compile " + file + " --spec negated=2"), "a bool");
  CHECK(runTool("compile " + file + " --spec count=-2147483648 --spec mask=4294967295").status == 0);
}

TEST_CASE("a file that never ends is refused") {
  Shaders shaders;
  const std::string endless = shaders / "endless.spv", endlessGlsl = shaders / "endless.vert";
  std::filesystem::create_symlink("/dev/zero", endless);
  std::filesystem::create_symlink("/dev/zero", endlessGlsl);
  checkError(runTool("compile " + endless), "endless.spv has more than 268435456 bytes");
  checkError(runTool("compile " + endlessGlsl), "endless.vert has more than 268435456 bytes");
  checkError(runTool("compile --state /dev/zero " + shaders.pair()), "/dev/zero has more than 268435456 bytes");
}

TEST_CASE("a value that is left out behind = is not the next argument") {
  Shaders shaders;
  const size_t filesBefore = shaders.size();
  checkError(runTool("compile --store= " + shaders.path().string() + " " + shaders.pair()), "--store: is empty");
  checkError(runTool("draw --state= " + shaders.pair()), "--state: is empty");
  checkError(runTool("compile --stats= " + shaders.pair()), "--stats: is empty");
  CHECK(shaders.size() == filesBefore);
  CHECK(runTool("compile --define=VALUE= --spec=0=1 " + shaders.pair()).errors.find("is empty") == std::string::npos);
}

TEST_CASE("an empty name of a file or folder is an error") {
  Shaders shaders;
  for (const char *option : {"--store", "-o", "--state"})
    checkError(runTool(std::string("compile ") + option + " '' " + shaders.pair()), "is empty");
  for (const char *option : {"--store", "-o"})
    checkError(runTool(std::string("demo ") + option + " '' " + shaders.pair()), "is empty");
  for (const char *option : {"-o", "--state", "--reference", "--diff"})
    checkError(runTool(std::string("draw ") + option + " '' " + shaders.pair()), "is empty");
  checkError(runTool("corpus --json '' " + shaders.path().string()), "is empty");
  for (const char *command : {"compile", "draw", "corpus", "demo "})
    checkError(runTool(std::string(command) + " '' " + shaders.fragment), "is empty");
}

TEST_CASE("a shader comes from the standard input, GLSL of the stage that is said, SPIR-V by its bytes") {
  Shaders shaders;
  const Run glsl = runTool("compile --stats --stage frag - < " + shaders.fragment);
  CHECK(glsl.status == 0);
  CHECK(glsl.output.find("fragment_main") != std::string::npos);
  const std::string module = shaders / "module.bin";
  REQUIRE(runCommand("glslangValidator", "-V " + shaders.fragment + " -o " + module).status == 0);
  CHECK(runTool("compile - < " + module).status == 0);
  checkError(runTool("compile - < " + shaders.fragment), "<stdin>: unknown kind of file");
}

TEST_CASE("SPIR-V assembly comes from the standard input, with spirv-dis's header and without it") {
  Shaders shaders;
  const std::string assembly = "OpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %main \"main\"\n"
                               "OpExecutionMode %main LocalSize 64 1 1\n%void = OpTypeVoid\n%f = OpTypeFunction %void\n"
                               "%main = OpFunction %void None %f\n%l = OpLabel\nOpReturn\nOpFunctionEnd\n";
  for (const char *begin : {"; SPIR-V\n; Version: 1.3\nOpCapability Shader\n", "OpCapability Shader\n",
                            "               OpCapability Shader\n"}) {
    const Run run = runTool("compile - < " + shaders.write("assembly", begin + assembly));
    CHECK_MESSAGE(run.status == 0, (begin + run.errors));
  }
}

TEST_CASE("-D and -I are for HLSL, too") {
  Shaders shaders;
  shaders.write("sub/half.h", "#define HALF 0.5\n");
  const std::string file =
      shaders.write("m.frag.hlsl", "#include <half.h>\nfloat4 main() : SV_Target { return HALF * VALUE; }\n");
  const Run run = runTool("compile -DVALUE=0.5 -I " + (shaders / "sub") + " " + file);
  CHECK_MESSAGE(run.status == 0, run.errors);
}

TEST_CASE("--environment takes words, and no numbers for them") {
  Shaders shaders;
  checkError(runTool("compile --environment 1 " + shaders.pair()), "\"1\" is none of opengl, vulkan");
}

TEST_CASE("HLSL is read, with registers that do not collide") {
  Shaders shaders;
  const std::string fragment = shaders.write("textured.frag.hlsl", R"(
Texture2D image : register(t0);
SamplerState linear_ : register(s0);
cbuffer Constants : register(b0) { float4 tint; };
float4 main(float4 position : SV_Position, float2 place : TEXCOORD0) : SV_Target {
  return image.Sample(linear_, place) * tint;
}
)");
  const std::string vertex = shaders.write("textured.vert.hlsl", R"(
struct Output { float4 position : SV_Position; float2 place : TEXCOORD0; };
Output main(float4 position : POSITION) {
  Output output;
  output.position = position;
  output.place = position.xy;
  return output;
}
)");
  const Run run = runTool("draw " + vertex + " " + fragment);
  CHECK_MESSAGE(run.status == 0, (run.output + run.errors));
  const Run bad =
      runTool("compile " + shaders.write("bad.frag.hlsl", "float4 main() : SV_Target { return nothing; }\n"));
  CHECK(bad.status == 1);
  CHECK(bad.errors.find("bad.frag.hlsl:1: 'nothing'") != std::string::npos);
  checkError(runTool("compile --environment opengl " + fragment), "HLSL is read for Vulkan only");
}

TEST_CASE("HLSL whose name does not say so is what --stage says") {
  Shaders shaders;
  const std::string text = "float4 main() : SV_Target { return 1; }\n";
  const std::string unnamed = shaders.write("unnamed", text), language = shaders.write("light.hlsl", text);
  for (const std::string &arguments :
       {"--stage frag.hlsl - < " + unnamed, "--stage frag.hlsl " + unnamed, "--stage frag " + language}) {
    const Run run = runTool("compile --stats " + arguments);
    CHECK_MESSAGE(run.status == 0, (run.output + run.errors));
    CHECK(run.output.find("fragment_main") != std::string::npos);
  }
  CHECK(runTool("compile --stage frag - < " + unnamed).status == 1);
  CHECK(runTool("compile --stage frag.hlsl " + shaders.fragment).status == 0); // the name says it
}

TEST_CASE("HLSL may have structured and byte address buffers") {
  Shaders shaders;
  const Run run = runTool("compile " + shaders.write("buffers.comp.hlsl", R"(
StructuredBuffer<float4> read : register(t0);
ByteAddressBuffer bytes : register(t1);
RWStructuredBuffer<float4> written : register(u0);
[numthreads(64, 1, 1)] void main(uint3 id : SV_DispatchThreadID) {
  written[id.x] = read[id.x] * bytes.Load(4 * id.x);
}
)"));
  CHECK_MESSAGE(run.status == 0, (run.output + run.errors));
}

TEST_CASE("HLSL with a structured buffer and discard draws as lavapipe does") {
  Shaders shaders;
  const Run run = runTool("draw --compare " + shaders.write("holes.frag.hlsl", R"(
StructuredBuffer<float4> read : register(t0);
float4 main(float4 position : SV_Position) : SV_Target {
  if (position.x < 8)
    discard;
  return read[0];
}
)"));
  CHECK_MESSAGE(run.status == 0, (run.output + run.errors));
}

TEST_CASE("for a language that is not read, the Error names what converts it") {
  Shaders shaders;
  checkError(runTool("compile " + shaders.write("a.wgsl", "@fragment fn main() {}\n")),
             "WGSL is not read; naga or tint makes SPIR-V of it");
  checkError(runTool("compile " + shaders.write("a.cso", "DXBC....\n")), "DXIL or DXBC is not read");
}

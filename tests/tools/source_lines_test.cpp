// SPDX-License-Identifier: MIT
//
// The source lines that code comes from, as `dovetail compile --asm=lines` shows them. Asking for them must change
// nothing.
#include "tests/tools/run_tool.h"
#include "tools/common/command/write_file.h"
#include "tools/common/inputs/earlier_stages.h"
#include "tools/common/inputs/read_shaders.h"
#include "tools/common/pipelines/corpus_units.h"
#include "tools/proof/spirv/spirv_editor.h"
#include "variants/assemble/source_lines.h"
#include "variants/bind/device.h"
#include "variants/state/default_state.h"
#include <algorithm>
#include <doctest/doctest.h>
#include <set>
#include <sstream>
#include <sys/stat.h>

using namespace dovetail;

namespace {

const std::string TwoLines = "#version 450\n"
                             "layout(location = 0) out vec4 c;\n"
                             "layout(location = 0) in vec4 a;\n"
                             "void main() {\n"
                             "  vec4 root = sqrt(a);\n"
                             "  c = root * exp2(a);\n"
                             "}\n";

// The instructions of a listing, without its comments.
std::string instructionsOf(const std::string &listing) {
  std::istringstream text(listing);
  std::string instructions;
  for (std::string line; std::getline(text, line);)
    if (!line.starts_with(";"))
      instructions += line + "\n";
  return instructions;
}

// The comment that an instruction stands behind.
std::string placeOf(const std::string &listing, const std::string &instruction) {
  const size_t at = listing.find(instruction);
  REQUIRE_MESSAGE(at != std::string::npos, listing);
  const size_t comment = listing.rfind("\n;", at) + 1;
  return listing.substr(comment, listing.find('\n', comment) - comment);
}

// The section of a listing about one part.
std::string partOf(const std::string &listing, const std::string &name) {
  const size_t begin = listing.find("; ----- " + name + " ");
  REQUIRE_MESSAGE(begin != std::string::npos, listing);
  const size_t end = listing.find("\n; -----", begin);
  return listing.substr(begin, end == std::string::npos ? end : end - begin);
}

std::string listingOf(const std::string &arguments) {
  const Run run = runTool("compile " + arguments);
  CHECK_MESSAGE(run.status == 0, run.errors);
  return run.output;
}

// A fragment shader in SPIR-V with these OpStrings, constants and body, which takes the float %a and ends with the
// value %result; `functions` stand behind it.
std::string fragmentAssembly(const std::string &strings, const std::string &declarations, const std::string &body,
                             const std::string &functions = "") {
  return R"(
               OpCapability Shader
               OpExtension "SPV_KHR_non_semantic_info"
       %glsl = OpExtInstImport "GLSL.std.450"
      %debug = OpExtInstImport "NonSemantic.Shader.DebugInfo.100"
               OpMemoryModel Logical GLSL450
               OpEntryPoint Fragment %main "main" %in %out
               OpExecutionMode %main OriginUpperLeft
)" + strings +
         R"(
               OpSource HLSL 600
               OpDecorate %in Location 0
               OpDecorate %out Location 0
       %void = OpTypeVoid
         %fn = OpTypeFunction %void
      %float = OpTypeFloat 32
       %uint = OpTypeInt 32 0
    %float_fn = OpTypeFunction %float %float
       %pin  = OpTypePointer Input %float
       %pout = OpTypePointer Output %float
         %in = OpVariable %pin Input
        %out = OpVariable %pout Output
)" + declarations +
         R"(
       %main = OpFunction %void None %fn
      %first = OpLabel
          %a = OpLoad %float %in
)" + body +
         R"(
               OpStore %out %result
               OpReturn
               OpFunctionEnd
)" + functions;
}

// The module without its OpLines.
std::vector<uint32_t> withoutLines(const std::vector<uint32_t> &words) {
  SpirvEditor editor(words);
  return editor.rewrite([&](const SpirvEditor::Instruction &inst) {
    if (inst.opcode != spv::Op::OpLine && inst.opcode != spv::Op::OpNoLine)
      editor.emit(inst);
  });
}

std::vector<ShaderRef> withoutLines(const std::vector<ShaderRef> &shaders) {
  std::vector<ShaderRef> stripped;
  for (const ShaderRef &shader : shaders) {
    ShaderDescription description = shader->description;
    description.words = withoutLines(description.words);
    stripped.push_back(createShader(std::move(description)).value());
  }
  return stripped;
}

} // namespace

TEST_CASE("--asm=lines shows where code comes from, with the line's text, and the code is the same") {
  Shaders shaders;
  const std::string file = shaders.write("two.frag", TwoLines);
  const std::string lined = listingOf("--asm=lines " + file), plain = listingOf("--asm " + file);
  CHECK(placeOf(lined, "v_sqrt_f32") == "; " + file + ":5  vec4 root = sqrt(a);");
  CHECK(placeOf(lined, "v_exp_f32") == "; " + file + ":6  c = root * exp2(a);");
  CHECK(instructionsOf(lined) == instructionsOf(plain));
  CHECK(plain.find("two.frag:") == std::string::npos);
  checkError(runTool("compile --asm=all " + file), "all");
}

TEST_CASE("line ends of Windows are no part of a line's text") {
  Shaders shaders;
  const std::string file = shaders.write("crlf.frag", "#version 450\r\nlayout(location = 0) out float c;\r\n"
                                                      "layout(location = 0) in float a;\r\n\r\n"
                                                      "void main() {\r\n\tc = sqrt(a);\r\n}\r\n");
  CHECK(placeOf(listingOf("--asm=lines " + file), "v_sqrt_f32") == "; " + file + ":6  c = sqrt(a);");
}

TEST_CASE("code of all joined parts is shown, and only main parts have lines") {
  Shaders shaders;
  const std::string vertex = shaders.write("v.vert", "#version 450\nlayout(location = 0) in vec4 p;\n"
                                                     "layout(location = 0) out vec4 a;\nvoid main() {\n"
                                                     "  gl_Position = p;\n  a = log2(p);\n}\n");
  const std::string fragment = shaders.write("two.frag", TwoLines);
  const std::string listing = listingOf("--asm=lines " + vertex + " " + fragment);
  CHECK(placeOf(partOf(listing, "vs.vertex_main"), "v_log_f32") == "; " + vertex + ":6  a = log2(p);");
  CHECK(placeOf(partOf(listing, "ps.fragment_main"), "v_exp_f32") == "; " + fragment + ":6  c = root * exp2(a);");
  for (const char *part : {"vs.vertex_prolog", "ps.fragment_epilog"})
    CHECK_MESSAGE(partOf(listing, part).find(":6") == std::string::npos, part);
}

TEST_CASE("both halves of a merged program have their lines") {
  Shaders shaders;
  const std::string vertex = shaders.write("v.vert", "#version 450\nlayout(location = 0) in vec4 p;\n"
                                                     "layout(location = 0) out vec4 a;\n"
                                                     "void main() { a = log2(p); }\n");
  const std::string geometry =
      shaders.write("g.geom", "#version 450\nlayout(points) in;\nlayout(points, max_vertices = 1) out;\n"
                              "layout(location = 0) in vec4 a[];\nvoid main() {\n  gl_Position = exp2(a[0]);\n"
                              "  EmitVertex();\n}\n");
  const std::string listing = listingOf("--asm=lines " + vertex + " " + geometry + " " + shaders.fragment);
  CHECK(placeOf(partOf(listing, "gs.vertex_main"), "v_log_f32") == "; " + vertex + ":4  void main() { a = log2(p); }");
  CHECK(placeOf(partOf(listing, "gs.geometry_main"), "v_exp_f32") == "; " + geometry + ":6  gl_Position = exp2(a[0]);");
}

TEST_CASE("lines of functions in included files are those of the files, wherever they are inlined") {
  Shaders shaders;
  const std::string header = shaders.write("lib/root.h", "\nvec4 root(vec4 a) {\n  return sqrt(a);\n}\n");
  const std::string file = shaders.write("i.frag", "#version 450\n#include \"root.h\"\n"
                                                   "layout(location = 0) out vec4 c;\nlayout(location = 0) in vec4 a;\n"
                                                   "void main() {\n  c = exp2(root(a));\n}\n");
  const std::string listing = listingOf("--asm=lines -I " + (shaders / "lib") + " " + file);
  CHECK(placeOf(listing, "v_sqrt_f32") == "; " + header + ":3  return sqrt(a);");
  CHECK(placeOf(listing, "v_exp_f32") == "; " + file + ":6  c = exp2(root(a));");
}

TEST_CASE("#line says which line it is, and of which file") {
  Shaders shaders;
  const std::string begin = "#version 450\n#extension GL_GOOGLE_cpp_style_line_directive : enable\n"
                            "layout(location = 0) out vec4 c;\nlayout(location = 0) in vec4 a;\nvoid main() {\n";
  const std::string numbered =
      shaders.write("n.frag", begin + "#line 200\n  vec4 root = sqrt(a);\n  c = root * exp2(a);\n}\n");
  std::string listing = listingOf("--asm=lines " + numbered);
  CHECK(placeOf(listing, "v_sqrt_f32") == "; " + numbered + ":200");
  CHECK(placeOf(listing, "v_exp_f32") == "; " + numbered + ":201");
  const std::string named = shaders.write("f.frag", begin + "  vec4 root = sqrt(a);\n#line 31 \"made/up.glsl\"\n"
                                                            "  c = root * exp2(a);\n}\n");
  listing = listingOf("--asm=lines " + named);
  CHECK(placeOf(listing, "v_sqrt_f32") == "; " + named + ":6  vec4 root = sqrt(a);");
  CHECK(placeOf(listing, "v_exp_f32") == "; made/up.glsl:31");
}

TEST_CASE("an OpLine is for the instructions behind it, up to OpNoLine or the end of its block") {
  Shaders shaders;
  const std::string file = shaders.write("lines.spvasm", fragmentAssembly(R"(
       %name = OpString "nowhere.frag"
)",
                                                                          "", R"(
               OpLine %name 41 1
          %b = OpExtInst %float %glsl Sqrt %a
               OpNoLine
          %c = OpExtInst %float %glsl Exp2 %b
               OpLine %name 43 1
          %d = OpExtInst %float %glsl Sin %c
               OpBranch %second
     %second = OpLabel
     %result = OpExtInst %float %glsl Log2 %d
)"));
  const std::string listing = listingOf("--asm=lines " + file);
  CHECK(placeOf(listing, "v_sqrt_f32") == "; nowhere.frag:41");
  CHECK(placeOf(listing, "v_exp_f32") == "; no source line");
  CHECK(placeOf(listing, "v_sin_f32") == "; nowhere.frag:43");
  CHECK(placeOf(listing, "v_log_f32") == "; no source line");
}

TEST_CASE("a module that was HLSL has the lines of its files, as they are named there") {
  Shaders shaders;
  const std::string file = shaders.write("hlsl.spvasm", fragmentAssembly(R"(
       %main_file = OpString "C:\\game\\light.hlsl"
       %included = OpString "../common/brdf.hlsli"
)",
                                                                         "", R"(
               OpLine %main_file 12 3
          %b = OpFunctionCall %float %brdf %a
               OpLine %main_file 13 3
     %result = OpExtInst %float %glsl Exp2 %b
)",
                                                                         R"(
               OpLine %included 5 1
       %brdf = OpFunction %float None %float_fn
          %x = OpFunctionParameter %float
      %entry = OpLabel
               OpLine %included 7 10
       %root = OpExtInst %float %glsl Sqrt %x
               OpReturnValue %root
               OpFunctionEnd
)"));
  const std::string listing = listingOf("--asm=lines " + file);
  CHECK(placeOf(listing, "v_sqrt_f32") == "; ../common/brdf.hlsli:7");
  CHECK(placeOf(listing, "v_exp_f32") == "; C:\\game\\light.hlsl:13");
}

TEST_CASE("lines of NonSemantic.Shader.DebugInfo.100 are shown, too") {
  Shaders shaders;
  const std::string file = shaders.write("debug.spvasm", fragmentAssembly(R"(
       %name = OpString "light.slang"
)",
                                                                          R"(
         %u0 = OpConstant %uint 0
        %u17 = OpConstant %uint 17
     %source = OpExtInst %void %debug DebugSource %name
)",
                                                                          R"(
      %line  = OpExtInst %void %debug DebugLine %source %u17 %u17 %u0 %u0
          %b = OpExtInst %float %glsl Sqrt %a
    %no_line = OpExtInst %void %debug DebugNoLine
     %result = OpExtInst %float %glsl Exp2 %b
)"));
  const std::string listing = listingOf("--asm=lines " + file);
  CHECK(placeOf(listing, "v_sqrt_f32") == "; light.slang:17");
  CHECK(placeOf(listing, "v_exp_f32") == "; no source line");
}

TEST_CASE("of a module without lines, and of monolithic code, the listing is the one without lines") {
  Shaders shaders;
  const std::string file =
      shaders.write("none.spvasm", fragmentAssembly("", "", "%result = OpExtInst %float %glsl Sqrt %a\n"));
  CHECK(listingOf("--asm=lines " + file) == listingOf("--asm " + file));
  CHECK(instructionsOf(listingOf("--monolithic --asm=lines " + shaders.pair())) ==
        instructionsOf(listingOf("--monolithic --asm " + shaders.pair())));
}

TEST_CASE("a source that is no file is named, and not read") {
  Shaders shaders;
  const std::string pipe = shaders / "pipe";
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  for (const std::string &source : {pipe, shaders.path().string(), std::string("/dev/zero")}) {
    const std::string file =
        shaders.write("odd.spvasm", fragmentAssembly("%name = OpString \"" + source + "\"", "",
                                                     "OpLine %name 1 1\n"
                                                     "%result = OpExtInst %float %glsl Sqrt %a\n"));
    CHECK(placeOf(listingOf("--asm=lines " + file), "v_sqrt_f32") == "; " + source + ":1");
  }
}

TEST_CASE("lines change the code of none of our shaders, whether they are asked for or not") {
  std::unique_ptr<Device> device = Device::create("gfx900").value();
  size_t lines = 0, programs = 0;
  const std::vector<CorpusUnit> units = findCorpusUnits({DOVETAIL_OWN_SHADERS}).value();
  for (const CorpusUnit &unit : units) {
    CAPTURE(unit.name);
    Result<std::vector<ShaderRef>> shaders = readShaders(unit.files, {.sourceLines = true});
    if (!shaders || !addEarlierStages(*shaders))
      continue;
    Result<ShaderSet> set = makeShaderSet(*shaders);
    if (!set)
      continue;
    const PipelineState state = defaultState(*set);
    Result<VariantRef> variant = device->bind(*set, state);
    if (!variant)
      continue;
    // findSourceLines() compares the code with that of its own compile, which has debug information.
    Result<std::vector<CodeLine>> found = device->findSourceLines(*set, state, **variant);
    REQUIRE_MESSAGE(found, (found ? "" : found.error().text));
    CHECK(std::ranges::is_sorted(*found, {}, &CodeLine::offset));
    const std::vector<ShaderRef> stripped = withoutLines(*shaders);
    const ShaderSet strippedSet = makeShaderSet(stripped).value();
    Result<VariantRef> strippedVariant = device->bind(strippedSet, state);
    REQUIRE_MESSAGE(strippedVariant, (strippedVariant ? "" : strippedVariant.error().text));
    CHECK((*variant)->key != (*strippedVariant)->key);
    CHECK((*variant)->image->code == (*strippedVariant)->image->code);
    CHECK(device->findSourceLines(strippedSet, state, **strippedVariant).value().empty());
    lines += found->size();
    ++programs;
  }
  CHECK(programs > 100);
  CHECK(lines > 10 * programs);
}

TEST_CASE("-g puts the lines into the ELF, and changes nothing else of it") {
  TemporaryFolder folder;
  const std::string shader = folder.write("two.frag", TwoLines), lined = folder / "lined.elf", plain = folder / "a.elf";
  REQUIRE(runTool("compile -g -o " + lined + " " + shader).status == 0);
  REQUIRE(runTool("compile -o " + plain + " " + shader).status == 0);
  const std::string bytes = *readWholeFile(lined), plainBytes = *readWholeFile(plain);
  auto rowsOf = [](const std::string &file) {
    Result<std::vector<CodeLine>> rows = readLineTable({reinterpret_cast<const uint8_t *>(file.data()), file.size()});
    REQUIRE(rows);
    return *rows;
  };
  CHECK(rowsOf(plainBytes).empty());
  std::set<uint32_t> lines;
  for (const CodeLine &row : rowsOf(bytes))
    if (row.file.ends_with("two.frag"))
      lines.insert(row.line);
  CHECK(lines.contains(5));
  CHECK(lines.contains(6));
  CHECK(*lines.rbegin() <= 7);
}

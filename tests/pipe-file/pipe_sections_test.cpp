// SPDX-License-Identifier: MIT
//
// The text of pipeline files as sections and values.
#include "tools/common/pipe-file/pipe_sections.h"
#include <doctest/doctest.h>

using namespace dovetail;
using namespace dovetail::pipe_file;

namespace {

std::vector<Section> sectionsOf(const std::string &text) {
  Result<std::vector<Section>> sections = parseSections("a.pipe", text);
  if (!sections)
    FAIL(sections.error().text);
  return std::move(*sections);
}

} // namespace

TEST_CASE("a shader's text goes up to the next section, with semicolons and brackets") {
  const auto sections = sectionsOf(
      "; a comment\n[VsGlsl]\n#version 450\nvoid main() { a[1] = 2; }\n[[a]]\n\n[VsInfo]\nentryPoint = main\n");
  REQUIRE(sections.size() == 2);
  CHECK(sections[0].text == "#version 450\nvoid main() { a[1] = 2; }\n[[a]]\n\n");
  CHECK(sections[0].line == 2);
  CHECK((sections[0].source->form == SourceForm::Glsl));
  CHECK(sections[1].values.at("entryPoint").text == "main");
  CHECK(sections[1].values.at("entryPoint").line == 8);
}

TEST_CASE("sections have long and short names") {
  for (const auto &[name, stage, form] :
       {std::tuple("TessControlShaderGlsl", lgc::ShaderStage::TessControl, SourceForm::Glsl),
        {"TesSpirv", lgc::ShaderStage::TessEval, SourceForm::SpirvAssembly},
        {"GsGlslFile", lgc::ShaderStage::Geometry, SourceForm::GlslFile},
        {"FsSpvFile", lgc::ShaderStage::Fragment, SourceForm::SpirvFile},
        {"CsSpvasmFile", lgc::ShaderStage::Compute, SourceForm::SpirvAssemblyFile}}) {
    CAPTURE(name);
    const auto sections = sectionsOf(std::string("[") + name + "]\n");
    REQUIRE(sections[0].source);
    CHECK((sections[0].source->stage == stage));
    CHECK((sections[0].source->form == form));
  }
  CHECK_FALSE(sectionsOf("[VsInfo]\n")[0].source);
  CHECK((stageOfInfo("VertexShaderInfo") == lgc::ShaderStage::Vertex));
  CHECK_FALSE(stageOfInfo("MeshInfo"));
}

TEST_CASE("values are numbers of any base, and comments end them") {
  auto sections = sectionsOf("[A]\na = 12 ; twelve\nb.c [ 3 ] = 0x1F\nd=-1\ne = true\nf = 1x\n");
  const std::string file = "a.pipe";
  SectionReader reader(file, sections[0]);
  CHECK(reader.number("a") == 12);
  CHECK(reader.number("b.c[3]") == 31);
  CHECK(reader.number("d") == UINT64_MAX);
  CHECK(reader.boolean("e") == true);
  CHECK_FALSE(reader.number("g"));
  CHECK(reader.finish());
  CHECK_FALSE(reader.number("f"));
  CHECK(reader.finish().error().text == "a.pipe:6: f: expected a number, found \"1x\"");
}

TEST_CASE("indices are those that are used, in order") {
  auto sections = sectionsOf("[A]\nx[10].a = 1\nx[2].a = 1\nx[2].b = 1\nxy[5] = 1\nx[-1] = 1\nx[99999999999] = 1\n");
  const std::string file = "a.pipe";
  CHECK(SectionReader(file, sections[0]).indices("x") == std::vector<uint32_t>{2, 10});
}

TEST_CASE("a line that is neither a section nor a value is refused with its number") {
  CHECK(parseSections("a.pipe", "[Version]\nversion = 1\nwhat\n").error().text ==
        "a.pipe:3: expected a section or \"name = value\"");
}

TEST_CASE("what is in front of the first section is a comment") {
  Result<std::vector<Section>> sections =
      parseSections("a.pipe", "/*\nwhatever = it says\n*/\n[Version]\nversion = 1\n");
  REQUIRE(sections.has_value());
  REQUIRE(sections->size() == 1);
  CHECK(sections->front().name == "Version");
}

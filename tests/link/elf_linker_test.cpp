// SPDX-License-Identifier: MIT
#include "merge/check/check_image.h"
#include "merge/elf/pal_elf.h"
#include "parts/elf/part_elf.h"
#include "src/lgc/pipeline.h"
#include "tests/link/part_makers.h"
#include "tests/variants/background/background_device.h"
#include "variants/assemble/build_variant.h"
#include "variants/link/elf_linker.h"
#include "variants/state/canonicalize.h"
#include <random>

using namespace dovetail;

namespace {

using lgc::ShaderStage;
using File = std::vector<uint8_t>;

ShaderSet setOf(const std::vector<ShaderRef> &shaders) {
  return must(makeShaderSet(shaders));
}

// The files of shaders that follow each other as they do in the set.
std::vector<File> compileAll(PartMaker &maker, const ShaderSet &set) {
  std::vector<File> files;
  UnlinkedOptions options;
  options.layout = set.layout;
  for (size_t index = set.shaders.size(); index-- > 0;)
    if (set.shaders[index]) {
      files.push_back(must(compileUnlinkedShader(maker, set.shaders[index], options)));
      options.next = ShaderStage(index);
    }
  return files;
}

ElfLinker linkerOf(PartMaker &maker, const ShaderSet &set, const PipelineState &state, const std::vector<File> &files) {
  ElfLinker linker(maker, state, set.layout);
  for (const File &file : files)
    REQUIRE(linker.addInputElf(file).has_value());
  return linker;
}

File joinedFile(PartMaker &maker, const ShaderSet &set, const PipelineState &state) {
  const PipelineState canonical = canonicalize(state, set);
  return must(writePalElf(*must(buildVariant(maker, makeVariantKey(set, canonical, {}), set, canonical, {}))->image));
}

std::vector<ShaderRef> withGeometry() {
  std::vector<ShaderRef> shaders = pairOfShaders();
  shaders.push_back(compileGlsl(ShaderStage::Geometry,
                                "layout(triangles) in; layout(triangle_strip, max_vertices = 3) out;"
                                "layout(location = 0) in vec4 from[]; layout(location = 0) out vec4 seen;"
                                "void main() { for (int i = 0; i < 3; ++i) { gl_Position = gl_in[i].gl_Position;"
                                "  seen = from[i]; EmitVertex(); } }"));
  return shaders;
}

} // namespace

TEST_CASE("a linked pipeline is the joined one, byte for byte, and the linker compiles nothing") {
  auto compiler = makeMaker(), linkingMaker = makeMaker();
  const ShaderSet set = setOf(pairOfShaders());
  const PipelineState state = pairState()->fields;
  ElfLinker linker = linkerOf(*linkingMaker, set, state, compileAll(*compiler, set));
  CHECK(must(linker.link()) == joinedFile(*compiler, set, state));
  CHECK(linkingMaker->compileCounts().emitted == 0);
}

TEST_CASE("the same shaders' files are linked under another state") {
  auto compiler = makeMaker(), linkingMaker = makeMaker();
  const ShaderSet set = setOf(pairOfShaders());
  const std::vector<File> files = compileAll(*compiler, set);
  for (VkFormat format : {VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_R32G32B32A32_SFLOAT}) {
    const PipelineState state = pairState(format)->fields;
    ElfLinker linker = linkerOf(*linkingMaker, set, state, files);
    CHECK(must(linker.link()) == joinedFile(*compiler, set, state));
  }
}

TEST_CASE("merged programs are linked") {
  auto compiler = makeMaker(), linkingMaker = makeMaker();
  const ShaderSet set = setOf(withGeometry());
  const PipelineState state = pairState()->fields;
  ElfLinker linker = linkerOf(*linkingMaker, set, state, compileAll(*compiler, set));
  VariantRef linked = must(linker.linkVariant());
  CHECK(linked->image->findStage(HardwareStage::Gs)->secondHalf != 0);
  CHECK(findImageDefects(*linked->image).empty());
  CHECK(must(writePalElf(*linked->image)) == joinedFile(*compiler, set, state));
}

TEST_CASE("a pipeline without a fragment shader gets the null fragment shader") {
  auto compiler = makeMaker(), linkingMaker = makeMaker();
  const ShaderSet set = setOf({pairOfShaders()[0]});
  ElfLinker linker = linkerOf(*linkingMaker, set, pairState()->fields, compileAll(*compiler, set));
  const std::vector<GlueInfo> glue = must(linker.getGlueInfo());
  REQUIRE(glue.size() == 2);
  CHECK((glue[0].kind == PartKind::VertexProlog));
  CHECK((glue[1].kind == PartKind::NullFragment));
  CHECK(must(linker.link()) == joinedFile(*compiler, set, pairState()->fields));
}

TEST_CASE("glue that a client has is not made") {
  auto compiler = makeMaker(), linkingMaker = makeMaker();
  const ShaderSet set = setOf(withGeometry());
  const PipelineState state = pairState()->fields;
  const std::vector<File> files = compileAll(*compiler, set);
  ElfLinker glueMaker = linkerOf(*compiler, set, state, files), linker = linkerOf(*linkingMaker, set, state, files);
  const std::vector<GlueInfo> wanted = must(linker.getGlueInfo());
  REQUIRE(wanted.size() == 3); // vertex prolog, copy shader, fragment epilog
  for (size_t index = 0; index < wanted.size(); ++index)
    REQUIRE(linker.addGlue(index, must(glueMaker.compileGlue(index))).has_value());
  CHECK(must(linker.link()) == joinedFile(*compiler, set, state));
  CHECK(linkingMaker->compileCounts().emitted == 0); // not even the copy shader
}

TEST_CASE("the key of glue says what it depends on and nothing else") {
  auto maker = makeMaker();
  const ShaderSet set = setOf(pairOfShaders());
  const std::vector<File> files = compileAll(*maker, set);
  auto keysUnder = [&](VkFormat format) {
    return must(linkerOf(*maker, set, pairState(format)->fields, files).getGlueInfo());
  };
  const std::vector<GlueInfo> bytes = keysUnder(VK_FORMAT_R8G8B8A8_UNORM),
                              floats = keysUnder(VK_FORMAT_R32G32B32A32_SFLOAT);
  REQUIRE(bytes.size() == 2);
  CHECK(bytes == keysUnder(VK_FORMAT_R8G8B8A8_UNORM));
  CHECK(bytes[0] == floats[0]); // the prolog
  CHECK(bytes[1] != floats[1]);
}

TEST_CASE("glue of another key is refused") {
  auto maker = makeMaker();
  const ShaderSet set = setOf(pairOfShaders());
  ElfLinker linker = linkerOf(*maker, set, pairState()->fields, compileAll(*maker, set));
  const File prolog = must(linker.compileGlue(0));
  CHECK(linker.addGlue(0, prolog).has_value());
  CHECK(linker.addGlue(1, prolog).error().text == "the ELF file has another vertex prolog than glue 1");
  CHECK(linker.addGlue(2, prolog).error().text == "glue 2 of 2");
}

TEST_CASE("two shaders of a stage are refused") {
  auto maker = makeMaker();
  const ShaderSet set = setOf(pairOfShaders());
  const std::vector<File> files = compileAll(*maker, set);
  ElfLinker linker = linkerOf(*maker, set, pairState()->fields, files);
  CHECK(linker.addInputElf(files[0]).error().text == "test shader and test shader are both fragment shaders");
}

TEST_CASE("a shader that was compiled to stand in front of another is refused") {
  auto maker = makeMaker();
  const ShaderSet set = setOf(pairOfShaders());
  UnlinkedOptions options;
  options.next = ShaderStage::Geometry;
  options.layout = set.layout;
  std::vector<File> files = compileAll(*maker, set);
  files[1] = must(compileUnlinkedShader(*maker, set.shader(ShaderStage::Vertex), options));
  ElfLinker linker = linkerOf(*maker, set, pairState()->fields, files);
  CHECK(linker.link().error().text == "test shader was compiled to run as es, and has to run as vs here");
}

TEST_CASE("a state that changes the fragment shader's own code is refused") {
  auto maker = makeMaker();
  const ShaderSet set = setOf(pairOfShaders());
  ElfLinker linker = linkerOf(*maker, set, compiledState()->fields, compileAll(*maker, set));
  Result<File> linked = linker.link();
  REQUIRE(!linked);
  CHECK((linked.error().code == ErrorCode::Unsupported));
  CHECK(linked.error().text ==
        "test shader was compiled for another state, and the state of the pipeline changes its own code");
}

TEST_CASE("a shader whose buffer has another form in the layout is refused, with both forms") {
  auto maker = makeMaker();
  const std::vector<ShaderRef> shaders = {
      pairOfShaders()[0],
      compileGlsl(ShaderStage::Fragment, "layout(set = 1, binding = 2) uniform Numbers { vec4 factor; };"
                                         "layout(location = 0) out vec4 target; void main() { target = factor; }")};
  const ShaderSet plain = setOf(shaders);
  const ShaderSet dynamic = must(makeShaderSet(shaders, AutomaticLayout{.uniformBuffersAreDynamic = true}));
  const PipelineState state = pairState()->fields;
  ElfLinker toDynamic = linkerOf(*maker, dynamic, state, compileAll(*maker, plain));
  CHECK(toDynamic.link().error().text ==
        "test shader was compiled for set 1 binding 2 as an ordinary descriptor in a table, and the layout of the "
        "pipeline has a buffer with a dynamic offset");
  ElfLinker toPlain = linkerOf(*maker, plain, state, compileAll(*maker, dynamic));
  CHECK(toPlain.link().error().text ==
        "test shader was compiled for set 1 binding 2 as a buffer with a dynamic offset, and the layout of the "
        "pipeline has an ordinary descriptor in a table");
  CHECK(must(linkerOf(*maker, dynamic, state, compileAll(*maker, dynamic)).link()) ==
        joinedFile(*maker, dynamic, state));
}

TEST_CASE("a shader that was compiled without a layout has resources in ordinary forms") {
  auto maker = makeMaker();
  const ShaderSet set = setOf(
      {pairOfShaders()[0],
       compileGlsl(ShaderStage::Fragment, "layout(binding = 0) uniform sampler2DMS image;"
                                          "layout(location = 0) out vec4 target;"
                                          "void main() { target = texelFetch(image, ivec2(gl_FragCoord.xy), 1); }")});
  std::vector<File> files;
  for (ShaderStage stage : {ShaderStage::Vertex, ShaderStage::Fragment})
    files.push_back(must(compileUnlinkedShader(*maker, set.shader(stage))));
  CHECK(must(linkerOf(*maker, set, pairState()->fields, files).link()) == joinedFile(*maker, set, pairState()->fields));
}

TEST_CASE("what the pipeline says about compiling its shaders is compared with how they were compiled") {
  auto maker = makeMaker();
  const ShaderSet set = setOf(pairOfShaders());
  const std::vector<File> files = compileAll(*maker, set);
  const auto refusalUnder = [&](const lgc::FrontEndState &frontEnd) {
    ElfLinker linker = linkerOf(*maker, set, pairState()->fields, files);
    linker.setFrontEndState(frontEnd);
    const Result<File> linked = linker.link();
    return linked ? std::string() : linked.error().text;
  };
  CHECK(refusalUnder({}) == "");
  CHECK(refusalUnder({.stageMask = set.stageMask()}) == "");
  CHECK(refusalUnder({.stageMask = lgc::stageBit(ShaderStage::Vertex)}) ==
        "the pipeline has no fragment shader, and one was added");
  CHECK(refusalUnder({.stageMask = set.stageMask() | lgc::stageBit(ShaderStage::Geometry)}) ==
        "the pipeline has a geometry shader, and none was added");
  lgc::FrontEndState frontEnd;
  frontEnd.shaderOptions[size_t(ShaderStage::Fragment)].vgprLimit = 24;
  CHECK(refusalUnder(frontEnd) == "test shader was compiled with other shader options than the pipeline has for it");
  frontEnd = {};
  frontEnd.options.optimizationLevel = 0;
  CHECK(refusalUnder(frontEnd) == "test shader was compiled with other optimisation than the pipeline has for it");
}

TEST_CASE("a vertex shader hands on the primitive's number if it is compiled to do so") {
  auto maker = makeMaker();
  const ShaderSet set =
      setOf({pairOfShaders()[0], compileGlsl(ShaderStage::Fragment, "layout(location = 0) out vec4 target;"
                                                                    "void main() { target = vec4(gl_PrimitiveID); }")});
  std::vector<File> files = compileAll(*maker, set);
  ElfLinker without = linkerOf(*maker, set, pairState()->fields, files);
  CHECK((without.link().error().code == ErrorCode::Unsupported));

  UnlinkedOptions options;
  options.layout = set.layout;
  options.exportPrimitiveId = true;
  files[1] = must(compileUnlinkedShader(*maker, set.shader(ShaderStage::Vertex), options));
  ElfLinker with = linkerOf(*maker, set, pairState()->fields, files);
  CHECK(must(with.link()) == joinedFile(*maker, set, pairState()->fields));
}

TEST_CASE("glue is no shader, and a shader is no glue") {
  auto maker = makeMaker();
  const ShaderSet set = setOf(pairOfShaders());
  const std::vector<File> files = compileAll(*maker, set);
  ElfLinker linker = linkerOf(*maker, set, pairState()->fields, files);
  ElfLinker other(*maker, pairState()->fields, set.layout);
  CHECK(!other.addInputElf(must(linker.compileGlue(0))));
  CHECK(!linker.addGlue(0, files[1]));
}

TEST_CASE("a file for another GPU is refused") {
  auto maker = makeMaker("gfx803"), linkingMaker = makeMaker();
  const ShaderSet set = setOf(pairOfShaders());
  ElfLinker linker(*linkingMaker, pairState()->fields, set.layout);
  CHECK(linker.addInputElf(compileAll(*maker, set)[0]).error().text == "the ELF file is for another GPU than gfx900");
}

TEST_CASE("a part whose key is not that of what it was made from is refused") {
  auto maker = makeMaker();
  const ShaderSet set = setOf(pairOfShaders());
  const ElfFile file = must(readElf(compileAll(*maker, set)[0]));
  Part part = must(partOf(file));
  REQUIRE(!part.keyFields.empty());
  part.keyFields.back() ^= 1;
  const Result<Part> read = partOf(partElf(part, maker->target()));
  REQUIRE_FALSE(read.has_value());
  CHECK(read.error().text.ends_with("is damaged: its key is not that of what it was made from"));
}

TEST_CASE("damaged files are refused or linked, and never astray") {
  auto maker = makeMaker();
  const ShaderSet set = setOf(pairOfShaders());
  const std::vector<File> files = compileAll(*maker, set);
  std::mt19937 random(1);
  for (unsigned round = 0; round < 1000; ++round) {
    std::vector<File> damaged = files;
    File &file = damaged[random() % 2];
    for (unsigned count = 1 + random() % 3; count > 0; --count)
      file[random() % file.size()] = uint8_t(random());
    ElfLinker linker(*maker, pairState()->fields, set.layout);
    if (linker.addInputElf(damaged[0]) && linker.addInputElf(damaged[1]))
      if (Result<VariantRef> linked = linker.linkVariant())
        CHECK(!(*linked)->image->code.empty());
  }
}

TEST_CASE("a compute prolog is glue that a client may keep, and what is linked with it is the joined pipeline") {
  auto compiler = makeMaker(), linkingMaker = makeMaker();
  const ShaderSet set = setOf(
      {compileGlsl(ShaderStage::Compute, "layout(local_size_x = 16, local_size_y = 8) in;"
                                         "layout(binding = 0) buffer Data { uvec2 data[]; };"
                                         "void main() { data[gl_LocalInvocationIndex] = gl_GlobalInvocationID.xy; }")});
  PipelineState state;
  CHECK(must(linkerOf(*linkingMaker, set, state, compileAll(*compiler, set)).getGlueInfo()).empty());
  state.squareComputeWaves = true;
  ElfLinker linker = linkerOf(*linkingMaker, set, state, compileAll(*compiler, set));
  const std::vector<GlueInfo> glue = must(linker.getGlueInfo());
  REQUIRE(glue.size() == 1);
  CHECK((glue[0].kind == PartKind::ComputeProlog));
  const File file = must(linkerOf(*compiler, set, state, compileAll(*compiler, set)).compileGlue(0));
  CHECK(linker.addGlue(0, file).has_value());
  CHECK(must(linker.link()) == joinedFile(*compiler, set, state));
  CHECK(linkingMaker->compileCounts().emitted == 0);
}

// SPDX-License-Identifier: MIT
#include "merge/check/check_image.h"
#include "parts/elf/part_elf.h"
#include "src/lgc/pipeline.h"
#include "tests/link/part_makers.h"
#include "tests/variants/background/background_device.h"
#include "variants/link/elf_linker.h"
#include "variants/link/part_pipeline.h"
#include "variants/link/whole_pipeline.h"
#include "variants/optimize/program_cost.h"
#include <algorithm>
#include <map>

using namespace dovetail;

namespace {

using lgc::ShaderStage;
using File = std::vector<uint8_t>;

// The vertex shader writes three locations. The fragment shader reads one component each of two of them.
ShaderSet scattered() {
  return must(makeShaderSet(std::vector<ShaderRef>{
      compileGlsl(ShaderStage::Vertex,
                  "layout(location = 0) in vec4 position;"
                  "layout(location = 0) out vec4 a; layout(location = 1) out vec4 b; layout(location = 2) out vec4 c;"
                  "void main() { gl_Position = position; a = position; b = sqrt(position); c = position / 3.0; }"),
      compileGlsl(ShaderStage::Fragment,
                  "layout(location = 0) in vec4 a; layout(location = 2) in vec4 c;"
                  "layout(location = 0) out vec4 target; void main() { target = vec4(a.y, c.x, 0.0, 1.0); }")}));
}

FsInputMappings mappingsFrom(PartMaker &maker, const ShaderSet &set, const PipelineState &state) {
  ElfLinker linker(maker, state, set.layout);
  REQUIRE(linker.addInputElf(must(compileFragmentPart(maker, set, state))).has_value());
  return must(decodeMappings(must(linker.getFsInputMappings())));
}

// Links under `state`, with a fragment part that was compiled for `stateOfFragment`.
Result<VariantRef> tryToLinkParts(PartMaker &maker, const ShaderSet &set, const PipelineState &state,
                                  const PipelineState &stateOfFragment) {
  ElfLinker linker(maker, state, set.layout);
  REQUIRE(linker.addInputElf(must(compileFragmentPart(maker, set, stateOfFragment))).has_value());
  const FsInputMappings mappings = must(decodeMappings(must(linker.getFsInputMappings())));
  for (const File &file : must(compileOtherPart(maker, set, state, mappings)))
    REQUIRE(linker.addInputElf(file).has_value());
  return linker.linkVariant();
}

VariantRef linkParts(PartMaker &maker, const ShaderSet &set, const PipelineState &state) {
  return must(tryToLinkParts(maker, set, state, state));
}

} // namespace

TEST_CASE("a fragment shader packs its inputs without knowing who writes them") {
  auto maker = makeMaker();
  const FsInputMappings mappings = mappingsFrom(*maker, scattered(), pairState()->fields);
  REQUIRE(mappings.packed.size() == 2);
  CHECK(mappings.packed[0] == PackedParameter{{0, 1}, {PackedParameter0, 0}});
  CHECK(mappings.packed[1] == PackedParameter{{2, 0}, {PackedParameter0, 1}});
  CHECK(mappings.components[GenericSlot + 1] == 0);
}

TEST_CASE("without packing, each location that is read is a parameter, in whole and in part pipelines") {
  auto maker = makeMaker();
  maker->setPackInOut(false);
  CHECK(mappingsFrom(*maker, scattered(), pairState()->fields).packed.empty());
  for (const VariantRef &variant : {linkParts(*maker, scattered(), pairState()->fields),
                                    must(buildWholePipeline(*maker, scattered(), pairState()->fields))})
    CHECK(variant->image->findStage(HardwareStage::Vs)->interface->preRaster.parameters.size() == 2);
}

TEST_CASE("the shaders in front write what the fragment shader reads, where it reads it") {
  auto maker = makeMaker();
  VariantRef linked = linkParts(*maker, scattered(), pairState()->fields);
  CHECK(findImageDefects(*linked->image).empty());
  const ShaderInterface &vertex = *linked->image->findStage(HardwareStage::Vs)->interface;
  REQUIRE(vertex.preRaster.parameters.size() == 1);
  CHECK(vertex.preRaster.parameters[0].location == PackedParameter0);
}

TEST_CASE("a part pipeline needs no more than the joined one") {
  auto maker = makeMaker();
  ElfLinker linker(*maker, pairState()->fields, scattered().layout);
  const ShaderSet set = scattered();
  UnlinkedOptions options;
  options.layout = set.layout;
  for (ShaderStage stage : {ShaderStage::Vertex, ShaderStage::Fragment})
    REQUIRE(linker.addInputElf(must(compileUnlinkedShader(*maker, set.shader(stage), options))).has_value());
  CHECK(describeLoss(*must(linker.linkVariant())->image, *linkParts(*maker, set, pairState()->fields)->image) == "");
}

TEST_CASE("mappings are the same for fragment shaders that read the same") {
  auto maker = makeMaker();
  ShaderSet set = scattered();
  const FsInputMappings first = mappingsFrom(*maker, set, pairState()->fields);
  set.shaders[size_t(ShaderStage::Fragment)] = compileGlsl(
      ShaderStage::Fragment, "layout(location = 0) in vec4 a; layout(location = 2) in vec4 c;"
                             "layout(location = 0) out vec4 target; void main() { target = vec4(a.y * c.x); }");
  CHECK((mappingsFrom(*maker, set, pairState()->fields) == first));
  set.shaders[size_t(ShaderStage::Fragment)] =
      compileGlsl(ShaderStage::Fragment, "layout(location = 0) in vec4 a;"
                                         "layout(location = 0) out vec4 target; void main() { target = vec4(a.y); }");
  CHECK((mappingsFrom(*maker, set, pairState()->fields) != first));
}

TEST_CASE("a state without targets leaves the shaders in front less to write") {
  auto maker = makeMaker();
  PipelineState state = pairState()->fields;
  state.colorTargets[0].format = VK_FORMAT_UNDEFINED;
  const FsInputMappings mappings = mappingsFrom(*maker, scattered(), state);
  CHECK((mappings.components == SlotComponents()));
  VariantRef linked = linkParts(*maker, scattered(), state);
  CHECK(linked->image->findStage(HardwareStage::Vs)->interface->preRaster.parameters.empty());
}

TEST_CASE("a state that changes the fragment shader's own code is known to its part") {
  auto maker = makeMaker();
  VariantRef linked = linkParts(*maker, scattered(), compiledState()->fields);
  CHECK(findImageDefects(*linked->image).empty());
  const ImageStage &ps = *linked->image->findStage(HardwareStage::Ps);
  REQUIRE(ps.partCount == 1);
  CHECK((linked->image->parts[ps.firstPart].part->key.kind == PartKind::Monolithic));
}

TEST_CASE("a fragment part for fewer targets than the state has is refused") {
  auto maker = makeMaker();
  ShaderSet set = scattered();
  set.shaders[size_t(ShaderStage::Fragment)] =
      compileGlsl(ShaderStage::Fragment, "layout(location = 0) out vec4 first; layout(location = 1) out vec4 second;"
                                         "void main() { first = vec4(1.0); second = gl_FragCoord; }");
  const PipelineState one = pairState()->fields;
  PipelineState two = one;
  two.colorTargets[1] = two.colorTargets[0];
  CHECK(tryToLinkParts(*maker, set, two, one).error().text ==
        "test shader was compiled not to write x of colour 1, which the pipeline reads");
}

TEST_CASE("a fragment part for more targets than the state has is linked") {
  auto maker = makeMaker();
  const ShaderSet set = scattered();
  PipelineState none = pairState()->fields;
  none.colorTargets[0].format = VK_FORMAT_UNDEFINED;
  CHECK(findImageDefects(*must(tryToLinkParts(*maker, set, none, pairState()->fields))->image).empty());
}

TEST_CASE("a vertex part for a fragment shader that reads less is refused") {
  auto maker = makeMaker();
  const ShaderSet set = scattered();
  const PipelineState state = pairState()->fields;
  ElfLinker linker(*maker, state, set.layout);
  REQUIRE(linker.addInputElf(
      must(compileUnlinkedShader(*maker, set.shader(ShaderStage::Fragment), {.layout = set.layout}))));
  FsInputMappings mappings;
  mappings.components[GenericSlot] = 0xf; // no component of location 2
  for (const File &file : must(compileOtherPart(*maker, set, state, mappings)))
    REQUIRE(linker.addInputElf(file).has_value());
  CHECK(linker.link().error().text ==
        "test shader was compiled not to write x of location 2, which the pipeline reads");
}

TEST_CASE("parts that pack parameters otherwise are refused") {
  auto maker = makeMaker();
  const ShaderSet set = scattered();
  const PipelineState state = pairState()->fields;
  ElfLinker linker(*maker, state, set.layout);
  REQUIRE(linker.addInputElf(must(compileFragmentPart(*maker, set, state))).has_value());
  REQUIRE(
      linker.addInputElf(must(compileUnlinkedShader(*maker, set.shader(ShaderStage::Vertex), {.layout = set.layout}))));
  CHECK(linker.link().error().text ==
        "test shader was compiled to read locations 0.y, 2.x packed, and test shader was compiled to pack no "
        "locations, or in another order");
}

TEST_CASE("a whole that was made for another state is refused, with both") {
  auto maker = makeMaker();
  const ShaderSet set = scattered();
  const PipelineState bytes = compiledState()->fields, floats = compiledState(VK_FORMAT_R32G32B32A32_SFLOAT)->fields;
  const Result<VariantRef> linked = tryToLinkParts(*maker, set, floats, bytes);
  REQUIRE_FALSE(linked);
  CHECK(linked.error().text.starts_with("test shader was compiled as fragment main of test shader"));
  CHECK(linked.error().text.find(", and the state of the pipeline asks for fragment main of") != std::string::npos);
}

TEST_CASE("both sides of GL's colours are handed on to a fragment part") {
  auto maker = makeMaker();
  ShaderSet set = scattered();
  ShaderDescription fragment =
      compileGlsl(ShaderStage::Fragment, "layout(location = 0) in vec4 a; layout(location = 0) out vec4 target;"
                                         "void main() { target = a; }")
          ->description;
  fragment.colorInputs[0] = {.front = 0, .back = 1};
  set.shaders[size_t(ShaderStage::Fragment)] = must(createShader(std::move(fragment)));
  for (const bool isTwoSided : {false, true}) {
    PipelineState state = pairState()->fields;
    state.colorTwoSide = isTwoSided;
    VariantRef linked = linkParts(*maker, set, state);
    CHECK(linked->image->findStage(HardwareStage::Vs)->interface->preRaster.parameters.size() == (isTwoSided ? 2 : 1));
  }
}

TEST_CASE("a colour of GL's may have a front alone") {
  auto maker = makeMaker();
  ShaderSet set = scattered();
  ShaderDescription fragment = set.shader(ShaderStage::Fragment)->description;
  fragment.colorInputs[0] = {.front = 0};
  set.shaders[size_t(ShaderStage::Fragment)] = must(createShader(std::move(fragment)));
  CHECK(findImageDefects(*linkParts(*maker, set, pairState()->fields)->image).empty());
}

TEST_CASE("GL's colours are clamped in front of a fragment part, and not by a shader that was compiled alone") {
  auto maker = makeMaker();
  ShaderSet set = scattered();
  ShaderDescription fragment = set.shader(ShaderStage::Fragment)->description;
  fragment.colorInputs[0] = {.front = 0};
  set.shaders[size_t(ShaderStage::Fragment)] = must(createShader(std::move(fragment)));
  PipelineState state = pairState()->fields;
  const VariantRef plain = linkParts(*maker, set, state);
  state.clampVertexColor = true;
  const VariantRef clamped = linkParts(*maker, set, state);
  CHECK(findImageDefects(*clamped->image).empty());
  CHECK((clamped->image->code != plain->image->code));

  ElfLinker linker(*maker, state, set.layout);
  for (ShaderStage stage : {ShaderStage::Vertex, ShaderStage::Fragment})
    REQUIRE(linker.addInputElf(must(compileUnlinkedShader(*maker, set.shader(stage)))).has_value());
  const Result<VariantRef> unlinked = linker.linkVariant();
  REQUIRE_FALSE(unlinked);
  CHECK(unlinked.error().text ==
        "test shader was compiled for another state, and the state of the pipeline changes its own code");
}

TEST_CASE("the control shader that a program does without is compiled for the patches of a part pipeline") {
  auto maker = makeMaker();
  ShaderDescription evaluation =
      compileGlsl(ShaderStage::TessEval, "layout(triangles) in; layout(location = 0) in vec4 a[];"
                                         "layout(location = 0) out vec4 b;"
                                         "void main() { b = a[0]; gl_Position = gl_in[1].gl_Position; }")
          ->description;
  evaluation.environment = spirv::Environment::OpenGl;
  const ShaderSet pair = scattered();
  const ShaderSet set = must(makeShaderSet(std::vector<ShaderRef>{
      pair.shader(ShaderStage::Vertex), must(createShader(std::move(evaluation))),
      compileGlsl(ShaderStage::Fragment, "layout(location = 0) in vec4 b; layout(location = 0) out vec4 target;"
                                         "void main() { target = b; }")}));
  PipelineState state = pairState()->fields;
  state.topology = VK_PRIMITIVE_TOPOLOGY_PATCH_LIST;
  state.patchControlPoints = 4;
  CHECK(findImageDefects(*linkParts(*maker, set, state)->image).empty());

  const Result<std::vector<uint8_t>> alone = compileUnlinkedShader(*maker, set.shader(ShaderStage::TessControl));
  REQUIRE_FALSE(alone);
  CHECK((alone.error().code == ErrorCode::Unsupported));
}

TEST_CASE("the primitive's number is handed on to a fragment part that reads it") {
  auto maker = makeMaker();
  ShaderSet set = scattered();
  set.shaders[size_t(ShaderStage::Fragment)] =
      compileGlsl(ShaderStage::Fragment, "layout(location = 0) in vec4 a; layout(location = 2) in vec4 c;"
                                         "layout(location = 0) out vec4 target;"
                                         "void main() { target = vec4(a.y, c.x, c.y, gl_PrimitiveID); }");
  CHECK(mappingsFrom(*maker, set, pairState()->fields).readsPrimitiveId);
  CHECK(findImageDefects(*linkParts(*maker, set, pairState()->fields)->image).empty());
}

TEST_CASE("the primitive's number is handed on in a whole pipeline, where it shares a parameter with others") {
  auto maker = makeMaker();
  ShaderSet set = scattered();
  set.shaders[size_t(ShaderStage::Fragment)] =
      compileGlsl(ShaderStage::Fragment, "layout(location = 0) in vec4 a; layout(location = 2) flat in vec4 c;"
                                         "layout(location = 0) out vec4 target;"
                                         "void main() { target = vec4(a.y, c.x, c.y, gl_PrimitiveID); }");
  VariantRef whole = must(buildWholePipeline(*maker, set, pairState()->fields));
  const PreRasterInterface &vertex = whole->image->findStage(HardwareStage::Vs)->interface->preRaster;
  CHECK(vertex.parameters.size() == 2); // one is smooth, the other flat
  CHECK(vertex.usesPrimitiveId);
}

TEST_CASE("a shader that a client has for what it reads and writes is not compiled for that again") {
  auto first = makeMaker(), second = makeMaker();
  const ShaderSet set = scattered();
  const PipelineState state = pairState()->fields;
  const FsInputMappings mappings = mappingsFrom(*first, set, state);
  Hash128 asked;
  const std::vector<File> files =
      must(compileOtherPart(*first, set, state, mappings, [&](ShaderStage stage, const Hash128 &hash) {
        CHECK((stage == ShaderStage::Vertex));
        asked = hash;
        return File();
      }));
  CHECK(asked != Hash128());
  auto find = [&](ShaderStage, const Hash128 &hash) { return hash == asked ? files[0] : File(); };
  CHECK(must(compileOtherPart(*second, set, state, mappings, find)) == files);
  CHECK(second->compileCounts().emitted == 0);

  FsInputMappings others = mappings;
  others.packed.clear();
  CHECK(must(compileOtherPart(*second, set, state, others, find)) != files);
  CHECK(second->compileCounts().emitted == 1);
}

TEST_CASE("with every file at hand, no code is generated") {
  auto first = makeMaker(), second = makeMaker();
  const ShaderSet set = scattered();
  const PipelineState state = pairState()->fields;
  std::map<std::pair<uint64_t, uint64_t>, File> files;
  unsigned asked = 0;
  const CheckShaderCache find = [&](ShaderStage, const Hash128 &hash) {
    ++asked;
    const auto found = files.find({hash.high, hash.low});
    return found == files.end() ? File() : found->second;
  };
  auto compileBoth = [&](PartMaker &maker) {
    std::vector<File> made = {must(compileFragmentPart(maker, set, state, find))};
    const FsInputMappings mappings = mappingsFrom(*first, set, state);
    for (File &file : must(compileOtherPart(maker, set, state, mappings, find)))
      made.push_back(std::move(file));
    return made;
  };
  const std::vector<File> made = compileBoth(*first);
  CHECK(asked == 2); // once for each shader
  for (const File &file : made) {
    const Hash128 hash = must(partOf(must(readElf(file)))).key.hash;
    files[{hash.high, hash.low}] = file;
  }
  CHECK(compileBoth(*second) == made);
  CHECK(second->compileCounts().emitted == 0);
}

TEST_CASE("another file than the one that was asked for is refused") {
  auto maker = makeMaker();
  const ShaderSet set = scattered();
  const PipelineState state = pairState()->fields;
  const File fragment = must(compileFragmentPart(*maker, set, state));
  auto find = [&](ShaderStage, const Hash128 &) { return fragment; };
  auto files = compileOtherPart(*maker, set, state, mappingsFrom(*maker, set, state), find);
  REQUIRE(!files);
  CHECK(files.error().text == "the file that was found for test shader is of another shader");
}

TEST_CASE("bytes that are no mappings are refused") {
  auto maker = makeMaker();
  std::vector<uint8_t> bytes = encodeMappings(mappingsFrom(*maker, scattered(), pairState()->fields));
  CHECK(decodeMappings(bytes).has_value());
  bytes.back() = 7; // a component
  CHECK(!decodeMappings(bytes));
  bytes.pop_back();
  CHECK(!decodeMappings(bytes));
  CHECK(!decodeMappings({}));
}

TEST_CASE("a whole pipeline drops what a part pipeline drops, and needs no more than it") {
  auto maker = makeMaker();
  VariantRef whole = must(buildWholePipeline(*maker, scattered(), pairState()->fields));
  CHECK(whole->image->findStage(HardwareStage::Vs)->interface->preRaster.parameters.size() == 1);
  CHECK(describeLoss(*linkParts(*maker, scattered(), pairState()->fields)->image, *whole->image) == "");
}

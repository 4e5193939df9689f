// SPDX-License-Identifier: MIT
#include "merge/check_image.h"
#include "tests/link/part_makers.h"
#include "tests/variants/background_device.h"
#include "variants/link/elf_linker.h"
#include "variants/link/part_pipeline.h"
#include "variants/link/whole_pipeline.h"
#include "variants/optimize/program_cost.h"
#include <algorithm>

using namespace dovetail;

namespace {

using lgc::ShaderStage;
using File = std::vector<uint8_t>;

// The vertex shader writes three locations; of two, the fragment shader reads a component each.
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

VariantRef linkParts(PartMaker &maker, const ShaderSet &set, const PipelineState &state) {
  ElfLinker linker(maker, state, set.layout);
  REQUIRE(linker.addInputElf(must(compileFragmentPart(maker, set, state))).has_value());
  const FsInputMappings mappings = must(decodeMappings(must(linker.getFsInputMappings())));
  for (const File &file : must(compileOtherPart(maker, set, state, mappings)))
    REQUIRE(linker.addInputElf(file).has_value());
  return must(linker.linkVariant());
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
  CHECK(second->compileCounts().emitted == 1); // to see what it could write

  FsInputMappings others = mappings;
  others.packed.clear();
  CHECK(must(compileOtherPart(*second, set, state, others, find)) != files);
  CHECK(second->compileCounts().emitted == 2);
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

// SPDX-License-Identifier: MIT
//
// Objects as JSON: an object that is written is read back, and an Error names whatever is not understood.
#include "tests/tools/temporary_folder.h"
#include "tools/common/fossilize/read_object.h"
#include "tools/common/fossilize/write_object.h"
#include <doctest/doctest.h>

using namespace dovetail;
using namespace dovetail::fossilize;

namespace {

// A database of one entry.
struct OneEntry : TemporaryFolder {
  OneEntry(Kind kind, uint64_t hash, const std::string &payload) {
    auto writer = DatabaseWriter::open(*this / "a.foz", DatabaseWriter::Mode::Replace).value();
    REQUIRE(writer->write(kind, {hash}, std::vector<uint8_t>(payload.begin(), payload.end())));
    database = Database::open(*this / "a.foz").value();
  }
  std::shared_ptr<const Database> database;
  Ignored ignored;
};

// The object after it was written and read; its payload must be the same again.
template <typename Object> Object passed(const Object &object) {
  const WrittenObject written = writeObject(object);
  OneEntry entry(kindOf(&object), written.hash.value, {written.payload.begin(), written.payload.end()});
  Result<Object> read = readObject<Object>(*entry.database, written.hash, entry.ignored);
  if (!read)
    FAIL(read.error().text);
  CHECK(entry.ignored.empty());
  CHECK(writeObject(*read).payload == written.payload);
  return std::move(*read);
}

template <typename Object> std::string errorOf(const std::string &payload) {
  OneEntry entry(kindOf(static_cast<const Object *>(nullptr)), 1, payload);
  Result<Object> read = readObject<Object>(*entry.database, {1}, entry.ignored);
  return read ? "no error" : read.error().text;
}

} // namespace

TEST_CASE("a graphics pipeline comes back with everything that it has") {
  GraphicsPipeline pipeline;
  pipeline.layout = {0xabcdef};
  pipeline.renderPass = {5};
  pipeline.subpass = 2;
  pipeline.tessellationState.emplace().patchControlPoints = 4;
  pipeline.tessellationState->domainOrigin.emplace().domainOrigin = VK_TESSELLATION_DOMAIN_ORIGIN_LOWER_LEFT;
  pipeline.dynamicState.emplace().dynamicState = {VK_DYNAMIC_STATE_VIEWPORT, VK_DYNAMIC_STATE_VERTEX_INPUT_EXT};
  pipeline.multisampleState.emplace().sampleMask = {0xffffffff};
  SampleLocations &locations = pipeline.multisampleState->sampleLocations.emplace();
  locations.sampleLocationsEnable = true;
  locations.sampleLocationsInfo.emplace().sampleLocations.push_back({0.25f, 0.75f});
  pipeline.vertexInputState.emplace().attributes.push_back({1, 2, 12, VK_FORMAT_R32G32_SFLOAT});
  pipeline.vertexInputState->bindings.push_back({2, 20, VK_VERTEX_INPUT_RATE_INSTANCE});
  pipeline.vertexInputState->divisors.emplace().vertexBindingDivisors.push_back({2, 3});
  pipeline.rasterizationState.emplace().provokingVertex.emplace().provokingVertexMode =
      VK_PROVOKING_VERTEX_MODE_LAST_VERTEX_EXT;
  pipeline.inputAssemblyState.emplace().topology = VK_PRIMITIVE_TOPOLOGY_PATCH_LIST;
  pipeline.colorBlendState.emplace().attachments.emplace_back().colorWriteMask = 7;
  pipeline.viewportState.emplace().viewports.emplace().push_back({0, 1.5f, 64, -32, 0, 1});
  pipeline.viewportState->scissors.emplace().push_back({-1, 2, 3, 4});
  pipeline.depthStencilState.emplace().front.reference = 9;
  ShaderStage &stage = pipeline.stages.emplace().emplace_back();
  stage = {0, "other", {0x77}, VK_SHADER_STAGE_FRAGMENT_BIT, SpecializationInfo(), {}};
  stage.specializationInfo->data = {1, 2, 3, 4};
  stage.specializationInfo->mapEntries.push_back({0, 4, 9});
  pipeline.rendering.emplace().colorAttachmentFormats = {VK_FORMAT_R8_UNORM, VK_FORMAT_UNDEFINED};
  pipeline.libraryPieces.emplace().flags = 3;
  pipeline.libraries.emplace().libraries = {{1}, {2}};
  pipeline.flags2.emplace().flags = uint64_t(1) << 40;

  const GraphicsPipeline read = passed(pipeline);
  CHECK(read.stages->front().specializationInfo->data == Data{1, 2, 3, 4});
  CHECK(read.libraries->libraries.size() == 2);
  CHECK(read.flags2->flags == uint64_t(1) << 40);
  CHECK(read.viewportState->viewports->front().height == -32);
}

TEST_CASE("other objects come back") {
  Sampler sampler;
  sampler.maxLod = VK_LOD_CLAMP_NONE;
  sampler.reductionMode.emplace().reductionMode = VK_SAMPLER_REDUCTION_MODE_MAX;
  CHECK(passed(sampler).maxLod == VK_LOD_CLAMP_NONE);
  SamplerYcbcrConversion &conversion = sampler.ycbcrConversion.emplace();
  conversion.format = VK_FORMAT_G8_B8R8_2PLANE_420_UNORM;
  conversion.components = {0, 5, 0, 2};
  CHECK(passed(sampler).ycbcrConversion->components == conversion.components);
  DescriptorSetLayout layout;
  layout.bindings.push_back({VK_DESCRIPTOR_TYPE_SAMPLER, 2, 1, 0, {{ObjectHash{1}, ObjectHash{2}}}});
  layout.bindingFlags.emplace().bindingFlags = {4};
  CHECK(passed(layout).bindings[0].immutableSamplers->size() == 2);
  PipelineLayout pipelineLayout;
  pipelineLayout.setLayouts = {{}, {3}};
  pipelineLayout.pushConstantRanges.push_back({1, 64, 16});
  CHECK(passed(pipelineLayout).setLayouts[1].value == 3);
  ComputePipeline compute;
  compute.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
  CHECK(passed(compute).stage.stage == VK_SHADER_STAGE_COMPUTE_BIT);
  const ShaderModule module = {0, {0x07230203, 0x00010300, 0, 0xffffffff, 0}};
  CHECK(passed(module).words == module.words);
}

TEST_CASE("a render pass comes back in the version that it has") {
  RenderPass pass;
  pass.attachments.emplace_back().format = VK_FORMAT_R8_UNORM;
  pass.subpasses.emplace_back().colorAttachments.push_back({0, VK_IMAGE_LAYOUT_GENERAL, std::nullopt});
  CHECK_FALSE(passed(pass).isVersion2);
  pass.isVersion2 = true;
  pass.subpasses[0].viewMask = 0;
  pass.subpasses[0].colorAttachments[0].aspectMask = 1;
  CHECK(passed(pass).isVersion2);
}

TEST_CASE("equal objects have equal hashes, and others have others") {
  Sampler one, other;
  CHECK(writeObject(one).hash == writeObject(other).hash);
  other.minLod = 1;
  CHECK(writeObject(one).hash != writeObject(other).hash);
}

TEST_CASE("numbers that JSON does not have become finite") {
  Sampler sampler;
  sampler.maxLod = std::numeric_limits<float>::infinity();
  sampler.minLod = std::numeric_limits<float>::quiet_NaN();
  const Sampler read = passed(sampler);
  CHECK(read.maxLod == std::numeric_limits<float>::max());
  CHECK(read.minLod == 0);
}

TEST_CASE("members and pNext structs that are not known are named and ignored") {
  OneEntry entry(Kind::ComputePipeline, 1, R"({"version":6,"computePipelines":{"0000000000000001":{
    "flags":0,"layout":"0","later":1,"stage":{"name":"main","pNext":[{"sType":1000068000},{"sType":1234567890}]}}}})");
  REQUIRE(readObject<ComputePipeline>(*entry.database, {1}, entry.ignored));
  CHECK(entry.ignored == Ignored{"VkPipelineRobustnessCreateInfo", "a struct of VkStructureType 1234567890", "later"});
}

TEST_CASE("a shader module in base64, as old databases have it, is read") {
  OneEntry entry(
      Kind::ShaderModule, 1,
      R"({"version":5,"shaderModules":{"0000000000000001":{"flags":0,"codeSize":8,"code":"AwIjBwAAAQA="}}})");
  Result<ShaderModule> module = readObject<ShaderModule>(*entry.database, {1}, entry.ignored);
  REQUIRE(module);
  CHECK(module->words == std::vector<uint32_t>{0x07230203, 0x00010000});
}

TEST_CASE("what is wrong in an object is said with the offset and the place") {
  auto pipeline = [](const std::string &members) {
    return errorOf<GraphicsPipeline>(R"({"version":6,"graphicsPipelines":{"0000000000000001":{)" + members + "}}}");
  };
  CHECK(pipeline(R"("stages":[{"stage":-1}])")
            .find("offset 16: graphics pipeline 0000000000000001: /stages/0/stage: expected") != std::string::npos);
  CHECK(pipeline(R"("layout":"xyz")").find("/layout: expected up to 16 hexadecimal digits") != std::string::npos);
  CHECK(pipeline(R"("stages":7)").find("/stages: expected a list") != std::string::npos);
  CHECK(pipeline(R"("flags":4294967296)").find("/flags: expected") != std::string::npos);
  CHECK(errorOf<Sampler>("{").find("offset 16: sampler 0000000000000001: is not JSON") != std::string::npos);
  CHECK(errorOf<Sampler>(R"({"version":4,"samplers":{}})").find("/version: expected 5 to 6") != std::string::npos);
  CHECK(errorOf<Sampler>(R"({"version":6,"samplers":{}})").find("no such object") != std::string::npos);
  CHECK(errorOf<Sampler>(std::string(1000, '[')).find("nested too deeply") != std::string::npos);
}

TEST_CASE("code that is not as long as its module says is refused") {
  auto module = [](const std::string &members, const std::string &code) {
    return errorOf<ShaderModule>(R"({"version":6,"shaderModules":{"0000000000000001":{)" + members + "}}}" +
                                 std::string(1, '\0') + code);
  };
  CHECK(module(R"("varintOffset":0,"varintSize":2,"codeSize":8)", "\1\2") == "no error");
  CHECK(module(R"("varintOffset":0,"varintSize":3,"codeSize":8)", "\1\2").find("more bytes than the entry has") !=
        std::string::npos);
  CHECK(module(R"("varintOffset":0,"varintSize":2,"codeSize":12)", "\1\2").find("not so many words") !=
        std::string::npos);
  CHECK(module(R"("varintOffset":0,"varintSize":2,"codeSize":7)", "\1\2").find("4 bytes for each word") !=
        std::string::npos);
}

TEST_CASE("a pipeline is put together from its libraries") {
  TemporaryFolder folder;
  auto writer = DatabaseWriter::open(folder / "a.foz", DatabaseWriter::Mode::Replace).value();
  GraphicsPipeline vertexInput, output, linked;
  vertexInput.libraryPieces.emplace().flags = VK_GRAPHICS_PIPELINE_LIBRARY_VERTEX_INPUT_INTERFACE_BIT_EXT;
  vertexInput.flags = VK_PIPELINE_CREATE_LIBRARY_BIT_KHR;
  vertexInput.inputAssemblyState.emplace().topology = VK_PRIMITIVE_TOPOLOGY_LINE_LIST;
  vertexInput.rendering.emplace().viewMask = 0;
  output.libraryPieces.emplace().flags = VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_OUTPUT_INTERFACE_BIT_EXT;
  output.flags = VK_PIPELINE_CREATE_LIBRARY_BIT_KHR;
  output.rendering.emplace().colorAttachmentFormats = {VK_FORMAT_R8_UNORM};
  output.dynamicState.emplace().dynamicState = {1};
  linked.libraries.emplace().libraries = {addObject(*writer, vertexInput).value(), addObject(*writer, output).value()};
  const ObjectHash hash = addObject(*writer, linked).value();
  auto database = Database::open(folder / "a.foz").value();
  Ignored ignored;
  Result<GraphicsPipeline> whole = readLinkedPipeline(*database, hash, ignored);
  REQUIRE(whole);
  CHECK_FALSE(isLibrary(*whole));
  CHECK(whole->inputAssemblyState->topology == VK_PRIMITIVE_TOPOLOGY_LINE_LIST);
  CHECK(whole->rendering->colorAttachmentFormats.size() == 1);
  CHECK(whole->dynamicState->dynamicState.size() == 1);
}

TEST_CASE("a library that links itself is refused") {
  OneEntry entry(Kind::GraphicsPipeline, 1, R"({"version":6,"graphicsPipelines":{"0000000000000001":{
    "pNext":[{"sType":1000290000,"libraries":["0000000000000001"]}]}}})");
  Result<GraphicsPipeline> read = readLinkedPipeline(*entry.database, {1}, entry.ignored);
  REQUIRE_FALSE(read);
  CHECK(read.error().text.find("more libraries than a pipeline has pieces") != std::string::npos);
}

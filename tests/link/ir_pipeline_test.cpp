// SPDX-License-Identifier: MIT
#include "merge/check/check_image.h"
#include "parts/cache/part_maker.h"
#include "parts/kinds/main_part.h"
#include "src/lgc/builder_context.h"
#include "src/lgc/ir_file.h"
#include "src/lgc/ops/op_types.h"
#include "src/lgc/pipeline_module.h"
#include "src/spirv/translate/translate.h"
#include "tests/link/part_makers.h"
#include "tests/variants/background/background_device.h"
#include "variants/assemble/get_parts.h"
#include "variants/link/ir_pipeline.h"
#include "variants/link/ir_shader.h"
#include "variants/link/whole_pipeline.h"
#include <algorithm>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>

using namespace dovetail;

namespace {

using lgc::ShaderStage;

ShaderSet setOf(const std::vector<ShaderRef> &shaders) {
  return must(makeShaderSet(shaders));
}

IrPipeline throughIr(const ShaderSet &set, const PipelineState &state, lgc::IrFormat format = lgc::IrFormat::Bitcode) {
  return must(readIrPipeline("pipeline", must(writeIrPipeline(set, state, "gfx900", format)), "gfx900"));
}

// A shader's IR by itself, in an LLVMContext of its own.
struct Recorded {
  llvm::LLVMContext llvmContext;
  std::unique_ptr<lgc::BuilderContext> context = must(lgc::BuilderContext::create(llvmContext, "gfx900"));
  std::unique_ptr<llvm::Module> module;
};

std::unique_ptr<Recorded> record(const ShaderRef &shader) {
  auto recorded = std::make_unique<Recorded>();
  spirv::TranslateOptions options;
  options.stage = shader->description.stage;
  recorded->module = must(spirv::translate(shader->description.words, options, *recorded->context));
  return recorded;
}

std::vector<uint32_t> locationsOf(const std::vector<spirv::InterfaceLocation> &list) {
  std::vector<uint32_t> locations;
  for (const spirv::InterfaceLocation &each : list)
    locations.push_back(each.location);
  return locations;
}

} // namespace

TEST_CASE("a pipeline comes back from IR with its shaders, its state and its layout") {
  const ShaderSet set = setOf(pairOfShaders());
  for (lgc::IrFormat format : {lgc::IrFormat::Text, lgc::IrFormat::Bitcode}) {
    const IrPipeline back = throughIr(set, pairState()->fields, format);
    CHECK(back.shaders.stageMask() == set.stageMask());
    CHECK((back.state == pairState()->fields));
    CHECK((back.shaders.userDataNodes() == set.userDataNodes()));
  }
}

TEST_CASE("a pipeline from IR has its immutable samplers") {
  auto maker = makeMaker();
  std::vector<ShaderRef> shaders = pairOfShaders();
  shaders[1] = compileGlsl(ShaderStage::Fragment,
                           "layout(set = 1, binding = 3) uniform sampler2D both;"
                           "layout(set = 1, binding = 4) uniform texture2D image;"
                           "layout(set = 1, binding = 5) uniform sampler alone; layout(location = 0) out vec4 target;"
                           "void main() { target = textureLod(both, gl_FragCoord.xy, 0.0) +"
                           "  textureLod(sampler2D(image, alone), gl_FragCoord.xy, 0.0); }");
  UserDataNodes nodes = must(makeShaderSet(shaders)).userDataNodes();
  for (UserDataNode &node : nodes) {
    if (node.type == UserDataNodeType::CombinedImageSampler)
      node.type = UserDataNodeType::Image;
    if (node.type == UserDataNodeType::Sampler) {
      node.type = UserDataNodeType::ImmutableSampler;
      node.offsetInDwords = 4;
    }
  }
  nodes.push_back({UserDataNodeType::ImmutableSampler, 1, 3, 0, 4, 4});
  const ShaderSet set =
      must(makeShaderSet(shaders, nodes, {0x12345678, 0x9abcdef0, 0x11112222, 0x33334444, 5, 6, 7, 8}));
  const PipelineState state = pairState()->fields;
  const std::string module = must(writeIrPipeline(set, state, "gfx900", lgc::IrFormat::Text));
  const IrPipeline pipeline = must(readIrPipeline("test", module, "gfx900"));
  CHECK(pipeline.shaders.layout->immutableSamplers() == set.layout->immutableSamplers());
  CHECK(must(buildWholePipeline(*maker, pipeline.shaders, pipeline.state))->image->code ==
        must(buildWholePipeline(*maker, set, state))->image->code);
}

TEST_CASE("modules of other contexts are linked into one") {
  auto vertex = record(pairOfShaders()[0]), fragment = record(pairOfShaders()[1]);
  llvm::LLVMContext llvmContext;
  auto context = must(lgc::BuilderContext::create(llvmContext, "gfx900"));
  std::vector<std::unique_ptr<llvm::Module>> modules;
  modules.push_back(std::move(fragment->module));
  modules.push_back(std::move(vertex->module));
  std::unique_ptr<llvm::Module> pipeline = must(context->createPipeline()->irLink(std::move(modules)));
  CHECK(&pipeline->getContext() == &llvmContext);
  CHECK(pipeline->getFunction("shader.VS"));
  CHECK(pipeline->getFunction("shader.FS"));
  auto split = must(lgc::splitShaders(*pipeline));
  REQUIRE(split.size() == 2); // in the order of the stages
  CHECK((must(reflectIr(*split[0])).stage == ShaderStage::Vertex));
  CHECK((must(reflectIr(*split[1])).stage == ShaderStage::Fragment));
}

TEST_CASE("two shaders of a stage are no pipeline") {
  auto first = record(pairOfShaders()[0]), second = record(pairOfShaders()[0]);
  std::vector<std::unique_ptr<llvm::Module>> modules;
  modules.push_back(std::move(first->module));
  modules.push_back(std::move(second->module));
  auto linked = first->context->createPipeline()->irLink(std::move(modules));
  REQUIRE(!linked);
  CHECK(linked.error().text == "there are two shaders for shader.VS");
}

TEST_CASE("shaders that are not those of the stage mask are a mismatch") {
  auto vertex = record(pairOfShaders()[0]);
  std::vector<std::unique_ptr<llvm::Module>> modules;
  modules.push_back(std::move(vertex->module));
  auto unlinked = vertex->context->createPipeline();
  unlinked->setShaderStageMask(lgc::stageBit(ShaderStage::Vertex) | lgc::stageBit(ShaderStage::Fragment));
  unlinked->setGraphicsState({});
  auto linked = unlinked->irLink(std::move(modules));
  REQUIRE(!linked);
  CHECK((linked.error().code == ErrorCode::StateMismatch));
}

TEST_CASE("a shader is the same in pipelines that differ in everything else") {
  const std::vector<ShaderRef> pair = pairOfShaders();
  const IrPipeline both = throughIr(setOf(pair), pairState()->fields),
                   alone = throughIr(setOf({pair[0]}), pairState(VK_FORMAT_R32G32B32A32_SFLOAT)->fields);
  CHECK((both.shaders.shader(ShaderStage::Vertex)->hash == alone.shaders.shader(ShaderStage::Vertex)->hash));
}

TEST_CASE("the main part of a shader that came as IR has the code of the one that came as SPIR-V") {
  auto maker = makeMaker();
  const ShaderSet set = setOf(pairOfShaders());
  const IrPipeline back = throughIr(set, pairState()->fields);
  for (ShaderStage stage : {ShaderStage::Vertex, ShaderStage::Fragment}) {
    const MadePart direct = must(maker->getMainPart(sourceOf(set, stage, "gfx900"))),
                   fromIr = must(maker->getMainPart(sourceOf(back.shaders, stage, "gfx900")));
    CHECK(fromIr.part->key != direct.part->key);
    CHECK(fromIr.part->code == direct.part->code);
    ShaderInterface interface = *fromIr.part->interface;
    interface.functionHash = direct.part->interface->functionHash; // the hash is that of other words
    CHECK((interface == *direct.part->interface));
  }
}

TEST_CASE("a whole pipeline from IR has the code of the one from SPIR-V") {
  auto maker = makeMaker();
  const ShaderSet set = setOf(pairOfShaders());
  const IrPipeline back = throughIr(set, pairState()->fields);
  VariantRef direct = must(buildWholePipeline(*maker, set, pairState()->fields)),
             fromIr = must(buildWholePipeline(*maker, back.shaders, back.state));
  CHECK(findImageDefects(*fromIr->image).empty());
  CHECK(fromIr->image->code == direct->image->code);
  CHECK(fromIr->image->registers == direct->image->registers);
}

TEST_CASE("what recorded ops say of a vertex shader's interface") {
  const spirv::Reflection reflection = must(
      reflectIr(*record(compileGlsl(ShaderStage::Vertex,
                                    "layout(location = 3) in mat2x4 matrix; layout(location = 7) out vec4 color;"
                                    "layout(set = 1, binding = 2) uniform Block { vec4 offset; };"
                                    "out float gl_ClipDistance[3];"
                                    "void main() { gl_Position = matrix[0] + matrix[1] + offset; color = vec4(1.0);"
                                    "  gl_ClipDistance[2] = 0.5; }"))
                     ->module));
  CHECK((reflection.stage == ShaderStage::Vertex));
  CHECK(locationsOf(reflection.vertexInputs) == std::vector<uint32_t>{3, 4});
  CHECK(locationsOf(reflection.outputs) == std::vector<uint32_t>{7});
  REQUIRE(reflection.descriptors.size() == 1);
  CHECK(reflection.descriptors[0].set == 1);
  CHECK(reflection.descriptors[0].binding == 2);
  auto clip =
      std::ranges::find(reflection.builtIns, uint32_t(lgc::BuiltIn::ClipDistance), &spirv::BuiltInVariable::builtIn);
  REQUIRE(clip != reflection.builtIns.end());
  CHECK(clip->isOutput);
  CHECK(clip->elements == 3);
}

TEST_CASE("what recorded ops say of a fragment shader's interface") {
  const spirv::Reflection reflection = must(reflectIr(
      *record(compileGlsl(ShaderStage::Fragment,
                          "layout(location = 1) in vec4 color; layout(location = 2) out vec4 target;"
                          "layout(set = 0, binding = 4) uniform sampler2DMS image;"
                          "void main() { target = interpolateAtSample(color, 1) + texelFetch(image, ivec2(0), 1);"
                          "  target.x += float(gl_PrimitiveID); }"))
           ->module));
  CHECK(reflection.interpolatesAt);
  CHECK(locationsOf(reflection.fragmentOutputs) == std::vector<uint32_t>{2});
  REQUIRE(reflection.descriptors.size() == 1);
  CHECK(reflection.descriptors[0].image.isMultisampled);
  CHECK(std::ranges::find(reflection.builtIns, uint32_t(lgc::BuiltIn::PrimitiveId), &spirv::BuiltInVariable::builtIn) !=
        reflection.builtIns.end());
}

TEST_CASE("a module without modes is no pipeline") {
  Result<IrPipeline> pipeline = readIrPipeline("nothing", "define void @main() { ret void }\n", "gfx900");
  REQUIRE(!pipeline);
  CHECK(pipeline.error().text == "nothing: the pipeline module does not carry the modes of its shaders");
}

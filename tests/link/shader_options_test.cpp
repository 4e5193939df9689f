// SPDX-License-Identifier: MIT
//
// A driver's choices for each shader (lgc::ShaderOptions): the effect of each option on the code or on registers. All
// ways to compile a pipeline must keep them.
#include "merge/check/check_image.h"
#include "merge/elf/pal_elf.h"
#include "parts/cache/part_maker.h"
#include "src/abi/registers/registers.h"
#include "src/lgc/ir_file.h"
#include "tests/link/part_makers.h"
#include "tests/variants/background/background_device.h"
#include "variants/assemble/build_variant.h"
#include "variants/assemble/get_parts.h"
#include "variants/link/elf_linker.h"
#include "variants/link/ir_pipeline.h"
#include "variants/link/part_pipeline.h"
#include "variants/link/whole_pipeline.h"
#include "variants/state/canonicalize.h"
#include <algorithm>

using namespace dovetail;

namespace {

using lgc::ShaderStage;

ShaderSet setOf(const std::vector<ShaderRef> &shaders) {
  return must(makeShaderSet(shaders));
}

Result<ShaderRef> choose(const ShaderRef &shader, const lgc::ShaderOptions &options,
                         uint32_t deviceIndex = lgc::DeviceIndexOfDriver) {
  ShaderDescription description = shader->description;
  description.options = options;
  description.deviceIndex = deviceIndex;
  return createShader(std::move(description));
}

PartRef mainOf(const ShaderRef &shader) {
  auto maker = makeMaker();
  return must(maker->getMainPart(sourceOf(setOf({shader}), shader->description.stage, "gfx900"))).part;
}

PartRef mainWith(const ShaderRef &shader, const lgc::ShaderOptions &options) {
  return mainOf(must(choose(shader, options)));
}

bool takes(const Part &part, ValueKind kind) {
  return std::ranges::any_of(part.contract.inputs, [&](const Binding &input) { return input.value.kind == kind; });
}

// Many vectors whose values are alive at the same time.
ShaderRef manyVectors() {
  return compileGlsl(ShaderStage::Compute,
                     "layout(local_size_x = 64) in; layout(binding = 0) buffer Data { float data[]; };"
                     "void main() { float v[120]; uint id = gl_LocalInvocationIndex;"
                     "  for (int i = 0; i < 120; ++i) v[i] = data[i * 64 + id];"
                     "  barrier();"
                     "  for (int i = 0; i < 120; ++i) data[i * 64 + id] = v[i] * v[119 - i]; }");
}

ShaderRef manyScalars() {
  return compileGlsl(ShaderStage::Compute,
                     "layout(local_size_x = 64) in; layout(binding = 0) buffer Data { uint data[]; };"
                     "layout(binding = 1) uniform Numbers { uvec4 numbers[16]; };"
                     "void main() { uint id = gl_LocalInvocationIndex, sum = 0;"
                     "  for (int i = 0; i < 16; ++i) sum += numbers[i].x * data[id + i] ^ numbers[i].y;"
                     "  barrier();"
                     "  for (int i = 0; i < 16; ++i) sum += numbers[i].z * data[id + sum] ^ numbers[i].x;"
                     "  data[id] = sum; }");
}

ShaderRef loopOfSines() {
  return compileGlsl(ShaderStage::Compute,
                     "layout(local_size_x = 64) in; layout(binding = 0) buffer Data { float data[]; };"
                     "void main() { float sum = 0.0;"
                     "  for (int i = 0; i < 24; ++i) sum = sin(sum) * 0.3 + data[i * 3];"
                     "  data[gl_LocalInvocationIndex] = sum; }");
}

ShaderRef viewShader(ShaderStage stage = ShaderStage::Compute) {
  return compileGlsl(stage, "#extension GL_EXT_device_group : require\n#extension GL_EXT_multiview : require\n"
                            "layout(location = 0) out uint number;\nvoid main() { number = gl_ViewIndex; }");
}

std::vector<ShaderRef> chosenPair(const lgc::ShaderOptions &vertex, const lgc::ShaderOptions &fragment) {
  const std::vector<ShaderRef> pair = pairOfShaders();
  return {must(choose(pair[0], vertex)), must(choose(pair[1], fragment))};
}

VariantRef joinedOf(PartMaker &maker, const ShaderSet &set, const PipelineState &state) {
  const PipelineState canonical = canonicalize(state, set);
  return must(buildVariant(maker, makeVariantKey(set, canonical, {}), set, canonical, {}));
}

// The pipeline compiled in each way, as it is read back from its file.
std::vector<std::pair<std::string, std::shared_ptr<const Image>>> inAllWays(const char *gpu, const ShaderSet &set,
                                                                            const PipelineState &state) {
  auto maker = makeMaker(gpu), linking = makeMaker(gpu);
  std::vector<std::pair<std::string, std::vector<uint8_t>>> files;
  files.emplace_back("joined", must(writePalElf(*joinedOf(*maker, set, state)->image)));
  const IrPipeline ir =
      must(readIrPipeline("pipeline", must(writeIrPipeline(set, state, gpu, lgc::IrFormat::Text)), gpu));
  files.emplace_back("whole", must(compileWholePipeline(*maker, ir.shaders, ir.state)));
  files.emplace_back("joined IR", must(writePalElf(*joinedOf(*maker, ir.shaders, ir.state)->image)));
  ElfLinker unlinked(*linking, state, set.layout);
  for (const ShaderRef &shader : set.shaders)
    if (shader)
      REQUIRE(unlinked.addInputElf(must(compileUnlinkedShader(*maker, shader, {.layout = set.layout}))).has_value());
  files.emplace_back("unlinked", must(unlinked.link()));
  if (set.shader(ShaderStage::Fragment)) {
    ElfLinker parts(*linking, state, set.layout);
    REQUIRE(parts.addInputElf(must(compileFragmentPart(*maker, set, state))).has_value());
    const FsInputMappings mappings = must(decodeMappings(must(parts.getFsInputMappings())));
    for (const std::vector<uint8_t> &file : must(compileOtherPart(*maker, set, state, mappings)))
      REQUIRE(parts.addInputElf(file).has_value());
    files.emplace_back("part", must(parts.link()));
  }
  std::vector<std::pair<std::string, std::shared_ptr<const Image>>> images;
  for (const auto &[name, file] : files)
    images.emplace_back(name, must(readPalElf(file)));
  return images;
}

uint32_t valueAt(const Image &image, uint32_t address) {
  const RegisterValue *value = image.findRegister(address);
  REQUIRE(value);
  return value->value;
}

} // namespace

TEST_CASE("limits of registers and waves are kept") {
  const ShaderRef vectors = manyVectors(), scalars = manyScalars();
  const unsigned vgprs = mainOf(vectors)->usage.vgprs, sgprs = mainOf(scalars)->usage.sgprs;
  CHECK(vgprs > 32);
  CHECK(mainWith(vectors, {.vgprLimit = 24})->usage.vgprs <= 24);
  CHECK(mainWith(vectors, {.waveLimit = 10})->usage.vgprs <= 24); // of 256
  CHECK(sgprs > 40);
  CHECK(mainWith(scalars, {.sgprLimit = 40})->usage.sgprs <= 40);
}

TEST_CASE("what one half of a merged program may have, the other has no more of where both are one function") {
  std::vector<ShaderRef> shaders = pairOfShaders();
  shaders[0] = compileGlsl(ShaderStage::Vertex,
                           "layout(binding = 0) buffer Data { float data[]; }; layout(location = 0) out vec4 seen;"
                           "void main() { float v[120]; seen = vec4(0.0);"
                           "  for (int i = 0; i < 120; ++i) v[i] = data[i * 64 + gl_VertexIndex];"
                           "  for (int i = 0; i < 120; ++i) seen.x += v[i] * v[119 - i] * seen.x;"
                           "  gl_Position = seen; }");
  shaders.push_back(compileGlsl(ShaderStage::Geometry,
                                "layout(triangles) in; layout(triangle_strip, max_vertices = 3) out;"
                                "layout(location = 0) in vec4 from[]; layout(location = 0) out vec4 seen;"
                                "void main() { for (int i = 0; i < 3; ++i) { gl_Position = gl_in[i].gl_Position;"
                                "  seen = from[i]; EmitVertex(); } }"));
  auto vgprs = [&](const lgc::ShaderOptions &options) {
    auto maker = makeMaker();
    const ShaderSet set = setOf({must(choose(shaders[0], options)), shaders[1], shaders[2]});
    const PipelineState state = canonicalize({}, set);
    const VariantRef variant = must(buildVariant(*maker, makeVariantKey(set, state, {true}), set, state, {true}));
    return variant->image->findStage(HardwareStage::Gs)->usage.vgprs;
  };
  CHECK(vgprs({}) > 32);
  CHECK(vgprs({.vgprLimit = 24}) <= 24);
  CHECK(vgprs({.waveLimit = 10}) <= 24);
  // Also where a main part must leave room for glue. Glue takes fewer registers.
  std::string loads, sums;
  for (unsigned i = 0; i < 300; ++i) {
    loads += fmt::format("float v{} = data[{} + gl_VertexIndex]; data[gl_VertexIndex] = v{};", i, i * 64, i);
    sums = fmt::format("seen.x = seen.x * 3.0 + v{};", i) + sums;
  }
  shaders[0] = compileGlsl(ShaderStage::Vertex,
                           "layout(binding = 0) buffer Data { float data[]; }; layout(location = 0) out vec4 seen;"
                           "void main() { seen = vec4(0.0);" +
                               loads + sums + "gl_Position = seen; }");
  CHECK(vgprs({}) > 253);
  CHECK(vgprs({.vgprLimit = 253}) <= 253);
}

TEST_CASE("few workgroups on a compute unit have many registers") {
  // A workgroup is one wave, so there is one wave on each of four SIMDs, with 256 registers each. With two waves on a
  // SIMD, each would have more than 84 registers.
  CHECK(mainOf(loopOfSines())->usage.vgprs < 64);
  CHECK(mainWith(loopOfSines(), {.maxThreadGroupsPerComputeUnit = 4})->usage.vgprs > 128);
  CHECK(mainWith(loopOfSines(), {.maxThreadGroupsPerComputeUnit = 8})->usage.vgprs > 84);
  // A graphics shader has no workgroups.
  const ShaderRef fragment = pairOfShaders()[1];
  CHECK(mainWith(fragment, {.maxThreadGroupsPerComputeUnit = 1})->code == mainOf(fragment)->code);
}

TEST_CASE("loops are unrolled as far as options say") {
  const unsigned unrolled = mainOf(loopOfSines())->instructionCount;
  const unsigned kept = mainWith(loopOfSines(), {.disableLoopUnroll = true})->instructionCount;
  CHECK(kept * 4 < unrolled);
  CHECK(mainWith(loopOfSines(), {.unrollThreshold = 20})->instructionCount == kept);
  CHECK(mainWith(loopOfSines(), {.unrollThreshold = lgc::DefaultUnrollThreshold})->instructionCount == unrolled);
}

TEST_CASE("denormals of 32 bits are kept or flushed as options say") {
  constexpr uint8_t denormals32 = 0x30;
  const ShaderRef shader = loopOfSines();
  CHECK((mainOf(shader)->usage.floatMode & denormals32) == 0);
  const PartRef keeping = mainWith(shader, {.fp32DenormMode = lgc::FpDenormMode::FlushNone});
  CHECK((keeping->usage.floatMode & denormals32) == denormals32);
  CHECK(keeping->code != mainOf(shader)->code); // instructions that multiply and add at once flush denormals
  CHECK(mainWith(shader, {.fp32DenormMode = lgc::FpDenormMode::FlushInOut})->code == mainOf(shader)->code);
}

TEST_CASE("gl_SubgroupSize is the wave's, and a shader that asks for it compiles for no other") {
  const ShaderRef asks = compileGlsl(ShaderStage::Compute,
                                     "#extension GL_KHR_shader_subgroup_basic : require\nlayout(local_size_x = 64) in;"
                                     "layout(binding = 0) buffer Data { uint data[]; };"
                                     "void main() { data[gl_LocalInvocationIndex] = gl_SubgroupSize; }");
  const PartRef plain = mainOf(asks);
  CHECK(mainWith(asks, {.subgroupSize = 64})->code == plain->code);
  for (unsigned size : {1u, 32u, 128u}) {
    Result<ShaderRef> refused = choose(asks, {.subgroupSize = size});
    REQUIRE(!refused);
    CHECK((refused.error().code == ErrorCode::Unsupported));
    CHECK(refused.error().text.find(std::to_string(size)) != std::string::npos);
  }

  // Changes the size in IR, where nobody has checked the description.
  auto maker = makeMaker();
  auto compile = [&](const ShaderRef &shader) {
    std::string ir =
        must(writeIrPipeline(setOf({must(choose(shader, {.subgroupSize = 64}))}), {}, "gfx900", lgc::IrFormat::Text));
    const std::string size = "!\"subgroupSize\", i32 64";
    const size_t at = ir.find(size);
    REQUIRE(at != std::string::npos);
    ir.replace(at, size.size(), "!\"subgroupSize\", i32 32");
    const IrPipeline pipeline = must(readIrPipeline("pipeline", ir, "gfx900"));
    return maker->getMainPart(sourceOf(pipeline.shaders, ShaderStage::Compute, "gfx900"));
  };
  Result<MadePart> refused = compile(asks);
  REQUIRE(!refused);
  CHECK((refused.error().code == ErrorCode::Unsupported));
  CHECK(refused.error().text.find("gl_SubgroupSize, which cannot be 32") != std::string::npos);
  CHECK(compile(loopOfSines()).has_value()); // this shader does not ask for the size
}

TEST_CASE("full subgroups need rows of whole waves") {
  ShaderDescription description = loopOfSines()->description;
  description.needsFullSubgroups = true;
  CHECK(createShader(description).has_value());
  description =
      compileGlsl(ShaderStage::Compute, "layout(local_size_x = 32, local_size_y = 2) in; void main() {}")->description;
  CHECK(createShader(description).has_value());
  description.needsFullSubgroups = true;
  Result<ShaderRef> refused = createShader(description);
  REQUIRE(!refused);
  CHECK((refused.error().code == ErrorCode::StateMismatch));
}

TEST_CASE("the number of the GPU is the driver's or the state's, and that of the view may be the same") {
  const ShaderRef view = viewShader(ShaderStage::Fragment);
  const PartRef plain = mainOf(view);
  CHECK(takes(*plain, ValueKind::ViewIndex));
  const PartRef ofDevice = mainWith(view, {.viewIndexFromDeviceIndex = true});
  CHECK(takes(*ofDevice, ValueKind::DeviceIndex));
  CHECK_FALSE(takes(*ofDevice, ValueKind::ViewIndex));
  const PartRef second = mainOf(must(choose(view, {.viewIndexFromDeviceIndex = true}, 1))),
                third = mainOf(must(choose(view, {.viewIndexFromDeviceIndex = true}, 2)));
  CHECK_FALSE(takes(*second, ValueKind::DeviceIndex));
  CHECK(second->code != third->code);
  CHECK(second->key != third->key);
}

TEST_CASE("all ways to compile a pipeline keep the options of each of its shaders") {
  const ShaderSet set = setOf(chosenPair({.trapPresent = true, .fp32DenormMode = lgc::FpDenormMode::FlushNone},
                                         {.trapPresent = true, .debugMode = true, .allowReZ = true}));
  const ShaderSet plain = setOf(pairOfShaders());
  const PipelineState state = pairState()->fields;
  for (const char *gpu : {"gfx900", "gfx803"}) {
    CAPTURE(std::string(gpu));
    for (const auto &[way, image] : inAllWays(gpu, set, state)) {
      CAPTURE(way);
      using namespace field;
      CHECK(SPI_SHADER_PGM_RSRC2_VS::TRAP_PRESENT.get(valueAt(*image, reg::SPI_SHADER_PGM_RSRC2_VS)) == 1);
      CHECK(PGM_RSRC1::DEBUG_MODE.get(valueAt(*image, reg::SPI_SHADER_PGM_RSRC1_VS)) == 0);
      CHECK((PGM_RSRC1::FLOAT_MODE.get(valueAt(*image, reg::SPI_SHADER_PGM_RSRC1_VS)) & 0x30) == 0x30);
      CHECK(SPI_SHADER_PGM_RSRC2_PS::TRAP_PRESENT.get(valueAt(*image, reg::SPI_SHADER_PGM_RSRC2_PS)) == 1);
      CHECK(PGM_RSRC1::DEBUG_MODE.get(valueAt(*image, reg::SPI_SHADER_PGM_RSRC1_PS)) == 1);
      CHECK((PGM_RSRC1::FLOAT_MODE.get(valueAt(*image, reg::SPI_SHADER_PGM_RSRC1_PS)) & 0x30) == 0);
      CHECK(DB_SHADER_CONTROL::Z_ORDER.get(valueAt(*image, reg::DB_SHADER_CONTROL)) == 3);
    }
    for (const auto &[way, image] : inAllWays(gpu, plain, state)) {
      CAPTURE(way);
      using namespace field;
      CHECK(SPI_SHADER_PGM_RSRC2_VS::TRAP_PRESENT.get(valueAt(*image, reg::SPI_SHADER_PGM_RSRC2_VS)) == 0);
      CHECK(PGM_RSRC1::DEBUG_MODE.get(valueAt(*image, reg::SPI_SHADER_PGM_RSRC1_PS)) == 0);
      CHECK(DB_SHADER_CONTROL::Z_ORDER.get(valueAt(*image, reg::DB_SHADER_CONTROL)) == 1);
    }
  }
}

TEST_CASE("late depth is late, unless the shader declares early tests") {
  const ShaderRef early =
      compileGlsl(ShaderStage::Fragment, "layout(early_fragment_tests) in; layout(location = 0) out vec4 color;"
                                         "void main() { color = vec4(1.0); }");
  const std::vector<ShaderRef> pair = pairOfShaders();
  for (const ShaderRef &fragment : {pair[1], early}) {
    auto maker = makeMaker();
    const VariantRef variant =
        joinedOf(*maker, setOf({pair[0], must(choose(fragment, {.forceLateZ = true}))}), pairState()->fields);
    const uint32_t order = field::DB_SHADER_CONTROL::Z_ORDER.get(valueAt(*variant->image, reg::DB_SHADER_CONTROL));
    CHECK(order == (fragment == early ? 1 : 0));
    CHECK(checkImage(*variant->image).has_value());
  }
}

TEST_CASE("what a geometry shader asks of a trap handler, its copy shader and its merged half do") {
  std::vector<ShaderRef> shaders = pairOfShaders();
  shaders.push_back(must(
      choose(compileGlsl(ShaderStage::Geometry, "layout(triangles) in; layout(triangle_strip, max_vertices = 3) out;"
                                                "void main() { for (int i = 0; i < 3; ++i) {"
                                                "  gl_Position = gl_in[i].gl_Position; EmitVertex(); } }"),
             {.trapPresent = true})));
  for (const char *gpu : {"gfx900", "gfx803"}) {
    CAPTURE(std::string(gpu));
    auto maker = makeMaker(gpu);
    const VariantRef variant = joinedOf(*maker, setOf(shaders), pairState()->fields);
    const Image &image = *variant->image;
    using namespace field;
    CHECK(SPI_SHADER_PGM_RSRC2_GS::TRAP_PRESENT.get(valueAt(image, reg::SPI_SHADER_PGM_RSRC2_GS)) == 1);
    CHECK(SPI_SHADER_PGM_RSRC2_VS::TRAP_PRESENT.get(valueAt(image, reg::SPI_SHADER_PGM_RSRC2_VS)) == 1);
    CHECK(SPI_SHADER_PGM_RSRC2_PS::TRAP_PRESENT.get(valueAt(image, reg::SPI_SHADER_PGM_RSRC2_PS)) == 0);
    if (maker->target().gfxIp.major == 8)
      CHECK(SPI_SHADER_PGM_RSRC2_ES::TRAP_PRESENT.get(valueAt(image, reg::SPI_SHADER_PGM_RSRC2_ES)) == 0);
  }
}

TEST_CASE("a compute shader keeps its options in all ways, and the number of its GPU in IR") {
  const ShaderRef shader =
      compileGlsl(ShaderStage::Compute, "#extension GL_EXT_device_group : require\nlayout(local_size_x = 64) in;"
                                        "layout(binding = 0) buffer Data { uint data[]; };"
                                        "void main() { data[gl_LocalInvocationIndex] = uint(gl_DeviceIndex); }");
  const ShaderSet set = setOf({must(choose(shader, {.trapPresent = true, .debugMode = true}, 3))});
  for (const auto &[way, image] : inAllWays("gfx900", set, {})) {
    CAPTURE(way);
    using namespace field;
    CHECK(COMPUTE_PGM_RSRC2::TRAP_PRESENT.get(valueAt(*image, reg::COMPUTE_PGM_RSRC2)) == 1);
    CHECK(PGM_RSRC1::DEBUG_MODE.get(valueAt(*image, reg::COMPUTE_PGM_RSRC1)) == 1);
    const auto &map = image->stages.front().userDataMap;
    CHECK(std::ranges::find(map, uint32_t(0x40000001)) == map.end()); // DOVETAIL_USER_DATA_DEVICE_INDEX
  }
  const IrPipeline ir =
      must(readIrPipeline("pipeline", must(writeIrPipeline(set, {}, "gfx900", lgc::IrFormat::Bitcode)), "gfx900"));
  const ShaderDescription &back = ir.shaders.shader(ShaderStage::Compute)->description;
  CHECK((back.options == set.shader(ShaderStage::Compute)->description.options));
  CHECK(back.deviceIndex == 3);
  CHECK(mainOf(ir.shaders.shader(ShaderStage::Compute))->code == mainOf(set.shader(ShaderStage::Compute))->code);
}

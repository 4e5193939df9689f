// SPDX-License-Identifier: MIT
//
// Main parts and monolithic parts, from SPIR-V on.
#include "parts/cache/part_maker.h"
#include "parts/kinds/main_part.h"
#include "parts/kinds/monolithic.h"
#include "tests/parts/part_text.h"
#include "tests/parts/spirv_modules.h"
#include "tests/parts/test_interfaces.h"
#include "variants/state/canonicalize.h"
#include <algorithm>
#include <thread>

using namespace dovetail;

namespace {

const std::vector<uint32_t> VertexWords = modules::assemble(modules::Vertex);
const std::vector<uint32_t> FragmentWords = modules::assemble(modules::Fragment);
const std::vector<uint32_t> ComputeWords = modules::assemble(modules::Compute);

ShaderSource vertexSource(std::string_view gpuName = "gfx900") {
  return modules::sourceOf(VertexWords, lgc::ShaderStage::Vertex, gpuName);
}
ShaderSource fragmentSource() {
  return modules::sourceOf(FragmentWords, lgc::ShaderStage::Fragment);
}

PartMaker &maker() {
  static std::unique_ptr<PartMaker> instance = PartMaker::create("gfx900").value();
  return *instance;
}

PartRef unwrap(Result<MadePart> made) {
  if (!made)
    FAIL(made.error().text);
  return made->part;
}

PartKey keyOf(const ShaderSource &source) {
  return source.key.partKey();
}

PipelineState twoAttributes() {
  return vertexState({VK_FORMAT_R32G32B32A32_SFLOAT, VK_FORMAT_R16G16_UNORM});
}

} // namespace

TEST_CASE("everything that changes a main part's code is in its key") {
  ShaderSource source = fragmentSource();
  PartKey key = keyOf(source);
  CHECK(key == keyOf(fragmentSource()));
  CHECK((key.kind == PartKind::FragmentMain));

  ShaderSource other = source;
  other.key.gpuName = "gfx906";
  CHECK(key != keyOf(other));
  other = source;
  other.key.entryPoint = "other";
  CHECK(key != keyOf(other));
  other = source;
  other.key.specConstants = {{3, 0x40000000}};
  CHECK(key != keyOf(other));
  other = source;
  other.key.options.vgprLimit = 24;
  CHECK(key != keyOf(other));
  other = source;
  other.key.optimizationLevel = 1;
  CHECK(key != keyOf(other));
  other = source;
  other.key.tier = CodeTier::FirstCode;
  CHECK(key != keyOf(other));
  other = source;
  other.key.resourceForms = {{1, 2, ResourceFormKind::NoFmask}};
  CHECK(key != keyOf(other));
  std::vector<uint32_t> words = FragmentWords;
  words.back() ^= 1;
  CHECK(key != keyOf(modules::sourceOf(words, lgc::ShaderStage::Fragment)));
}

TEST_CASE("first code is made of a main part that nobody has, and not where LLVM's part is there") {
  const std::unique_ptr<PartMaker> maker = PartMaker::create("gfx900").value();
  ShaderSource first = vertexSource();
  first.key.tier = CodeTier::FirstCode;
  const PartRef made = unwrap(maker->getMainPart(first));
  CHECK((made->tier == CodeTier::FirstCode));
  CHECK(made->key == keyOf(first));
  CHECK(made->description.ends_with(", first code"));
  CHECK(unwrap(maker->getMainPart(first)) == made);
  CHECK(maker->findMainPart(first.key) == made);
  CHECK(maker->firstCodeCounts().made == 1);

  const PartRef llvms = unwrap(maker->getMainPart(vertexSource()));
  CHECK((llvms->tier == CodeTier::Llvm));
  CHECK(llvms->contract.inputs.size() == made->contract.inputs.size());
  CHECK(llvms->interface->functionHash == made->interface->functionHash);
  CHECK(unwrap(maker->getMainPart(first)) == llvms);
  CHECK(maker->findMainPart(first.key) == llvms);
}

TEST_CASE("threads that want first code of one shader make it once") {
  const std::unique_ptr<PartMaker> maker = PartMaker::create("gfx900").value();
  ShaderSource first = vertexSource();
  first.key.tier = CodeTier::FirstCode;
  std::array<PartRef, 4> parts;
  {
    std::vector<std::jthread> threads;
    for (PartRef &part : parts)
      threads.emplace_back([&] { part = maker->getMainPart(first).value().part; });
  }
  for (const PartRef &part : parts)
    CHECK(part == parts[0]);
  CHECK(maker->compileCounts().lowered == 1);
}

TEST_CASE("the name and the order of forms and constants are not in a main part's key") {
  ShaderSource source = fragmentSource();
  source.key.specConstants = {{1, 1}, {3, 2}};
  source.key.resourceForms = {{0, 3}, {1, 0}};
  ShaderSource other = source;
  other.name = "another name";
  std::swap(other.key.specConstants[0], other.key.specConstants[1]);
  std::swap(other.key.resourceForms[0], other.key.resourceForms[1]);
  canonicalize(source.key);
  canonicalize(other.key);
  CHECK(keyOf(source) == keyOf(other));
}

TEST_CASE("a vertex main part reads the dwords that it uses, from v4 on") {
  PartRef part = unwrap(maker().getMainPart(vertexSource()));
  REQUIRE(part->interface.has_value());
  REQUIRE(part->interface->vertex.inputs.size() == 2);
  CHECK(part->interface->vertex.inputs[0].dwordMask == 0xf);
  CHECK(part->interface->vertex.inputs[1].dwordMask == 0x3);
  CHECK(part->contract.endsProgram);
  CHECK(linesOf(*part).back().find("s_endpgm") != std::string::npos);
  std::vector<Binding> attributes;
  for (const Binding &input : part->contract.inputs)
    if (input.value.kind == ValueKind::Attribute)
      attributes.push_back(input);
  REQUIRE(attributes.size() == 6);
  for (uint16_t i = 0; i != 6; ++i)
    CHECK((attributes[i].reg == Register{RegisterBank::Vgpr, uint16_t(4 + i)}));
  CHECK(part->usage.vgprs >= 10);
}

TEST_CASE("a vertex shader is another main part in front of a control or geometry shader") {
  ShaderSource source = vertexSource();
  PartKey asVs = keyOf(source);
  source.key.hardwareStage = HardwareStage::Ls;
  PartKey asLs = keyOf(source);
  source.key.hardwareStage = HardwareStage::Es;
  PartKey asEs = keyOf(source);
  CHECK(asVs != asLs);
  CHECK(asVs != asEs);
  CHECK(asLs != asEs);
}

TEST_CASE("the first half of a merged program falls through; GFX8's LS ends its program") {
  ShaderSource source = vertexSource();
  source.key.hardwareStage = HardwareStage::Ls;
  PartRef merged = unwrap(maker().getMainPart(source));
  CHECK_FALSE(merged->contract.endsProgram);
  CHECK(countLines(*merged, "s_endpgm") == 0);
  CHECK(countLines(*merged, "ds_write") >= 1);
  std::unique_ptr<PartMaker> gfx8 = PartMaker::create("gfx803").value();
  source.key.gpuName = "gfx803";
  CHECK(unwrap(gfx8->getMainPart(source))->contract.endsProgram);
}

TEST_CASE("one prolog serves a vertex shader of every hardware stage: the instance id is always in v3") {
  PipelineState state = twoAttributes();
  auto prologAs = [&](HardwareStage stage) {
    ShaderSource source = vertexSource();
    source.key.hardwareStage = stage;
    return unwrap(maker().getAround(PartKind::VertexProlog, *unwrap(maker().getMainPart(source))->interface, state));
  };
  CHECK(prologAs(HardwareStage::Vs) == prologAs(HardwareStage::Ls));
  CHECK(prologAs(HardwareStage::Vs) == prologAs(HardwareStage::Es));
  state.vertexBindings[0].inputRate = VK_VERTEX_INPUT_RATE_INSTANCE;
  CHECK(prologAs(HardwareStage::Vs) == prologAs(HardwareStage::Es));
  PartRef ls = prologAs(HardwareStage::Ls);
  CHECK(prologAs(HardwareStage::Vs) == ls);
  Binding instanceId{{ValueKind::InstanceId}, {RegisterBank::Vgpr, 3}};
  CHECK(std::count(ls->contract.inputs.begin(), ls->contract.inputs.end(), instanceId) == 1);
}

TEST_CASE("the prolog gives what the vertex main part takes, and loads no more") {
  PartRef main = unwrap(maker().getMainPart(vertexSource()));
  PartRef prolog = unwrap(maker().getAround(PartKind::VertexProlog, *main->interface, twoAttributes()));
  std::vector<Binding> taken;
  for (const Binding &input : main->contract.inputs)
    if (input.value.kind == ValueKind::Attribute)
      taken.push_back(input);
  CHECK(prolog->contract.outputs == taken);
  CHECK(countLines(*prolog, "tbuffer_load_format_xy ") == 1);
  CHECK(countLines(*prolog, "tbuffer_load_format_xyzw ") == 1);
  // v0 to v9 and perhaps the index: registers are allocated in fours.
  CHECK(prolog->usage.vgprs <= 12);
}

TEST_CASE("a fragment main part hands its colour to the epilog, which takes exactly that") {
  PartRef main = unwrap(maker().getMainPart(fragmentSource()));
  REQUIRE(main->interface->fragment.colors.size() == 1);
  CHECK(main->interface->fragment.colors[0].componentMask == 0xf);
  CHECK_FALSE(main->contract.endsProgram);
  CHECK(countLines(*main, "exp ") == 0);
  PartRef epilog =
      unwrap(maker().getAround(PartKind::FragmentEpilog, *main->interface, colorState({VK_FORMAT_R8G8B8A8_UNORM})));
  CHECK(epilog->contract.inputs == main->contract.outputs);
  CHECK(epilog->contract.endsProgram);
}

TEST_CASE("a fragment shader with one colour and its epilog take no more VGPRs than they need") {
  PartRef main = unwrap(maker().getMainPart(fragmentSource()));
  unsigned inputs = std::count_if(main->contract.inputs.begin(), main->contract.inputs.end(),
                                  [](const Binding &input) { return input.reg.bank == RegisterBank::Vgpr; });
  for (VkFormat format : {VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_R32G32B32A32_SFLOAT, VK_FORMAT_R16G16B16A16_UNORM}) {
    PartRef epilog = unwrap(maker().getAround(PartKind::FragmentEpilog, *main->interface, colorState({format})));
    unsigned joined = std::max(main->usage.vgprs, epilog->usage.vgprs);
    CHECK(joined <= std::max<unsigned>(main->usage.vgprs, 4 + inputs));
    CHECK(epilog->usage.vgprs <= 4);
  }
}

TEST_CASE("a specialisation constant reaches the code") {
  ShaderSource source = fragmentSource();
  source.key.specConstants = {{3, 0x40400000}}; // 3.0
  PartRef part = unwrap(maker().getMainPart(source));
  CHECK(countLines(*part, "0x40400000") == 1);
  CHECK(countLines(*unwrap(maker().getMainPart(fragmentSource())), "v_mov_b32_e32 v2, 0.5") == 1);
}

TEST_CASE("a compute main part ends its program and knows its workgroup") {
  PartRef part = unwrap(maker().getMainPart(modules::sourceOf(ComputeWords, lgc::ShaderStage::Compute)));
  CHECK((part->key.kind == PartKind::ComputeMain));
  CHECK(part->contract.endsProgram);
  CHECK(part->interface->compute.workgroupSize == std::array<uint32_t, 3>{64, 1, 1});
}

TEST_CASE("a fragment shader that does nothing has an empty main part") {
  std::string text = modules::Compute;
  text.replace(text.find("GLCompute"), 9, "Fragment");
  text.replace(text.find("LocalSize 64 1 1"), 16, "OriginUpperLeft");
  std::vector<uint32_t> words = modules::assemble(text);
  PartRef main = unwrap(maker().getMainPart(modules::sourceOf(words, lgc::ShaderStage::Fragment)));
  CHECK(main->code.empty());
  CHECK(main->instructionCount == 0);
  CHECK(main->contract.outputs.size() == 2);
  PartRef epilog =
      unwrap(maker().getAround(PartKind::FragmentEpilog, *main->interface, colorState({VK_FORMAT_R8G8B8A8_UNORM})));
  CHECK(countLines(*epilog, "exp null") == 1);
}

TEST_CASE("a main part that state changes says what it needs and has no code, so that nothing can be joined with it") {
  ShaderSource source = fragmentSource();
  PartRef joinable = unwrap(maker().getMainPart(source));
  source.key.mainPartState.layeredInputAttachments = true; // which the shader does not have
  PartRef main = unwrap(maker().getMainPart(source));
  ShaderInterface interface = *main->interface;
  interface.functionHash = joinable->interface->functionHash; // the hash is that of another shader, as it covers the
                                                              // state
  CHECK(interface == *joinable->interface);
  CHECK(main->code.empty());
  CHECK(main->contract.inputs.empty());
  CHECK(main->contract.outputs.empty());
  CHECK_FALSE(joinable->code.empty());
}

TEST_CASE("a monolithic part is the same, whether its main part is made on the way or is there before") {
  ShaderSource source = fragmentSource();
  source.key.mainPartState.smoothingSamples = 4;
  const PipelineState state = colorState({VK_FORMAT_R8G8B8A8_UNORM});
  std::unique_ptr<PartMaker> onTheWay = PartMaker::create("gfx900").value();
  std::unique_ptr<PartMaker> before = PartMaker::create("gfx900").value();
  PartRef first = unwrap(onTheWay->getMonolithic(source, state));
  unwrap(before->getMainPart(source));
  PartRef second = unwrap(before->getMonolithic(source, state));
  CHECK(first->key == second->key);
  CHECK(first->code == second->code);
  CHECK(onTheWay->compileCounts().lowered == 1);
  CHECK(before->compileCounts().lowered == 2);
}

TEST_CASE("a monolithic vertex part fetches and exports in one program") {
  PartRef part = unwrap(maker().getMonolithic(vertexSource(), twoAttributes()));
  CAPTURE(textOf(*part));
  CHECK((part->key.kind == PartKind::Monolithic));
  CHECK(countLines(*part, "tbuffer_load") == 2);
  CHECK(countLines(*part, "exp pos0") == 1);
  CHECK(countLines(*part, "exp param0") == 1);
  CHECK(linesOf(*part).back().find("s_endpgm") != std::string::npos);
  CHECK(part->contract.endsProgram);
  for (const Binding &input : part->contract.inputs)
    CHECK((input.value.kind != ValueKind::Attribute));
  CHECK(part->interface->vertex.inputs.size() == 2);
}

TEST_CASE("a monolithic fragment part interpolates and exports in one program") {
  PartRef part = unwrap(maker().getMonolithic(fragmentSource(), colorState({VK_FORMAT_R8G8B8A8_UNORM})));
  CAPTURE(textOf(*part));
  CHECK(countLines(*part, "v_interp_p2_f32") == 2);
  CHECK(countLines(*part, "exp mrt0") == 1);
  CHECK(part->contract.endsProgram);
  REQUIRE(part->fragmentExports.has_value());
  CHECK(part->fragmentExports->colFormat == 4);
  CHECK(part->usage.psInputEna != 0);
}

TEST_CASE("in a monolithic part, what the epilog does not export is not computed") {
  PartRef part = unwrap(maker().getMonolithic(fragmentSource(), colorState({VK_FORMAT_R32_SFLOAT})));
  CAPTURE(textOf(*part));
  CHECK(countLines(*part, "v_interp_p2_f32") == 1);
}

TEST_CASE("a monolithic part's key follows its prolog's and epilog's") {
  PartRef main = unwrap(maker().getMainPart(fragmentSource()));
  MainPartKey mainKey = fragmentSource().key;
  auto keyFor = [&](VkFormat format) {
    return makeMonolithicKey(mainKey, {*main->interface, colorState({format}), maker().target()})->partKey();
  };
  CHECK(keyFor(VK_FORMAT_R8G8B8A8_UNORM) == keyFor(VK_FORMAT_B8G8R8A8_SRGB));
  CHECK(keyFor(VK_FORMAT_R8G8B8A8_UNORM) != keyFor(VK_FORMAT_R32_SFLOAT));
}

TEST_CASE("a state that contradicts the shader is an Error, joined or monolithic") {
  Result<MadePart> monolithic = maker().getMonolithic(fragmentSource(), colorState({VK_FORMAT_R8_UINT}));
  REQUIRE_FALSE(monolithic.has_value());
  CHECK((monolithic.error().code == ErrorCode::StateMismatch));
  Result<MadePart> withoutAttributes = maker().getMonolithic(vertexSource(), PipelineState());
  REQUIRE_FALSE(withoutAttributes.has_value());
  CHECK(withoutAttributes.error().text.find("location 0") != std::string::npos);
}

TEST_CASE("what is not SPIR-V, or not this entry point, is an Error that names the shader") {
  std::vector<uint32_t> garbage(20, 0xdeadbeef);
  Result<MadePart> made = maker().getMainPart(modules::sourceOf(garbage, lgc::ShaderStage::Vertex));
  REQUIRE_FALSE(made.has_value());
  CHECK(made.error().text.find("test: ") == 0);
  ShaderSource source = vertexSource();
  source.key.entryPoint = "missing";
  CHECK_FALSE(maker().getMainPart(source).has_value());
  source = vertexSource();
  source.key.stage = lgc::ShaderStage::Geometry;
  Result<MadePart> geometry = maker().getMainPart(source);
  REQUIRE_FALSE(geometry.has_value());
  CHECK(geometry.error().text.find("test: ") == 0);
}

TEST_CASE("a main part is made of the words that its key stands for, and no others") {
  ShaderSource source = vertexSource();
  source.words = FragmentWords;
  source.key.optimizationLevel = 3; // a key that no other test has made a part of
  Result<MadePart> made = maker().getMainPart(source);
  REQUIRE_FALSE(made.has_value());
  CHECK(made.error().text == "test: the SPIR-V is not the one that the key stands for");
}

TEST_CASE("a compiler of another GPU than the key's makes nothing") {
  Result<MadePart> made = maker().getMainPart(vertexSource("gfx803"));
  REQUIRE_FALSE(made.has_value());
  CHECK(made.error().text == "test: a part for gfx803 was given to a compiler for gfx900");
}

TEST_CASE("an unknown GPU is an Error") {
  Result<std::unique_ptr<PartMaker>> made = PartMaker::create("gfx9999");
  REQUIRE_FALSE(made.has_value());
  CHECK((made.error().code == ErrorCode::UnknownGpu));
}

TEST_CASE("a vertex shader that is told different things, and makes the same use of them, is compiled once") {
  std::unique_ptr<PartMaker> alone = PartMaker::create("gfx900").value();
  // `first` drops components of the texture coordinate. `second` drops the same, and knows a uniform that the shader
  // does not have. `third` knows only that uniform.
  ShaderSource first = vertexSource(), second = vertexSource(), third = vertexSource();
  first.key.knowledge.droppedOutputs[GenericSlot] = 1;
  second.key.knowledge.droppedOutputs[GenericSlot] = 1;
  second.key.knowledge.inlinableUniforms = {{{UniformPlace::Place::PushConstants, 0, 0, 4}, 7}};
  third.key.knowledge.inlinableUniforms = second.key.knowledge.inlinableUniforms;
  const PartRef plainPart = unwrap(alone->getMainPart(vertexSource()));
  const PartRef firstPart = unwrap(alone->getMainPart(first));
  CHECK(alone->compileCounts().emitted == 2);
  const PartRef secondPart = unwrap(alone->getMainPart(second)), thirdPart = unwrap(alone->getMainPart(third));
  CHECK(alone->compileCounts().emitted == 2);
  CHECK(alone->compileCounts().lowered == 4);
  CHECK(secondPart->code == firstPart->code);
  CHECK(secondPart->key == keyOf(second));
  CHECK(thirdPart->code == plainPart->code);
  CHECK(thirdPart->code != firstPart->code);

  // The programs around it are compiled once, too.
  const PartRef whole = unwrap(alone->getMonolithic(first, twoAttributes()));
  CHECK(unwrap(alone->getMonolithic(second, twoAttributes())) == whole);
  CHECK(alone->compileCounts().emitted == 3);
  CHECK(unwrap(alone->getMonolithic(third, twoAttributes())) != whole);
}

TEST_CASE("eight threads that want the same parts make each once") {
  std::unique_ptr<PartMaker> shared = PartMaker::create("gfx900").value();
  std::atomic<unsigned> made = 0;
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i != 8; ++i)
      threads.emplace_back([&] {
        Result<MadePart> vertex = shared->getMainPart(vertexSource());
        Result<MadePart> fragment = shared->getMainPart(fragmentSource());
        if (!vertex || !fragment)
          return;
        Result<MadePart> prolog = shared->getAround(PartKind::VertexProlog, *vertex->part->interface, twoAttributes());
        Result<MadePart> epilog = shared->getAround(PartKind::FragmentEpilog, *fragment->part->interface,
                                                    colorState({VK_FORMAT_R8G8B8A8_UNORM}));
        if (prolog && epilog)
          made += vertex->made + fragment->made + prolog->made + epilog->made;
      });
  }
  CHECK(made == 4);
  CHECK(shared->cache().statistics().made == 4);
  CHECK(shared->cache().statistics().found == 28);
}

TEST_CASE("the same key gives the same code, whichever compiler made it") {
  std::unique_ptr<PartMaker> other = PartMaker::create("gfx900").value();
  PartRef first = unwrap(maker().getMainPart(fragmentSource()));
  PartRef second = unwrap(other->getMainPart(fragmentSource()));
  CHECK(first != second);
  CHECK(first->key == second->key);
  CHECK(first->code == second->code);
}

// SPDX-License-Identifier: MIT
//
// Optimised variants at the device: the variants that are bound before and after a publication, the calls that tell of
// it, and the end of builds that nobody needs any more.
#include "tests/variants/background/background_device.h"
#include "variants/bind/device_core.h"
#include <algorithm>
#include <atomic>
#include <mutex>
#include <thread>

using namespace dovetail;

namespace {

// Formats whose epilogs differ, so that each is a variant of its own.
constexpr VkFormat Formats[] = {VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_R16G16B16A16_SFLOAT, VK_FORMAT_R32G32B32A32_SFLOAT,
                                VK_FORMAT_R32_SFLOAT, VK_FORMAT_R32G32_SFLOAT};

// States of equal fields have one hash. These states differ in a field that the pair's programs cannot see. So they
// have slots of their own and lead to the same variant.
StateRef equivalentState(uint32_t patchControlPoints) {
  PipelineState fields = pairState()->fields;
  fields.patchControlPoints = patchControlPoints; // the program has no patches
  return makeState(std::move(fields));
}

bool isCompiledAsAWhole(const Variant &variant) {
  return std::ranges::any_of(variant.partUses(),
                             [](const PartUse &use) { return use.part->key.kind == PartKind::Monolithic; });
}

UniformValuesRef factorIs(float value) {
  InlinableUniform uniform;
  uniform.value = std::bit_cast<uint32_t>(value);
  Result<UniformValuesRef> values = makeUniformValues({uniform});
  REQUIRE(values);
  return *values;
}

} // namespace

TEST_CASE("with policy off, nothing is ever optimised") {
  auto device = createDevice({.firstTier = CodeTier::Llvm, .policy = OptimizationPolicy::Off});
  ProgramRef program = makeProgram(*device, pairOfShaders());
  Binder binder(*device);
  VariantRef first = bindNow(binder, program, pairState());
  for (int i = 0; i < 200; ++i)
    CHECK(bindNow(binder, program, pairState()) == first);
  device->drain();
  CHECK(bindNow(binder, program, pairState()) == first);
  CHECK_FALSE(first->optimized);
  CHECK(device->statistics().background.queued == 0);
}

TEST_CASE("the joined variant serves until the optimised one is published, and the next bind has that") {
  HeldDevice device({.firstTier = CodeTier::Llvm, .policy = OptimizationPolicy::Always});
  ProgramRef program = makeProgram(*device, pairOfShaders());
  StateRef state = pairState();
  Binder binder(*device);
  VariantRef joined = bindNow(binder, program, state);
  CHECK_FALSE(joined->optimized);
  CHECK(bindNow(binder, program, state) == joined);
  device.finish();
  VariantRef optimized = bindNow(binder, program, state); // no other state was bound meanwhile
  CHECK(optimized->optimized);
  CHECK(optimized != joined);
  CHECK(bindNow(binder, program, state) == optimized);
  CHECK(device->generation() == 1);
}

TEST_CASE("a bind of an unchanged state is a mere compare, and finds what was published all the same") {
  HeldDevice device({.policy = OptimizationPolicy::Always});
  ProgramRef program = makeProgram(*device, pairOfShaders());
  StateRef state = pairState();
  Binder binder(*device);
  bindNow(binder, program, state);
  bindNow(binder, program, state);
  CHECK(binder.statistics().unchanged == 1);
  device.finish();
  CHECK(bindNow(binder, program, state)->optimized);
  CHECK(binder.statistics().unchanged == 1);
  CHECK(binder.statistics().known == 1);
  bindNow(binder, program, state);
  CHECK(binder.statistics().unchanged == 2);
}

TEST_CASE("binders of other threads have the optimised variant, too, and so has whoever passes a plain state") {
  HeldDevice device({.firstTier = CodeTier::Llvm, .policy = OptimizationPolicy::Always});
  ProgramRef program = makeProgram(*device, pairOfShaders());
  StateRef state = pairState();
  Binder first(*device), second(*device);
  bindNow(first, program, state);
  CHECK_FALSE(bindNow(second, program, state)->optimized);
  CHECK(device->statistics().background.waiting == 1); // one build for both
  device.finish();
  CHECK(bindNow(first, program, state)->optimized);
  CHECK(bindNow(second, program, state) == bindNow(first, program, state));
  Result<const Variant *> plain = second.bind(program, state->fields);
  REQUIRE(plain);
  CHECK((*plain)->optimized);
}

TEST_CASE("a variant that was bound before its publication stays valid while it is referred to") {
  HeldDevice device({.policy = OptimizationPolicy::Always});
  ProgramRef program = makeProgram(*device, pairOfShaders());
  Binder binder(*device);
  VariantRef joined = bindNow(binder, program, pairState());
  const RoomVector<uint8_t> code = joined->image->code;
  device.finish();
  bindNow(binder, program, pairState());
  CHECK(joined->image->code == code);
}

TEST_CASE("what is current() stays the variant that bind() returned, whatever is published meanwhile") {
  HeldDevice device({.policy = OptimizationPolicy::Always});
  ProgramRef program = makeProgram(*device, pairOfShaders());
  Binder binder(*device);
  Result<const Variant *> bound = binder.bind(program, pairState());
  REQUIRE(bound);
  device.finish();
  CHECK(binder.current().get() == *bound);
  CHECK_FALSE((*bound)->optimized);
}

TEST_CASE("publications are announced, each with what it replaces and a number that grows by one") {
  struct Announced {
    VariantRef variant, replaced;
    uint64_t generation;
  };
  std::mutex mutex;
  std::vector<Announced> announced;
  HeldDevice device({.firstTier = CodeTier::Llvm,
                     .policy = OptimizationPolicy::Always,
                     .onPublication = [&](const Publication &publication) {
                       std::lock_guard lock(mutex);
                       announced.push_back({publication.variant, publication.replaced, publication.generation});
                     }});
  ProgramRef program = makeProgram(*device, pairOfShaders());
  Binder binder(*device);
  std::vector<VariantRef> joined;
  for (VkFormat format : Formats)
    joined.push_back(bindNow(binder, program, pairState(format)));
  CHECK(announced.empty());
  CHECK(device->generation() == 0);
  device.finish();
  REQUIRE(announced.size() == std::size(Formats));
  for (size_t i = 0; i < announced.size(); ++i) {
    CHECK(announced[i].generation == i + 1);
    CHECK(announced[i].replaced == joined[i]);
    CHECK(announced[i].variant == bindNow(binder, program, pairState(Formats[i])));
  }
  CHECK(device->generation() == std::size(Formats));
}

TEST_CASE("states that come to the same are optimised and announced once, and all of them have it") {
  std::atomic<int> announced = 0;
  HeldDevice device({.firstTier = CodeTier::Llvm,
                     .policy = OptimizationPolicy::Always,
                     .onPublication = [&](const Publication &) { ++announced; }});
  ProgramRef program = makeProgram(*device, pairOfShaders());
  Binder binder(*device);
  VariantRef joined = bindNow(binder, program, equivalentState(1));
  CHECK(bindNow(binder, program, equivalentState(2)) == joined);
  CHECK(bindNow(binder, program, equivalentState(3)) == joined);
  CHECK(device->statistics().background.waiting == 1);
  device.finish();
  VariantRef optimized = bindNow(binder, program, equivalentState(1));
  CHECK(optimized->optimized);
  CHECK(bindNow(binder, program, equivalentState(2)) == optimized);
  CHECK(bindNow(binder, program, equivalentState(3)) == optimized);
  CHECK(bindNow(binder, program, equivalentState(4)) == optimized); // this state was not bound before
  CHECK(announced == 1);
  CHECK(device->generation() == 1);
  CHECK(device->statistics().background.queued == 2); // with the job that held the device
}

TEST_CASE("a state that becomes hot after another was optimised that comes to the same has that, unannounced") {
  HeldDevice device({.firstTier = CodeTier::Llvm, .policy = OptimizationPolicy::Hot, .hotBinds = 3});
  ProgramRef program = makeProgram(*device, pairOfShaders());
  Binder binder(*device);
  bindNow(binder, program, equivalentState(1));
  for (int i = 0; i < 3; ++i)
    bindNow(binder, program, equivalentState(2));
  device.finish();
  CHECK_FALSE(bindNow(binder, program, equivalentState(1))->optimized); // the second bind of this state
  bindNow(binder, program, equivalentState(1));
  VariantRef optimized = bindNow(binder, program, equivalentState(1));
  CHECK(optimized->optimized);
  CHECK(optimized == bindNow(binder, program, equivalentState(2)));
  CHECK(device->generation() == 1);
  CHECK(device->statistics().background.queued == 2);
}

TEST_CASE("all that wait for a build that is cancelled ask again") {
  HeldDevice device({.policy = OptimizationPolicy::Always});
  Binder binder(*device);
  ProgramRef program = makeProgram(*device, pairOfShaders(1)), same = makeProgram(*device, pairOfShaders(1));
  bindNow(binder, program, equivalentState(1));
  bindNow(binder, same, equivalentState(2));
  program.reset(); // this program had asked for the build
  device.finish();
  CHECK(device->statistics().background.cancelled == 1);
  for (int i = 0; i < 100; ++i)
    bindNow(binder, same, equivalentState(2));
  device->drain();
  CHECK(bindNow(binder, same, equivalentState(2))->optimized);
}

TEST_CASE("whoever is told of a publication finds it at once, and may bind") {
  ProgramRef program;
  StateRef state = pairState();
  Device *told = nullptr;
  VariantRef found, published;
  HeldDevice device({.policy = OptimizationPolicy::Always, .onPublication = [&](const Publication &publication) {
                       Binder binder(*told);
                       found = bindNow(binder, program, state);
                       published = publication.variant;
                     }});
  told = &*device;
  program = makeProgram(*device, pairOfShaders());
  Binder binder(*device);
  bindNow(binder, program, state);
  device.finish();
  CHECK(found);
  CHECK(found == published);
}

TEST_CASE("with policy hot, a variant is optimised when it was bound as often as the option says, not before") {
  HeldDevice device({.firstTier = CodeTier::Llvm, .policy = OptimizationPolicy::Hot, .hotBinds = 5});
  ProgramRef program = makeProgram(*device, pairOfShaders());
  StateRef state = pairState();
  Binder binder(*device);
  for (int i = 0; i < 4; ++i)
    bindNow(binder, program, state);
  CHECK(device->statistics().background.waiting == 0);
  bindNow(binder, program, state);
  CHECK(device->statistics().background.waiting == 1);
  for (int i = 0; i < 100; ++i)
    bindNow(binder, program, state);
  CHECK(device->statistics().background.waiting == 1); // the build is asked for once
  device.finish();
  CHECK(bindNow(binder, program, state)->optimized);
}

TEST_CASE("binds count for the state that was bound, and for all threads together") {
  HeldDevice device({.policy = OptimizationPolicy::Hot, .hotBinds = 6});
  ProgramRef program = makeProgram(*device, pairOfShaders());
  StateRef hot = pairState(Formats[0]), cold = pairState(Formats[1]);
  Binder first(*device), second(*device);
  for (int i = 0; i < 3; ++i) {
    bindNow(first, program, hot);
    bindNow(first, program, cold);
    bindNow(second, program, hot);
  }
  device.finish();
  CHECK(bindNow(first, program, hot)->optimized);
  CHECK_FALSE(bindNow(first, program, cold)->optimized);
}

TEST_CASE("builds for a program that goes are cancelled, and those for others are not") {
  HeldDevice device({.firstTier = CodeTier::Llvm, .policy = OptimizationPolicy::Always});
  ProgramRef going = makeProgram(*device, pairOfShaders(1)), staying = makeProgram(*device, pairOfShaders(2));
  StateRef state = pairState();
  Binder binder(*device);
  bindNow(binder, going, state);
  bindNow(binder, staying, state); // so that the binder no longer refers to the other variant
  going.reset();
  device.finish();
  CHECK(device->statistics().background.cancelled == 1);
  CHECK(device->statistics().optimizedVariants == 1);
  CHECK(bindNow(binder, staying, state)->optimized);
}

TEST_CASE("a program that is made again after its build was cancelled is optimised after all") {
  HeldDevice device({.policy = OptimizationPolicy::Always});
  StateRef state = pairState();
  Binder binder(*device);
  ProgramRef program = makeProgram(*device, pairOfShaders(1)), other = makeProgram(*device, pairOfShaders(2));
  bindNow(binder, program, state);
  bindNow(binder, other, state);
  program.reset();
  device.finish();
  program = makeProgram(*device, pairOfShaders(1));
  for (int i = 0; i < 1000; ++i)
    bindNow(binder, program, state);
  device->drain();
  CHECK(bindNow(binder, program, state)->optimized);
}

TEST_CASE("a device goes while builds wait and one runs; variants outlive it") {
  HeldDevice device({.policy = OptimizationPolicy::Always});
  std::vector<VariantRef> variants;
  {
    ProgramRef program = makeProgram(*device, pairOfShaders());
    Binder binder(*device);
    for (VkFormat format : Formats)
      variants.push_back(bindNow(binder, program, pairState(format)));
  }
  device.destroy();
  for (const VariantRef &variant : variants) {
    CHECK(variant.use_count() == 1);
    CHECK_FALSE(variant->image->code.empty());
  }
}

TEST_CASE("a device goes while compilers run in its background") {
  for (int i = 0; i < 5; ++i) {
    auto device = createDevice({.policy = OptimizationPolicy::Always});
    ProgramRef program = makeProgram(*device, pairOfShaders(i));
    Binder binder(*device);
    for (VkFormat format : Formats)
      bindNow(binder, program, pairState(format));
  }
}

TEST_CASE("what a full background refuses is asked for again by later binds") {
  HeldDevice device(
      {.firstTier = CodeTier::Llvm, .policy = OptimizationPolicy::Always, .background = {.maxQueued = 1}});
  ProgramRef program = makeProgram(*device, pairOfShaders());
  StateRef first = pairState(Formats[0]), second = pairState(Formats[1]);
  Binder binder(*device);
  bindNow(binder, program, first);
  CHECK_FALSE(bindNow(binder, program, second)->optimized); // the joined variant is drawn with all the same
  CHECK(device->statistics().background.refused == 1);
  device.finish();
  CHECK(bindNow(binder, program, first)->optimized);
  CHECK_FALSE(bindNow(binder, program, second)->optimized);
  for (int i = 0; i < 1000; ++i)
    bindNow(binder, program, second);
  device->drain();
  CHECK(bindNow(binder, program, second)->optimized);
}

TEST_CASE("binds that a full background refuses do not ask it each time") {
  auto device = createDevice({.policy = OptimizationPolicy::Always, .background = {.maxQueued = 0}});
  ProgramRef program = makeProgram(*device, pairOfShaders());
  Binder binder(*device);
  for (int i = 0; i < 1000; ++i)
    bindNow(binder, program, pairState());
  CHECK(device->statistics().background.refused < 100);
}

TEST_CASE("drain waits until all that was asked for is published") {
  auto device = createDevice({.firstTier = CodeTier::Llvm, .policy = OptimizationPolicy::Always});
  ProgramRef program = makeProgram(*device, pairOfShaders());
  Binder binder(*device);
  for (VkFormat format : Formats)
    bindNow(binder, program, pairState(format));
  device->drain();
  CHECK(device->generation() == std::size(Formats));
  CHECK(device->statistics().background.waiting == 0);
  CHECK(device->statistics().background.running == 0);
  for (VkFormat format : Formats)
    CHECK(bindNow(binder, program, pairState(format))->optimized);
}

TEST_CASE("a device without memory to spare draws and optimises all the same") {
  auto device = createDevice({.policy = OptimizationPolicy::Always, .memoryBudget = 1});
  ProgramRef program = makeProgram(*device, pairOfShaders());
  Binder binder(*device);
  for (int round = 0; round < 4; ++round) {
    for (VkFormat format : Formats)
      bindNow(binder, program, pairState(format)); // checks each one
    device->drain();
  }
  CHECK(device->statistics().evictedVariants > 0);
  CHECK(device->generation() >= std::size(Formats));
}

TEST_CASE("what waits in the background holds no memory: builds for variants that were evicted are cancelled") {
  HeldDevice device({.policy = OptimizationPolicy::Always, .memoryBudget = 1});
  ProgramRef program = makeProgram(*device, pairOfShaders());
  Binder binder(*device);
  for (int round = 0; round < 3; ++round)
    for (VkFormat format : Formats)
      bindNow(binder, program, pairState(format));
  CHECK(device->statistics().evictedVariants > 0);
  device.finish();
  CHECK(device->statistics().background.cancelled > 0);
  CHECK(device->statistics().background.failed == 0);
  uint64_t before = device->statistics().optimizedVariants;
  bindNow(binder, program, pairState(Formats[0])); // stays, because it is bound
  device->drain();
  CHECK(device->statistics().optimizedVariants == before + 1);
}

TEST_CASE("values of uniforms make optimised variants of their own, and share the joined one") {
  HeldDevice device({.policy = OptimizationPolicy::Always});
  ProgramRef program = makeProgram(*device, pairOfShaders());
  StateRef state = pairState();
  UniformValuesRef one = factorIs(1), zero = factorIs(0);
  Binder binder(*device);
  VariantRef joined = bindNow(binder, program, state);
  CHECK(bindNow(binder, program, state, one) == joined);
  CHECK(bindNow(binder, program, state, zero) == joined);
  CHECK(device->statistics().joinedVariants == 1);
  device.finish();
  VariantRef any = bindNow(binder, program, state), ones = bindNow(binder, program, state, one),
             zeros = bindNow(binder, program, state, zero);
  CHECK(any->optimized);
  CHECK(ones->optimized);
  CHECK(zeros->optimized);
  CHECK(any != ones);
  CHECK(ones != zeros);
  CHECK(zeros->image->textSize < any->image->textSize); // with 0, the code computes nothing
}

TEST_CASE("without a fallback, a state that takes a compiler is compiled by the first bind") {
  HeldDevice device({.firstTier = CodeTier::Llvm});
  ProgramRef program = makeProgram(*device, pairOfShaders());
  Binder binder(*device);
  VariantRef variant = bindNow(binder, program, compiledState());
  CHECK(isCompiledAsAWhole(*variant));
  CHECK(device->statistics().background.waiting == 0);
  CHECK(device->statistics().monolithicVariants == 1);
}

TEST_CASE("with a fallback, a state that takes a compiler is compiled in the background") {
  std::vector<std::pair<VariantRef, VariantRef>> announced;
  HeldDevice device({.firstTier = CodeTier::Llvm, .onPublication = [&](const Publication &publication) {
                       announced.emplace_back(publication.variant, publication.replaced);
                     }});
  ProgramRef program = makeProgram(*device, pairOfShaders());
  Binder binder(*device);
  BindOptions options = {bindNow(binder, program, pairState())};
  StateRef state = compiledState();
  for (int i = 0; i < 3; ++i)
    CHECK(bindNow(binder, program, state, {}, options) == options.fallback);
  CHECK(device->statistics().fallbacks == 3);
  CHECK(device->statistics().background.waiting == 1);
  device.finish();
  VariantRef variant = bindNow(binder, program, state, {}, options);
  CHECK(variant != options.fallback);
  CHECK(isCompiledAsAWhole(*variant));
  REQUIRE(announced.size() == 1);
  CHECK(announced[0].first == variant);
  CHECK(announced[0].second == options.fallback);
  CHECK(bindNow(binder, program, state) == variant);
}

TEST_CASE("what was built in the background behind a fallback is optimised like the rest") {
  auto device = createDevice({.policy = OptimizationPolicy::Always});
  ProgramRef program = makeProgram(*device, pairOfShaders());
  Binder binder(*device);
  BindOptions options = {bindNow(binder, program, pairState())};
  StateRef state = compiledState();
  bindNow(binder, program, state, {}, options);
  device->drain();
  CHECK_FALSE(bindNow(binder, program, state, {}, options)->optimized);
  device->drain();
  CHECK(bindNow(binder, program, state, {}, options)->optimized);
}

TEST_CASE("a fallback is not used where parts can be joined, or the variant is there") {
  HeldDevice device({});
  ProgramRef program = makeProgram(*device, pairOfShaders());
  Binder binder(*device);
  VariantRef plain = bindNow(binder, program, pairState());
  VariantRef compiled = bindNow(binder, program, compiledState());
  BindOptions options = {plain};
  CHECK(bindNow(binder, program, pairState(Formats[1]), {}, options) != plain);
  CHECK(bindNow(binder, program, compiledState(), {}, options) == compiled);
  CHECK(device->statistics().fallbacks == 0);
}

TEST_CASE("builds that draws wait for with a fallback go before optimisations") {
  std::mutex mutex;
  std::vector<bool> optimized;
  HeldDevice device({.firstTier = CodeTier::Llvm,
                     .policy = OptimizationPolicy::Always,
                     .onPublication = [&](const Publication &publication) {
                       std::lock_guard lock(mutex);
                       optimized.push_back(publication.variant->optimized);
                     }});
  ProgramRef program = makeProgram(*device, pairOfShaders());
  Binder binder(*device);
  BindOptions options = {bindNow(binder, program, pairState())};
  bindNow(binder, program, compiledState(), {}, options);
  device.finish();
  REQUIRE(optimized.size() >= 2);
  CHECK_FALSE(optimized[0]);
  CHECK(optimized[1]);
}

TEST_CASE("a build in the background that fails is a warning, and its fallback stays") {
  std::mutex mutex;
  std::vector<std::string> warnings;
  HeldDevice device({.onLog = [&](LogLevel, std::string_view text) {
    std::lock_guard lock(mutex);
    warnings.emplace_back(text);
  }});
  ProgramRef program = makeProgram(*device, pairOfShaders());
  Binder binder(*device);
  BindOptions options = {bindNow(binder, program, pairState())};
  PipelineState wrong = compiledState()->fields;
  wrong.topology = VK_PRIMITIVE_TOPOLOGY_PATCH_LIST; // the program has no tessellation
  StateRef state = makeState(wrong);
  CHECK(bindNow(binder, program, state, {}, options) == options.fallback);
  device.finish();
  for (int i = 0; i < 200; ++i)
    CHECK(bindNow(binder, program, state, {}, options) == options.fallback);
  device->drain();
  CHECK(warnings.size() == 1);
  CHECK(device->statistics().background.failed == 1);
}

TEST_CASE("a main part that is compiled in the background is there when a bind needs it") {
  auto device = createDevice({});
  std::vector<ShaderRef> shaders = pairOfShaders();
  for (ShaderRef &shader : shaders) {
    Result<ShaderRef> made = device->createShader(shader->description, CompileTime::Background);
    REQUIRE(made);
    shader = *made;
  }
  device->drain();
  CHECK(device->statistics().parts.made == 2);
  ProgramRef program = makeProgram(*device, shaders);
  Binder binder(*device);
  VariantRef variant = bindNow(binder, program, pairState());
  for (const PartUse &use : variant->partUses())
    if (use.part->key.kind == PartKind::VertexMain || use.part->key.kind == PartKind::FragmentMain)
      CHECK_FALSE(use.made);
}

TEST_CASE("a shader that goes before the background comes to it is not compiled") {
  HeldDevice device({});
  ShaderDescription description = pairOfShaders()[0]->description;
  Result<ShaderRef> shader = device->createShader(description, CompileTime::Background);
  REQUIRE(shader);
  *shader = nullptr;
  device.finish();
  CHECK(device->statistics().background.cancelled == 1);
  CHECK(device->statistics().parts.made == 0);
}

TEST_CASE("threads bind while the background publishes: each has a variant of its own program and state") {
  auto device = createDevice({.policy = OptimizationPolicy::Always, .memoryBudget = 200000});
  std::vector<ProgramRef> programs;
  for (int number = 0; number < 3; ++number)
    programs.push_back(makeProgram(*device, pairOfShaders(number)));
  std::atomic<int> wrong = 0, errors = 0;
  auto draw = [&](unsigned thread) {
    Binder binder(*device);
    for (unsigned i = 0; i < 3000; ++i) {
      unsigned choice = (i * 7 + thread * 3) % 15;
      VkFormat format = Formats[choice % 5];
      Result<const Variant *> variant = binder.bind(programs[choice / 5], pairState(format));
      if (!variant)
        ++errors;
      else if (!(*variant)->image->findStage(HardwareStage::Ps))
        ++wrong;
    }
  };
  {
    std::vector<std::jthread> threads;
    for (unsigned thread = 0; thread < 4; ++thread)
      threads.emplace_back(draw, thread);
  }
  CHECK(wrong == 0);
  CHECK(errors == 0);
  device->drain();
}

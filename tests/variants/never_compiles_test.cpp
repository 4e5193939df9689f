// SPDX-License-Identifier: MIT
//
// Binds that never compile: the parts that they make themselves, the builds that they leave to the background, and the
// calls that tell of those.
#include "tests/variants/background/background_device.h"
#include <algorithm>
#include <map>
#include <mutex>
#include <thread>

using namespace dovetail;

namespace {

const BindOptions NeverCompiles = {.neverCompiles = true};

// "not ready", another Error's text, or nothing if there is a variant.
std::string bindError(Binder &binder, const ProgramRef &program, const StateRef &state,
                      const BindOptions &options = NeverCompiles) {
  Result<const Variant *> bound = binder.bind(program, state, {}, options);
  if (bound)
    return "";
  return bound.error().code == ErrorCode::NotReady ? "not ready" : bound.error().text;
}

StateRef stateThatIsWrong() {
  PipelineState wrong = pairState()->fields;
  wrong.topology = VK_PRIMITIVE_TOPOLOGY_PATCH_LIST; // the program has no tessellation
  return makeState(std::move(wrong));
}

} // namespace

TEST_CASE("a program that was never bound is not ready until the background has built it") {
  HeldDevice device({});
  ProgramRef program = makeProgram(*device, pairOfShaders());
  Binder binder(*device);
  for (int i = 0; i < 3; ++i)
    CHECK(bindError(binder, program, pairState()) == "not ready");
  CHECK(binder.lastBind().kind == BindKind::NotReady);
  CHECK(binder.current() == nullptr);
  CHECK(device->statistics().notReadyBinds == 3);
  CHECK(device->statistics().background.waiting == 1); // the build was asked for once
  CHECK(device->statistics().parts.made == 0);
  device.finish();
  CHECK(bindError(binder, program, pairState()) == "");
  CHECK(binder.lastBind().kind == BindKind::Known);
}

TEST_CASE("whoever waits for a bind that never compiles is told when there is a variant") {
  struct Told {
    VariantRef variant, replaced;
    void *program;
  };
  std::vector<Told> told;
  HeldDevice device({.onPublication = [&](const Publication &publication) {
    told.push_back({publication.variant, publication.replaced, publication.programUser});
  }});
  int user = 0;
  ProgramRef program = device->createProgram(pairOfShaders(), nullptr, &user).value();
  Binder binder(*device);
  CHECK(bindError(binder, program, pairState()) == "not ready");
  CHECK(device->generation() == 0);
  device.finish();
  CHECK(device->generation() == 1);
  REQUIRE(told.size() == 1);
  CHECK(told[0].variant == bindNow(binder, program, pairState()));
  CHECK(told[0].replaced == nullptr);
  CHECK(told[0].program == &user);
}

TEST_CASE("once a program was bound, binds that never compile join and encode themselves") {
  HeldDevice device({.firstTier = CodeTier::Llvm});
  ProgramRef program = makeProgram(*device, pairOfShaders());
  Binder binder(*device);
  bindNow(binder, program, pairState());
  CHECK(bindError(binder, program, pairState(VK_FORMAT_R32G32B32A32_SFLOAT)) == "");
  CHECK(binder.lastBind().kind == BindKind::Encoded);
  CHECK(device->statistics().background.waiting == 0);
}

TEST_CASE("a bind that never compiles leaves a state that takes a compiler to the background, fallback or not") {
  HeldDevice device({});
  ProgramRef program = makeProgram(*device, pairOfShaders()), other = makeProgram(*device, pairOfShaders(1));
  Binder binder(*device);
  const VariantRef plain = bindNow(binder, program, pairState());
  CHECK(bindError(binder, program, compiledState()) == "not ready");
  CHECK(binder.current() == plain);
  // Also where only the first bind of a program needs the compiler.
  CHECK(bindNow(binder, other, pairState(), {}, {.fallback = plain, .neverCompiles = true}) == plain);
  device.finish();
  CHECK(bindError(binder, program, compiledState()) == "");
  CHECK(bindError(binder, other, pairState()) == "");
}

TEST_CASE(
    "what cannot be built is an Error of the bind, once it was tried; who waits is told, and it is not tried again") {
  std::vector<VariantRef> told;
  HeldDevice device({.onPublication = [&](const Publication &publication) { told.push_back(publication.variant); }});
  ProgramRef program = makeProgram(*device, pairOfShaders());
  Binder binder(*device);
  const std::string error = bindError(binder, program, stateThatIsWrong(), {});
  CHECK(error != "");
  CHECK(bindError(binder, program, stateThatIsWrong()) == "not ready");
  device.finish();
  REQUIRE(told.size() == 1);
  CHECK(told[0] == nullptr);
  CHECK(device->generation() == 1);
  for (int i = 0; i < 3; ++i)
    CHECK(bindError(binder, program, stateThatIsWrong()) == error);
  CHECK(device->statistics().background.failed == 1);
  CHECK(device->statistics().background.waiting == 0);
}

TEST_CASE("a bind that never compiles does not wait for a thread that compiles the very same") {
  auto device = createDevice({});
  ProgramRef program = makeProgram(*device, pairOfShaders());
  std::jthread compiles([&] {
    Binder binder(*device);
    bindNow(binder, program, pairState());
  });
  Binder binder(*device);
  unsigned notReady = 0;
  // Each of these binds returns at once, so many of them fit into the time of a compile.
  while (bindError(binder, program, pairState()) == "not ready")
    ++notReady;
  CHECK(notReady > 10);
  compiles.join();
  device->drain();
  CHECK(device->statistics().joinedVariants == 1);
}

TEST_CASE("builds that are cancelled are asked for again by the next bind") {
  HeldDevice device({});
  ProgramRef program = makeProgram(*device, pairOfShaders()), other = makeProgram(*device, pairOfShaders(1));
  Binder binder(*device);
  bindError(binder, program, pairState());
  bindError(binder, other, pairState());
  device->cancelBuilds(program);
  CHECK(device->statistics().background.waiting == 1);
  CHECK(bindError(binder, program, pairState()) == "not ready");
  CHECK(device->statistics().background.waiting == 2);
}

TEST_CASE("builds are made in the order of their priority, to which a later bind may raise them") {
  std::vector<void *> order;
  HeldDevice device(
      {.onPublication = [&](const Publication &publication) { order.push_back(publication.programUser); }});
  int users[3];
  std::vector<ProgramRef> programs;
  for (int i = 0; i < 3; ++i)
    programs.push_back(device->createProgram(pairOfShaders(i), nullptr, &users[i]).value());
  Binder binder(*device);
  auto ask = [&](int program, JobPriority priority) {
    CHECK(bindError(binder, programs[program], pairState(), {.neverCompiles = true, .priority = priority}) ==
          "not ready");
  };
  ask(0, JobPriority::Wanted);
  ask(1, JobPriority::Optional);
  ask(2, JobPriority::Urgent);
  ask(1, JobPriority::Urgent);
  device.finish();
  CHECK(order == std::vector<void *>{&users[2], &users[1], &users[0]});
}

TEST_CASE("who was told to wait is told of the variant, whoever made it in the meantime") {
  unsigned told = 0;
  HeldDevice device({.firstTier = CodeTier::Llvm,
                     .onPublication = [&](const Publication &publication) { told += publication.variant != nullptr; }});
  ProgramRef program = makeProgram(*device, pairOfShaders());
  Binder binder(*device);
  CHECK(bindError(binder, program, pairState()) == "not ready");
  bindNow(binder, program, pairState()); // compiles
  CHECK(told == 0);
  device.finish();
  CHECK(told == 1);
}

TEST_CASE("who has no fallback is told of a failure, though the build was asked for by somebody who has one") {
  unsigned told = 0;
  HeldDevice device({.onPublication = [&](const Publication &publication) { told += publication.variant == nullptr; }});
  ProgramRef program = makeProgram(*device, pairOfShaders());
  Binder binder(*device);
  const VariantRef plain = bindNow(binder, program, pairState());
  CHECK(bindNow(binder, program, stateThatIsWrong(), {}, {.fallback = plain, .neverCompiles = true}) == plain);
  CHECK(bindError(binder, program, stateThatIsWrong()) == "not ready");
  device.finish();
  CHECK(told == 1);
  CHECK(bindError(binder, program, stateThatIsWrong()) != "not ready");
}

TEST_CASE("who shows a fallback is told of the variant, though a bind that compiles was faster") {
  struct Told {
    VariantRef variant, replaced;
  };
  std::vector<Told> told;
  HeldDevice device({.firstTier = CodeTier::Llvm, .onPublication = [&](const Publication &publication) {
                       told.push_back({publication.variant, publication.replaced});
                     }});
  ProgramRef program = makeProgram(*device, pairOfShaders());
  Binder binder(*device), other(*device);
  const VariantRef plain = bindNow(other, program, pairState());
  const BindOptions shows = {.fallback = plain, .neverCompiles = true};
  CHECK(bindNow(binder, program, compiledState(), {}, shows) == plain);
  const VariantRef compiled = bindNow(other, program, compiledState());
  CHECK(told.empty());
  device.finish();
  REQUIRE(told.size() == 1);
  CHECK(told[0].variant == compiled);
  CHECK(told[0].replaced == plain);
}

TEST_CASE("a bind that never compiles calls neither the driver's cache nor the store; the background does") {
  std::mutex mutex;
  std::vector<std::thread::id> callers;
  std::map<DriverCacheKey, std::vector<uint8_t>> values;
  auto isCalledHere = [&] {
    std::scoped_lock lock(mutex);
    return std::ranges::count(callers, std::this_thread::get_id()) > 0;
  };
  DeviceOptions options;
  options.driverCache.get = [&](const DriverCacheKey &key) -> std::optional<std::vector<uint8_t>> {
    std::scoped_lock lock(mutex);
    callers.push_back(std::this_thread::get_id());
    const auto found = values.find(key);
    return found == values.end() ? std::nullopt : std::optional(found->second);
  };
  options.driverCache.put = [&](const DriverCacheKey &key, std::span<const uint8_t> bytes) {
    std::scoped_lock lock(mutex);
    callers.push_back(std::this_thread::get_id());
    values[key] = {bytes.begin(), bytes.end()};
  };
  for (const bool isFilled : {false, true}) {
    auto device = createDevice(options);
    ProgramRef program = makeProgram(*device, pairOfShaders());
    Binder binder(*device);
    CHECK(bindError(binder, program, pairState()) == "not ready");
    device->drain();
    CHECK(bindError(binder, program, pairState()) == "");
    // The program is known. This bind makes its new epilog itself, if it is encoded.
    CHECK(bindError(binder, program, pairState(VK_FORMAT_R32G32B32A32_SFLOAT)) == "");
    CHECK_FALSE(isCalledHere());
    CHECK(device->statistics().parts.made == (isFilled ? 1 : values.size() + 1));
  }
  CHECK_FALSE(callers.empty());
}

TEST_CASE("states that come to the same variant have one build, and each is told") {
  std::vector<void *> told;
  HeldDevice device({.onPublication = [&](const Publication &publication) { told.push_back(publication.stateUser); }});
  ProgramRef program = makeProgram(*device, pairOfShaders());
  Binder binder(*device);
  int users[2];
  const StateRef states[] = {makeState(pairState()->fields, &users[0]), makeState(pairState()->fields, &users[1])};
  for (const StateRef &state : states)
    CHECK(bindError(binder, program, state) == "not ready");
  CHECK(device->statistics().background.waiting == 1);
  device.finish();
  std::ranges::sort(told);
  CHECK(told == std::vector<void *>{&users[0], &users[1]});
  for (const StateRef &state : states)
    CHECK(bindError(binder, program, state) == "");
  CHECK(device->statistics().joinedVariants == 1);
}

TEST_CASE("a bind behind the publication finds the variant") {
  auto device = createDevice({.policy = OptimizationPolicy::Hot});
  constexpr int Rounds = 40;
  for (int round = 0; round < Rounds; ++round) {
    ProgramRef program = makeProgram(*device, pairOfShaders(round));
    device->drain(); // binds may find a variant before it is announced
    const uint64_t before = device->generation();
    auto bindsUntilReady = [&] {
      Binder binder(*device);
      for (;;) {
        const bool isPublished = device->generation() > before;
        const std::string error = bindError(binder, program, pairState());
        if (error == "")
          return;
        CHECK(error == "not ready");
        CHECK_FALSE(isPublished);
        if (isPublished)
          return;
      }
    };
    std::jthread another(bindsUntilReady);
    bindsUntilReady();
  }
}

TEST_CASE("a build that gives way to more urgent ones is told so, and asked for again") {
  struct Told {
    void *program;
    VariantRef variant;
  };
  std::vector<Told> told;
  HeldDevice device({.background = {.maxQueued = 1}, .onPublication = [&](const Publication &publication) {
                       told.push_back({publication.programUser, publication.variant});
                     }});
  int users[2];
  ProgramRef later = device->createProgram(pairOfShaders(0), nullptr, &users[0]).value(),
             urgent = device->createProgram(pairOfShaders(1), nullptr, &users[1]).value();
  Binder binder(*device);
  const BindOptions ahead = {.neverCompiles = true, .priority = JobPriority::Optional},
                    now = {.neverCompiles = true, .priority = JobPriority::Urgent};
  CHECK(bindError(binder, later, pairState(), ahead) == "not ready");
  CHECK(bindError(binder, urgent, pairState(), now) == "not ready");
  CHECK(told.empty()); // the bind itself tells nothing
  device.finish();
  REQUIRE(told.size() == 2);
  CHECK(told[0].program == &users[0]);
  CHECK(told[0].variant == nullptr);
  CHECK(told[1].program == &users[1]);
  CHECK(told[1].variant != nullptr);
  CHECK(bindError(binder, later, pairState(), ahead) == "not ready");
  device->drain();
  CHECK(bindError(binder, later, pairState(), ahead) == "");
}

TEST_CASE("builds of programs that have gone take no room from others") {
  HeldDevice device({.background = {.maxQueued = 1}});
  Binder binder(*device);
  ProgramRef gone = makeProgram(*device, pairOfShaders(0)), program = makeProgram(*device, pairOfShaders(1));
  CHECK(bindError(binder, gone, pairState()) == "not ready");
  gone.reset();
  CHECK(bindError(binder, program, pairState()) == "not ready");
  device.finish();
  CHECK(bindError(binder, program, pairState()) == "");
}

TEST_CASE("a bind that never compiles leaves eviction to the background") {
  HeldDevice device({.memoryBudget = 1});
  Binder binder(*device), other(*device);
  ProgramRef program = makeProgram(*device, pairOfShaders());
  bindNow(other, program, pairState());
  const uint64_t waiting = device->statistics().background.waiting;
  CHECK(bindError(binder, program, pairState(VK_FORMAT_R32G32B32A32_SFLOAT)) == "");
  CHECK(device->statistics().background.waiting == waiting + 1);
  device.finish();
}

TEST_CASE("states that ask for other main parts are joined at once, when these are there") {
  HeldDevice device({});
  Binder binder(*device);
  const ShaderRef vertex =
      compileGlsl(lgc::ShaderStage::Vertex, "layout(location = 0) in vec4 position;"
                                            "layout(location = 0) out vec4 color;"
                                            "void main() { gl_Position = position; color = position; }");
  ShaderDescription reads = compileGlsl(lgc::ShaderStage::Fragment,
                                        "layout(location = 0) in vec4 color; layout(location = 0) out vec4 target;"
                                        "void main() { target = color; }")
                                ->description;
  reads.colorInputs[0].front = 0;
  Result<ShaderRef> fragment = createShader(reads);
  REQUIRE(fragment.has_value());
  ProgramRef program = makeProgram(*device, {vertex, *fragment});
  auto stateOf = [&](bool clamps, VkFormat format) {
    PipelineState state = pairState(format)->fields;
    state.clampVertexColor = clamps;
    return makeState(state);
  };
  for (const bool clamps : {false, true}) {
    CAPTURE(clamps);
    bindNow(binder, program, stateOf(clamps, VK_FORMAT_R8G8B8A8_UNORM)); // compiles its main parts
    CHECK(bindError(binder, program, stateOf(clamps, VK_FORMAT_R32G32B32A32_SFLOAT)) == "");
  }
}

TEST_CASE("a build for equal programs is cancelled with the last of them") {
  HeldDevice device({});
  ProgramRef program = makeProgram(*device, pairOfShaders()), equal = makeProgram(*device, pairOfShaders());
  Binder binder(*device);
  CHECK(bindError(binder, program, pairState()) == "not ready");
  CHECK(bindError(binder, equal, pairState()) == "not ready");
  device->cancelBuilds(program);
  CHECK(device->statistics().background.waiting == 1);
  device->cancelBuilds(equal);
  CHECK(device->statistics().background.waiting == 0);
}

TEST_CASE("an equal program waits on when the one that asked goes") {
  unsigned told = 0;
  HeldDevice device({.onPublication = [&](const Publication &) { ++told; }});
  ProgramRef program = makeProgram(*device, pairOfShaders()), first = makeProgram(*device, pairOfShaders()),
             last = makeProgram(*device, pairOfShaders());
  Binder binder(*device);
  for (ProgramRef *each : {&first, &program, &last})
    CHECK(bindError(binder, *each, pairState()) == "not ready");
  first.reset();
  last.reset();
  CHECK(device->statistics().background.waiting == 1);
  device.finish();
  CHECK(told == 1);
  CHECK(bindError(binder, program, pairState()) == "");
}

TEST_CASE("a build that is waited for survives that memory runs short") {
  HeldDevice device({.firstTier = CodeTier::Llvm, .memoryBudget = 1});
  ProgramRef program = makeProgram(*device, pairOfShaders()), other = makeProgram(*device, pairOfShaders(1));
  Binder binder(*device), otherBinder(*device);
  CHECK(bindError(binder, program, pairState()) == "not ready");
  for (VkFormat format : {VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_R16G16B16A16_SFLOAT, VK_FORMAT_R32_SFLOAT})
    bindNow(otherBinder, other, pairState(format)); // evicts variants
  CHECK(bindError(binder, program, pairState()) == "not ready");
  CHECK(device->statistics().background.waiting == 1);
  device.finish();
  CHECK(device->generation() == 1);
}

TEST_CASE("a full background refuses, and is asked again by later binds") {
  HeldDevice device({.background = {.maxQueued = 1}});
  ProgramRef program = makeProgram(*device, pairOfShaders()), other = makeProgram(*device, pairOfShaders(1));
  Binder binder(*device);
  bindError(binder, program, pairState());
  Result<const Variant *> refused = binder.bind(other, pairState(), {}, NeverCompiles);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().text == "the variant takes a compiler, for which the background has no room");
  device.finish();
  for (int i = 0; i < 1000; ++i)
    bindError(binder, other, pairState());
  device->drain();
  CHECK(bindError(binder, other, pairState()) == "");
}

// SPDX-License-Identifier: MIT
//
// Binds that never compile: what they make themselves, what they leave to the background, and who is told.
#include "tests/variants/background_device.h"
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
  wrong.topology = VK_PRIMITIVE_TOPOLOGY_PATCH_LIST; // nothing here is tessellated
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
  CHECK(device->statistics().background.waiting == 1); // it was asked once
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
  HeldDevice device({});
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
  // Also where nothing but the first bind of a program takes the compiler.
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
  // Each of these returns at once, so many of them fit into the time of a compile.
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
  HeldDevice device({.onPublication = [&](const Publication &publication) { told += publication.variant != nullptr; }});
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
  HeldDevice device({.memoryBudget = 1});
  ProgramRef program = makeProgram(*device, pairOfShaders()), other = makeProgram(*device, pairOfShaders(1));
  Binder binder(*device), otherBinder(*device);
  CHECK(bindError(binder, program, pairState()) == "not ready");
  for (VkFormat format : {VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_R16G16B16A16_SFLOAT, VK_FORMAT_R32_SFLOAT})
    bindNow(otherBinder, other, pairState(format)); // evicts
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

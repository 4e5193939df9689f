// SPDX-License-Identifier: MIT
//
// The variants that a Binder finds, the bind that it remembers, and its counts. Variants are synthetic where no build
// matters.
#include "tests/variants/background/background_device.h"
#include "tests/variants/synthetic_variants.h"
#include <thread>

using namespace dovetail;

namespace {

const Variant *bindOrFail(Binder &binder, const ProgramRef &program, const StateRef &state) {
  Result<const Variant *> variant = binder.bind(program, state);
  if (!variant)
    FAIL(variant.error().text);
  return *variant;
}

} // namespace

TEST_CASE("what was bound last is bound again by a compare") {
  auto device = synthetic::makeDevice();
  ProgramRef program = synthetic::makeProgram(1);
  StateRef state = synthetic::makeState(1);
  VariantRef variant = synthetic::makeVariant(1);
  synthetic::insert(*device, program, state, variant);
  Binder binder(*device);
  for (int i = 0; i < 3; ++i)
    CHECK(bindOrFail(binder, program, state) == variant.get());
  CHECK(device->statistics().knownBinds == 1);
  CHECK(device->statistics().unchangedBinds == 2);
  CHECK(device->statistics().binds == 3);
}

TEST_CASE("what was bound before, and not last, is found in the table") {
  auto device = synthetic::makeDevice();
  ProgramRef program = synthetic::makeProgram(1);
  StateRef states[] = {synthetic::makeState(1), synthetic::makeState(2)};
  VariantRef variants[] = {synthetic::makeVariant(1), synthetic::makeVariant(2)};
  for (int i = 0; i < 2; ++i)
    synthetic::insert(*device, program, states[i], variants[i]);
  Binder binder(*device);
  for (int i : {0, 1, 0, 1})
    CHECK(bindOrFail(binder, program, states[i]) == variants[i].get());
  CHECK(device->statistics().knownBinds == 4);
}

TEST_CASE("what is prefetched, known or not, is bound as if it had not been") {
  std::unique_ptr<Device> device = synthetic::makeDevice();
  const ProgramRef program = synthetic::makeProgram(0);
  const StateRef first = synthetic::makeState(0), second = synthetic::makeState(1), unknown = synthetic::makeState(2);
  synthetic::insert(*device, program, first, synthetic::makeVariant(0));
  synthetic::insert(*device, program, second, synthetic::makeVariant(1));
  Binder binder(*device);
  const Variant *bound = *binder.bind(program, first);
  for (const StateRef &state : {first, second, unknown})
    binder.prefetch(program, state);
  CHECK(binder.current().get() == bound);
  CHECK(*binder.bind(program, first) == bound);
  CHECK(*binder.bind(program, second) != bound);
  CHECK(binder.statistics().unchanged == 1);
}

TEST_CASE("programs and states that were made twice are the same") {
  auto device = synthetic::makeDevice();
  VariantRef variant = synthetic::makeVariant(1);
  synthetic::insert(*device, synthetic::makeProgram(1), synthetic::makeState(1), variant);
  Binder binder(*device);
  for (int i = 0; i < 3; ++i)
    CHECK(bindOrFail(binder, synthetic::makeProgram(1), synthetic::makeState(1)) == variant.get());
  CHECK(device->statistics().unchangedBinds == 2);
}

TEST_CASE("a state of plain fields finds what a state object finds") {
  auto device = synthetic::makeDevice();
  ProgramRef program = synthetic::makeProgram(1);
  StateRef state = synthetic::makeState(1);
  VariantRef variant = synthetic::makeVariant(1);
  synthetic::insert(*device, program, state, variant);
  Binder binder(*device);
  CHECK(*binder.bind(program, state->fields) == variant.get());
  CHECK(*binder.bind(program, state->fields) == variant.get());
  CHECK(bindOrFail(binder, program, state) == variant.get());
  CHECK(device->statistics().unchangedBinds == 2);
}

TEST_CASE("a stride is the descriptors' and makes no other variant") {
  auto device = synthetic::makeDevice();
  ProgramRef program = synthetic::makeProgram(1);
  PipelineState fields;
  fields.vertexBindings = {{0, 16, VK_VERTEX_INPUT_RATE_VERTEX, 1}};
  VariantRef variant = synthetic::makeVariant(1);
  synthetic::insert(*device, program, makeState(fields), variant);
  Binder binder(*device);
  CHECK(*binder.bind(program, fields) == variant.get());
  fields.vertexBindings[0].stride = 32;
  CHECK(*binder.bind(program, fields) == variant.get());
  fields.vertexBindings[0].divisor = 2;
  CHECK_FALSE(binder.bind(program, fields).has_value());
}

TEST_CASE("states that come to the same for these shaders share a variant") {
  DeviceOptions options;
  options.gpuName = "gfx900";
  std::unique_ptr<Device> device = createDevice(options);
  ProgramRef program = makeProgram(*device, pairOfShaders());
  PipelineState other = pairState()->fields;
  other.patchControlPoints = 7;                                     // the program has no patches
  other.colorTargets[0].srcColorBlendFactor = VK_BLEND_FACTOR_ZERO; // blending is off
  Binder binder(*device);
  VariantRef variant = bindNow(binder, program, pairState());
  CHECK(bindNow(binder, program, makeState(other)) == variant);
  CHECK(device->statistics().joinedVariants == 1);
}

TEST_CASE("an Error changes nothing") {
  DeviceOptions options;
  options.gpuName = "gfx900";
  std::unique_ptr<Device> device = createDevice(options);
  ProgramRef program = makeProgram(*device, pairOfShaders());
  Binder binder(*device);
  CHECK(binder.current() == nullptr);
  PipelineState wrong = pairState()->fields;
  wrong.colorTargets[0].format = VK_FORMAT_R32G32B32A32_UINT; // the shader writes floats
  CHECK_FALSE(binder.bind(program, makeState(wrong)).has_value());
  CHECK(binder.current() == nullptr);

  VariantRef variant = bindNow(binder, program, pairState());
  for (int i = 0; i < 2; ++i) {
    Result<const Variant *> failed = binder.bind(program, makeState(wrong));
    REQUIRE_FALSE(failed.has_value());
    CHECK((failed.error().code == ErrorCode::StateMismatch));
    CHECK(binder.current() == variant);
  }
  uint64_t unchanged = device->statistics().unchangedBinds;
  CHECK(bindNow(binder, program, pairState()) == variant);
  CHECK(device->statistics().unchangedBinds == unchanged + 1);
  CHECK(device->statistics().failedBuilds == 3); // no failure is remembered
}

TEST_CASE("what is published is adopted by a bind that changes nothing") {
  auto device = synthetic::makeDevice();
  ProgramRef program = synthetic::makeProgram(1);
  StateRef state = synthetic::makeState(1);
  VariantRef joined = synthetic::makeVariant(1), optimized = synthetic::makeVariant(2);
  synthetic::insert(*device, program, state, joined);
  Binder binder(*device);
  CHECK(bindOrFail(binder, program, state) == joined.get());
  synthetic::publish(*device, program, state, optimized);
  CHECK(binder.current() == joined); // until the next bind
  CHECK(bindOrFail(binder, program, state) == optimized.get());
  CHECK(device->generation() == 1);
}

TEST_CASE("what was replaced is freed once no Binder has it") {
  auto device = synthetic::makeDevice();
  ProgramRef program = synthetic::makeProgram(1);
  StateRef state = synthetic::makeState(1);
  VariantRef joined = synthetic::makeVariant(1);
  device->core().tables().fillSlot(synthetic::slotKey(program, state), joined, 0);
  Binder binder(*device);
  bindOrFail(binder, program, state);
  std::weak_ptr<const Variant> weak = joined;
  joined.reset();
  synthetic::publish(*device, program, state, synthetic::makeVariant(2));
  CHECK_FALSE(weak.expired());
  bindOrFail(binder, program, state);
  device->core().tables().collect();
  CHECK(weak.expired());
}

TEST_CASE("counts of Binders that are gone stay in the statistics") {
  auto device = synthetic::makeDevice();
  ProgramRef program = synthetic::makeProgram(1);
  StateRef state = synthetic::makeState(1);
  synthetic::insert(*device, program, state, synthetic::makeVariant(1));
  for (int i = 0; i < 2; ++i) {
    Binder binder(*device);
    bindOrFail(binder, program, state);
    bindOrFail(binder, program, state);
  }
  CHECK(device->statistics().binds == 4);
  CHECK(device->statistics().knownBinds == 2);
  CHECK(device->statistics().unchangedBinds == 2);
}

TEST_CASE("programs of the same shaders under another layout are other programs") {
  DeviceOptions options;
  options.gpuName = "gfx900";
  std::unique_ptr<Device> device = createDevice(options);
  std::vector<ShaderRef> shaders = pairOfShaders();
  ProgramRef program = makeProgram(*device, shaders);
  UserDataNodes layout = program->set.userDataNodes();
  CHECK((*device->createProgram(shaders, &layout))->hash == program->hash);
  UserDataNode node;
  node.sizeInDwords = 3;
  layout.push_back(node);
  CHECK((*device->createProgram(shaders, &layout))->hash != program->hash);
}

TEST_CASE("a main part that was compiled when its shader was made is not made again") {
  DeviceOptions options;
  options.gpuName = "gfx900";
  std::unique_ptr<Device> device = createDevice(options);
  std::vector<ShaderRef> shaders;
  for (const ShaderRef &shader : pairOfShaders()) {
    Result<ShaderRef> made = device->createShader(shader->description, CompileTime::Now);
    if (!made)
      FAIL(made.error().text);
    shaders.push_back(*made);
  }
  CHECK(device->statistics().parts.made == 2);
  Binder binder(*device);
  for (const PartUse &use : bindNow(binder, makeProgram(*device, shaders), pairState())->partUses())
    CHECK_FALSE(
        (use.made && (use.part->key.kind == PartKind::VertexMain || use.part->key.kind == PartKind::FragmentMain)));
}

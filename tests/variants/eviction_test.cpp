// SPDX-License-Identifier: MIT
//
// The memory budget: the variants that go, and those that stay. Variants are synthetic and of 100 KB.
#include "tests/variants/background/background_device.h"
#include "tests/variants/synthetic_variants.h"

using namespace dovetail;

namespace {

constexpr size_t Large = 100'000;

struct Bound {
  ProgramRef program;
  StateRef state;
};

Bound insertLarge(Device &device, unsigned number) {
  Bound bound = {synthetic::makeProgram(number), synthetic::makeState(number)};
  synthetic::insert(device, bound.program, bound.state, synthetic::makeVariant(number, Large));
  return bound;
}

bool hasSlot(Device &device, const Hash128 &key) {
  return device.core().tables().withExistingSlot(key, [](VariantSlot &) {});
}

bool isKnown(Device &device, const Bound &bound) {
  return hasSlot(device, synthetic::slotKey(bound.program, bound.state));
}

} // namespace

TEST_CASE("nothing goes while the budget suffices") {
  auto device = synthetic::makeDevice(10 * (Large + 20'000));
  for (unsigned number = 0; number < 9; ++number)
    insertLarge(*device, number);
  device->core().budget().enforce();
  CHECK(device->statistics().variants == 9);
  CHECK(device->statistics().evictedVariants == 0);
}

TEST_CASE("beyond the budget, what was not bound for longest goes first") {
  auto device = synthetic::makeDevice(10 * Large);
  std::vector<Bound> bounds;
  for (unsigned number = 0; number < 9; ++number)
    bounds.push_back(insertLarge(*device, number));
  {
    Binder binder(*device); // uses the first ones again
    CHECK(binder.bind(bounds[0].program, bounds[0].state).has_value());
    CHECK(binder.bind(bounds[1].program, bounds[1].state).has_value());
  }
  for (unsigned number = 9; number < 12; ++number)
    bounds.push_back(insertLarge(*device, number));
  device->core().budget().enforce();
  CHECK(device->core().budget().heldBytes() <= 10 * Large);
  CHECK(device->statistics().evictedVariants == 12 - device->statistics().variants);
  for (unsigned number : {0, 1, 9, 10, 11})
    CHECK(isKnown(*device, bounds[number]));
  for (unsigned number : {2, 3, 4})
    CHECK_FALSE(isKnown(*device, bounds[number]));
}

TEST_CASE("of many variants, one call looks at some, and what was bound lately stays") {
  constexpr unsigned Count = 20'000, Recent = 4000, More = 4000;
  const uint64_t bytesOfEach = memoryBytes(synthetic::makeVariant(0, 200).get()) + 2 * sizeof(VariantSlot);
  auto device = synthetic::makeDevice(Count * bytesOfEach);
  Binder binder(*device);
  std::vector<Bound> bounds;
  auto insert = [&](unsigned number) {
    bounds.push_back({synthetic::makeProgram(number), synthetic::makeState(0)});
    synthetic::insert(*device, bounds.back().program, bounds.back().state, synthetic::makeVariant(number, 200));
  };
  unsigned number = 0;
  while (device->core().budget().heldBytes() < (Count - Count / 32) * bytesOfEach)
    insert(number++);
  REQUIRE(number > 2 * Recent);
  for (unsigned recent = 0; recent < Recent; ++recent) // the first ones
    CHECK(binder.bind(bounds[recent].program, bounds[recent].state).has_value());
  uint64_t most = 0;
  for (unsigned i = 0; i < More; ++i) {
    insert(number++);
    uint64_t before = device->statistics().evictedVariants;
    device->core().budget().enforce();
    most = std::max(most, device->statistics().evictedVariants - before);
    CHECK(device->core().budget().heldBytes() <= Count * bytesOfEach);
  }
  CHECK(most > 0);
  CHECK(most < 64);
  unsigned gone = 0, goneRecent = 0;
  for (unsigned i = 0; i < number; ++i)
    if (!isKnown(*device, bounds[i]))
      ++(i < Recent ? goneRecent : gone);
  CHECK(gone > More / 2);
  CHECK(goneRecent == 0);
}

TEST_CASE("a variant of several slots goes with the last of them") {
  auto device = synthetic::makeDevice(Large);
  Bound first = insertLarge(*device, 0);
  VariantRef variant = device->core().tables().findVariant(synthetic::makeVariant(0)->key);
  Bound second = {synthetic::makeProgram(0), synthetic::makeState(1)};
  device->core().tables().fillSlot(synthetic::slotKey(second.program, second.state), variant, 0);
  CHECK(variant->slotCount == 2);
  {
    Binder binder(*device);
    CHECK(*binder.bind(second.program, second.state) == variant.get());
    variant.reset();
    device->core().budget().enforce();
    CHECK(device->statistics().variants == 1); // the bound one
  }
  device->core().budget().enforce();
  CHECK(device->statistics().variants == 0);
  CHECK_FALSE(isKnown(*device, first));
  CHECK_FALSE(isKnown(*device, second));
}

TEST_CASE("what somebody refers to stays") {
  auto device = synthetic::makeDevice(2 * Large);
  Bound held = insertLarge(*device, 0);
  VariantRef reference;
  {
    Binder binder(*device);
    CHECK(binder.bind(held.program, held.state).has_value());
    reference = binder.current();
  }
  for (unsigned number = 1; number < 6; ++number)
    insertLarge(*device, number);
  device->core().budget().enforce();
  CHECK(isKnown(*device, held));
  CHECK(device->statistics().evictedVariants > 0);

  reference.reset();
  for (unsigned number = 6; number < 9; ++number)
    insertLarge(*device, number);
  device->core().budget().enforce();
  CHECK_FALSE(isKnown(*device, held));
}

TEST_CASE("what a Binder has bound stays") {
  auto device = synthetic::makeDevice(2 * Large);
  Bound held = insertLarge(*device, 0);
  Binder binder(*device);
  const Variant *variant = *binder.bind(held.program, held.state);
  for (unsigned number = 1; number < 6; ++number)
    insertLarge(*device, number);
  device->core().budget().enforce();
  CHECK(device->statistics().evictedVariants > 0);
  CHECK(*binder.bind(held.program, held.state) == variant);
}

TEST_CASE("a variant outlives its eviction while it is referred to") {
  auto device = synthetic::makeDevice();
  Bound bound = insertLarge(*device, 0);
  Binder binder(*device);
  VariantRef variant = (*binder.bind(bound.program, bound.state))->shared_from_this();
  device->core().tables().removeSlots([](const VariantSlot &) { return true; });
  device->core().tables().collect();
  CHECK(variant->image->code.size() == Large);
  CHECK(binder.current() == variant); // although it is not found any more
  CHECK_FALSE(binder.bind(bound.program, bound.state).has_value());
  CHECK(binder.current() == variant);
}

TEST_CASE("a variant outlives its device") {
  auto device = synthetic::makeDevice();
  Bound bound = insertLarge(*device, 0);
  VariantRef variant;
  {
    Binder binder(*device);
    CHECK(binder.bind(bound.program, bound.state).has_value());
    variant = binder.current();
  }
  device.reset();
  CHECK(variant->image->code.size() == Large);
  CHECK(variant.use_count() == 1);
}

TEST_CASE("what is all referred to is kept beyond the budget, and goes when it is not") {
  auto device = synthetic::makeDevice(Large);
  std::vector<VariantRef> references;
  for (unsigned number = 0; number < 5; ++number) {
    references.push_back(synthetic::makeVariant(number, Large));
    synthetic::insert(*device, synthetic::makeProgram(number), synthetic::makeState(number), references.back());
  }
  device->core().budget().enforce();
  CHECK(device->statistics().variants == 5);
  references.clear();
  device->core().budget().enforce();
  CHECK(device->core().budget().heldBytes() <= Large);
}

TEST_CASE("an evicted variant is built again, from parts that stayed") {
  DeviceOptions options;
  options.gpuName = "gfx900";
  options.firstTier = CodeTier::Llvm; // a change-over is another join
  std::unique_ptr<Device> device = createDevice(options);
  ProgramRef program = makeProgram(*device, pairOfShaders());
  Binder binder(*device);
  bindNow(binder, program, pairState());
  bindNow(binder, program, pairState(VK_FORMAT_R32G32B32A32_SFLOAT)); // so that the other one is no longer pinned
  device->core().tables().evictFromSample(1);
  CHECK(device->statistics().evictedVariants == 1);
  uint64_t partsMade = device->statistics().parts.made;
  VariantRef again = bindNow(binder, program, pairState());
  CHECK(device->statistics().joinedVariants == 3);
  CHECK(device->statistics().parts.made == partsMade);
}

TEST_CASE("parts that no variant uses go when there are no more variants to evict") {
  DeviceOptions options;
  options.firstTier = CodeTier::Llvm;
  options.gpuName = "gfx900";
  options.memoryBudget = 1; // keeps only what is referred to
  std::unique_ptr<Device> device = createDevice(options);
  ProgramRef program = makeProgram(*device, pairOfShaders());
  Binder binder(*device);
  VariantRef first = bindNow(binder, program, pairState());
  VariantRef second = bindNow(binder, program, pairState(VK_FORMAT_R32G32B32A32_SFLOAT));
  CHECK(device->statistics().evictedParts == 0);
  CHECK(device->statistics().variants == 2);
  first.reset();
  device->core().budget().enforce();
  CHECK(device->statistics().variants == 1);
  CHECK(device->statistics().evictedParts == 1); // its epilog
  CHECK(bindNow(binder, program, pairState(VK_FORMAT_R32G32B32A32_SFLOAT)) == second);
}

TEST_CASE("slots that have no variant go with the others") {
  auto device = synthetic::makeDevice(1);
  device->core().tables().withSlot({1, 1}, [](VariantSlot &) {});
  device->core().budget().enforce();
  CHECK_FALSE(hasSlot(*device, {1, 1}));
}

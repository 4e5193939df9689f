// SPDX-License-Identifier: MIT
//
// The number of allocations for a new variant: one, with its image, code, stages, parts and registers, which are
// exactly as long as they must be.
#include "merge/join.h"
#include "tests/failing_allocations.h"
#include "tests/variants/background/background_device.h"
#include "variants/assemble/join_programs.h"
#include "variants/state/default_state.h"

using namespace dovetail;
using dovetail::test::allocationsLeft;

namespace {

// `make` returns a Result of a pointer to a Variant. The variant and its image must fit into the room of one
// allocation.
template <typename Make> auto madeInOneAllocation(const Make &make) {
  constexpr long Many = 1'000'000;
  allocationsLeft = Many;
  auto variant = make();
  const long taken = Many - allocationsLeft;
  allocationsLeft = -1;
  REQUIRE(variant.has_value());
  CHECK(taken == 1);
  return std::move(*variant);
}

void checkSizes(const Image &image) {
  CHECK(image.code.capacity() == image.code.size());
  CHECK(image.stages.capacity() == image.stages.size());
  CHECK(image.parts.capacity() == image.parts.size());
  CHECK(image.registers.capacity() == image.registers.size());
}

} // namespace

TEST_CASE("a variant that is joined or combined takes one allocation, in which all is as long as it has to be") {
  DeviceOptions options;
  options.gpuName = "gfx900";
  std::unique_ptr<Device> device = createDevice(std::move(options));
  Binder binder(*device);
  ProgramRef program = makeProgram(*device, pairOfShaders());
  PipelineState state = defaultState(program->set);
  const VariantRef front = bindNow(binder, program, makeState(state));
  state.colorTargets[0].writeMask = 1;
  const VariantRef pixel = bindNow(binder, program, makeState(state));

  const VariantRef combined = madeInOneAllocation([&] {
    return combineVariant(*front->image, *pixel->image, {{1, 1}});
  });
  checkSizes(*combined->image);

  const Image &image = *front->image;
  std::vector<StageParts> stages;
  for (const ImageStage &stage : image.stages) {
    stages.emplace_back().stage = stage.stage;
    for (unsigned index = 0; index < stage.partCount; ++index)
      stages.back().parts.push_back(image.parts[stage.firstPart + index].part);
  }
  const JoinInput input = {stages, state, device->target(), image.apiShaders, image.layout};
  const VariantRef joined = madeInOneAllocation([&] { return joinStages(input, {{2, 2}}); });
  checkSizes(*joined->image);
}

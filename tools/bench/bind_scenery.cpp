// SPDX-License-Identifier: MIT
#include "tools/bench/bind_scenery.h"
#include "variants/bind/device_core.h"
#include <algorithm>
#include <random>

namespace dovetail {

namespace {

PipelineState makeFields(uint32_t number) {
  PipelineState fields;
  fields.vertexBindings = {{0, 32, VK_VERTEX_INPUT_RATE_VERTEX, 1}};
  for (uint32_t location = 0; location < 4; ++location)
    fields.vertexAttributes.push_back({location, 0, VK_FORMAT_R32G32B32_SFLOAT, location * 12 + number});
  fields.colorTargets[0].format = VK_FORMAT_R8G8B8A8_UNORM;
  fields.colorTargets[0].blendEnable = number % 2 != 0;
  return fields;
}

} // namespace

Result<BindScenery> makeBindScenery(uint32_t programs, uint32_t states) {
  BindScenery scenery;
  DeviceOptions options;
  options.gpuName = "gfx900";
  options.memoryBudget = uint64_t(1) << 40;
  scenery.device = DOVETAIL_TRY(Device::create(std::move(options)));
  for (uint64_t number = 0; number < programs; ++number)
    scenery.programs.push_back(makeProgram({}, Hasher().add(number).finish()));
  for (uint32_t number = 0; number < states; ++number)
    scenery.states.push_back(makeState(makeFields(number)));
  for (uint32_t program = 0; program < programs; ++program)
    for (uint32_t state = 0; state < states; ++state)
      scenery.order.push_back({program, state});
  std::ranges::shuffle(scenery.order, std::mt19937(1));

  static const Image image;
  for (const BindScenery::Pair &pair : scenery.order) {
    auto variant = std::make_shared<Variant>();
    const Hash128 key = makeSlotKey(scenery.programs[pair.program]->bindHash, scenery.states[pair.state]->hash, {});
    variant->key.hash = key;
    variant->image = &image;
    scenery.device->core().tables().fillSlot(key, variant, 0);
  }
  return scenery;
}

} // namespace dovetail

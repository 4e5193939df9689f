// SPDX-License-Identifier: MIT
//
// Variants that no compiler made, so that tests of tables and binds can have thousands. Their programs have no shaders.
// A variant that is no longer in the tables cannot be built, and binding it is an Error.
#pragma once

#include "variants/bind/binder.h"
#include "variants/bind/device_core.h"
#include <doctest/doctest.h>
#include <functional>

namespace dovetail::synthetic {

inline std::unique_ptr<Device> makeDevice(uint64_t memoryBudget = uint64_t(1) << 40) {
  DeviceOptions options;
  options.gpuName = "gfx900";
  options.memoryBudget = memoryBudget;
  Result<std::unique_ptr<Device>> device = Device::create(std::move(options));
  if (!device)
    FAIL(device.error().text);
  return std::move(*device);
}

inline ProgramRef makeProgram(uint64_t number) {
  return dovetail::makeProgram({}, Hasher().add(number).finish());
}

inline StateRef makeState(uint32_t number) {
  PipelineState fields;
  fields.patchControlPoints = number;
  return dovetail::makeState(fields);
}

// Variants of different numbers have different keys.
inline VariantRef makeVariant(uint64_t number, size_t codeBytes = 256) {
  auto variant = makeWithRoom<VariantInRoom>(bytesOfArrays(codeBytes, 0, 0, 0));
  variant->key.hash = Hasher().add(std::string_view("synthetic")).add(number).finish();
  variant->held.image.code.resize(codeBytes, 0);
  return variant;
}

inline Hash128 slotKey(const ProgramRef &program, const StateRef &state) {
  return makeSlotKey(program->bindHash, state->hash, {});
}

// Has the tables hold the variant for this program and state, as after a build.
inline void insert(Device &device, const ProgramRef &program, const StateRef &state, const VariantRef &variant) {
  DeviceCore &core = device.core();
  CHECK(core.tables().getOrMake(variant->key, [&]() -> Result<VariantRef> { return variant; }).has_value());
  core.tables().fillSlot(slotKey(program, state), variant, 0);
}

// Publishes the variant, as when the background has built something better.
inline void publish(Device &device, const ProgramRef &program, const StateRef &state, const VariantRef &variant) {
  const Hash128 key = slotKey(program, state);
  device.core().publish({{key, {}}}, variant);
}

// Removes slots from all shards. Returns their number.
inline size_t removeSlots(BindTable &table, const std::function<bool(const VariantSlot &)> &mayGo) {
  size_t count = 0;
  for (size_t shard = 0; shard < BindTable::ShardCount; ++shard)
    count += table.removeIf(shard, mayGo);
  return count;
}

} // namespace dovetail::synthetic

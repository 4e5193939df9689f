// SPDX-License-Identifier: MIT
//
// Addresses of buffers in the memory of whoever draws a scene.
#pragma once

#include "tools/proof/scene/scene.h"
#include <functional>
#include <span>

namespace dovetail {

constexpr size_t SceneAddressBytes = 8;

// The address of one of Scene::buffers.
using AddressOfBuffer = std::function<uint64_t(uint32_t buffer)>;

// Writes the addresses that a buffer, or (NoSceneBuffer) the push constants, hold; `bytes` is all of it.
void writeAddresses(const Scene &scene, uint32_t holder, const AddressOfBuffer &addressOf, std::span<uint8_t> bytes);

// Zeros for those that are still there, so that results do not depend on where buffers lie.
void eraseAddresses(const Scene &scene, uint32_t holder, const AddressOfBuffer &addressOf, std::span<uint8_t> bytes);

} // namespace dovetail

// SPDX-License-Identifier: MIT
//
// Buffer addresses in the memory of an implementation that draws a scene.
#pragma once

#include "tools/proof/scene/scene.h"
#include <functional>
#include <span>

namespace dovetail {

constexpr size_t SceneAddressBytes = 8;

// The address of one of Scene::buffers.
using AddressOfBuffer = std::function<uint64_t(uint32_t buffer)>;

// Writes all addresses that a buffer, or (NoSceneBuffer) the push constants, hold; `bytes` is the whole buffer.
void writeAddresses(const Scene &scene, uint32_t holder, const AddressOfBuffer &addressOf, std::span<uint8_t> bytes);

// Puts zeros over addresses that are unchanged, so that results do not depend on the buffers' places.
void eraseAddresses(const Scene &scene, uint32_t holder, const AddressOfBuffer &addressOf, std::span<uint8_t> bytes);

} // namespace dovetail

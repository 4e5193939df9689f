// SPDX-License-Identifier: MIT
#include "tools/proof/scene/scene_addresses.h"
#include <cstring>

namespace dovetail {

namespace {

template <typename F>
void eachAddress(const Scene &scene, uint32_t holder, const AddressOfBuffer &addressOf, std::span<uint8_t> bytes,
                 F each) {
  for (const SceneAddress &address : scene.addresses)
    if (address.holder == holder && uint64_t(address.offset) + SceneAddressBytes <= bytes.size())
      each(addressOf(address.buffer), bytes.data() + address.offset);
}

} // namespace

void writeAddresses(const Scene &scene, uint32_t holder, const AddressOfBuffer &addressOf, std::span<uint8_t> bytes) {
  eachAddress(scene, holder, addressOf, bytes,
              [](uint64_t address, uint8_t *place) { std::memcpy(place, &address, SceneAddressBytes); });
}

void eraseAddresses(const Scene &scene, uint32_t holder, const AddressOfBuffer &addressOf, std::span<uint8_t> bytes) {
  eachAddress(scene, holder, addressOf, bytes, [](uint64_t address, uint8_t *place) {
    if (std::memcmp(place, &address, SceneAddressBytes) == 0)
      std::memset(place, 0, SceneAddressBytes);
  });
}

} // namespace dovetail

// SPDX-License-Identifier: MIT
//
// Puts the caller's memory into a scene (buffers, images, samplers), and copies it back after shaders have written to
// it.
#pragma once

#include "tools/proof/emulator/c_api/dovetail_emulator.h"
#include "tools/proof/scene/scene.h"
#include "variants/c_api/convert/failure.h"
#include <map>
#include <span>

namespace dovetail::emulator_library {

class SceneMemory {
public:
  explicit SceneMemory(Scene &scene) : m_scene(scene) {}

  // Errors: DOVETAIL_BAD_ARGUMENT for missing memory, and for the same memory in two sizes.
  c_api::Outcome<void> addDescriptors(const dovetail_emulator_descriptor *descriptors, size_t count);
  c_api::Outcome<void> addPushConstants(const void *data, size_t size);
  c_api::Outcome<void> addTransformFeedback(std::span<const dovetail_emulator_memory> buffers);

  // Copies the results into the caller's memory.
  void writeBack(const SceneResult &result) const;

private:
  struct Place {
    uint32_t index;
    bool isWritten = false;
  };

  c_api::Outcome<Place *> addBuffer(void *data, size_t size, const std::string &name);
  c_api::Outcome<Place *> addImage(const dovetail_emulator_image *image, const std::string &name);
  c_api::Outcome<uint32_t> addSampler(const dovetail_emulator_sampler *sampler, const std::string &name);

  Scene &m_scene;
  std::map<void *, Place> m_buffers, m_images; // by the caller's address
};

} // namespace dovetail::emulator_library

// SPDX-License-Identifier: MIT
//
// Puts a scene's resources into the emulator's memory: buffers, images, descriptor tables, the root table and the
// vertex buffer table.
#pragma once

#include "src/base/error.h"
#include "tools/proof/emulator/run/run.h"
#include "tools/proof/scene/scene.h"
#include "variants/shader.h"
#include <vector>

namespace dovetail {

// Pointers are the low halves of addresses, as in user SGPRs.
struct BoundResources {
  std::vector<uint64_t> buffers, images; // addresses, in the scene's order
  std::vector<uint32_t> root;            // the root table's dwords
  uint32_t spillTable = 0;               // pointer to the root table in memory
  uint32_t vertexBufferTable = 0;        // pointer to a table with one V# for each binding number from 0 on
};

// Errors: StateMismatch, naming what the root table has and the scene lacks; Unsupported for formats that the hardware
// lacks.
Result<BoundResources> bindResources(emulator::Gpu &gpu, const Scene &scene, const ShaderSet &shaders);

// Reads the present content of buffers and images.
void readResources(emulator::Gpu &gpu, const Scene &scene, const BoundResources &bound, SceneResult &result);

} // namespace dovetail

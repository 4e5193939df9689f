// SPDX-License-Identifier: MIT
//
// A test must say exactly what the compiler may know. So this builds a monolithic variant whose stages are compiled
// under given knowledge (src/state/stage_knowledge.h), and the joined variant beside it.
#pragma once

#include "src/state/stage_knowledge.h"
#include "tools/proof/scene/scene.h"
#include "variants/bind/device.h"
#include <array>

namespace dovetail {

// By lgc::ShaderStage.
using KnowledgeByStage = std::array<StageKnowledge, lgc::ShaderStageCount>;

// The running test fails if the variant cannot be built, or does not pass checkImage().
VariantRef buildUnderKnowledge(Device &device, const ShaderSet &shaders, const PipelineState &state,
                               const KnowledgeByStage &knowledge);

// The joined variant: no part of it is compiled for it alone. Fails the test in the same cases.
VariantRef buildJoined(Device &device, const ShaderSet &shaders, const PipelineState &state);

// Draws the scene with the variant. The test fails if the program traps.
SceneResult drawWith(const Variant &variant, const Scene &scene, const ShaderSet &shaders);

// The counts of the program that runs the stage.
uint32_t instructionsOf(const Variant &variant, HardwareStage stage);
uint32_t vgprsOf(const Variant &variant, HardwareStage stage);

} // namespace dovetail

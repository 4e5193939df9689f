// SPDX-License-Identifier: MIT
//
// A monolithic variant whose stages are compiled under given knowledge (src/state/stage_knowledge.h), beside the joined
// one, so that a test can say exactly what is known and nothing else.
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

// The same without parts that are compiled for it.
VariantRef buildJoined(Device &device, const ShaderSet &shaders, const PipelineState &state);

// The scene drawn with it; the test fails if that traps.
SceneResult drawWith(const Variant &variant, const Scene &scene, const ShaderSet &shaders);

// Of the program that runs the stage.
uint32_t instructionsOf(const Variant &variant, HardwareStage stage);
uint32_t vgprsOf(const Variant &variant, HardwareStage stage);

} // namespace dovetail

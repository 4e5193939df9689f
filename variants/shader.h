// SPDX-License-Identifier: MIT
//
// Shader: an API shader as the driver handed it over, read and reflected once. ShaderSet: the shaders of one pipeline
// and the layout of the root table that they share.
#pragma once

#include "src/base/hash.h"
#include "src/lgc/state/compile_options.h"
#include "src/spirv/module/specialize.h"
#include "src/spirv/reflect/reflection.h"
#include "src/state/resource_layout.h"
#include "variants/user_data_layout.h"
#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace dovetail {

struct ShaderDescription {
  std::string name; // its name in Errors and reports
  std::vector<uint32_t> words;
  std::string entryPoint = "main";
  lgc::ShaderStage stage = lgc::ShaderStage::Vertex;
  std::vector<spirv::SpecConstant> specConstants;
  // Fragment shaders of GL: the inputs that are the primary and secondary colour.
  std::array<lgc::ColorInputLocations, 2> colorInputs;
  // The API whose rules the module follows; it also decides where resources are (opengl_uniforms.h).
  spirv::Environment environment = spirv::Environment::Vulkan;
  lgc::ShaderOptions options;
  bool needsFullSubgroups = false;                 // compute shaders: each lane of each wave has an invocation
  uint32_t deviceIndex = lgc::DeviceIndexOfDriver; // the value of gl_DeviceIndex
  unsigned optimizationLevel = 2;                  // 0..3
};

// Immutable.
struct Shader {
  ShaderDescription description;
  spirv::Reflection reflection;
  Hash128 wordsHash;
  Hash128 hash; // of the description without the name
  // Whether it is the control shader of a program that has none (pass_through.h); its words are then no SPIR-V.
  bool passesThrough = false;
};

using ShaderRef = std::shared_ptr<const Shader>;

// Computes Shader::hash. `words`: the hash of the words.
Hash128 hashDescription(const ShaderDescription &description, const Hash128 &words);

// Validates and reflects a module. `store` remembers valid modules beyond the process; it may be null. Thread-safe.
// Errors, with the shader's name in front: InvalidInput, Unsupported, StateMismatch for subgroups that the shader
// cannot have.
Result<ShaderRef> createShader(ShaderDescription description, spirv::ValidModuleStore *store = nullptr);

struct ShaderSet {
  std::array<ShaderRef, lgc::ShaderStageCount> shaders; // by lgc::ShaderStage
  ResourceLayoutRef layout;                             // nullptr: there is none, which equals an empty layout

  const ShaderRef &shader(lgc::ShaderStage stage) const { return shaders[static_cast<size_t>(stage)]; }
  // nullptr if there is no shader of that stage.
  const spirv::Reflection *reflection(lgc::ShaderStage stage) const;
  uint32_t stageMask() const;
  // The stage behind this one; Fragment if it is the fragment shader or the rasteriser.
  lgc::ShaderStage stageBehind(lgc::ShaderStage stage) const;
  // The stage whose outputs go to the rasteriser; nothing for compute shaders.
  std::optional<lgc::ShaderStage> lastInFront() const;
  const UserDataNodes &userDataNodes() const;
  const std::vector<uint32_t> &immutableSamplers() const; // ResourceLayout's
};

// Makes a set with the automatic layout (user_data_layout.h). An OpenGL evaluation shader without a control shader gets
// the one that passes patches through (pass_through.h). Errors: InvalidInput for two shaders of one stage;
// StateMismatch if their resources cannot be laid out together; those of passThroughControl().
Result<ShaderSet> makeShaderSet(std::span<const ShaderRef> shaders, const AutomaticLayout &options = {});
// The same with the caller's layout and its own samplers (ResourceLayout::immutableSamplers()). Errors: InvalidInput
// for two shaders of one stage; those of passThroughControl().
Result<ShaderSet> makeShaderSet(std::span<const ShaderRef> shaders, UserDataNodes layout,
                                std::vector<uint32_t> immutableSamplers = {});

} // namespace dovetail

// SPDX-License-Identifier: MIT
//
// What an entry point needs from the outside, read from its module without translating it. Only resources, push
// constants and interface variables that the entry point's static call tree uses are listed.
#pragma once

#include "src/abi/shader_interface.h"
#include "src/base/error.h"
#include "src/lgc/shader_modes.h"
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace dovetail::spirv {

enum class DescriptorKind {
  UniformBuffer,
  StorageBuffer,
  SampledImage,
  StorageImage,
  Sampler,
  CombinedImageSampler,
  UniformTexelBuffer,
  StorageTexelBuffer,
  InputAttachment,
};

struct DescriptorBinding {
  uint32_t set = 0;
  uint32_t binding = 0;
  DescriptorKind kind = DescriptorKind::UniformBuffer;
  uint32_t arraySize = 1; // elements of all array dimensions; 0 for a runtime array
  std::string name;
};

// A vertex input or a fragment output: one location.
struct InterfaceLocation {
  uint32_t location = 0;
  uint32_t index = 0;         // fragment outputs: 1 for the second source of dual-source blending
  uint32_t componentMask = 0; // of 32-bit components (a 64-bit element covers two)
  NumericClass numericClass = NumericClass::Float;
  uint32_t elementBits = 32;
  std::string name;
};

struct SpecConstantInfo {
  uint32_t id = 0;    // SpecId
  uint32_t bits = 32; // 1 for a bool
  uint64_t defaultValue = 0;
  std::string name;
};

struct Reflection {
  std::string entryPoint;
  lgc::ShaderStage stage = lgc::ShaderStage::Vertex;
  std::vector<DescriptorBinding> descriptors;     // sorted by set, binding
  uint32_t pushConstantBytes = 0;                 // end of the last member of the push constant block; 0: none
  std::vector<InterfaceLocation> vertexInputs;    // sorted by location; vertex shaders only
  std::vector<InterfaceLocation> fragmentOutputs; // sorted by location, index; fragment shaders only
  std::array<uint32_t, 3> localSize = {1, 1, 1};  // compute shaders, with the spec constants' default values
  std::vector<SpecConstantInfo> specConstants;    // of the whole module
};

struct EntryPointInfo {
  std::string name;
  lgc::ShaderStage stage = lgc::ShaderStage::Vertex;
};

// The entry points of a module that are of a stage known here.
Result<std::vector<EntryPointInfo>> entryPoints(std::span<const uint32_t> words);

// Validates first.
Result<Reflection> reflect(std::span<const uint32_t> words, std::string_view entryPoint, lgc::ShaderStage stage);

} // namespace dovetail::spirv

// SPDX-License-Identifier: MIT
//
// OpenGL has no descriptor sets: each kind of resource is numbered for itself, and uniforms outside of blocks have a
// location. This file gives each kind a set, so that all later code sees sets and bindings:
//
//   set                     binding
//   0  uniform buffers      as in OpenGL
//   1  storage buffers      as in OpenGL
//   2  textures             as in OpenGL: the unit (without a location)
//   3  images               as in OpenGL: the image unit (without a location)
//   4  atomic counters      as in OpenGL; a storage buffer with counters at their offsets
//   5  the default block    the stage's number (lgc::ShaderStage); a uniform buffer
//   6  uniforms             the location of a texture or image; its unit may change while the program is used
//
// Uniforms outside of blocks lie in the default block of their stage, in the order of their locations, laid out by the
// rules of std430. Their structures may have textures and images, which have locations and take no place in the block.
#pragma once

#include "src/base/error.h"
#include "src/spirv/module/module.h"

namespace dovetail::spirv {

enum class OpenGlSet : uint32_t {
  UniformBuffers = 0,
  StorageBuffers = 1,
  Textures = 2,
  Images = 3,
  AtomicCounters = 4,
  DefaultBlock = 5,
  Uniforms = 6,
};

// Reads a module that validate() accepts, and adds the decorations that it leaves to OpenGL: offsets and strides in the
// default block, strides of counters. Errors: InvalidInput for rules that SPIRV-Tools does not check: variables that
// lack a location, binding or offset, and features that only Vulkan has. Unsupported for a block of 4 GiB or more.
Result<Module> readModule(std::span<const uint32_t> words, Environment environment);

} // namespace dovetail::spirv

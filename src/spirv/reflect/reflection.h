// SPDX-License-Identifier: MIT
//
// The needs of an entry point, read from its module without translating it. Only resources, push constants and
// interface variables that the entry point's static call tree uses are listed.
#pragma once

#include "src/abi/interface/shader_interface.h"
#include "src/base/error.h"
#include "src/lgc/state/shader_modes.h"
#include "src/spirv/module/environment.h"
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>
#include <vulkan/vulkan_core.h>

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
std::string_view toString(DescriptorKind kind);

// The kind of a binding that two variables, or two stages, share. An image and a sampler are the halves of a combined
// descriptor; other kinds must be equal. Nothing if they contradict each other.
std::optional<DescriptorKind> commonKind(DescriptorKind one, DescriptorKind other);

// One dimension of an array in memory.
struct ArrayDimension {
  uint32_t count = 0;     // 0: a runtime array
  uint32_t stride = 0;    // bytes
  uint32_t locations = 0; // OpenGL's uniforms outside of blocks: locations from element to element
};

struct AddressedBlock;

// A scalar, vector or matrix in a block. Structs are taken apart. The dimensions of all arrays around a member belong
// to the member: the element [i][j] lies at offset + i * arrays[0].stride + j * arrays[1].stride.
struct BlockMember {
  std::string name;                   // "lights.color"
  uint32_t offset = 0;                // bytes from the start of the block
  std::vector<ArrayDimension> arrays; // outermost first
  NumericClass numericClass = NumericClass::Float;
  uint32_t bits = 32; // of a component
  uint32_t rows = 1;  // components of a vector or of a matrix' column
  uint32_t columns = 1;
  uint32_t matrixStride = 0; // bytes between columns, or rows if rowMajor
  bool rowMajor = false;
  bool isAddress = false; // the address of a physical storage buffer: 64 bits, maybe kept as integers
  // The block at the address; nothing if more than MaxAddressLevels addresses lead there.
  std::shared_ptr<const AddressedBlock> addressed;
  std::optional<uint32_t> location; // OpenGL's default block: the location of the first element
};

constexpr unsigned MaxAddressLevels = 3;

// The block that the address of a physical storage buffer points to: one or more elements, side by side.
struct AddressedBlock {
  std::vector<BlockMember> members; // of an element
  uint32_t bytes = 0;               // to the end of the last member, without elements of a runtime array
  uint32_t stride = 0;              // bytes from element to element
};

enum class ImageDimension { Dim1D, Dim2D, Dim3D, Cube, Rect, Buffer, SubpassData };

struct ImageShape {
  ImageDimension dimension = ImageDimension::Dim2D;
  bool isArrayed = false;
  bool isMultisampled = false;
  NumericClass numericClass = NumericClass::Float; // of the values that are read
  uint32_t bits = 32;
  VkFormat format = VK_FORMAT_UNDEFINED; // of storage images and storage texel buffers, as the shader declares it
};

// For OpenGL's shaders, opengl_uniforms.h lists the set and binding of each resource.
struct DescriptorBinding {
  uint32_t set = 0;
  uint32_t binding = 0;
  // OpenGL: the binding in the module. For a uniform with a location, `binding` is the location, and this is the
  // initial unit.
  uint32_t declaredBinding = 0;
  DescriptorKind kind = DescriptorKind::UniformBuffer;
  uint32_t arraySize = 1; // elements of all array dimensions; 0 for a runtime array
  // OpenGL: the arrays around a texture or image with a location, outermost first. The element [i][j] of the descriptor
  // array is i * arrays[1].count + j, and has the location `binding` + i * arrays[0].locations + j *
  // arrays[1].locations.
  std::vector<ArrayDimension> arrays;
  std::string name;
  // Uniform and storage buffers.
  std::vector<BlockMember> members;
  uint32_t blockBytes = 0; // to the end of the last member, without elements of a runtime array
  // Images and texel buffers.
  ImageShape image;
  // Images and samplers: used by instructions that compare with a reference depth.
  bool comparesDepth = false;
  // Separate samplers: used with an image of integers.
  bool samplesIntegers = false;
};

enum class Interpolation { Perspective, Linear, Flat };
enum class InterpolationPoint { Center, Centroid, Sample };

// One location of an input or output.
struct InterfaceLocation {
  uint32_t location = 0;
  uint32_t index = 0;         // fragment outputs: 1 for the second source of dual-source blending
  uint32_t componentMask = 0; // of 32-bit components (a 64-bit element covers two)
  NumericClass numericClass = NumericClass::Float;
  uint32_t elementBits = 32;
  std::string name;
  bool feedsPosition = false; // vertex inputs: gl_Position is computed from it
  // Vertex outputs and fragment inputs.
  Interpolation interpolation = Interpolation::Perspective;
  InterpolationPoint interpolationPoint = InterpolationPoint::Center;
  bool isPatch = false; // tessellation: of the whole patch, not of each vertex
  uint32_t stream = 0;  // geometry outputs: the vertex stream
};

struct BuiltInVariable {
  uint32_t builtIn = 0;  // SPIR-V's number
  uint32_t elements = 1; // of an array; otherwise 1
  bool isOutput = false;
  bool isPerVertex = false; // one per vertex of a patch or primitive: gl_in[], gl_out[]
};

struct SpecConstantInfo {
  uint32_t id = 0;                                // SpecId
  NumericClass numericClass = NumericClass::Uint; // Uint for a bool
  uint32_t bits = 32;                             // 1 for a bool
  uint64_t defaultValue = 0;                      // its `bits` low bits; above them 0
  std::string name;
};

struct EntryPointInfo {
  std::string name;
  lgc::ShaderStage stage = lgc::ShaderStage::Vertex;
};

struct Reflection {
  std::string entryPoint;
  lgc::ShaderStage stage = lgc::ShaderStage::Vertex;
  std::vector<DescriptorBinding> descriptors;     // sorted by set, binding
  uint32_t pushConstantBytes = 0;                 // end of the last member of the push constant block; 0: none
  std::vector<BlockMember> pushConstants;         // members of that block
  std::vector<InterfaceLocation> vertexInputs;    // sorted by location; vertex shaders only
  std::vector<InterfaceLocation> fragmentOutputs; // sorted by location, index; fragment shaders only
  // Sorted by location. Unlike in the lists above, each variable has its own row, even if variables share a location.
  std::vector<InterfaceLocation> vertexOutputs;
  std::vector<InterfaceLocation> fragmentInputs;
  // Sorted in the same way; of every stage. An array over vertices counts as one vertex.
  std::vector<InterfaceLocation> inputs;
  std::vector<InterfaceLocation> outputs;
  std::vector<BuiltInVariable>
      builtIns; // a block of inputs counts as used as a whole, and so does a block of all vertices
  bool usesAtomics = false;
  bool interpolatesAt = false;        // fragment shaders: interpolateAt*()
  lgc::TessellationMode tessellation; // control and evaluation shaders; a mode may be left to the other shader
  lgc::GeometryShaderMode geometry;
  // Transform feedback: bytes from vertex to vertex in each buffer (0: not used), and the buffer's stream.
  std::array<uint32_t, MaxXfbBuffers> xfbStrides = {};
  std::array<uint32_t, MaxXfbBuffers> xfbStreams = {};
  uint32_t patchVertices = 0; // tessellation shaders: the size of the input patch that they read (patch_vertices.cpp)
  std::array<uint32_t, 3> localSize = {1, 1, 1}; // compute shaders, with the spec constants' default values
  std::vector<SpecConstantInfo> specConstants;   // of the whole module
  std::vector<EntryPointInfo> entryPoints;       // the same, of stages that are known here
};

// The entry points of a module, of stages that are known here.
Result<std::vector<EntryPointInfo>> entryPoints(std::span<const uint32_t> words,
                                                Environment environment = Environment::Vulkan);

class ValidModuleStore;

// Validates first (validate.h). `store`: may be null.
Result<Reflection> reflect(std::span<const uint32_t> words, std::string_view entryPoint, lgc::ShaderStage stage,
                           Environment environment = Environment::Vulkan, ValidModuleStore *store = nullptr);

} // namespace dovetail::spirv

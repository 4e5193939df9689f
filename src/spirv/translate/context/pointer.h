// SPDX-License-Identifier: MIT
//
// What ids stand for while a module is translated. Pointers are symbolic: an access chain on a uniform buffer gives a
// descriptor and a byte offset, an access chain on an input gives a location. Only Function, Private, Workgroup and
// Output memory have LLVM pointers, where a variable is not promoted to values; a pointer into explicitly laid out
// Workgroup memory has a byte offset, too.
#pragma once

#include "src/lgc/ops/op_types.h"
#include "src/spirv/module/types.h"
#include <memory>
#include <optional>
#include <vector>

namespace llvm {
class Value;
}

namespace dovetail::spirv {

// A module-scope variable (Function variables need no record).
struct Variable {
  uint32_t id = 0;
  spv::StorageClass storage = spv::StorageClass::Private;
  uint32_t type = 0; // pointee
  uint32_t set = 0;
  uint32_t binding = 0;
  uint32_t blockType = 0;     // struct type id of a buffer block (or of an array of them); 0 otherwise
  bool isNonWritable = false; // the shader does not write it: NonWritable on the variable or on each member
  // Output: the parts that have been stored to. Leaves are numbered in the order of visitOutputLeaves(); the value is a
  // component mask.
  std::vector<uint32_t> writtenMasks;
};

// The current place of a pointer into an input, or into an output that has no memory of its own.
struct InterfacePlace {
  std::optional<lgc::BuiltIn> builtIn;
  llvm::Value *arrayIndex = nullptr; // i32, of a built-in array
  unsigned location = 0;
  unsigned component = 0;     // in 32-bit units
  unsigned locationCount = 0; // locations that locationOffset may reach, from `location` on; 0: locationOffset is null
  llvm::Value *locationOffset = nullptr; // i32
  llvm::Value *componentIndex = nullptr; // dynamic index into the vector that is read
  uint32_t vectorType = 0;               // type of that vector, if componentIndex
  lgc::InterpMode mode = lgc::InterpMode::Smooth;
  lgc::InterpLocation interpLocation = lgc::InterpLocation::Center;
  bool hasLocation = false;
  // Stages that work on patches and primitives. isPerVertex: an array of vertices, whose outermost index has not been
  // given yet; vertexIndex: that index (i32), once it is given.
  bool isPerVertex = false;
  llvm::Value *vertexIndex = nullptr;
  bool isSharedOutput = false; // of a control shader: reads and writes reach all invocations of the patch
  // Outputs.
  unsigned stream = 0; // of a geometry shader
  // Transform feedback: the byte in the buffer's vertex where the place is captured; nullopt: it is not captured.
  std::optional<uint32_t> xfbOffset;
  uint32_t xfbBuffer = 0;
  uint32_t xfbStride = 0;
};

// An image, a sampler, or both together, as loaded from a variable.
struct ImageValue {
  llvm::Value *image = nullptr;   // <8 x i32>; <4 x i32> for texel buffers; nullptr for a lone sampler
  llvm::Value *fmask = nullptr;   // <8 x i32>; nullptr for images of one sample and storage images
  llvm::Value *sampler = nullptr; // <4 x i32>; nullptr for a lone image
  uint32_t imageType = 0;         // id of the OpTypeImage; 0 for a lone sampler
  unsigned flags = 0;             // lgc::ResourceFlag bits for the accesses: NonUniform*, Coherent, Volatile, ReadOnly
};

// The form of an image or sampler in a function's memory (descriptors.h): the dwords of `image`, `fmask` and
// `sampler`, each at a fixed place.
constexpr unsigned FmaskPlace = 8, SamplerPlace = 16, DescriptorDwords = 20;

// The place of the textures in a uniform's structure (UniformTexture in reflect/declarations.h).
struct TexturePlace {
  uint32_t location = 0;          // of the first texture in the first element of all arrays around it
  llvm::Value *element = nullptr; // i32, the index in all arrays around it as one; nullptr: there are no arrays
};

struct Pointer {
  enum class Kind {
    Memory,       // `base` is an LLVM pointer to the memory form of the type
    Promoted,     // a variable that is SSA values, or a part of one: `leaf`, `component`
    Buffer,       // `base` is a <4 x i32> descriptor, `offset` an i32
    PushConstant, // `offset` is an i32
    Physical,     // `base` is an i64 address, `offset` null
    SharedBlock,  // shared memory with an explicit layout: `base` is an LLVM pointer, `offset` an i32
    UniformTree,  // in OpenGL's default block, a structure that has textures and members in memory, or an array of
                  // such structures: `variable`, `offset` in memory (i32), `textures`
    Resource,     // an image or sampler variable, or an element of an array of them, or an array of buffer blocks:
                  // `variable`, `offset` is the element (i32)
    Input,        // `place`
    SharedOutput, // an output of a control shader: `place`
    ImageTexel,   // OpImageTexelPointer: `texelImage`, `coord`, `sample`
    NotStored,    // a variable of an image or sampler before its only store (variables.cpp): nothing else is set
  };
  Kind kind = Kind::Memory;
  spv::StorageClass storage = spv::StorageClass::Function;
  uint32_t pointee = 0; // type id
  llvm::Value *base = nullptr;
  llvm::Value *offset = nullptr;
  unsigned flags = 0;  // lgc::ResourceFlag bits
  MatrixLayout matrix; // if the pointee is a matrix or an array of matrices
  uint32_t componentStride =
      0; // if the pointee is a vector whose components do not lie side by side (column of a row-major matrix)
  uint32_t arrayStride = 0; // of the array whose element the pointee is; 0: no element, or no stride is given
  uint32_t alignment = 0;   // Physical: from an Aligned operand; 0: the element's size
  Variable *variable = nullptr;
  std::vector<uint32_t>
      outputPath; // Output: constant indices so far; `outputPathEnds` is set at the first dynamic index
  bool outputPathEnds = false;
  InterfacePlace place;
  TexturePlace textures;
  // Promoted: the first of the pointee's leaves (variable_values.h), and for a component of a vector its number.
  uint32_t leaf = 0;
  std::optional<uint32_t> component;
  // ImageTexel.
  ImageValue texelImage;
  llvm::Value *coord = nullptr;
  llvm::Value *sample = nullptr;
};

// What a pointer knows of its memory beyond the type: the layout of a matrix or of a column. Pointers that are selected
// must agree in it.
struct PointeeLayout {
  MatrixLayout matrix;
  uint32_t componentStride = 0;
};

inline PointeeLayout layoutOf(const Pointer &pointer) {
  return {pointer.matrix, pointer.componentStride};
}

// What an id is bound to. At most one member is set.
struct IdValue {
  llvm::Value *value = nullptr;
  std::shared_ptr<const Pointer> pointer;
  std::shared_ptr<const ImageValue> image;
  std::shared_ptr<const Pointer>
      composite; // a large array or structure: the unchanging memory that holds it (composites.h)
};

// The memory operands of a load, store or copy, and the effect of the pointer's decorations.
struct MemoryAccess {
  unsigned flags = 0; // lgc::ResourceFlag bits
  uint32_t alignment = 0;
};

} // namespace dovetail::spirv

// SPDX-License-Identifier: MIT
//
// SPIR-V types with their explicit memory layout, and the LLVM types of their values.
//
// A type has two LLVM forms. As an SSA value, a bool is i1. In Function, Private, Workgroup and Output memory, a bool
// is i32, so that every element is addressable. All other types look the same in both: vectors <N x T>, matrices
// [columns x <rows x T>], arrays, structs. Pointers that can be values are i64 (PhysicalStorageBuffer), {<4 x i32>,
// i32} (StorageBuffer and Uniform: descriptor, byte offset) or an LLVM pointer (Function, Private, Workgroup).
#pragma once

#include <cstdint>
#include <llvm/IR/Type.h>
#include <spirv/unified1/spirv.hpp11>
#include <vector>

namespace dovetail::spirv {

enum class TypeKind {
  Void,
  Bool,
  Int,
  Float,
  Vector,
  Matrix,
  Array,
  RuntimeArray,
  Struct,
  Pointer,
  Function,
  Image,
  Sampler,
  SampledImage,
};

// The layout of a matrix in explicitly laid out memory; it comes from the struct member that holds the matrix.
struct MatrixLayout {
  uint32_t stride = 0; // bytes between columns (rows if rowMajor); 0: not given
  bool rowMajor = false;
};

struct StructMember {
  uint32_t type = 0;
  uint32_t offset = 0; // bytes
  MatrixLayout matrix;
};

struct TypeInfo {
  TypeKind kind = TypeKind::Void;
  uint32_t id = 0;
  uint32_t width = 0;    // Int, Float
  bool isSigned = false; // Int
  uint32_t element =
      0; // type id: component, column, array element, pointee, image of a sampled image, sampled type of an image
  uint32_t count = 0;       // components, columns, array length
  uint32_t arrayStride = 0; // bytes; arrays, and pointers for OpPtrAccessChain
  std::vector<StructMember> members;
  spv::StorageClass storage = spv::StorageClass::Function; // Pointer
  // Image.
  spv::Dim dim = spv::Dim::Dim2D;
  bool isArrayed = false;
  bool isMultisampled = false;
  uint32_t sampled = 0; // 1: used with a sampler, 2: storage image
  spv::ImageFormat format = spv::ImageFormat::Unknown;

  uint32_t depth = 0;          // nesting of composites below, at most MaxTypeDepth
  uint64_t scalarCount = 0;    // runtime arrays count 0
  uint64_t leafCount = 1;      // scalars and vectors (runtime arrays count 0)
  llvm::Type *value = nullptr; // nullptr: values of this type have no LLVM form (images, most pointers, runtime arrays)
  llvm::Type *memory = nullptr; // nullptr for the same types, except images and samplers, and arrays of them

  // Whether its values have parts: members of a structure, elements of an array, columns of a matrix.
  bool hasParts() const { return kind == TypeKind::Struct || kind == TypeKind::Array || kind == TypeKind::Matrix; }
  uint32_t partCount() const { return kind == TypeKind::Struct ? static_cast<uint32_t>(members.size()) : count; }
  uint32_t partType(uint32_t index) const { return kind == TypeKind::Struct ? members[index].type : element; }
};

// Deeper types are refused, which bounds every recursion over them.
constexpr uint32_t MaxTypeDepth = 128;
// Values (not memory) with more scalars are refused, because LLVM handles an aggregate value element by element.
constexpr uint64_t MaxValueScalars = 16384;

// Whether values of the type are behind a descriptor, not in memory.
inline bool isOpaque(const TypeInfo &type) {
  return type.kind == TypeKind::Image || type.kind == TypeKind::Sampler || type.kind == TypeKind::SampledImage;
}

// Whether an image has an FMASK. Shaders store to storage images without FMASK, so the driver expands these before it
// binds them.
inline bool hasFmask(const TypeInfo &image) {
  constexpr uint32_t usedWithSampler = 1;
  return image.isMultisampled && (image.sampled == usedWithSampler || image.dim == spv::Dim::SubpassData);
}

inline bool isScalar(const TypeInfo &type) {
  return type.kind == TypeKind::Bool || type.kind == TypeKind::Int || type.kind == TypeKind::Float;
}

} // namespace dovetail::spirv

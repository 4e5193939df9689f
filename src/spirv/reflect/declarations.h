// SPDX-License-Identifier: MIT
//
// The declarations of a module: types with their layout in memory and in shader interfaces, and the default values of
// constants. Types are walked as instructions, so nothing is translated.
#pragma once

#include "src/spirv/module/module.h"
#include "src/spirv/module/types.h"
#include "src/spirv/reflect/reflection.h"
#include "src/spirv/reflect/shader_uses.h"
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace dovetail::spirv {

// The place of a member in a block.
struct MemberPlace {
  uint32_t offset = 0; // bytes
  MatrixLayout matrix;
};
MemberPlace memberPlace(std::span<const DecorationInstance> decorations);

struct ResourcePlace {
  uint32_t set = 0, binding = 0;
};

// A texture or image of OpenGL with a location: a variable, or a member of a structure. All elements of the arrays
// around it are one row.
struct UniformTexture {
  std::string name;                   // "lights.shadow"
  std::vector<uint32_t> members;      // indices of structures' members, on the way from the variable
  uint32_t type = 0;                  // of an element
  uint32_t location = 0;              // of the first element
  std::vector<ArrayDimension> arrays; // outermost first; strides are 0
};

NumericClass numericClassOf(const Instruction &scalar);
// Whether values of the type are behind a descriptor, not in memory.
bool isOpaque(const Instruction &type);
// "lights" becomes "lights.color".
void appendName(std::string &path, std::string_view name);

// Refers to the module, which must outlive it.
class Declarations {
public:
  explicit Declarations(const Module &module);

  // The type, constant or variable of an id.
  const Instruction &global(uint32_t id) const { return *m_globals.at(id); }
  // The innermost element type of an array of arrays; the type itself if it is no array.
  const Instruction &elementType(uint32_t typeId) const;
  // The type that a variable points to.
  uint32_t pointeeOf(const Instruction &variable) const { return global(variable.resultType).operand(1); }
  std::string nameOfId(uint32_t id) const;
  std::optional<uint32_t> decoration(uint32_t id, spv::Decoration kind) const;

  // Whether it is a uniform of OpenGL that is not in a block and is no texture or image. A structure may have both: its
  // textures are then no part of the block.
  bool isInDefaultBlock(const Instruction &variable) const;
  // Whether it is a texture or image of OpenGL, or an array of them, with a location.
  bool isUniformTexture(const Instruction &variable) const;
  // Whether a type of OpenGL's uniforms is a texture or image, or has one inside.
  bool hasTextures(uint32_t typeId) const;
  // The textures and images of a variable of either kind, in the order of their locations. Errors: Unsupported for too
  // many.
  Result<std::vector<UniformTexture>> uniformTextures(const Instruction &variable) const;
  // How many locations a uniform's structure has in front of a member.
  Result<uint32_t> locationsInFrontOf(uint32_t structId, uint32_t member, unsigned depth = 0) const;
  // The set and binding of a resource; for OpenGL see opengl_uniforms.h.
  ResourcePlace resourcePlace(const Instruction &variable, lgc::ShaderStage stage) const;

  // The default value of an integer or Boolean constant, zero-extended from its width. Errors: Unsupported for other
  // constants, and for operations that are not known.
  Result<uint64_t> constant(uint32_t id) const;

  // The length of an array type, modulo 2^32. Longer arrays are refused when they are translated (TypeTable).
  Result<uint32_t> arrayLength(const Instruction &array) const;

  // Bytes from the start of a value to the end of its last member, explicitly laid out.
  Result<uint64_t> layoutSize(uint32_t typeId, MatrixLayout matrix, unsigned depth = 0) const;

  // The scalars, vectors and matrices in a block.
  Result<std::vector<BlockMember>> blockMembers(uint32_t structId) const;
  // The same for a variable that shares a buffer with others: in the default block, or atomic counters. `end`: the end
  // of the variable in the buffer, in bytes.
  Result<std::vector<BlockMember>> variableMembers(const Instruction &variable, uint64_t &end) const;

  // The shape of an OpTypeImage.
  ImageShape imageShape(uint32_t imageId) const;

  // Whether the input or output variable is an array over the vertices of a patch or primitive.
  bool isPerVertex(const Instruction &variable, lgc::ShaderStage stage) const;

  // The locations of an input or output variable (of one vertex of it), in the order of its declaration. Built-ins have
  // none.
  Result<std::vector<InterfaceLocation>> locations(const Instruction &variable, bool isPerVertex) const;

  // The built-ins among a variable and its members. members: the members of a block to list; nothing: all of them.
  Result<std::vector<BuiltInVariable>> builtIns(const Instruction &variable, bool isPerVertex,
                                                const std::optional<std::set<uint32_t>> &members) const;

private:
  // The type that a variable points to, for one vertex.
  uint32_t valueType(const Instruction &variable, bool isPerVertex) const;
  // How many locations a uniform of the type has: one for each number, vector, matrix and texture.
  Result<uint32_t> uniformLocations(uint32_t typeId, unsigned depth) const;
  unsigned componentWidth(uint32_t typeId) const;
  Result<std::vector<uint64_t>> constantComponents(uint32_t id, unsigned depth) const;
  Result<std::vector<uint64_t>> workOutConstant(const Instruction &inst, unsigned depth) const;
  Result<std::vector<uint64_t>> constantOperation(const Instruction &inst, unsigned depth) const;
  std::vector<uint64_t> zeros(uint32_t typeId) const;
  Result<std::shared_ptr<const AddressedBlock>> addressedBlock(const Instruction &pointer) const;
  // The pointer type that the shader makes of a structure's integer; nullptr if it is no address.
  const Instruction *addressOfMember(uint32_t structId, uint32_t member) const;
  Result<void> addMembers(uint32_t typeId, BlockMember member, MatrixLayout matrix, std::vector<BlockMember> &list,
                          unsigned depth) const;
  Result<void> addTextures(uint32_t typeId, UniformTexture texture, std::vector<UniformTexture> &list,
                           unsigned depth) const;
  struct Place;
  Result<void> addLocations(uint32_t typeId, Place &place, std::vector<InterfaceLocation> &list, unsigned depth) const;

  const Module &m_module;
  std::unordered_map<uint32_t, const Instruction *> m_globals;
  mutable std::unordered_map<uint32_t, std::vector<uint64_t>> m_constants; // by id, as far as they were needed
  mutable std::unordered_map<uint32_t, bool> m_hasTextures;                // by type id, as far as it was needed
  // The blocks that addresses point to, by the number of addresses on the way and by the pointer type; made when first
  // needed.
  mutable unsigned m_addressLevel = 0;
  mutable std::optional<AddressMembers> m_addressMembers;
  mutable std::map<std::pair<unsigned, uint32_t>, std::shared_ptr<const AddressedBlock>> m_addressedBlocks;
};

} // namespace dovetail::spirv

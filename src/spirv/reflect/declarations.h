// SPDX-License-Identifier: MIT
//
// What a module declares: types as they lie in memory and in shader interfaces, and the default values of constants.
// Types are walked as instructions, so nothing is translated.
#pragma once

#include "src/spirv/module/module.h"
#include "src/spirv/module/types.h"
#include "src/spirv/reflect/address_members.h"
#include "src/spirv/reflect/reflection.h"
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

// Where a member of a block lies.
struct MemberPlace {
  uint32_t offset = 0; // bytes
  MatrixLayout matrix;
};
MemberPlace memberPlace(std::span<const DecorationInstance> decorations);

struct ResourcePlace {
  uint32_t set = 0, binding = 0;
};

// A texture or image of OpenGL with a location: a variable, or in a structure. Where there are arrays around it, all
// their elements are one row.
struct UniformTexture {
  std::string name;                   // "lights.shadow"
  std::vector<uint32_t> members;      // of structures, the way from the variable
  uint32_t type = 0;                  // of an element
  uint32_t location = 0;              // of the first element
  std::vector<ArrayDimension> arrays; // outermost first; strides are 0
};

// What is behind a descriptor, and not in memory.
bool isOpaque(const Instruction &type);
// "lights" becomes "lights.color".
void appendName(std::string &path, std::string_view name);

// Refers to the module.
class Declarations {
public:
  explicit Declarations(const Module &module);

  // The type, constant or variable of an id.
  const Instruction &global(uint32_t id) const { return *m_globals.at(id); }
  // What the elements of an array of arrays are, at last; the type itself if it is none.
  const Instruction &elementType(uint32_t typeId) const;
  std::string nameOfId(uint32_t id) const;
  std::optional<uint32_t> decoration(uint32_t id, spv::Decoration kind) const;

  // A uniform of OpenGL that is neither in a block nor a texture or image. Structures may have both: then textures in
  // them are no part of the block.
  bool isInDefaultBlock(const Instruction &variable) const;
  // A texture or image of OpenGL, or an array of them, that has a location.
  bool isUniformTexture(const Instruction &variable) const;
  // A type of OpenGL's uniforms: a texture or image, or what has one inside.
  bool hasTextures(uint32_t typeId) const;
  // Those of a variable of either kind, in the order of their locations. Errors: Unsupported for too many.
  Result<std::vector<UniformTexture>> uniformTextures(const Instruction &variable) const;
  // How many locations a uniform's structure has in front of a member.
  Result<uint32_t> locationsInFrontOf(uint32_t structId, uint32_t member, unsigned depth = 0) const;
  // Where a shader finds a resource; for OpenGL's see opengl_uniforms.h.
  ResourcePlace resourcePlace(const Instruction &variable, lgc::ShaderStage stage) const;

  // The default value of an integer or Boolean constant, zero-extended from its width. Errors: Unsupported for what is
  // none, or is worked out in a way that is not known.
  Result<uint64_t> constant(uint32_t id) const;

  // Bytes from the start of a value to the end of its last member, explicitly laid out.
  Result<uint64_t> layoutSize(uint32_t typeId, MatrixLayout matrix, unsigned depth = 0) const;

  // The numbers in a block.
  Result<std::vector<BlockMember>> blockMembers(uint32_t structId) const;
  // Those in a variable that lies in a buffer beside others: of the default block, or atomic counters. `end`: of the
  // variable in the buffer, in bytes.
  Result<std::vector<BlockMember>> variableMembers(const Instruction &variable, uint64_t &end) const;

  // Of an OpTypeImage.
  ImageShape imageShape(uint32_t imageId) const;

  // The input or output variable is an array over the vertices of a patch or primitive.
  bool isPerVertex(const Instruction &variable, lgc::ShaderStage stage) const;

  // What an input or output variable (one vertex of it) has at each location, in the order of its declaration.
  // Built-ins have none.
  Result<std::vector<InterfaceLocation>> locations(const Instruction &variable, bool isPerVertex) const;

  // The built-ins among a variable and its members.
  // members: of a block, the ones that are listed; nothing: all.
  Result<std::vector<BuiltInVariable>> builtIns(const Instruction &variable, bool isPerVertex,
                                                const std::optional<std::set<uint32_t>> &members) const;

private:
  // What a variable points to; of one vertex.
  uint32_t valueType(const Instruction &variable, bool isPerVertex) const;
  // How many locations a uniform of the type has: one for each number, vector, matrix and texture.
  Result<uint32_t> uniformLocations(uint32_t typeId, unsigned depth) const;
  unsigned componentWidth(uint32_t typeId) const;
  Result<std::vector<uint64_t>> constantComponents(uint32_t id, unsigned depth) const;
  Result<std::vector<uint64_t>> workOutConstant(const Instruction &inst, unsigned depth) const;
  Result<std::vector<uint64_t>> constantOperation(const Instruction &inst, unsigned depth) const;
  std::vector<uint64_t> zeros(uint32_t typeId) const;
  Result<std::shared_ptr<const AddressedBlock>> addressedBlock(const Instruction &pointer) const;
  // What the shader takes a structure's integer for; nullptr: no address.
  const Instruction *addressOfMember(uint32_t structId, uint32_t member) const;
  Result<void> addMembers(uint32_t typeId, BlockMember member, MatrixLayout matrix, std::vector<BlockMember> &list,
                          unsigned depth) const;
  Result<void> addTextures(uint32_t typeId, UniformTexture texture, std::vector<UniformTexture> &list,
                           unsigned depth) const;
  struct Place;
  Result<void> addLocations(uint32_t typeId, Place &place, std::vector<InterfaceLocation> &list, unsigned depth) const;

  const Module &m_module;
  std::unordered_map<uint32_t, const Instruction *> m_globals;
  mutable std::unordered_map<uint32_t, std::vector<uint64_t>> m_constants; // by id, as far as they were asked for
  mutable std::unordered_map<uint32_t, bool> m_hasTextures;                // by type id, as far as it was asked for
  // What addresses point to, by how many addresses lead there and by the pointer type; made when first asked for.
  mutable unsigned m_addressLevel = 0;
  mutable std::optional<AddressMembers> m_addressMembers;
  mutable std::map<std::pair<unsigned, uint32_t>, std::shared_ptr<const AddressedBlock>> m_addressedBlocks;
};

} // namespace dovetail::spirv

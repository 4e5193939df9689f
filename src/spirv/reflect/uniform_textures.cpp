// SPDX-License-Identifier: MIT
//
// OpenGL's textures and images with a location: variables, and members of structures in the default block, where they
// have locations of their own. They are behind descriptors (opengl_uniforms.h). All elements of all arrays around one
// of them are a descriptor array: a binding with the location of the first element. The last index counts fastest, and
// every index may be dynamic.
#include "src/spirv/module/types.h"
#include "src/spirv/reflect/declarations.h"

namespace dovetail::spirv {

// A uniform with more of them is refused.
static constexpr size_t MaxUniformTextures = 4096;

bool Declarations::isUniformTexture(const Instruction &variable) const {
  return m_module.environment == Environment::OpenGl && !isInDefaultBlock(variable) &&
         static_cast<spv::StorageClass>(variable.operand(0)) == spv::StorageClass::UniformConstant &&
         decoration(variable.result, spv::Decoration::Location);
}

bool Declarations::hasTextures(uint32_t typeId) const {
  const Instruction &type = elementType(typeId);
  if (type.opcode != spv::Op::OpTypeStruct)
    return isOpaque(type);
  if (auto known = m_hasTextures.find(type.result); known != m_hasTextures.end())
    return known->second;
  bool found = false;
  for (uint32_t member : type.operands)
    found = found || hasTextures(member);
  return m_hasTextures[type.result] = found;
}

Result<std::vector<UniformTexture>> Declarations::uniformTextures(const Instruction &variable) const {
  std::vector<UniformTexture> list;
  UniformTexture texture;
  texture.name = nameOfId(variable.result);
  texture.location = decoration(variable.result, spv::Decoration::Location).value_or(0);
  DOVETAIL_CHECK(addTextures(pointeeOf(variable), std::move(texture), list, 0));
  if (list.size() > MaxUniformTextures)
    return makeError(ErrorCode::Unsupported,
                     "OpVariable at word {}: more than {} textures in a uniform are not supported", variable.wordOffset,
                     MaxUniformTextures);
  return list;
}

// `texture` describes the way down to here: name, members, location, dimensions.
Result<void> Declarations::addTextures(uint32_t typeId, UniformTexture texture, std::vector<UniformTexture> &list,
                                       unsigned depth) const {
  if (list.size() > MaxUniformTextures || !hasTextures(typeId))
    return {};
  const Instruction &type = global(typeId);
  if (type.opcode == spv::Op::OpTypeArray || type.opcode == spv::Op::OpTypeRuntimeArray) {
    ArrayDimension dimension;
    if (type.opcode == spv::Op::OpTypeArray)
      dimension.count = DOVETAIL_TRY(arrayLength(type));
    dimension.locations = DOVETAIL_TRY(uniformLocations(type.operand(0), depth + 1));
    texture.arrays.push_back(dimension);
    return addTextures(type.operand(0), std::move(texture), list, depth + 1);
  }
  if (type.opcode == spv::Op::OpTypeStruct) {
    for (uint32_t i = 0; i < type.operandCount(); ++i) {
      UniformTexture inner = texture;
      appendName(inner.name, m_module.memberName(typeId, i));
      inner.members.push_back(i);
      inner.location += DOVETAIL_TRY(locationsInFrontOf(typeId, i, depth));
      DOVETAIL_CHECK(addTextures(type.operand(i), std::move(inner), list, depth + 1));
    }
    return {};
  }
  texture.type = typeId;
  list.push_back(std::move(texture));
  return {};
}

} // namespace dovetail::spirv

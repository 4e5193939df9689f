// SPDX-License-Identifier: MIT
//
// Structures of OpenGL's default block may have textures or images as well as members in memory. An access chain into
// such a structure follows both, the place in the block and the descriptors (reflect/uniform_textures.cpp), until it
// comes to something that is only one of them. That is a pointer like any other. So such a structure can be passed to
// functions, but it is never a value.
#include "src/spirv/reflect/opengl_uniforms.h"
#include "src/spirv/translate/memory/pointers.h"
#include <llvm/IR/Constants.h>

namespace dovetail::spirv {

// A variable for a texture, made from the pointer into the structure.
Variable &Pointers::textureVariable(const Pointer &pointer) {
  const uint32_t set = static_cast<uint32_t>(OpenGlSet::Uniforms), binding = pointer.textures.location;
  for (Variable &known : m_context.variables)
    if (known.id == pointer.variable->id && known.set == set && known.binding == binding)
      return known;
  Variable &variable = m_context.variables.emplace_back();
  variable.id = pointer.variable->id;
  variable.storage = pointer.storage;
  variable.type = pointer.pointee;
  variable.set = set;
  variable.binding = binding;
  return variable;
}

Result<void> Pointers::stepUniform(const Instruction &inst, Pointer &pointer, llvm::Value *index, uint32_t indexId) {
  const TypeInfo &info = m_context.type(pointer.pointee);
  DOVETAIL_CHECK(stepMemory(inst, pointer, index));
  if (info.kind == TypeKind::Struct) {
    const uint32_t member = static_cast<uint32_t>(llvm::cast<llvm::ConstantInt>(index)->getZExtValue());
    pointer.textures.location += DOVETAIL_TRY(m_context.declarations.locationsInFrontOf(info.id, member));
    if (findDecoration(m_context.module.memberDecorations(info.id, member), spv::Decoration::NonWritable))
      pointer.flags |= lgc::ReadOnly;
  } else {
    pointer.textures.element = numberedThrough(pointer.textures.element, info.count, index);
    pointer.flags |= m_context.resourceFlags(indexId);
  }
  if (isOpaque(m_context.types.elementOf(m_context.type(pointer.pointee)))) {
    pointer.kind = Pointer::Kind::Resource;
    pointer.variable = &textureVariable(pointer);
    pointer.offset = pointer.textures.element;
  } else if (!m_context.declarations.hasTextures(pointer.pointee)) {
    pointer.kind = Pointer::Kind::Buffer;
    pointer.flags |= lgc::ReadOnly;
    pointer.base = m_builder.CreateLoadBufferDesc(pointer.variable->set, pointer.variable->binding,
                                                  m_builder.getInt32(0), pointer.flags);
  }
  return {};
}

} // namespace dovetail::spirv

// SPDX-License-Identifier: MIT
//
// The types of a module, with their layout decorations, their LLVM forms and their sizes where SPIR-V gives no layout:
// in locations and components of the shader interface, and in transform feedback.
#pragma once

#include "src/spirv/module/types.h"
#include "src/spirv/reflect/declarations.h"
#include "src/spirv/translate/context/values.h"
#include <deque>

namespace dovetail::spirv {

// Refers to its arguments, which must outlive it.
class TypeTable {
public:
  // `values`: what constants are bound to that `declarations` cannot evaluate.
  TypeTable(const Module &module, const Declarations &declarations, const Values &values, llvm::LLVMContext &context)
      : m_module(module), m_declarations(declarations), m_values(values), m_context(context), m_byId(module.idBound) {}

  // Adds the type that an OpType instruction declares. Types come before their uses, except pointees. Error:
  // Unsupported for types that no shader of ours can have.
  Result<void> add(const Instruction &inst);

  // The type with this id; it exists in every valid module once all types are added. For any other id, the void type
  // of no id: nothing is supported for it.
  const TypeInfo &at(uint32_t typeId) const {
    const TypeInfo *type = typeId < m_byId.size() ? m_byId[typeId] : nullptr;
    return type ? *type : m_none;
  }
  // The type of the innermost elements of arrays of arrays; the type itself if it is no array.
  const TypeInfo &elementOf(const TypeInfo &type) const;
  // Whether it is an array of images or samplers. Its value is the place of its descriptors, which nothing changes.
  bool isOpaqueArray(const TypeInfo &type) const;
  // The LLVM type of values. Error: Unsupported if it has none, or is too large for values.
  Result<llvm::Type *> valueType(const Instruction &inst, uint32_t typeId) const;

  // The number of 32-bit components that a scalar takes in the shader interface: a 16-bit one takes a whole component,
  // too.
  static uint32_t componentsOf(const TypeInfo &scalar) { return scalar.width == 64 ? 2 : 1; }
  // Of an input or output.
  uint32_t locationCount(const TypeInfo &type) const;

  // In transform feedback, in bytes. Components lie one behind the other, doubles at multiples of 8.
  uint32_t captureSize(const TypeInfo &type) const;
  uint32_t captureAlignment(const TypeInfo &type) const;
  // The place of a member without an Offset, from the start of its structure. The number behind the last one: the
  // structure's end.
  uint32_t captureOffset(const TypeInfo &structure, uint32_t member) const;

private:
  Result<TypeInfo> declared(const Instruction &inst) const;
  Result<void> complete(const Instruction &inst, TypeInfo &info) const;
  Result<void> completeStruct(const Instruction &inst, TypeInfo &info) const;
  llvm::Type *pointerForm(spv::StorageClass storage) const;

  const Module &m_module;
  const Declarations &m_declarations;
  const Values &m_values;
  llvm::LLVMContext &m_context;
  const TypeInfo m_none;
  std::deque<TypeInfo> m_types;
  std::vector<const TypeInfo *> m_byId; // nullptr: no type with this id has been added
};

} // namespace dovetail::spirv

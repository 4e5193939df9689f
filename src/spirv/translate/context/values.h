// SPDX-License-Identifier: MIT
//
// What ids are bound to. Global ids are bound once. Each call of a function has a scope of its own, so the same id
// stands for another value in each call.
#pragma once

#include "src/base/error.h"
#include "src/spirv/module/module.h"
#include "src/spirv/reflect/declarations.h"
#include "src/spirv/translate/context/pointer.h"
#include <llvm/ADT/DenseMap.h>
#include <span>
#include <utility>
#include <vector>

namespace dovetail::spirv {

// The ids of one call of a function.
struct ValueScope {
  llvm::DenseMap<uint32_t, IdValue> values;
  const Function *function = nullptr;
  const Block *block = nullptr; // that is being translated
};

// Refers to its arguments, which must outlive it.
class Values {
public:
  Values(const Module &module, const Declarations &declarations);

  // The type of a value id, anywhere in the module; 0 if it has none.
  uint32_t typeIdOf(uint32_t id) const;
  // An upper bound of how often instructions of functions use the value.
  uint32_t useCount(uint32_t id) const { return m_useCounts[id]; }
  std::span<const uint32_t> useCounts() const { return m_useCounts; }

  // What the id is bound to in the current scope, or globally; nullptr if it is not bound yet.
  const IdValue *find(uint32_t id) const;
  // An id that is a number or a vector of numbers. Error: Unsupported if it is not bound to one.
  Result<llvm::Value *> number(const Instruction &inst, uint32_t id) const;
  // The value of an integer constant (a scope, semantics, a component number, an array's length). Error: Unsupported if
  // it is no known constant.
  Result<uint64_t> constantInteger(const Instruction &inst, uint32_t id) const;

  void bind(uint32_t id, IdValue value);
  // These bind the result of an instruction. An LLVM instruction takes the id's name.
  void setValue(const Instruction &inst, llvm::Value *value);
  void setPointer(const Instruction &inst, Pointer pointer);
  void setImage(const Instruction &inst, ImageValue image);
  // `memory` does not change any more.
  void setComposite(const Instruction &inst, Pointer memory);

  // Ids are bound in this scope from here on; nullptr: globally. Returns the scope so far. The scope must outlive its
  // use.
  ValueScope *enter(ValueScope *scope) { return std::exchange(m_scope, scope); }
  // The scope of the function that is being translated; nullptr outside of functions.
  ValueScope *scope() const { return m_scope; }
  // The block that is being translated; nullptr outside of functions.
  const Block *block() const { return m_scope ? m_scope->block : nullptr; }

private:
  const Module &m_module;
  const Declarations &m_declarations;
  std::vector<uint32_t> m_typeIds;   // by value id
  std::vector<uint32_t> m_useCounts; // by id
  llvm::DenseMap<uint32_t, IdValue> m_globals;
  ValueScope *m_scope = nullptr;
};

} // namespace dovetail::spirv

// SPDX-License-Identifier: MIT
//
// Large arrays and structures as values. LLVM handles a value of an aggregate type element by element, wherever it
// goes. So such a value is represented by memory that holds it and does not change any more. Copies go from memory to
// memory, and only the used parts are loaded. Optimisation removes copies whose places are all known.
//
// The memory is
//   - the place that was loaded from, if nothing can write it: uniforms, push constants, read-only storage buffers;
//   - the same, if all uses of the value come before anything that may write: it need not keep its value longer;
//   - otherwise a temporary variable.
// Small composites stay LLVM values.
//
// The value of an array of images or samplers is always memory: the resources that it was loaded from, or descriptors
// in a temporary.
#pragma once

#include "src/spirv/translate/memory/descriptors.h"
#include "src/spirv/translate/memory/operands.h"

namespace dovetail::spirv {

class Composites {
public:
  Composites(Context &context, Pointers &pointers, OwnMemory &ownMemory, Memory &memory, Descriptors &descriptors,
             Outputs &outputs, Operands &operands)
      : m_context(context), m_builder(context.builder), m_pointers(pointers), m_ownMemory(ownMemory), m_memory(memory),
        m_descriptors(descriptors), m_outputs(outputs), m_operands(operands) {}

  // Whether values of a type are represented by memory. The answer is no outside of functions, and from the moment on
  // when there are too many temporaries.
  bool liesInMemory(const TypeInfo &type) const;

  // The memory with a load's result; nullptr: the result is an LLVM value.
  Result<std::shared_ptr<const Pointer>> load(const Instruction &inst, const Pointer &from, const MemoryAccess &access);
  // Stores the value of an id, whatever its form.
  Result<void> store(const Instruction &inst, const Pointer &to, uint32_t id, const MemoryAccess &access = {});
  Result<void> copy(const Instruction &inst, const Pointer &to, const Pointer &from, const MemoryAccess &access = {});

  // These translate instructions whose operand or result is in memory. extract: `part` is the operand's memory.
  Result<void> extract(const Instruction &inst, Pointer part);
  Result<void> construct(const Instruction &inst);
  Result<void> insert(const Instruction &inst);
  Result<void> select(const Instruction &inst, llvm::Value *condition);

private:
  bool isUsedBeforeWrites(const Instruction &load) const;
  Result<void> copyElements(const Instruction &inst, const Pointer &to, const Pointer &from,
                            const MemoryAccess &access);
  Result<void> extractOpaque(const Instruction &inst, Pointer array);
  // Binds a result to a temporary that nothing else has.
  void setTemporary(const Instruction &inst, const Pointer &memory);

  Context &m_context;
  lgc::Builder &m_builder;
  Pointers &m_pointers;
  OwnMemory &m_ownMemory;
  Memory &m_memory;
  Descriptors &m_descriptors;
  Outputs &m_outputs;
  Operands &m_operands;
  std::unordered_map<uint32_t, const Block *> m_temporaries; // by result; the block that made it
};

// The element of a vector, array or structure at these indices.
llvm::Value *extractValue(lgc::Builder &builder, llvm::Value *whole, std::span<const uint32_t> path);

} // namespace dovetail::spirv

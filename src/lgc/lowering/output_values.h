// SPDX-License-Identifier: MIT
//
// A shader writes its outputs component by component, anywhere and conditionally (WriteOutputOp). OutputValues gives
// their values where they are read. A component that only the block writes in which it is read needs nothing else.
// Others get a stack slot, which the optimiser turns into values. A component that resource collection did not list
// (ResourceUsage::outputs) has no value.
#pragma once

#include "src/lgc/state/resource_usage.h"
#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/IR/IRBuilder.h>

namespace lgc {

class OutputValues {
public:
  OutputValues(llvm::Function &function, const ResourceUsage &usage) : m_function(function), m_usage(usage) {}

  // Removes all writes. `exit`: the block at whose end all outputs are read; nullptr: they are read elsewhere, too.
  void lowerWrites(llvm::BasicBlock *exit);

  // The value of one component at the builder's place, as float; poison if it is never written.
  llvm::Value *valueOf(llvm::IRBuilderBase &builder, OutputSlot output, unsigned component) const;

private:
  using Component = std::pair<OutputSlot, unsigned>;

  llvm::AllocaInst *placeOf(const Component &component);

  llvm::Function &m_function;
  const ResourceUsage &m_usage;
  std::map<Component, llvm::AllocaInst *> m_places;
  std::map<Component, llvm::Value *> m_values; // of components without a place, as i32 or float
};

// The components of an output that are written somewhere.
uint8_t writtenComponents(const ResourceUsage &usage, OutputKind kind, unsigned slot = 0);

// Returns the value of one component of an output, as float.
using OutputReader = llvm::function_ref<llvm::Value *(OutputSlot output, unsigned component)>;

// The function's one block that returns, made if there are several or none. Paths that end in `unreachable` lead there,
// too. Their values do not matter, but code that falls through into the next part must not run off the end of the
// function.
llvm::BasicBlock *makeSingleExit(llvm::Function &function);

} // namespace lgc

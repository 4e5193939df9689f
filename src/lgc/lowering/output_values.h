// SPDX-License-Identifier: MIT
//
// A shader writes its outputs component by component, anywhere and conditionally (WriteOutputOp). OutputValues gives
// their values at the shader's end. Each component gets a stack slot, which the optimiser turns into values. A
// component that resource collection did not list (ResourceUsage::outputs) gets none.
#pragma once

#include "src/lgc/state/resource_usage.h"
#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/IR/IRBuilder.h>

namespace lgc {

class OutputValues {
public:
  OutputValues(llvm::Function &function, const ResourceUsage &usage) : m_function(function), m_usage(usage) {}

  // Turns all writes into stores to the stack slots.
  void lowerWrites();

  // The value of one component at the builder's place, as float; poison if it is never written.
  llvm::Value *valueOf(llvm::IRBuilderBase &builder, OutputSlot output, unsigned component) const;

private:
  void lowerWrite(class WriteOutputOp &write);

  llvm::Function &m_function;
  const ResourceUsage &m_usage;
  std::map<std::pair<OutputSlot, unsigned>, llvm::AllocaInst *> m_places;
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

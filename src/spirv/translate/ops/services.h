// SPDX-License-Identifier: MIT
//
// Everything that a shader's instructions are translated with: the context, and the objects over it. Each takes what it
// needs from those before it.
#pragma once

#include "src/spirv/translate/memory/composites.h"
#include <climits>

namespace dovetail::spirv {

struct Services : Context {
  using Context::Context;

  // Operand `index` of an instruction, in the form that the caller needs (operands.h).
  Result<llvm::Value *> operand(const Instruction &inst, unsigned index) {
    return operands.value(inst, inst.operand(index));
  }
  Result<Pointer> pointer(const Instruction &inst, unsigned index) {
    return operands.pointer(inst, inst.operand(index));
  }
  Result<ImageValue> image(const Instruction &inst, unsigned index) {
    return operands.image(inst, inst.operand(index));
  }
  Result<uint64_t> constant(const Instruction &inst, unsigned index) const {
    return values.constantInteger(inst, inst.operand(index));
  }
  // Binds the result.
  void setValue(const Instruction &inst, llvm::Value *value) { values.setValue(inst, value); }

  VariableUses variableUses{*this};
  VariableValues variableValues{*this};
  OwnMemory ownMemory{*this, variableUses, variableValues};
  InterfacePlaces places{*this};
  Inputs inputs{*this, places};
  Outputs outputs{*this, places, ownMemory, variableValues};
  SharedOutputs sharedOutputs{*this, places};
  SharedMemory sharedMemory{*this};
  LaidOutMemory laidOutMemory{*this};
  Pointers pointers{*this, places, ownMemory, laidOutMemory, sharedMemory};
  Descriptors descriptors{*this};
  Memory memory{*this, pointers, ownMemory, laidOutMemory, inputs, outputs, sharedOutputs};
  Operands operands{*this, pointers, memory};
  Composites composites{*this, pointers, ownMemory, memory, descriptors, outputs, operands};

  // Facts of the whole shader. The first two forbid optimisations of floats.
  bool preservesSignedZero = false;
  bool hasInvariantOutput = false;
  bool reconvergesMaximally = false;
  // Where the shader ends. How many blocks lead there is not known.
  VariableValues::Stretch *const exit = &variableValues.create(exitBlock, UINT_MAX);
};

} // namespace dovetail::spirv

// SPDX-License-Identifier: MIT
//
// Output variables are variables like others while the shader runs. The exit block, or each place where a geometry
// shader emits a vertex, writes every output that the shader stores to anywhere. An output that is declared but never
// stored to costs no export and no register; this holds down to single components of a vector. Transform feedback
// captures those outputs that have an Offset.
//
// A vertex of a geometry shader takes the values that the outputs have at that moment. But only after the whole shader
// is translated is it known which outputs it stores to: a function may be called, or a loop go round, between a store
// and an emission. So the writes of outputs are added afterwards.
//
// Transform feedback captures an output variable or block member with an Offset: its components lie one behind the
// other in the buffer's vertex, from that offset on. An output that the shader never stores to has no value and is not
// captured. Nor is an output with an Offset but no XfbStride (Vulkan wants both).
#pragma once

#include "src/spirv/translate/interface/interface_places.h"
#include "src/spirv/translate/variables/own_memory.h"
#include <functional>

namespace dovetail::spirv {

// A vector or scalar of an output variable.
struct OutputLeaf {
  unsigned number = 0;        // index into Variable::writtenMasks
  std::vector<uint32_t> path; // indices from the variable's type down to the leaf
  const TypeInfo *type = nullptr;
  InterfacePlace place; // its location or built-in
};

// Errors are Unsupported.
class Outputs {
public:
  Outputs(Context &context, const InterfacePlaces &places, OwnMemory &ownMemory, VariableValues &variableValues)
      : m_context(context), m_builder(context.builder), m_places(places), m_ownMemory(ownMemory),
        m_variableValues(variableValues) {}

  // To be called at each store to an output variable.
  Result<void> noteStore(const Instruction &inst, const Pointer &pointer);
  // Emits a vertex, and begins a new block.
  Result<void> emitVertex(const Instruction &inst, unsigned stream);
  // Writes and captures the outputs that were stored to, at the end of the exit block, which is the current stretch,
  // and where vertices are emitted. To be called once the whole shader is translated.
  Result<void> finish();

private:
  using VisitLeaf = std::function<Result<void>(const OutputLeaf &)>;
  // Numbers the vectors and scalars of an output, depth first, and passes each one with its path.
  Result<void> visitLeaves(const Variable &variable, const VisitLeaf &visit);
  // The same for all outputs that were stored to. visit: takes the mask of the components as well.
  Result<void>
  visitStored(const std::function<Result<void>(const Variable &, const OutputLeaf &, uint32_t mask)> &visit);
  // Writes the outputs of a stream; in stages other than geometry, all outputs.
  Result<void> write(unsigned stream);
  Result<void> writeLeaf(const Variable &variable, const OutputLeaf &leaf, uint32_t mask);
  Result<void> captureLeaf(const Variable &variable, const OutputLeaf &leaf, uint32_t mask);

  Context &m_context;
  lgc::Builder &m_builder;
  const InterfacePlaces &m_places;
  OwnMemory &m_ownMemory;
  VariableValues &m_variableValues;
  // A place where a vertex is emitted: the end of a block, and of a stretch.
  struct Emission {
    llvm::Instruction *terminator;
    VariableValues::Stretch *stretch;
    unsigned stream;
  };
  std::vector<Emission> m_emissions;
};

} // namespace dovetail::spirv

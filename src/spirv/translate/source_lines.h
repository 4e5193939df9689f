// SPDX-License-Identifier: MIT
//
// Turns the module's source places into LLVM's debug locations, so that the object file has a table of lines. There are
// only locations, no descriptions of variables or types, so that the code does not depend on them. Inlined code has the
// place where it was written.
#pragma once

#include "src/spirv/module/source_places.h"
#include <llvm/IR/DIBuilder.h>
#include <llvm/IR/DebugLoc.h>
#include <llvm/IR/Function.h>
#include <map>
#include <string>

namespace dovetail::spirv {

// Refers to its arguments, which must outlive it.
class SourceLines {
public:
  SourceLines(const SourcePlaces &places, llvm::Function &function);

  // The location of the instruction at this word of the SPIR-V; nowhere() if the module has none.
  llvm::DebugLoc at(uint32_t wordOffset);
  // Line 0, which means "no place" in the table of lines. Without any location, code would seem to come from the place
  // of the code in front of it.
  llvm::DebugLoc nowhere();
  // To be called once all locations are made.
  void finish() { m_builder.finalize(); }

private:
  const SourcePlaces &m_places;
  llvm::LLVMContext &m_context;
  llvm::DIBuilder m_builder;
  llvm::DISubprogram *m_subprogram = nullptr;
  std::map<std::string, llvm::DIScope *> m_files;
};

} // namespace dovetail::spirv

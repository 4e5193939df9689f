// SPDX-License-Identifier: MIT
//
// The module's places as LLVM's debug locations, so that the object file has a table of lines. Only locations are made,
// no descriptions of variables or types: code does not depend on them. What was inlined is where it was written.
#pragma once

#include "src/spirv/module/source_places.h"
#include <llvm/IR/DIBuilder.h>
#include <llvm/IR/DebugLoc.h>
#include <llvm/IR/Function.h>
#include <map>
#include <string>

namespace dovetail::spirv {

// Refers to its arguments.
class SourceLines {
public:
  SourceLines(const SourcePlaces &places, llvm::Function &function);

  // Of the instruction at this word of the SPIR-V; nowhere() if the module does not say.
  llvm::DebugLoc at(uint32_t wordOffset);
  // Line 0, with which the table of lines says so. Without a location, code seems to come from where the code in front
  // of it does.
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

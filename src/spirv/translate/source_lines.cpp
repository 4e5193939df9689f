// SPDX-License-Identifier: MIT
#include "src/spirv/translate/source_lines.h"
#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/IR/Module.h>

namespace dovetail::spirv {

SourceLines::SourceLines(const SourcePlaces &places, llvm::Function &function)
    : m_places(places), m_context(function.getContext()), m_builder(*function.getParent()) {
  function.getParent()->addModuleFlag(llvm::Module::Warning, "Debug Info Version", llvm::DEBUG_METADATA_VERSION);
  llvm::DIFile *noFile = m_builder.createFile("SPIR-V", ""); // LLVM wants a name; no instruction comes from this file
  m_builder.createCompileUnit(llvm::dwarf::DW_LANG_C, noFile, "Dovetail", true, "", 0, "",
                              llvm::DICompileUnit::LineTablesOnly);
  llvm::DISubroutineType *type = m_builder.createSubroutineType(m_builder.getOrCreateTypeArray({}));
  m_subprogram = m_builder.createFunction(noFile, function.getName(), "", noFile, 0, type, 0, llvm::DINode::FlagZero,
                                          llvm::DISubprogram::SPFlagDefinition | llvm::DISubprogram::SPFlagOptimized);
  function.setSubprogram(m_subprogram);
}

llvm::DebugLoc SourceLines::nowhere() {
  return llvm::DILocation::get(m_context, 0, 0, m_subprogram);
}

llvm::DebugLoc SourceLines::at(uint32_t wordOffset) {
  const SourcePlace *place = m_places.find(wordOffset);
  if (!place)
    return nowhere();
  llvm::DIScope *&scope = m_files[place->file];
  if (!scope)
    scope = m_builder.createLexicalBlockFile(m_subprogram, m_builder.createFile(place->file, ""));
  return llvm::DILocation::get(m_context, place->line, 0, scope);
}

} // namespace dovetail::spirv

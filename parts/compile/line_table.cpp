// SPDX-License-Identifier: MIT
#include "parts/compile/line_table.h"
#include <algorithm>
#include <llvm/DebugInfo/DWARF/DWARFContext.h>
#include <llvm/Object/ELFObjectFile.h>
#include <llvm/Support/MemoryBuffer.h>

namespace dovetail {

Result<std::vector<CodeLine>> readLineTable(std::span<const uint8_t> elf) {
  const llvm::StringRef bytes(reinterpret_cast<const char *>(elf.data()), elf.size());
  auto object = llvm::object::ObjectFile::createELFObjectFile(llvm::MemoryBufferRef(bytes, "object"));
  if (!object)
    return makeError(ErrorCode::InvalidInput, "no object file: {}", llvm::toString(object.takeError()));
  const std::unique_ptr<llvm::DWARFContext> context = llvm::DWARFContext::create(**object);

  std::vector<CodeLine> rows;
  for (const auto &unit : context->compile_units()) {
    const llvm::DWARFDebugLine::LineTable *table = context->getLineTableForUnit(unit.get());
    if (!table)
      continue;
    for (const llvm::DWARFDebugLine::Row &row : table->Rows) {
      CodeLine line = {uint32_t(row.Address.Address), "", 0};
      // LLVM uses line 0 for code without a source line.
      if (!row.EndSequence && row.Line != 0 &&
          table->getFileNameByIndex(row.File, "", llvm::DILineInfoSpecifier::FileLineInfoKind::RelativeFilePath,
                                    line.file))
        line.line = row.Line;
      rows.push_back(std::move(line));
    }
  }
  std::ranges::stable_sort(rows, {}, &CodeLine::offset);
  std::vector<CodeLine> result;
  for (CodeLine &row : rows) {
    // If a place has several rows, the last one counts.
    if (!result.empty() && result.back().offset == row.offset)
      result.pop_back();
    if (result.empty() || result.back().file != row.file || result.back().line != row.line)
      result.push_back(std::move(row));
  }
  return result;
}

} // namespace dovetail

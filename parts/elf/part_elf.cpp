// SPDX-License-Identifier: MIT
#include "parts/elf/part_elf.h"
#include "parts/check_part.h"
#include "parts/compile/toolchain_version.h"
#include "parts/part_bytes.h"
#include "src/abi/interface/link_constant.h"
#include "src/abi/metadata/pal_metadata.h"
#include "src/base/field_bytes.h"
#include <algorithm>
#include <cstring>

namespace dovetail {

namespace {

constexpr RelocationKind LayoutConstantKind = RelocationKind::Abs32Lo;

std::string entrySymbol(const Part &part) {
  return part.interface ? palEntrySymbol(part.interface->hardwareStage) : std::string(toSymbol(part.key.kind));
}

class SymbolList {
public:
  explicit SymbolList(std::vector<ElfSymbol> &symbols) : m_symbols(symbols) {}

  uint32_t undefined(std::string name) {
    auto found = std::ranges::find(m_symbols, name, &ElfSymbol::name);
    if (found == m_symbols.end())
      found = m_symbols.insert(found, {.name = std::move(name), .place = ElfPlace::Undefined, .isGlobal = true});
    return uint32_t(found - m_symbols.begin());
  }

private:
  std::vector<ElfSymbol> &m_symbols;
};

ElfRelocation relocationOf(const Relocation &relocation, SymbolList &symbols) {
  ElfRelocation result = {.offset = relocation.offset, .kind = relocation.kind, .addend = relocation.addend};
  switch (relocation.target) {
  case RelocationTarget::Code:
    break;
  case RelocationTarget::Constants:
    result.place = ElfPlace::Constants;
    break;
  case RelocationTarget::Link:
    result.place = ElfPlace::Undefined;
    result.symbol = symbols.undefined(std::string(symbolOf(LinkConstant(relocation.addend))));
    result.addend = 0;
    break;
  case RelocationTarget::SecondHalf:
    result.place = ElfPlace::Undefined;
    result.symbol = symbols.undefined(std::string(SecondHalfSymbol));
    break;
  }
  return result;
}

ElfRelocation relocationOf(const LayoutRelocation &relocation, SymbolList &symbols) {
  std::string name = symbolOf(relocation.constant);
  if (relocation.field == LayoutField::ScalarOffset)
    name.insert(0, LayoutFieldPrefix);
  return {.offset = relocation.offset,
          .kind = LayoutConstantKind,
          .symbol = symbols.undefined(std::move(name)),
          .place = ElfPlace::Undefined};
}

Result<void> addRelocation(Part &part, const ElfFile &file, const ElfRelocation &from) {
  const auto offset = uint32_t(from.offset);
  if (from.place != ElfPlace::Undefined) {
    const bool isCode = from.place == ElfPlace::Text;
    const int64_t start = from.symbol ? int64_t(file.symbols[*from.symbol].value) : 0;
    part.relocations.push_back({offset, from.kind, isCode ? RelocationTarget::Code : RelocationTarget::Constants,
                                int64_t(uint64_t(from.addend) + uint64_t(start))});
    return {};
  }
  if (!from.symbol)
    return makeError(ErrorCode::InvalidInput, "a relocation of the part refers to nothing");
  std::string_view name = file.symbols[*from.symbol].name;
  if (name == SecondHalfSymbol) {
    part.relocations.push_back({offset, from.kind, RelocationTarget::SecondHalf, from.addend});
    return {};
  }
  if (std::optional<LinkConstant> constant = linkConstantOf(name); constant && from.addend == 0) {
    part.relocations.push_back({offset, from.kind, RelocationTarget::Link, int64_t(*constant)});
    return {};
  }
  LayoutField field = LayoutField::Literal;
  if (name.starts_with(LayoutFieldPrefix)) {
    field = LayoutField::ScalarOffset;
    name.remove_prefix(LayoutFieldPrefix.size());
  }
  const std::optional<LayoutConstant> constant = layoutConstantOf(name);
  if (!constant || from.kind != LayoutConstantKind || from.addend != 0)
    return makeError(ErrorCode::InvalidInput, "a relocation of the part refers to {}, which the join does not know",
                     file.symbols[*from.symbol].name);
  part.layoutRelocations.push_back({offset, field, *constant});
  return {};
}

// Whether the key is the hash of the key's fields. Later code reads these fields without checking each number. Keys of
// monolithic parts leave out what a function's hash already covers, so they are not checked.
bool isKeyGood(const Part &part) {
  if (part.keyFields.empty() || part.key.kind == PartKind::Monolithic)
    return true;
  return hashOfKeyFields(part.keyFields) == part.key.hash;
}

} // namespace

Hash128 hashOfKeyFields(std::span<const uint8_t> keyFields) {
  FieldWriter hashed;
  hashed.add(toolchainVersion());
  for (uint8_t byte : keyFields)
    hashed.add(byte);
  return hashed.hash();
}

ElfFile partElf(const Part &part, const TargetInfo &target) {
  ElfFile file;
  file.machine = target.elfMachine;
  file.text = part.code;
  file.constants = part.constants;
  file.constantsAlignment = part.constantsAlignment;
  file.symbols.push_back({.name = entrySymbol(part), .isGlobal = true, .size = part.code.size()});
  SymbolList symbols(file.symbols);
  for (const Relocation &relocation : part.relocations)
    file.relocations.push_back(relocationOf(relocation, symbols));
  for (const LayoutRelocation &relocation : part.layoutRelocations)
    file.relocations.push_back(relocationOf(relocation, symbols));

  Part rest = part;
  rest.code.clear();
  rest.constants.clear();
  rest.relocations.clear();
  rest.layoutRelocations.clear();
  rest.buildMicroseconds = 0; // the same shader must make the same file
  ElfNote note = {std::string(DovetailVendor), PartNote, {}};
  const Hash128 &version = toolchainVersion();
  const auto *versionBytes = reinterpret_cast<const uint8_t *>(&version);
  note.bytes.assign(versionBytes, versionBytes + sizeof(version));
  encodePart(rest, note.bytes);
  file.notes.push_back(std::move(note));
  return file;
}

Result<Part> partOf(const ElfFile &file) {
  const ElfNote *note = file.findNote(DovetailVendor, PartNote);
  Hash128 version;
  if (!note || note->bytes.size() < sizeof(version))
    return makeError(ErrorCode::InvalidInput, "the ELF file is no unlinked shader or glue of ours: it lacks a note");
  std::memcpy(&version, note->bytes.data(), sizeof(version));
  if (version != toolchainVersion())
    return makeError(ErrorCode::InvalidInput, "the ELF file was made by another build: {}, this one is {}",
                     version.toHex(), toolchainVersion().toHex());
  Part part = DOVETAIL_TRY(decodePart(std::span(note->bytes).subspan(sizeof(version))));
  part.code = file.text;
  part.constants = file.constants;
  // A file without constants has no section that states their alignment.
  if (!file.constants.empty())
    part.constantsAlignment = uint32_t(file.constantsAlignment);
  for (const ElfRelocation &relocation : file.relocations)
    DOVETAIL_CHECK(addRelocation(part, file, relocation));
  const char *defect = isKeyGood(part) ? defectOf(part) : "its key is not that of what it was made from";
  if (defect)
    return makeError(ErrorCode::InvalidInput, "the ELF file of part {} {} is damaged: {}", toString(part.key.kind),
                     part.key.hash.toHex(), defect);
  return part;
}

} // namespace dovetail

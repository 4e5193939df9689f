// SPDX-License-Identifier: MIT
//
// Files may come from anywhere. libelf does not read beyond the bytes that it is given, but accepts any numbers in
// them, so this file checks the numbers.
#include "parts/elf/elf_file.h"
#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <gelf.h>
#include <limits>
#include <memory>

namespace dovetail {

namespace {

constexpr uint64_t MaxAlignment = 4096;

struct ElfCloser {
  void operator()(Elf *object) const { elf_end(object); }
};

template <typename... Args> auto malformed(fmt::format_string<Args...> format, Args &&...args) {
  return makeError(ErrorCode::InvalidInput, "the ELF file: {}", fmt::format(format, std::forward<Args>(args)...));
}

std::optional<RelocationKind> relocationKind(uint64_t number) {
  const auto row = std::ranges::find(RelocationKindRows, number, &RelocationKindRow::elfType);
  return row == std::end(RelocationKindRows) ? std::nullopt
                                             : std::optional(RelocationKind(row - std::begin(RelocationKindRows)));
}

class ElfReader {
public:
  explicit ElfReader(std::span<const uint8_t> bytes) : m_bytes(bytes.begin(), bytes.end()) {}

  Result<ElfFile> read() {
    DOVETAIL_CHECK(open());
    DOVETAIL_CHECK(findSections());
    // Beyond this point, code and constants are known.
    DOVETAIL_CHECK(readNotes());
    DOVETAIL_CHECK(readSymbols());
    DOVETAIL_CHECK(readRelocations());
    return std::move(m_file);
  }

private:
  Result<void> open() {
    if (elf_version(EV_CURRENT) == EV_NONE)
      return malformed("libelf is too old");
    m_elf.reset(elf_memory(reinterpret_cast<char *>(m_bytes.data()), m_bytes.size()));
    GElf_Ehdr header;
    if (!m_elf || elf_kind(m_elf.get()) != ELF_K_ELF || !gelf_getehdr(m_elf.get(), &header))
      return malformed("it is none");
    if (header.e_machine != MachineAmdgpu || header.e_type != ET_REL || gelf_getclass(m_elf.get()) != ELFCLASS64 ||
        header.e_ident[EI_DATA] != ELFDATA2LSB)
      return malformed("it is no relocatable file for AMDGPUs");
    if (elf_getshdrstrndx(m_elf.get(), &m_sectionNames) != 0)
      return malformed("its sections have no names");
    m_file.machine = header.e_flags;
    return {};
  }

  std::string nameOf(const GElf_Shdr &header) {
    const char *name = elf_strptr(m_elf.get(), m_sectionNames, header.sh_name);
    return name ? name : "?";
  }

  Result<void> take(Elf_Scn *&place, Elf_Scn *section, const GElf_Shdr &header) {
    if (place)
      return malformed("it has more than one section like {}", nameOf(header));
    place = section;
    return {};
  }

  Result<void> findSections() {
    for (Elf_Scn *section = nullptr; (section = elf_nextscn(m_elf.get(), section));) {
      GElf_Shdr header;
      if (!gelf_getshdr(section, &header))
        return malformed("a section's header cannot be read");
      if (header.sh_type == SHT_NOTE) {
        m_notes.push_back(section);
      } else if (header.sh_type == SHT_SYMTAB) {
        DOVETAIL_CHECK(take(m_symbols, section, header));
      } else if (header.sh_type == SHT_RELA || header.sh_type == SHT_REL) {
        m_relocations.push_back(section);
      } else if (header.sh_flags & SHF_ALLOC && (header.sh_size != 0 || header.sh_flags & SHF_EXECINSTR)) {
        DOVETAIL_CHECK(findLoaded(section, header));
      }
    }
    if (!m_text || !m_symbols)
      return malformed("it has no code, or no symbols");
    return {};
  }

  Result<void> findLoaded(Elf_Scn *section, const GElf_Shdr &header) {
    if (header.sh_type != SHT_PROGBITS || header.sh_flags & SHF_WRITE)
      return malformed("section {} is not constant", nameOf(header));
    if (!std::has_single_bit(header.sh_addralign) || header.sh_addralign > MaxAlignment)
      return malformed("section {} is aligned to {} bytes", nameOf(header), uint64_t(header.sh_addralign));
    const Elf_Data *data = elf_rawdata(section, nullptr);
    const auto *first = data ? static_cast<const uint8_t *>(data->d_buf) : nullptr;
    const std::span<const uint8_t> bytes(first, first ? data->d_size : 0);
    if (header.sh_flags & SHF_EXECINSTR) {
      m_file.textAlignment = header.sh_addralign;
      m_file.text.assign(bytes.begin(), bytes.end());
      return take(m_text, section, header);
    }
    std::vector<uint8_t> &constants = m_file.constants;
    constants.resize((constants.size() + header.sh_addralign - 1) & ~(header.sh_addralign - 1));
    m_file.constantsAlignment =
        std::max<uint64_t>(m_constants.empty() ? 0 : m_file.constantsAlignment, header.sh_addralign);
    if (constants.size() + bytes.size() > m_bytes.size()) // the file would become far larger than it is
      return malformed("section {} overlaps others", nameOf(header));
    m_constants.push_back({elf_ndxscn(section), constants.size()});
    constants.insert(constants.end(), bytes.begin(), bytes.end());
    return {};
  }

  Result<void> readNotes() {
    for (Elf_Scn *section : m_notes) {
      Elf_Data *data = elf_getdata(section, nullptr);
      GElf_Nhdr header;
      size_t name = 0, description = 0;
      for (size_t offset = 0; data && (offset = gelf_getnote(data, offset, &header, &name, &description));) {
        const auto *bytes = static_cast<const uint8_t *>(data->d_buf);
        const std::string_view vendor(reinterpret_cast<const char *>(bytes + name), header.n_namesz);
        m_file.notes.push_back({std::string(vendor.substr(0, vendor.find('\0'))),
                                header.n_type,
                                {bytes + description, bytes + description + header.n_descsz}});
      }
    }
    return {};
  }

  // A section of constants, and its place among all constants.
  struct PlacedSection {
    size_t index;
    size_t offset;
  };
  // nullptr: it is none.
  const PlacedSection *findConstants(size_t section) const {
    const auto found = std::ranges::find(m_constants, section, &PlacedSection::index);
    return found == m_constants.end() ? nullptr : &*found;
  }

  // The target of a relocation, which names it by the number of a symbol.
  struct Target {
    std::optional<uint32_t> symbol; // in the file's list
    ElfPlace place = ElfPlace::Text;
    bool isThere = false;
    uint64_t start = 0; // without a symbol: of the section in its place
  };

  Result<void> readSymbols() {
    GElf_Shdr header;
    Elf_Data *data = elf_getdata(m_symbols, nullptr);
    if (!gelf_getshdr(m_symbols, &header) || !data)
      return malformed("its symbols cannot be read");
    const size_t count = std::min<size_t>(data->d_size / sizeof(Elf64_Sym), std::numeric_limits<int>::max());
    m_targets.resize(count);
    for (size_t i = 1; i < count; ++i) {
      GElf_Sym symbol;
      const char *name =
          gelf_getsym(data, int(i), &symbol) ? elf_strptr(m_elf.get(), header.sh_link, symbol.st_name) : nullptr;
      if (!name)
        return malformed("symbol {} cannot be read", i);
      const PlacedSection *constants = findConstants(symbol.st_shndx);
      if (!constants && symbol.st_shndx != SHN_UNDEF && symbol.st_shndx != elf_ndxscn(m_text))
        continue; // the section is not loaded
      const ElfPlace place = constants                      ? ElfPlace::Constants
                             : symbol.st_shndx == SHN_UNDEF ? ElfPlace::Undefined
                                                            : ElfPlace::Text;
      const uint64_t start = constants ? constants->offset : 0;
      const unsigned type = GELF_ST_TYPE(symbol.st_info);
      if (type == STT_SECTION) {
        m_targets[i] = {std::nullopt, place, true, start};
        continue;
      }
      m_targets[i] = {uint32_t(m_file.symbols.size()), place, true};
      m_file.symbols.push_back({name, place, GELF_ST_BIND(symbol.st_info) == STB_GLOBAL,
                                type == STT_FUNC || type == STT_NOTYPE, start + symbol.st_value, symbol.st_size});
    }
    return {};
  }

  Result<void> readRelocations() {
    for (Elf_Scn *section : m_relocations) {
      GElf_Shdr header;
      if (!gelf_getshdr(section, &header))
        return malformed("a section's header cannot be read");
      if (findConstants(header.sh_info))
        return malformed("its constants hold addresses ({})", nameOf(header));
      if (header.sh_info != elf_ndxscn(m_text))
        continue;
      Elf_Data *data = elf_getdata(section, nullptr);
      if (!data)
        return malformed("its relocations cannot be read");
      const bool hasAddend = header.sh_type == SHT_RELA;
      for (size_t i = 0; i < data->d_size / (hasAddend ? sizeof(Elf64_Rela) : sizeof(Elf64_Rel)); ++i)
        DOVETAIL_CHECK(readRelocation(data, int(i), hasAddend));
    }
    return {};
  }

  Result<void> readRelocation(Elf_Data *data, int index, bool hasAddend) {
    GElf_Rela entry = {};
    GElf_Rel withoutAddend = {};
    if (hasAddend ? !gelf_getrela(data, index, &entry) : !gelf_getrel(data, index, &withoutAddend))
      return malformed("relocation {} cannot be read", index);
    if (!hasAddend)
      entry = {withoutAddend.r_offset, withoutAddend.r_info, 0};
    const std::optional<RelocationKind> kind = relocationKind(GELF_R_TYPE(entry.r_info));
    if (!kind)
      return malformed("relocation {} is of type {}", index, uint64_t(GELF_R_TYPE(entry.r_info)));
    const uint32_t size = rowOf(*kind).size;
    if (entry.r_offset > m_file.text.size() || m_file.text.size() - entry.r_offset < size)
      return malformed("relocation {} is not in the code", index);
    if (!hasAddend && *kind == RelocationKind::Branch16)
      return malformed("relocation {} is a branch without an addend", index);
    if (!hasAddend) { // the field has it
      int32_t low;
      std::memcpy(&low, &m_file.text[entry.r_offset], sizeof(low));
      entry.r_addend = low;
      if (size == sizeof(entry.r_addend))
        std::memcpy(&entry.r_addend, &m_file.text[entry.r_offset], size);
    }
    const uint64_t number = GELF_R_SYM(entry.r_info);
    if (number >= m_targets.size() || !m_targets[number].isThere)
      return malformed("relocation {} has no symbol", index);
    const Target &target = m_targets[number];
    m_file.relocations.push_back(
        {entry.r_offset, *kind, target.symbol, target.place, int64_t(uint64_t(entry.r_addend) + target.start)});
    return {};
  }

  std::vector<uint8_t> m_bytes;
  std::unique_ptr<Elf, ElfCloser> m_elf;
  size_t m_sectionNames = 0;
  Elf_Scn *m_text = nullptr, *m_symbols = nullptr;
  std::vector<PlacedSection> m_constants;
  std::vector<Elf_Scn *> m_notes, m_relocations;
  std::vector<Target> m_targets;
  ElfFile m_file;
};

} // namespace

Result<ElfFile> readElf(std::span<const uint8_t> bytes) {
  return ElfReader(bytes).read();
}

} // namespace dovetail

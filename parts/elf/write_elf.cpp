// SPDX-License-Identifier: MIT
//
// libelf writes to a file descriptor. This file gives it an anonymous file in memory and reads that back, so no
// half-written file is left anywhere. Sections: .text, .rodata if there are constants, .note, .symtab and .strtab,
// .rela.text if there are relocations, and debug sections.
#include "parts/elf/elf_file.h"
#include <algorithm>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <gelf.h>
#include <libelf.h>
#include <sys/mman.h>
#include <unistd.h>

namespace dovetail {

namespace {

constexpr unsigned char OsAbiPal = 65;

// A string section under construction.
class StringTable {
public:
  uint32_t add(std::string_view text) {
    uint32_t offset = uint32_t(m_bytes.size());
    m_bytes.append(text);
    m_bytes.push_back('\0');
    return offset;
  }
  std::string &bytes() { return m_bytes; }

private:
  std::string m_bytes = std::string(1, '\0');
};

struct FileDescriptor {
  int fd = -1;
  ~FileDescriptor() {
    if (fd >= 0)
      close(fd);
  }
};

struct ElfHandle {
  Elf *elf = nullptr;
  ~ElfHandle() {
    if (elf)
      elf_end(elf);
  }
};

tl::unexpected<Error> elfError(const char *what) {
  return makeError(ErrorCode::Io, "{}: {}", what, elf_errmsg(-1));
}

// The content of one section; the bytes must stay in place until the file is written.
struct SectionData {
  const char *name;
  uint32_t type;
  uint64_t flags;
  uint64_t alignment;
  Elf_Type elfType;
  void *bytes;
  size_t size;
  uint32_t link = 0;
  uint32_t info = 0;
  uint64_t entrySize = 0;
};

Result<void> addSection(Elf *elf, StringTable &names, const SectionData &section) {
  Elf_Scn *scn = elf_newscn(elf);
  Elf_Data *data = scn ? elf_newdata(scn) : nullptr;
  Elf64_Shdr *header = scn ? elf64_getshdr(scn) : nullptr;
  if (!data || !header)
    return elfError("making an ELF section");
  data->d_buf = section.bytes;
  data->d_size = section.size;
  data->d_align = section.alignment;
  data->d_type = section.elfType;
  data->d_version = EV_CURRENT;
  header->sh_name = names.add(section.name);
  header->sh_type = section.type;
  header->sh_flags = section.flags;
  header->sh_link = section.link;
  header->sh_info = section.info;
  header->sh_entsize = section.entrySize;
  return {};
}

std::vector<uint8_t> makeNotes(const std::vector<ElfNote> &notes) {
  std::vector<uint8_t> bytes;
  auto append = [&](const void *from, size_t size) {
    const auto *first = static_cast<const uint8_t *>(from);
    bytes.insert(bytes.end(), first, first + size);
    bytes.resize((bytes.size() + 3) & ~size_t(3));
  };
  for (const ElfNote &note : notes) {
    const size_t nameSize = note.vendor.size() + 1;
    const Elf64_Nhdr header{uint32_t(nameSize), uint32_t(note.bytes.size()), note.type};
    append(&header, sizeof(header));
    append(note.vendor.c_str(), nameSize);
    append(note.bytes.data(), note.bytes.size());
  }
  return bytes;
}

// The numbers of the sections, in their order.
struct SectionNumbers {
  uint16_t text = 1;
  uint16_t constants = 0; // 0: there is none
  uint16_t symbols = 0, strings = 0;
};

SectionNumbers numberSections(const ElfFile &file) {
  SectionNumbers numbers;
  uint16_t last = numbers.text;
  if (!file.constants.empty())
    numbers.constants = ++last;
  ++last; // the notes
  numbers.symbols = ++last;
  numbers.strings = ++last;
  return numbers;
}

struct Symbols {
  std::vector<Elf64_Sym> table;
  uint32_t localCount = 0; // the index of the first global symbol
  // Symbols that relocations refer to: the starts of the sections, and the first of the file's symbols.
  uint32_t textStart = 0, constantsStart = 0, first = 0;
};

// ELF asks for local symbols first: the starts of the sections, then the file's.
Symbols makeSymbols(const ElfFile &file, const SectionNumbers &sections, StringTable &strings) {
  Symbols symbols;
  symbols.table.push_back({});
  auto sectionStart = [&](uint16_t section) {
    Elf64_Sym symbol = {};
    symbol.st_info = ELF64_ST_INFO(STB_LOCAL, STT_SECTION);
    symbol.st_shndx = section;
    symbols.table.push_back(symbol);
    return uint32_t(symbols.table.size() - 1);
  };
  symbols.textStart = sectionStart(sections.text);
  if (sections.constants != 0)
    symbols.constantsStart = sectionStart(sections.constants);
  symbols.first = uint32_t(symbols.table.size());
  symbols.localCount = symbols.first;
  for (const ElfSymbol &from : file.symbols) {
    Elf64_Sym symbol = {};
    symbol.st_name = strings.add(from.name);
    symbol.st_value = from.value;
    symbol.st_size = from.size;
    symbol.st_shndx = from.place == ElfPlace::Text        ? sections.text
                      : from.place == ElfPlace::Constants ? sections.constants
                                                          : uint16_t(SHN_UNDEF);
    const unsigned type = from.place == ElfPlace::Undefined ? STT_NOTYPE : from.isFunction ? STT_FUNC : STT_OBJECT;
    symbol.st_info = ELF64_ST_INFO(unsigned(from.isGlobal ? STB_GLOBAL : STB_LOCAL), type);
    symbols.table.push_back(symbol);
    symbols.localCount += !from.isGlobal;
  }
  return symbols;
}

std::vector<Elf64_Rela> makeRelocations(const ElfFile &file, const Symbols &symbols) {
  std::vector<Elf64_Rela> relocations;
  for (const ElfRelocation &from : file.relocations) {
    const uint64_t symbol = from.symbol                         ? symbols.first + *from.symbol
                            : from.place == ElfPlace::Constants ? symbols.constantsStart
                                                                : symbols.textStart;
    relocations.push_back({from.offset, ELF64_R_INFO(symbol, rowOf(from.kind).elfType), from.addend});
  }
  return relocations;
}

Result<std::vector<uint8_t>> readBack(int fd) {
  off_t size = lseek(fd, 0, SEEK_END);
  std::vector<uint8_t> bytes(size > 0 ? size_t(size) : 0);
  size_t done = 0;
  while (done < bytes.size()) {
    ssize_t count = pread(fd, bytes.data() + done, bytes.size() - done, off_t(done));
    if (count <= 0)
      return makeError(ErrorCode::Io, "reading an ELF back from memory: {}", std::strerror(errno));
    done += size_t(count);
  }
  return bytes;
}

} // namespace

const ElfNote *ElfFile::findNote(std::string_view vendor, uint32_t type) const {
  auto found =
      std::ranges::find_if(notes, [&](const ElfNote &note) { return note.vendor == vendor && note.type == type; });
  return found == notes.end() ? nullptr : &*found;
}

Result<std::vector<uint8_t>> writeElf(const ElfFile &file) {
  if (elf_version(EV_CURRENT) == EV_NONE)
    return elfError("libelf");
  FileDescriptor target{memfd_create("dovetail-elf", MFD_CLOEXEC)};
  if (target.fd < 0)
    return makeError(ErrorCode::Io, "making a file in memory: {}", std::strerror(errno));
  ElfHandle handle{elf_begin(target.fd, ELF_C_WRITE, nullptr)};
  if (!handle.elf)
    return elfError("starting an ELF");
  Elf64_Ehdr *header = elf64_newehdr(handle.elf);
  if (!header)
    return elfError("making an ELF header");
  header->e_ident[EI_DATA] = ELFDATA2LSB;
  header->e_ident[EI_OSABI] = OsAbiPal;
  header->e_type = ET_REL;
  header->e_machine = MachineAmdgpu;
  header->e_version = EV_CURRENT;
  header->e_flags = file.machine;

  // All bytes are made before libelf gets the first one, because libelf keeps pointers to them.
  const SectionNumbers numbers = numberSections(file);
  StringTable sectionNames, symbolNames;
  std::vector<uint8_t> text = file.text, constants = file.constants, notes = makeNotes(file.notes);
  Symbols symbols = makeSymbols(file, numbers, symbolNames);
  std::vector<Elf64_Rela> relocations = makeRelocations(file, symbols);

  std::vector<SectionData> sections = {
      {".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, file.textAlignment, ELF_T_BYTE, text.data(), text.size()}};
  if (numbers.constants != 0)
    sections.push_back(
        {".rodata", SHT_PROGBITS, SHF_ALLOC, file.constantsAlignment, ELF_T_BYTE, constants.data(), constants.size()});
  sections.push_back({".note", SHT_NOTE, 0, 4, ELF_T_BYTE, notes.data(), notes.size()});
  sections.push_back({".symtab", SHT_SYMTAB, 0, 8, ELF_T_SYM, symbols.table.data(),
                      symbols.table.size() * sizeof(Elf64_Sym), numbers.strings, symbols.localCount,
                      sizeof(Elf64_Sym)});
  sections.push_back({".strtab", SHT_STRTAB, 0, 1, ELF_T_BYTE, symbolNames.bytes().data(), symbolNames.bytes().size()});
  if (!relocations.empty())
    sections.push_back({".rela.text", SHT_RELA, SHF_INFO_LINK, 8, ELF_T_RELA, relocations.data(),
                        relocations.size() * sizeof(Elf64_Rela), numbers.symbols, numbers.text, sizeof(Elf64_Rela)});
  std::vector<ElfDebugSection> debugSections = file.debugSections;
  for (ElfDebugSection &section : debugSections)
    sections.push_back(
        {section.name.c_str(), SHT_PROGBITS, 0, 1, ELF_T_BYTE, section.bytes.data(), section.bytes.size()});
  for (const SectionData &section : sections)
    DOVETAIL_CHECK(addSection(handle.elf, sectionNames, section));

  uint32_t ownName = sectionNames.add(".shstrtab");
  Elf_Scn *names = elf_newscn(handle.elf);
  Elf_Data *namesData = names ? elf_newdata(names) : nullptr;
  Elf64_Shdr *namesHeader = names ? elf64_getshdr(names) : nullptr;
  if (!namesData || !namesHeader)
    return elfError("making an ELF section");
  namesData->d_buf = sectionNames.bytes().data();
  namesData->d_size = sectionNames.bytes().size();
  namesData->d_align = 1;
  namesHeader->sh_name = ownName;
  namesHeader->sh_type = SHT_STRTAB;
  header->e_shstrndx = uint16_t(elf_ndxscn(names));

  // libelf reports that a write failed, but no reason; errno has it.
  errno = 0;
  if (elf_update(handle.elf, ELF_C_WRITE) < 0) {
    const int reason = errno;
    if (reason == 0)
      return elfError("writing an ELF");
    return makeError(ErrorCode::Io, "writing an ELF: {}", std::strerror(reason));
  }
  return readBack(target.fd);
}

} // namespace dovetail

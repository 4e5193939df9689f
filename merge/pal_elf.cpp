// SPDX-License-Identifier: MIT
//
// libelf writes to a file descriptor, so it is given an anonymous file in memory, which is read back: nothing
// half-written can be left anywhere. Sections: .text (all stages, constants, padding), .note (the metadata), .symtab
// and .strtab, and .rela.text if there are fields that the loader has to finish.
#include "merge/pal_elf.h"
#include "merge/image_metadata.h"
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <gelf.h>
#include <libelf.h>
#include <string_view>
#include <sys/mman.h>
#include <unistd.h>

namespace dovetail {

namespace {

// Numbers of the AMDGPU ABI (LLVM's AMDGPUUsage) that older elf.h files lack.
constexpr unsigned MachineAmdgpu = 224;
constexpr unsigned char OsAbiPal = 65;
constexpr uint32_t NoteMetadata = 32;
constexpr uint32_t RelocAbs32Lo = 1;
constexpr uint32_t RelocAbs32Hi = 2;
constexpr uint32_t RelocAbs64 = 3;
constexpr uint32_t RelocAbs32 = 6;
constexpr uint64_t TextAlignment = 256;

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

// What goes into one section; the bytes must stay in place until the file is written.
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

std::vector<uint8_t> makeNote(const Image &image) {
  std::vector<uint8_t> metadata = encodePalMetadata(makePalMetadata(image));
  constexpr char Vendor[] = "AMDGPU";
  Elf64_Nhdr header{sizeof(Vendor), uint32_t(metadata.size()), NoteMetadata};
  auto padded = [](size_t size) { return (size + 3) & ~size_t(3); };
  std::vector<uint8_t> note(sizeof(header) + padded(sizeof(Vendor)) + padded(metadata.size()));
  std::memcpy(note.data(), &header, sizeof(header));
  std::memcpy(note.data() + sizeof(header), Vendor, sizeof(Vendor));
  std::memcpy(note.data() + sizeof(header) + padded(sizeof(Vendor)), metadata.data(), metadata.size());
  return note;
}

struct Symbols {
  std::vector<Elf64_Sym> table = {{}};
  uint32_t localCount = 1;
};

constexpr uint16_t TextSection = 1;

// Local symbols come first, as ELF asks: the start of .text, one per part, one per part's constants. Then the entry
// points.
Symbols makeSymbols(const Image &image, StringTable &strings) {
  Symbols symbols;
  auto add = [&](std::string_view name, unsigned char binding, unsigned char type, uint64_t value, uint64_t size) {
    Elf64_Sym symbol = {};
    symbol.st_name = name.empty() ? 0 : strings.add(name);
    symbol.st_info = ELF64_ST_INFO(binding, type);
    symbol.st_shndx = TextSection;
    symbol.st_value = value;
    symbol.st_size = size;
    symbols.table.push_back(symbol);
  };
  add("", STB_LOCAL, STT_SECTION, 0, 0);
  for (const ImagePart &placed : image.parts) {
    std::string name = partSymbol(image, placed);
    add(name, STB_LOCAL, STT_FUNC, placed.offset, placed.size);
    if (!placed.part->constants.empty())
      add(name + ".constants", STB_LOCAL, STT_OBJECT, placed.constantsOffset, placed.part->constants.size());
  }
  symbols.localCount = uint32_t(symbols.table.size());
  for (const ImageStage &stage : image.stages)
    add(fmt::format("_amdgpu_{}_main", toString(stage.stage)), STB_GLOBAL, STT_FUNC, stage.entry, stage.size);
  return symbols;
}

std::vector<Elf64_Rela> makeRelocations(const Image &image) {
  constexpr uint32_t TextSymbol = 1;
  std::vector<Elf64_Rela> relocations;
  for (const LoadRelocation &relocation : image.loadRelocations) {
    uint32_t type = RelocAbs64;
    if (relocation.kind == RelocationKind::Abs32)
      type = RelocAbs32;
    else if (relocation.kind == RelocationKind::Abs32Lo)
      type = RelocAbs32Lo;
    else if (relocation.kind == RelocationKind::Abs32Hi)
      type = RelocAbs32Hi;
    relocations.push_back({relocation.offset, ELF64_R_INFO(uint64_t(TextSymbol), type), relocation.target});
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

Result<std::vector<uint8_t>> writePalElf(const Image &image) {
  if (elf_version(EV_CURRENT) == EV_NONE)
    return elfError("libelf");
  FileDescriptor file{memfd_create("dovetail-pipeline", MFD_CLOEXEC)};
  if (file.fd < 0)
    return makeError(ErrorCode::Io, "making a file in memory: {}", std::strerror(errno));
  ElfHandle handle{elf_begin(file.fd, ELF_C_WRITE, nullptr)};
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
  header->e_flags = image.elfMachine;

  // All bytes are made before libelf sees the first, because it keeps pointers to them.
  StringTable sectionNames, symbolNames;
  std::vector<uint8_t> text = image.code;
  std::vector<uint8_t> note = makeNote(image);
  Symbols symbols = makeSymbols(image, symbolNames);
  std::vector<Elf64_Rela> relocations = makeRelocations(image);
  const uint32_t symbolTable = 3, symbolStrings = 4;

  DOVETAIL_CHECK(
      addSection(handle.elf, sectionNames,
                 {".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR,
                  std::max<uint64_t>(TextAlignment, image.constantsAlignment), ELF_T_BYTE, text.data(), text.size()}));
  DOVETAIL_CHECK(addSection(handle.elf, sectionNames, {".note", SHT_NOTE, 0, 4, ELF_T_BYTE, note.data(), note.size()}));
  DOVETAIL_CHECK(
      addSection(handle.elf, sectionNames,
                 {".symtab", SHT_SYMTAB, 0, 8, ELF_T_SYM, symbols.table.data(),
                  symbols.table.size() * sizeof(Elf64_Sym), symbolStrings, symbols.localCount, sizeof(Elf64_Sym)}));
  DOVETAIL_CHECK(
      addSection(handle.elf, sectionNames,
                 {".strtab", SHT_STRTAB, 0, 1, ELF_T_BYTE, symbolNames.bytes().data(), symbolNames.bytes().size()}));
  if (!relocations.empty())
    DOVETAIL_CHECK(addSection(handle.elf, sectionNames,
                              {".rela.text", SHT_RELA, SHF_INFO_LINK, 8, ELF_T_RELA, relocations.data(),
                               relocations.size() * sizeof(Elf64_Rela), symbolTable, TextSection, sizeof(Elf64_Rela)}));
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

  // libelf says no more of a failed write than that it failed.
  errno = 0;
  if (elf_update(handle.elf, ELF_C_WRITE) < 0) {
    const int reason = errno;
    if (reason == 0)
      return elfError("writing an ELF");
    return makeError(ErrorCode::Io, "writing an ELF: {}", std::strerror(reason));
  }
  return readBack(file.fd);
}

} // namespace dovetail

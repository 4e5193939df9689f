// SPDX-License-Identifier: MIT
//
// libelf finds sections, symbols and relocations. LLVM's MessagePack document decodes the PAL metadata note, in which
// LLVM says which registers the code needs. All read-only data goes into one run of constants; relocations refer to
// that run.
#include "parts/compile/object_reader.h"
#include "parts/compile/amdgpu_elf.h"
#include "src/abi/interface/link_constant.h"
#include "src/abi/registers/registers.h"
#include "src/base/compile_phases.h"
#include <algorithm>
#include <bit>
#include <cstring>
#include <gelf.h>
#include <llvm/BinaryFormat/MsgPackDocument.h>
#include <memory>
#include <optional>

namespace dovetail {

namespace {

uint32_t rsrc1Register(HardwareStage stage) {
  switch (stage) {
  case HardwareStage::Ps:
    return reg::SPI_SHADER_PGM_RSRC1_PS;
  case HardwareStage::Vs:
    return reg::SPI_SHADER_PGM_RSRC1_VS;
  case HardwareStage::Gs:
    return reg::SPI_SHADER_PGM_RSRC1_GS;
  case HardwareStage::Es:
    return reg::SPI_SHADER_PGM_RSRC1_ES;
  case HardwareStage::Hs:
    return reg::SPI_SHADER_PGM_RSRC1_HS;
  case HardwareStage::Ls:
    return reg::SPI_SHADER_PGM_RSRC1_LS;
  case HardwareStage::Cs:
    return reg::COMPUTE_PGM_RSRC1;
  }
  return 0;
}

// The name of the stage's map in the metadata.
const char *stageMapName(HardwareStage stage) {
  constexpr const char *Names[] = {".ls", ".hs", ".es", ".gs", ".vs", ".ps", ".cs"};
  static_assert(std::size(Names) == HardwareStageCount);
  return Names[size_t(stage)];
}

struct ElfCloser {
  void operator()(Elf *object) const { elf_end(object); }
};

template <typename... Args> auto malformed(fmt::format_string<Args...> format, Args &&...args) {
  return makeError(ErrorCode::Internal, "LLVM's object file: {}", fmt::format(format, std::forward<Args>(args)...));
}

class ObjectReader {
public:
  ObjectReader(std::span<const uint8_t> bytes, HardwareStage stage)
      : m_bytes(bytes.begin(), bytes.end()), m_stage(stage) {}

  Result<ObjectCode> read() {
    DOVETAIL_CHECK(open());
    DOVETAIL_CHECK(placeSections());
    // Beyond this point, the code section and the places of the other sections in the constants are known.
    DOVETAIL_CHECK(readRelocations());
    DOVETAIL_CHECK(readLayoutFields());
    std::ranges::sort(m_object.layoutRelocations, {}, &LayoutRelocation::offset);
    DOVETAIL_CHECK(readMetadata());
    return std::move(m_object);
  }

private:
  Result<void> open() {
    if (elf_version(EV_CURRENT) == EV_NONE)
      return malformed("libelf is too old");
    m_elf.reset(elf_memory(reinterpret_cast<char *>(m_bytes.data()), m_bytes.size()));
    GElf_Ehdr header;
    if (!m_elf || elf_kind(m_elf.get()) != ELF_K_ELF || !gelf_getehdr(m_elf.get(), &header))
      return malformed("not ELF");
    if (header.e_machine != MachineAmdgpu || header.e_type != ET_REL || gelf_getclass(m_elf.get()) != ELFCLASS64)
      return malformed("not a relocatable AMDGPU object");
    if (elf_getshdrstrndx(m_elf.get(), &m_sectionNames) != 0)
      return malformed("no section names");
    return {};
  }

  std::string sectionName(const GElf_Shdr &header) {
    const char *name = elf_strptr(m_elf.get(), m_sectionNames, header.sh_name);
    return name ? name : "?";
  }

  std::span<const uint8_t> sectionBytes(Elf_Scn *section) {
    Elf_Data *data = elf_rawdata(section, nullptr);
    return data && data->d_buf ? std::span(static_cast<const uint8_t *>(data->d_buf), data->d_size)
                               : std::span<const uint8_t>();
  }

  Result<void> placeSections() {
    for (Elf_Scn *section = nullptr; (section = elf_nextscn(m_elf.get(), section));) {
      GElf_Shdr header;
      if (!gelf_getshdr(section, &header))
        return malformed("a section header cannot be read");
      if (header.sh_type == SHT_SYMTAB)
        m_symbols = section;
      // The code may be empty: a fragment shader may only pass on its inputs.
      bool isEmptyData = header.sh_size == 0 && !(header.sh_flags & SHF_EXECINSTR);
      if (!(header.sh_flags & SHF_ALLOC) || isEmptyData || header.sh_type == SHT_NOTE)
        continue;
      if (header.sh_type != SHT_PROGBITS || header.sh_flags & SHF_WRITE)
        return makeError(ErrorCode::Unsupported, "the code needs section {}, which is not constant",
                         sectionName(header));
      DOVETAIL_CHECK(header.sh_flags & SHF_EXECINSTR ? placeCode(section, header) : placeConstants(section, header));
    }
    if (!m_codeSection)
      return malformed("no code");
    return {};
  }

  Result<void> placeCode(Elf_Scn *section, const GElf_Shdr &header) {
    if (m_codeSection)
      return makeError(ErrorCode::Unsupported, "the code is in two sections, the second is {}", sectionName(header));
    m_codeSection = elf_ndxscn(section);
    std::span<const uint8_t> bytes = sectionBytes(section);
    if (bytes.size() % 4)
      return malformed("{} bytes of code", bytes.size());
    m_object.code.assign(bytes.begin(), bytes.end());
    return {};
  }

  Result<void> placeConstants(Elf_Scn *section, const GElf_Shdr &header) {
    uint64_t alignment = std::max<uint64_t>(header.sh_addralign, 1);
    std::vector<uint8_t> &constants = m_object.constants;
    constants.resize((constants.size() + alignment - 1) / alignment * alignment);
    m_constantSections.push_back({elf_ndxscn(section), uint32_t(constants.size())});
    m_object.constantsAlignment = std::max(m_object.constantsAlignment, uint32_t(alignment));
    std::span<const uint8_t> bytes = sectionBytes(section);
    constants.insert(constants.end(), bytes.begin(), bytes.end());
    return {};
  }

  Result<void> readRelocations() {
    for (Elf_Scn *section = nullptr; (section = elf_nextscn(m_elf.get(), section));) {
      GElf_Shdr header;
      if (!gelf_getshdr(section, &header))
        return malformed("a section header cannot be read");
      if (header.sh_type != SHT_REL && header.sh_type != SHT_RELA)
        continue;
      if (header.sh_info != m_codeSection) {
        bool isConstant = std::any_of(m_constantSections.begin(), m_constantSections.end(),
                                      [&](const PlacedSection &placed) { return placed.index == header.sh_info; });
        if (isConstant)
          return makeError(ErrorCode::Unsupported, "constants hold addresses ({})", sectionName(header));
        continue; // the section is not loaded
      }
      Elf_Data *data = elf_getdata(section, nullptr);
      if (!data)
        return malformed("{} cannot be read", sectionName(header));
      size_t count = header.sh_size / std::max<uint64_t>(header.sh_entsize, 1);
      for (size_t i = 0; i != count; ++i)
        DOVETAIL_CHECK(readRelocation(data, int(i), header.sh_type == SHT_RELA));
    }
    std::sort(m_object.relocations.begin(), m_object.relocations.end(),
              [](const Relocation &left, const Relocation &right) { return left.offset < right.offset; });
    return {};
  }

  static std::optional<RelocationKind> relocationKind(uint32_t type) {
    switch (static_cast<ElfRelocationType>(type)) {
    case ElfRelocationType::Abs32:
      return RelocationKind::Abs32;
    case ElfRelocationType::Abs32Lo:
      return RelocationKind::Abs32Lo;
    case ElfRelocationType::Abs32Hi:
      return RelocationKind::Abs32Hi;
    case ElfRelocationType::Abs64:
      return RelocationKind::Abs64;
    case ElfRelocationType::Rel32:
      return RelocationKind::Rel32;
    case ElfRelocationType::Rel32Lo:
      return RelocationKind::Rel32Lo;
    case ElfRelocationType::Rel32Hi:
      return RelocationKind::Rel32Hi;
    case ElfRelocationType::Rel64:
      return RelocationKind::Rel64;
    default:
      return std::nullopt;
    }
  }

  Result<void> readRelocation(Elf_Data *data, int index, bool hasAddend) {
    GElf_Rela entry = {};
    GElf_Rel withoutAddend = {};
    if (hasAddend ? !gelf_getrela(data, index, &entry) : !gelf_getrel(data, index, &withoutAddend))
      return malformed("relocation {} cannot be read", index);
    if (!hasAddend)
      entry = {withoutAddend.r_offset, withoutAddend.r_info, 0};

    GElf_Sym symbol;
    Elf_Data *symbols = m_symbols ? elf_getdata(m_symbols, nullptr) : nullptr;
    if (!symbols || !gelf_getsym(symbols, int(GELF_R_SYM(entry.r_info)), &symbol))
      return malformed("relocation {} has no symbol", index);
    std::optional<RelocationKind> kind = relocationKind(GELF_R_TYPE(entry.r_info));
    if (!kind)
      return makeError(ErrorCode::Unsupported, "relocation type {} against {}", GELF_R_TYPE(entry.r_info),
                       symbolName(symbol));
    unsigned fieldSize = *kind == RelocationKind::Abs64 || *kind == RelocationKind::Rel64 ? 8 : 4;
    if (entry.r_offset + fieldSize > m_object.code.size() || entry.r_offset > m_object.code.size())
      return malformed("relocation {} is beyond the code", index);

    // If the table has no addend, the field holds it.
    int64_t addend = entry.r_addend;
    if (!hasAddend) {
      int32_t low;
      std::memcpy(fieldSize == 8 ? static_cast<void *>(&addend) : &low, &m_object.code[entry.r_offset], fieldSize);
      if (fieldSize == 4)
        addend = low;
    }
    if (symbol.st_shndx == SHN_UNDEF)
      return readConstant(symbolName(symbol), uint32_t(entry.r_offset), *kind, addend);
    Relocation relocation{uint32_t(entry.r_offset), *kind, RelocationTarget::Code, addend + int64_t(symbol.st_value)};
    if (symbol.st_shndx != m_codeSection) {
      auto placed = std::find_if(m_constantSections.begin(), m_constantSections.end(),
                                 [&](const PlacedSection &candidate) { return candidate.index == symbol.st_shndx; });
      if (placed == m_constantSections.end())
        return makeError(ErrorCode::Unsupported, "the code refers to {}, which is not in it", symbolName(symbol));
      relocation.target = RelocationTarget::Constants;
      relocation.addend += placed->offset;
    }
    m_object.relocations.push_back(relocation);
    return {};
  }

  // Reads a relocation against a link constant or a layout constant.
  Result<void> readConstant(const std::string &name, uint32_t offset, RelocationKind kind, int64_t addend) {
    const std::optional<LinkConstant> link = linkConstantOf(name);
    const std::optional<LayoutConstant> layout = layoutConstantOf(name);
    if (!link && !layout)
      return makeError(ErrorCode::Unsupported, "the code refers to {}, which is not in it", name);
    if ((kind != RelocationKind::Abs32 && kind != RelocationKind::Abs32Lo) || addend != 0)
      return makeError(ErrorCode::Unsupported, "the code refers to {} other than by its 32-bit value", name);
    if (link)
      m_object.relocations.push_back({offset, kind, RelocationTarget::Link, int64_t(*link)});
    else
      m_object.layoutRelocations.push_back({offset, LayoutField::Literal, *layout});
    return {};
  }

  // Reads the layout constants in offset fields of scalar loads. A symbol stands in front of each such load.
  Result<void> readLayoutFields() {
    Elf_Data *symbols = m_symbols ? elf_getdata(m_symbols, nullptr) : nullptr;
    const size_t count = symbols ? symbols->d_size / sizeof(Elf64_Sym) : 0;
    for (size_t i = 0; i < count; ++i) {
      GElf_Sym symbol;
      if (!gelf_getsym(symbols, int(i), &symbol))
        return malformed("symbol {} cannot be read", i);
      if (symbol.st_shndx != m_codeSection)
        continue;
      const std::string name = symbolName(symbol);
      if (!name.starts_with(LayoutFieldPrefix))
        continue;
      const size_t dot = name.find('.', LayoutFieldPrefix.size());
      const auto constant =
          layoutConstantOf(dot == name.npos ? std::string_view() : std::string_view(name).substr(dot + 1));
      constexpr uint64_t loadBytes = 8, fieldOffset = 4;
      if (!constant || symbol.st_value % 4 != 0 || symbol.st_value > m_object.code.size() ||
          m_object.code.size() - symbol.st_value < loadBytes)
        return malformed("{} is no place in the code", name);
      m_object.layoutRelocations.push_back(
          {uint32_t(symbol.st_value + fieldOffset), LayoutField::ScalarOffset, *constant});
    }
    return {};
  }

  std::string symbolName(const GElf_Sym &symbol) {
    GElf_Shdr header;
    const char *name =
        gelf_getshdr(m_symbols, &header) ? elf_strptr(m_elf.get(), header.sh_link, symbol.st_name) : nullptr;
    return name && *name ? name : "an unnamed symbol";
  }

  Result<void> readMetadata() {
    for (Elf_Scn *section = nullptr; (section = elf_nextscn(m_elf.get(), section));) {
      GElf_Shdr header;
      if (!gelf_getshdr(section, &header) || header.sh_type != SHT_NOTE)
        continue;
      Elf_Data *data = elf_getdata(section, nullptr);
      GElf_Nhdr note;
      size_t nameOffset;
      size_t descriptionOffset;
      for (size_t offset = 0; data && (offset = gelf_getnote(data, offset, &note, &nameOffset, &descriptionOffset));) {
        std::string_view bytes(static_cast<const char *>(data->d_buf), data->d_size);
        bool isAmdgpu = bytes.substr(nameOffset, note.n_namesz) == std::string_view("AMDGPU\0", 7);
        if (isAmdgpu && note.n_type == AmdgpuMetadataNote)
          return readUsage(bytes.substr(descriptionOffset, note.n_descsz));
      }
    }
    return malformed("no PAL metadata");
  }

  Result<void> readUsage(std::string_view blob) {
    llvm::msgpack::Document document;
    if (!document.readFromBlob(llvm::StringRef(blob.data(), blob.size()), /*Multi=*/false))
      return malformed("PAL metadata is not MessagePack");
    llvm::msgpack::DocNode &root = document.getRoot();
    auto child = [&](llvm::msgpack::DocNode &node, llvm::StringRef name) -> llvm::msgpack::DocNode * {
      if (!node.isMap())
        return nullptr;
      auto found = node.getMap().find(name);
      return found == node.getMap().end() ? nullptr : &found->second;
    };
    auto number = [&](llvm::msgpack::DocNode *map, llvm::StringRef name) -> uint32_t {
      llvm::msgpack::DocNode *node = map ? child(*map, name) : nullptr;
      if (!node)
        return 0;
      return node->getKind() == llvm::msgpack::Type::UInt  ? uint32_t(node->getUInt())
             : node->getKind() == llvm::msgpack::Type::Int ? uint32_t(node->getInt())
                                                           : 0;
    };

    llvm::msgpack::DocNode *pipelines = child(root, "amdpal.pipelines");
    if (!pipelines || !pipelines->isArray() || pipelines->getArray().size() == 0)
      return malformed("PAL metadata describes no pipeline");
    llvm::msgpack::DocNode &pipeline = pipelines->getArray()[0];
    llvm::msgpack::DocNode *stages = child(pipeline, ".hardware_stages");
    llvm::msgpack::DocNode *stage = stages ? child(*stages, stageMapName(m_stage)) : nullptr;
    if (!stage)
      return malformed("PAL metadata does not describe stage {}", stageMapName(m_stage));

    Usage &usage = m_object.usage;
    usage.sgprs = uint16_t(number(stage, ".sgpr_count"));
    usage.vgprs = uint16_t(number(stage, ".vgpr_count"));
    usage.scratchBytes = number(stage, ".scratch_memory_size");

    llvm::msgpack::DocNode *registers = child(pipeline, ".registers");
    auto registerValue = [&](uint32_t address) -> std::optional<uint32_t> {
      if (!registers || !registers->isMap())
        return std::nullopt;
      auto found = registers->getMap().find(document.getNode(uint64_t(address)));
      if (found == registers->getMap().end() || found->second.getKind() != llvm::msgpack::Type::UInt)
        return std::nullopt;
      return uint32_t(found->second.getUInt());
    };
    std::optional<uint32_t> rsrc1 = registerValue(rsrc1Register(m_stage));
    if (!rsrc1)
      return malformed("PAL metadata lacks RSRC1");
    usage.floatMode = uint8_t(field::PGM_RSRC1::FLOAT_MODE.get(*rsrc1));
    usage.dx10Clamp = field::PGM_RSRC1::DX10_CLAMP.get(*rsrc1);
    usage.ieeeMode = field::PGM_RSRC1::IEEE_MODE.get(*rsrc1);
    // In other stages, LLVM knows of no LDS, and it has no metadata entry for it.
    if (m_stage == HardwareStage::Cs)
      usage.ldsBytes =
          field::COMPUTE_PGM_RSRC2::LDS_SIZE.get(registerValue(reg::COMPUTE_PGM_RSRC2).value_or(0)) * LdsGranuleBytes;
    usage.psInputEna = registerValue(reg::SPI_PS_INPUT_ENA).value_or(0);
    usage.psInputAddr = registerValue(reg::SPI_PS_INPUT_ADDR).value_or(0);
    return {};
  }

  struct PlacedSection {
    size_t index;
    uint32_t offset; // in the constants
  };

  std::vector<uint8_t> m_bytes;
  HardwareStage m_stage;
  std::unique_ptr<Elf, ElfCloser> m_elf;
  size_t m_sectionNames = 0;
  size_t m_codeSection = 0;
  Elf_Scn *m_symbols = nullptr;
  std::vector<PlacedSection> m_constantSections;
  ObjectCode m_object;
};

} // namespace

Result<ObjectCode> readObject(std::span<const uint8_t> elf, HardwareStage stage) {
  const PhaseScope phase(CompilePhase::Read);
  return ObjectReader(elf, stage).read();
}

} // namespace dovetail

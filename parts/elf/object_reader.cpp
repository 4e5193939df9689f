// SPDX-License-Identifier: MIT
//
// Relocations and symbols say where code needs its own constants and those of the join. LLVM's MessagePack document
// decodes the PAL metadata note, in which LLVM says which registers the code needs.
#include "parts/elf/object_reader.h"
#include "parts/elf/elf_file.h"
#include "src/abi/interface/link_constant.h"
#include "src/abi/registers/registers.h"
#include "src/base/compile_phases.h"
#include <algorithm>
#include <llvm/BinaryFormat/MsgPackDocument.h>
#include <optional>

namespace dovetail {

namespace {

template <typename... Args> auto badObject(fmt::format_string<Args...> format, Args &&...args) {
  return makeError(ErrorCode::Internal, "LLVM's object file: {}", fmt::format(format, std::forward<Args>(args)...));
}

class ObjectReader {
public:
  ObjectReader(ElfFile file, HardwareStage stage) : m_file(std::move(file)), m_stage(stage) {}

  Result<ObjectCode> read() {
    if (m_file.text.size() % 4)
      return badObject("{} bytes of code", m_file.text.size());
    for (const ElfRelocation &relocation : m_file.relocations)
      DOVETAIL_CHECK(readRelocation(relocation));
    std::ranges::sort(m_object.relocations, {}, &Relocation::offset);
    DOVETAIL_CHECK(readLayoutFields());
    std::ranges::sort(m_object.layoutRelocations, {}, &LayoutRelocation::offset);
    DOVETAIL_CHECK(readMetadata());
    m_object.code = std::move(m_file.text);
    m_object.constants = std::move(m_file.constants);
    m_object.constantsAlignment = std::max(m_object.constantsAlignment, uint32_t(m_file.constantsAlignment));
    return std::move(m_object);
  }

private:
  Result<void> readRelocation(const ElfRelocation &from) {
    const ElfSymbol *symbol = from.symbol ? &m_file.symbols[*from.symbol] : nullptr;
    if (from.place == ElfPlace::Undefined)
      return readConstant(symbol && !symbol->name.empty() ? symbol->name : "an unnamed symbol", uint32_t(from.offset),
                          from.kind, from.addend);
    if (from.kind == RelocationKind::Branch16) // only the join's branches lead out of a part's code
      return makeError(ErrorCode::Unsupported, "a branch that LLVM leaves to the linker, at offset 0x{:x}",
                       from.offset);
    m_object.relocations.push_back({uint32_t(from.offset), from.kind,
                                    from.place == ElfPlace::Text ? RelocationTarget::Code : RelocationTarget::Constants,
                                    int64_t(uint64_t(from.addend) + (symbol ? symbol->value : 0))});
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
    for (const ElfSymbol &symbol : m_file.symbols) {
      std::string_view name = symbol.name;
      if (symbol.place != ElfPlace::Text || !name.starts_with(LayoutFieldPrefix))
        continue;
      name.remove_prefix(LayoutFieldPrefix.size());
      const size_t dot = name.find('.');
      const auto constant = layoutConstantOf(dot == name.npos ? std::string_view() : name.substr(dot + 1));
      constexpr uint64_t loadBytes = 8, fieldOffset = 4;
      if (!constant || symbol.value % 4 != 0 || symbol.value > m_file.text.size() ||
          m_file.text.size() - symbol.value < loadBytes)
        return badObject("{} is no place in the code", symbol.name);
      m_object.layoutRelocations.push_back(
          {uint32_t(symbol.value + fieldOffset), LayoutField::ScalarOffset, *constant});
    }
    return {};
  }

  Result<void> readMetadata() {
    const ElfNote *note = m_file.findNote(AmdgpuVendor, AmdgpuMetadataNote);
    if (!note)
      return badObject("no PAL metadata");
    return readUsage({reinterpret_cast<const char *>(note->bytes.data()), note->bytes.size()});
  }

  Result<void> readUsage(std::string_view blob) {
    llvm::msgpack::Document document;
    if (!document.readFromBlob(llvm::StringRef(blob.data(), blob.size()), /*Multi=*/false))
      return badObject("PAL metadata is not MessagePack");
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
      return badObject("PAL metadata describes no pipeline");
    llvm::msgpack::DocNode &pipeline = pipelines->getArray()[0];
    llvm::msgpack::DocNode *stages = child(pipeline, ".hardware_stages");
    llvm::msgpack::DocNode *stage = stages ? child(*stages, "." + std::string(toString(m_stage))) : nullptr;
    if (!stage)
      return badObject("PAL metadata does not describe stage {}", toString(m_stage));

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
    std::optional<uint32_t> rsrc1 = registerValue(ProgramRegisterTable[size_t(m_stage)].rsrc1);
    if (!rsrc1)
      return badObject("PAL metadata lacks RSRC1");
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

  ElfFile m_file;
  HardwareStage m_stage;
  ObjectCode m_object;
};

} // namespace

Result<ObjectCode> readObject(std::span<const uint8_t> elf, HardwareStage stage) {
  const PhaseScope phase(CompilePhase::Read);
  Result<ElfFile> file = readElf(elf);
  if (!file)
    return makeError(ErrorCode::Unsupported, "LLVM's object file: {}", file.error().text);
  return ObjectReader(std::move(*file), stage).read();
}

} // namespace dovetail

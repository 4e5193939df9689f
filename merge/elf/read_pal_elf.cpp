// SPDX-License-Identifier: MIT
//
// Reads a pipeline ELF in the order of a driver that loads it: the metadata, the programs with their entry symbols,
// then the registers that describe user SGPRs, groups and rings. Symbols of parts come last: only tools depend on them.
#include "merge/elf/pal_elf.h"
#include "parts/elf/elf_file.h"
#include "src/abi/registers/registers.h"
#include "src/abi/target_info.h"
#include <algorithm>
#include <optional>

namespace dovetail {

namespace {

template <typename... Args> auto malformed(fmt::format_string<Args...> format, Args &&...args) {
  return makeError(ErrorCode::InvalidInput, "the pipeline ELF: {}", fmt::format(format, std::forward<Args>(args)...));
}

class PalReader {
public:
  PalReader(ElfFile file, PalMetadata metadata, const TargetInfo &target)
      : m_file(std::move(file)), m_metadata(std::move(metadata)), m_target(target), m_image(std::make_shared<Image>()) {
  }

  Result<ImageRef> read() {
    m_image->gpuName = m_target.gpuName;
    m_image->elfMachine = m_file.machine;
    m_image->maxSgprs = m_target.maxSgprs;
    m_image->maxVgprs = m_target.maxVgprs;
    m_image->code.assign(m_file.text.begin(), m_file.text.end());
    m_image->constantsAlignment = uint32_t(m_file.textAlignment);
    DOVETAIL_CHECK(readRegisters());
    DOVETAIL_CHECK(readRelocations());
    for (const PalShader &shader : m_metadata.shaders)
      m_image->apiShaders[unsigned(shader.stage)] = shader.hash;
    if (m_metadata.hardwareStages.empty() || m_metadata.hardwareStages.size() > MaxStagesPerImage)
      return malformed("it has {} programs", m_metadata.hardwareStages.size());
    for (const PalHardwareStage &stage : m_metadata.hardwareStages)
      DOVETAIL_CHECK(addStage(stage));
    // Beyond this point, all programs are known.
    readGroups();
    findConstants();
    return ImageRef(std::move(m_image));
  }

private:
  Result<void> readRegisters() {
    if (m_metadata.registers.size() > MaxImageRegisters)
      return malformed("it has {} registers", m_metadata.registers.size());
    for (const auto &[address, value] : m_metadata.registers) {
      if (!findRegisterSpace(address))
        return malformed("no packet writes its register {:#x}", address);
      m_image->registers.push_back({address, value});
    }
    return {};
  }

  uint32_t valueOf(uint32_t address) const {
    const RegisterValue *value = m_image->findRegister(address);
    return value ? value->value : 0;
  }

  Result<void> readRelocations() {
    for (const ElfRelocation &relocation : m_file.relocations) {
      if (rowOf(relocation.kind).isRelative || relocation.symbol || relocation.place != ElfPlace::Text)
        return malformed("the relocation at offset {:#x} is not for a loader", relocation.offset);
      m_image->loadRelocations.push_back({uint32_t(relocation.offset), relocation.kind, relocation.addend});
    }
    return {};
  }

  // Returns a symbol of the code that lies within the text.
  const ElfSymbol *findSymbol(std::string_view name) const {
    auto found = std::ranges::find(m_file.symbols, name, &ElfSymbol::name);
    if (found == m_file.symbols.end() || found->place != ElfPlace::Text || found->value > m_file.text.size() ||
        m_file.text.size() - found->value < found->size || found->value % 4 != 0)
      return nullptr;
    return &*found;
  }

  std::vector<uint8_t> bytesOf(const ElfSymbol &symbol) const {
    const auto first = m_file.text.begin() + ptrdiff_t(symbol.value);
    return {first, first + ptrdiff_t(symbol.size)};
  }

  Result<void> addStage(const PalHardwareStage &from) {
    const ElfSymbol *entry = findSymbol(from.entryPoint);
    if (!entry)
      return malformed("{} has no entry point {} in the code", toString(from.stage), from.entryPoint);
    ImageStage stage;
    stage.stage = from.stage;
    stage.entry = uint32_t(entry->value);
    stage.size = uint32_t(entry->size);
    stage.usage.scratchBytes = from.scratchMemorySize;
    stage.usage.ldsBytes = from.ldsSize;
    stage.usage.sgprs = uint16_t(from.sgprCount);
    stage.usage.vgprs = uint16_t(from.vgprCount);
    stage.usage.waveSize = uint8_t(from.wavefrontSize);
    stage.userDataLimit = m_metadata.userDataLimit;
    stage.spillThreshold = m_metadata.spillThreshold;
    DOVETAIL_CHECK(readUserData(stage));
    stage.firstPart = uint8_t(m_image->parts.size());
    DOVETAIL_CHECK(addParts(stage, from));
    m_image->stages.push_back(stage);
    return {};
  }

  Result<void> readUserData(ImageStage &stage) const {
    ProgramRegisters registers = ProgramRegisterTable[size_t(stage.stage)];
    if (stage.stage == HardwareStage::Gs && m_target.hasMergedStages)
      registers.userData = reg::SPI_SHADER_USER_DATA_ES_0;
    if (!m_image->findRegister(registers.rsrc1) || !m_image->findRegister(registers.rsrc2))
      return malformed("{} lacks RSRC1 or RSRC2", toString(stage.stage));
    // USER_SGPR is in the same place in RSRC2 of all stages.
    using namespace field::SPI_SHADER_PGM_RSRC2_VS;
    const uint32_t rsrc2 = valueOf(registers.rsrc2);
    uint32_t count = USER_SGPR.get(rsrc2);
    if (m_target.hasMergedStages && stage.stage != HardwareStage::Cs)
      count |= USER_SGPR_MSB.get(rsrc2) << USER_SGPR.width;
    if (count > stage.userDataMap.size())
      return malformed("{} has {} user SGPRs", toString(stage.stage), count);
    stage.userSgprCount = uint8_t(count);
    for (uint32_t i = 0; i < count; ++i)
      stage.userDataMap[i] = valueOf(registers.userData + i);
    return {};
  }

  // "vs.fragment_main", "hs.glue2": the kind of the part that a symbol names.
  static std::optional<PartKind> kindOf(std::string_view symbol, HardwareStage stage) {
    const std::string prefix = std::string(toString(stage)) + ".";
    if (!symbol.starts_with(prefix))
      return std::nullopt;
    symbol.remove_prefix(prefix.size());
    if (symbol.ends_with('2'))
      symbol.remove_suffix(1);
    for (unsigned kind = 0; kind < PartKindCount; ++kind)
      if (symbol == toSymbol(PartKind(kind)))
        return PartKind(kind);
    return std::nullopt;
  }

  Result<void> addParts(ImageStage &stage, const PalHardwareStage &from) {
    std::vector<std::pair<const ElfSymbol *, PartKind>> found;
    for (const ElfSymbol &symbol : m_file.symbols)
      if (std::optional<PartKind> kind = kindOf(symbol.name, stage.stage); kind && symbol.isFunction) {
        if (!findSymbol(symbol.name) || symbol.value < stage.entry ||
            symbol.value + symbol.size > uint64_t(stage.entry) + stage.size)
          return malformed("{} is not in its program", symbol.name);
        found.emplace_back(&symbol, *kind);
      }
    if (found.empty() || found.size() > MaxPartsPerStage)
      return malformed("{} has {} parts", toString(stage.stage), found.size());
    std::ranges::stable_sort(found, {}, [](const auto &each) { return each.first->value; });
    for (const auto &[symbol, kind] : found) {
      if (symbol->name.ends_with('2'))
        stage.secondHalf = stage.partCount;
      addPart(stage, *symbol, kind, from);
    }
    // The stage's interface is that of its last main part.
    for (unsigned i = 0; i < stage.partCount; ++i)
      if (const Part &part = *m_image->parts[stage.firstPart + i].part; part.interface) {
        if (part.firstInterface)
          stage.firstInterface = &*part.firstInterface;
        else if (stage.secondHalf != 0 && i < stage.secondHalf)
          stage.firstInterface = &*part.interface;
        stage.interface = &*part.interface;
        stage.fragmentExports = part.fragmentExports ? &*part.fragmentExports : nullptr;
      }
    if (!stage.interface)
      return malformed("{} has no main part", toString(stage.stage));
    return {};
  }

  // Sets the hardware stage in which an API shader runs in a program, and the source of its vertices.
  static void setStage(ShaderInterface &interface, ApiStage api, HardwareStage program) {
    interface.hardwareStage = program;
    interface.source = api == ApiStage::Domain ? VertexSource::TessEval : VertexSource::Vertex;
    if (program == HardwareStage::Hs && api == ApiStage::Vertex)
      interface.hardwareStage = HardwareStage::Ls;
    if (program == HardwareStage::Gs && api != ApiStage::Geometry)
      interface.hardwareStage = HardwareStage::Es;
  }

  // Makes the interface of a main part, or of the whole program, from the metadata.
  void addInterfaces(Part &part, const ImageStage &stage, const PalHardwareStage &from) {
    ShaderInterface &interface = part.interface.emplace();
    interface.writesMemory = from.writesUavs;
    interface.compute.workgroupSize = from.threadgroupDimensions.value_or(std::array<uint32_t, 3>{1, 1, 1});
    interface.preRaster.writesViewportIndex = stage.stage == HardwareStage::Vs && m_metadata.usesViewportArrayIndex;
    interface.fragment.writesSampleMask = stage.stage == HardwareStage::Ps && m_metadata.psSampleMask;
    if (stage.stage == HardwareStage::Ps)
      part.fragmentExports.emplace().depth = from.writesDepth;
    setStage(interface, ApiStage::Vertex, stage.stage);
    if (part.key.kind == PartKind::TessEvalMain)
      setStage(interface, ApiStage::Domain, stage.stage);
    if (part.key.kind == PartKind::TessControlMain)
      setStage(interface, ApiStage::Hull, stage.stage);
    if (part.key.kind == PartKind::GeometryMain)
      setStage(interface, ApiStage::Geometry, stage.stage);
    if (part.key.kind != PartKind::Monolithic)
      return;
    // The API shader of a monolithic program, or both shaders of a merged one.
    std::vector<ApiStage> shaders;
    for (const PalShader &shader : m_metadata.shaders)
      if (!shader.hardwareMapping.empty() && shader.hardwareMapping.front() == stage.stage)
        shaders.push_back(shader.stage);
    if (shaders.size() > 1 && m_target.hasMergedStages) {
      part.firstInterface = interface;
      setStage(*part.firstInterface, shaders.front(), stage.stage);
    }
    if (!shaders.empty())
      setStage(interface, shaders.back(), stage.stage);
  }

  void addPart(ImageStage &stage, const ElfSymbol &symbol, PartKind kind, const PalHardwareStage &from) {
    auto part = std::make_shared<Part>();
    part->key.kind = kind;
    part->code = bytesOf(symbol);
    if (const ElfSymbol *constants = findSymbol(symbol.name + ".constants"))
      part->constants = bytesOf(*constants);
    if (interfaceStagesOf(kind) != 0)
      addInterfaces(*part, stage, from);
    ImagePart placed;
    placed.stage = uint8_t(m_image->stages.size());
    placed.offset = uint32_t(symbol.value);
    placed.size = uint32_t(symbol.size);
    if (const ElfSymbol *constants = findSymbol(symbol.name + ".constants"))
      placed.constantsOffset = uint32_t(constants->value);
    placed.part = std::move(part);
    m_image->parts.push_back(std::move(placed));
    ++stage.partCount;
  }

  // Reads the sizes by which a driver makes rings and groups.
  void readGroups() {
    if (m_image->findStage(HardwareStage::Hs)) {
      using namespace field::VGT_LS_HS_CONFIG;
      const uint32_t config = valueOf(reg::VGT_LS_HS_CONFIG);
      TessellationLayout &layout = m_image->tessellation.emplace();
      layout.inputControlPoints = HS_NUM_INPUT_CP.get(config);
      layout.outputControlPoints = HS_NUM_OUTPUT_CP.get(config);
      layout.patchesPerGroup = NUM_PATCHES.get(config);
      const HardwareStage allocating = m_target.hasMergedStages ? HardwareStage::Hs : HardwareStage::Ls;
      if (const ImageStage *stage = m_image->findStage(allocating))
        layout.ldsBytes = stage->usage.ldsBytes;
    }
    if (const ImageStage *gs = m_image->findStage(HardwareStage::Gs)) {
      GeometryLayout &layout = m_image->geometry.emplace();
      layout.esVertexStride = valueOf(reg::VGT_ESGS_RING_ITEMSIZE) * 4;
      layout.ldsBytes = gs->usage.ldsBytes;
      // The ends of the streams' parts of the ring.
      const uint32_t ends[MaxVertexStreams] = {
          valueOf(reg::VGT_GSVS_RING_OFFSET_1), valueOf(reg::VGT_GSVS_RING_OFFSET_2),
          valueOf(reg::VGT_GSVS_RING_OFFSET_3), valueOf(reg::VGT_GSVS_RING_ITEMSIZE)};
      uint32_t begin = 0;
      for (unsigned stream = 0; stream < MaxVertexStreams; ++stream) {
        layout.gsvsItemDwords[stream] = ends[stream] - begin;
        begin = ends[stream];
      }
    }
    const RegisterValue *samples = m_image->findRegister(reg::PA_SC_AA_CONFIG);
    m_image->samples = samples ? 1u << field::PA_SC_AA_CONFIG::MSAA_EXPOSED_SAMPLES.get(samples->value) : 1;
  }

  void findConstants() {
    for (const ImageStage &stage : m_image->stages)
      m_image->textSize = std::max(m_image->textSize, stage.entry + stage.size);
    m_image->constantsStart = m_image->constantsEnd = m_image->textSize;
    bool isFirst = true;
    for (const ImagePart &placed : m_image->parts)
      if (!placed.part->constants.empty()) {
        const uint32_t begin = placed.constantsOffset, end = begin + uint32_t(placed.part->constants.size());
        m_image->constantsStart = isFirst ? begin : std::min(m_image->constantsStart, begin);
        m_image->constantsEnd = std::max(m_image->constantsEnd, end);
        isFirst = false;
      }
  }

  ElfFile m_file;
  PalMetadata m_metadata;
  const TargetInfo &m_target;
  std::shared_ptr<Image> m_image;
};

} // namespace

Result<ImageRef> readPalElf(std::span<const uint8_t> elf) {
  ElfFile file = DOVETAIL_TRY(readElf(elf));
  const auto targets = allTargets();
  auto target = std::ranges::find(targets, file.machine, &TargetInfo::elfMachine);
  if (target == targets.end())
    return malformed("it is for a GPU that is not known here (EF_AMDGPU_MACH {:#x})", file.machine);
  const ElfNote *note = file.findNote(AmdgpuVendor, AmdgpuMetadataNote);
  if (!note)
    return malformed("it has no metadata");
  PalMetadata metadata = DOVETAIL_TRY(decodePalMetadata(note->bytes));
  return PalReader(std::move(file), std::move(metadata), *target).read();
}

} // namespace dovetail

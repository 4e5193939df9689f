// SPDX-License-Identifier: MIT
#include "tools/proof/emulator/c_api/variant_image.h"
#include "tools/proof/emulator/c_api/ask.h"
#include "variants/c_api/convert/arguments.h"
#include <algorithm>

namespace dovetail::emulator_library {

namespace {

using c_api::Outcome;

// Refuses unknown values: the library that is asked may be newer than this one.
template <typename Enum> Outcome<Enum> known(uint32_t value, Enum last, const char *what) {
  if (value > static_cast<uint32_t>(last))
    return tl::unexpected<c_api::Failure>(
        c_api::Failure(DOVETAIL_UNSUPPORTED, fmt::format("the emulator knows no {} {}", what, value)));
  return static_cast<Enum>(value);
}

static_assert(int(HardwareStage::Ls) == DOVETAIL_HARDWARE_LS && int(HardwareStage::Hs) == DOVETAIL_HARDWARE_HS &&
              int(HardwareStage::Es) == DOVETAIL_HARDWARE_ES && int(HardwareStage::Gs) == DOVETAIL_HARDWARE_GS &&
              int(HardwareStage::Vs) == DOVETAIL_HARDWARE_VS && int(HardwareStage::Ps) == DOVETAIL_HARDWARE_PS &&
              int(HardwareStage::Cs) == DOVETAIL_HARDWARE_CS);
// The driver looks only at the first two part kinds.
static_assert(int(PartKind::FragmentMain) == DOVETAIL_PART_FRAGMENT_MAIN &&
              int(PartKind::FragmentProlog) == DOVETAIL_PART_FRAGMENT_PROLOG &&
              int(PartKind::NullFragment) == DOVETAIL_PART_NULL_FRAGMENT);
static_assert(int(RelocationKind::Abs32) == DOVETAIL_RELOCATION_ABS32 &&
              int(RelocationKind::Abs32Lo) == DOVETAIL_RELOCATION_ABS32_LO &&
              int(RelocationKind::Abs32Hi) == DOVETAIL_RELOCATION_ABS32_HI &&
              int(RelocationKind::Abs64) == DOVETAIL_RELOCATION_ABS64);

template <typename Info> Info sized() {
  Info info = {};
  info.size = sizeof(info);
  return info;
}

class Reader {
public:
  explicit Reader(const dovetail_variant *variant) : m_variant(variant) {}

  Outcome<VariantImage> run() {
    auto info = sized<dovetail_variant_info>();
    DOVETAIL_C_CHECK(ask([&](auto *message) { return dovetail_variant_get_info(m_variant, &info, message); }));
    if (info.stage_count > MaxStagesPerImage || info.part_count > MaxImageParts ||
        info.register_count > MaxImageRegisters)
      return c_api::badArgument("a variant of {} programs, {} parts and {} registers is none", info.stage_count,
                                info.part_count, info.register_count);
    m_image.gpuName = info.gpu;
    m_image.code.assign(info.code, info.code + info.code_size);
    m_image.constantsAlignment = info.code_alignment;
    for (const dovetail_register &value : std::span(info.registers, info.register_count))
      m_image.registers.push_back({value.address, value.value});
    for (uint32_t i = 0; i < info.stage_count; ++i)
      DOVETAIL_C_CHECK(addStage(i));
    for (uint32_t i = 0; i < info.part_count; ++i)
      DOVETAIL_C_CHECK(addPart(i));
    for (uint32_t i = 0; i < info.relocation_count; ++i)
      DOVETAIL_C_CHECK(addRelocation(i));
    if (info.has_tessellation)
      DOVETAIL_C_CHECK(addTessellation());
    if (info.has_geometry)
      DOVETAIL_C_CHECK(addGeometry());
    return std::move(m_result);
  }

private:
  Outcome<void> addStage(uint32_t index) {
    auto info = sized<dovetail_stage_info>();
    DOVETAIL_C_CHECK(ask([&](auto *message) { return dovetail_variant_get_stage(m_variant, index, &info, message); }));
    ShaderInterface &interface = m_result.interfaces.emplace_back();
    std::copy_n(info.workgroup_size, interface.compute.workgroupSize.size(), interface.compute.workgroupSize.begin());
    ImageStage stage;
    stage.stage = DOVETAIL_C_TRY(known(info.stage, HardwareStage::Cs, "program of the hardware"));
    stage.entry = info.entry;
    stage.size = info.text_size;
    stage.firstPart = static_cast<uint8_t>(info.first_part);
    stage.partCount = static_cast<uint8_t>(info.part_count);
    stage.secondHalf = static_cast<uint8_t>(info.second_half);
    stage.usage.scratchBytes = info.scratch_bytes;
    stage.interface = &interface;
    if (info.user_sgpr_count > stage.userDataMap.size())
      return c_api::badArgument("{} user SGPRs are too many", info.user_sgpr_count);
    stage.userSgprCount = static_cast<uint8_t>(info.user_sgpr_count);
    std::copy_n(info.user_data, stage.userDataMap.size(), stage.userDataMap.begin());
    m_image.stages.push_back(stage);
    return {};
  }

  Outcome<void> addPart(uint32_t index) {
    auto info = sized<dovetail_part_info>();
    DOVETAIL_C_CHECK(ask([&](auto *message) { return dovetail_variant_get_part(m_variant, index, &info, message); }));
    auto part = std::make_shared<Part>();
    part->key.kind = DOVETAIL_C_TRY(known(info.kind, PartKind::NullFragment, "part of kind"));
    ImagePart place;
    place.part = std::move(part);
    place.stage = static_cast<uint8_t>(info.stage);
    place.offset = info.offset;
    place.size = info.code_size;
    m_image.parts.push_back(std::move(place));
    return {};
  }

  Outcome<void> addRelocation(uint32_t index) {
    dovetail_relocation relocation = {};
    DOVETAIL_C_CHECK(
        ask([&](auto *message) { return dovetail_variant_get_relocation(m_variant, index, &relocation, message); }));
    const RelocationKind kind = DOVETAIL_C_TRY(known(relocation.kind, RelocationKind::Abs64, "relocation of kind"));
    m_image.loadRelocations.push_back({relocation.offset, kind, relocation.target});
    return {};
  }

  Outcome<void> addTessellation() {
    auto info = sized<dovetail_tessellation_info>();
    DOVETAIL_C_CHECK(ask([&](auto *message) { return dovetail_variant_get_tessellation(m_variant, &info, message); }));
    m_image.tessellation = TessellationLayout{.inputControlPoints = info.input_control_points,
                                              .outputControlPoints = info.output_control_points,
                                              .patchesPerGroup = info.patches_per_group,
                                              .lsVertexStride = info.ls_vertex_stride,
                                              .ldsPatchStride = info.lds_patch_stride,
                                              .outputBase = info.output_base,
                                              .offchipPatchBase = info.offchip_patch_base,
                                              .ldsBytes = info.lds_bytes,
                                              .offchipBytes = info.offchip_bytes};
    return {};
  }

  Outcome<void> addGeometry() {
    auto info = sized<dovetail_geometry_info>();
    DOVETAIL_C_CHECK(ask([&](auto *message) { return dovetail_variant_get_geometry(m_variant, &info, message); }));
    GeometryLayout &layout = m_image.geometry.emplace();
    layout.esVertexStride = info.es_vertex_stride;
    std::ranges::copy(info.gsvs_item_dwords, layout.gsvsItemDwords);
    return {};
  }

  const dovetail_variant *m_variant;
  VariantImage m_result;
  Image &m_image = m_result.image;
};

} // namespace

c_api::Outcome<VariantImage> imageOf(const dovetail_variant *variant) {
  return Reader(variant).run();
}

c_api::Outcome<ShaderSet> layoutOf(const dovetail_program *program) {
  size_t count = 0;
  DOVETAIL_C_CHECK(ask([&](auto *message) { return dovetail_program_get_layout(program, nullptr, &count, message); }));
  std::vector<dovetail_layout_node> nodes(count);
  DOVETAIL_C_CHECK(
      ask([&](auto *message) { return dovetail_program_get_layout(program, nodes.data(), &count, message); }));
  ShaderSet set;
  UserDataNodes layout = DOVETAIL_C_TRY(c_api::readLayout(nodes.data(), count, "layout"));
  set.layout = std::make_shared<const ResourceLayout>(std::move(layout));
  return set;
}

} // namespace dovetail::emulator_library

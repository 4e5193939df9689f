// SPDX-License-Identifier: MIT
//
// Gives a driver the data of a variant: info, stages, parts, relocations, tessellation and geometry.
#include "merge/image_metadata.h"
#include "src/abi/entry_registers.h"
#include "variants/c_api/convert/arguments.h"
#include "variants/c_api/convert/handles.h"
#include "variants/c_api/convert/sized_struct.h"
#include <algorithm>

using namespace dovetail;
using namespace dovetail::c_api;

namespace {

// The functions hand out registers where they lie.
static_assert(sizeof(RegisterValue) == sizeof(dovetail_register) &&
              offsetof(RegisterValue, address) == offsetof(dovetail_register, address) &&
              offsetof(RegisterValue, value) == offsetof(dovetail_register, value));
static_assert(int(RelocationKind::Abs32) == DOVETAIL_RELOCATION_ABS32 &&
              int(RelocationKind::Abs32Lo) == DOVETAIL_RELOCATION_ABS32_LO &&
              int(RelocationKind::Abs32Hi) == DOVETAIL_RELOCATION_ABS32_HI &&
              int(RelocationKind::Abs64) == DOVETAIL_RELOCATION_ABS64);
static_assert(int(HardwareStage::Ls) == DOVETAIL_HARDWARE_LS && int(HardwareStage::Hs) == DOVETAIL_HARDWARE_HS &&
              int(HardwareStage::Es) == DOVETAIL_HARDWARE_ES && int(HardwareStage::Gs) == DOVETAIL_HARDWARE_GS &&
              int(HardwareStage::Vs) == DOVETAIL_HARDWARE_VS && int(HardwareStage::Ps) == DOVETAIL_HARDWARE_PS &&
              int(HardwareStage::Cs) == DOVETAIL_HARDWARE_CS);
#define PART_KIND(kind, symbol, cName, words) static_assert(int(PartKind::kind) == DOVETAIL_PART_##cName);
#include "parts/part_kinds.def"
#define GLOBAL_TABLE(name, apiName, entry, generations, descriptor, source)                                            \
  static_assert(DOVETAIL_GLOBAL_TABLE_##apiName == entry);
#define USER_DATA(kind, apiName, number, source) static_assert(DOVETAIL_USER_DATA_##apiName == number);
#include "src/abi/driver_contract.def"
#undef GLOBAL_TABLE
#undef USER_DATA
static_assert(DOVETAIL_USER_DATA_UNMAPPED == PalUserDataUnmapped);

Outcome<const Image *> imageOf(const dovetail_variant *variant) {
  DOVETAIL_C_CHECK(checkNotNull(variant, "variant"));
  return fromHandle(variant)->image;
}

void addInterface(dovetail_stage_info &answer, const ShaderInterface *interface) {
  if (!interface)
    return;
  answer.writes_memory |= interface->writesMemory;
}

} // namespace

dovetail_status dovetail_variant_get_info(const dovetail_variant *variant, dovetail_variant_info *info,
                                          dovetail_message *message) {
  return guarded(message, [&]() -> Outcome<void> {
    const Image &image = *DOVETAIL_C_TRY(imageOf(variant));
    const Variant &read = *fromHandle(variant);
    dovetail_variant_info answer = {};
    answer.gpu = image.gpuName.c_str();
    setKey(answer.key, read.key.hash);
    answer.code = image.code.data();
    answer.code_size = image.code.size();
    answer.code_alignment = codeAlignment(image);
    answer.text_size = image.textSize;
    answer.constants_start = image.constantsStart;
    answer.constants_end = image.constantsEnd;
    answer.registers = reinterpret_cast<const dovetail_register *>(image.registers.data());
    answer.register_count = image.registers.size();
    answer.stage_count = uint32_t(image.stages.size());
    answer.part_count = uint32_t(image.parts.size());
    answer.relocation_count = uint32_t(image.loadRelocations.size());
    for (const ImagePart &part : image.parts)
      answer.instruction_count += part.part->instructionCount;
    answer.is_monolithic = read.monolithic;
    answer.is_optimized = read.optimized;
    answer.has_tessellation = image.tessellation.has_value();
    answer.has_geometry = image.geometry.has_value();
    answer.join_microseconds = read.joinMicroseconds;
    return writeSized(answer, info, "info");
  });
}

dovetail_status dovetail_variant_get_stage(const dovetail_variant *variant, uint32_t index, dovetail_stage_info *info,
                                           dovetail_message *message) {
  return guarded(message, [&]() -> Outcome<void> {
    const Image &image = *DOVETAIL_C_TRY(imageOf(variant));
    DOVETAIL_C_CHECK(checkIndex(index, image.stages.size(), "variant", "stages"));
    const ImageStage &stage = image.stages[index];
    dovetail_stage_info answer = {};
    answer.stage = static_cast<uint32_t>(stage.stage);
    answer.entry = stage.entry;
    answer.text_size = stage.size;
    answer.first_part = stage.firstPart;
    answer.part_count = stage.partCount;
    answer.second_half = stage.secondHalf;
    answer.sgprs = stage.usage.sgprs;
    answer.vgprs = stage.usage.vgprs;
    answer.scratch_bytes = stage.usage.scratchBytes;
    answer.lds_bytes = ldsBytesOf(image, stage);
    answer.wave_size = stage.usage.waveSize;
    answer.user_sgpr_count = stage.userSgprCount;
    std::ranges::fill(answer.user_data, DOVETAIL_USER_DATA_UNMAPPED);
    std::copy_n(stage.userDataMap.begin(), stage.userSgprCount, answer.user_data);
    answer.spill_threshold = stage.spillThreshold;
    addInterface(answer, stage.interface);
    addInterface(answer, stage.firstInterface);
    answer.spilled_sgprs = stage.usage.spilledSgprs;
    answer.spilled_vgprs = stage.usage.spilledVgprs;
    if (stage.stage == HardwareStage::Cs)
      std::ranges::copy(stage.interface->compute.workgroupSize, answer.workgroup_size);
    return writeSized(answer, info, "info");
  });
}

dovetail_status dovetail_variant_get_part(const dovetail_variant *variant, uint32_t index, dovetail_part_info *info,
                                          dovetail_message *message) {
  return guarded(message, [&]() -> Outcome<void> {
    const Image &image = *DOVETAIL_C_TRY(imageOf(variant));
    DOVETAIL_C_CHECK(checkIndex(index, image.parts.size(), "variant", "parts"));
    const ImagePart &placed = image.parts[index];
    const Part &part = *placed.part;
    const Variant &shared = *fromHandle(variant);
    const PartUse use = shared.partUses()[index];
    dovetail_part_info answer = {};
    answer.kind = static_cast<uint32_t>(part.key.kind);
    answer.stage = placed.stage;
    answer.offset = placed.offset;
    answer.code_size = placed.size;
    answer.wait_states = placed.waitStates;
    answer.constants_offset = placed.constantsOffset;
    answer.constants_size = uint32_t(part.constants.size());
    answer.instruction_count = part.instructionCount;
    answer.was_made = use.made;
    if (roleOf(part.key.kind) == PartRole::Main && part.key.hash != Hash128())
      answer.tier = toTier(part.tier);
    answer.make_microseconds = use.microseconds;
    setKey(answer.key, part.key.hash);
    answer.description = shared.partDescriptions()[index].c_str();
    const std::string symbol = partSymbol(image, placed);
    std::copy_n(symbol.begin(), std::min(symbol.size(), sizeof(answer.symbol) - 1), answer.symbol);
    answer.spilled_sgprs = part.usage.spilledSgprs;
    answer.spilled_vgprs = part.usage.spilledVgprs;
    return writeSized(answer, info, "info");
  });
}

dovetail_status dovetail_variant_get_relocation(const dovetail_variant *variant, uint32_t index,
                                                dovetail_relocation *relocation, dovetail_message *message) {
  return guarded(message, [&]() -> Outcome<void> {
    const Image &image = *DOVETAIL_C_TRY(imageOf(variant));
    DOVETAIL_C_CHECK(checkIndex(index, image.loadRelocations.size(), "variant", "relocations"));
    DOVETAIL_C_CHECK(checkNotNull(relocation, "relocation"));
    const LoadRelocation &read = image.loadRelocations[index];
    *relocation = {read.offset, static_cast<uint32_t>(read.kind), read.target};
    return {};
  });
}

dovetail_status dovetail_variant_get_tessellation(const dovetail_variant *variant, dovetail_tessellation_info *info,
                                                  dovetail_message *message) {
  return guarded(message, [&]() -> Outcome<void> {
    const Image &image = *DOVETAIL_C_TRY(imageOf(variant));
    if (!image.tessellation)
      return badArgument("the variant has no tessellation");
    const TessellationLayout &layout = *image.tessellation;
    dovetail_tessellation_info answer = {};
    answer.input_control_points = layout.inputControlPoints;
    answer.output_control_points = layout.outputControlPoints;
    answer.patches_per_group = layout.patchesPerGroup;
    answer.ls_vertex_stride = layout.lsVertexStride;
    answer.lds_patch_stride = layout.ldsPatchStride;
    answer.output_base = layout.outputBase;
    answer.offchip_patch_base = layout.offchipPatchBase;
    answer.lds_bytes = layout.ldsBytes;
    answer.offchip_bytes = layout.offchipBytes;
    return writeSized(answer, info, "info");
  });
}

dovetail_status dovetail_variant_get_geometry(const dovetail_variant *variant, dovetail_geometry_info *info,
                                              dovetail_message *message) {
  return guarded(message, [&]() -> Outcome<void> {
    const Image &image = *DOVETAIL_C_TRY(imageOf(variant));
    if (!image.geometry)
      return badArgument("the variant has no geometry shader");
    const GeometryLayout &layout = *image.geometry;
    dovetail_geometry_info answer = {};
    answer.es_vertex_stride = layout.esVertexStride;
    answer.es_vertices_per_group = layout.esVerticesPerGroup;
    answer.gs_primitives_per_group = layout.gsPrimitivesPerGroup;
    answer.gs_instance_primitives_per_group = layout.gsInstancePrimitivesPerGroup;
    answer.lds_bytes = layout.ldsBytes;
    static_assert(sizeof(GeometryLayout::gsvsItemDwords) == sizeof(answer.gsvs_item_dwords));
    std::ranges::copy(layout.gsvsItemDwords, answer.gsvs_item_dwords);
    return writeSized(answer, info, "info");
  });
}

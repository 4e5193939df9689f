// SPDX-License-Identifier: MIT
#include "tests/radv/registers/explained_fields.h"
#include "src/abi/entry_registers.h"
#include "src/state/format_table.h"
#include "tests/radv/registers/program_needs.h"
#include <algorithm>
#include <array>
#include <bit>
#include <fnmatch.h>
#include <string>

namespace dovetail {

namespace {

using Field = const ComparedField &;

std::optional<uint32_t> oursIn(Field field, uint32_t address) {
  const RegisterValue *found = field.in->image.findRegister(address);
  return found ? std::optional(found->value) : std::nullopt;
}

uint32_t radvIn(Field field, uint32_t address) {
  auto found = field.in->radv.find(address);
  return found == field.in->radv.end() ? 0 : found->second;
}

bool isGfx9(Field field) {
  return field.in->target.hasMergedStages;
}

bool has(Field field, HardwareStage stage) {
  return field.in->image.findStage(stage) != nullptr;
}

bool hasTessellation(Field field) {
  return has(field, HardwareStage::Hs);
}

bool hasGeometry(Field field) {
  return has(field, HardwareStage::Gs);
}

bool isBelow(std::optional<uint32_t> value, uint32_t limit) {
  return value && *value < limit;
}

// A register that neither RADV nor the clearing by the command processor needs to change: our zero is its value
// already.
bool isZeroAndUnwritten(Field field) {
  return field.ours == 0u && !field.radv;
}

bool isOnlyOurs(Field field) {
  return field.ours == 1u && field.radv == 0u;
}

bool isOnlyRadvs(Field field) {
  return field.ours == 0u && field.radv == 1u;
}

const FragmentInterface &fragment(Field field) {
  return field.in->image.findInterface(HardwareStage::Ps)->fragment;
}

// The stage of the program that the register belongs to. The user data of GFX9's merged GS is where GFX8's ES has its
// own.
HardwareStage stageOf(Field field) {
  if (field.row->address == reg::SPI_SHADER_USER_DATA_ES_0 && !isGfx9(field))
    return HardwareStage::Es;
  return *stageOf(field.row->owner);
}

// The number of user data registers that the image has for the program with this RSRC2.
uint32_t userDataCount(Field field) {
  constexpr uint32_t AfterRsrc2 = 1, MaxUserSgprs = 32;
  uint32_t first = field.address + AfterRsrc2;
  if (field.address == reg::COMPUTE_PGM_RSRC2)
    first = reg::COMPUTE_USER_DATA_0;
  else if (field.address == reg::SPI_SHADER_PGM_RSRC2_GS && isGfx9(field))
    first = reg::SPI_SHADER_USER_DATA_ES_0;
  uint32_t count = 0;
  while (count < MaxUserSgprs && oursIn(field, first + count))
    ++count;
  return count;
}

// The merged programs of GFX9 have LDS of their own; on GFX8, the LS allocates it for the HS, too.
uint32_t ldsBytesBetweenStages(Field field) {
  const Image &image = field.in->image;
  if (stageOf(field) == (isGfx9(field) ? HardwareStage::Hs : HardwareStage::Ls))
    return image.tessellation->ldsBytes;
  return stageOf(field) == HardwareStage::Gs && isGfx9(field) ? image.geometry->ldsBytes : 0;
}

// The dwords of the GSVS ring that the streams in front of the register's take, for a lane.
uint32_t gsvsDwordsBefore(Field field) {
  unsigned streams = MaxVertexStreams;
  if (field.address != reg::VGT_GSVS_RING_ITEMSIZE)
    streams = field.address - reg::VGT_GSVS_RING_OFFSET_1 + 1;
  uint32_t dwords = 0;
  for (unsigned stream = 0; stream < streams; ++stream)
    dwords += field.in->image.geometry->gsvsItemDwords[stream];
  return dwords;
}

// The layout's value for a field of VGT_GS_ONCHIP_CNTL.
uint32_t groupSize(Field field) {
  const GeometryLayout &layout = *field.in->image.geometry;
  if (field.field == "ES_VERTS_PER_SUBGRP")
    return layout.esVerticesPerGroup;
  return field.field == "GS_PRIMS_PER_SUBGRP" ? layout.gsPrimitivesPerGroup : layout.gsInstancePrimitivesPerGroup;
}

// Our image distributes patches, and RADV's registers say that they are not distributed.
bool isDistributedHereOnly(Field field) {
  using field::VGT_TF_PARAM::DISTRIBUTION_MODE;
  return hasTessellation(field) && field.in->target.tessDistribution != 0 &&
         DISTRIBUTION_MODE.get(*oursIn(field, reg::VGT_TF_PARAM)) == field.in->target.tessDistribution &&
         DISTRIBUTION_MODE.get(radvIn(field, reg::VGT_TF_PARAM)) == 0;
}

// Whether the geometry shader or the pixel shader reads it.
bool readsPrimitiveId(Field field) {
  const ShaderInterface *geometry = field.in->image.findInterface(HardwareStage::Gs);
  return (geometry && geometry->geometry.usesPrimitiveId) ||
         std::ranges::any_of(fragment(field).inputs,
                             [](const FragmentInput &input) { return input.location == PrimitiveIdParameter; });
}

// Each parameter that an attribute takes is exported.
bool coversAttributes(Field field) {
  for (uint32_t i = 0; i < 32; ++i)
    if (std::optional<uint32_t> attribute = oursIn(field, reg::SPI_PS_INPUT_CNTL_0 + i)) {
      const uint32_t offset = field::SPI_PS_INPUT_CNTL_0::OFFSET.get(*attribute);
      if (offset < 0x20 && offset > field.ours)
        return false;
    }
  return true;
}

bool readsPointCoordinate(Field field) {
  for (const FragmentInput &input : fragment(field).inputs)
    if (input.pointCoord)
      return true;
  return false;
}

// Coverage from a floating-point alpha that the shader writes.
bool coversByAlpha(Field field) {
  for (const ColorOutput &color : fragment(field).colors)
    if (color.location == 0 && color.index == 0 && (color.componentMask & 8) != 0 &&
        color.numericClass == NumericClass::Float)
      return field.in->state.alphaToCoverageEnable;
  return false;
}

// The targets store a colour that the shader writes in part or not at all.
bool dropsColors(Field field) {
  for (const ColorOutput &color : fragment(field).colors) {
    const ColorTarget &target = field.in->state.colorTargets[color.location];
    const FormatInfo *format = findFormat(target.format);
    if (!format || (color.componentMask & ~(format->componentMask() & target.writeMask)) != 0)
      return true;
  }
  return false;
}

// There are several streams, and the copy shader of the first is rasterised.
bool hasStreams(Field field) {
  const ShaderInterface *geometry = field.in->image.findInterface(HardwareStage::Gs);
  return geometry && (geometry->geometry.streamMask & ~1u) != 0;
}

bool hasInstanceRate(Field field) {
  for (const VertexBinding &binding : field.in->state.vertexBindings)
    if (binding.inputRate == VK_VERTEX_INPUT_RATE_INSTANCE)
      return true;
  return false;
}

// SPI_SHADER_COL_FORMAT by target. The register has no gaps; CB_SHADER_MASK says where they are.
std::array<uint32_t, MaxColorTargets> exportFormats(uint32_t formats, uint32_t masks) {
  std::array<uint32_t, MaxColorTargets> byTarget = {};
  for (uint32_t &format : byTarget) {
    if ((masks & 0xf) != 0) {
      format = formats & 0xf;
      formats >>= 4;
    }
    masks >>= 4;
  }
  return byTarget;
}

// Whether `predicate` holds for all targets with different export formats.
using ExportPredicate = bool (*)(Field, unsigned index, uint32_t ours, uint32_t radv);
bool otherExportsAre(Field field, ExportPredicate predicate) {
  const auto ours = exportFormats(oursIn(field, reg::SPI_SHADER_COL_FORMAT).value_or(0),
                                  oursIn(field, reg::CB_SHADER_MASK).value_or(0));
  const auto radv = exportFormats(radvIn(field, reg::SPI_SHADER_COL_FORMAT), radvIn(field, reg::CB_SHADER_MASK));
  for (unsigned target = 0; target < MaxColorTargets; ++target)
    if (ours[target] != radv[target] && !predicate(field, target, ours[target], radv[target]))
      return false;
  return ours != radv;
}

const ColorTarget &targetOf(Field field, unsigned index) {
  return field.in->state.colorTargets[index];
}

bool storesNothing(const ColorTarget &target) {
  const FormatInfo *format = findFormat(target.format);
  return !format || (format->componentMask() & target.writeMask) == 0;
}

bool isExportOfRed8(Field field, unsigned index, uint32_t ours, uint32_t radv) {
  const FormatInfo *format = findFormat(targetOf(field, index).format);
  constexpr uint32_t Zero = 0, R32 = 1;
  return format && format->componentCount == 1 && format->bits[0] == 8 && ours != Zero && radv == R32;
}

// One or both export for a target that stores nothing: for coverage, or because of a mask.
bool isExportOfNothing(Field field, unsigned index, uint32_t, uint32_t) {
  return storesNothing(targetOf(field, index));
}

bool isBehindUnstoredFirst(Field field, unsigned index, uint32_t, uint32_t radv) {
  return index != 0 && radv == 0 && storesNothing(targetOf(field, 0));
}

bool isAlphaOfSecondSource(Field field, unsigned index, uint32_t ours, uint32_t radv) {
  const ColorTarget &target = targetOf(field, 0);
  constexpr uint32_t R32 = 1, Ar32 = 3;
  auto isSecondAlpha = [](VkBlendFactor factor) {
    return factor == VK_BLEND_FACTOR_SRC1_ALPHA || factor == VK_BLEND_FACTOR_ONE_MINUS_SRC1_ALPHA;
  };
  // Both sources are exported in the first target's format.
  return index <= 1 && target.blendEnable && ours == Ar32 && radv == R32 &&
         (isSecondAlpha(target.srcColorBlendFactor) || isSecondAlpha(target.dstColorBlendFactor));
}

// Alpha is exported beside a colour without alpha. With integers, it has no meaning as coverage.
bool isCoverageOfIntegers(Field field, unsigned index, uint32_t, uint32_t) {
  const FormatInfo *format = findFormat(targetOf(field, index).format);
  return index == 0 && format && format->isInteger();
}

constexpr const char *Exports = "*_SHADER_[CM][OA][LS]*"; // SPI_SHADER_COL_FORMAT, CB_SHADER_MASK

constexpr ExplainedField Table[] = {
    // The compiler of a program decides its needs.
    {"*_USER_DATA_*", "", [](Field f) { return isUserDataOf(f.in->image, stageOf(f), *f.ours); },
     "which user SGPR holds what is each driver's own; ours hold what some part takes"},
    {"*_PGM_RSRC2*", "USER_SGPR", [](Field f) { return f.ours == userDataCount(f) % 32; },
     "how many user SGPRs there are is each driver's own; ours are as many as there is user data"},
    {"*_PGM_RSRC1*", "VGPRS", [](Field f) { return vgprGranules(f.in->image, stageOf(f)).contains(*f.ours); },
     "other code takes other numbers of registers; ours are what the parts say"},
    {"*_PGM_RSRC1*", "SGPRS",
     [](Field f) { return sgprEights(f.in->image, f.in->target, stageOf(f)).contains(*f.ours); },
     "other code takes other numbers of registers; ours are what the parts say"},
    {"*_PGM_RSRC2*", "SCRATCH_EN", [](Field f) { return isOnlyOurs(f) && usesScratch(f.in->image, stageOf(f)); },
     "ACO turned into registers what is scratch memory here"},
    {"COMPUTE_PGM_RSRC2", "TGID_Z_EN",
     [](Field f) {
       return isOnlyOurs(f) && takes(f.in->image, stageOf(f), {ValueKind::WorkgroupId, 2});
     },
     "RADV leaves out a workgroup's number that has no effect"},
    {"COMPUTE_PGM_RSRC2", "TG_SIZE_EN", isOnlyRadvs, "RADV takes the wave's number from there; ours is computed"},
    {"SPI_SHADER_PGM_RSRC1_VS", "",
     [](Field f) { return isGfx9(f) && hasGeometry(f) && f.ours == 0u && (*f.radv & ~(3u << 29)) == 0; },
     "RADV sets GS_VGPR_COMP_CNT of its copy shader, too, which is no GS"},
    {"SPI_SHADER_PGM_RSRC2_GS", "", [](Field f) { return f.ours == 0u && (*f.radv & ~(0x1fu << 8)) == 0; },
     "RADV sets SO_EN and SO_BASE_EN of a GS, too, whose copy shader is what captures"},
    {"SPI_SHADER_PGM_RSRC1_GS", "GS_VGPR_COMP_CNT",
     [](Field f) {
       return f.ours == 3u &&
              f.in->image.findInterface(HardwareStage::Gs)->geometry.input == GeometryInput::TrianglesAdjacency;
     },
     "with vertices 4 and 5, the hardware ignores it and loads all five registers (radeonsi's si_shader_gs())"},
    {"SPI_SHADER_PGM_RSRC1_GS", "GS_VGPR_COMP_CNT", [](Field f) { return isBelow(f.ours, 2) && f.radv == 2u; },
     "RADV merges what both halves use: an evaluation shader's primitive id counts as the GS's"},
    {"SPI_PS_INPUT_*", "PERSP_PULL_MODEL_ENA",
     [](Field f) { return isOnlyOurs(f) && takes(f.in->image, HardwareStage::Ps, {ValueKind::PerspPullModel}); },
     "interpolateAt*() from the pull model here, from derivatives of the centre's weights in RADV"},
    {"SPI_PS_INPUT_*", "PERSP_CENTER_ENA",
     [](Field f) { return isOnlyRadvs(f) && (oursIn(f, reg::SPI_PS_INPUT_ENA).value_or(0) & PerspPullModelEna) != 0; },
     "interpolateAt*() from the pull model here, from derivatives of the centre's weights in RADV"},
    {"SPI_PS_INPUT_*", "POS_[XY]_FLOAT_ENA", [](Field f) { return isOnlyRadvs(f) && fragment(f).runsAtSampleRate; },
     "gl_SamplePosition is the fraction of the position in RADV, and read from a table here"},
    {"SPI_PS_INPUT_*", "*_ENA", [](Field f) { return isOnlyOurs(f) && dropsColors(f); },
     "RADV's code is made for the targets, without what only the components need that are not stored"},
    {"SPI_PS_IN_CONTROL", "NUM_INTERP", [](Field f) { return f.ours > f.radv && dropsColors(f); },
     "RADV's code is made for the targets, without what only the components need that are not stored"},
    {"SPI_PS_INPUT_CNTL_0", "*", [](Field f) { return f.ours && !f.radv && dropsColors(f); },
     "RADV's code is made for the targets, without what only the components need that are not stored"},
    {"SPI_SHADER_PGM_RSRC?_*", "*VGPR_COMP_CNT", [](Field f) { return f.ours < f.radv && hasInstanceRate(f); },
     "RADV loads the instance id for all attributes at instance rate, also those that fetch nothing by it"},
    {"SPI_SHADER_PGM_RSRC?_*", "*VGPR_COMP_CNT",
     [](Field f) {
       return f.ours == 3u && isBelow(f.radv, 3) && takes(f.in->image, stageOf(f), {ValueKind::InstanceId});
     },
     "RADV takes the instance id that is divided by VGT_INSTANCE_STEP_RATE_0, which PAL does not program; ours is the "
     "undivided one of the fourth VGPR (src/abi/entry_registers.h)"},
    {"PA_CL_VS_OUT_CNTL", "*DIST*", [](Field f) { return f.ours == 0u && hasStreams(f); },
     "with several streams, RADV exports clip distances that a block declares and nothing writes"},
    {"SPI_SHADER_POS_FORMAT", "",
     [](Field f) { return f.ours < f.radv && (*f.radv % std::bit_ceil(*f.ours)) == *f.ours && hasStreams(f); },
     "with several streams, RADV exports clip distances that a block declares and nothing writes"},
    {"VGT_GSVS_RING_*", "", [](Field f) { return f.ours < f.radv && hasStreams(f) && f.ours == gsvsDwordsBefore(f); },
     "what nobody captures of the streams behind the first is not written here"},
    // The layout of groups in LDS and rings.
    {"SPI_SHADER_PGM_RSRC2_?S", "LDS_SIZE",
     [](Field f) { return f.ours == (ldsBytesBetweenStages(f) + LdsGranuleBytes - 1) / LdsGranuleBytes; },
     "each driver's own layout of LDS between stages"},
    {"VGT_LS_HS_CONFIG", "NUM_PATCHES", [](Field f) { return f.ours == f.in->image.tessellation->patchesPerGroup; },
     "each driver's own choice of patches in a group"},
    {"IA_MULTI_VGT_PARAM*", "PRIMGROUP_SIZE",
     [](Field f) {
       using field::VGT_LS_HS_CONFIG::NUM_PATCHES;
       return hasTessellation(f) && f.ours == NUM_PATCHES.get(*oursIn(f, reg::VGT_LS_HS_CONFIG)) - 1 &&
              f.radv == NUM_PATCHES.get(radvIn(f, reg::VGT_LS_HS_CONFIG)) - 1;
     },
     "the number of patches in a group, which is each driver's own choice"},
    {"VGT_ESGS_RING_ITEMSIZE", "", [](Field f) { return f.ours == f.in->image.geometry->esVertexStride / 4; },
     "each driver's own layout of a vertex in front of a GS"},
    {"VGT_GS_ONCHIP_CNTL", "*", [](Field f) { return isGfx9(f) && hasGeometry(f) && f.ours == groupSize(f); },
     "each driver's own choice of vertices and primitives in a group"},
    {"VGT_GS_MAX_PRIMS_PER_SUBGROUP", "",
     [](Field f) {
       using field::VGT_GS_ONCHIP_CNTL::GS_INST_PRIMS_IN_SUBGRP;
       return f.ours ==
              GS_INST_PRIMS_IN_SUBGRP.get(*oursIn(f, reg::VGT_GS_ONCHIP_CNTL)) * *oursIn(f, reg::VGT_GS_MAX_VERT_OUT);
     },
     "follows from the primitives in a group, which are each driver's own choice"},
    // Parameters.
    {"SPI_VS_OUT_CONFIG", "VS_EXPORT_COUNT", coversAttributes,
     "which outputs are parameters is each driver's own; ours has all that the pixel shader takes"},
    {"SPI_PS_INPUT_CNTL_0", "OFFSET", [](Field f) { return isBelow(f.ours, 0x20) && isBelow(f.radv, 0x20); },
     "which parameter holds an output is each driver's own"},
    {"SPI_INTERP_CONTROL_0", "PNT_SPRITE_*", [](Field f) { return f.ours == 0u && !readsPointCoordinate(f); },
     "RADV sets it for all pipelines; it changes attributes with PT_SPRITE_TEX only, and there are none"},
    {"SPI_PS_IN_CONTROL", "BC_OPTIMIZE_DISABLE", isOnlyOurs,
     "RADV's shaders put centroids right that were left out; ours do if the state asks for it"},
    // The front end's values that depend on the draw and on the number of shader engines (front_end.cpp).
    {"IA_MULTI_VGT_PARAM*", "[SP]*_ON*", // SWITCH_ON_EOI, and the partial waves that it asks for
     [](Field f) { return isOnlyRadvs(f) && !hasTessellation(f) && readsPrimitiveId(f); },
     "Mesa 22.3 switches for primitive ids without tessellation, too; later RADV and radeonsi do not"},
    {"VGT_TF_PARAM", "DISTRIBUTION_MODE", isDistributedHereOnly,
     "the null hardware does not say that it can distribute patches (has_distributed_tess)"},
    {"IA_MULTI_VGT_PARAM*", "PARTIAL_?S_WAVE_ON", [](Field f) { return isOnlyOurs(f) && isDistributedHereOnly(f); },
     "needed for distributed patches, which the null hardware does not have"},
    {"IA_MULTI_VGT_PARAM_GFX8", "PARTIAL_VS_WAVE_ON",
     [](Field f) { return isOnlyOurs(f) && hasGeometry(f) && f.in->target.needsPartialVsWavesForGs; },
     "gfx802 is Tonga as well as Iceland, and Tonga hangs without it"},
    {"VGT_VERTEX_REUSE_BLOCK_CNTL", "", [](Field f) { return !isGfx9(f) && f.ours == 14u && f.radv != 14u; },
     "RADV sets 30 for Polaris only and leaves Volcanic Islands at the default; 14 is what all GFX8 can take"},
    {"VGT_HOS_MIN_TESS_LEVEL", "", [](Field f) { return f.ours == 0x3f800000u; },
     "LLPC's minimum, 1.0; RADV's 0.0 lets the tessellator clamp by its mode"},
    // We write these; RADV does not, and relies on the default.
    {"VGT_STRMOUT_*", "*", isZeroAndUnwritten, "RADV writes it when transform feedback begins"},
    {"VGT_GS_ONCHIP_CNTL", "*", isZeroAndUnwritten, "RADV writes it with a GS only"},
    {"PA_SC_SHADER_CONTROL", "*", isZeroAndUnwritten, "LLPC writes zero; RADV leaves the default"},
    {"VGT_REUSE_OFF", "*", [](Field f) { return isGfx9(f) && !f.radv; },
     "Mesa writes it on GFX8 only; LLPC also on GFX9"},
    {"VGT_STRMOUT_CONFIG", "STREAMOUT_EN", [](Field f) { return f.ours != 0u && f.radv == 0xfu; },
     "RADV turns on all streams; which have a buffer, VGT_STRMOUT_BUFFER_CONFIG says"},
    // Exports.
    {Exports, "", [](Field f) { return otherExportsAre(f, isExportOfRed8); },
     "RADV exports 8 bits of red alone as 32_R, which is for RB+"},
    {Exports, "", [](Field f) { return otherExportsAre(f, isExportOfNothing); },
     "what is exported to a target that stores nothing is each driver's own"},
    {Exports, "", [](Field f) { return otherExportsAre(f, isCoverageOfIntegers); },
     "RADV exports alpha for coverage of integers, too, which has no meaning"},
    {Exports, "", [](Field f) { return otherExportsAre(f, isAlphaOfSecondSource); },
     "RADV does not count SRC1_ALPHA as a factor that needs alpha"},
    {Exports, "", [](Field f) { return otherExportsAre(f, isBehindUnstoredFirst); },
     "RADV forgets an array of outputs if the target of its first element stores nothing"},
    // Policy.
    {"PA_SC_MODE_CNTL_1", "WALK_FENCE_SIZE", [](Field f) { return f.ours == 0u; },
     "depends on the number of tile pipes: the driver's"},
    {"PA_SC_MODE_CNTL_1", "OUT_OF_ORDER_WATER_MARK", [](Field f) { return f.ours == 0u; },
     "counts with OUT_OF_ORDER_PRIMITIVE_ENABLE only: the driver's"},
    {"PA_CL_CLIP_CNTL", "VTE_VPORT_PROVOKE_DISABLE",
     [](Field f) {
       return isOnlyOurs(f) && f.in->image.findStage(HardwareStage::Vs)->interface->preRaster.writesViewportIndex;
     },
     "LLPC sets it for viewport indices; Mesa does not"},
    {"DB_SHADER_CONTROL", "ALPHA_TO_MASK_DISABLE", [](Field f) { return isOnlyOurs(f) && !coversByAlpha(f); },
     "LLPC's where no alpha is exported for it; Mesa turns alpha to coverage off in DB_ALPHA_TO_MASK alone"},
    {"DB_SHADER_CONTROL", "EXEC_ON_NOOP", [](Field f) { return isOnlyRadvs(f) && !fragment(f).earlyFragmentTests; },
     "with late tests, radeonsi and LLPC set EXEC_ON_HIER_FAIL alone"},
    {"DB_SHADER_CONTROL", "CONSERVATIVE_Z_EXPORT",
     [](Field f) { return f.ours == fragment(f).conservativeDepth && f.radv == 0u; },
     "Mesa forgets the mode where DepthReplacing comes after it"},
};

static_assert(std::size(Table) <= 60); // a longer one would hide more than it explains

bool matches(std::string_view pattern, std::string_view name) {
  return fnmatch(std::string(pattern).c_str(), std::string(name).c_str(), 0) == 0;
}

} // namespace

std::span<const ExplainedField> explainedFields() {
  return Table;
}

size_t findExplanation(const ComparedField &field) {
  if (!field.row)
    return NotExplained;
  for (size_t i = 0; i < std::size(Table); ++i) {
    const ExplainedField &each = Table[i];
    if (matches(each.registers, field.row->name) && matches(each.field, field.field) &&
        (!each.holds || each.holds(field)))
      return i;
  }
  return NotExplained;
}

} // namespace dovetail

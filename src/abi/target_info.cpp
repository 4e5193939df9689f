// SPDX-License-Identifier: MIT
//
// The table of GPUs. Sources, by column:
//
//   gpuName, gfxIp, elfMachine       LLVM: GCNProcessors.td, BinaryFormat/ELF.h
//   sgprsPerSimd, vgprsPerSimd,      Mesa: ac_gpu_info.c (num_physical_*, *_alloc_granularity),
//   granularities, maxWavesPerSimd   aco_ir.cpp; "Vega" ISA manual, section 3.6
//   sgprGranularity of gfx802, 805   LLVM: FeatureSGPRInitBug: SGPRs are initialised only if a program
//                                    has 96 of them, no more and no fewer
//   maxUserSgprs                     Mesa: radv_shader_args.c, allocate_user_sgprs
//   maxSgprs, reservedSgprs,         LLVM: AMDGPUBaseInfo.cpp (getNumExtraSGPRs, getAddressableNumSGPRs),
//   replaysMemory                    GCNSubtarget::isXNACKEnabled for a target id that leaves XNACK open, as
//                                    ours do: gfx801, gfx810 and all GFX9. Mesa (aco_ir.cpp and
//                                    aco_live_var_analysis.cpp): Carrizo, Stoney and the GFX9 APUs only
//   hasMergedStages                  Mesa: radv_pipeline_emit_hw_hs and _hw_gs; LLPC: ShaderMerger.cpp
//   has1DImages                      Mesa: ac_surface.c: GFX9 has 1D images as 2D ones
//   losesSignOfTwoBits               Mesa: ac_shader_util.c, ac_get_vtx_format_info_table
//   countsRecordsInBytes             Mesa: si_state.c, si_make_buffer_descriptor
//   misplacesIntegerGathers          Mesa: ac_nir_to_llvm.c, lower_gather4_integer; LLPC: ImageBuilder.cpp
//   accessesCubesAsArrays            LLPC: ImageBuilder.cpp, patchCubeDescriptor
//   clampsFaceNumbers                Mesa: ac_llvm_build.c, ac_prepare_cube_coords
//   tessDistribution                 Mesa: ac_gpu_info.c, has_distributed_tess; si_set_tesseval_regs. Chips
//                                    with one engine have none; gfx802 is both Tonga with four engines and
//                                    Iceland with one. Tonga's are spread as donuts: gfx805 is Tonga Pro only
//   needsPartialVsWavesForGs         Mesa: si_get_init_multi_vgt_param: Tonga, Fiji and Polaris
//   hasUnusableDualQuads             Mesa: ac_gpu_info.c, rbplus_allowed: of GFX9 not Vega 10 and 20; of GFX8
//                                    only Stoney has them, and may use them
//   xfbBuffersAddLane                PAL: gfx6UniversalCmdBuffer.cpp, CmdBindStreamOutTargets
//   hasLsVgprInitBug                 Mesa: ac_gpu_info.c: Vega 10 and Raven
#include "src/abi/target_info.h"
#include <algorithm>
#include <llvm/BinaryFormat/ELF.h>

namespace dovetail {

namespace {

constexpr uint8_t Vcc = 2;
constexpr uint8_t VccAndXnackMask = 4;

constexpr TargetInfo gfx9(std::string_view gpuName, unsigned stepping, uint32_t elfMachine, bool hasLsVgprInitBug,
                          uint8_t tessDistribution, bool hasUnusableDualQuads) {
  return {.gpuName = gpuName,
          .gfxIp = {9, 0, stepping},
          .elfMachine = elfMachine,
          .sgprsPerSimd = 800,
          .vgprsPerSimd = 256,
          .sgprGranularity = 16,
          .vgprGranularity = 4,
          .maxWavesPerSimd = 10,
          .maxUserSgprs = 32,
          .maxSgprs = NumberedSgprs + VccAndXnackMask,
          .maxVgprs = 256,
          .hasMergedStages = true,
          .has1DImages = false,
          .countsRecordsInBytes = false,
          .losesSignOfTwoBits = false,
          .misplacesIntegerGathers = false,
          .accessesCubesAsArrays = false,
          .clampsFaceNumbers = false,
          .replaysMemory = true,
          .tessDistribution = tessDistribution,
          .needsPartialVsWavesForGs = false,
          .hasUnusableDualQuads = hasUnusableDualQuads,
          .reservedSgprs = VccAndXnackMask,
          .xfbBuffersAddLane = false,
          .hasLsVgprInitBug = hasLsVgprInitBug};
}

constexpr TargetInfo gfx8(std::string_view gpuName, GfxIp gfxIp, uint32_t elfMachine, bool hasSgprInitBug,
                          uint8_t tessDistribution, bool needsPartialVsWavesForGs, bool replaysMemory) {
  constexpr unsigned OnlySgprAllocation = 96;
  const uint8_t reservedSgprs = replaysMemory ? VccAndXnackMask : Vcc;
  return {.gpuName = gpuName,
          .gfxIp = gfxIp,
          .elfMachine = elfMachine,
          .sgprsPerSimd = 800,
          .vgprsPerSimd = 256,
          .sgprGranularity = hasSgprInitBug ? OnlySgprAllocation : 16,
          .vgprGranularity = 4,
          .maxWavesPerSimd = 10,
          .maxUserSgprs = 16,
          .maxSgprs = hasSgprInitBug ? OnlySgprAllocation : NumberedSgprs + reservedSgprs,
          .maxVgprs = 256,
          .hasMergedStages = false,
          .has1DImages = true,
          .countsRecordsInBytes = true,
          .losesSignOfTwoBits = true,
          .misplacesIntegerGathers = true,
          .accessesCubesAsArrays = true,
          .clampsFaceNumbers = true,
          .replaysMemory = replaysMemory,
          .tessDistribution = tessDistribution,
          .needsPartialVsWavesForGs = needsPartialVsWavesForGs,
          .hasUnusableDualQuads = false,
          .reservedSgprs = reservedSgprs,
          .xfbBuffersAddLane = true,
          .hasLsVgprInitBug = false};
}

constexpr uint8_t WholePatches = 0;
constexpr uint8_t Donuts = 2;
constexpr uint8_t Trapezoids = 3;

constexpr TargetInfo Targets[] = {
    gfx8("gfx801", {8, 0, 1}, llvm::ELF::EF_AMDGPU_MACH_AMDGCN_GFX801, false, WholePatches, false, true),
    gfx8("gfx802", {8, 0, 2}, llvm::ELF::EF_AMDGPU_MACH_AMDGCN_GFX802, true, WholePatches, true, false),
    gfx8("gfx803", {8, 0, 3}, llvm::ELF::EF_AMDGPU_MACH_AMDGCN_GFX803, false, Trapezoids, true, false),
    gfx8("gfx805", {8, 0, 5}, llvm::ELF::EF_AMDGPU_MACH_AMDGCN_GFX805, true, Donuts, true, false),
    gfx8("gfx810", {8, 1, 0}, llvm::ELF::EF_AMDGPU_MACH_AMDGCN_GFX810, false, WholePatches, false, true),
    gfx9("gfx900", 0, llvm::ELF::EF_AMDGPU_MACH_AMDGCN_GFX900, true, Trapezoids, true),
    gfx9("gfx902", 2, llvm::ELF::EF_AMDGPU_MACH_AMDGCN_GFX902, true, WholePatches, false),
    gfx9("gfx904", 4, llvm::ELF::EF_AMDGPU_MACH_AMDGCN_GFX904, false, Trapezoids, false),
    gfx9("gfx906", 6, llvm::ELF::EF_AMDGPU_MACH_AMDGCN_GFX906, false, Trapezoids, true),
    gfx9("gfx909", 9, llvm::ELF::EF_AMDGPU_MACH_AMDGCN_GFX909, false, WholePatches, false),
    gfx9("gfx90c", 12, llvm::ELF::EF_AMDGPU_MACH_AMDGCN_GFX90C, false, WholePatches, false),
};

unsigned roundUp(unsigned value, unsigned granularity) {
  return (value + granularity - 1) / granularity * granularity;
}

} // namespace

const TargetInfo *findTarget(std::string_view gpuName) {
  const auto *found = std::ranges::find(Targets, gpuName, &TargetInfo::gpuName);
  return found == std::end(Targets) ? nullptr : found;
}

std::span<const TargetInfo> allTargets() {
  return Targets;
}

unsigned wavesPerSimd(const TargetInfo &target, unsigned sgprs, unsigned vgprs) {
  unsigned bySgprs = target.sgprsPerSimd / roundUp(std::max(sgprs, 1u), target.sgprGranularity);
  unsigned byVgprs = target.vgprsPerSimd / roundUp(std::max(vgprs, 1u), target.vgprGranularity);
  return std::min({target.maxWavesPerSimd, bySgprs, byVgprs});
}

} // namespace dovetail

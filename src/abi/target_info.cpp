// SPDX-License-Identifier: MIT
//
// The table of GPUs. Sources: LLVM's GCNProcessors.td and BinaryFormat/ELF.h (names, machine numbers), the "Vega" ISA
// and "GCN3" ISA manuals' section 3 (register files), LLVM's FeatureSGPRInitBug (gfx802: SGPRs are initialised only if
// a program has 96 of them, no more and no fewer), Mesa's ac_gpu_info.c (chips whose merged LS-HS misplaces the LS
// VGPRs: Vega 10 and Raven), radeonsi's si_state_shaders.cpp (distribution of patches: chips with one shader engine
// have none, and gfx802 is both Tonga with four engines and Iceland with one) and si_state_draw.cpp (partial VS waves:
// Tonga, Fiji and Polaris), ac_gpu_info.c (rbplus_allowed: of GFX9 not Vega 10 and 20),
// Mesa's ac_nir_lower_resinfo.c and ac_llvm_build.c (descriptors of GFX8; signed alpha of 2_10_10_10; gathers of
// integers and the numbers of cubes in arrays of them), LLPC's ImageBuilder (the same, and texel accesses of cubes),
// LLVM's GCNSubtarget::isXNACKEnabled and getNumExtraSGPRs (AMDGPUBaseInfo.cpp) for a target id that leaves XNACK open,
// as ours do (replays of memory, and XNACK_MASK among the reserved SGPRs: gfx801 and all GFX9; Mesa's aco_ir.cpp and
// aco_live_var_analysis.cpp have Carrizo, Stoney and the GFX9 APUs only).
#include "src/abi/target_info.h"
#include <algorithm>
#include <llvm/BinaryFormat/ELF.h>

namespace dovetail {

namespace {

constexpr unsigned NumberedSgprs = 102;
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

constexpr TargetInfo gfx8(std::string_view gpuName, unsigned stepping, uint32_t elfMachine, bool hasSgprInitBug,
                          uint8_t tessDistribution, bool needsPartialVsWavesForGs, bool replaysMemory) {
  constexpr unsigned OnlySgprAllocation = 96;
  const uint8_t reservedSgprs = replaysMemory ? VccAndXnackMask : Vcc;
  return {.gpuName = gpuName,
          .gfxIp = {8, 0, stepping},
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

constexpr uint8_t Whole = 0;
constexpr uint8_t Trapezoids = 3;

constexpr TargetInfo Targets[] = {
    gfx8("gfx801", 1, llvm::ELF::EF_AMDGPU_MACH_AMDGCN_GFX801, false, Whole, false, true),
    gfx8("gfx802", 2, llvm::ELF::EF_AMDGPU_MACH_AMDGCN_GFX802, true, Whole, true, false),
    gfx8("gfx803", 3, llvm::ELF::EF_AMDGPU_MACH_AMDGCN_GFX803, false, Trapezoids, true, false),
    gfx9("gfx900", 0, llvm::ELF::EF_AMDGPU_MACH_AMDGCN_GFX900, true, Trapezoids, true),
    gfx9("gfx902", 2, llvm::ELF::EF_AMDGPU_MACH_AMDGCN_GFX902, true, Whole, false),
    gfx9("gfx904", 4, llvm::ELF::EF_AMDGPU_MACH_AMDGCN_GFX904, false, Trapezoids, false),
    gfx9("gfx906", 6, llvm::ELF::EF_AMDGPU_MACH_AMDGCN_GFX906, false, Trapezoids, true),
    gfx9("gfx909", 9, llvm::ELF::EF_AMDGPU_MACH_AMDGCN_GFX909, false, Whole, false),
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

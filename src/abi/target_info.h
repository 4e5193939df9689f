// SPDX-License-Identifier: MIT
//
// The GPUs for which Dovetail compiles, and the differences between them. A new GPU is a new row in target_info.cpp.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

namespace dovetail {

// SGPRs that code names by number; behind them are VCC and other special ones. LLVM: getAddressableNumSGPRs
// (AMDGPUBaseInfo.cpp).
constexpr unsigned NumberedSgprs = 102;

struct GfxIp {
  unsigned major;
  unsigned minor;
  unsigned stepping;
};

struct TargetInfo {
  std::string_view gpuName; // LLVM's processor name
  GfxIp gfxIp;
  uint32_t elfMachine;      // EF_AMDGPU_MACH of the ELF header
  unsigned sgprsPerSimd;    // 800 on GFX8 and GFX9
  unsigned vgprsPerSimd;    // 256 per lane
  unsigned sgprGranularity; // unit of their allocation
  unsigned vgprGranularity;
  unsigned maxWavesPerSimd;
  unsigned maxUserSgprs; // of graphics stages; compute has 16
  unsigned maxSgprs;     // that a program may use, VCC and its other special ones included
  unsigned maxVgprs;
  bool hasMergedStages; // LS runs inside HS programs, ES inside GS programs
  // Descriptors of GFX8. has1DImages: 1D images exist (GFX9 takes them for 2D images of one row). countsRecordsInBytes:
  // a typed buffer counts its records in bytes. losesSignOfTwoBits: loads of typed buffers extend a component of two
  // bits without its sign.
  bool has1DImages;
  bool countsRecordsInBytes;
  bool losesSignOfTwoBits;
  // Texture unit of GFX8. It gathers integers half a texel off. For texel accesses, it takes a cube only as an array of
  // faces. It clamps the number of a cube's face together with that of the cube.
  bool misplacesIntegerGathers;
  bool accessesCubesAsArrays;
  bool clampsFaceNumbers;
  // XNACK: the hardware repeats a memory instruction that met a page fault, so consecutive ones (soft clauses) must not
  // overwrite each other's operands.
  bool replaysMemory;
  // How patches are spread over shader engines (VGT_TF_PARAM.DISTRIBUTION_MODE): 0 not at all, 2 donuts, 3 trapezoids.
  uint8_t tessDistribution;
  bool needsPartialVsWavesForGs; // the hardware can hang with a GS otherwise
  bool hasUnusableDualQuads;     // the GPU has RB+ but must not use it (DB_SHADER_CONTROL.DUAL_QUAD_DISABLE)
  // SGPRs at the end of a wave's SGPRs in which the hardware keeps values of its own. VCC takes 2. Where memory
  // accesses may be replayed, XNACK_MASK stands before it (4 with VCC), whether code names it or not. FLAT_SCRATCH
  // before both (6) is there only for programs that use it.
  uint8_t reservedSgprs;
  // PAL's descriptors of transform feedback buffers have ADD_TID_ENABLE (lowering/transform_feedback.cpp).
  bool xfbBuffersAddLane;
  bool hasLsVgprInitBug; // merged LS-HS waves without HS threads have their LS VGPRs at v0, not v2 (first GFX9 chips)
};

// nullptr for an unknown name.
const TargetInfo *findTarget(std::string_view gpuName);
std::span<const TargetInfo> allTargets();

// How many waves with this many registers fit on a SIMD.
unsigned wavesPerSimd(const TargetInfo &target, unsigned sgprs, unsigned vgprs);

// How many of the registers must go before another wave fits; all of them if none ever fits. `wavesWith` returns the
// number of waves that fit with a number of registers.
template <typename WavesWith> unsigned registersToAnotherWave(unsigned registers, WavesWith wavesWith) {
  unsigned fewer = registers;
  while (fewer > 0 && wavesWith(fewer) <= wavesWith(registers))
    --fewer;
  return registers - fewer;
}

} // namespace dovetail

// SPDX-License-Identifier: MIT
//
// The GPUs that can be compiled for, and what differs between them. A new GPU is a new row in target_info.cpp.
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
  unsigned sgprGranularity; // in which they are allocated
  unsigned vgprGranularity;
  unsigned maxWavesPerSimd;
  unsigned maxUserSgprs; // of graphics stages; compute has 16
  unsigned maxSgprs;     // that a program may use, VCC and its other special ones included
  unsigned maxVgprs;
  bool hasMergedStages; // LS runs inside HS programs, ES inside GS programs
  // Descriptors. GFX8: there are 1D images (GFX9 takes them for 2D ones of one row), a typed buffer counts its records
  // in bytes, and loads of typed buffers extend a component of two bits without its sign.
  bool has1DImages;
  bool countsRecordsInBytes;
  bool losesSignOfTwoBits;
  // The texture unit of GFX8 gathers integers half a texel off, takes cubes for texel accesses only as arrays of faces,
  // and clamps the number of a cube's face together with that of the cube.
  bool misplacesIntegerGathers;
  bool accessesCubesAsArrays;
  bool clampsFaceNumbers;
  // XNACK: memory instructions that met a page fault run once more, so consecutive ones (soft clauses) must not
  // overwrite each other's operands.
  bool replaysMemory;
  // How patches are spread over shader engines (VGT_TF_PARAM.DISTRIBUTION_MODE): 0 not at all, 2 donuts, 3 trapezoids.
  uint8_t tessDistribution;
  bool needsPartialVsWavesForGs; // the hardware can hang with a GS otherwise
  bool hasUnusableDualQuads;     // RB+ is there but not to be used (DB_SHADER_CONTROL.DUAL_QUAD_DISABLE)
  // At the end of a wave's SGPRs, in which the hardware keeps values of its own: VCC (2), and XNACK_MASK before it (4
  // with VCC) where memory accesses may be replayed, whether code names it or not. FLAT_SCRATCH before both (6) is only
  // there for who uses it.
  uint8_t reservedSgprs;
  // PAL's descriptors of transform feedback buffers have ADD_TID_ENABLE (lowering/transform_feedback.cpp).
  bool xfbBuffersAddLane;
  bool hasLsVgprInitBug; // merged LS-HS waves without HS threads have their LS VGPRs at v0, not v2 (first GFX9 chips)
};

// nullptr for an unknown name.
const TargetInfo *findTarget(std::string_view gpuName);
std::span<const TargetInfo> allTargets();

// How many waves fit on a SIMD with this many registers.
unsigned wavesPerSimd(const TargetInfo &target, unsigned sgprs, unsigned vgprs);

// How many of the registers must go until another wave fits; all if none does. `wavesWith` says how many fit with so
// many.
template <typename WavesWith> unsigned registersToAnotherWave(unsigned registers, WavesWith wavesWith) {
  unsigned fewer = registers;
  while (fewer > 0 && wavesWith(fewer) <= wavesWith(registers))
    --fewer;
  return registers - fewer;
}

} // namespace dovetail

// SPDX-License-Identifier: MIT
//
// Code must know in which registers it finds its inputs. This file says what the hardware has put into registers when a
// program of a hardware stage starts, and what the driver is told to put there.
//
// SGPRs: user data from s0, then system values in a fixed order, each present only if it is enabled. VGPRs: fixed
// places, loaded as far as VGPR_COMP_CNT says; for the pixel shader, packed by SPI_PS_INPUT_ADDR. GFX9's merged stages
// have a launch state of their own.
//
// Sources of all of these orders: Mesa, radv_shader_args.c (declare_vs_input_vgprs, declare_tes_input_vgprs,
// declare_ps_input_vgprs, declare_streamout_sgprs, and the switch over stages behind them) and si_shader.c
// (si_init_shader_args); LLPC, ShaderInputs.cpp and ShaderMerger.cpp. tests/radv runs RADV's code with them. Place of
// CollisionWaveId: Mesa main, radv_shader_args.c (declare_shader_args).
#pragma once

#include "src/abi/hardware_stage.h"
#include "src/abi/value.h"
#include <cstdint>
#include <optional>
#include <span>

namespace dovetail {

// Whether the driver (user data) or the hardware (system value) sets a value; false for values that parts hand to each
// other.
constexpr bool isUserData(ValueKind kind) {
  return kind <= ValueKind::UserDataPadding;
}
constexpr bool isRootDword(ValueKind kind) { // the layout says which
  return kind >= ValueKind::DescriptorSet && kind <= ValueKind::DynamicOffset;
}
constexpr bool isSystemSgpr(ValueKind kind) {
  return kind > ValueKind::UserDataPadding && kind < ValueKind::VertexId;
}
constexpr bool isHardwareVgpr(ValueKind kind) {
  return kind >= ValueKind::VertexId && kind < ValueKind::Attribute;
}

// Each program has the launch state of a hardware stage of its own, as on GFX8. GFX9 launches no LS and no ES: HS
// programs run an LS first, and GS programs an ES. The halves of a merged program are compiled for the launch states
// below all the same, and glue makes these from the merged launch state (gfx9-merged/glue.h).

// The API stage that a hardware stage runs first: that of a VS or ES program, and of the first half of a merged
// program.
enum class VertexSource : uint8_t { Vertex, TessEval };

// System SGPRs in the order in which the hardware packs them behind the user SGPRs, which begin at s0. Each row says
// what enables its SGPR. UserDataPadding marks an SGPR that holds nothing.
std::span<const ValueName> systemSgprs(HardwareStage stage, VertexSource source = VertexSource::Vertex);

// The VGPRs from v0 of all stages but Ps. VGPR_COMP_CNT (TIDIG_COMP_CNT) says how many of them the hardware loads.
// UserDataPadding marks a VGPR that no code reads: a vertex shader's instance id divided by VGT_INSTANCE_STEP_RATE_0.
// That register is 1 under Mesa (radv, si_cmd_buffer.c; radeonsi, si_state.c), but PAL never writes it. So code takes
// the undivided id of the fourth VGPR, as LLPC's code does. Sources: Mesa, si_state_shaders.cpp,
// si_get_vs_vgpr_comp_cnt (what the four are for each stage); LLPC, Gfx9ConfigBuilder.cpp and Gfx6ConfigBuilder.cpp,
// VGPR_COMP_CNT 3.
std::span<const ValueName> entryVgprs(HardwareStage stage, VertexSource source = VertexSource::Vertex);

// The launch state of a merged program (Hs, Gs; GFX9): eight system SGPRs from s0, user SGPRs from s8, first the VGPRs
// of the second half, then those of the first. LS: VGPRs of the first half begin at v0 instead of v2 if the wave has no
// HS threads and the GPU has the LS VGPR bug (TargetInfo::hasLsVgprInitBug; Mesa, fix_ls_vgpr_init_bug in
// aco_instruction_selection.cpp).
constexpr unsigned MergedFirstUserSgpr = 8;
std::span<const ValueName> mergedSystemSgprs(HardwareStage stage);
std::span<const ValueName> mergedEntryVgprs(HardwareStage stage, VertexSource source = VertexSource::Vertex);
// How many of the VGPRs belong to the second half: the number of the first half's first VGPR.
constexpr unsigned mergedFirstHalfVgpr(HardwareStage stage) {
  return stage == HardwareStage::Hs ? 2 : 5;
}

// SPI_PS_INPUT_ENA/ADDR: one row for each bit, named as in AMD's register headers. Source of the VGPR counts: Mesa,
// declare_ps_input_vgprs.
struct PsInput {
  ValueKind kind;
  uint8_t count; // VGPRs
};
constexpr unsigned PsInputCount = 16;
std::span<const PsInput, PsInputCount> psInputs();

enum PsInputBit : uint32_t {
  PerspSampleEna = 1u << 0,
  PerspCenterEna = 1u << 1,
  PerspCentroidEna = 1u << 2,
  PerspPullModelEna = 1u << 3,
  LinearSampleEna = 1u << 4,
  LinearCenterEna = 1u << 5,
  LinearCentroidEna = 1u << 6,
  LineStippleEna = 1u << 7,
  PosXEna = 1u << 8,
  PosYEna = 1u << 9,
  PosZEna = 1u << 10,
  PosWEna = 1u << 11,
  FrontFaceEna = 1u << 12,
  AncillaryEna = 1u << 13,
  SampleCoverageEna = 1u << 14,
  PosFixedPtEna = 1u << 15,
};
constexpr uint32_t PerspectivePairs = PerspSampleEna | PerspCenterEna | PerspCentroidEna | PerspPullModelEna;
constexpr uint32_t BarycentricPairs = PerspectivePairs | LinearSampleEna | LinearCenterEna | LinearCentroidEna;

// How many VGPRs a layout of PS inputs (SPI_PS_INPUT_ADDR) takes.
unsigned psInputVgprs(uint32_t addr);

// The number in driver_contract.def by which PAL's metadata names a user SGPR's content. std::nullopt for root dwords,
// whose numbers are the layout's indices, and for values that are not user data. WorkgroupCount is a 64-bit address in
// two consecutive SGPRs; only the first has the number.
std::optional<uint32_t> palUserData(const ValueName &value);

constexpr uint32_t PalUserDataUnmapped = 0xffffffff; // PAL: UserDataMapping::NotMapped

} // namespace dovetail

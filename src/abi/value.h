// SPDX-License-Identifier: MIT
//
// Values that cross a border in registers: from the hardware into the first part, from part to part, and out of the
// last one. A value is one 32-bit register's worth, named by what it means; a Binding says in which register it is.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <vector>

namespace dovetail {

enum class ValueKind : uint8_t {
  // SGPRs set by the driver (user data). index: for UserData the dword of the root table.
  GlobalTable,       // low 32 bits of the address of the driver's global table
  VertexBufferTable, // low 32 bits of the address of the vertex buffer descriptors
  BaseVertex,
  BaseInstance,
  DrawIndex,
  UserData,
  SpillTable,      // low 32 bits of the address of the root table in memory
  WorkgroupCount,  // index 0, 1: low, high half of the address of the three workgroup counts
  StreamoutTable,  // low 32 bits of the address of the transform feedback buffer descriptors
  AlphaReference,  // f32 reference value of the alpha test
  UserDataPadding, // allocated, never read
  // SGPRs set by the hardware.
  PrimMask,
  ScratchOffset,
  WorkgroupId, // index 0..2: x, y, z
  MergedWaveInfo,
  OffchipOffset,
  TessFactorOffset,
  Gs2VsOffset,
  Es2GsOffset, // GFX8: bytes into the ESGS ring; GFX9: number of the wave's first vertex in its group
  GsWaveId,
  StreamoutConfig,
  StreamoutWriteIndex,
  StreamoutOffset,       // index: buffer
  MergedUserDataAddress, // index 0, 1: low, high half
  // VGPRs set by the hardware.
  VertexId,
  InstanceId,
  VertexPrimitiveId,
  RelVertexId, // LS: number of the vertex in its group
  RelPatchId,
  PatchId,
  RelIds,             // [7:0] patch in the group, [12:8] invocation
  TessCoord,          // index 0, 1: u, v
  GsVertexOffset,     // index: vertex 0..5; dwords into the ESGS ring or the group's LDS
  GsVertexOffsetPair, // merged launch: index 0..2; vertices 2 * index [15:0] and 2 * index + 1 [31:16]
  GsPrimitiveId,
  GsInvocationId,
  PerspSample, // component 0, 1: i, j
  PerspCenter,
  PerspCentroid,
  PerspPullModel, // component 0..2
  LinearSample,
  LinearCenter,
  LinearCentroid,
  LineStipple,
  PosX,
  PosY,
  PosZ,
  PosW,
  FrontFace,
  Ancillary,
  SampleCoverage,
  PosFixedPt,
  LocalInvocationId, // component 0..2
  // VGPRs that parts hand to each other.
  Attribute, // index: location, component: dword 0..7 (64-bit attributes take two dwords a component)
  Color,     // index: location (MRT), component; location 0 of the second blend source is ColorSource1
  ColorSource1,
  Depth,
  Stencil,
  SampleMask,
  TessFactorOuter,   // index
  TessFactorInner,   // index
  TessFactorLds,     // LDS byte address of the factors
  TessInvocationId,  // number of the control point that an HS lane makes
  InterpolatedColor, // index 0, 1: GL's primary and secondary colour, made by the PS prolog
};

struct ValueName {
  ValueKind kind;
  uint8_t index = 0;
  uint8_t component = 0;

  auto operator<=>(const ValueName &) const = default;
};

// "attr3.y", "mrt0.a", "user_data4", "persp_center.i": what --asm and errors show.
std::string toString(const ValueName &value);

enum class RegisterBank : uint8_t { Sgpr, Vgpr };

struct Register {
  RegisterBank bank;
  uint16_t index;

  auto operator<=>(const Register &) const = default;
};

// "s3", "v17".
std::string toString(Register reg);

struct Binding {
  ValueName value;
  Register reg;

  auto operator<=>(const Binding &) const = default;
};

} // namespace dovetail

// SPDX-License-Identifier: MIT
//
// The immediate operand types of the dialect ops: the operands of a Builder call that are not SSA values. Each is
// stored in IR as an i32 constant, so its enumerators are part of the IR format.
#pragma once

#include <cstdint>

namespace lgc {

// The shape of an image resource, as the shader declares it.
enum class ImageDim : uint32_t {
  Dim1D,
  Dim2D,
  Dim3D,
  Cube,
  Array1D,
  Array2D,
  CubeArray,
  Msaa2D,
  MsaaArray2D,
};

// Bits of the `flags` operand of descriptor loads and image accesses.
enum ResourceFlag : uint32_t {
  NonUniformImage = 1,    // the image (or buffer) index may differ between lanes: needs a waterfall loop
  NonUniformSampler = 2,  // the sampler index may differ between lanes
  Coherent = 4,           // visible to other waves: bypass the vector L1 cache (glc)
  Volatile = 8,           // not combined, moved or removed
  NonTemporal = 16,       // slc
  ReadOnly = 32,          // nobody writes this memory while the shader runs: scalar loads are allowed
  SignedTexel = 64,       // integer texels are sign-extended
  TexelCoordinates = 128, // samples and gathers take coordinates in texels, whatever the sampler says
};

enum class AtomicOp : uint32_t {
  Swap,
  Add,
  Sub,
  SMin,
  UMin,
  SMax,
  UMax,
  And,
  Or,
  Xor,
  FAdd,
  FMin,
  FMax,
};

// Bits of the `index` operand of WriteGenericOutput. LLVM's integer types have no sign, but colour exports need it for
// clamping.
enum OutputFlag : uint32_t {
  SecondBlendSource = 1, // layout(index = 1)
  SignedOutput = 2,      // an integer output of a signed type
  OutputStreamShift = 8, // bits 8, 9: the vertex stream of a geometry shader's output
};

// The kind of a value that leaves the shader (internal ops).
enum class OutputKind : uint32_t {
  Generic, // slot: location (fragment shaders: colour location, + 8 for the second blend source)
  Position,
  PointSize,
  Layer,
  ViewportIndex,
  ClipDistance, // component: array index
  CullDistance,
  Depth,
  Stencil,
  SampleMask,
  PrimitiveId, // geometry shaders
};

// How a fragment input varies over the primitive.
enum class InterpMode : uint32_t {
  Smooth,        // perspective-correct
  NoPerspective, // linear in screen space
  Flat,          // the provoking vertex's value
};

// Where a fragment input is evaluated.
enum class InterpLocation : uint32_t {
  Center,
  Centroid,
  Sample,      // at the sample being shaded
  SampleIndex, // interpolateAtSample: the auxiliary operand is the sample number (i32)
  PixelOffset, // interpolateAtOffset: the auxiliary operand is the offset from the centre (v2f32)
};

// Built-in inputs and outputs. The numbers are SPIR-V's.
enum class BuiltIn : uint32_t {
  Position = 0,
  PointSize = 1,
  ClipDistance = 3,
  CullDistance = 4,
  VertexId = 5,   // OpenGL's: includes the base vertex
  InstanceId = 6, // OpenGL's: without the base instance
  PrimitiveId = 7,
  InvocationId = 8,
  Layer = 9,
  ViewportIndex = 10,
  TessLevelOuter = 11,
  TessLevelInner = 12,
  TessCoord = 13,
  PatchVertices = 14,
  FragCoord = 15,
  PointCoord = 16,
  FrontFacing = 17,
  SampleId = 18,
  SamplePosition = 19,
  SampleMask = 20,
  FragDepth = 22,
  HelperInvocation = 23,
  NumWorkgroups = 24,
  WorkgroupSize = 25,
  WorkgroupId = 26,
  LocalInvocationId = 27,
  GlobalInvocationId = 28,
  LocalInvocationIndex = 29,
  SubgroupSize = 36,
  NumSubgroups = 38,
  SubgroupId = 40,
  SubgroupLocalInvocationId = 41,
  VertexIndex = 42,   // includes the base vertex
  InstanceIndex = 43, // includes the base instance
  SubgroupEqMask = 4416,
  SubgroupGeMask = 4417,
  SubgroupGtMask = 4418,
  SubgroupLeMask = 4419,
  SubgroupLtMask = 4420,
  BaseVertex = 4424,
  BaseInstance = 4425,
  DrawIndex = 4426,
  DeviceIndex = 4438,
  ViewIndex = 4440,
  BaryCoordNoPersp = 4992, // (i, j); SPV_AMD_shader_explicit_vertex_parameter
  BaryCoordNoPerspCentroid = 4993,
  BaryCoordNoPerspSample = 4994,
  BaryCoordSmooth = 4995,
  BaryCoordSmoothCentroid = 4996,
  BaryCoordSmoothSample = 4997,
  BaryCoordPullModel = 4998, // (i / w, j / w, 1 / w)
  FragStencilRef = 5014,
};

// The operation of a subgroup reduction or scan.
enum class GroupOp : uint32_t {
  IAdd,
  FAdd,
  IMul,
  FMul,
  SMin,
  UMin,
  FMin,
  SMax,
  UMax,
  FMax,
  And,
  Or,
  Xor,
};

// Bits of the `scope` operand of memory barriers.
enum MemoryBarrierScope : uint32_t {
  WorkgroupMemory = 1, // shared memory (LDS)
  BufferMemory = 2,
  ImageMemory = 4,
  DeviceScope = 8, // orders against other workgroups too, not only within this one
};

} // namespace lgc

// SPDX-License-Identifier: MIT
//
// ShaderInterface tells what a compiled main part says about itself beyond its code. The compiler fills it in once.
// Prologs, epilogs, contracts, PAL metadata and the linkage between stages are made from it; nobody looks at the code
// again.
#pragma once

#include "src/abi/entry_registers.h"
#include "src/abi/hardware_stage.h"
#include "src/abi/interface/interface_slots.h"
#include "src/abi/value.h"
#include "src/base/hash.h"
#include <array>
#include <cstdint>
#include <vector>

namespace dovetail {

// The type class of a vertex attribute or colour output, as the shader declares it.
enum class NumericClass : uint8_t { Float, Sint, Uint };

// A vertex attribute that the main part reads, after elimination of dead reads.
struct VertexInput {
  uint8_t location;
  uint8_t dwordMask;         // which 32-bit words of the (converted) attribute are read; bit 0 is x
  NumericClass numericClass; // integers are always Uint: their words are the same, and the format says how to make them
  uint8_t elementBits;       // 16, 32 or 64, of the shader's type. 16-bit elements arrive widened to 32 bits.

  bool operator==(const VertexInput &) const = default;
};

// A colour that the fragment main part hands to its epilog.
struct ColorOutput {
  uint8_t location; // API location, 0..7
  uint8_t index;    // 1: the second source of dual-source blending
  uint8_t componentMask;
  NumericClass numericClass;

  bool operator==(const ColorOutput &) const = default;
};

// A parameter export of the last stage before rasterisation, or the place in which a fragment input is found.
struct ParameterExport {
  uint8_t location;  // API location; built-ins that travel as parameters use ParameterLocation below
  uint8_t parameter; // export target param<parameter>

  bool operator==(const ParameterExport &) const = default;
};

// Locations beyond the API's, for built-ins that reach the fragment shader as parameters.
enum ParameterLocation : uint8_t {
  PrimitiveIdParameter = 64,
  LayerParameter = 65,
  ViewportIndexParameter = 66,
  ClipDistanceParameter0 = 67, // clip distances 0 to 3
  ClipDistanceParameter1 = 68, // clip distances 4 to 7
  CullDistanceParameter0 = 69,
  CullDistanceParameter1 = 70,
  PointCoordParameter = 71, // never exported: the rasteriser makes it (FragmentInput::pointCoord)
  PackedParameter0 =
      128, // and 31 more: locations into which several others are packed (StageKnowledge::packedParameters)
};

// A fragment input; its place in the list is the attribute number of the v_interp instructions (SPI_PS_INPUT_CNTL_n).
struct FragmentInput {
  uint8_t location;
  bool flat;
  bool pointCoord;         // replaced by the point sprite coordinate
  bool ofVertices = false; // the vertices' own values, not interpolated; `flat` is false
  // A mask for half floats that are interpolated, which have a dword of their own or share one: bit 0: low halves are
  // read, bit 1: high halves. 0: the input has whole floats. A location may have two inputs, one with half and one with
  // whole floats.
  uint8_t halves = 0;

  bool operator==(const FragmentInput &) const = default;
};

// The tessellation modes that a control and an evaluation shader declare; each may leave a mode to the other.
enum class TessPrimitive : uint8_t { Undeclared, Triangles, Quads, Isolines };
enum class TessSpacing : uint8_t { Undeclared, Equal, FractionalOdd, FractionalEven };
enum class TessVertexOrder : uint8_t { Undeclared, CounterClockwise, Clockwise };

struct TessellationInterface {
  TessPrimitive primitive = TessPrimitive::Undeclared;
  TessSpacing spacing = TessSpacing::Undeclared;
  TessVertexOrder vertexOrder = TessVertexOrder::Undeclared;
  bool pointMode = false;
  // Control shaders.
  uint8_t outputVertices = 0;
  // Bytes of LDS for one patch's outputs: first the tessellation factors (outer at +0, inner at +16) unless they are in
  // registers, then the outputs that the shader reads back.
  uint32_t ldsPatchStride = 0;
  // The epilog gets the factors in VGPRs of invocation 0, because only that invocation's own writes of them count and
  // the shader reads none back. TessFactorLds is unused then.
  bool factorsInRegisters = false;
  // Evaluation shaders: whether it reads gl_TessLevelOuter or gl_TessLevelInner.
  bool readsFactors = false;

  bool operator==(const TessellationInterface &) const = default;
};

enum class GeometryInput : uint8_t { Points, Lines, LinesAdjacency, Triangles, TrianglesAdjacency };
constexpr uint8_t VerticesOfInput[] = {1, 2, 4, 3, 6}; // by GeometryInput
enum class GeometryOutput : uint8_t { Points, LineStrip, TriangleStrip };

// A dword that a geometry shader hands on for each vertex. The outputs of a stream are in the order of the list in its
// part of the GSVS ring, each GeometryInterface::maxVertices dwords behind the one before (per lane).
struct GeometryOutputDword {
  uint8_t slot; // interface_slots.h
  uint8_t component;
  uint8_t stream;

  bool operator==(const GeometryOutputDword &) const = default;
};

struct GeometryInterface {
  GeometryInput input = GeometryInput::Triangles;
  GeometryOutput output = GeometryOutput::TriangleStrip;
  uint16_t maxVertices = 0;
  uint8_t invocations = 1;
  uint8_t streamMask = 1;                   // streams that vertices are emitted to
  std::vector<GeometryOutputDword> outputs; // sorted by stream, slot, component
  bool usesPrimitiveId = false;
  bool usesInvocationId = false;

  bool operator==(const GeometryInterface &) const = default;
};

constexpr unsigned MaxXfbBuffers = 4;
constexpr unsigned MaxVertexStreams = 4;

// A dword of an output that transform feedback writes.
struct XfbOutput {
  uint8_t slot; // interface_slots.h
  uint8_t component;
  uint8_t buffer;
  uint8_t stream;
  uint16_t offset; // bytes from the start of the vertex in the buffer

  bool operator==(const XfbOutput &) const = default;
};

struct XfbInterface {
  std::array<uint16_t, MaxXfbBuffers> strides = {};     // bytes; 0: the buffer is not used
  std::array<uint8_t, MaxXfbBuffers> bufferStream = {}; // the stream that each buffer takes
  std::vector<XfbOutput> outputs;

  bool isUsed() const { return !outputs.empty(); }
  bool operator==(const XfbInterface &) const = default;
};

// One of GL's colours that a fragment shader reads. The prolog interpolates it, because the state decides how.
struct ColorInput {
  uint8_t index;         // 0, 1: primary, secondary
  uint8_t componentMask; // components that are read
  uint8_t location;      // of the front colour
  uint8_t backLocation;  // 0xff: no back colour (lgc::ColorInputLocations)

  bool operator==(const ColorInput &) const = default;
};

// Vertex shaders.
struct VertexInterface {
  std::vector<VertexInput> inputs;
  bool usesInstanceId = false;

  bool operator==(const VertexInterface &) const = default;
};

// The last stage in front of the rasteriser. Of a geometry shader: what its copy shader writes.
struct PreRasterInterface {
  XfbInterface xfb;
  std::vector<ParameterExport> parameters;
  uint8_t positionExports = 0; // number of pos exports
  bool writesPointSize = false;
  bool writesLayer = false;
  bool writesViewportIndex = false;
  uint8_t clipDistanceMask = 0;
  uint8_t cullDistanceMask = 0; // in the bits that follow the clip distances
  bool usesPrimitiveId = false; // for an export

  bool operator==(const PreRasterInterface &) const = default;
};

// Interlocked sections are ordered between invocations of the same pixel, or of the same sample.
enum class FragmentInterlock : uint8_t { None, Pixel, Sample };

struct FragmentInterface {
  std::vector<FragmentInput> inputs;
  SlotComponents narrowComponents =
      {}; // bits of ShaderInterface::inputComponents: the components that have at most 16 bits wherever they are read
  std::vector<ColorInput> colorInputs;
  bool placesInputs = false; // the state placed the inputs (MainPartState::inputPlacement); no prolog moves them
  std::vector<ColorOutput> colors;
  bool writesDepth = false;
  bool writesStencil = false;
  bool writesSampleMask = false;
  bool usesDiscard = false;
  bool earlyFragmentTests = false;
  bool runsAtSampleRate = false;
  FragmentInterlock interlock = FragmentInterlock::None; // if not None, CollisionWaveId is among the inputs
  uint8_t conservativeDepth = 0;                         // lgc::ConservativeDepth
  bool pixelCenterInteger = false;
  // The driver's options (lgc::ShaderOptions).
  bool allowReZ = false;
  bool forceLateZ = false;

  bool operator==(const FragmentInterface &) const = default;
};

struct ComputeInterface {
  std::array<uint32_t, 3> workgroupSize = {1, 1, 1};
  bool numbersLanes = false; // the shader's results depend on which invocation is in which lane

  bool operator==(const ComputeInterface &) const = default;
};

constexpr unsigned AllPushConstants = 0xffff, NoPushConstant = 0xffff;

// The fields of all stages come first. Of the structs behind them, those of other stages than the shader's keep their
// default values.
struct ShaderInterface {
  HardwareStage hardwareStage = HardwareStage::Vs;
  // Vs and Es: it is a tessellation evaluation shader.
  VertexSource source = VertexSource::Vertex;

  // Every register that is live when the code starts, in register order: hardware values, user data, and values from a
  // prolog.
  std::vector<Binding> inputs;
  // Every register that the code hands on at its end; empty if it ends the program.
  std::vector<Binding> outputs;
  // How many SGPRs the driver sets (USER_SGPR), and the content of each: inputs of the kinds GlobalTable …
  // UserDataPadding.
  unsigned userSgprCount = 0;
  // One past the highest dword of push constants that is read (AllPushConstants: unknown), and the lowest one that is
  // read through SpillTable (NoPushConstant: none).
  unsigned pushConstantEnd = 0;
  unsigned spilledPushConstants = NoPushConstant;
  // Sets whose tables the code finds through SpillTable, because no SGPR was left.
  std::vector<uint8_t> spilledSets;
  // FLOAT_MODE of SPI_SHADER_PGM_RSRC1, from the shader's execution modes: [1:0] f32 and [3:2] f16/f64 rounding, [5:4]
  // f32 and [7:6] f16/f64 denormals. LLVM's own register value has only the denormals.
  uint8_t floatMode = 0xc0;
  bool writesMemory = false; // buffer or image stores and atomics
  // Options of a trap handler (lgc::ShaderOptions).
  bool trapPresent = false;
  bool debugMode = false;

  // Of stages that hand over in memory: slots that are written and read, per vertex and per patch. LS, ES: outputs; HS,
  // TES, GS: inputs, HS also outputs.
  SlotMask outputSlots = 0;
  SlotMask patchOutputSlots = 0;
  SlotMask inputSlots = 0;
  SlotMask patchInputSlots = 0;
  // The optimiser (variants/optimize/optimized_variant.h) learns these of a shader, by interface_slots.h; inputs of the
  // fragment shader and outputs in front of the rasteriser are included. First the components that are read (GL's
  // colours are in fragment.colorInputs instead), then the outputs that are the same constant in all vertices.
  SlotComponents inputComponents = {};
  SlotComponents patchInputComponents = {};
  std::vector<ConstantDword> constantOutputs; // sorted by slot, component

  // A hash of everything that decides the code: shaders of one hash have the same code and the same interface. Default:
  // not known.
  Hash128 functionHash;

  VertexInterface vertex;
  TessellationInterface tessellation;
  GeometryInterface geometry;
  PreRasterInterface preRaster;
  FragmentInterface fragment;
  ComputeInterface compute;

  bool operator==(const ShaderInterface &) const = default;
};

} // namespace dovetail

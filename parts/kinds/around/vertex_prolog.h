// SPDX-License-Identifier: MIT
//
// The vertex prolog fetches the vertex attributes that a vertex main part reads, and puts them into the registers where
// the main part expects them. So the main part does not depend on vertex input state, and shaders that read the same
// attributes share their prologs. The prolog works in front of a vertex shader of any hardware stage (VS, LS, ES); only
// the place of the instance id differs.
//
// The key describes the prolog's code: the loads, not the formats, and for each register the source of its value. It
// leaves out attributes that the main part does not read, the contents of buffer descriptors (strides, addresses), and
// everything else that does not change the code. So two states with the same code have the same key, and the IR is made
// from the key alone.
#pragma once

#include "parts/kinds/around/surroundings.h"
#include "src/base/error.h"
#include "src/state/pipeline_state.h"
#include "src/state/state_fields.h"
#include <array>
#include <boost/container/static_vector.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dovetail {

// The element of its vertex buffer that an attribute is read from.
enum class FetchIndex : uint8_t {
  Vertex,          // VertexId + BaseVertex
  Instance,        // InstanceId + BaseInstance
  DividedInstance, // InstanceId / divisor + BaseInstance
  StartInstance,   // BaseInstance: divisor 0
};
DOVETAIL_LAST(FetchIndex, StartInstance)

// One load instruction.
struct VertexLoad {
  BufferDataFormat dataFormat = BufferDataFormat::Invalid;
  BufferNumFormat numFormat = BufferNumFormat::Unorm;
  uint16_t channels = 0; // registers that the load fills, from the format's first channel on
  uint32_t offset = 0;   // bytes from the start of the element

  bool operator==(const VertexLoad &) const = default;
};
DOVETAIL_FIELDS(VertexLoad, dataFormat, numFormat, channels, offset)

enum class DwordSource : uint8_t {
  Unread,
  Load,           // channel `channel` of load number `load`
  Constant,       // a component that the format lacks
  SignedTwoBits,  // channel `channel` of load number `load`, loaded without its sign (GFX8)
  SharedExponent, // component `channel` of the E5B9G9R9 value that load number `load` read
};
DOVETAIL_LAST(DwordSource, SharedExponent)

struct AttributeDword {
  DwordSource source = DwordSource::Unread;
  uint8_t load = 0;
  uint16_t channel = 0;
  uint32_t constant = 0;

  bool operator==(const AttributeDword &) const = default;
};
DOVETAIL_FIELDS(AttributeDword, source, load, channel, constant)

// The most loads of an attribute: one for each of three channels of 8 or 16 bits.
constexpr size_t MaxVertexLoads = 3;

struct FetchedAttribute {
  uint8_t location = 0;
  // These are all zero if nothing is loaded.
  uint32_t binding = 0;
  FetchIndex index = FetchIndex::Vertex;
  uint32_t divisor = 0; // DividedInstance only
  boost::container::static_vector<VertexLoad, MaxVertexLoads> loads;
  std::array<AttributeDword, 8> dwords;

  // The registers that the attribute takes behind the prolog.
  unsigned dwordCount() const {
    unsigned count = 0;
    for (const AttributeDword &dword : dwords)
      count += dword.source != DwordSource::Unread;
    return count;
  }

  bool operator==(const FetchedAttribute &) const = default;
};
DOVETAIL_FIELDS(FetchedAttribute, location, binding, index, divisor, loads, dwords)

struct VertexPrologKey {
  static constexpr PartKind Kind = PartKind::VertexProlog;

  std::string gpuName;
  uint8_t sgprCount = 0; // passed on from s0: user data and system values, rounded up so that shaders share prologs
  std::vector<FetchedAttribute> attributes; // sorted by location

  bool operator==(const VertexPrologKey &) const = default;

  // Nothing if the main part needs none. Errors: those of makeVertexPrologKey().
  static Result<std::optional<VertexPrologKey>> make(const Surroundings &around);
  PartKey partKey() const;
  // "attr0.xyz 32_32_32 float binding 0 +12, attr1.x 8 unorm binding 1 +0 per 3 instances".
  std::string describe() const;
  Contract contract() const;
  void complete(Part &part) const;
};
DOVETAIL_FIELDS(VertexPrologKey, gpuName, sgprCount, attributes)

// How many hardware VGPRs precede the attributes.
constexpr unsigned VertexVgprCount = 4;
// The VGPR among them that has the instance's number, in every hardware stage (entryVgprs()).
constexpr unsigned InstanceIdVgpr = 3;

// The key of the prolog that the main part with this interface needs under this state.
// Errors: StateMismatch, naming location and format, if the state lacks an attribute that the shader reads, or its
// binding, or has one of another numeric class or width; Unsupported for a format that cannot be fetched.
Result<VertexPrologKey> makeVertexPrologKey(const ShaderInterface &main, const PipelineState &state,
                                            std::string_view gpuName);

// LoadsTogether: all loads one behind the other. ByAttribute: attribute by attribute, waiting for each. It takes fewer
// registers if loads bring in more than is read.
enum class PrologOrder : uint8_t { LoadsTogether, ByAttribute };

// The steps of the prolog.
Listing listingOf(const VertexPrologKey &key, PrologOrder order = PrologOrder::LoadsTogether);

// The prolog as a function `amdgpu_vs {i32 × sgprCount, float × (4 + attributes)} name(i32 inreg × sgprCount, i32 ×
// 4)`.
llvm::Function *emitFunction(llvm::Module &module, const VertexPrologKey &key, std::string_view name);
Result<void> composeAround(lgc::HardwareFormShader &shader, const VertexPrologKey &key);

} // namespace dovetail

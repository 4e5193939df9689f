// SPDX-License-Identifier: MIT
//
// A PAL-based driver reads a pipeline's metadata from the note of a pipeline ELF. This is PAL pipeline metadata,
// version 2.6 ("registers" format), as plain data, and its MessagePack encoding. Keys and meanings: LLVM's AMDGPUUsage,
// "AMDPAL code object metadata", and PAL's palPipelineAbi.
#pragma once

#include "src/abi/hardware_stage.h"
#include "src/base/error.h"
#include "src/base/hash.h"
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dovetail {

constexpr uint32_t PalMetadataMajorVersion = 2;
constexpr uint32_t PalMetadataMinorVersion = 6;

enum class ApiStage : uint8_t { Vertex, Hull, Domain, Geometry, Pixel, Compute };
constexpr unsigned ApiStageCount = 6;
std::string_view toString(ApiStage stage); // "vertex", as in the metadata

// "_amdgpu_vs_main": where the program of a stage begins.
std::string palEntrySymbol(HardwareStage stage);

// The hashes of API shaders' SPIR-V, by ApiStage; zero where there is none.
using ApiShaderHashes = std::array<Hash128, ApiStageCount>;

// An API shader and the hardware stages that it became.
struct PalShader {
  ApiStage stage;
  Hash128 hash;
  std::vector<HardwareStage> hardwareMapping;
};

struct PalHardwareStage {
  HardwareStage stage;
  std::string entryPoint;         // symbol
  uint32_t scratchMemorySize = 0; // bytes per lane
  uint32_t ldsSize = 0;           // bytes
  uint32_t sgprCount = 0;
  uint32_t vgprCount = 0;
  uint32_t sgprLimit = 0;
  uint32_t vgprLimit = 0;
  uint32_t wavefrontSize = 64;
  bool usesUavs = false;
  bool writesUavs = false;
  bool writesDepth = false;
  std::optional<std::array<uint32_t, 3>> threadgroupDimensions; // compute
};

struct PalMetadata {
  std::string type; // "VsPs", "Cs", …
  std::string api = "Vulkan";
  Hash128 pipelineHash;
  uint32_t userDataLimit = 0;
  uint32_t spillThreshold = 0xffff; // none
  bool usesViewportArrayIndex = false;
  bool psSampleMask = false;
  std::vector<PalShader> shaders;
  std::vector<PalHardwareStage> hardwareStages;
  std::vector<std::pair<uint32_t, uint32_t>> registers; // dword index, value
};

// Returns the MessagePack document. Thread-safe.
std::vector<uint8_t> encodePalMetadata(const PalMetadata &metadata);

// Decodes a document of encodePalMetadata(), in the same order. Entries that encodePalMetadata() does not write are
// passed over, and any of its entries may be missing. Any bytes are safe to decode. Thread-safe. Errors: InvalidInput,
// naming the entry, if the bytes are not metadata of version 2 about one pipeline.
Result<PalMetadata> decodePalMetadata(std::span<const uint8_t> bytes);

} // namespace dovetail

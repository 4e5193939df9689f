// SPDX-License-Identifier: MIT
//
// Image: a finished variant as plain data, ready to upload. Building an image copies code and makes a short list of
// register values. Only tools and caches need symbol names, PAL metadata and the ELF; these are made from the image on
// demand (image_metadata.h, pal_elf.h).
#pragma once

#include "merge/group_layout.h"
#include "merge/stage_parts.h"
#include "parts/part.h"
#include "src/abi/hardware_stage.h"
#include "src/abi/metadata/pal_metadata.h"
#include "src/base/room.h"
#include "src/state/resource_layout.h"
#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace dovetail {

struct RegisterValue {
  uint32_t address; // dword index, as in PAL metadata
  uint32_t value;

  auto operator<=>(const RegisterValue &) const = default;
};

// A part in its place. All offsets are bytes from the start of Image::code.
struct ImagePart {
  PartRef part;
  uint8_t stage = 0; // index into Image::stages
  uint32_t offset = 0;
  uint32_t size = 0;            // of its code
  uint8_t waitStates = 0;       // of the s_nop in front of it that resolves hazards between parts; 0: there is no s_nop
  uint32_t constantsOffset = 0; // of its constants, if it has any
};

constexpr uint32_t NoSpill = 0xffff; // PAL's value

// One hardware shader.
struct ImageStage {
  HardwareStage stage = HardwareStage::Vs;
  uint32_t entry = 0; // offset of the first instruction; a multiple of 256
  uint32_t size = 0;  // of its text, from the entry to the end of its last part
  uint8_t firstPart = 0;
  uint8_t partCount = 0;
  uint8_t secondHalf = 0; // merged programs of parts: index, from firstPart, of the second half's first part; else 0
  Usage usage;            // maxima over the parts, and the PS inputs that the hardware loads
  const ShaderInterface *interface = nullptr; // of its main part, the last if it has two; lives as long as the image
  const ShaderInterface *firstInterface = nullptr;  // merged programs: of the first half's main part
  const EntryInterface *entryInterface = nullptr;   // merged programs: the launch state; otherwise see interface
  const FragmentExports *fragmentExports = nullptr; // of its epilog (pixel shaders); lives as long as the image
  uint8_t vgprCompCount =
      0; // VGPR_COMP_CNT, TIDIG_COMP_CNT: the last VGPR that the hardware loads (not for pixel shaders)
  // The same for the first half of a merged program, whose VGPRs begin at mergedFirstHalfVgpr(): LS_VGPR_COMP_CNT of
  // Hs, ES_VGPR_COMP_CNT of Gs. In a merged Gs, vgprCompCount is GS_VGPR_COMP_CNT; an HS always has two VGPRs.
  uint8_t firstVgprCompCount = 0;
  uint8_t userSgprCount = 0;
  // The content that the driver puts into each user SGPR: a root dword's index or one of PAL's values
  // (abi/pal_metadata.h).
  std::array<uint32_t, 32> userDataMap = {};
  // userDataLimit: one past the highest root dword that the code reads, from SGPRs or from memory. spillThreshold: the
  // lowest root dword that the code reads from memory (NoSpill: none).
  uint32_t userDataLimit = 0;
  uint32_t spillThreshold = NoSpill;
};

// A field of the code that needs the address at which the image is placed; all other fields are resolved. Until then,
// the field holds the target's offset from the start of the image (its low or high half for Lo and Hi).
struct LoadRelocation {
  uint32_t offset;     // of the field, from the start of Image::code
  RelocationKind kind; // Abs32, Abs32Lo, Abs32Hi or Abs64
  int64_t target;      // offset from the start of the image
};

constexpr unsigned MaxImageRegisters = 256;
constexpr unsigned MaxImageParts = MaxPartsPerStage * MaxStagesPerImage;

struct Image {
  Image() = default;
  // The arrays get their memory from the room; a copy of the image has its arrays on the heap. What is moved out of the
  // image must not outlive the room.
  explicit Image(Room &room)
      : code(RoomAllocator<uint8_t>(&room)), loadRelocations(RoomAllocator<LoadRelocation>(&room)),
        stages(RoomAllocator<ImageStage>(&room)), parts(RoomAllocator<ImagePart>(&room)),
        registers(RoomAllocator<RegisterValue>(&room)) {}

  std::string gpuName;
  uint32_t elfMachine = 0;
  unsigned maxSgprs = 0; // of the target
  unsigned maxVgprs = 0;
  // The text of all stages (each 256-aligned), then the constants of all parts, then padding that instruction prefetch
  // may run into. The code must be placed at a multiple of 256 and of constantsAlignment.
  RoomVector<uint8_t> code;
  uint32_t textSize = 0;       // end of the last instruction
  uint32_t constantsStart = 0; // == constantsEnd if no part has constants
  uint32_t constantsEnd = 0;
  uint32_t constantsAlignment = 4;
  RoomVector<LoadRelocation> loadRelocations; // empty for position-independent code
  RoomVector<ImageStage> stages;              // at most MaxStagesPerImage
  RoomVector<ImagePart> parts;                // at most MaxImageParts
  RoomVector<RegisterValue> registers;        // each address once; at most MaxImageRegisters
  uint32_t firstPixelRegister = 0; // index into `registers`, where those that depend on the pixel shader come last

  ApiShaderHashes apiShaders = {};
  ResourceLayoutRef layout;

  // The samples of a pixel, as shaders see them: 1 without multisampling.
  uint32_t samples = 1;
  std::optional<TessellationLayout> tessellation;
  TessellationInterface tessellationMode; // with tessellation: the modes of control and evaluation shader together
  std::optional<GeometryLayout> geometry;

  const ImageStage *findStage(HardwareStage stage) const;
  // The interface of the shader that runs as this stage, in its own program or as the first half of a merged one (Ls,
  // Es); nullptr if there is none.
  const ShaderInterface *findInterface(HardwareStage stage) const;
  // nullptr if the image does not program the register.
  const RegisterValue *findRegister(uint32_t address) const;
};

// Immutable after the join.
using ImageRef = std::shared_ptr<const Image>;

// An image with its arrays behind it, in one piece of memory (makeWithRoom()).
class ImageInRoom {
public:
  explicit ImageInRoom(const Room &room) : m_room(room), image(m_room) {}
  ImageInRoom(const ImageInRoom &) = delete;
  ImageInRoom &operator=(const ImageInRoom &) = delete;

private:
  Room m_room;

public:
  Image image;
};

// Gives join() and combine() the empty image that they fill. They call it once, as soon as they know how many bytes the
// arrays take. After that, only load relocations allocate memory.
using MakeImage = std::function<Image &(size_t bytes)>;

// The bytes that arrays of these sizes take in the room behind an image, if the code comes last.
constexpr size_t bytesOfArrays(size_t code, size_t stages, size_t parts, size_t registers) {
  return stages * sizeof(ImageStage) + parts * sizeof(ImagePart) + registers * sizeof(RegisterValue) + code;
}

// "vs.vertex_prolog": the symbol of a part, unique in the image. The second piece of glue of a merged program is
// "hs.glue2".
std::string partSymbol(const Image &image, const ImagePart &part);

// Finishes a copy of Image::code for the address where it is going to run. A copy without load relocations does not
// need this.
void applyLoadAddress(const Image &image, std::span<uint8_t> code, uint64_t address);

} // namespace dovetail

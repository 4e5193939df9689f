// SPDX-License-Identifier: MIT
//
// Says of a VkFormat which components it has, how they lie in memory, how GFX9 fetches it from a vertex buffer, and in
// which form the hardware's colour blocks want it exported.
//
// A format is a layout (which bits belong to which component) and a numeric type (what the bits mean). Layouts have a
// table of their own, so a fact about a layout is said once for all of its numeric types.
#pragma once

#include "src/base/error.h"
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vulkan/vulkan_core.h>

namespace dovetail {

enum class FormatNumeric : uint8_t { Unorm, Snorm, Uscaled, Sscaled, Uint, Sint, Ufloat, Sfloat, Srgb };

// BUF_DATA_FORMAT of GFX6 to GFX9 buffer instructions and descriptors. Components are named from the high bits down.
enum class BufferDataFormat : uint8_t {
  Invalid = 0,
  Format8 = 1,
  Format16 = 2,
  Format8_8 = 3,
  Format32 = 4,
  Format16_16 = 5,
  Format10_11_11 = 6,
  Format2_10_10_10 = 9,
  Format8_8_8_8 = 10,
  Format32_32 = 11,
  Format16_16_16_16 = 12,
  Format32_32_32 = 13,
  Format32_32_32_32 = 14,
};

// BUF_NUM_FORMAT of the same instructions and descriptors.
enum class BufferNumFormat : uint8_t { Unorm = 0, Snorm = 1, Uscaled = 2, Sscaled = 3, Uint = 4, Sint = 5, Float = 7 };

// "32_32_32", "float": LLVM writes these names after BUF_DATA_FORMAT_ and, in capitals, after BUF_NUM_FORMAT_.
std::string_view toString(BufferDataFormat format);
std::string_view toString(BufferNumFormat format);

// How a vertex attribute gets from memory into registers.
enum class VertexFetchMethod : uint8_t {
  None,           // the hardware cannot fetch it, and no code here decodes it
  Array,          // equal channels, one behind the other: any run of channels is a format of its own
  Packed,         // channels of unequal size in one dword: always loaded from the start
  Wide,           // 64-bit channels, loaded as pairs of dwords
  SharedExponent, // E5B9G9R9: loaded as a dword, decoded by instructions
};

// Which part of the export-format table applies to a colour target.
enum class ColorClass : uint8_t {
  None,  // cannot be a colour target
  Small, // components of 8, 10 or 11 bits, 565, 4444 and the like
  Bits16,
  Bits32,
};

struct FormatInfo {
  VkFormat format = VK_FORMAT_UNDEFINED;
  FormatNumeric numeric = FormatNumeric::Unorm;
  uint8_t componentCount = 0;
  std::array<uint8_t, 4> bits = {};    // of r, g, b, a; 0: the component does not exist
  std::array<uint8_t, 4> channel = {}; // the channel, counted from the low address or bit, that holds r, g, b, a
  uint8_t bytes = 0;                   // of one texel or vertex element
  VertexFetchMethod vertexFetch = VertexFetchMethod::None;
  // Packed: the data format of the whole element. Array: that of one channel.
  BufferDataFormat dataFormat = BufferDataFormat::Invalid;
  BufferNumFormat numFormat = BufferNumFormat::Unorm;
  ColorClass colorClass = ColorClass::None;

  bool isInteger() const { return numeric == FormatNumeric::Uint || numeric == FormatNumeric::Sint; }
  // Whether it can be a vertex attribute, or a colour target. Colour blocks blend every format that they store except
  // integers.
  bool canBeFetched() const { return vertexFetch != VertexFetchMethod::None; }
  bool canBeColorTarget() const { return colorClass != ColorClass::None; }
  bool canBlend() const { return canBeColorTarget() && !isInteger(); }
  // Bit 0 is r.
  uint8_t componentMask() const;
};

// All rows of the table.
std::span<const FormatInfo> allFormats();

// nullptr if the table has no row for it.
const FormatInfo *findFormat(VkFormat format);

// The row of a format that can be a vertex attribute or a colour target. Errors: Unsupported, naming the format.
Result<const FormatInfo *> getVertexFormat(VkFormat format);
Result<const FormatInfo *> getColorFormat(VkFormat format);

// The data format of `count` array channels of `channelBits` bits: 8, 16 (one, two or four channels) or 32. Invalid if
// GFX9 has none.
BufferDataFormat arrayDataFormat(unsigned channelBits, unsigned count);

bool hasDepth(VkFormat format);
bool hasStencil(VkFormat format);

// "VK_FORMAT_R8_UNORM"; "VkFormat 12345" for one without a name.
std::string formatName(VkFormat format);
// Whether Vulkan has a format of this number; VK_FORMAT_UNDEFINED is none.
bool isVkFormat(uint32_t number);

// SPI_SHADER_COL_FORMAT, SPI_SHADER_Z_FORMAT: the layout of an export's data in its registers.
enum class ExportFormat : uint8_t {
  Zero = 0, // nothing is exported
  R32 = 1,
  Gr32 = 2,
  Ar32 = 3,
  Fp16Abgr = 4,
  Unorm16Abgr = 5,
  Snorm16Abgr = 6,
  Uint16Abgr = 7,
  Sint16Abgr = 8,
  Abgr32 = 9,
};

// "32_GR", "FP16_ABGR".
std::string_view toString(ExportFormat format);

// Whether two components share a register.
bool isCompressed(ExportFormat format);

// The components that an export in this format carries: 1, 3, 9 or 15. Bit 0 is r.
uint8_t exportedComponents(ExportFormat format);

// The export format of a colour target: `blending` if the target blends, `needsAlpha` if blending or alpha-to-coverage
// reads the source alpha, even when the target stores none. The format must have a colour class.
ExportFormat chooseExportFormat(const FormatInfo &format, bool blending, bool needsAlpha);

// How to clamp integer colours that the colour block does not clamp itself.
enum class IntegerClamp : uint8_t { None, Int8, Int10 };
IntegerClamp integerClamp(const FormatInfo &format);

} // namespace dovetail

// SPDX-License-Identifier: MIT
//
// Two tables: LayoutRows says where the components of a layout lie and what the hardware can do with it, FormatRows
// pairs layouts with numeric types. A constant expression makes one FormatInfo per VkFormat of both. Sources: the
// Vulkan specification's format definitions; "Vega" ISA manual, sections 8.1.8 and 8.4.4 and tables of BUF_DATA_FORMAT
// and BUF_NUM_FORMAT; the export-format table of the AMD open-source drivers for SPI_SHADER_COL_FORMAT.
#include "src/state/format_table.h"
#include "src/base/enumerators.h"
#include <algorithm>
#include <cassert>

namespace dovetail {

namespace {

enum class Layout : uint8_t {
  R8,
  R8G8,
  R8G8B8,
  B8G8R8,
  R8G8B8A8,
  B8G8R8A8,
  R16,
  R16G16,
  R16G16B16,
  R16G16B16A16,
  R32,
  R32G32,
  R32G32B32,
  R32G32B32A32,
  R64,
  R64G64,
  R64G64B64,
  R64G64B64A64,
  A2R10G10B10,
  A2B10G10R10,
  B10G11R11,
  E5B9G9R9,
  R4G4,
  R4G4B4A4,
  B4G4R4A4,
  A4R4G4B4,
  A4B4G4R4,
  R5G6B5,
  B5G6R5,
  R5G5B5A1,
  B5G5R5A1,
  A1R5G5B5,
  Count,
};

struct LayoutRow {
  Layout layout;
  std::array<uint8_t, 4> bits;
  std::array<uint8_t, 4> channel;
  uint8_t bytes;
  VertexFetchMethod vertexFetch;
  BufferDataFormat dataFormat;
  ColorClass colorClass;
};

using enum VertexFetchMethod;
using enum BufferDataFormat;
constexpr ColorClass NoColor = ColorClass::None;
constexpr ColorClass Small = ColorClass::Small;
constexpr ColorClass Bits16 = ColorClass::Bits16;
constexpr ColorClass Bits32 = ColorClass::Bits32;
constexpr VertexFetchMethod NoFetch = VertexFetchMethod::None;

// Three components of 24 or 48 bits cannot be a colour target. Three of 96 bits can be one only in linear images, which
// GFX9 does not have either.
constexpr LayoutRow LayoutRows[] = {
    // layout, bits of rgba, channels of rgba, bytes, vertex fetch, data format, colour class
    {Layout::R8, {8}, {0}, 1, Array, Format8, Small},
    {Layout::R8G8, {8, 8}, {0, 1}, 2, Array, Format8, Small},
    {Layout::R8G8B8, {8, 8, 8}, {0, 1, 2}, 3, Array, Format8, NoColor},
    {Layout::B8G8R8, {8, 8, 8}, {2, 1, 0}, 3, Array, Format8, NoColor},
    {Layout::R8G8B8A8, {8, 8, 8, 8}, {0, 1, 2, 3}, 4, Array, Format8, Small},
    {Layout::B8G8R8A8, {8, 8, 8, 8}, {2, 1, 0, 3}, 4, Array, Format8, Small},
    {Layout::R16, {16}, {0}, 2, Array, Format16, Bits16},
    {Layout::R16G16, {16, 16}, {0, 1}, 4, Array, Format16, Bits16},
    {Layout::R16G16B16, {16, 16, 16}, {0, 1, 2}, 6, Array, Format16, NoColor},
    {Layout::R16G16B16A16, {16, 16, 16, 16}, {0, 1, 2, 3}, 8, Array, Format16, Bits16},
    {Layout::R32, {32}, {0}, 4, Array, Format32, Bits32},
    {Layout::R32G32, {32, 32}, {0, 1}, 8, Array, Format32, Bits32},
    {Layout::R32G32B32, {32, 32, 32}, {0, 1, 2}, 12, Array, Format32, NoColor},
    {Layout::R32G32B32A32, {32, 32, 32, 32}, {0, 1, 2, 3}, 16, Array, Format32, Bits32},
    {Layout::R64, {64}, {0}, 8, Wide, Format32, NoColor},
    {Layout::R64G64, {64, 64}, {0, 1}, 16, Wide, Format32, NoColor},
    {Layout::R64G64B64, {64, 64, 64}, {0, 1, 2}, 24, Wide, Format32, NoColor},
    {Layout::R64G64B64A64, {64, 64, 64, 64}, {0, 1, 2, 3}, 32, Wide, Format32, NoColor},
    {Layout::A2R10G10B10, {10, 10, 10, 2}, {2, 1, 0, 3}, 4, Packed, Format2_10_10_10, Small},
    {Layout::A2B10G10R10, {10, 10, 10, 2}, {0, 1, 2, 3}, 4, Packed, Format2_10_10_10, Small},
    {Layout::B10G11R11, {11, 11, 10}, {0, 1, 2}, 4, Packed, Format10_11_11, Small},
    {Layout::E5B9G9R9, {9, 9, 9}, {0, 1, 2}, 4, SharedExponent, Format32, NoColor},
    {Layout::R4G4, {4, 4}, {1, 0}, 1, NoFetch, Invalid, NoColor},
    {Layout::R4G4B4A4, {4, 4, 4, 4}, {3, 2, 1, 0}, 2, NoFetch, Invalid, Small},
    {Layout::B4G4R4A4, {4, 4, 4, 4}, {1, 2, 3, 0}, 2, NoFetch, Invalid, Small},
    {Layout::A4R4G4B4, {4, 4, 4, 4}, {2, 1, 0, 3}, 2, NoFetch, Invalid, Small},
    {Layout::A4B4G4R4, {4, 4, 4, 4}, {0, 1, 2, 3}, 2, NoFetch, Invalid, Small},
    {Layout::R5G6B5, {5, 6, 5}, {2, 1, 0}, 2, NoFetch, Invalid, Small},
    {Layout::B5G6R5, {5, 6, 5}, {0, 1, 2}, 2, NoFetch, Invalid, Small},
    {Layout::R5G5B5A1, {5, 5, 5, 1}, {3, 2, 1, 0}, 2, NoFetch, Invalid, Small},
    {Layout::B5G5R5A1, {5, 5, 5, 1}, {1, 2, 3, 0}, 2, NoFetch, Invalid, Small},
    {Layout::A1R5G5B5, {5, 5, 5, 1}, {2, 1, 0, 3}, 2, NoFetch, Invalid, Small},
};
static_assert(std::size(LayoutRows) == size_t(Layout::Count));

struct FormatRow {
  VkFormat format;
  Layout layout;
  FormatNumeric numeric;
};

// The numeric types that Vulkan has for each group of layouts; there is no 32-bit normalised or scaled format.
#define ROW(layout, suffix, numeric)                                                                                   \
  { VK_FORMAT_##layout##_##suffix, Layout::layout, FormatNumeric::numeric }
#define PACKED_ROW(layout, suffix, pack, numeric)                                                                      \
  { VK_FORMAT_##layout##_##suffix##_##pack, Layout::layout, FormatNumeric::numeric }
#define SCALED_ROWS(layout)                                                                                            \
  ROW(layout, UNORM, Unorm), ROW(layout, SNORM, Snorm), ROW(layout, USCALED, Uscaled), ROW(layout, SSCALED, Sscaled),  \
      ROW(layout, UINT, Uint), ROW(layout, SINT, Sint)
#define ROWS_8(layout) SCALED_ROWS(layout), ROW(layout, SRGB, Srgb)
#define ROWS_16(layout) SCALED_ROWS(layout), ROW(layout, SFLOAT, Sfloat)
#define ROWS_32(layout) ROW(layout, UINT, Uint), ROW(layout, SINT, Sint), ROW(layout, SFLOAT, Sfloat)
#define PACKED_ROWS(layout, pack)                                                                                      \
  PACKED_ROW(layout, UNORM, pack, Unorm), PACKED_ROW(layout, SNORM, pack, Snorm),                                      \
      PACKED_ROW(layout, USCALED, pack, Uscaled), PACKED_ROW(layout, SSCALED, pack, Sscaled),                          \
      PACKED_ROW(layout, UINT, pack, Uint), PACKED_ROW(layout, SINT, pack, Sint)

constexpr FormatRow FormatRows[] = {
    ROWS_8(R8),
    ROWS_8(R8G8),
    ROWS_8(R8G8B8),
    ROWS_8(B8G8R8),
    ROWS_8(R8G8B8A8),
    ROWS_8(B8G8R8A8),
    // The same bytes as R8G8B8A8 on a little-endian machine.
    {VK_FORMAT_A8B8G8R8_UNORM_PACK32, Layout::R8G8B8A8, FormatNumeric::Unorm},
    {VK_FORMAT_A8B8G8R8_SNORM_PACK32, Layout::R8G8B8A8, FormatNumeric::Snorm},
    {VK_FORMAT_A8B8G8R8_USCALED_PACK32, Layout::R8G8B8A8, FormatNumeric::Uscaled},
    {VK_FORMAT_A8B8G8R8_SSCALED_PACK32, Layout::R8G8B8A8, FormatNumeric::Sscaled},
    {VK_FORMAT_A8B8G8R8_UINT_PACK32, Layout::R8G8B8A8, FormatNumeric::Uint},
    {VK_FORMAT_A8B8G8R8_SINT_PACK32, Layout::R8G8B8A8, FormatNumeric::Sint},
    {VK_FORMAT_A8B8G8R8_SRGB_PACK32, Layout::R8G8B8A8, FormatNumeric::Srgb},
    PACKED_ROWS(A2R10G10B10, PACK32),
    PACKED_ROWS(A2B10G10R10, PACK32),
    ROWS_16(R16),
    ROWS_16(R16G16),
    ROWS_16(R16G16B16),
    ROWS_16(R16G16B16A16),
    ROWS_32(R32),
    ROWS_32(R32G32),
    ROWS_32(R32G32B32),
    ROWS_32(R32G32B32A32),
    ROWS_32(R64),
    ROWS_32(R64G64),
    ROWS_32(R64G64B64),
    ROWS_32(R64G64B64A64),
    PACKED_ROW(B10G11R11, UFLOAT, PACK32, Ufloat),
    PACKED_ROW(E5B9G9R9, UFLOAT, PACK32, Ufloat),
    PACKED_ROW(R4G4, UNORM, PACK8, Unorm),
    PACKED_ROW(R4G4B4A4, UNORM, PACK16, Unorm),
    PACKED_ROW(B4G4R4A4, UNORM, PACK16, Unorm),
    PACKED_ROW(A4R4G4B4, UNORM, PACK16, Unorm),
    PACKED_ROW(A4B4G4R4, UNORM, PACK16, Unorm),
    PACKED_ROW(R5G6B5, UNORM, PACK16, Unorm),
    PACKED_ROW(B5G6R5, UNORM, PACK16, Unorm),
    PACKED_ROW(R5G5B5A1, UNORM, PACK16, Unorm),
    PACKED_ROW(B5G5R5A1, UNORM, PACK16, Unorm),
    PACKED_ROW(A1R5G5B5, UNORM, PACK16, Unorm),
};

// By FormatNumeric. sRGB is not fetched; see makeInfo().
constexpr BufferNumFormat NumFormats[] = {
    BufferNumFormat::Unorm,   BufferNumFormat::Snorm, BufferNumFormat::Uscaled,
    BufferNumFormat::Sscaled, BufferNumFormat::Uint,  BufferNumFormat::Sint,
    BufferNumFormat::Float,   BufferNumFormat::Float, BufferNumFormat::Unorm,
};
static_assert(std::size(NumFormats) == enumeratorCount<FormatNumeric>());

constexpr FormatInfo makeInfo(const FormatRow &row) {
  const LayoutRow &layout = LayoutRows[size_t(row.layout)];
  FormatInfo info;
  info.format = row.format;
  info.numeric = row.numeric;
  info.bits = layout.bits;
  info.channel = layout.channel;
  info.bytes = layout.bytes;
  for (uint8_t bits : layout.bits)
    info.componentCount += bits != 0;
  // Buffer loads do not decode sRGB.
  info.vertexFetch = row.numeric == FormatNumeric::Srgb ? NoFetch : layout.vertexFetch;
  info.dataFormat = info.vertexFetch == NoFetch ? Invalid : layout.dataFormat;
  info.numFormat = info.vertexFetch == Wide || info.vertexFetch == SharedExponent ? BufferNumFormat::Uint
                                                                                  : NumFormats[size_t(row.numeric)];
  // Colour blocks do not store scaled formats.
  bool isScaled = row.numeric == FormatNumeric::Uscaled || row.numeric == FormatNumeric::Sscaled;
  info.colorClass = isScaled ? NoColor : layout.colorClass;
  return info;
}

// Sorted by format.
constexpr auto FormatTable = [] {
  std::array<FormatInfo, std::size(FormatRows)> table;
  for (size_t i = 0; i != table.size(); ++i)
    table[i] = makeInfo(FormatRows[i]);
  std::sort(table.begin(), table.end(),
            [](const FormatInfo &left, const FormatInfo &right) { return left.format < right.format; });
  return table;
}();

static_assert(
    [] {
      for (size_t i = 0; i != std::size(LayoutRows); ++i)
        if (LayoutRows[i].layout != Layout(i))
          return false;
      for (size_t i = 1; i != FormatTable.size(); ++i)
        if (FormatTable[i - 1].format == FormatTable[i].format)
          return false;
      return true;
    }(),
    "a layout row is out of place, or a format has two rows");

struct FormatName {
  VkFormat format;
  std::string_view name;
};

constexpr FormatName FormatNames[] = {
#define FORMAT(name) {VK_FORMAT_##name, "VK_FORMAT_" #name},
#include "src/state/format_names.def"
#undef FORMAT
};
static_assert(std::ranges::all_of(FormatTable,
                                  [](const FormatInfo &info) {
                                    return std::ranges::find(FormatNames, info.format, &FormatName::format) !=
                                           std::end(FormatNames);
                                  }),
              "make_format_names.py finds no name of a format that has a row");

} // namespace

std::string_view toString(BufferDataFormat format) {
  constexpr std::string_view Names[] = {"invalid", "8",        "16",          "8_8",        "32",
                                        "16_16",   "10_11_11", "11_11_10",    "10_10_10_2", "2_10_10_10",
                                        "8_8_8_8", "32_32",    "16_16_16_16", "32_32_32",   "32_32_32_32"};
  return Names[size_t(format)];
}

std::string_view toString(BufferNumFormat format) {
  constexpr std::string_view Names[] = {"unorm", "snorm", "uscaled", "sscaled", "uint", "sint", "reserved", "float"};
  return Names[size_t(format)];
}

uint8_t FormatInfo::componentMask() const {
  uint8_t mask = 0;
  for (unsigned component = 0; component != 4; ++component)
    mask |= (bits[component] != 0) << component;
  return mask;
}

std::span<const FormatInfo> allFormats() {
  return FormatTable;
}

const FormatInfo *findFormat(VkFormat format) {
  auto found = std::lower_bound(FormatTable.begin(), FormatTable.end(), format,
                                [](const FormatInfo &info, VkFormat key) { return info.format < key; });
  return found != FormatTable.end() && found->format == format ? &*found : nullptr;
}

Result<const FormatInfo *> getVertexFormat(VkFormat format) {
  const FormatInfo *info = findFormat(format);
  if (!info || !info->canBeFetched())
    return makeError(ErrorCode::Unsupported, "{} is not a vertex format", formatName(format));
  return info;
}

Result<const FormatInfo *> getColorFormat(VkFormat format) {
  const FormatInfo *info = findFormat(format);
  if (!info || !info->canBeColorTarget())
    return makeError(ErrorCode::Unsupported, "{} is not a colour target format", formatName(format));
  return info;
}

BufferDataFormat arrayDataFormat(unsigned channelBits, unsigned count) {
  constexpr BufferDataFormat Formats8[] = {Format8, Format8_8, Invalid, Format8_8_8_8};
  constexpr BufferDataFormat Formats16[] = {Format16, Format16_16, Invalid, Format16_16_16_16};
  constexpr BufferDataFormat Formats32[] = {Format32, Format32_32, Format32_32_32, Format32_32_32_32};
  if (count < 1 || count > 4)
    return Invalid;
  switch (channelBits) {
  case 8:
    return Formats8[count - 1];
  case 16:
    return Formats16[count - 1];
  case 32:
    return Formats32[count - 1];
  }
  return Invalid;
}

bool hasDepth(VkFormat format) {
  switch (format) {
  case VK_FORMAT_D16_UNORM:
  case VK_FORMAT_X8_D24_UNORM_PACK32:
  case VK_FORMAT_D32_SFLOAT:
  case VK_FORMAT_D16_UNORM_S8_UINT:
  case VK_FORMAT_D24_UNORM_S8_UINT:
  case VK_FORMAT_D32_SFLOAT_S8_UINT:
    return true;
  default:
    return false;
  }
}

bool hasStencil(VkFormat format) {
  switch (format) {
  case VK_FORMAT_S8_UINT:
  case VK_FORMAT_D16_UNORM_S8_UINT:
  case VK_FORMAT_D24_UNORM_S8_UINT:
  case VK_FORMAT_D32_SFLOAT_S8_UINT:
    return true;
  default:
    return false;
  }
}

std::string formatName(VkFormat format) {
  for (const FormatName &row : FormatNames)
    if (row.format == format)
      return std::string(row.name);
  return fmt::format("VkFormat {}", int(format));
}

bool isVkFormat(uint32_t number) {
  return std::ranges::any_of(FormatNames, [&](const FormatName &row) { return uint32_t(row.format) == number; });
}

std::string_view toString(ExportFormat format) {
  constexpr std::string_view Names[] = {"ZERO",         "32_R",         "32_GR",       "32_AR",       "FP16_ABGR",
                                        "UNORM16_ABGR", "SNORM16_ABGR", "UINT16_ABGR", "SINT16_ABGR", "32_ABGR"};
  return Names[size_t(format)];
}

bool isCompressed(ExportFormat format) {
  return format >= ExportFormat::Fp16Abgr && format <= ExportFormat::Sint16Abgr;
}

uint8_t exportedComponents(ExportFormat format) {
  switch (format) {
  case ExportFormat::Zero:
    return 0;
  case ExportFormat::R32:
    return 0x1;
  case ExportFormat::Gr32:
    return 0x3;
  case ExportFormat::Ar32:
    return 0x9;
  default:
    return 0xf;
  }
}

ExportFormat chooseExportFormat(const FormatInfo &format, bool blending, bool needsAlpha) {
  assert(format.colorClass != NoColor);
  // A wide target with fewer than four components: the narrowest 32-bit format that has them, and alpha if it is read.
  auto choose32 = [&] {
    switch (format.componentCount) {
    case 1:
      return needsAlpha ? ExportFormat::Ar32 : ExportFormat::R32;
    case 2:
      return needsAlpha ? ExportFormat::Abgr32 : ExportFormat::Gr32;
    default:
      return ExportFormat::Abgr32;
    }
  };
  if (format.colorClass == Bits32)
    return choose32();

  switch (format.numeric) {
  case FormatNumeric::Uint:
    return ExportFormat::Uint16Abgr;
  case FormatNumeric::Sint:
    return ExportFormat::Sint16Abgr;
  case FormatNumeric::Unorm:
  case FormatNumeric::Snorm:
    if (format.colorClass == Small)
      return ExportFormat::Fp16Abgr;
    // UNORM16 and SNORM16 colours cannot be blended.
    if (blending)
      return choose32();
    return format.numeric == FormatNumeric::Unorm ? ExportFormat::Unorm16Abgr : ExportFormat::Snorm16Abgr;
  default:
    return ExportFormat::Fp16Abgr;
  }
}

IntegerClamp integerClamp(const FormatInfo &format) {
  if (!format.isInteger())
    return IntegerClamp::None;
  return format.bits[0] == 8 ? IntegerClamp::Int8 : format.bits[0] == 10 ? IntegerClamp::Int10 : IntegerClamp::None;
}

} // namespace dovetail

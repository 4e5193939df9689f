// SPDX-License-Identifier: MIT
//
// Typed loads and stores of every data format with every number format. The tests work out the right results from the
// formats' names and definitions: they search the small set of numbers that a component can have.
#include "tests/emulator/memory/memory_run.h"
#include <bit>
#include <cmath>
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <string_view>

using namespace dovetail::emulator;
using namespace dovetail::emulator::test;

namespace {

enum NumFormat : unsigned { Unorm, Snorm, Uscaled, Sscaled, Uint, Sint, Reserved, Float };

// BUF_DATA_FORMAT by number; components are named from the highest bit down.
constexpr std::string_view DataFormatNames[] = {
    "",           "8",          "16",      "8_8",   "32",          "16_16",    "10_11_11",    "11_11_10",
    "10_10_10_2", "2_10_10_10", "8_8_8_8", "32_32", "16_16_16_16", "32_32_32", "32_32_32_32", ""};

// Widths of x, y, z, w.
std::vector<unsigned> widths(std::string_view name) {
  std::vector<unsigned> result;
  while (!name.empty()) {
    size_t end = name.find('_');
    result.insert(result.begin(), unsigned(std::stoul(std::string(name.substr(0, end)))));
    name = end == name.npos ? "" : name.substr(end + 1);
  }
  return result;
}

bool exists(unsigned dataFormat, unsigned numFormat) {
  std::vector<unsigned> bits = widths(DataFormatNames[dataFormat]);
  if (bits.empty() || numFormat == Reserved)
    return false;
  if (bits[0] == 32)
    return numFormat >= Uint;
  bool canFloat = bits[0] == 16 || bits.size() == 3;
  return numFormat != Float || canFloat;
}

uint32_t bitsOf(double value) {
  return std::bit_cast<uint32_t>(float(value));
}

// Five bits of exponent; 16-bit floats have a sign.
double smallFloat(unsigned bits, uint32_t field) {
  unsigned mantissaBits = bits == 16 ? 10 : bits - 5;
  unsigned exponent = field >> mantissaBits & 31;
  double mantissa = field & ((1u << mantissaBits) - 1);
  for (unsigned i = 0; i != mantissaBits; ++i)
    mantissa /= 2;
  double value = exponent == 0 ? mantissa : 1 + mantissa;
  for (unsigned i = exponent == 0 ? 1 : exponent; i < 15; ++i)
    value /= 2;
  for (unsigned i = 15; i < exponent; ++i)
    value *= 2;
  return bits == 16 && field >> 15 ? -value : value;
}

uint32_t decoded(unsigned numFormat, unsigned bits, uint32_t field) {
  uint64_t range = uint64_t(1) << bits;
  int64_t isNegative = field >= range / 2, value = int64_t(field) - isNegative * int64_t(range);
  switch (numFormat) {
  case Unorm:
    return bitsOf(double(field) / double(range - 1));
  case Snorm:
    return bitsOf(std::max(-1.0, double(value) / double(range / 2 - 1)));
  case Uscaled:
    return bitsOf(field);
  case Sscaled:
    return bitsOf(double(value));
  case Uint:
    return field;
  case Sint:
    return uint32_t(value);
  default:
    return bits == 32 ? field : bitsOf(smallFloat(bits, field));
  }
}

// The field that a store of a register's bits must leave.
uint32_t encoded(unsigned numFormat, unsigned bits, uint32_t value) {
  if (bits == 32)
    return value;
  uint32_t count = 1u << bits;
  float number = std::bit_cast<float>(value);
  if (numFormat == Uint)
    return value < count ? value : count - 1;
  if (numFormat == Sint) {
    int32_t limit = int32_t(count / 2), clamped = std::min(std::max(int32_t(value), -limit), limit - 1);
    return uint32_t(clamped) & (count - 1);
  }
  uint32_t best = 0;
  double bestDistance = INFINITY;
  bool isNearest = numFormat == Unorm || numFormat == Snorm;
  for (uint32_t field = 0; field != count; ++field) {
    bool isInfinity = numFormat == Float && (field >> (bits == 16 ? 10 : bits - 5) & 31) == 31;
    bool isSecondLowest = numFormat == Snorm && field == count / 2;
    bool isMinusZero = numFormat == Float && bits == 16 && field == 0x8000;
    if (isInfinity || isSecondLowest || (isMinusZero && !std::signbit(number)) ||
        (bits == 16 && numFormat == Float && field == 0 && std::signbit(number)))
      continue;
    double candidate = std::bit_cast<float>(decoded(numFormat, bits, field));
    // Toward zero: no candidate may be farther from zero, or on its other side.
    if (!isNearest && (std::abs(candidate) > std::abs(number) || candidate * number < 0))
      continue;
    double distance = std::abs(candidate - number);
    if (distance < bestDistance) {
      best = field;
      bestDistance = distance;
    }
  }
  return best;
}

class Random {
public:
  uint32_t next() {
    m_state = m_state * 6364136223846793005 + 1442695040888963407;
    return uint32_t(m_state >> 32);
  }

private:
  uint64_t m_state = 42;
};

uint32_t fieldAt(const uint8_t *bytes, unsigned shift, unsigned bits) {
  uint32_t field = 0;
  for (unsigned i = 0; i != bits; ++i)
    field |= uint32_t(bytes[(shift + i) / 8] >> (shift + i) % 8 & 1) << i;
  return field;
}

BufferDescriptor elementsOf16(uint64_t address) {
  BufferDescriptor descriptor;
  descriptor.base = address;
  descriptor.stride = 16;
  descriptor.numRecords = 64;
  descriptor.dataFormat = AnyDataFormat;
  return descriptor;
}

// Whether a small float is infinity or NaN: other tests cover those.
bool hasSpecial(unsigned numFormat, const std::vector<unsigned> &bits, const uint8_t *bytes) {
  unsigned shift = 0;
  bool special = false;
  for (unsigned width : bits) {
    if (numFormat == Float && width != 32)
      special |= (fieldAt(bytes, shift, width) >> (width == 16 ? 10 : width - 5) & 31) == 31;
    shift += width;
  }
  return special;
}

TEST_CASE("tbuffer_load_format_xyzw of every format") {
  Random random;
  std::vector<uint8_t> data(64 * 16);
  for (uint8_t &byte : data)
    byte = uint8_t(random.next());
  unsigned formats = 0;
  for (unsigned dataFormat = 0; dataFormat != 16; ++dataFormat) {
    for (unsigned numFormat = 0; numFormat != 8; ++numFormat) {
      CAPTURE(dataFormat);
      CAPTURE(numFormat);
      MemoryRun run;
      run.bind(4, elementsOf16(run.map(data)));
      run.setup.vgprs = {eachLane([](unsigned lane) { return lane; })};
      run.run(fmt::format("tbuffer_load_format_xyzw v[4:7], v0, s[4:7], dfmt:{}, nfmt:{}, 0 idxen\ns_waitcnt vmcnt(0)",
                          dataFormat, numFormat));
      if (!exists(dataFormat, numFormat)) {
        CHECK((run.trap() == TrapKind::BadDescriptor));
        continue;
      }
      ++formats;
      INFO(run.trapText());
      REQUIRE(!run.trap());
      std::vector<unsigned> bits = widths(DataFormatNames[dataFormat]);
      for (unsigned lane = 0; lane != 64; ++lane) {
        if (hasSpecial(numFormat, bits, &data[lane * 16]))
          continue;
        unsigned shift = 0;
        for (unsigned i = 0; i != 4; ++i) {
          uint32_t expected = i < 3 ? 0 : numFormat == Uint || numFormat == Sint ? 1 : 0x3f800000;
          if (i < bits.size()) {
            expected = decoded(numFormat, bits[i], fieldAt(&data[lane * 16], shift, bits[i]));
            shift += bits[i];
          }
          CHECK(run.vgpr(4 + i, lane) == expected);
        }
      }
    }
  }
  CHECK(formats == 10 * 6 + 5 + 4 * 3);
}

TEST_CASE("tbuffer_store_format_xyzw of every format") {
  Random random;
  std::array<Lanes, 4> integers, floats;
  for (unsigned i = 0; i != 4; ++i) {
    for (unsigned lane = 0; lane != 64; ++lane) {
      uint32_t value = random.next();
      integers[i][lane] = lane % 2 ? value : uint32_t(int32_t(value) >> (lane % 32));
      // From tiny to huge, of both signs, and many between -1 and 1.
      double number = (int32_t(random.next()) + 0.5) / double(1u << 31);
      floats[i][lane] = bitsOf(lane % 3 == 0 ? number : std::ldexp(number, int(lane) - 30));
    }
  }
  for (unsigned dataFormat = 0; dataFormat != 16; ++dataFormat) {
    for (unsigned numFormat = 0; numFormat != 8; ++numFormat) {
      if (!exists(dataFormat, numFormat))
        continue;
      CAPTURE(dataFormat);
      CAPTURE(numFormat);
      const std::array<Lanes, 4> &values = numFormat == Uint || numFormat == Sint ? integers : floats;
      MemoryRun run;
      uint64_t address = run.map(std::vector<uint8_t>(64 * 16, 0x5a));
      run.bind(4, elementsOf16(address));
      run.setup.vgprs = {eachLane([](unsigned lane) { return lane; }), values[0], values[1], values[2], values[3]};
      run.run(fmt::format("tbuffer_store_format_xyzw v[1:4], v0, s[4:7], dfmt:{}, nfmt:{}, 0 idxen", dataFormat,
                          numFormat));
      INFO(run.trapText());
      REQUIRE(!run.trap());
      std::vector<unsigned> bits = widths(DataFormatNames[dataFormat]);
      std::span<uint8_t> bytes = run.gpu.memory().at(address, 64 * 16);
      for (unsigned lane = 0; lane != 64; ++lane) {
        unsigned shift = 0;
        for (unsigned i = 0; i != bits.size(); ++i) {
          CHECK(fieldAt(&bytes[lane * 16], shift, bits[i]) == encoded(numFormat, bits[i], values[i][lane]));
          shift += bits[i];
        }
        for (unsigned behind = shift / 8; behind != 16; ++behind)
          CHECK(bytes[lane * 16 + behind] == 0x5a);
      }
    }
  }
}

TEST_CASE("infinities and NaNs of small floats") {
  MemoryRun run;
  run.bind(4, elementsOf16(run.map<uint16_t>({0x7c00, 0xfc00, 0x7e00, 0x3c00})));
  run.setup.exec = 1;
  run.setup.vgprs = {allLanes(0u)};
  run.run("tbuffer_load_format_xyzw v[4:7], v0, s[4:7], dfmt:12, nfmt:7, 0 idxen\ns_waitcnt vmcnt(0)");
  REQUIRE(!run.trap());
  CHECK(run.vgpr(4, 0) == 0x7f800000);
  CHECK(run.vgpr(5, 0) == 0xff800000);
  CHECK(std::isnan(run.vgprFloat(6, 0)));
  CHECK(run.vgpr(7, 0) == 0x3f800000);
}

TEST_CASE("fewer components than the format has") {
  MemoryRun run;
  uint64_t address = run.map<uint8_t>({1, 2, 3, 4, 5, 6, 7, 8});
  run.bindRaw(4, address, 8);
  run.setup.vgprs = {allLanes(0x99u), allLanes(9u), allLanes(8u)};
  run.run("tbuffer_load_format_xy v[3:4], off, s[4:7], dfmt:10, nfmt:4, 0\n"
          "tbuffer_load_format_x v0, off, s[4:7], dfmt:10, nfmt:4, 0 offset:4\n"
          "tbuffer_store_format_xy v[1:2], off, s[4:7], dfmt:10, nfmt:4, 0 offset:4\ns_waitcnt vmcnt(0)");
  INFO(run.trapText());
  REQUIRE(!run.trap());
  CHECK(run.vgpr(3, 0) == 1);
  CHECK(run.vgpr(4, 0) == 2);
  CHECK(run.vgpr(0, 0) == 5);
  CHECK(run.read<uint32_t>(address, 1) == 0x00000809);
}

TEST_CASE("a texel is in range as a whole or not at all") {
  MemoryRun run;
  run.bindRaw(4, run.map<uint32_t>({1, 2, 3, 4}), 12);
  run.run("tbuffer_load_format_xy v[0:1], off, s[4:7], dfmt:11, nfmt:4, 0 offset:8\n"
          "tbuffer_load_format_xy v[2:3], off, s[4:7], dfmt:11, nfmt:4, 0 offset:4\n"
          "tbuffer_load_format_xyzw v[4:7], off, s[4:7], dfmt:4, nfmt:4, 0 offset:12\ns_waitcnt vmcnt(0)");
  REQUIRE(!run.trap());
  CHECK(run.vgpr(0, 0) == 0);
  CHECK(run.vgpr(1, 0) == 0);
  CHECK(run.vgpr(2, 0) == 2);
  CHECK(run.vgpr(3, 0) == 3);
  CHECK(run.vgpr(7, 0) == 0); // 0 even for a component that the format lacks
}

TEST_CASE("buffer_load_format has the descriptor's format and DST_SEL") {
  MemoryRun run;
  BufferDescriptor descriptor = elementsOf16(run.map<uint8_t>({0, 51, 102, 255}));
  descriptor.dataFormat = 10;
  descriptor.dstSel = {6, 5, 1, 0}; // z, y, 1, 0
  run.setup.exec = 1;
  run.setup.vgprs = {allLanes(0u), allLanes(64u)};
  SUBCASE("float") {
    run.bind(4, descriptor);
    run.run("buffer_load_format_xyzw v[4:7], v0, s[4:7], 0 idxen\ns_waitcnt vmcnt(0)");
    REQUIRE(!run.trap());
    CHECK(run.vgprFloat(4, 0) == 0.4f);
    CHECK(run.vgprFloat(5, 0) == 0.2f);
    CHECK(run.vgprFloat(6, 0) == 1);
    CHECK(run.vgpr(7, 0) == 0);
  }
  SUBCASE("integer, and out of range") {
    descriptor.numFormat = Uint;
    run.bind(4, descriptor);
    run.run("buffer_load_format_xyz v[4:6], v0, s[4:7], 0 idxen\n"
            "buffer_load_format_xyz v[8:10], v1, s[4:7], 0 idxen\ns_waitcnt vmcnt(0)");
    REQUIRE(!run.trap());
    CHECK(run.vgpr(4, 0) == 102);
    CHECK(run.vgpr(5, 0) == 51);
    CHECK(run.vgpr(6, 0) == 1);
    CHECK(run.vgpr(8, 0) == 0);
    CHECK(run.vgpr(10, 0) == 1); // DST_SEL's constant stays
  }
}

TEST_CASE("buffer_store_format puts components where DST_SEL would fetch them") {
  MemoryRun run;
  uint64_t address = run.map<uint32_t>({0, 0, 0, 0});
  BufferDescriptor descriptor = elementsOf16(address);
  descriptor.dataFormat = 10;
  descriptor.numFormat = Uint;
  descriptor.dstSel = {6, 5, 4, 7}; // B8G8R8A8
  run.bind(4, descriptor);
  run.setup.exec = 1;
  run.setup.vgprs = {allLanes(0u), allLanes(1u), allLanes(2u), allLanes(3u), allLanes(4u)};
  run.run("buffer_store_format_xyzw v[1:4], v0, s[4:7], 0 idxen");
  REQUIRE(!run.trap());
  CHECK(run.read<uint32_t>(address) == 0x04010203);
}

TEST_CASE("typed D16 loads and stores hold two components in a register") {
  MemoryRun run;
  uint64_t address = run.map<uint8_t>({0, 51, 153, 255, 1, 2, 3, 0xff, 0, 0, 0, 0, 0, 0, 0, 0});
  BufferDescriptor descriptor = elementsOf16(address);
  descriptor.numRecords = 1;
  descriptor.dataFormat = 10;
  descriptor.numFormat = Unorm;
  run.bind(4, descriptor);
  run.setup.exec = 1;
  // halves: 0.5, 1.0, -1.0 (clamped to 0), 0.25
  run.setup.vgprs = {allLanes(0u), allLanes(0x3c003800u), allLanes(0x3400bc00u), allLanes(0x12345678u),
                     allLanes(0xabcdabcdu)};
  run.run("buffer_load_format_d16_xyz v[5:6], v0, s[4:7], 0 idxen\n"
          "buffer_load_format_d16_hi_x v3, v0, s[4:7], 0 idxen offset:1\n"
          "tbuffer_load_format_d16_xy v7, v0, s[4:7], dfmt:10, nfmt:5, 0 idxen offset:6\n"
          "buffer_store_format_d16_xyzw v[1:2], v0, s[4:7], 0 idxen offset:8\n"
          "buffer_store_format_d16_hi_x v2, v0, s[4:7], 0 idxen offset:12\ns_waitcnt vmcnt(0)");
  INFO(run.trapText());
  REQUIRE(!run.trap());
  // 0.2 and 0.6 as halves. 0.6 lies between 0x38cc and 0x38cd; nobody knows which of them it becomes.
  CHECK(run.vgpr(5, 0) == 0x32660000);
  CHECK((run.vgpr(6, 0) == 0x38cc || run.vgpr(6, 0) == 0x38cd));
  CHECK(run.vgpr(3, 0) == 0x32665678);
  CHECK(run.vgpr(7, 0) == 0xffff0003);
  CHECK(run.read<uint32_t>(address, 2) == 0x4000ff80);
  CHECK(run.read<uint32_t>(address, 3) == 0x00000040);
}

TEST_CASE("typed D16 loads of gfx810 pack components as GFX9 does") {
  MemoryRun run(chipOf("gfx810"));
  BufferDescriptor descriptor = elementsOf16(run.map<uint8_t>({0, 51, 255, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}));
  descriptor.numRecords = 16;
  descriptor.dataFormat = 10;
  descriptor.numFormat = Unorm;
  run.bind(4, descriptor);
  run.setup.exec = 1;
  run.setup.vgprs = {allLanes(0u)};
  run.run("buffer_load_format_d16_xyz v[4:5], v0, s[4:7], 0 idxen\ns_waitcnt vmcnt(0)");
  INFO(run.trapText());
  REQUIRE(!run.trap());
  CHECK(run.vgpr(4, 0) == 0x32660000);
  CHECK(run.vgpr(5, 0) == 0x3c00);
}

TEST_CASE("typed D16 loads and stores of GFX8 hold a component in each register") {
  MemoryRun run(Generation::Gfx8);
  uint64_t address = run.map<uint8_t>({0, 51, 153, 255, 1, 2, 3, 0xff, 0, 0, 0, 0, 0, 0, 0, 0});
  BufferDescriptor descriptor = elementsOf16(address);
  descriptor.numRecords = 16;
  descriptor.dataFormat = 10;
  descriptor.numFormat = Unorm;
  run.bind(4, descriptor);
  run.setup.exec = 1;
  // 0.5 and 1.0; nobody reads the upper halves.
  run.setup.vgprs = {allLanes(0u), allLanes(0xabcd3800u), allLanes(0xabcd3c00u)};
  run.run("buffer_load_format_d16_xyz v[4:6], v0, s[4:7], 0 idxen\n"
          "buffer_store_format_d16_xy v[1:2], v0, s[4:7], 0 idxen offset:8\ns_waitcnt vmcnt(0)");
  INFO(run.trapText());
  REQUIRE(!run.trap());
  CHECK(run.vgpr(4, 0) == 0);
  CHECK(run.vgpr(5, 0) == 0x3266);
  CHECK((run.vgpr(6, 0) == 0x38cc || run.vgpr(6, 0) == 0x38cd));
  CHECK(run.read<uint32_t>(address, 2) == 0x0000ff80);
}

TEST_CASE(
    "typed D16 loads round some values to the nearest and others toward zero, as nobody knows what hardware does") {
  MemoryRun run;
  std::vector<uint8_t> texels(256);
  for (unsigned i = 0; i != texels.size(); ++i)
    texels[i] = uint8_t(i);
  BufferDescriptor descriptor = elementsOf16(run.map(texels));
  descriptor.stride = 1;
  descriptor.numRecords = 256;
  descriptor.dataFormat = 1; // 8
  descriptor.numFormat = Unorm;
  run.bind(4, descriptor);
  Lanes indices;
  for (unsigned lane = 0; lane != WaveSize; ++lane)
    indices[lane] = 4 * lane + 1;
  run.setup.vgprs = {indices};
  run.run("buffer_load_format_d16_x v1, v0, s[4:7], 0 idxen\ns_waitcnt vmcnt(0)");
  INFO(run.trapText());
  REQUIRE(!run.trap());
  unsigned nearest = 0, towardZero = 0;
  for (unsigned lane = 0; lane != WaveSize; ++lane) {
    const double exact = float(indices[lane]) / 255.0f;
    const uint16_t half = uint16_t(run.vgpr(1, lane));
    const double value = smallFloat(16, half), next = smallFloat(16, half + 1);
    // Of the halves around the value, the lower one or the nearer one.
    CHECK((value <= exact ? next > exact : value - exact <= exact - smallFloat(16, half - 1)));
    nearest += value > exact;
    towardZero += value < exact && next - exact < exact - value;
  }
  CHECK(nearest > 0);
  CHECK(towardZero > 0);
}

TEST_CASE("GFX8 reads the two bits of signed formats unsigned") {
  for (Generation generation : {Generation::Gfx8, Generation::Gfx9}) {
    MemoryRun run(generation);
    run.bindRaw(4, run.map<uint32_t>({0xc00003ff}), 4);
    run.run("tbuffer_load_format_xyzw v[0:3], off, s[4:7], dfmt:9, nfmt:5, 0\ns_waitcnt vmcnt(0)");
    INFO(run.trapText());
    REQUIRE(!run.trap());
    CHECK(run.vgpr(0, 0) == 0xffffffff);
    CHECK(run.vgpr(3, 0) == (generation == Generation::Gfx8 ? 3 : 0xffffffff));
  }
}

} // namespace

// SPDX-License-Identifier: MIT
//
// image_sample, image_gather4 and image_get_lod. Derivatives come from the registers of a quad's four lanes, whatever
// EXEC is: dx from lanes 0 and 1, dy from lanes 0 and 2, for all four ("Vega" ISA manual, section 8.4; llvmpipe does
// the same).
//
// On cubes, the operands are a place on a face, in [1, 2], and the face's number plus 8 for each cube before it. The
// lanes of a quad may see different faces. Each lane then sees the others' directions from its own face, and takes the
// differences of its own row and column. llvmpipe does the same with the shader's directions. The instruction does not
// know the lengths of directions; the emulator assumes 1, as in most shaders. With other lengths, the LOD is off by the
// logarithm of the ratio of neighbouring lengths. The hardware's assumption is not documented.
// docs/hardware-facts.md lists the assumptions.
#include "tools/proof/emulator/image/cube_face.h"
#include "tools/proof/emulator/image/image_instructions.h"
#include "tools/proof/emulator/image/image_operands.h"
#include "tools/proof/emulator/image/image_sampler.h"
#include "tools/proof/emulator/numerics/conversion_noise.h"
#include <algorithm>
#include <cmath>

namespace dovetail::emulator {

namespace {

constexpr float CubeBias = 1;
constexpr int32_t FaceNumbersPerCube = 8, FacesPerCube = 6;

float asFloat(uint32_t bits) {
  return std::bit_cast<float>(bits);
}

// The operands of one instruction, for all lanes.
class SampleOperands {
public:
  SampleOperands(Wave &wave, const Instruction &instruction, const ImageView &image, unsigned flags)
      : m_image(image), m_flags(flags), m_count(coordinateCount(image, instruction)) {
    // A LOD does not depend on the slice of an array, and drivers pass none (Mesa, aco_instruction_selection.cpp and
    // ac_nir_to_llvm.c, nir_texop_lod).
    m_count.hasSlice &= isCube() || instruction.opcode->name != "image_get_lod";
    AddressOperands address(wave, instruction);
    if (flags & O)
      m_offset = address.dword();
    if (flags & B)
      m_bias = address.single(true);
    if (flags & C)
      m_reference = address.dword();
    if (flags & D) {
      m_dx = address.group<3>(m_count.position, true);
      m_dy = address.group<3>(m_count.position, true);
    }
    unsigned coordinates = m_count.position + m_count.hasSlice;
    bool hasLevel = flags & (L | Cl);
    auto last = address.group<4>(coordinates + hasLevel, true);
    std::copy_n(last.begin(), m_count.position, m_position.begin());
    if (m_count.hasSlice)
      m_slice = last[m_count.position];
    if (hasLevel)
      m_level = last[coordinates];
    if (isCube())
      for (unsigned i = 0; i != 2; ++i)
        for (uint32_t &coordinate : m_position[i])
          coordinate = std::bit_cast<uint32_t>(asFloat(coordinate) - CubeBias);
    if (isCube() && !(flags & (L | Lz | D)))
      findDirections();
    m_finite = finiteLanes();
    if (m_count.position == 1)
      m_position[1].fill(std::bit_cast<uint32_t>(0.5f));
  }

  SamplePoint point(unsigned lane) const;
  // Everything but the levels of detail.
  void placeLanes(SampleLanes &points) const;
  LodRequest lodRequest(unsigned lane) const;

  // Whether the coordinates of a lane are numbers.
  bool isFinite(unsigned lane) const { return (m_finite >> lane & 1) != 0; }
  // The lanes whose LOD depends on lanes of the quad that are off or have no coordinates.
  uint64_t undefinedLods(const Wave &wave) const;
  // Whether all lanes of a quad have the same LOD, unless it is undefined.
  bool hasLodOfQuad() const { return (m_flags & (L | D | B | Cl)) == 0 && !isCube(); }

private:
  bool isCube() const { return m_image.descriptor().type == ImageType::Cube; }
  float position(unsigned index, unsigned lane) const { return asFloat(m_position[index][lane]); }
  uint64_t finiteLanes() const;
  int32_t slice(unsigned lane) const; // not for 3D images
  // Six bits with a sign.
  int32_t offset(unsigned index, unsigned lane) const { return int32_t(m_offset[lane] << (26 - 8 * index)) >> 26; }
  int32_t faceNumber(unsigned lane) const;
  unsigned face(unsigned lane) const { return std::min(unsigned(faceNumber(lane)) % unsigned(FaceNumbersPerCube), 5u); }
  Gradients gradients(unsigned lane) const;
  Gradients cubeGradients(unsigned lane) const;
  void findDirections();

  const ImageView &m_image;
  unsigned m_flags;
  CoordinateCount m_count;
  Lanes m_offset = {}, m_bias = {}, m_reference = {}, m_slice = {}, m_level = {};
  std::array<Lanes, 3> m_dx = {}, m_dy = {}, m_position = {};
  std::array<std::array<float, 3>, WaveSize> m_directions; // of length 1; for cubes whose LOD depends on directions
  uint64_t m_finite = 0;
};

// To the nearest, halves to even.
int32_t roundedSlice(float value, float min = 0) {
  constexpr float Max = 1 << 20;
  return std::isnan(value) ? 0 : int32_t(std::nearbyint(std::clamp(value, min, Max)));
}

// GFX8 clamps the number directly, so cubes before the first one lose their face; GFX9 clamps the cube (Mesa's
// ac_llvm_build.c, ac_prepare_cube_coords).
int32_t SampleOperands::faceNumber(unsigned lane) const {
  constexpr float Min = -(1 << 20);
  return roundedSlice(asFloat(m_slice[lane]), m_image.generation() == Generation::Gfx9 ? Min : 0.0f);
}

uint64_t SampleOperands::finiteLanes() const {
  constexpr uint32_t Exponent = 0x7f800000;
  Lanes isFinite;
  isFinite.fill(~0u);
  auto require = [&](const Lanes &coordinates) {
    for (unsigned lane = 0; lane != WaveSize; ++lane)
      isFinite[lane] &= (coordinates[lane] & Exponent) != Exponent ? ~0u : 0;
  };
  if (m_count.hasSlice)
    require(m_slice);
  for (unsigned i = 0; i != m_count.position; ++i)
    require(m_position[i]);
  return laneBits(isFinite);
}

uint64_t SampleOperands::undefinedLods(const Wave &wave) const {
  if ((m_flags & (L | Lz | D)) != 0)
    return 0;
  const uint64_t lost = ~m_finite | wave.leftOff();
  return ((lost | lost >> 1 | lost >> 2 | lost >> 3) & 0x1111'1111'1111'1111) * 0xf;
}

SamplePoint SampleOperands::point(unsigned lane) const {
  SamplePoint point;
  for (unsigned i = 0; i != 3; ++i) {
    point.position[i] = position(i, lane);
    if (m_flags & O)
      point.offset[i] = offset(i, lane);
  }
  if (m_flags & C)
    point.reference = asFloat(m_reference[lane]);
  if (m_image.descriptor().type != ImageType::Dim3D)
    point.slice = slice(lane);
  if (isCube())
    point.face = face(lane);
  return point;
}

void SampleOperands::placeLanes(SampleLanes &points) const {
  for (unsigned i = 0; i != 3; ++i) {
    points.position[i] = std::bit_cast<LaneFloats>(m_position[i]);
    points.offset[i].fill(0);
    for (unsigned lane = 0; (m_flags & O) != 0 && lane != WaveSize; ++lane)
      points.offset[i][lane] = offset(i, lane);
  }
  points.face.fill(0);
  if (m_image.descriptor().type == ImageType::Dim3D)
    points.slice.fill(0);
  else if (!m_count.hasSlice)
    points.slice.fill(slice(0));
  else
    for (unsigned lane = 0; lane != WaveSize; ++lane)
      points.slice[lane] = slice(lane);
  for (unsigned lane = 0; isCube() && lane != WaveSize; ++lane)
    points.face[lane] = uint8_t(face(lane));
  points.reference = (m_flags & C) != 0 ? &m_reference : nullptr;
}

// Slices are clamped to those of the view; cubes are clamped to whole cubes.
int32_t SampleOperands::slice(unsigned lane) const {
  const ImageDescriptor &descriptor = m_image.descriptor();
  const auto first = int32_t(descriptor.baseArray), last = int32_t(descriptor.lastArray);
  if (isCube()) {
    int32_t cube = std::max(faceNumber(lane), 0) / FaceNumbersPerCube;
    return std::clamp(first + cube * FacesPerCube, first, std::max(last + 1 - FacesPerCube, first));
  }
  return m_count.hasSlice ? std::clamp(first + roundedSlice(asFloat(m_slice[lane])), first, last) : first;
}

void SampleOperands::findDirections() {
  for (unsigned lane = 0; lane != WaveSize; ++lane) {
    const float sc = 2 * position(0, lane) - 1, tc = 2 * position(1, lane) - 1;
    const float length = std::sqrt(sc * sc + tc * tc + 1);
    m_directions[lane] = cubeDirection(CubePlace<float>{face(lane), sc / length, tc / length, 1 / length});
  }
}

Gradients SampleOperands::cubeGradients(unsigned lane) const {
  auto placeOf = [&, seenFrom = face(lane)](unsigned other) { return cubePlaceOn(seenFrom, m_directions[other]); };
  CubePlace<float> own = placeOf(lane);
  // The differences of sc / (2 ma) and tc / (2 ma), by the quotient rule.
  auto difference = [&](unsigned from, unsigned to) {
    CubePlace<float> a = placeOf(from), b = placeOf(to);
    float major = (b.ma - a.ma) / own.ma;
    return std::array<float, 3>{0.5f * (b.sc - a.sc - own.sc * major) / own.ma,
                                0.5f * (b.tc - a.tc - own.tc * major) / own.ma, 0};
  };
  return {difference(lane & ~1u, lane | 1), difference(lane & ~2u, lane | 2)};
}

Gradients SampleOperands::gradients(unsigned lane) const {
  Gradients result;
  if (m_flags & D) {
    for (unsigned i = 0; i != m_count.position; ++i) {
      result.dx[i] = asFloat(m_dx[i][lane]);
      result.dy[i] = asFloat(m_dy[i][lane]);
    }
    return result;
  }
  if (isCube())
    return cubeGradients(lane);
  unsigned first = lane & ~3u;
  for (unsigned i = 0; i != m_count.position; ++i) {
    result.dx[i] = position(i, first + 1) - position(i, first);
    result.dy[i] = position(i, first + 2) - position(i, first);
  }
  return result;
}

LodRequest SampleOperands::lodRequest(unsigned lane) const {
  LodRequest request;
  if (m_flags & Lz)
    request.level = 0;
  else if (m_flags & L)
    request.level = asFloat(m_level[lane]);
  else
    request.gradients = gradients(lane);
  if (m_flags & B) {
    request.hasBias = true;
    request.bias = asFloat(m_bias[lane]);
  }
  if (m_flags & Cl)
    request.minimum = asFloat(m_level[lane]);
  return request;
}

void set(std::array<Lanes, 4> &components, unsigned lane, const TexelValue &value) {
  for (unsigned i = 0; i != 4; ++i)
    components[i][lane] = value[i];
}

// A variation's texel for coordinates that are no numbers.
TexelValue anyTexel(UndefinedChoices &choices, bool isInteger) {
  TexelValue value;
  for (uint32_t &component : value)
    component = isInteger ? choices.bits() % 256 : std::bit_cast<uint32_t>(choices.number());
  return value;
}

// The levels of detail of the lanes, one after the other. A variation may choose them at random.
class LodOfLanes {
public:
  LodOfLanes(Wave &wave, const ImageSampler &sampler, const SampleOperands &operands)
      : m_wave(wave), m_sampler(sampler), m_operands(operands), m_undefined(operands.undefinedLods(wave)) {}

  const LodResult &of(unsigned lane) {
    const bool isUndefined = (m_undefined >> lane & 1) != 0;
    if (m_quad == lane / 4 && !isUndefined)
      return m_lod;
    LodRequest request = m_operands.lodRequest(lane);
    UndefinedChoices &choices = m_wave.undefinedChoices();
    if (isUndefined && choices.happens(UndefinedEvent::QuadLanesOff))
      request.level = choices.unit() * float(m_sampler.image().lastLevel() + 2) - 1; // may also magnify
    findLevelOfDetail(m_sampler.image(), m_sampler.descriptor(), request, m_lod);
    m_quad = m_operands.hasLodOfQuad() ? lane / 4 : NoQuad;
    return m_lod;
  }

private:
  static constexpr unsigned NoQuad = ~0u;

  Wave &m_wave;
  const ImageSampler &m_sampler;
  const SampleOperands &m_operands;
  const uint64_t m_undefined;
  unsigned m_quad = NoQuad; // quad of m_lod
  LodResult m_lod;
};

// Noise for a place along an axis. Hardware keeps 8 bits of fraction of a place in texels; which bits is not
// documented.
float placeNoise(RoundingNoise &noise, const ImageSampler &sampler, unsigned level, unsigned axis) {
  constexpr float HalfStep = 0x1p-9f;
  const LevelSize &size = sampler.image().size(level);
  const int32_t texels = axis == 0 ? size.width : axis == 1 ? size.height : size.slices;
  return noise.symmetric() * HalfStep / (sampler.descriptor().forceUnnormalized ? 1 : float(texels));
}

// Whether the results are converted integers, which get conversion noise. Results of comparisons are not.
bool isConverted(const ImageSampler &sampler, unsigned flags) {
  return sampler.image().layout().isNormalized() && !(flags & C);
}

void addConversionNoise(Wave &wave, uint64_t lanes, std::array<Lanes, 4> &components) {
  if (!wave.roundingNoise().isOf(NoiseSource::Conversions))
    return;
  forEachLane(lanes, [&](unsigned lane) {
    TexelValue value = {components[0][lane], components[1][lane], components[2][lane], components[3][lane]};
    addConversionNoise(wave.roundingNoise(), value);
    set(components, lane, value);
  });
}

// The common course of the instructions: `fill` computes the four components of the lanes and their residency from
// sampler and operands.
template <typename F>
void sampleLanes(Wave &wave, const Instruction &instruction, unsigned flags, unsigned mask, F fill) {
  std::optional<ImageView> image = ImageView::bind(wave, instruction, false);
  if (!image)
    return;
  image->decodeAll(wave);
  std::optional<ImageSampler> sampler = ImageSampler::bind(wave, instruction, *image);
  if (!sampler)
    return;
  SampleOperands operands(wave, instruction, *image, flags);
  if (wave.trapped())
    return;
  std::array<Lanes, 4> components;
  Lanes status = {};
  const bool isInteger = image->layout().isInteger() && !(flags & C);
  // Whether a variation chooses what the lane reads, because its coordinates are no numbers.
  auto isChosen = [&](unsigned lane) {
    if (operands.isFinite(lane) || !wave.undefinedChoices().happens(UndefinedEvent::ImageCoordinate))
      return false;
    set(components, lane, anyTexel(wave.undefinedChoices(), isInteger));
    return true;
  };
  fill(*sampler, operands, isChosen, components, status);
  writeTexels(wave, instruction, components, mask, !isInteger, status);
}

// The same for instructions that work lane by lane: `prepare` makes a function of the lane from sampler and operands.
template <typename F>
void sampleEachLane(Wave &wave, const Instruction &instruction, unsigned flags, unsigned mask, F prepare) {
  sampleLanes(wave, instruction, flags, mask,
              [&](const ImageSampler &sampler, const SampleOperands &operands, auto isChosen,
                  std::array<Lanes, 4> &components, Lanes &status) {
                auto ofLane = prepare(sampler, operands);
                forEachLaneOn(wave, [&](unsigned lane) {
                  if (!isChosen(lane))
                    set(components, lane, ofLane(lane));
                  status[lane] = sampler.image().takeMiss();
                });
              });
}

} // namespace

void imageSample(Wave &wave, const Instruction &instruction, unsigned flags) {
  if (instruction.dmask == 0)
    return wave.trap(TrapKind::Unsupported, "image sample with dmask 0");
  sampleLanes(wave, instruction, flags, instruction.dmask,
              [&](const ImageSampler &sampler, const SampleOperands &operands, auto isChosen,
                  std::array<Lanes, 4> &components, Lanes &status) {
                SampleLanes points;
                operands.placeLanes(points);
                LodOfLanes lods(wave, sampler, operands);
                forEachLaneOn(wave, [&](unsigned lane) {
                  if (isChosen(lane))
                    return;
                  points.lanes |= uint64_t(1) << lane;
                  const LodResult &lod = lods.of(lane);
                  points.setLod(lane, lod);
                  for (unsigned i = 0; wave.roundingNoise().isOf(NoiseSource::Places) && i != 3; ++i)
                    points.position[i][lane] += placeNoise(wave.roundingNoise(), sampler, lod.level[0], i);
                });
                forEachLane(sampler.sample(points, components), [&](unsigned lane) { status[lane] = 1; });
                if (isConverted(sampler, flags))
                  addConversionNoise(wave, points.lanes, components);
              });
}

// DMASK selects the component of the texels. _lz takes the base level whatever the sampler's limits are, like the APIs'
// gathers; the other variants take the nearest level.
//
// GFX8 gathers integers half a texel off (ImageSampler::gather). On cubes of 8_8_8_8 it is off in another way, which is
// not known (for them, Mesa's ac_nir_to_llvm.c, lower_gather4_integer, reads other numbers instead of moving the
// place).
void imageGather(Wave &wave, const Instruction &instruction, unsigned flags) {
  if (!std::has_single_bit(instruction.dmask))
    return wave.trap(TrapKind::Unsupported, "gather4 with dmask {:#x}", instruction.dmask);
  constexpr unsigned Format8_8_8_8 = 10;
  if (std::optional<ImageView> image = ImageView::bind(wave, instruction, false);
      image && image->generation() == Generation::Gfx8 && image->descriptor().type == ImageType::Cube &&
      image->layout().isInteger() && image->descriptor().dataFormat == Format8_8_8_8)
    return wave.trap(TrapKind::BadDescriptor, "T# in s{} is a cube of 8-bit integers, which GFX8 cannot gather",
                     instruction.srsrc);
  auto component = unsigned(std::countr_zero(instruction.dmask));
  sampleEachLane(wave, instruction, flags, 0xf,
                 [&, component](const ImageSampler &sampler, const SampleOperands &operands) {
                   return [&, component](unsigned lane) {
                     unsigned level = sampler.image().baseLevel();
                     if (!(flags & Lz)) {
                       SamplerDescriptor descriptor = sampler.descriptor();
                       descriptor.mipFilter = std::min(descriptor.mipFilter, 1u);
                       LodResult lod;
                       findLevelOfDetail(sampler.image(), descriptor, operands.lodRequest(lane), lod);
                       level = lod.level[0];
                     }
                     SamplePoint point = operands.point(lane);
                     for (unsigned i = 0; wave.roundingNoise().isOf(NoiseSource::Places) && i != 3; ++i)
                       point.position[i] += placeNoise(wave.roundingNoise(), sampler, level, i);
                     TexelValue texels = sampler.gather(point, level, component);
                     if (isConverted(sampler, flags))
                       addConversionNoise(wave.roundingNoise(), texels);
                     return texels;
                   };
                 });
}

// x: the level that a sample would use, counted from BASE_LEVEL; y: the LOD without any limits.
void imageGetLod(Wave &wave, const Instruction &instruction) {
  sampleEachLane(wave, instruction, 0, instruction.dmask,
                 [&](const ImageSampler &sampler, const SampleOperands &operands) {
                   return [&, lods = LodOfLanes(wave, sampler, operands)](unsigned lane) mutable {
                     const ImageView &image = sampler.image();
                     const LodResult &lod = lods.of(lane);
                     float level = lod.clamped;
                     if (sampler.descriptor().mipFilter == 1)
                       level = std::nearbyint(level);
                     else if (sampler.descriptor().mipFilter == 0)
                       level = 0;
                     level = std::clamp(level, 0.0f, float(image.lastLevel() - image.baseLevel()));
                     return TexelValue{std::bit_cast<uint32_t>(level), std::bit_cast<uint32_t>(lod.unclamped), 0, 0};
                   };
                 });
}

} // namespace dovetail::emulator

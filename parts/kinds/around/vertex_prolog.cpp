// SPDX-License-Identifier: MIT
//
// Makes the key. For each attribute that is read, it chooses the fewest and narrowest loads that bring in the channels
// that are read. Then each dword comes from a load, or is one of the constants 0, 0, 0, 1 for missing components.
//
// The hardware does two things that some drivers do in code:
// - Loads of several channels that may be unaligned are not split: only GFX6 and GFX10 need that (Mesa:
//   aco_instruction_selection.cpp, check_vertex_fetch_size; si_state.c, si_create_vertex_elements). LLPC mentions a
//   defect with 8_8 and 16_16 on all GPUs and always splits these (VertexFetch.cpp, addVertexFetchInst).
// - Offsets beyond the stride are not folded into the index, so that prologs do not depend on strides. The address is
//   the same. LLPC never folded dynamic strides and has dropped folding as "legacy for older hardware" (#2570); RADV
//   folds.
//
// The driver must exclude reads beyond the last record by NUM_RECORDS (docs/embedding.md).
#include "parts/kinds/around/vertex_prolog.h"
#include "parts/compile/compose_ir.h"
#include "parts/compile/key_bytes.h"
#include "parts/listing/listing.h"
#include "parts/listing/listing_ir.h"
#include "parts/listing/passed_registers.h"
#include "src/abi/target_info.h"
#include "src/lgc/pipeline.h"
#include <algorithm>
#include <array>
#include <bit>
#include <bitset>
#include <boost/container/small_vector.hpp>
#include <boost/container/static_vector.hpp>
#include <fmt/format.h>
#include <llvm/IR/Module.h>
#include <span>

namespace dovetail {

namespace {

// LLVM returns at most this many VGPRs from a shader part (RetCC_SI_Shader).
constexpr unsigned MaxReturnedVgprs = 136;

// Loads a run of channels [first, last] in one load of an array format.
void addArrayLoad(FetchedAttribute &fetched, const FormatInfo &format, unsigned first, unsigned last, uint32_t offset) {
  unsigned channelBits = format.bits[0];
  unsigned count = last - first + 1;
  // No format has three 8- or 16-bit channels: such a run is read as the first channels of the whole attribute.
  if (arrayDataFormat(channelBits, count) == BufferDataFormat::Invalid) {
    first = 0;
    count = last + 1;
  }
  unsigned formatChannels =
      arrayDataFormat(channelBits, count) == BufferDataFormat::Invalid ? format.componentCount : count;
  fetched.loads.push_back({arrayDataFormat(channelBits, formatChannels), format.numFormat, uint8_t(count),
                           offset + first * channelBits / 8});
}

// Plans the loads of a 64-bit format's dwords, in two halves of up to four dwords.
void planWideFetch(FetchedAttribute &fetched, const FormatInfo &format, uint8_t dwordMask, uint32_t offset) {
  for (unsigned half = 0; half != 2; ++half) {
    unsigned available = (1u << format.componentCount * 2) - 1;
    unsigned needed = dwordMask & available & (0xfu << half * 4);
    if (!needed)
      continue;
    unsigned first = std::countr_zero(needed);
    unsigned last = std::bit_width(needed) - 1;
    fetched.loads.push_back(
        {arrayDataFormat(32, last - first + 1), BufferNumFormat::Uint, uint8_t(last - first + 1), offset + first * 4});
    for (unsigned dword = first; dword <= last; ++dword)
      if (needed >> dword & 1)
        fetched.dwords[dword] = {DwordSource::Load, uint8_t(fetched.loads.size() - 1), uint8_t(dword - first), 0};
  }
}

// Plans the loads of formats with up to four channels of up to 32 bits, one dword per component.
void planNarrowFetch(FetchedAttribute &fetched, const FormatInfo &format, uint8_t componentMask, uint32_t offset) {
  const unsigned readMask = componentMask & format.componentMask();
  unsigned needed = 0; // a bit for each channel
  for (unsigned component = 0; component != 4; ++component)
    if (readMask >> component & 1)
      needed |= 1u << format.channel[component];
  if (!needed)
    return;
  unsigned first = std::countr_zero(needed);
  unsigned last = std::bit_width(needed) - 1;

  DwordSource source = DwordSource::Load;
  std::array<AttributeDword, 4> sourceOfChannel;
  if (format.vertexFetch == VertexFetchMethod::Array && format.componentCount == 3 && format.bits[0] < 32) {
    // A vertex may start at any channel's address here, so each load can read a single channel only.
    for (unsigned channel = first; channel <= last; ++channel) {
      if (!(needed >> channel & 1))
        continue;
      sourceOfChannel[channel] = {source, uint8_t(fetched.loads.size()), 0, 0};
      addArrayLoad(fetched, format, channel, channel, offset);
    }
  } else if (format.vertexFetch == VertexFetchMethod::Array) {
    addArrayLoad(fetched, format, first, last, offset);
    // The load may start before the first channel that is read.
    unsigned firstLoaded = last + 1 - fetched.loads.back().channels;
    for (unsigned channel = first; channel <= last; ++channel)
      sourceOfChannel[channel] = {source, 0, uint8_t(channel - firstLoaded), 0};
  } else {
    bool isShared = format.vertexFetch == VertexFetchMethod::SharedExponent;
    fetched.loads.push_back({format.dataFormat, format.numFormat, uint8_t(isShared ? 1 : last + 1), offset});
    source = isShared ? DwordSource::SharedExponent : DwordSource::Load;
    for (unsigned channel = first; channel <= last; ++channel)
      sourceOfChannel[channel] = {source, 0, uint8_t(channel), 0};
  }

  for (unsigned component = 0; component != 4; ++component)
    if (readMask >> component & 1)
      fetched.dwords[component] = sourceOfChannel[format.channel[component]];
}

// GFX8 loads signed components of two bits as if they had no sign. The prolog restores it.
void restoreSigns(FetchedAttribute &fetched, const FormatInfo &format) {
  const bool isSigned = format.numFormat == BufferNumFormat::Snorm || format.numFormat == BufferNumFormat::Sscaled ||
                        format.numFormat == BufferNumFormat::Sint;
  for (unsigned component = 0; component != 4; ++component)
    if (isSigned && format.bits[component] == 2 && fetched.dwords[component].source == DwordSource::Load)
      fetched.dwords[component].source = DwordSource::SignedTwoBits;
}

// A missing component is 0, or 1 in the fourth, of the format's own type.
uint32_t missingDword(const FormatInfo &format, unsigned dword) {
  if (format.vertexFetch != VertexFetchMethod::Wide)
    return dword != 3 ? 0 : format.isInteger() ? 1 : std::bit_cast<uint32_t>(1.0f);
  if (format.isInteger())
    return dword == 6 ? 1 : 0;
  return dword == 7 ? uint32_t(std::bit_cast<uint64_t>(1.0) >> 32) : 0;
}

// The source of a vertex input: an attribute, and the dword in it where the input begins.
struct AttributeMatch {
  const VertexAttribute *attribute = nullptr;
  unsigned firstDword = 0;
};

// A 64-bit attribute of three or four components takes two locations. Either location may read it.
AttributeMatch findAttribute(const PipelineState &state, const VertexInput &input) {
  for (const VertexAttribute &attribute : state.vertexAttributes)
    if (attribute.location == input.location)
      return {&attribute, 0};
  if (input.elementBits == 64)
    for (const VertexAttribute &attribute : state.vertexAttributes) {
      const FormatInfo *format = findFormat(attribute.format);
      if (attribute.location + 1 == input.location && format && format->bits[0] == 64 && format->componentCount > 2)
        return {&attribute, 4};
    }
  return {};
}

Result<const FormatInfo *> checkedFormat(const VertexInput &input, const VertexAttribute &attribute) {
  const FormatInfo *format = DOVETAIL_TRY(getVertexFormat(attribute.format));
  // Only the format decides how components are widened and which values the missing ones have. A shader that reads
  // integers as floats gets their bits, as from any driver; Mesa's zink relies on that for attributes of 64 bits.
  if ((format->bits[0] == 64) != (input.elementBits == 64))
    return makeError(ErrorCode::StateMismatch,
                     "the shader reads location {} with {}-bit components, but the state gives it as {}",
                     input.location, input.elementBits, formatName(attribute.format));
  return format;
}

Result<void> planAttribute(FetchedAttribute &fetched, const VertexInput &input, const PipelineState &state,
                           bool losesSignOfTwoBits) {
  AttributeMatch match = findAttribute(state, input);
  if (!match.attribute)
    return makeError(ErrorCode::StateMismatch,
                     "the shader reads a vertex attribute at location {}, but the state has none there",
                     input.location);
  const VertexAttribute &attribute = *match.attribute;
  auto binding = std::find_if(state.vertexBindings.begin(), state.vertexBindings.end(),
                              [&](const VertexBinding &candidate) { return candidate.binding == attribute.binding; });
  if (binding == state.vertexBindings.end())
    return makeError(ErrorCode::StateMismatch,
                     "the vertex attribute at location {} ({}) is in binding {}, which the state lacks", input.location,
                     formatName(attribute.format), attribute.binding);
  const FormatInfo *format = DOVETAIL_TRY(checkedFormat(input, attribute));
  unsigned dwordLimit = input.elementBits == 64 ? 8 - match.firstDword : 4;
  if (input.dwordMask >> dwordLimit)
    return makeError(ErrorCode::Unsupported, "the shader reads dword {} of the vertex attribute at location {} ({})",
                     std::bit_width(input.dwordMask) - 1, input.location, formatName(attribute.format));

  fetched.location = input.location;
  uint8_t dwordMask = input.dwordMask << match.firstDword;
  if (format->vertexFetch == VertexFetchMethod::Wide)
    planWideFetch(fetched, *format, dwordMask, attribute.offset);
  else
    planNarrowFetch(fetched, *format, dwordMask, attribute.offset);
  if (losesSignOfTwoBits)
    restoreSigns(fetched, *format);
  for (unsigned dword = 0; dword != 8; ++dword)
    if (dwordMask >> dword & 1 && fetched.dwords[dword].source == DwordSource::Unread)
      fetched.dwords[dword] = {DwordSource::Constant, 0, 0, missingDword(*format, dword)};
  std::rotate(fetched.dwords.begin(), fetched.dwords.begin() + match.firstDword, fetched.dwords.end());

  if (fetched.loads.empty())
    return {};
  fetched.binding = attribute.binding;
  if (binding->inputRate == VK_VERTEX_INPUT_RATE_VERTEX) {
    fetched.index = FetchIndex::Vertex;
  } else if (binding->divisor == 0) {
    fetched.index = FetchIndex::StartInstance;
  } else if (binding->divisor == 1) {
    fetched.index = FetchIndex::Instance;
  } else {
    fetched.index = FetchIndex::DividedInstance;
    fetched.divisor = binding->divisor;
  }
  return {};
}

// "xyz", or "[0,1,4,5]" if a 64-bit attribute has dwords beyond the fourth.
std::string describeDwords(const FetchedAttribute &attribute) {
  std::string letters, numbers;
  bool isLong = false;
  for (unsigned dword = 0; dword != 8; ++dword) {
    if (attribute.dwords[dword].source == DwordSource::Unread)
      continue;
    isLong |= dword >= 4;
    if (dword < 4)
      letters += "xyzw"[dword];
    numbers += numbers.empty() ? "[" : ",";
    numbers += char('0' + dword);
  }
  return isLong ? numbers + "]" : letters;
}

// False if channels go straight from one load to the registers where they are read.
bool isShuffled(const FetchedAttribute &attribute) {
  unsigned next = 0;
  for (const AttributeDword &dword : attribute.dwords)
    if (dword.source != DwordSource::Unread &&
        (dword.source != DwordSource::Load || dword.load != 0 || dword.channel != next++))
      return true;
  return false;
}

std::string describeSources(const FetchedAttribute &attribute) {
  std::string sources;
  for (const AttributeDword &dword : attribute.dwords) {
    if (dword.source == DwordSource::Unread)
      continue;
    const bool isSigned = dword.source == DwordSource::SignedTwoBits;
    if (dword.source == DwordSource::Load || isSigned)
      sources += fmt::format(" {}{}.{}", isSigned ? "signed " : "", dword.load, "xyzw"[dword.channel & 3]);
    else if (dword.source == DwordSource::Constant)
      sources += fmt::format(" {:#x}", dword.constant);
    else
      sources += fmt::format(" shared exponent {}", "xyzw"[dword.channel & 3]);
  }
  return sources;
}

std::string describeAttribute(const FetchedAttribute &attribute) {
  std::string text = "attr" + std::to_string(attribute.location) + "." + describeDwords(attribute);
  if (attribute.loads.empty())
    return text + " constant";
  text.reserve(64);
  for (const VertexLoad &load : attribute.loads) {
    text.append(&load == attribute.loads.data() ? " " : " and ").append(toString(load.dataFormat));
    text.append(" ").append(toString(load.numFormat)).append(" +").append(std::to_string(load.offset));
  }
  if (isShuffled(attribute))
    text += " as" + describeSources(attribute);
  text.append(" binding ").append(std::to_string(attribute.binding));
  if (attribute.index == FetchIndex::DividedInstance)
    return text + fmt::format(" per {} instances", attribute.divisor);
  return text + (attribute.index == FetchIndex::Instance        ? " per instance"
                 : attribute.index == FetchIndex::StartInstance ? " at the start instance"
                                                                : "");
}

bool isPerInstance(const FetchedAttribute &attribute) {
  return !attribute.loads.empty() &&
         (attribute.index == FetchIndex::Instance || attribute.index == FetchIndex::DividedInstance);
}

} // namespace

Result<VertexPrologKey> makeVertexPrologKey(const ShaderInterface &main, const PipelineState &state,
                                            std::string_view gpuName) {
  VertexPrologKey key;
  key.gpuName = gpuName;
  const TargetInfo *target = findTarget(gpuName);
  key.sgprCount = passedSgprs(main);
  unsigned dwordCount = 0;
  key.attributes.reserve(main.vertex.inputs.size());
  for (const VertexInput &input : main.vertex.inputs) {
    if (!input.dwordMask)
      continue;
    DOVETAIL_CHECK(planAttribute(key.attributes.emplace_back(), input, state, target && target->losesSignOfTwoBits));
    dwordCount += std::popcount(input.dwordMask);
  }
  if (VertexVgprCount + dwordCount > MaxReturnedVgprs)
    return makeError(ErrorCode::Unsupported, "the shader reads {} dwords of vertex attributes; at most {} fit",
                     dwordCount, MaxReturnedVgprs - VertexVgprCount);
  if (!std::ranges::is_sorted(key.attributes, {}, &FetchedAttribute::location))
    std::ranges::sort(key.attributes, {}, &FetchedAttribute::location);
  return key;
}

Result<std::optional<VertexPrologKey>> VertexPrologKey::make(const Surroundings &around) {
  VertexPrologKey key = DOVETAIL_TRY(makeVertexPrologKey(around.main, around.state, around.target.gpuName));
  if (key.attributes.empty())
    return std::nullopt;
  return std::optional(std::move(key));
}

PartKey VertexPrologKey::partKey() const {
  return {Kind, hashKey(*this)};
}

std::string VertexPrologKey::describe() const {
  std::string text;
  for (const FetchedAttribute &attribute : attributes)
    text.append(text.empty() ? "" : ", ").append(describeAttribute(attribute));
  return text.empty() ? "no attributes" : text;
}

Contract VertexPrologKey::contract() const {
  bool usesTable = false, usesVertex = false, usesBaseInstance = false;
  size_t dwordCount = 0;
  for (const FetchedAttribute &attribute : attributes) {
    dwordCount += attribute.dwordCount();
    if (attribute.loads.empty())
      continue;
    usesTable = true;
    usesVertex |= attribute.index == FetchIndex::Vertex;
    usesBaseInstance |= attribute.index != FetchIndex::Vertex;
  }

  Contract contract;
  contract.inputs.reserve(5);
  contract.outputs.reserve(dwordCount);
  auto input = [&](bool isUsed, ValueKind kind, RegisterBank bank, uint16_t index) {
    if (isUsed)
      contract.inputs.push_back({{kind}, {bank, index}});
  };
  input(usesTable, ValueKind::VertexBufferTable, RegisterBank::Sgpr, 1);
  input(usesVertex, ValueKind::BaseVertex, RegisterBank::Sgpr, 2);
  input(usesBaseInstance, ValueKind::BaseInstance, RegisterBank::Sgpr, 3);
  input(usesVertex, ValueKind::VertexId, RegisterBank::Vgpr, 0);
  input(std::any_of(attributes.begin(), attributes.end(), isPerInstance), ValueKind::InstanceId, RegisterBank::Vgpr,
        InstanceIdVgpr);

  uint16_t vgpr = VertexVgprCount;
  for (const FetchedAttribute &attribute : attributes)
    for (uint8_t dword = 0; dword != 8; ++dword)
      if (attribute.dwords[dword].source != DwordSource::Unread)
        contract.outputs.push_back({{ValueKind::Attribute, attribute.location, dword}, {RegisterBank::Vgpr, vgpr++}});
  contract.preservedSgprs = sgprCount;
  contract.preservedVgprs = VertexVgprCount;
  return contract;
}

// The VGPRs that are passed on must be allocated, too.
void VertexPrologKey::complete(Part &part) const {
  part.usage.vgprs = std::max<uint16_t>(part.usage.vgprs, part.contract.preservedVgprs);
}

// ---- Listing ----

// The prolog does all descriptors, then the numbers of the elements, then all loads, then the conversions that the
// hardware's formats lack. In the order by attribute, attributes come first whose loads take registers of their own,
// the largest first. When the last attributes load nothing but what is read, all registers that the others took are
// free.
namespace {

// Registers that are the same in every vertex main part.
constexpr unsigned VertexBufferTableSgpr = 1, BaseVertexSgpr = 2, BaseInstanceSgpr = 3;
constexpr unsigned VertexIdVgpr = 0;

class VertexPrologLister {
public:
  VertexPrologLister(const VertexPrologKey &key) : m_key(key), m_listing(key.sgprCount, VertexVgprCount, false) {}

  Listing list(PrologOrder order) {
    for (const FetchedAttribute &attribute : m_key.attributes)
      if (!attribute.loads.empty())
        addDescriptor(attribute.binding);
    if (order == PrologOrder::ByAttribute) {
      listByAttribute();
      return std::move(m_listing);
    }
    for (const FetchedAttribute &attribute : m_key.attributes)
      if (!attribute.loads.empty())
        addIndex(attribute);
    for (const FetchedAttribute &attribute : m_key.attributes)
      for (const VertexLoad &load : attribute.loads)
        m_loads.push_back(addLoad(attribute, load));
    const Value *loads = m_loads.data();
    for (const FetchedAttribute &attribute : m_key.attributes) {
      giveAttribute(attribute, loads, {});
      loads += attribute.loads.size();
    }
    return std::move(m_listing);
  }

private:
  // Loads that take registers of their own, because they bring in more than is read, or in another order.
  using Strays = std::bitset<MaxVertexLoads>;

  void listByAttribute() {
    struct Item {
      const FetchedAttribute *attribute;
      uint16_t firstVgpr;
      Strays strays;
      unsigned waste; // registers that the strays take
    };
    boost::container::small_vector<Item, 32> items;
    for (const FetchedAttribute &attribute : m_key.attributes) {
      const Strays strays = straysOf(attribute);
      unsigned waste = 0;
      for (size_t load = 0; load != attribute.loads.size(); ++load)
        waste += strays[load] ? attribute.loads[load].channels : 0;
      items.push_back({&attribute, m_nextVgpr, strays, waste});
      m_nextVgpr += uint16_t(attribute.dwordCount());
    }
    std::ranges::stable_sort(items, std::ranges::greater(), &Item::waste);
    for (const Item &item : items) {
      if (!item.attribute->loads.empty())
        addIndex(*item.attribute);
      m_loads.clear();
      for (const VertexLoad &load : item.attribute->loads)
        m_loads.push_back(addLoad(*item.attribute, load));
      m_nextVgpr = item.firstVgpr;
      giveAttribute(*item.attribute, m_loads.data(), item.strays);
    }
  }

  // The other loads go to the registers where their channels, or values made from these, are given.
  static Strays straysOf(const FetchedAttribute &attribute) {
    boost::container::static_vector<AttributeDword, 8> read;
    for (const AttributeDword &dword : attribute.dwords)
      if (dword.source == DwordSource::SignedTwoBits)
        read.push_back({DwordSource::Load, dword.load, dword.channel, 0});
      else if (dword.source != DwordSource::Unread)
        read.push_back(dword);
    Strays strays;
    for (uint8_t load = 0; load != attribute.loads.size(); ++load) {
      std::array<AttributeDword, 4> whole;
      const unsigned channels = attribute.loads[load].channels;
      for (uint8_t channel = 0; channel != channels; ++channel)
        whole[channel] = {DwordSource::Load, load, channel, 0};
      strays[load] = std::ranges::search(read, std::span(whole).first(channels)).empty();
    }
    return strays;
  }

  struct Descriptor {
    uint32_t binding;
    Value value;
  };
  struct Index {
    FetchIndex index;
    uint32_t divisor;
    Value value;
  };

  Value &find(Value &input, RegisterBank bank, unsigned reg) {
    if (!input)
      input = m_listing.input(bank, reg);
    return input;
  }

  Value descriptorOf(uint32_t binding) const {
    for (const Descriptor &descriptor : m_descriptors)
      if (descriptor.binding == binding)
        return descriptor.value;
    return {};
  }
  Value indexOf(const FetchedAttribute &attribute) const {
    for (const Index &index : m_indices)
      if (index.index == attribute.index && index.divisor == attribute.divisor)
        return index.value;
    return {};
  }

  void addDescriptor(uint32_t binding) {
    if (descriptorOf(binding))
      return;
    Value table = find(m_table, RegisterBank::Sgpr, VertexBufferTableSgpr);
    m_descriptors.push_back({binding, m_listing.addImmediate(Operation::LoadDescriptor, table, binding)});
  }

  void addIndex(const FetchedAttribute &attribute) {
    if (!indexOf(attribute))
      m_indices.push_back({attribute.index, attribute.divisor, elementIndex(attribute)});
  }

  Value elementIndex(const FetchedAttribute &attribute) {
    if (attribute.index == FetchIndex::Vertex)
      return m_listing.add(Operation::Add, m_listing.input(RegisterBank::Vgpr, VertexIdVgpr),
                           m_listing.input(RegisterBank::Sgpr, BaseVertexSgpr));
    Value base = find(m_baseInstance, RegisterBank::Sgpr, BaseInstanceSgpr);
    if (attribute.index == FetchIndex::StartInstance)
      return m_listing.add(Operation::ToVector, base);
    Value instance = find(m_instance, RegisterBank::Vgpr, InstanceIdVgpr);
    if (attribute.index == FetchIndex::DividedInstance)
      instance = m_listing.addImmediate(Operation::DivideUnsigned, instance, attribute.divisor);
    return m_listing.add(Operation::Add, instance, base);
  }

  Value addLoad(const FetchedAttribute &attribute, const VertexLoad &load) {
    return m_listing.add(Step{.operation = Operation::LoadTyped,
                              .operands = {descriptorOf(attribute.binding), indexOf(attribute)},
                              .load = {load.dataFormat, load.numFormat, load.channels, load.offset}});
  }

  // `loads`: those of the attribute. Values from a load in `moved` are moved to their places at once.
  void giveAttribute(const FetchedAttribute &attribute, const Value *loads, Strays moved) {
    for (const AttributeDword &dword : attribute.dwords) {
      if (dword.source == DwordSource::Unread)
        continue;
      Value value = valueOf(attribute, dword, loads);
      if (dword.source == DwordSource::Load && moved[dword.load])
        value = m_listing.add(Operation::ToVector, value);
      m_listing.give(value, {RegisterBank::Vgpr, m_nextVgpr++});
    }
  }

  Value valueOf(const FetchedAttribute &attribute, const AttributeDword &dword, const Value *loads) {
    switch (dword.source) {
    case DwordSource::Unread:
      break;
    case DwordSource::Load:
      return loads[dword.load].withChannel(dword.channel);
    case DwordSource::SignedTwoBits:
      return restoreSign(loads[dword.load].withChannel(dword.channel), attribute.loads[dword.load].numFormat);
    case DwordSource::Constant:
      return m_listing.constant(dword.constant);
    case DwordSource::SharedExponent:
      return decodeSharedExponent(loads[dword.load], dword.channel);
    }
    return {};
  }

  // The two bits are at the bottom of an integer. The floats 0, 1/3, 2/3 and 1 have them at the bottom of their
  // exponent, in bits 23 and 24: 0x00000000, 0x3eaaaaab, 0x3f2aaaab, 0x3f800000.
  Value restoreSign(Value value, BufferNumFormat format) {
    const uint32_t lowest = format == BufferNumFormat::Snorm ? 23 : 0;
    if (format == BufferNumFormat::Sscaled)
      value = m_listing.add(Operation::ToUnsigned, value);
    value = m_listing.addImmediate(Operation::SignedBitField, value, lowest, 2);
    if (format == BufferNumFormat::Sint)
      return value;
    value = m_listing.add(Operation::FromSigned, value);
    if (format == BufferNumFormat::Snorm) // both -2 and -1 mean -1
      value = m_listing.add(Operation::Max, value, m_listing.constant(std::bit_cast<uint32_t>(-1.0f)));
    return value;
  }

  // E5B9G9R9: mantissa * 2^(exponent - 15 - 9).
  Value decodeSharedExponent(Value packed, unsigned component) {
    Value mantissa = m_listing.addImmediate(Operation::BitField, packed, component * 9, 9);
    Value exponent = m_listing.addImmediate(Operation::BitField, packed, 27, 5);
    return m_listing.add(Operation::ScaleByPowerOf2, m_listing.add(Operation::FromUnsigned, mantissa),
                         m_listing.add(Operation::Add, exponent, m_listing.constant(uint32_t(-(15 + 9)))));
  }

  const VertexPrologKey &m_key;
  Listing m_listing;
  Value m_table, m_instance, m_baseInstance;
  boost::container::small_vector<Descriptor, 16> m_descriptors;
  boost::container::small_vector<Index, 8> m_indices;
  boost::container::small_vector<Value, 32> m_loads; // of all attributes, or of one
  uint16_t m_nextVgpr = VertexVgprCount;
};

} // namespace

Listing listingOf(const VertexPrologKey &key, PrologOrder order) {
  return VertexPrologLister(key).list(order);
}

// ---- LLVM IR ----

// A vertex prolog as LLVM IR, for the amdgpu_vs calling convention: arguments and results are numbered from s0 and v0
// on, so an argument that is returned at its own place costs nothing.
llvm::Function *emitFunction(llvm::Module &module, const VertexPrologKey &key, std::string_view name) {
  llvm::LLVMContext &context = module.getContext();
  llvm::Type *i32 = llvm::Type::getInt32Ty(context);
  llvm::SmallVector<llvm::Type *, 64> resultTypes(key.sgprCount, i32);
  resultTypes.append(VertexVgprCount + key.contract().outputs.size(), llvm::Type::getFloatTy(context));
  llvm::SmallVector<llvm::Type *, 64> argumentTypes(key.sgprCount + VertexVgprCount, i32);
  auto *type = llvm::FunctionType::get(llvm::StructType::get(context, resultTypes), argumentTypes, false);
  llvm::Function *function = createFunction(module, type, key.sgprCount, llvm::CallingConv::AMDGPU_VS, name);
  emitListing(*function, listingOf(key));
  return function;
}

Result<void> composeAround(lgc::HardwareFormShader &shader, const VertexPrologKey &key) {
  llvm::Function &main = *DOVETAIL_TRY(findHardwareEntry(*shader.module));
  llvm::Function &prolog = *emitFunction(*shader.module, key, toSymbol(key.Kind));
  DOVETAIL_CHECK(composeProlog(main, prolog, key.sgprCount, VertexVgprCount));
  std::erase_if(shader.interface.inputs, [](const Binding &input) { return input.value.kind == ValueKind::Attribute; });
  addInputs(shader.interface, key.contract());
  return {};
}

} // namespace dovetail

// SPDX-License-Identifier: MIT
//
// What a vertex prolog does: all descriptors, then the numbers of the elements, then all loads, then what the formats
// of the hardware cannot do. In the order by attribute, those come first whose loads take registers of their own, the
// largest first: by the time when nothing but what is read is loaded, all others are free.
#include "parts/kinds/vertex_prolog.h"
#include "parts/listing/listing.h"
#include <algorithm>
#include <array>
#include <bit>
#include <bitset>
#include <boost/container/small_vector.hpp>
#include <boost/container/static_vector.hpp>
#include <span>

namespace dovetail {

namespace {

// Registers that every vertex main part has at the same place.
constexpr unsigned VertexBufferTableSgpr = 1, BaseVertexSgpr = 2, BaseInstanceSgpr = 3;
constexpr unsigned VertexIdVgpr = 0;

class PrologLister {
public:
  PrologLister(const VertexPrologKey &key) : m_key(key), m_listing(key.sgprCount, VertexVgprCount, false) {}

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
  // The loads of an attribute that take registers of their own, because they bring in more than is read, or in another
  // order.
  using Strays = std::bitset<MaxVertexLoads>;

  void listByAttribute() {
    struct Item {
      const FetchedAttribute *attribute;
      uint16_t firstVgpr;
      Strays strays;
      unsigned waste; // registers that these take
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

  // The others are loaded to where their channels, or what becomes of them, are given.
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

  // `loads`: those of the attribute. What comes from one of `moved` is moved to its place at once.
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

  // The two bits are at the bottom of an integer. 0, 1/3, 2/3 and 1 have them at the bottom of their exponent, bits 23
  // and 24: 0x00000000, 0x3eaaaaab, 0x3f2aaaab, 0x3f800000.
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

Listing listVertexProlog(const VertexPrologKey &key, PrologOrder order) {
  return PrologLister(key).list(order);
}

} // namespace dovetail

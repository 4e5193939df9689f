// SPDX-License-Identifier: MIT
#include "tools/common/pipe-file/pipe_layout.h"
#include "tools/common/pipe-file/number_list.h"
#include <algorithm>
#include <cstring>
#include <span>

namespace dovetail::pipe_file {

namespace {

constexpr uint64_t MaxDwords = uint64_t(64) << 20; // 256 MiB

struct DescriptorType {
  std::string_view name;
  UserDataNodeType type;
  uint32_t dwords;
};
constexpr DescriptorType Descriptors[] = {
    {"DescriptorResource", UserDataNodeType::Image, 8},
    {"DescriptorImage", UserDataNodeType::Image, 8},
    {"DescriptorSampler", UserDataNodeType::Sampler, 4},
    {"DescriptorCombinedTexture", UserDataNodeType::CombinedImageSampler, 12},
    {"DescriptorTexelBuffer", UserDataNodeType::TexelBuffer, 4},
    {"DescriptorConstTexelBuffer", UserDataNodeType::TexelBuffer, 4},
    {"DescriptorBuffer", UserDataNodeType::Buffer, 4},
    {"DescriptorConstBuffer", UserDataNodeType::Buffer, 4},
    {"DescriptorFmask", UserDataNodeType::Fmask, 8},
    {"DescriptorBufferCompact", UserDataNodeType::CompactBuffer, 2},
    {"DescriptorConstBufferCompact", UserDataNodeType::CompactBuffer, 2},
    {"InlineBuffer", UserDataNodeType::InlineUniforms, 1},
};

class NodeReader {
public:
  NodeReader(SectionReader &section, UserDataNodes &nodes) : m_section(section), m_nodes(nodes) {}

  Result<void> readRoot() {
    for (uint32_t index : m_section.indices("userDataNode")) {
      const std::string path = fmt::format("userDataNode[{}]", index);
      const std::string type = m_section.text(path + ".type").value_or("");
      (void)m_section.number(path + ".visibility");
      UserDataNode node = DOVETAIL_TRY(readPlace(path));
      if (type == "DescriptorTableVaPtr") {
        DOVETAIL_CHECK(readTable(path, node));
      } else if (type == "PushConst") {
        node.type = UserDataNodeType::PushConstants;
        node.set = node.binding = 0;
        (void)m_section.number(path + ".set");
        (void)m_section.number(path + ".binding");
        DOVETAIL_CHECK(add(path, node));
      } else if (type == "DescriptorBuffer" || type == "DescriptorConstBuffer") {
        node = DOVETAIL_TRY(readElement(path));
        node.type = UserDataNodeType::RootBuffer;
        DOVETAIL_CHECK(add(path, node));
      } else if (type == "IndirectUserDataVaPtr" || type == "StreamOutTableVaPtr") {
        (void)m_section.number(path + ".indirectUserDataCount");
      } else {
        return unsupported(path, type.starts_with("Descriptor") ? type + " in the root table, beside descriptor tables"
                                                                : "\"" + type + "\"");
      }
    }
    return m_section.finish();
  }

private:
  tl::unexpected<Error> unsupported(const std::string &path, const std::string &what) const {
    return m_section.wrong(path, what, ErrorCode::Unsupported);
  }

  Result<UserDataNode> readPlace(const std::string &path) {
    const uint64_t offset = m_section.number(path + ".offsetInDwords").value_or(0);
    const uint64_t size = m_section.number(path + ".sizeInDwords").value_or(0);
    if (offset > MaxDwords || size > MaxDwords)
      return m_section.wrong(path, "beyond 256 MiB");
    UserDataNode node = {};
    node.offsetInDwords = uint32_t(offset);
    node.sizeInDwords = uint32_t(size);
    return node;
  }

  // A table's set is the set of its elements.
  Result<void> readTable(const std::string &path, UserDataNode table) {
    table.type = UserDataNodeType::DescriptorTable;
    table.sizeInDwords = 1;
    bool hasSet = false;
    for (uint32_t index : m_section.indices(path + ".next")) {
      const std::string place = fmt::format("{}.next[{}]", path, index);
      const UserDataNode element = DOVETAIL_TRY(readElement(place));
      if (hasSet && element.set != table.set)
        return unsupported(place, fmt::format("sets {} and {} share a table", table.set, element.set));
      table.set = element.set;
      hasSet = true;
      DOVETAIL_CHECK(add(place, element));
    }
    return hasSet ? add(path, table) : Result<void>();
  }

  Result<UserDataNode> readElement(const std::string &path) {
    const std::string type = m_section.text(path + ".type").value_or("");
    (void)m_section.number(path + ".visibility");
    auto found = std::ranges::find(Descriptors, type, &DescriptorType::name);
    if (found == std::end(Descriptors))
      return unsupported(path, type.empty() ? "no type" : type + " in a table");
    UserDataNode node = DOVETAIL_TRY(readPlace(path));
    node.type = found->type;
    node.set = uint32_t(m_section.number(path + ".set").value_or(0));
    node.binding = uint32_t(m_section.number(path + ".binding").value_or(0));
    const uint64_t stride = m_section.number(path + ".strideInDwords").value_or(0);
    if (stride > MaxDwords)
      return m_section.wrong(path, "beyond 256 MiB");
    node.strideInDwords = stride                                          ? uint32_t(stride)
                          : node.type == UserDataNodeType::InlineUniforms ? node.sizeInDwords
                                                                          : found->dwords;
    if (node.sizeInDwords < found->dwords)
      return m_section.wrong(path, fmt::format("{} has {} dwords", type, found->dwords));
    return node;
  }

  // Another section may have the same node, but not a different one for the same place.
  Result<void> add(const std::string &path, const UserDataNode &node) {
    for (const UserDataNode &other : m_nodes) {
      if (other == node)
        return {};
      if (other.type != node.type || other.set != node.set || other.binding != node.binding)
        continue;
      if (node.type == UserDataNodeType::DescriptorTable)
        return unsupported(path, fmt::format("a second table for set {}", node.set));
      return m_section.wrong(path, "contradicts a node of the same type, set and binding");
    }
    m_nodes.push_back(node);
    return {};
  }

  SectionReader &m_section;
  UserDataNodes &m_nodes;
};

constexpr uint32_t SamplerDwords = 4;

struct ImmutableSamplers {
  uint32_t set = 0, binding = 0;
  std::vector<uint32_t> words;
};

// Puts the samplers in place of a sampler node. False: the table has other samplers there.
bool putInto(fossilize::RootTable &table, const ImmutableSamplers &samplers) {
  const auto isOf = [&](const UserDataNode &node, UserDataNodeType type) {
    return node.type == type && node.set == samplers.set && node.binding == samplers.binding;
  };
  for (const UserDataNode &node : table.nodes)
    if (isOf(node, UserDataNodeType::ImmutableSampler))
      return std::ranges::equal(samplers.words,
                                std::span(table.immutableSamplers).subspan(node.offsetInDwords, node.sizeInDwords));
  std::erase_if(table.nodes, [&](const UserDataNode &node) { return isOf(node, UserDataNodeType::Sampler); });
  // The image keeps its place, and nodes behind it stay.
  for (UserDataNode &node : table.nodes)
    if (isOf(node, UserDataNodeType::CombinedImageSampler))
      node.type = UserDataNodeType::Image;
  table.nodes.push_back({UserDataNodeType::ImmutableSampler, samplers.set, samplers.binding,
                         uint32_t(table.immutableSamplers.size()), uint32_t(samplers.words.size()), SamplerDwords});
  table.immutableSamplers.insert(table.immutableSamplers.end(), samplers.words.begin(), samplers.words.end());
  return true;
}

} // namespace

Result<void> addNodes(SectionReader &section, UserDataNodes &nodes) {
  DOVETAIL_CHECK(NodeReader(section, nodes).readRoot());
  // Nodes of the root table come first, as in all layouts.
  std::ranges::stable_partition(nodes, [](const UserDataNode &node) { return isInRoot(node.type); });
  return {};
}

Result<void> addImmutableSamplers(SectionReader &section, fossilize::RootTable &table) {
  for (uint32_t index : section.indices("descriptorRangeValue")) {
    const std::string path = fmt::format("descriptorRangeValue[{}]", index);
    const std::string type = section.text(path + ".type").value_or("");
    (void)section.number(path + ".visibility");
    if (type != "DescriptorSampler" && type != "DescriptorCombinedTexture")
      return section.wrong(path, "\"" + type + "\" with a value", ErrorCode::Unsupported);
    ImmutableSamplers samplers;
    samplers.set = uint32_t(section.number(path + ".set").value_or(0));
    samplers.binding = uint32_t(section.number(path + ".binding").value_or(0));
    const uint64_t count = section.number(path + ".arraySize").value_or(1);
    DOVETAIL_CHECK(section.finish());
    const std::string name = path + ".uintData";
    const std::vector<uint8_t> bytes =
        DOVETAIL_TRY(parseList<uint32_t>(section, name, section.text(name).value_or(""), parseInteger));
    if (count == 0 || count > MaxDwords / SamplerDwords || bytes.size() != count * SamplerDwords * sizeof(uint32_t))
      return section.wrong(path, fmt::format("{} bytes for {} samplers", bytes.size(), count), ErrorCode::Unsupported);
    samplers.words.resize(bytes.size() / sizeof(uint32_t));
    std::memcpy(samplers.words.data(), bytes.data(), bytes.size());
    if (!putInto(table, samplers))
      return section.wrong(path, "contradicts a value of the same set and binding");
  }
  return section.finish();
}

} // namespace dovetail::pipe_file

// SPDX-License-Identifier: MIT
#include "tools/pipe-file/pipe_layout.h"
#include <algorithm>

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

  // Its set is that of its elements.
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

  // Another section may have said the same, and must not say anything else.
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

} // namespace

Result<void> addNodes(SectionReader &section, UserDataNodes &nodes) {
  DOVETAIL_CHECK(NodeReader(section, nodes).readRoot());
  // What is in the root table comes first, as in all layouts.
  std::ranges::stable_partition(nodes, [](const UserDataNode &node) { return isInRoot(node.type); });
  return {};
}

} // namespace dovetail::pipe_file

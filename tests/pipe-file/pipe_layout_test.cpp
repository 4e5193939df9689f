// SPDX-License-Identifier: MIT
//
// Resource mappings that one root table can have are turned into one. Others are refused with their line.
#include "tools/common/pipe-file/pipe_layout.h"
#include <doctest/doctest.h>

using namespace dovetail;
using namespace dovetail::pipe_file;

namespace {

Result<UserDataNodes> nodesOf(const std::string &text) {
  std::vector<Section> sections = DOVETAIL_TRY(parseSections("a.pipe", text));
  UserDataNodes nodes;
  const std::string file = "a.pipe";
  for (Section &section : sections) {
    SectionReader reader(file, section);
    DOVETAIL_CHECK(addNodes(reader, nodes));
  }
  return nodes;
}

Result<fossilize::RootTable> tableOf(const std::string &text) {
  std::vector<Section> sections = DOVETAIL_TRY(parseSections("a.pipe", text));
  fossilize::RootTable table;
  table.nodes = DOVETAIL_TRY(nodesOf(text));
  const std::string file = "a.pipe";
  for (Section &section : sections) {
    SectionReader reader(file, section);
    DOVETAIL_CHECK(addImmutableSamplers(reader, table));
  }
  return table;
}

// A line for each member of a node.
std::string node(const std::string &path, const std::string &type, unsigned offset, unsigned size,
                 const std::string &more = "") {
  return fmt::format("{0}.type = {1}\n{0}.offsetInDwords = {2}\n{0}.sizeInDwords = {3}\n{4}", path, type, offset, size,
                     more);
}

std::string element(unsigned table, unsigned index, const std::string &type, unsigned offset, unsigned size,
                    unsigned set, unsigned binding) {
  const std::string path = fmt::format("userDataNode[{}].next[{}]", table, index);
  return node(path, type, offset, size, fmt::format("{0}.set = {1}\n{0}.binding = {2}\n", path, set, binding));
}

std::string samplers(unsigned index, unsigned set, unsigned binding, unsigned count, const std::string &words) {
  const std::string path = fmt::format("descriptorRangeValue[{}]", index);
  return fmt::format("{0}.visibility = 66\n{0}.type = DescriptorSampler\n{0}.set = {1}\n{0}.binding = {2}\n"
                     "{0}.arraySize = {3}\n{0}.uintData = {4}\n",
                     path, set, binding, count, words);
}

std::string errorOf(const std::string &text) {
  Result<fossilize::RootTable> table = tableOf(text);
  return table ? "no error" : table.error().text;
}

const std::string Table = node("userDataNode[0]", "DescriptorTableVaPtr", 3, 1);

} // namespace

TEST_CASE("tables, their elements and push constants have the places that the file says") {
  using enum UserDataNodeType;
  const std::string text =
      "[ResourceMapping]\n" + Table + element(0, 0, "DescriptorCombinedTexture", 8, 24, 2, 5) +
      element(0, 1, "DescriptorFmask", 32, 16, 2, 5) + element(0, 2, "DescriptorConstBuffer", 4, 4, 2, 1) +
      node("userDataNode[1]", "PushConst", 6, 10) +
      node("userDataNode[2]", "IndirectUserDataVaPtr", 16, 1, "userDataNode[2].indirectUserDataCount = 4\n");
  const UserDataNodes expected = {{DescriptorTable, 2, 0, 3, 1, 0},
                                  {PushConstants, 0, 0, 6, 10, 0},
                                  {CombinedImageSampler, 2, 5, 8, 24, 12},
                                  {Fmask, 2, 5, 32, 16, 8},
                                  {Buffer, 2, 1, 4, 4, 4}};
  CHECK(nodesOf(text).value() == expected);
}

TEST_CASE("stages may say the same, or see different parts of one root table") {
  const std::string first = Table + element(0, 0, "DescriptorSampler", 0, 4, 0, 0);
  const std::string second = first + element(0, 1, "DescriptorResource", 8, 8, 0, 1);
  CHECK(nodesOf("[VsInfo]\n" + first + "[FsInfo]\n" + second).value().size() == 3);
}

TEST_CASE("stages that contradict each other are refused") {
  CHECK(errorOf("[VsInfo]\n" + Table + element(0, 0, "DescriptorSampler", 0, 4, 0, 0) + "[FsInfo]\n" + Table +
                element(0, 0, "DescriptorSampler", 4, 4, 0, 0)) ==
        "a.pipe:14: userDataNode[0].next[0]: contradicts a node of the same type, set and binding");
}

TEST_CASE("what a root table of ours cannot have is refused, with the line") {
  CHECK(errorOf("[CsInfo]\n" + node("userDataNode[0]", "DescriptorSampler", 0, 4)) ==
        "a.pipe:2: userDataNode[0]: DescriptorSampler in the root table, beside descriptor tables");
  CHECK(errorOf("[CsInfo]\n" + Table + element(0, 0, "DescriptorMutable", 0, 8, 0, 0))
            .find("DescriptorMutable in a table") != std::string::npos);
  CHECK(errorOf("[CsInfo]\n" + Table + element(0, 0, "DescriptorBuffer", 0, 4, 0, 0) +
                element(0, 1, "DescriptorBuffer", 4, 4, 1, 0))
            .find("sets 0 and 1 share a table") != std::string::npos);
  CHECK(errorOf("[CsInfo]\n" + Table + element(0, 0, "DescriptorBuffer", 0, 4, 0, 0) +
                node("userDataNode[1]", "DescriptorTableVaPtr", 4, 1) + element(1, 0, "DescriptorBuffer", 0, 4, 0, 1))
            .find("a second table for set 0") != std::string::npos);
  CHECK(errorOf("[CsInfo]\n" + node("userDataNode[0]", "InlineBuffer", 0, 4)).find("\"InlineBuffer\"") !=
        std::string::npos);
}

TEST_CASE("buffers may be descriptors in the root table, addresses, or lie in a table themselves") {
  using enum UserDataNodeType;
  const std::string text =
      "[ResourceMapping]\n" + Table + element(0, 0, "DescriptorConstBufferCompact", 2, 2, 1, 7) +
      element(0, 1, "InlineBuffer", 4, 12, 1, 8) +
      node("userDataNode[1]", "DescriptorBuffer", 8, 4, "userDataNode[1].set = 2\nuserDataNode[1].binding = 3\n");
  const UserDataNodes expected = {{DescriptorTable, 1, 0, 3, 1, 0},
                                  {RootBuffer, 2, 3, 8, 4, 4},
                                  {CompactBuffer, 1, 7, 2, 2, 2},
                                  {InlineUniforms, 1, 8, 4, 12, 12}};
  CHECK(nodesOf(text).value() == expected);
}

TEST_CASE("samplers that have a value are in the layout, wherever the node says that they are") {
  using enum UserDataNodeType;
  const std::string text =
      "[ResourceMapping]\n" + samplers(0, 2, 5, 2, "1, 2, 3, 4, 5, 6, 7, 0x8") + samplers(1, 2, 6, 1, "9, 10, 11, 12") +
      samplers(2, 2, 7, 1, "1,1,1,1") + Table + element(0, 0, "DescriptorCombinedTexture", 8, 24, 2, 5) +
      element(0, 1, "DescriptorSampler", 8, 4, 2, 6) + element(0, 2, "DescriptorSampler", 4, 4, 2, 4);
  const fossilize::RootTable table = tableOf(text).value();
  const UserDataNodes expected = {{DescriptorTable, 2, 0, 3, 1, 0},  {Image, 2, 5, 8, 24, 12},
                                  {Sampler, 2, 4, 4, 4, 4},          {ImmutableSampler, 2, 5, 0, 8, 4},
                                  {ImmutableSampler, 2, 6, 8, 4, 4}, {ImmutableSampler, 2, 7, 12, 4, 4}};
  CHECK(table.nodes == expected);
  CHECK(table.immutableSamplers == std::vector<uint32_t>{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 1, 1, 1, 1});
  // Several stages may give the same samplers.
  CHECK(tableOf("[VsInfo]\n" + samplers(0, 0, 1, 1, "1, 2, 3, 4") + "[FsInfo]\n" + samplers(0, 0, 1, 1, "1, 2, 3, 4"))
            .value()
            .immutableSamplers.size() == 4);
}

TEST_CASE("values that are no samplers, or not so many, are refused") {
  CHECK(errorOf("[CsInfo]\n" + samplers(0, 0, 1, 2, "1, 2, 3, 4")) ==
        "a.pipe:2: descriptorRangeValue[0]: 16 bytes for 2 samplers");
  CHECK(errorOf("[CsInfo]\n" + samplers(0, 0, 1, 0, "")).find("0 bytes for 0 samplers") != std::string::npos);
  CHECK(errorOf("[CsInfo]\n" + samplers(0, 0, 1, 1, "1, 2, x, 4")).find("expected a list of numbers, found \"x\"") !=
        std::string::npos);
  CHECK(errorOf("[CsInfo]\ndescriptorRangeValue[0].type = DescriptorYCbCrSampler\n") ==
        "a.pipe:2: descriptorRangeValue[0]: \"DescriptorYCbCrSampler\" with a value");
  CHECK(errorOf("[VsInfo]\n" + samplers(0, 0, 1, 1, "1, 2, 3, 4") + "[FsInfo]\n" + samplers(0, 0, 1, 1, "1, 2, 3, 5"))
            .find("contradicts a value of the same set and binding") != std::string::npos);
}

TEST_CASE("an element that is too small for its type is refused") {
  CHECK(errorOf("[CsInfo]\n" + Table + element(0, 0, "DescriptorResource", 0, 4, 0, 0))
            .find("DescriptorResource has 8 dwords") != std::string::npos);
}

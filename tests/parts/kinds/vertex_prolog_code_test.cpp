// SPDX-License-Identifier: MIT
//
// Prologs as they are compiled: the right instructions, and no more registers than needed. They change nothing else.
#include "parts/cache/part_maker.h"
#include "parts/kinds/around/vertex_prolog.h"
#include "tests/parts/part_text.h"
#include "tests/parts/test_interfaces.h"
#include <algorithm>
#include <bit>
#include <cctype>

using namespace dovetail;

namespace {

PartMaker &maker() {
  static std::unique_ptr<PartMaker> instance = PartMaker::create("gfx900").value();
  return *instance;
}

PartRef prologOf(const ShaderInterface &main, const PipelineState &state) {
  Result<MadePart> made = maker().getAround(PartKind::VertexProlog, main, state);
  if (!made)
    FAIL(made.error().text);
  return made->part;
}

PartRef prologOf(uint8_t mask, VkFormat format, uint32_t offset = 0) {
  const FormatInfo *info = findFormat(format);
  VertexInput input{0, mask, info->isInteger() ? NumericClass::Uint : NumericClass::Float,
                    uint8_t(info->bits[0] == 64 ? 64 : 32)};
  return prologOf(vertexInterface({input}), vertexState({format}, offset));
}

std::string upper(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(), [](unsigned char c) { return std::toupper(c); });
  return result;
}

} // namespace

TEST_CASE("every vertex format compiles to loads of its own format") {
  for (const FormatInfo &format : allFormats()) {
    if (format.vertexFetch == VertexFetchMethod::None)
      continue;
    CAPTURE(formatName(format.format));
    PartRef part = prologOf(format.bits[0] == 64 ? 0xff : 0xf, format.format);
    CAPTURE(textOf(*part));
    std::string number = "BUF_NUM_FORMAT_" + upper(toString(format.numFormat));
    // The assembler leaves unsigned normalised out.
    if (format.numFormat != BufferNumFormat::Unorm)
      CHECK(countLines(*part, number) >= 1);
    CHECK(countLines(*part, "tbuffer_load_format") >= 1);
    CHECK(countLines(*part, "s_endpgm") == 0);
    CHECK(part->contract.outputs.size() == (format.bits[0] == 64 ? 8 : 4));
    CHECK(part->usage.scratchBytes == 0);
  }
}

TEST_CASE("two components that are read are two that are loaded") {
  PartRef part = prologOf(0x3, VK_FORMAT_R32G32B32A32_SFLOAT);
  CHECK(countLines(*part, "tbuffer_load_format_xy v[") == 1);
  CHECK(countLines(*part, "tbuffer_load") == 1);
  CHECK(countLines(*part, "BUF_DATA_FORMAT_32_32,") == 1);
  // v0 to v3 are the hardware's, v4 and v5 the attribute.
  CHECK(part->usage.vgprs == 6);
}

TEST_CASE("the last two components are loaded from their own address") {
  PartRef part = prologOf(0xc, VK_FORMAT_R32G32B32A32_SFLOAT, 16);
  CHECK(countLines(*part, "tbuffer_load_format_xy v[") == 1);
  CHECK(countLines(*part, "offset:24") == 1);
  CHECK(part->usage.vgprs == 6);
}

TEST_CASE("one component in the middle is one load of one register") {
  PartRef part = prologOf(0x2, VK_FORMAT_R8G8B8A8_UNORM, 4);
  CHECK(countLines(*part, "tbuffer_load_format_x ") == 1);
  CHECK(countLines(*part, "offset:5") == 1);
  CHECK(part->usage.vgprs == 5);
}

TEST_CASE("three small components are loaded one by one") {
  PartRef part = prologOf(0x7, VK_FORMAT_R16G16B16_SNORM);
  CHECK(countLines(*part, "tbuffer_load_format_x ") == 3);
  CHECK(countLines(*part, "offset:2") == 1);
  CHECK(countLines(*part, "offset:4") == 1);
  CHECK(countLines(*part, "BUF_DATA_FORMAT_16,") == 3);
}

TEST_CASE("64-bit attributes come as dwords") {
  PartRef part = prologOf(0x3f, VK_FORMAT_R64G64B64_SFLOAT);
  CHECK(countLines(*part, "tbuffer_load_format_xyzw") == 1);
  CHECK(countLines(*part, "tbuffer_load_format_xy ") + countLines(*part, "tbuffer_load_format_xy\tv") == 1);
  CHECK(countLines(*part, "offset:16") == 1);
}

TEST_CASE("missing components are constants, not loads") {
  PartRef part = prologOf(0xf, VK_FORMAT_R32_SFLOAT);
  CHECK(countLines(*part, "tbuffer_load_format_x ") == 1);
  CHECK(countLines(*part, "1.0") == 1);
  PartRef integer = prologOf(0x8, VK_FORMAT_R32_UINT);
  CHECK(countLines(*integer, "tbuffer_load") == 0);
  CHECK(countLines(*integer, "v_mov_b32_e32 v4, 1") == 1);
}

TEST_CASE("offsets beyond the instruction's 12 bits go through an SGPR") {
  PartRef part = prologOf(0x1, VK_FORMAT_R32_SFLOAT, 4096 + 8);
  CHECK(countLines(*part, "0x1000") == 1);
  CHECK(countLines(*part, "offset:8") == 1);
  CHECK(countLines(*prologOf(0x1, VK_FORMAT_R32_SFLOAT, 4092), "offset:4092") == 1);
}

TEST_CASE("the element index follows the input rate") {
  auto withRate = [](VkVertexInputRate rate, uint32_t divisor) {
    PipelineState state = vertexState({VK_FORMAT_R32_SFLOAT});
    state.vertexBindings[0] = {0, 4, rate, divisor};
    return prologOf(vertexInterface({floatInput(0, 0x1)}), state);
  };
  CHECK(countLines(*withRate(VK_VERTEX_INPUT_RATE_VERTEX, 1), "v_add_u32_e32 v4, s2, v0") == 1);
  CHECK(countLines(*withRate(VK_VERTEX_INPUT_RATE_INSTANCE, 1), "v_add_u32_e32 v4, s3, v3") == 1);
  PartRef divided = withRate(VK_VERTEX_INPUT_RATE_INSTANCE, 3);
  CHECK(countLines(*divided, "v_mul_hi_u32") == 1);
  PartRef halved = withRate(VK_VERTEX_INPUT_RATE_INSTANCE, 2);
  CHECK(countLines(*halved, "v_lshrrev_b32") == 1);
  PartRef fixed = withRate(VK_VERTEX_INPUT_RATE_INSTANCE, 0);
  CHECK(countLines(*fixed, "v_mov_b32_e32 v4, s3") == 1);
}

TEST_CASE("attributes of one binding share its descriptor") {
  PipelineState state = vertexState({VK_FORMAT_R32_SFLOAT, VK_FORMAT_R32_SFLOAT});
  state.vertexAttributes[1] = {1, 0, VK_FORMAT_R32_SFLOAT, 4};
  PartRef part = prologOf(vertexInterface({floatInput(0, 1), floatInput(1, 1)}), state);
  CHECK(countLines(*part, "s_load_dwordx4") == 1);
  PartRef separate = prologOf(vertexInterface({floatInput(0, 1), floatInput(1, 1)}),
                              vertexState({VK_FORMAT_R32_SFLOAT, VK_FORMAT_R32_SFLOAT}));
  CHECK(countLines(*separate, "s_load_dword") >= 1);
}

TEST_CASE("a main part without attributes needs no prolog") {
  Result<MadePart> made = maker().getAround(PartKind::VertexProlog, vertexInterface({}), PipelineState());
  REQUIRE(made.has_value());
  CHECK(made->part == nullptr);
}

TEST_CASE("a prolog is made once and then found") {
  std::unique_ptr<PartMaker> maker = PartMaker::create("gfx900").value();
  PipelineState state = vertexState({VK_FORMAT_R16G16_UINT}, 20);
  ShaderInterface main = vertexInterface({intInput(0, 0x3)});
  Result<MadePart> first = maker->getAround(PartKind::VertexProlog, main, state);
  Result<MadePart> second = maker->getAround(PartKind::VertexProlog, main, state);
  CHECK(first->made);
  CHECK_FALSE(second->made);
  CHECK(first->part == second->part);
  CHECK(first->part->buildMicroseconds > 0);
}

TEST_CASE("prologs compile for every GPU") {
  for (const TargetInfo &target : allTargets()) {
    const std::string_view gpu = target.gpuName;
    CAPTURE(gpu);
    std::unique_ptr<PartMaker> other = PartMaker::create(gpu).value();
    Result<MadePart> made = other->getAround(PartKind::VertexProlog, vertexInterface({floatInput(0, 0xf)}),
                                             vertexState({VK_FORMAT_R8G8B8A8_UNORM}));
    REQUIRE(made.has_value());
    CHECK(textOf(*made->part, gpu).find("tbuffer_load_format_xyzw") != std::string::npos);
  }
}

TEST_CASE("attributes that need more registers than a part can return are an Error") {
  std::vector<VertexInput> inputs;
  PipelineState state;
  for (uint8_t location = 0; location != 32; ++location) {
    inputs.push_back({location, 0xff, NumericClass::Float, 64});
    state.vertexAttributes.push_back({location, 0, VK_FORMAT_R64G64B64A64_SFLOAT, 0});
  }
  state.vertexBindings.push_back({0, 32, VK_VERTEX_INPUT_RATE_VERTEX, 1});
  Result<MadePart> made = maker().getAround(PartKind::VertexProlog, vertexInterface(inputs), state);
  REQUIRE_FALSE(made.has_value());
  CHECK((made.error().code == ErrorCode::Unsupported));
}

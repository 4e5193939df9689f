// SPDX-License-Identifier: MIT
//
// The cost of issuing code, and the instruction at an offset of it.
#include "src/isa/issue_cycles.h"
#include "src/mc/disassembler.h"
#include "tests/fossilize/capture_program.h"
#include "variants/bind/device.h"
#include "variants/inspect/code_cost.h"
#include "variants/inspect/code_place.h"
#include "variants/state/default_state.h"
#include <doctest/doctest.h>

using namespace dovetail;

namespace {

VariantRef bindSimple(const char *gpu = "gfx900") {
  const CapturedProgram program(simpleShaders());
  Result<VariantRef> variant = (*Device::create(gpu))->bind(program.shaders, defaultState(program.shaders));
  REQUIRE(variant);
  return *variant;
}

unsigned cyclesOf(std::string_view mnemonic, uint32_t flags = isa::Valu) {
  isa::Instruction instruction;
  instruction.mnemonic = mnemonic;
  instruction.flags = flags;
  return isa::issueCycles(instruction);
}

} // namespace

TEST_CASE("vector instructions take four cycles, those at a quarter of the rate 16, doubles more") {
  CHECK(cyclesOf("v_mov_b32_e32") == 4);
  CHECK(cyclesOf("v_mul_f32_e32") == 4);
  CHECK(cyclesOf("v_cmp_lt_f32_e32") == 4);
  CHECK(cyclesOf("v_cvt_pkrtz_f16_f32") == 4);
  CHECK(cyclesOf("v_lshlrev_b64") == 8);
  CHECK(cyclesOf("v_cmp_lt_i64_e32") == 8);
  CHECK(cyclesOf("v_rcp_f32_e32") == 16);
  CHECK(cyclesOf("v_mul_lo_u32") == 16);
  CHECK(cyclesOf("v_cvt_f32_u32_e32") == 16);
  CHECK(cyclesOf("v_add_f64") == 32);
  CHECK(cyclesOf("v_cmp_lt_f64_e32") == 32);
  CHECK(cyclesOf("v_rcp_f64_e32") == 64);
}

TEST_CASE("an s_nop takes four cycles for each wait state") {
  isa::Instruction nop;
  nop.mnemonic = "s_nop";
  nop.flags = isa::Nop;
  nop.immediate = 4;
  CHECK(isa::issueCycles(nop) == 20);
}

TEST_CASE("instructions are counted by their class, and parts sum up to programs") {
  for (const char *gpu : {"gfx803", "gfx900"}) {
    const VariantRef variant = bindSimple(gpu);
    const Image &image = *variant->image;
    const Result<std::vector<CodeCost>> parts = costsOfParts(image), programs = costsOfPrograms(image);
    REQUIRE(parts);
    REQUIRE(programs);
    REQUIRE(parts->size() == image.parts.size());
    REQUIRE(programs->size() == image.stages.size());
    for (size_t stage = 0; stage < image.stages.size(); ++stage) {
      CodeCost sum;
      unsigned nops = 0, waits = 0;
      for (size_t index = 0; index < image.parts.size(); ++index)
        if (image.parts[index].stage == stage) {
          sum += (*parts)[index];
          CHECK((*parts)[index].instructions == image.parts[index].part->instructionCount);
          nops += image.parts[index].waitStates > 0;
          waits += image.parts[index].waitStates;
        }
      const CodeCost &whole = (*programs)[stage];
      CHECK(whole.instructions == sum.instructions + nops);
      CHECK(whole.cycles == sum.cycles + 4 * waits);
      CHECK(whole.instructions == whole.vector + whole.interpolate + whole.scalar + whole.scalarLoads +
                                      whole.vectorMemory + whole.lds + whole.exports);
      CHECK(whole.exports > 0);
    }
  }
}

TEST_CASE("each instruction is found by all of its bytes, in its part") {
  const VariantRef variant = bindSimple();
  const Image &image = *variant->image;
  for (uint32_t index = 0; index < image.parts.size(); ++index) {
    const ImagePart &part = image.parts[index];
    for (uint32_t offset = part.offset; offset < part.offset + part.size;) {
      const Result<CodePlace> first = findPlace(image, offset);
      REQUIRE_MESSAGE(first, first.error().text);
      CHECK(first->instruction == offset);
      CHECK(first->part == index);
      CHECK(first->stage == part.stage);
      const Result<CodePlace> last = findPlace(image, offset + first->size - 1);
      REQUIRE(last);
      CHECK(last->instruction == offset);
      CHECK(last->text == first->text);
      offset += first->size;
    }
  }
  const ImageStage &last = image.stages.back();
  CHECK(findPlace(image, last.entry + last.size - 1)->text.starts_with("s_endpgm"));
}

TEST_CASE("an offset behind a program is an Error") {
  const VariantRef variant = bindSimple();
  const ImageStage &last = variant->image->stages.back();
  for (uint32_t offset : {last.entry + last.size, UINT32_MAX}) {
    const Result<CodePlace> place = findPlace(*variant->image, offset);
    REQUIRE_FALSE(place);
    CHECK(place.error().text.find("is in no program of the image") != std::string::npos);
  }
}

TEST_CASE("an s_nop between two parts is in none of them") {
  const VariantRef variant = bindSimple();
  Image image = *variant->image;
  // Makes the first part one instruction shorter, as if its last instruction were an s_nop of the join.
  const uint32_t end = image.parts[0].offset + image.parts[0].size;
  image.parts[0].size -= 4;
  const Result<CodePlace> place = findPlace(image, end - 4);
  REQUIRE_MESSAGE(place, place.error().text);
  CHECK_FALSE(place->part);
  CHECK(place->instruction == end - 4);
}

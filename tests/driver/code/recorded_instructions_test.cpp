// SPDX-License-Identifier: MIT
//
// Code generation describes the instructions that it encodes (src/lgc/codegen/recorded_instructions.h). For all shaders
// of tests/shaders, the disassembler must find the same in the bytes, as far as the bytes tell. Where an instruction
// cannot be described, the code is decoded; that must be true of none of them.
#include "parts/elf/object_reader.h"
#include "parts/kinds/main_part.h"
#include "src/isa/encoding.h"
#include "src/isa/register_use.h"
#include "src/lgc/builder_context.h"
#include "src/mc/disassembler.h"
#include "src/mc/instruction_describer.h"
#include "tests/driver/own_shaders.h"
#include "tests/parts/same_instruction.h"
#include "variants/assemble/get_parts.h"
#include <algorithm>
#include <doctest/doctest.h>
#include <llvm/IR/LLVMContext.h>

using namespace dovetail;

namespace {

// The bytes of an image instruction do not tell how many registers its address has; the disassembler says the fewest.
// It also says that each compare-and-swap of an image returns a value. The bytes of a DS instruction of GFX9 mean one
// that does not read M0 and one that does; the disassembler takes the latter.
void forgetWhatBytesHide(isa::Instruction &said, isa::Instruction &decoded) {
  if (said.is(isa::Mimg) && said.reads.size() == decoded.reads.size())
    for (size_t i = 0; i < said.reads.size(); ++i)
      if (said.reads[i].file == isa::RegisterFile::Vgpr && said.reads[i].count > decoded.reads[i].count)
        said.reads[i].count = decoded.reads[i].count;
  if (said.is(isa::Mimg) && said.writes.empty() && !decoded.writes.empty()) {
    decoded.writes.clear();
    for (isa::RegisterRange &range : decoded.reads)
      range.tied = false;
  }
  if (said.is(isa::Ds) && said.reads.size() < decoded.reads.size()) {
    const auto m0 = std::ranges::find(decoded.reads, isa::RegisterFile::M0, &isa::RegisterRange::file);
    if (m0 != decoded.reads.end() && m0->implicit)
      decoded.reads.erase(m0);
  }
}

} // namespace

TEST_CASE("instructions that code generation describes are those that its bytes have") {
  for (const std::string gpu : {"gfx900", "gfx803"}) {
    llvm::LLVMContext llvmContext;
    auto context = lgc::BuilderContext::create(llvmContext, gpu);
    REQUIRE(context);
    Result<mc::Disassembler::Lease> disassembler = mc::Disassembler::forGpu(gpu);
    REQUIRE(disassembler);
    const size_t count = forEachOwnShader([&](const ShaderSet &program, const Shader &shader) {
      const ShaderSource source = sourceOf(program, shader.description.stage, gpu);
      auto compiled = compileShader(source.key, source.words, **context, {});
      REQUIRE_MESSAGE(compiled, compiled.error().text);
      const auto object = readObject(compiled->elf, codeStage(compiled->interface.hardwareStage));
      REQUIRE_MESSAGE(object, object.error().text);
      for (isa::Instruction &instruction : compiled->instructions)
        mc::readControl(instruction, object->code, isa::microcodeOf(gpu));
      auto decoded = (*disassembler)->decodeAll(object->code);
      REQUIRE_MESSAGE(decoded, decoded.error().text);
      const isa::RegisterUse said = isa::registersUsed(compiled->instructions), found = isa::registersUsed(*decoded);
      CHECK(said.numberedSgprs == found.numberedSgprs);
      CHECK(said.specialSgprs == found.specialSgprs);
      REQUIRE(compiled->instructions.size() == decoded->size());
      for (size_t i = 0; i < decoded->size(); ++i)
        forgetWhatBytesHide(compiled->instructions[i], (*decoded)[i]);
      test::checkSame(compiled->instructions, *decoded);
    });
    CHECK(count > 200);
  }
}

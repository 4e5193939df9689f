// SPDX-License-Identifier: MIT
//
// The module reader finds the same variables and functions to which a function refers as SPIRV-Tools' own parser. So a
// literal is never taken for an id.
#include "src/spirv/module/module.h"
#include "tests/driver/own_shaders.h"
#include <algorithm>
#include <doctest/doctest.h>
#include <set>
#include <spirv-tools/libspirv.h>

using namespace dovetail;

namespace {

struct Found {
  std::set<uint32_t> variablesAndFunctions;
  std::vector<std::set<uint32_t>> referenced; // by function
};

spv_result_t takeInstruction(void *to, const spv_parsed_instruction_t *parsed) {
  Found &found = *static_cast<Found *>(to);
  const auto opcode = static_cast<spv::Op>(parsed->opcode);
  if (opcode == spv::Op::OpVariable || opcode == spv::Op::OpFunction)
    found.variablesAndFunctions.insert(parsed->result_id);
  if (opcode == spv::Op::OpFunction)
    found.referenced.emplace_back();
  if (found.referenced.empty())
    return SPV_SUCCESS;
  for (uint16_t i = 0; i < parsed->num_operands; ++i)
    if (parsed->operands[i].type == SPV_OPERAND_TYPE_ID)
      found.referenced.back().insert(parsed->words[parsed->operands[i].offset]);
  return SPV_SUCCESS;
}

Found findByTools(const std::vector<uint32_t> &words) {
  Found found;
  spv_context context = spvContextCreate(SPV_ENV_UNIVERSAL_1_6);
  REQUIRE(spvBinaryParse(context, &found, words.data(), words.size(), nullptr, takeInstruction, nullptr) ==
          SPV_SUCCESS);
  spvContextDestroy(context);
  return found;
}

} // namespace

TEST_CASE("functions refer to the variables and functions that SPIRV-Tools finds") {
  const size_t count = forEachOwnShader([](const ShaderSet &, const Shader &shader) {
    Found found = findByTools(shader.description.words);
    const spirv::Module module = spirv::parseModule(shader.description.words).value();
    REQUIRE(module.functions.size() == found.referenced.size());
    for (size_t i = 0; i < module.functions.size(); ++i) {
      std::set<uint32_t> referenced;
      for (uint32_t id : module.functions[i].referencedIds)
        if (found.variablesAndFunctions.contains(id))
          referenced.insert(id);
      std::erase_if(found.referenced[i], [&](uint32_t id) { return !found.variablesAndFunctions.contains(id); });
      CHECK(referenced == found.referenced[i]);
    }
  });
  CHECK(count > 200);
}

TEST_CASE("a module that is cut off or has unknown instructions is refused") {
  const OwnProgram program = readOwnPrograms().front();
  const auto shader = std::ranges::find_if(program.shaders.shaders, [](const ShaderRef &each) { return bool(each); });
  const std::vector<uint32_t> words = (*shader)->description.words;
  CHECK(spirv::parseModule(words).has_value());
  CHECK(spirv::parseModule(std::span(words).first(3)).error().text == "not valid SPIR-V at word 0: there is no header");
  const auto errorWith = [&](uint32_t head) {
    std::vector<uint32_t> other = words;
    other[spirv::HeaderWords] = head;
    return spirv::parseModule(other).error().text;
  };
  const auto capability = uint32_t(spv::Op::OpCapability);
  CHECK(errorWith(capability) == "not valid SPIR-V at word 5: the instruction has 0 words");
  CHECK(errorWith(0xffff0000 | capability) == "not valid SPIR-V at word 5: the instruction has 65535 words");
  CHECK(errorWith(2u << 16 | 0xffff) == "not valid SPIR-V at word 5: opcode 65535 is not known");
  CHECK(errorWith(1u << 16 | capability) == "not valid SPIR-V at word 5: 1 words are too few for opcode 17");
}

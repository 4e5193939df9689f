// SPDX-License-Identifier: MIT
//
// Follows operands back through loads, access chains and calls to the variables that they may come from.
#include "src/spirv/reflect/image_uses.h"
#include <algorithm>

namespace dovetail::spirv {

namespace {

class Tracer {
public:
  Tracer(const Module &module, uint32_t function) : m_functions(module.callTree(function)) {
    for (const Instruction &inst : module.globals)
      if (inst.result)
        m_definitions[inst.result] = &inst;
    for (const Function *each : m_functions) {
      for (const Instruction &parameter : each->parameters)
        m_definitions[parameter.result] = &parameter;
      for (const Block &block : each->blocks)
        for (const Instruction &inst : block.instructions) {
          if (inst.result)
            m_definitions[inst.result] = &inst;
          if (inst.opcode == spv::Op::OpFunctionCall)
            addCall(module, inst);
        }
    }
  }

  ImageUses run() {
    ImageUses uses;
    for (const Function *function : m_functions)
      for (const Block &block : function->blocks)
        for (const Instruction &inst : block.instructions) {
          if (comparesDepth(inst.opcode)) {
            uses.comparing.merge(placesOf(inst.operand(0)));
          } else if (inst.opcode == spv::Op::OpSampledImage && isIntegerImage(inst.operand(0))) {
            uses.integerSamplers.merge(placesOf(inst.operand(1)));
          }
        }
    return uses;
  }

private:
  static bool comparesDepth(spv::Op opcode) {
    switch (opcode) {
    case spv::Op::OpImageSampleDrefImplicitLod:
    case spv::Op::OpImageSampleDrefExplicitLod:
    case spv::Op::OpImageSampleProjDrefImplicitLod:
    case spv::Op::OpImageSampleProjDrefExplicitLod:
    case spv::Op::OpImageDrefGather:
    case spv::Op::OpImageSparseSampleDrefImplicitLod:
    case spv::Op::OpImageSparseSampleDrefExplicitLod:
    case spv::Op::OpImageSparseDrefGather:
      return true;
    default:
      return false;
    }
  }

  void addCall(const Module &module, const Instruction &call) {
    auto callee = module.functionIndex.find(call.operand(0));
    if (callee == module.functionIndex.end())
      return;
    const Function &function = module.functions[callee->second];
    for (size_t i = 0; i < function.parameters.size() && i + 1 < call.operandCount(); ++i)
      m_arguments[function.parameters[i].result].push_back(call.operand(i + 1));
  }

  const Instruction *definition(uint32_t id) const {
    auto found = m_definitions.find(id);
    return found == m_definitions.end() ? nullptr : found->second;
  }

  bool isIntegerImage(uint32_t id) const {
    const Instruction *value = definition(id);
    const Instruction *image = value ? definition(value->resultType) : nullptr;
    const Instruction *scalar =
        image && image->opcode == spv::Op::OpTypeImage ? definition(image->operand(0)) : nullptr;
    return scalar && scalar->opcode == spv::Op::OpTypeInt;
  }

  // The members of structures that an access chain goes through.
  std::vector<uint32_t> membersOf(const Instruction &chain) const {
    std::vector<uint32_t> members;
    const Instruction *base = definition(chain.operand(0));
    const Instruction *pointer = base ? definition(base->resultType) : nullptr;
    const Instruction *type =
        pointer && pointer->opcode == spv::Op::OpTypePointer ? definition(pointer->operand(1)) : nullptr;
    for (uint32_t index : chain.operands.subspan(1)) {
      if (!type)
        break;
      uint32_t next = 0;
      if (type->opcode == spv::Op::OpTypeStruct) {
        const Instruction *constant = definition(index);
        members.push_back(constant && constant->operandCount() ? constant->operand(0) : 0);
        next = members.back();
      }
      type = next < type->operandCount() ? definition(type->operand(next)) : nullptr;
    }
    return members;
  }

  std::set<ImagePlace> placesOf(uint32_t id) const {
    std::set<ImagePlace> seen, places;
    std::vector<ImagePlace> work = {{id, {}}};
    while (!work.empty()) {
      ImagePlace next = std::move(work.back());
      work.pop_back();
      const Instruction *inst = definition(next.variable);
      if (!inst || !seen.insert(next).second)
        continue;
      auto follow = [&](uint32_t from) { work.push_back({from, next.members}); };
      switch (inst->opcode) {
      case spv::Op::OpVariable:
        places.insert(next);
        break;
      case spv::Op::OpAccessChain:
      case spv::Op::OpInBoundsAccessChain: {
        const std::vector<uint32_t> members = membersOf(*inst);
        next.members.insert(next.members.begin(), members.begin(), members.end());
        follow(inst->operand(0));
        break;
      }
      case spv::Op::OpLoad:
      case spv::Op::OpCopyObject:
      case spv::Op::OpImage:
        follow(inst->operand(0));
        break;
      case spv::Op::OpSampledImage:
        follow(inst->operand(0));
        follow(inst->operand(1));
        break;
      case spv::Op::OpFunctionParameter:
        if (auto arguments = m_arguments.find(next.variable); arguments != m_arguments.end())
          std::ranges::for_each(arguments->second, follow);
        break;
      default:
        break;
      }
    }
    return places;
  }

  std::vector<const Function *> m_functions;
  std::unordered_map<uint32_t, const Instruction *> m_definitions;
  std::unordered_map<uint32_t, std::vector<uint32_t>> m_arguments; // of a parameter, at all calls
};

} // namespace

ImageUses findImageUses(const Module &module, uint32_t function) {
  return Tracer(module, function).run();
}

} // namespace dovetail::spirv

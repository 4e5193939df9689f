// SPDX-License-Identifier: MIT
//
// From an operand back through loads, access chains and calls to the variables that it may come from.
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
            Ids variables = variablesOf(inst.operand(0));
            uses.comparing.insert(variables.begin(), variables.end());
          } else if (inst.opcode == spv::Op::OpSampledImage && isIntegerImage(inst.operand(0))) {
            Ids samplers = variablesOf(inst.operand(1));
            uses.integerSamplers.insert(samplers.begin(), samplers.end());
          }
        }
    return uses;
  }

private:
  using Ids = std::unordered_set<uint32_t>;

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

  Ids variablesOf(uint32_t id) const {
    Ids seen, variables;
    std::vector<uint32_t> work = {id};
    while (!work.empty()) {
      uint32_t next = work.back();
      work.pop_back();
      const Instruction *inst = definition(next);
      if (!inst || !seen.insert(next).second)
        continue;
      switch (inst->opcode) {
      case spv::Op::OpVariable:
        variables.insert(next);
        break;
      case spv::Op::OpLoad:
      case spv::Op::OpAccessChain:
      case spv::Op::OpInBoundsAccessChain:
      case spv::Op::OpCopyObject:
      case spv::Op::OpImage:
        work.push_back(inst->operand(0));
        break;
      case spv::Op::OpSampledImage:
        work.push_back(inst->operand(0));
        work.push_back(inst->operand(1));
        break;
      case spv::Op::OpFunctionParameter: {
        auto arguments = m_arguments.find(next);
        if (arguments != m_arguments.end())
          work.insert(work.end(), arguments->second.begin(), arguments->second.end());
        break;
      }
      default:
        break;
      }
    }
    return variables;
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

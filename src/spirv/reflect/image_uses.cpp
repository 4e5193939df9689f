// SPDX-License-Identifier: MIT
//
// Follows operands back through loads, access chains and calls to the variables that they may come from.
#include "src/spirv/reflect/image_uses.h"
#include <algorithm>

namespace dovetail::spirv {

namespace {

class Tracer {
public:
  explicit Tracer(const ValueFlow &flow) : m_flow(flow) {}

  ImageUses run() {
    ImageUses uses;
    for (const Function *function : m_flow.functions())
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

  bool isIntegerImage(uint32_t id) const {
    const Instruction *value = m_flow.definition(id);
    const Instruction *image = value ? m_flow.definition(value->resultType) : nullptr;
    const Instruction *scalar =
        image && image->opcode == spv::Op::OpTypeImage ? m_flow.definition(image->operand(0)) : nullptr;
    return scalar && scalar->opcode == spv::Op::OpTypeInt;
  }

  // The members of structures that an access chain goes through.
  std::vector<uint32_t> membersOf(const Instruction &chain) const {
    std::vector<uint32_t> members;
    const Instruction *base = m_flow.definition(chain.operand(0));
    const Instruction *pointer = base ? m_flow.definition(base->resultType) : nullptr;
    const Instruction *type =
        pointer && pointer->opcode == spv::Op::OpTypePointer ? m_flow.definition(pointer->operand(1)) : nullptr;
    for (uint32_t index : chain.operands.subspan(1)) {
      if (!type)
        break;
      uint32_t next = 0;
      if (type->opcode == spv::Op::OpTypeStruct) {
        const Instruction *constant = m_flow.definition(index);
        members.push_back(constant && constant->operandCount() ? constant->operand(0) : 0);
        next = members.back();
      }
      type = next < type->operandCount() ? m_flow.definition(type->operand(next)) : nullptr;
    }
    return members;
  }

  std::set<ImagePlace> placesOf(uint32_t id) const {
    std::set<ImagePlace> seen, places;
    std::vector<ImagePlace> work = {{id, {}}};
    while (!work.empty()) {
      ImagePlace next = std::move(work.back());
      work.pop_back();
      const Instruction *inst = m_flow.definition(next.variable);
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
        std::ranges::for_each(m_flow.argumentsOf(next.variable), follow);
        break;
      default:
        break;
      }
    }
    return places;
  }

  const ValueFlow &m_flow;
};

} // namespace

ImageUses findImageUses(const ValueFlow &flow) {
  return Tracer(flow).run();
}

} // namespace dovetail::spirv

// SPDX-License-Identifier: MIT
//
// Images and samplers in variables of functions, and arrays of them as values. Front ends write these when they pass
// images by value, for example for HLSL before it is legalised. Descriptors do not change while a shader runs. So the
// value of an array is the place that it was loaded from, and a variable with a single store stands for the stored
// value. Other variables, and arrays that are put together, are memory that holds descriptors.
#include "src/spirv/translate/translator.h"

namespace dovetail::spirv {

bool Translator::isOpaqueArray(const TypeInfo &info) const {
  const TypeInfo *innermost = &info;
  while (innermost->kind == TypeKind::Array)
    innermost = &type(innermost->element);
  return info.kind == TypeKind::Array && isOpaque(*innermost);
}

// Steps into an array in memory, or into an array of descriptors.
Result<void> Translator::stepElement(const Instruction &inst, Pointer &array, llvm::Value *index) {
  const TypeInfo &info = type(array.pointee);
  if (array.kind != Pointer::Kind::Resource)
    return stepMemory(inst, array, index);
  array.offset = numberedThrough(array.offset, info.count, index);
  array.pointee = info.element;
  return {};
}

Result<void> Translator::extractOpaque(const Instruction &inst, Pointer array) {
  for (uint32_t index : inst.operands.subspan(1))
    DOVETAIL_CHECK(stepElement(inst, array, m_builder.getInt32(index)));
  if (isOpaqueArray(type(array.pointee))) {
    setComposite(inst, std::move(array));
    return {};
  }
  const ImageValue image = DOVETAIL_TRY(loadResource(inst, array, array.pointee));
  setImage(inst, image);
  return {};
}

void Translator::storeDescriptors(const Pointer &to, const ImageValue &image) {
  const auto store = [&](Value *descriptor, unsigned place) {
    if (descriptor)
      m_builder.CreateAlignedStore(descriptor, m_builder.CreateConstGEP1_32(m_builder.getInt32Ty(), to.base, place),
                                   llvm::Align(4));
  };
  store(image.image, 0);
  store(image.fmask, FmaskPlace);
  store(image.sampler, SamplerPlace);
}

// Lanes may have stored different descriptors, so these are non-uniform. The original variable is no longer known, so a
// storage image counts as one that other waves see.
ImageValue Translator::loadDescriptors(const Pointer &from) {
  const auto load = [&](unsigned place, unsigned dwords) {
    Value *at = m_builder.CreateConstGEP1_32(m_builder.getInt32Ty(), from.base, place);
    return m_builder.CreateAlignedLoad(llvm::FixedVectorType::get(m_builder.getInt32Ty(), dwords), at, llvm::Align(4));
  };
  const TypeInfo &info = type(from.pointee);
  ImageValue result;
  result.flags = lgc::NonUniformImage | lgc::NonUniformSampler;
  if (info.kind != TypeKind::Image)
    result.sampler = load(SamplerPlace, 4);
  if (info.kind == TypeKind::Sampler)
    return result;
  result.imageType = info.kind == TypeKind::SampledImage ? info.element : info.id;
  const TypeInfo &image = type(result.imageType);
  constexpr uint32_t isStorage = 2;
  if (image.sampled == isStorage)
    result.flags |= lgc::Coherent;
  result.image = load(0, image.dim == spv::Dim::Buffer ? 4 : 8);
  if (hasFmask(image))
    result.fmask = load(FmaskPlace, 8);
  return result;
}

// Whether a variable is written at most once, as a whole, before anything reads it. If it is passed to functions, these
// are searched as well, each parameter once.
bool Translator::isOpaqueAlias(const Instruction &variable) const {
  std::unordered_set<uint32_t> places = {variable.result};
  std::vector<const Function *> toSearch = {m_scope->function};
  const auto follow = [&](const Instruction &call) {
    const Function &callee = m_module.functions[m_module.functionIndex.at(call.operand(0))];
    for (size_t i = 0; i < callee.parameters.size(); ++i)
      if (places.contains(call.operand(1 + i)) && places.insert(callee.parameters[i].result).second)
        toSearch.push_back(&callee);
  };
  const Block &first = m_scope->function->blocks.front();
  unsigned stores = 0;
  while (!toSearch.empty()) {
    const Function &function = *toSearch.back();
    toSearch.pop_back();
    for (const Block &block : function.blocks)
      for (const Instruction &inst : block.instructions)
        switch (inst.opcode) {
        case spv::Op::OpAccessChain:
        case spv::Op::OpInBoundsAccessChain:
        case spv::Op::OpCopyObject:
          if (places.contains(inst.operand(0)))
            places.insert(inst.result);
          break;
        case spv::Op::OpFunctionCall:
          follow(inst);
          break;
        case spv::Op::OpStore:
        case spv::Op::OpCopyMemory:
          if (places.contains(inst.operand(0)) &&
              (inst.opcode != spv::Op::OpStore || inst.operand(0) != variable.result || &block != &first ||
               ++stores > 1))
            return false;
          break;
        default:
          break;
        }
  }
  return true;
}

// A variable with a single store is, before that store, a pointer that nothing can be loaded through.
Result<void> Translator::translateOpaqueVariable(const Instruction &inst) {
  if (inst.operandCount() > 1)
    return unsupported(inst, "an initial value of an image or sampler variable of a function is not supported");
  const TypeInfo &info = type(resultType(inst).element);
  Pointer pointer;
  pointer.pointee = info.id;
  if (isOpaqueAlias(inst)) {
    m_scope->opaqueVariables.insert(inst.result);
    pointer.kind = Pointer::Kind::ImageTexel;
  } else {
    pointer.base = createTemporary(info).base;
  }
  setPointer(inst, std::move(pointer));
  return {};
}

// Binds the variable to the stored value from here on, also in blocks that do not lie behind this one.
Result<void> Translator::storeOpaque(const Instruction &inst) {
  const IdValue *stored = find(inst.operand(1));
  if (!stored || !(stored->image || stored->composite))
    return unsupported(inst, "a store of this opaque value is not supported");
  IdValue known = *stored;
  known.pointer = std::move(known.composite);
  known.composite = nullptr;
  bind(inst.operand(0), std::move(known));
  return {};
}

} // namespace dovetail::spirv

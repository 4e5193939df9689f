// SPDX-License-Identifier: MIT
//
// Variables. The shader's own memory (Function, Private, Output, Workgroup) becomes values, an alloca or an LDS global.
// Other variables, and outputs of control shaders, become symbolic pointers.
//
// A variable of images or samplers in a function is written by front ends that pass images by value. If it has a single
// store, it stands for the stored value from there on. Otherwise it is memory that holds descriptors.
#include "src/spirv/module/names.h"
#include "src/spirv/translate/globals.h"

namespace dovetail::spirv {

namespace {

constexpr uint64_t MaxOutputScalars = 1024;

Result<void> storeInitializer(Services &s, const Instruction &inst, const Pointer &variable) {
  if (inst.operandCount() < 2)
    return {};
  llvm::Value *initializer = DOVETAIL_TRY(s.operand(inst, 1));
  return s.memory.store(inst, variable, initializer);
}

// Whether a variable is written at most once, as a whole, before anything reads it. If it is passed to functions, these
// are searched as well, each parameter once.
bool isOpaqueAlias(Services &s, const Instruction &variable) {
  std::unordered_set<uint32_t> places = {variable.result};
  std::vector<const Function *> toSearch = {s.values.scope()->function};
  const auto follow = [&](const Instruction &call) {
    const Function &callee = s.module.functions[s.module.functionIndex.at(call.operand(0))];
    for (size_t i = 0; i < callee.parameters.size(); ++i)
      if (places.contains(call.operand(1 + i)) && places.insert(callee.parameters[i].result).second)
        toSearch.push_back(&callee);
  };
  const Block &first = s.values.scope()->function->blocks.front();
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
Result<void> translateOpaqueVariable(Services &s, const Instruction &inst) {
  if (inst.operandCount() > 1)
    return unsupported(inst, "an initial value of an image or sampler variable of a function is not supported");
  const TypeInfo &info = s.type(s.resultType(inst).element);
  if (!isOpaqueAlias(s, inst)) {
    s.values.setPointer(inst, s.ownMemory.createTemporary(info));
    return {};
  }
  Pointer pointer;
  pointer.kind = Pointer::Kind::NotStored;
  pointer.pointee = info.id;
  s.values.setPointer(inst, std::move(pointer));
  return {};
}

// Records the decorations of a buffer block; other resources have nothing to record.
void noteBlock(const Services &s, Variable &variable) {
  const TypeInfo &block = s.types.elementOf(s.type(variable.type));
  if (block.kind != TypeKind::Struct)
    return;
  variable.blockType = block.id;
  variable.isNonWritable = true;
  for (uint32_t i = 0; i < block.members.size(); ++i)
    variable.isNonWritable &=
        findDecoration(s.module.memberDecorations(block.id, i), spv::Decoration::NonWritable) != nullptr;
  variable.isNonWritable |= s.hasDecoration(variable.id, spv::Decoration::NonWritable);
}

// Whether the variable is decorated so itself, or a member of its block is.
bool isInvariant(const Services &s, uint32_t variableId, const TypeInfo &info) {
  bool invariant = s.hasDecoration(variableId, spv::Decoration::Invariant);
  const TypeInfo &block = s.types.elementOf(info);
  for (uint32_t i = 0; block.kind == TypeKind::Struct && i < block.members.size(); ++i)
    invariant |= findDecoration(s.module.memberDecorations(block.id, i), spv::Decoration::Invariant) != nullptr;
  return invariant;
}

// Places a variable that shares a buffer with others (reflect/opengl_uniforms.h).
void placeInBuffer(Services &s, const Variable &variable, Pointer &pointer) {
  pointer.kind = Pointer::Kind::Buffer;
  pointer.base = s.builder.CreateLoadBufferDesc(variable.set, variable.binding, s.builder.getInt32(0), pointer.flags);
  pointer.offset = s.builder.getInt32(s.declarations.decoration(variable.id, spv::Decoration::Offset).value_or(0));
  pointer.matrix.stride = s.declarations.decoration(variable.id, spv::Decoration::MatrixStride).value_or(0);
}

// Places a variable of OpenGL's default block.
void placeUniform(Services &s, const Variable &variable, Pointer &pointer) {
  if (!s.declarations.hasTextures(variable.type)) {
    pointer.flags |= lgc::ReadOnly;
    placeInBuffer(s, variable, pointer);
    return;
  }
  pointer.kind = Pointer::Kind::UniformTree;
  pointer.offset = s.builder.getInt32(s.declarations.decoration(variable.id, spv::Decoration::Offset).value_or(0));
  pointer.textures.location = s.declarations.decoration(variable.id, spv::Decoration::Location).value_or(0);
}

Result<void> placeInMemory(Services &s, const Instruction &inst, const Variable &variable, Pointer &pointer) {
  const Pointer memory = DOVETAIL_TRY(s.ownMemory.createVariable(inst, s.type(variable.type), variable.storage));
  pointer.kind = memory.kind;
  pointer.base = memory.base;
  pointer.leaf = memory.leaf;
  return storeInitializer(s, inst, pointer);
}

// `pointer`: to the variable, without a place so far. An output of a control shader is a place, others are memory.
Result<void> placeOutput(Services &s, const Instruction &inst, Variable &variable, Pointer &pointer) {
  const TypeInfo &info = s.type(variable.type);
  const bool isPerVertex = s.declarations.isPerVertex(inst, s.options.stage);
  const uint64_t scalars = isPerVertex ? s.type(info.element).scalarCount : info.scalarCount;
  if (scalars > MaxOutputScalars)
    return unsupported(inst, fmt::format("an output of {} scalars is not supported", scalars));
  s.hasInvariantOutput |= isInvariant(s, inst.result, info);
  if (s.options.stage != lgc::ShaderStage::TessControl)
    return placeInMemory(s, inst, variable, pointer);
  pointer.kind = Pointer::Kind::SharedOutput;
  pointer.place = DOVETAIL_TRY(s.places.of(inst, inst.result));
  pointer.place.isPerVertex = isPerVertex;
  pointer.place.isSharedOutput = true;
  if (inst.operandCount() < 2)
    return {};
  llvm::Value *initializer = DOVETAIL_TRY(s.operand(inst, 1));
  return s.sharedOutputs.initialize(inst, pointer, initializer);
}

Result<void> translateGlobalVariable(Services &s, const Instruction &inst) {
  if (!s.usedIds[inst.result])
    return {};
  auto storage = static_cast<spv::StorageClass>(inst.operand(0));
  const TypeInfo &pointee = s.type(s.resultType(inst).element);
  Variable &variable = s.variables.emplace_back();
  variable.id = inst.result;
  variable.storage = storage;
  variable.type = pointee.id;
  const ResourcePlace place = s.declarations.resourcePlace(inst, s.options.stage);
  variable.set = place.set;
  variable.binding = place.binding;

  Pointer result;
  result.storage = storage;
  result.pointee = pointee.id;
  result.variable = &variable;
  result.flags = s.resourceFlags(inst.result);
  switch (storage) {
  case spv::StorageClass::AtomicCounter:
    placeInBuffer(s, variable, result);
    break;
  case spv::StorageClass::UniformConstant:
    if (s.declarations.isInDefaultBlock(inst))
      placeUniform(s, variable, result);
    else
      result.kind = Pointer::Kind::Resource;
    break;
  case spv::StorageClass::Uniform:
  case spv::StorageClass::StorageBuffer:
    result.kind = Pointer::Kind::Resource;
    noteBlock(s, variable);
    break;
  case spv::StorageClass::PushConstant:
    result.kind = Pointer::Kind::PushConstant;
    result.offset = s.builder.getInt32(0);
    break;
  case spv::StorageClass::Input:
    result.kind = Pointer::Kind::Input;
    result.place = DOVETAIL_TRY(s.places.of(inst, inst.result));
    result.place.isPerVertex = s.declarations.isPerVertex(inst, s.options.stage);
    break;
  case spv::StorageClass::Private:
    DOVETAIL_CHECK(placeInMemory(s, inst, variable, result));
    break;
  case spv::StorageClass::Output:
    DOVETAIL_CHECK(placeOutput(s, inst, variable, result));
    break;
  case spv::StorageClass::Workgroup:
    result = DOVETAIL_TRY(s.sharedMemory.createVariable(inst, variable));
    break;
  default:
    return unsupported(inst, fmt::format("storage class {} is not supported", nameOf(storage)));
  }
  s.values.setPointer(inst, std::move(result));
  return {};
}

} // namespace

Result<void> translateVariables(Services &s) {
  // All types and constants are known. Blocks in shared memory take as much memory as the largest of them.
  s.variableUses.search();
  for (const Instruction &inst : s.module.globals) {
    if (inst.opcode == spv::Op::OpVariable)
      DOVETAIL_CHECK(translateGlobalVariable(s, inst));
  }
  return {};
}

Result<void> translateLocalVariable(Services &s, const Instruction &inst) {
  const TypeInfo &pointee = s.type(s.resultType(inst).element);
  if (isOpaque(pointee) || s.types.isOpaqueArray(pointee))
    return translateOpaqueVariable(s, inst);
  Pointer result = DOVETAIL_TRY(s.ownMemory.createVariable(inst, pointee, spv::StorageClass::Function));
  DOVETAIL_CHECK(storeInitializer(s, inst, result));
  s.values.setPointer(inst, std::move(result));
  return {};
}

} // namespace dovetail::spirv

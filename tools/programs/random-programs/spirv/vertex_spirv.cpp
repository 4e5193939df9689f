// SPDX-License-Identifier: MIT
#include "tools/programs/random-programs/spirv/spirv_function.h"
#include "tools/programs/random-programs/spirv/write_spirv.h"
#include <bit>

namespace dovetail::random_programs {

// Vertices at (-1, -1), (3, -1) and (-1, 3).
std::vector<uint32_t> vertexSpirv() {
  SpirvModule module;
  const Type place = {Scalar::F32, 4};
  const uint32_t wordType = module.type(I32), floatType = module.type(F32), placeType = module.type(place);
  const uint32_t functionType = module.functionType(module.voidType(), {});
  auto variable = [&](spv::StorageClass storage, uint32_t type, spv::BuiltIn builtIn) {
    const uint32_t id =
        module.declareTyped(spv::Op::OpVariable, module.pointerType(storage, type), {uint32_t(storage)});
    module.decorate(id, spv::Decoration::BuiltIn, {uint32_t(builtIn)});
    module.addToInterface(id);
    return id;
  };
  const uint32_t index = variable(spv::StorageClass::Input, wordType, spv::BuiltIn::VertexIndex);
  const uint32_t position = variable(spv::StorageClass::Output, placeType, spv::BuiltIn::Position);
  auto number = [&](float value) { return module.constant(F32, {std::bit_cast<uint32_t>(value)}); };
  const uint32_t entry = module.newId();
  SpirvFunction main(module);
  const uint32_t vertex = main.add(spv::Op::OpLoad, wordType, {index});
  auto coordinate = [&](uint32_t corner) {
    const uint32_t isThere = main.add(spv::Op::OpIEqual, module.type(Bool), {vertex, module.word(corner)});
    return main.add(spv::Op::OpSelect, floatType, {isThere, number(3), number(-1)});
  };
  const uint32_t x = coordinate(1), y = coordinate(2);
  const uint32_t value = main.add(spv::Op::OpCompositeConstruct, placeType, {x, y, number(0), number(1)});
  main.addUntyped(spv::Op::OpStore, {position, value});
  main.terminate(spv::Op::OpReturn);
  append(module.functions, spv::Op::OpFunction, {module.voidType(), entry, 0, functionType});
  main.writeTo(module.functions);
  append(module.functions, spv::Op::OpFunctionEnd, {});
  return module.finish(spv::ExecutionModel::Vertex, entry);
}

} // namespace dovetail::random_programs

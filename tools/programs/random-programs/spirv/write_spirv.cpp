// SPDX-License-Identifier: MIT
//
// Each small program is a function that main() calls, or stands in main() itself. Blocks are written in the order of
// the program's text. So a block's predecessors are known when it begins, except for the back edges of loops.
#include "tools/programs/random-programs/spirv/write_spirv.h"
#include "tools/programs/random-programs/spirv/float_modes.h"
#include "tools/programs/random-programs/spirv/spirv_expressions.h"

namespace dovetail::random_programs {

namespace {

constexpr uint32_t None = uint32_t(spv::SelectionControlMask::MaskNone);

class ProgramWriter {
public:
  ProgramWriter(SpirvModule &module, SpirvInterface &interface, SpirvFunction &function, const SmallProgram &program,
                uint32_t lane)
      : m_module(module), m_interface(interface), m_function(function), m_program(program),
        m_expressions(module, interface, function, program, lane) {}

  // Returns whether control reaches its end; otherwise the current block is terminated.
  bool writeBlock(const Block &block) {
    for (const Statement &statement : block)
      if (!writeStatement(statement))
        return false;
    return true;
  }

private:
  struct Exits {
    bool isLoop = false;
    BlockIndex end = 0, next = 0;
  };

  const Exits &innermostLoop() const {
    size_t i = m_exits.size() - 1;
    while (!m_exits[i].isLoop)
      --i;
    return m_exits[i];
  }

  // nullptr: the statement is no jump.
  const BlockIndex *targetOf(const Statement &statement) const {
    switch (statement.kind) {
    case StatementKind::Break:
      return &m_exits.back().end;
    case StatementKind::BreakLoop:
      return &innermostLoop().end;
    case StatementKind::Continue:
      return &innermostLoop().next;
    default:
      return nullptr;
    }
  }

  bool writeStatement(const Statement &statement) {
    switch (statement.kind) {
    case StatementKind::Assign:
      if (statement.form && copies(statement))
        return true;
      m_expressions.writeVariable(statement.variable, m_expressions.write(statement.values[0]));
      return true;
    case StatementKind::AssignElement: {
      const uint32_t value = m_expressions.write(statement.values[0]);
      Words indices;
      for (size_t i = 1; i < statement.values.size(); ++i)
        indices.push_back(m_expressions.write(statement.values[i]));
      m_function.addUntyped(spv::Op::OpStore,
                            {m_expressions.pointTo(statement.variable, statement.path, indices), value});
      return true;
    }
    case StatementKind::Store: {
      if (statement.form && copies(statement))
        return true;
      const uint32_t value = m_expressions.write(statement.values[0]);
      m_interface.store(m_function, m_expressions.placeOf(statement), value);
      return true;
    }
    case StatementKind::If:
      return writeIf(statement);
    case StatementKind::Loop:
      return writeLoop(statement);
    case StatementKind::Switch:
      return writeSwitch(statement);
    case StatementKind::Break:
    case StatementKind::BreakLoop:
    case StatementKind::Continue:
      m_function.branch(*targetOf(statement));
      return false;
    case StatementKind::Return:
      m_function.terminate(spv::Op::OpReturn);
      return false;
    case StatementKind::Kill:
      m_function.terminate(spv::Op::OpKill);
      return false;
    case StatementKind::Demote:
      m_module.need(spv::Capability::DemoteToHelperInvocation);
      m_module.needExtension("SPV_EXT_demote_to_helper_invocation");
      m_function.addUntyped(spv::Op::OpDemoteToHelperInvocation, {});
      return true;
    case StatementKind::Barrier:
      m_interface.addBarrier(m_function);
      return true;
    case StatementKind::Atomic:
      writeAtomic(statement);
      return true;
    }
    return true;
  }

  // Copies from memory to memory without a value between, if both have one type; returns false otherwise.
  bool copies(const Statement &statement) {
    const Expression &value = statement.values[0];
    uint32_t from = 0, to = 0;
    if (statement.kind == StatementKind::Store && value.op == Op::Load && value.space != Space::Pointer) {
      from = m_interface.pointTo(m_function, m_expressions.placeOf(value));
      to = m_interface.pointTo(m_function, m_expressions.placeOf(statement));
    } else if (statement.kind == StatementKind::Assign && value.op == Op::Variable &&
               value.index != statement.variable) {
      from = m_expressions.pointTo(value.index, {}, {});
      to = m_expressions.pointTo(statement.variable, {}, {});
    }
    if (!from || !to)
      return false;
    m_function.addUntyped(spv::Op::OpCopyMemory, {to, from});
    return true;
  }

  void writeAtomic(const Statement &statement) {
    constexpr spv::Op Instructions[] = {spv::Op::OpAtomicIAdd, spv::Op::OpAtomicUMin, spv::Op::OpAtomicSMax,
                                        spv::Op::OpAtomicAnd,  spv::Op::OpAtomicOr,   spv::Op::OpAtomicXor};
    const uint32_t value = m_expressions.write(statement.values[0]);
    const uint32_t pointer = m_interface.pointTo(m_function, m_expressions.placeOf(statement));
    const spv::Scope scope = statement.space == Space::Shared ? spv::Scope::Workgroup : spv::Scope::Device;
    m_function.add(Instructions[statement.form], m_module.type(I32),
                   {pointer, m_module.word(uint32_t(scope)), m_module.word(0), value});
  }

  bool writeIf(const Statement &statement) {
    const uint32_t condition = m_expressions.write(statement.values[0]);
    const Block &then = statement.blocks[0];
    // A jump as the only statement needs neither a block of its own nor a merge.
    if (statement.form == 1 && statement.blocks.size() == 1 && then.size() == 1)
      if (const BlockIndex *target = targetOf(then[0])) {
        const BlockIndex rest = m_function.makeBlock(true);
        m_function.branchIf(condition, *target, rest);
        m_function.place(rest);
        return true;
      }
    const bool hasElse = statement.blocks.size() > 1;
    const BlockIndex thenBlock = m_function.makeBlock(true), end = m_function.makeBlock(false);
    const BlockIndex elseBlock = hasElse ? m_function.makeBlock(true) : end;
    m_function.addUntyped(spv::Op::OpSelectionMerge, {m_function.label(end), None});
    m_function.branchIf(condition, thenBlock, elseBlock);
    m_function.place(thenBlock);
    if (writeBlock(then))
      m_function.branch(end);
    if (hasElse) {
      m_function.place(elseBlock);
      if (writeBlock(statement.blocks[1]))
        m_function.branch(end);
    }
    return goOnAt(end);
  }

  bool goOnAt(BlockIndex end) {
    m_function.seal(end);
    m_function.place(end);
    if (m_function.hasPredecessors(end))
      return true;
    m_function.terminate(spv::Op::OpUnreachable);
    return false;
  }

  bool writeLoop(const Statement &statement) {
    const auto form = LoopForm(statement.form);
    const uint32_t wordType = m_module.type(I32), boolType = m_module.type(Bool);
    const BlockIndex header = m_function.makeBlock(false), body = m_function.makeBlock(true),
                     next = m_function.makeBlock(false), end = m_function.makeBlock(false);
    auto isBelow = [&] {
      const uint32_t counter = m_expressions.readVariable(statement.variable);
      const uint32_t limit = m_expressions.write(statement.values[0]);
      return m_function.add(spv::Op::OpULessThan, boolType, {counter, limit});
    };
    m_expressions.writeVariable(statement.variable, m_module.word(0));
    m_function.branch(header);
    m_function.place(header);
    const uint32_t first = form == LoopForm::TestAtHeader ? isBelow() : 0;
    m_function.addUntyped(spv::Op::OpLoopMerge, {m_function.label(end), m_function.label(next), None});
    if (form == LoopForm::TestAtHeader) {
      m_function.branchIf(first, body, end);
    } else if (form == LoopForm::TestInside) {
      const BlockIndex test = m_function.makeBlock(true);
      m_function.branch(test);
      m_function.place(test);
      m_function.branchIf(isBelow(), body, end);
    } else {
      m_function.branch(body);
    }
    m_function.place(body);
    m_exits.push_back({true, end, next});
    if (writeBlock(statement.blocks[0]))
      m_function.branch(next);
    m_exits.pop_back();
    const bool isRepeated = m_function.hasPredecessors(next);
    m_function.seal(next);
    m_function.place(next);
    const uint32_t counter = m_expressions.readVariable(statement.variable);
    m_expressions.writeVariable(statement.variable,
                                m_function.add(spv::Op::OpIAdd, wordType, {counter, m_module.word(1)}));
    // If no path of the body comes here, make no edge to the end: SPIR-V allows no code there that leaves other loops.
    if (form == LoopForm::TestAtEnd && isRepeated)
      m_function.branchIf(isBelow(), header, end);
    else
      m_function.branch(header);
    m_function.seal(header);
    return goOnAt(end);
  }

  bool writeSwitch(const Statement &statement) {
    const uint32_t selector = m_expressions.write(statement.values[0]);
    const bool isWide = bitsOf(statement.values[0].type.scalar) == 64;
    const BlockIndex end = m_function.makeBlock(false);
    std::vector<BlockIndex> targets;
    for (size_t i = 0; i < statement.cases.size(); ++i)
      targets.push_back(m_function.makeBlock(false));
    Words operands = {selector, m_function.label(targets.back())};
    for (size_t i = 0; i < statement.cases.size(); ++i)
      for (uint64_t label : statement.cases[i].labels) {
        operands.push_back(uint32_t(label));
        if (isWide)
          operands.push_back(uint32_t(label >> 32));
        operands.push_back(m_function.label(targets[i]));
      }
    m_function.addUntyped(spv::Op::OpSelectionMerge, {m_function.label(end), None});
    m_function.branchBySwitch(operands, targets);
    m_exits.push_back({false, end, 0});
    for (size_t i = 0; i < targets.size(); ++i) {
      m_function.seal(targets[i]);
      m_function.place(targets[i]);
      if (writeBlock(statement.blocks[i]))
        m_function.branch(statement.cases[i].fallsThrough && i + 1 < targets.size() ? targets[i + 1] : end);
    }
    m_exits.pop_back();
    return goOnAt(end);
  }

  SpirvModule &m_module;
  SpirvInterface &m_interface;
  SpirvFunction &m_function;
  const SmallProgram &m_program;
  SpirvExpressions m_expressions;
  std::vector<Exits> m_exits;
};

class ShaderWriter {
public:
  ShaderWriter(const Shader &shader, Stage stage, SubgroupSpelling subgroups)
      : m_shader(shader), m_stage(stage), m_interface(m_module, shader, stage, subgroups) {}

  Words write() {
    const uint32_t voidType = m_module.voidType();
    const uint32_t entry = m_module.newId();
    SpirvFunction main(m_module);
    const uint32_t lane = m_interface.loadLane(main);
    if (m_shader.isChain)
      m_interface.takeVaryings(main);
    bool isReached = true;
    for (const SmallProgram &program : m_shader.programs) {
      if (program.stage != m_stage || !isReached)
        continue;
      if (program.isInline)
        isReached = ProgramWriter(m_module, m_interface, main, program, lane).writeBlock(program.body);
      else
        main.add(spv::Op::OpFunctionCall, voidType, {writeFunction(program)});
    }
    if (isReached && m_shader.isChain)
      m_interface.giveVaryings(main, lane);
    if (isReached)
      main.terminate(spv::Op::OpReturn);
    put(entry, main);
    addFloatModes(entry);
    if (m_shader.capturesVertices && m_stage == m_shader.lastBeforeRaster()) {
      m_module.need(spv::Capability::TransformFeedback);
      m_module.addMode(entry, spv::ExecutionMode::Xfb, {});
    }
    return m_module.finish(addModes(entry), entry);
  }

private:
  void addFloatModes(uint32_t entry) {
    for (Scalar scalar : FloatScalars)
      for (const FloatModeRow &row : FloatModeRows)
        if (m_shader.floatMode(scalar).*row.flag) {
          m_module.need(row.capability);
          m_module.addMode(entry, row.mode, {bitsOf(scalar)});
        }
  }

  spv::ExecutionModel addModes(uint32_t entry) {
    using spv::ExecutionMode;
    auto add = [&](std::initializer_list<ExecutionMode> modes) {
      for (ExecutionMode mode : modes)
        m_module.addMode(entry, mode, {});
    };
    switch (m_stage) {
    case Stage::Compute:
      m_module.addMode(entry, ExecutionMode::LocalSize, {m_shader.groupLanes, 1, 1});
      return spv::ExecutionModel::GLCompute;
    case Stage::Vertex:
      return spv::ExecutionModel::Vertex;
    case Stage::TessControl:
      m_module.need(spv::Capability::Tessellation);
      m_module.addMode(entry, ExecutionMode::OutputVertices, {1});
      return spv::ExecutionModel::TessellationControl;
    case Stage::TessEval:
      m_module.need(spv::Capability::Tessellation);
      add({ExecutionMode::Triangles, ExecutionMode::SpacingEqual, ExecutionMode::VertexOrderCcw,
           ExecutionMode::PointMode});
      return spv::ExecutionModel::TessellationEvaluation;
    case Stage::Geometry:
      m_module.need(spv::Capability::Geometry);
      add({ExecutionMode::InputPoints, ExecutionMode::OutputPoints});
      m_module.addMode(entry, ExecutionMode::Invocations, {1});
      m_module.addMode(entry, ExecutionMode::OutputVertices, {1});
      return spv::ExecutionModel::Geometry;
    case Stage::Fragment:
      add({ExecutionMode::OriginUpperLeft});
      return spv::ExecutionModel::Fragment;
    }
    return spv::ExecutionModel::GLCompute;
  }

  uint32_t writeFunction(const SmallProgram &program) {
    const uint32_t id = m_module.newId();
    SpirvFunction function(m_module);
    const uint32_t lane = m_interface.loadLane(function);
    if (ProgramWriter(m_module, m_interface, function, program, lane).writeBlock(program.body))
      function.terminate(spv::Op::OpReturn);
    put(id, function);
    return id;
  }

  void put(uint32_t id, const SpirvFunction &function) {
    const uint32_t voidType = m_module.voidType();
    append(m_module.functions, spv::Op::OpFunction, {voidType, id, None, m_module.functionType(voidType, {})});
    function.writeTo(m_module.functions);
    append(m_module.functions, spv::Op::OpFunctionEnd, {});
  }

  const Shader &m_shader;
  const Stage m_stage;
  SpirvModule m_module;
  SpirvInterface m_interface;
};

} // namespace

std::vector<uint32_t> writeSpirv(const Shader &shader, Stage stage, SubgroupSpelling subgroups) {
  if (stage == Stage::Vertex && !shader.isChain)
    return vertexSpirv();
  return ShaderWriter(shader, stage, subgroups).write();
}

} // namespace dovetail::random_programs

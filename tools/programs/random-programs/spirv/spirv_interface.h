// SPDX-License-Identifier: MIT
//
// Declares what a module has outside of its functions, each when it is first needed: buffers, push constants, shared
// memory and built-in inputs.
#pragma once

#include "tools/programs/random-programs/spirv/spirv_function.h"

namespace dovetail::random_programs {

// Bindings of descriptor set 0.
enum Binding : uint32_t {
  OutputBinding,
  CountersBinding,
  UniformBinding,
  SeveralBinding,
  InputBinding = 8, // one for each content from here on
  ScratchBinding = InputBinding + ContentCount
};
constexpr uint32_t PushWordsOffset = 8; // behind the address for Space::Pointer

class SpirvInterface {
public:
  SpirvInterface(SpirvModule &module, const Shader &shader, Stage stage, SubgroupSpelling subgroups)
      : m_module(module), m_shader(shader), m_stage(stage), m_subgroups(subgroups) {}

  SubgroupSpelling subgroups() const { return m_subgroups; }
  void addBarrier(SpirvFunction &function);
  uint32_t loadLocalLane(SpirvFunction &function); // the invocation's number in its workgroup
  // A pointer into an array in shared memory that has a word for each invocation.
  uint32_t pointToExchange(SpirvFunction &function, const Type &type, uint32_t index);

  // An element of a buffer, or a part of it.
  struct Place {
    Space space = Space::Input;
    unsigned content = 0;
    uint32_t index = 0;  // an id
    Words path = {};     // ids
    Type type = {};      // of the part
    uint32_t number = 0; // of the small program
    uint32_t lane = 0;   // the id of this invocation's number
  };
  uint32_t pointTo(SpirvFunction &function, const Place &place);
  uint32_t load(SpirvFunction &function, const Place &place);
  void store(SpirvFunction &function, const Place &place, uint32_t value);
  uint32_t loadLane(SpirvFunction &function);
  uint32_t loadGroup(SpirvFunction &function);

  // For chains: run in front of a stage's programs, and behind them (spirv_varyings.cpp).
  void takeVaryings(SpirvFunction &function);
  void giveVaryings(SpirvFunction &function, uint32_t lane);

private:
  uint32_t blockOf(unsigned content, uint32_t stride, uint32_t length);
  uint32_t buffer(Space space, unsigned content);
  uint32_t pushBlock();
  uint32_t sharedArray();
  uint32_t input(spv::BuiltIn builtIn, const Type &type);
  void needStorage(unsigned content);
  uint32_t varyings();
  uint32_t varying(spv::StorageClass storage, uint32_t location, uint32_t vertices);
  uint32_t output(spv::BuiltIn builtIn, uint32_t type);
  void captureVarying(uint32_t variable, const CapturedWord &place);
  void giveTessellation(SpirvFunction &function);
  void givePoint(SpirvFunction &function, uint32_t lane);

  SpirvModule &m_module;
  const Shader &m_shader;
  const Stage m_stage;
  const SubgroupSpelling m_subgroups;
  std::map<std::pair<Space, unsigned>, uint32_t> m_buffers;
  std::map<std::vector<uint32_t>, uint32_t> m_blocks;
  uint32_t m_push = 0, m_shared = 0, m_pointerType = 0, m_varyings = 0;
  std::map<spv::BuiltIn, uint32_t> m_inputs;
  std::map<Scalar, uint32_t> m_exchanges;
};

} // namespace dovetail::random_programs

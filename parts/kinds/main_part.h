// SPDX-License-Identifier: MIT
//
// The main part of a shader: the API shader itself, compiled once. Prologs and epilogs take care of state that the
// hardware does not handle, so the key contains no pipeline state.
//
// A little state changes the code of a fragment main part nevertheless; it makes the program monolithic. The main part
// then has no code and only describes what the shader needs from its surroundings. The key of the monolithic part
// follows from that. Main parts of other stages that state changes are parts like any others.
#pragma once

#include "parts/part.h"
#include "src/base/error.h"
#include "src/lgc/pipeline.h"
#include "src/lgc/state/state_fields.h"
#include "src/spirv/module/environment.h"
#include "src/spirv/module/specialize.h"
#include "src/state/state_fields.h"
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lgc {
class BuilderContext;
} // namespace lgc

namespace dovetail::spirv {
DOVETAIL_FIELDS(SpecConstant, id, value)
}

namespace dovetail {

// The kind of main part that a shader becomes, and the hardware stage in which it runs. Vertex and evaluation shaders:
// Vs, unless the stages behind them make them part of another stage's program.
PartKind mainPartKind(lgc::ShaderStage stage);
HardwareStage mainHardwareStage(lgc::ShaderStage stage);

struct MainPartKey {
  std::string gpuName;
  lgc::ShaderStage stage = lgc::ShaderStage::Vertex;
  HardwareStage hardwareStage = HardwareStage::Vs;
  Hash128 words; // of the SPIR-V module
  spirv::Environment environment = spirv::Environment::Vulkan;
  std::string entryPoint = "main";
  std::vector<spirv::SpecConstant> specConstants; // sorted by id
  ResourceForms resourceForms; // sorted. No other property of the layout changes a main part (docs/linking.md)
  lgc::ShaderOptions options;
  uint32_t deviceIndex = lgc::DeviceIndexOfDriver;
  unsigned optimizationLevel = 2;                      // 0..3
  std::array<lgc::ColorInputLocations, 2> colorInputs; // fragment shaders: inputs that are GL's colours
  MainPartState mainPartState;                         // state that changes the code
  StageKnowledge knowledge;                            // none, except in optimised variants
  // Vertex and evaluation shaders as Vs: also hand the primitive's number on to the fragment shader, which reads it and
  // can get it from nowhere else.
  bool exportPrimitiveId = false;
  // FirstCode: a part that nobody has is made by first code (PartMaker::getMainPart).
  CodeTier tier = CodeTier::Llvm;

  PartKind kind() const { return mainPartKind(stage); }
  PartKey partKey() const;
  // A main part that is not joinable has no code.
  bool isJoinable() const { return stage != lgc::ShaderStage::Fragment || mainPartState == MainPartState(); }
};
DOVETAIL_FIELDS(MainPartKey, gpuName, stage, hardwareStage, words, environment, entryPoint, specConstants,
                resourceForms, options, deviceIndex, optimizationLevel, colorInputs, mainPartState, knowledge,
                exportPrimitiveId, tier)

// A shader with its key. It does not own the words.
struct ShaderSource {
  std::string name;                // its name in Errors and reports
  std::span<const uint32_t> words; // belongs to the caller; key.words is their hash
  MainPartKey key;
};

// Sorts the lists, so that their order makes no difference.
void canonicalize(MainPartKey &key);

// "vertex main of NAME (0123456789ab)", with the first digits of the words' hash; then the tier, if it is first code.
std::string describe(const MainPartKey &key, std::string_view name);

// Extras of a compile for tools. They do not change the code.
struct Inspection {
  bool keepIr = false;      // fills in CompiledShader::ir
  bool sourceLines = false; // the object file has a table of lines (line_table.h) if the module has lines
};

// Makes a linked module of SPIR-V: IR with recorded ops, and metadata with everything that the compile depends on.
// `words`: valid, with the hash that the key has. Errors: those of the front end.
Result<std::unique_ptr<llvm::Module>> linkShader(const MainPartKey &key, std::span<const uint32_t> words,
                                                 lgc::BuilderContext &context, const Inspection &inspection = {});

// Makes a function in hardware form of SPIR-V; prologs and epilogs can be added to it. Errors: those of the front end
// and the compiler.
Result<lgc::HardwareFormShader> lowerShader(const MainPartKey &key, std::span<const uint32_t> words,
                                            lgc::BuilderContext &context, const Inspection &inspection = {});

// The same for a key of first code. A shader that first code is known to refuse is lowered for LLVM's key instead, and
// `refusal` says why.
struct MainForFirstCode {
  lgc::HardwareFormShader shader;
  std::string refusal; // empty: there is none so far
};
Result<MainForFirstCode> lowerForFirstCode(const MainPartKey &key, std::span<const uint32_t> words,
                                           lgc::BuilderContext &context);

// The same, down to an object file.
Result<lgc::CompiledShader> compileShader(const MainPartKey &key, std::span<const uint32_t> words,
                                          lgc::BuilderContext &context, const Inspection &inspection);

// LLVM compiles a main part, without looking its key up. Errors: those of the front end and the compiler.
Result<Part> makeMainPart(const MainPartKey &key, std::span<const uint32_t> words, lgc::BuilderContext &context);

// The second half of that. `shader`: the result of lowerShader() for this key, with this compiler.
Result<Part> makeMainPart(const MainPartKey &key, lgc::HardwareFormShader shader, lgc::BuilderContext &context);

// A main part that nothing can be joined with. `shader`: the result of lowerShader() for this key.
Part makeMainPartWithoutCode(const MainPartKey &key, const lgc::HardwareFormShader &shader);

// The stage under which LLVM describes the code of a part of this hardware stage. All stages that the front end
// launches, even halves of merged programs, are compiled with the calling convention of a VS.
HardwareStage codeStage(HardwareStage stage);

// A part with the contract of an interface, without a key and without code.
Part makePartWithoutCode(ShaderInterface interface);

// Makes a part of a compiled shader, without a key. Its contract is that of the interface. The second form is for code
// with another calling convention than that of codeStage().
Result<Part> makePart(lgc::CompiledShader compiled, std::string_view gpuName);
Result<Part> makePart(lgc::CompiledShader compiled, std::string_view gpuName, HardwareStage convention);

} // namespace dovetail

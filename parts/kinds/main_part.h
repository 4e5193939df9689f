// SPDX-License-Identifier: MIT
//
// The main part of a shader: what the API shader itself says, compiled once. State that the hardware does not handle is
// left to a prolog and an epilog, so no pipeline state is in the key.
#pragma once

#include "parts/part.h"
#include "src/base/error.h"
#include "src/lgc/pipeline.h"
#include "src/spirv/module/spec_constant.h"
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lgc {
class BuilderContext;
}

namespace dovetail {

// One entry point of a SPIR-V module, and what is chosen outside of it before it is compiled.
struct ShaderSource {
  std::string name;                // what Errors and reports call it
  std::span<const uint32_t> words; // belongs to the caller
  std::string entryPoint = "main";
  lgc::ShaderStage stage = lgc::ShaderStage::Vertex;
  std::vector<spirv::SpecConstant> specConstants;
  // Where the shader finds its resources. Nodes that it cannot reach only make needless variants of the main part.
  lgc::UserDataNodes userDataNodes;
  lgc::ShaderOptions options;
  unsigned optimizationLevel = 2; // 0..3
  // Vertex and evaluation shaders as Vs: also hand the primitive's number to the fragment shader, which reads it and
  // has nobody else to ask.
  bool exportPrimitiveId = false;
  // Fragment shaders: inputs that are GL's colours, and what state changes in the code.
  std::array<lgc::ColorInputLocations, 2> colorInputs;
  MainPartState mainPartState;
  StageKnowledge knowledge; // none, except in optimised variants
  // Vertex and evaluation shaders: which hardware stage's program they are compiled to be part of (Vs, Ls or Es), which
  // follows from what comes behind them.
  HardwareStage vertexStage = HardwareStage::Vs;
};

// Which kind of main part a shader becomes, and as which hardware stage it runs.
PartKind mainPartKind(lgc::ShaderStage stage);
HardwareStage mainHardwareStage(const ShaderSource &source);

struct MainPartKey {
  PartKind kind = PartKind::VertexMain;
  std::string gpuName;
  Hash128 words;
  std::string entryPoint;
  std::vector<spirv::SpecConstant> specConstants; // sorted by id
  lgc::UserDataNodes userDataNodes;               // sorted
  lgc::ShaderOptions options;
  unsigned optimizationLevel = 2;
  std::array<lgc::ColorInputLocations, 2> colorInputs;
  MainPartState mainPartState;
  StageKnowledge knowledge; // none, except in optimised variants
  bool exportPrimitiveId = false;
  HardwareStage hardwareStage = HardwareStage::Vs;

  PartKey partKey() const;
};

MainPartKey makeMainPartKey(const ShaderSource &source, std::string_view gpuName);

// SPIR-V to an object file. `compose`: see lgc::ComposeHook. `keepIr`: fills in CompiledShader::ir.
Result<lgc::CompiledShader> compileShader(const ShaderSource &source, lgc::BuilderContext &context,
                                          const lgc::ComposeHook &compose = {}, bool keepIr = false);

// Compiles a main part; its key is not looked up anywhere. Errors: those of the front end and the compiler, with the
// shader's name.
Result<Part> makeMainPart(const ShaderSource &source, const MainPartKey &key, lgc::BuilderContext &context);

// SPIR-V to a function in hardware form, for monolithic code of two shaders.
Result<lgc::HardwareFormShader> lowerShader(const ShaderSource &source, lgc::BuilderContext &context,
                                            const lgc::ComposeHook &compose);

// The stage under which LLVM describes the code of a part of this hardware stage: all that the front end launches, even
// halves of merged programs, are compiled with the calling convention of a VS.
HardwareStage codeStage(HardwareStage stage);

// A part made of a compiled shader. Its contract is that of the interface. The second form is for code with another
// calling convention than that of codeStage().
Result<Part> makePart(PartKey key, std::string description, lgc::CompiledShader compiled, std::string_view gpuName);
Result<Part> makePart(PartKey key, std::string description, lgc::CompiledShader compiled, std::string_view gpuName,
                      HardwareStage convention);

} // namespace dovetail

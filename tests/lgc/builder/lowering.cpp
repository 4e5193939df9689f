// SPDX-License-Identifier: MIT
#include "tests/lgc/builder/lowering.h"
#include "src/lgc/state/pipeline_state.h"
#include <doctest/doctest.h>
#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/DiagnosticPrinter.h>
#include <llvm/IR/IntrinsicsAMDGPU.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/AMDGPUAddrSpace.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Target/TargetOptions.h>
#include <llvm/TargetParser/Triple.h>
#include <map>

using namespace llvm;

namespace lgc::test {

namespace {

constexpr char TargetName[] = "amdgcn--amdpal";

TargetMachine &targetMachine(const char *gpu) {
  static std::map<std::string, std::unique_ptr<TargetMachine>> machines;
  std::unique_ptr<TargetMachine> &machine = machines[gpu];
  if (!machine) {
    LLVMInitializeAMDGPUTargetInfo();
    LLVMInitializeAMDGPUTarget();
    LLVMInitializeAMDGPUTargetMC();
    LLVMInitializeAMDGPUAsmPrinter();
    std::string error;
    const Target *target = TargetRegistry::lookupTarget(Triple(TargetName), error);
    REQUIRE(target);
    machine.reset(target->createTargetMachine(Triple(TargetName), gpu, "", TargetOptions(), Reloc::PIC_));
  }
  return *machine;
}

CallingConv::ID conventionOf(ShaderStage stage) {
  switch (stage) {
  case ShaderStage::Fragment:
    return CallingConv::AMDGPU_PS;
  case ShaderStage::Compute:
    return CallingConv::AMDGPU_CS;
  default:
    return CallingConv::AMDGPU_VS;
  }
}

// Runs LLVM's ordinary pipeline, which must not break the loops that BuilderImpl makes.
void optimize(TargetMachine &machine, Module &module) {
  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager callGraph;
  ModuleAnalysisManager modules;
  PassBuilder passes(&machine);
  passes.registerModuleAnalyses(modules);
  passes.registerCGSCCAnalyses(callGraph);
  passes.registerFunctionAnalyses(functions);
  passes.registerLoopAnalyses(loops);
  passes.crossRegisterProxies(loops, functions, callGraph, modules);
  passes.buildPerModuleDefaultPipeline(OptimizationLevel::O2).run(module, modules);
}

struct ErrorHandler : DiagnosticHandler {
  explicit ErrorHandler(std::string &error) : error(error) {}
  bool handleDiagnostics(const DiagnosticInfo &info) override {
    if (info.getSeverity() == DS_Error) {
      raw_string_ostream out(error);
      DiagnosticPrinterRawOStream printer(out);
      info.print(printer);
    }
    return true;
  }
  std::string &error;
};

} // namespace

// The operands come from constant memory: LLVM loads them to SGPRs where the address is uniform, and to VGPRs where it
// depends on the lane.
Value *Operands::make(Type *type, bool isUniform) {
  Module &module = *m_builder.GetInsertBlock()->getModule();
  auto *memory = new GlobalVariable(module, ArrayType::get(type, 64), true, GlobalValue::ExternalLinkage, nullptr, "",
                                    nullptr, GlobalValue::NotThreadLocal, AMDGPUAS::CONSTANT_ADDRESS);
  Value *index = isUniform ? m_builder.getInt32(0) : m_builder.laneNumber();
  return m_builder.CreateLoad(type, m_builder.CreateGEP(type, memory, index));
}

unsigned Lowered::count(std::string_view text) const {
  unsigned found = 0;
  for (size_t at = assembly.find(text); at != std::string::npos; at = assembly.find(text, at + 1))
    ++found;
  return found;
}

Lowered lower(ShaderStage stage, const std::function<std::vector<Value *>(BuilderImpl &, Operands &)> &make,
              const char *gpu, const ShaderModes &modes) {
  Lowered lowered;
  LLVMContext context;
  context.setDiagnosticHandler(std::make_unique<ErrorHandler>(lowered.error));
  TargetMachine &machine = targetMachine(gpu);
  Module module("lowering", context);
  module.setTargetTriple(Triple(TargetName));
  module.setDataLayout(machine.createDataLayout());

  ShaderModes modesOfStage = modes;
  modesOfStage.stage = stage;
  PipelineState state(*dovetail::findTarget(gpu), {}, modesOfStage);
  BuilderImpl builder(context, state);
  auto *functionType = FunctionType::get(builder.getVoidTy(), false);
  Function *function = Function::Create(functionType, GlobalValue::ExternalLinkage, "main", module);
  function->setCallingConv(conventionOf(stage));
  bool flushes = builder.shaderModes().common.fp32DenormMode != FpDenormMode::FlushNone;
  function->addFnAttr("denormal-fp-math-f32", flushes ? "preserve-sign" : "ieee");
  builder.SetInsertPoint(BasicBlock::Create(context, "", function));

  Operands operands(builder);
  for (Value *value : make(builder, operands)) {
    if (value->getType()->isIntOrIntVectorTy(1))
      value = builder.CreateZExt(value, value->getType()->getWithNewType(builder.getInt32Ty()));
    auto *memory = new GlobalVariable(module, value->getType(), false, GlobalValue::ExternalLinkage, nullptr, "",
                                      nullptr, GlobalValue::NotThreadLocal, AMDGPUAS::GLOBAL_ADDRESS);
    builder.CreateStore(value, memory, /*isVolatile=*/true);
  }
  builder.CreateRetVoid();

  raw_string_ostream problems(lowered.error);
  if (verifyModule(module, &problems))
    return lowered;
  optimize(machine, module);
  SmallVector<char, 0> text;
  raw_svector_ostream out(text);
  legacy::PassManager passes;
  machine.addPassesToEmitFile(passes, out, nullptr, CodeGenFileType::AssemblyFile);
  passes.run(module);
  lowered.assembly.assign(text.begin(), text.end());
  return lowered;
}

} // namespace lgc::test

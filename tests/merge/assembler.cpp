// SPDX-License-Identifier: MIT
//
// The text goes through LLVM's assembly parser into a relocatable object, whose .text is taken.
#include "tests/merge/assembler.h"
#include <doctest/doctest.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/MC/MCAsmBackend.h>
#include <llvm/MC/MCAsmInfo.h>
#include <llvm/MC/MCCodeEmitter.h>
#include <llvm/MC/MCContext.h>
#include <llvm/MC/MCInstrInfo.h>
#include <llvm/MC/MCObjectFileInfo.h>
#include <llvm/MC/MCObjectWriter.h>
#include <llvm/MC/MCParser/MCAsmParser.h>
#include <llvm/MC/MCParser/MCTargetAsmParser.h>
#include <llvm/MC/MCRegisterInfo.h>
#include <llvm/MC/MCStreamer.h>
#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/MC/MCTargetOptions.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Object/ObjectFile.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/raw_ostream.h>
#include <memory>

extern "C" {
void LLVMInitializeAMDGPUTargetInfo();
void LLVMInitializeAMDGPUTargetMC();
void LLVMInitializeAMDGPUAsmParser();
}

namespace dovetail::test {

std::vector<uint8_t> assemble(std::string_view text, const std::string &gpuName) {
  LLVMInitializeAMDGPUTargetInfo();
  LLVMInitializeAMDGPUTargetMC();
  LLVMInitializeAMDGPUAsmParser();
  llvm::Triple triple("amdgcn--amdpal");
  std::string error;
  const llvm::Target *target = llvm::TargetRegistry::lookupTarget(triple.str(), error);
  REQUIRE(target);

  llvm::MCTargetOptions options;
  std::unique_ptr<llvm::MCRegisterInfo> registerInfo(target->createMCRegInfo(triple.str()));
  std::unique_ptr<llvm::MCAsmInfo> asmInfo(target->createMCAsmInfo(*registerInfo, triple.str(), options));
  std::unique_ptr<llvm::MCInstrInfo> instrInfo(target->createMCInstrInfo());
  std::unique_ptr<llvm::MCSubtargetInfo> subtarget(target->createMCSubtargetInfo(triple.str(), gpuName, ""));

  std::string messages;
  llvm::SourceMgr sources;
  sources.setDiagHandler(
      [](const llvm::SMDiagnostic &diagnostic, void *context) {
        llvm::raw_string_ostream stream(*static_cast<std::string *>(context));
        diagnostic.print(nullptr, stream, false);
      },
      &messages);
  sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBufferCopy(".text\n" + std::string(text) + "\n"), llvm::SMLoc());
  llvm::MCContext context(triple, asmInfo.get(), registerInfo.get(), subtarget.get(), &sources);
  std::unique_ptr<llvm::MCObjectFileInfo> objectInfo(target->createMCObjectFileInfo(context, false));
  context.setObjectFileInfo(objectInfo.get());

  llvm::SmallString<4096> object;
  llvm::raw_svector_ostream stream(object);
  std::unique_ptr<llvm::MCAsmBackend> backend(target->createMCAsmBackend(*subtarget, *registerInfo, options));
  std::unique_ptr<llvm::MCObjectWriter> writer = backend->createObjectWriter(stream);
  std::unique_ptr<llvm::MCCodeEmitter> emitter(target->createMCCodeEmitter(*instrInfo, context));
  std::unique_ptr<llvm::MCStreamer> streamer(target->createMCObjectStreamer(
      triple, context, std::move(backend), std::move(writer), std::move(emitter), *subtarget));
  std::unique_ptr<llvm::MCAsmParser> parser(createMCAsmParser(sources, context, *streamer, *asmInfo));
  std::unique_ptr<llvm::MCTargetAsmParser> targetParser(
      target->createMCAsmParser(*subtarget, *parser, *instrInfo, options));
  REQUIRE(targetParser);
  parser->setTargetParser(*targetParser);
  bool failed = parser->Run(false);
  INFO(messages);
  REQUIRE(!failed);
  streamer.reset();

  auto file = llvm::object::ObjectFile::createObjectFile(llvm::MemoryBufferRef(object, "test"));
  REQUIRE(bool(file));
  for (const llvm::object::SectionRef &section : (*file)->sections()) {
    auto name = section.getName();
    if (!name || *name != ".text")
      continue;
    auto contents = section.getContents();
    REQUIRE(bool(contents));
    return {contents->bytes_begin(), contents->bytes_end()};
  }
  FAIL("no .text in the object");
  return {};
}

} // namespace dovetail::test

// SPDX-License-Identifier: MIT
//
// LLVM's assembly parser turns the text into a relocatable object; its .text has the code.
#include "tests/merge/assemble_text.h"
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

Result<std::vector<uint8_t>> assembleText(std::string_view text, std::string_view gpuName) {
  LLVMInitializeAMDGPUTargetInfo();
  LLVMInitializeAMDGPUTargetMC();
  LLVMInitializeAMDGPUAsmParser();
  constexpr const char *TripleName = "amdgcn--amdpal";
  const llvm::Triple triple(TripleName);
  std::string error;
  const llvm::Target *target = llvm::TargetRegistry::lookupTarget(triple, error);
  if (!target)
    return makeError(ErrorCode::Internal, "LLVM has no target for {}: {}", TripleName, error);

  // GFX10 also has waves of 32 lanes.
  const char *features = gpuName.starts_with("gfx10") ? "+wavefrontsize64,-wavefrontsize32" : "";
  llvm::MCTargetOptions options;
  std::unique_ptr<llvm::MCRegisterInfo> registerInfo(target->createMCRegInfo(triple));
  std::unique_ptr<llvm::MCAsmInfo> asmInfo(target->createMCAsmInfo(*registerInfo, triple, options));
  std::unique_ptr<llvm::MCInstrInfo> instrInfo(target->createMCInstrInfo());
  std::unique_ptr<llvm::MCSubtargetInfo> subtarget(target->createMCSubtargetInfo(triple, gpuName, features));

  std::string messages;
  llvm::SourceMgr sources;
  sources.setDiagHandler(
      [](const llvm::SMDiagnostic &diagnostic, void *context) {
        llvm::raw_string_ostream stream(*static_cast<std::string *>(context));
        diagnostic.print(nullptr, stream, false);
      },
      &messages);
  sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBufferCopy(".text\n" + std::string(text) + "\n"), llvm::SMLoc());
  llvm::MCContext context(llvm::Triple(TripleName), asmInfo.get(), registerInfo.get(), subtarget.get(), &sources);
  std::unique_ptr<llvm::MCObjectFileInfo> objectInfo(target->createMCObjectFileInfo(context, false));
  context.setObjectFileInfo(objectInfo.get());

  llvm::SmallString<4096> object;
  llvm::raw_svector_ostream stream(object);
  std::unique_ptr<llvm::MCAsmBackend> backend(target->createMCAsmBackend(*subtarget, *registerInfo, options));
  std::unique_ptr<llvm::MCObjectWriter> writer = backend->createObjectWriter(stream);
  std::unique_ptr<llvm::MCCodeEmitter> emitter(target->createMCCodeEmitter(*instrInfo, context));
  std::unique_ptr<llvm::MCStreamer> streamer(target->createMCObjectStreamer(
      llvm::Triple(TripleName), context, std::move(backend), std::move(writer), std::move(emitter), *subtarget));
  std::unique_ptr<llvm::MCAsmParser> parser(createMCAsmParser(sources, context, *streamer, *asmInfo));
  std::unique_ptr<llvm::MCTargetAsmParser> targetParser(
      target->createMCAsmParser(*subtarget, *parser, *instrInfo, options));
  if (!targetParser)
    return makeError(ErrorCode::Internal, "LLVM has no assembly parser for {}", gpuName);
  parser->setTargetParser(*targetParser);
  bool failed = parser->Run(false);
  if (failed)
    return makeError(ErrorCode::InvalidInput, "{}", messages);
  // The parsers write to the streamer when they are destroyed.
  targetParser.reset();
  parser.reset();
  streamer.reset();

  auto file = llvm::object::ObjectFile::createObjectFile(llvm::MemoryBufferRef(object, "test"));
  if (!file)
    return makeError(ErrorCode::Internal, "LLVM's object: {}", llvm::toString(file.takeError()));
  for (const llvm::object::SectionRef &section : (*file)->sections()) {
    if (llvm::cantFail(section.getName()) != ".text")
      continue;
    llvm::StringRef contents = llvm::cantFail(section.getContents());
    return std::vector<uint8_t>(contents.bytes_begin(), contents.bytes_end());
  }
  return makeError(ErrorCode::Internal, "no .text in the object");
}

} // namespace dovetail::test

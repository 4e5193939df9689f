// SPDX-License-Identifier: MIT
#include "src/lgc/ir_file.h"
#include "src/lgc/builder_context.h"
#include "src/lgc/check_ir.h"
#include "src/lgc/codegen/diagnostics.h"
#include "src/lgc/ops/identify_ops.h"
#include "src/lgc/ops/op.h"
#include "src/lgc/ops/op_comments.h"
#include <llvm/AsmParser/Parser.h>
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/Bitstream/BitstreamReader.h>
#include <llvm/Support/Endian.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/raw_ostream.h>

using namespace llvm;
using dovetail::ErrorCode;
using dovetail::makeError;
using dovetail::Result;

namespace lgc {

namespace {

// The places where the modules of a text begin; the first is 0.
SmallVector<size_t, 4> findModules(StringRef text) {
  SmallVector<size_t, 4> begins = {0};
  bool isEmpty = true, isBehindMetadata = false; // whether the module is empty so far, and whether it has had metadata
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    StringRef line = text.slice(at, end);
    const bool isComment = line.trim().empty() || line.ltrim().starts_with(";");
    const bool isNamed = !isEmpty && line.starts_with("; ModuleID");
    if (isNamed ||
        (isBehindMetadata && !isComment && line.front() != '!' && line.front() != ' ' && line.front() != '\t')) {
      begins.push_back(at);
      isEmpty = true;
      isBehindMetadata = false;
    }
    isEmpty &= isComment;
    isBehindMetadata |= line.starts_with("!");
    at = end + 1;
  }
  return begins;
}

using Modules = std::vector<std::unique_ptr<Module>>;

Result<Modules> parseText(LLVMContext &context, StringRef text, StringRef name, const std::string &dataLayout) {
  Modules modules;
  SmallVector<size_t, 4> begins = findModules(text);
  begins.push_back(text.size());
  for (size_t i = 0; i + 1 < begins.size(); ++i) {
    const std::string part = text.slice(begins[i], begins[i + 1]).str(); // LLVM needs a zero behind it
    SMDiagnostic diagnostic;
    auto ourLayout = [&](StringRef, StringRef) { return std::optional(dataLayout); };
    std::unique_ptr<Module> module =
        parseAssembly(MemoryBufferRef(part, name), diagnostic, context, nullptr, ourLayout);
    if (!module)
      return makeError(ErrorCode::InvalidInput, "{}:{}: {}", name.str(),
                       diagnostic.getLineNo() + text.take_front(begins[i]).count('\n'), diagnostic.getMessage().str());
    modules.push_back(std::move(module));
  }
  return modules;
}

// The place where the next bitcode file begins in these bytes; their end if none follows.
size_t endOfBitcode(StringRef bytes) {
  constexpr size_t magicBytes = 4;
  constexpr uint32_t magic = 0xdec04342; // "BC", 0xc0de
  const auto *begin = reinterpret_cast<const unsigned char *>(bytes.data());
  if (isBitcodeWrapper(begin, begin + bytes.size())) // a wrapper contains its own length
    return bytes.size();
  BitstreamCursor cursor(bytes);
  if (llvm::Error error = cursor.JumpToBit(magicBytes * 8)) {
    consumeError(std::move(error));
    return bytes.size();
  }
  while (!cursor.AtEndOfStream() && cursor.getCurrentByteNo() + magicBytes <= bytes.size()) {
    const size_t at = cursor.getCurrentByteNo();
    if (support::endian::read32le(bytes.data() + at) == magic)
      return at;
    Expected<BitstreamEntry> entry = cursor.advance();
    if (!entry) {
      consumeError(entry.takeError());
      return bytes.size();
    }
    llvm::Error skipped =
        entry->Kind == BitstreamEntry::SubBlock ? cursor.SkipBlock() : createStringError(inconvertibleErrorCode(), "");
    if (skipped) {
      consumeError(std::move(skipped));
      return bytes.size();
    }
  }
  return bytes.size();
}

Result<Modules> parseBitcode(LLVMContext &context, StringRef bytes, StringRef name, const std::string &dataLayout) {
  auto refuse = [&](llvm::Error error) {
    return makeError(ErrorCode::InvalidInput, "{}: {}", name.str(), toString(std::move(error)));
  };
  Modules modules;
  while (!bytes.empty()) {
    StringRef file = bytes.take_front(endOfBitcode(bytes));
    bytes = bytes.drop_front(file.size());
    Expected<std::vector<BitcodeModule>> found = getBitcodeModuleList(MemoryBufferRef(file, name));
    if (!found)
      return refuse(found.takeError());
    for (BitcodeModule &bitcode : *found) {
      ParserCallbacks callbacks([&](StringRef, StringRef) { return std::optional(dataLayout); });
      Expected<std::unique_ptr<Module>> module = bitcode.parseModule(context, callbacks);
      if (!module)
        return refuse(module.takeError());
      modules.push_back(std::move(*module));
    }
  }
  return modules;
}

// LLVM prints the order of a constant's uses but for some constants cannot read it: a constant belongs to the context,
// and has uses outside of the module. No pass depends on that order.
std::string withoutUsesOfConstants(StringRef text) {
  std::string kept;
  kept.reserve(text.size());
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    StringRef line = text.take_front(end);
    text = text.drop_front(end);
    StringRef order = line.ltrim(' ');
    if (order.consume_front("uselistorder ")) { // "<type> <value>, { <numbers> }"
      StringRef value = order.take_front(order.rfind(", {"));
      if (value.consume_back("\""))
        value = value.take_front(value.rfind('"'));
      else
        value = value.rtrim("-$._0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");
      if (!value.ends_with(" %") && !value.ends_with(" @"))
        continue;
    }
    kept.append(line.begin(), line.end());
  }
  return kept;
}

} // namespace

Result<Modules> readIr(BuilderContext &context, std::string_view bytes, std::string_view name) {
  std::unique_ptr<Module> target = context.createModule("target");
  const std::string dataLayout = target->getDataLayoutStr();
  const auto *begin = reinterpret_cast<const unsigned char *>(bytes.data());
  const bool isText = !isBitcode(begin, begin + bytes.size());
  const StringRef content(bytes), fileName(name);
  Modules modules = DOVETAIL_TRY(isText ? parseText(context.context(), content, fileName, dataLayout)
                                        : parseBitcode(context.context(), content, fileName, dataLayout));
  if (modules.empty())
    return makeError(ErrorCode::InvalidInput, "{}: there is no module in it", name);
  for (std::unique_ptr<Module> &module : modules) {
    module->setTargetTriple(target->getTargetTriple());
    DOVETAIL_CHECK(verifyStructure(*module, "in the file"));
    DOVETAIL_CHECK(identifyOps(*module));
    DOVETAIL_CHECK(checkShaderIr(*module, context.dialects()));
    if (std::string problem = verifyOps(*module); !problem.empty())
      return makeError(ErrorCode::InvalidInput, "{}: {}", name, problem);
  }
  return modules;
}

std::string writeIr(const Module &module, IrFormat format) {
  std::string bytes;
  raw_string_ostream out(bytes);
  constexpr bool preserveUseListOrder = true;
  if (format == IrFormat::Bitcode) {
    WriteBitcodeToFile(module, out, preserveUseListOrder);
  } else {
    OpComments comments;
    module.print(out, &comments, preserveUseListOrder);
    out.flush();
    return withoutUsesOfConstants(bytes);
  }
  return bytes;
}

} // namespace lgc

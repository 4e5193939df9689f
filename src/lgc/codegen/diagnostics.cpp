// SPDX-License-Identifier: MIT
#include "src/lgc/codegen/diagnostics.h"
#include <llvm/IR/DiagnosticHandler.h>
#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/DiagnosticPrinter.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/raw_ostream.h>

using namespace llvm;
using dovetail::ErrorCode;
using dovetail::makeError;

namespace lgc {

namespace {

bool areDirectShadersVerified = false;

} // namespace

class Diagnostics::Handler final : public DiagnosticHandler {
public:
  explicit Handler(std::string &errors) : m_errors(errors) {}

  // Returns true: the diagnostic is handled, and the context neither prints it nor exits.
  bool handleDiagnostics(const DiagnosticInfo &info) override {
    if (info.getSeverity() == DS_Error) {
      if (!m_errors.empty())
        m_errors += "; ";
      raw_string_ostream out(m_errors);
      DiagnosticPrinterRawOStream printer(out);
      info.print(printer);
    }
    return true;
  }

private:
  std::string &m_errors;
};

Diagnostics::Diagnostics(LLVMContext &context) : m_context(context) {
  context.setDiagnosticHandler(std::make_unique<Handler>(m_errors));
}

Diagnostics::~Diagnostics() {
  m_context.setDiagnosticHandler(std::make_unique<DiagnosticHandler>());
}

dovetail::Result<void> Diagnostics::check() const {
  if (m_errors.empty())
    return {};
  return makeError(ErrorCode::CompileFailed, "LLVM: {}", m_errors);
}

dovetail::Result<void> verifyStructure(const Module &module, std::string_view when) {
  std::string problem;
  raw_string_ostream out(problem);
  if (verifyModule(module, &out))
    return makeError(ErrorCode::CompileFailed, "the IR is malformed {}: {}", when, StringRef(problem).trim().str());
  return {};
}

bool verifiesDirectShaders() {
  return areDirectShadersVerified;
}

void verifyDirectShaders(bool isOn) {
  areDirectShadersVerified = isOn;
}

} // namespace lgc

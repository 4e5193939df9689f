// SPDX-License-Identifier: MIT
#pragma once

#include <llvm/IR/AssemblyAnnotationWriter.h>

namespace lgc {

// Comments for printed IR: an op's immediates by their names ("; set 0, binding 1, flags 32").
class OpComments : public llvm::AssemblyAnnotationWriter {
public:
  void printInfoComment(const llvm::Value &value, llvm::formatted_raw_ostream &out) override;
};

} // namespace lgc

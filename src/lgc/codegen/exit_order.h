// SPDX-License-Identifier: MIT
//
// A process may exit while a thread of ours compiles. Exit handlers run in the reverse order of their registration:
// those that end our threads, and those that destroy LLVM's static objects. LLVM makes some static objects at their
// first use. If that is after the threads' registration, they are destroyed while the threads still use them.
#pragma once

namespace lgc {

// A file whose threads end at exit has a constant of this type. It makes LLVM's objects when the library is loaded,
// before the threads, and before memory can run out. tests/driver/code/exit_order_test.cpp finds objects that are
// missing here, as with another version of LLVM.
struct LlvmStaticObjects {
  LlvmStaticObjects();
};

} // namespace lgc

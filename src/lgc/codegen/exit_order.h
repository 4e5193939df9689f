// SPDX-License-Identifier: MIT
//
// A process may exit while a thread of ours compiles, and what ends those threads then is run in the opposite order of
// registration with what destroys LLVM's static objects. LLVM makes some of those at their first use. Unless that was
// before, they would be gone while the threads still use them.
#pragma once

namespace lgc {

// A constant of this type, in a file whose threads end at exit, makes them when the library is loaded, which is also
// before memory can run out. tests/driver/code/exit_order_test.cpp tells what is missing here, which another version of
// LLVM may have.
struct LlvmStaticObjects {
  LlvmStaticObjects();
};

} // namespace lgc

// SPDX-License-Identifier: MIT
//
// A program that is linked with failing_allocations.cpp has an operator new of its own, which fails when it is told to.
// It also serves the library's allocations, because a program's functions go before those of libstdc++.
#pragma once

namespace dovetail::test {

// The number of allocations of this thread until one fails. Negative: none fails; it is negative again after one has
// failed.
extern thread_local long allocationsLeft;

} // namespace dovetail::test

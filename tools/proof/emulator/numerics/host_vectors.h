// SPDX-License-Identifier: MIT
//
// Loops over the 64 lanes are compiled twice: for any host, and for hosts with AVX2. Both give the same bits, because
// the compiler neither contracts nor reorders operations.
#pragma once

// Goes in front of a loop whose iterations touch nothing in common, although registers may be the same.
#ifdef __clang__
#define DOVETAIL_LANES_ARE_APART _Pragma("clang loop vectorize(assume_safety)")
#else
#define DOVETAIL_LANES_ARE_APART _Pragma("GCC ivdep")
#endif

namespace dovetail::emulator {

#if defined(__x86_64__) && defined(__GNUC__)

inline const bool HostHasAvx2 = __builtin_cpu_supports("avx2") != 0;

template <typename Loop> [[gnu::target("avx2"), gnu::flatten]] void runWithAvx2(const Loop &loop) {
  loop();
}

// Runs `loop`; everything that it calls is inlined.
template <typename Loop> void withHostVectors(const Loop &loop) {
  if (HostHasAvx2)
    runWithAvx2(loop);
  else
    loop();
}

#else

template <typename Loop> void withHostVectors(const Loop &loop) {
  loop();
}

#endif

} // namespace dovetail::emulator

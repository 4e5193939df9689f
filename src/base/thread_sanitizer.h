// SPDX-License-Identifier: MIT
//
// Tells ThreadSanitizer that one thread hands something to another through a library that it cannot see into. What a
// thread did before handOver(place) has happened for threads that call takeOver(place) afterwards. Without
// ThreadSanitizer, these do nothing.
#pragma once

#if defined(__SANITIZE_THREAD__)
extern "C" void __tsan_acquire(void *place);
extern "C" void __tsan_release(void *place);
#endif

namespace dovetail {

inline void handOver([[maybe_unused]] void *place) {
#if defined(__SANITIZE_THREAD__)
  __tsan_release(place);
#endif
}

inline void takeOver([[maybe_unused]] void *place) {
#if defined(__SANITIZE_THREAD__)
  __tsan_acquire(place);
#endif
}

} // namespace dovetail

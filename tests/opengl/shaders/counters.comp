#version 460
layout(local_size_x = 64) in;
#ifdef VULKAN
layout(set = 4, binding = 0, std430) buffer Counters {
  uint hits;
  uint unused;
  uint kinds[4];
  uint left;
};
layout(set = 1, binding = 0, std430) buffer Data { uint data[]; };
#define atomicCounter(counter) atomicAdd(counter, 0u)
#define atomicCounterIncrement(counter) atomicAdd(counter, 1u)
#define atomicCounterDecrement(counter) (atomicAdd(counter, 0xffffffffu) - 1u)
#define atomicCounterAdd atomicAdd
#define atomicCounterMax atomicMax
#define COUNT(counter) atomicAdd(counter, 1u)
#else
layout(binding = 0, offset = 0) uniform atomic_uint hits;
layout(binding = 0, offset = 24) uniform atomic_uint left;
layout(binding = 0, offset = 8) uniform atomic_uint kinds[4];
layout(binding = 0, std430) buffer Data { uint data[]; };
uint count(atomic_uint counter) {
  return atomicCounterIncrement(counter);
}
#define COUNT(counter) count(counter)
#endif

void main() {
  uint i = gl_LocalInvocationIndex;
  // No two invocations get the same number; which one gets which is not said.
  uint mine = COUNT(hits) + atomicCounterDecrement(left);
  COUNT(kinds[i & 1u]);
  atomicCounterAdd(kinds[2u], i);
  atomicCounterMax(kinds[3u], i * 7u);
  barrier();
  data[i] = atomicCounter(kinds[0]) + (mine - mine);
}

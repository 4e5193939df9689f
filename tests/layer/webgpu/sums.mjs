// SPDX-License-Identifier: MIT
//
// Sums of numbers through workgroup memory, barriers and atomics, in two dispatches, one of them indirect.
import { openDevice, readBuffer } from "../../../tools/applications/webgpu.mjs";

const device = await openDevice();
const count = 4096;
const module = device.createShaderModule({
  label: "sums",
  code: `
    override factor: u32 = 1;
    @group(0) @binding(0) var<storage, read> numbers: array<u32>;
    @group(0) @binding(1) var<storage, read_write> total: atomic<u32>;
    var<workgroup> partial: array<u32, 64>;
    @compute @workgroup_size(64) fn sum(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_index) lane: u32) {
      partial[lane] = numbers[id.x] * factor;
      for (var step = 32u; step > 0u; step /= 2u) {
        workgroupBarrier();
        if (lane < step) { partial[lane] += partial[lane + step]; }
      }
      if (lane == 0u) { atomicAdd(&total, partial[0]); }
    }`,
});
const makePipeline = (factor) => device.createComputePipeline({ label: `sum of ${factor}`, layout: "auto", compute: { module, entryPoint: "sum", constants: { factor } } });
function makeBuffer(data, usage) {
  const buffer = device.createBuffer({ size: data.byteLength, usage: usage | GPUBufferUsage.COPY_DST });
  device.queue.writeBuffer(buffer, 0, data);
  return buffer;
}
const numbers = makeBuffer(Uint32Array.from({ length: count }, (_, index) => index), GPUBufferUsage.STORAGE);
const total = makeBuffer(new Uint32Array([0]), GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC);
const groups = makeBuffer(new Uint32Array([count / 64, 1, 1]), GPUBufferUsage.INDIRECT);
const result = device.createBuffer({ size: 4, usage: GPUBufferUsage.COPY_DST | GPUBufferUsage.MAP_READ });

const encoder = device.createCommandEncoder();
for (const factor of [1, 10]) {
  const pipeline = makePipeline(factor);
  const pass = encoder.beginComputePass();
  pass.setPipeline(pipeline);
  pass.setBindGroup(0, device.createBindGroup({
    layout: pipeline.getBindGroupLayout(0),
    entries: [{ binding: 0, resource: { buffer: numbers } }, { binding: 1, resource: { buffer: total } }],
  }));
  if (factor === 1) pass.dispatchWorkgroups(count / 64);
  else pass.dispatchWorkgroupsIndirect(groups, 0);
  pass.end();
}
encoder.copyBufferToBuffer(total, 0, result, 0, 4);
device.queue.submit([encoder.finish()]);

const found = new Uint32Array((await readBuffer(result)).buffer)[0];
const wanted = (11 * count * (count - 1)) / 2;
if (found !== wanted) {
  console.error(`the sum is ${found}, and not ${wanted}`);
  process.exit(1);
}
process.exit(0);

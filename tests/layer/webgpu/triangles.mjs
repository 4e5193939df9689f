// SPDX-License-Identifier: MIT
//
// Indexed and instanced triangles with a depth buffer, a uniform with a dynamic offset, and blending: 3 draws.
import { checkPixel, openDevice, readPicture } from "../../../tools/applications/webgpu.mjs";

const device = await openDevice();
const size = 64;
const usage = GPUTextureUsage.RENDER_ATTACHMENT | GPUTextureUsage.COPY_SRC;
const target = device.createTexture({ size: [size, size], format: "rgba8unorm", usage });
const depth = device.createTexture({ size: [size, size], format: "depth24plus", usage: GPUTextureUsage.RENDER_ATTACHMENT });
const module = device.createShaderModule({
  label: "triangles",
  code: `
    struct Draw { color: vec4f, depth: f32 }
    @group(0) @binding(0) var<uniform> draw: Draw;
    @vertex fn place(@location(0) at: vec2f, @builtin(instance_index) instance: u32) -> @builtin(position) vec4f {
      return vec4f(at + vec2f(f32(instance), 0.0), draw.depth, 1.0);
    }
    @fragment fn color() -> @location(0) vec4f { return draw.color; }`,
});
const entries = [{ binding: 0, visibility: GPUShaderStage.VERTEX | GPUShaderStage.FRAGMENT, buffer: { hasDynamicOffset: true, minBindingSize: 32 } }];
const groupLayout = device.createBindGroupLayout({ entries });
const layout = device.createPipelineLayout({ bindGroupLayouts: [groupLayout] });
const makePipeline = (label, blend) => device.createRenderPipeline({
  label,
  layout,
  vertex: { module, entryPoint: "place", buffers: [{ arrayStride: 8, attributes: [{ shaderLocation: 0, offset: 0, format: "float32x2" }] }] },
  fragment: { module, entryPoint: "color", targets: [{ format: "rgba8unorm", blend }] },
  depthStencil: { format: "depth24plus", depthWriteEnabled: true, depthCompare: "less" },
});
const opaque = makePipeline("opaque");
const half = { srcFactor: "src-alpha", dstFactor: "one-minus-src-alpha" };
const glass = makePipeline("glass", { color: half, alpha: half });

function makeBuffer(data, usage) {
  const buffer = device.createBuffer({ size: data.byteLength, usage: usage | GPUBufferUsage.COPY_DST });
  device.queue.writeBuffer(buffer, 0, data);
  return buffer;
}
// The left half of the picture; a second instance is the right half.
const vertices = makeBuffer(new Float32Array([-1, -1, 0, -1, -1, 1, 0, 1]), GPUBufferUsage.VERTEX);
const indices = makeBuffer(new Uint16Array([0, 1, 2, 2, 1, 3]), GPUBufferUsage.INDEX);
const uniforms = new Float32Array(3 * 64);
[[1, 0, 0, 1, 0.5], [0, 1, 0, 1, 0.7], [0, 0, 1, 0.5, 0.2]].forEach((draw, index) => uniforms.set(draw, index * 64));
const group = device.createBindGroup({ layout: groupLayout, entries: [{ binding: 0, resource: { buffer: makeBuffer(uniforms, GPUBufferUsage.UNIFORM), size: 32 } }] });

const encoder = device.createCommandEncoder();
const pass = encoder.beginRenderPass({
  colorAttachments: [{ view: target.createView(), loadOp: "clear", storeOp: "store", clearValue: [0, 0, 0, 1] }],
  depthStencilAttachment: { view: depth.createView(), depthLoadOp: "clear", depthStoreOp: "discard", depthClearValue: 1 },
});
pass.setVertexBuffer(0, vertices);
pass.setIndexBuffer(indices, "uint16");
pass.setPipeline(opaque);
pass.setBindGroup(0, group, [0]);
pass.drawIndexed(6); // red, the left half
pass.setBindGroup(0, group, [256]);
pass.drawIndexed(6, 2); // green behind it, both halves
pass.setPipeline(glass);
pass.setBindGroup(0, group, [512]);
pass.drawIndexed(3, 1, 3, 0, 1); // blue in front, half a triangle of the right half
pass.end();
device.queue.submit([encoder.finish()]);

const picture = await readPicture(device, target);
checkPixel(picture, size, 8, 32, [255, 0, 0, 255]);
checkPixel(picture, size, 34, 40, [0, 255, 0, 255]);
checkPixel(picture, size, 60, 10, [0, 128, 128, 191]);
process.exit(0);

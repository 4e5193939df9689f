// SPDX-License-Identifier: MIT
//
// A compute shader writes a texture, a multisampled pass draws with it, and a bundle draws the resolved picture again:
// 1 dispatch and 2 draws.
import { checkPixel, openDevice, readPicture } from "../../../tools/applications/webgpu.mjs";

const device = await openDevice();
const size = 64, format = "rgba8unorm";
const { STORAGE_BINDING, TEXTURE_BINDING, RENDER_ATTACHMENT, COPY_SRC } = GPUTextureUsage;
const board = device.createTexture({ label: "board", size: [8, 8], format, usage: STORAGE_BINDING | TEXTURE_BINDING });
const samples = device.createTexture({ size: [size, size], format, sampleCount: 4, usage: RENDER_ATTACHMENT });
const middle = device.createTexture({ size: [size, size], format, usage: RENDER_ATTACHMENT | TEXTURE_BINDING });
const target = device.createTexture({ size: [size, size], format, usage: RENDER_ATTACHMENT | COPY_SRC });
const module = device.createShaderModule({
  label: "textures",
  code: `
    @group(0) @binding(0) var board: texture_storage_2d<rgba8unorm, write>;
    @compute @workgroup_size(8, 8) fn paint(@builtin(global_invocation_id) at: vec3u) {
      textureStore(board, at.xy, select(vec4f(0.2, 0.4, 0.6, 1.0), vec4f(1.0, 1.0, 0.0, 1.0), ((at.x + at.y) & 1u) == 1u));
    }
    struct Place { @builtin(position) at: vec4f, @location(0) uv: vec2f }
    @vertex fn cover(@builtin(vertex_index) index: u32) -> Place {
      let uv = vec2f(f32((index << 1u) & 2u), f32(index & 2u));
      return Place(vec4f(uv * vec2f(2.0, -2.0) + vec2f(-1.0, 1.0), 0.0, 1.0), uv);
    }
    @group(0) @binding(1) var picture: texture_2d<f32>;
    @group(0) @binding(2) var nearest: sampler;
    @fragment fn show(place: Place) -> @location(0) vec4f { return textureSample(picture, nearest, place.uv); }
    @fragment fn swap(place: Place) -> @location(0) vec4f { return textureLoad(picture, vec2i(place.at.xy), 0).bgra; }`,
});
const paint = device.createComputePipeline({ label: "paint", layout: "auto", compute: { module, entryPoint: "paint" } });
const makePipeline = (label, entryPoint, count) => device.createRenderPipeline({
  label, layout: "auto", vertex: { module, entryPoint: "cover" }, fragment: { module, entryPoint, targets: [{ format }] }, multisample: { count },
});
const show = makePipeline("show", "show", 4), swap = makePipeline("swap", "swap", 1);
const bind = (pipeline, entries) => device.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries });
const attachment = (texture, resolve) => ({
  colorAttachments: [{ view: texture.createView(), resolveTarget: resolve?.createView(), loadOp: "clear", storeOp: "store" }],
});

const encoder = device.createCommandEncoder();
const first = encoder.beginComputePass();
first.setPipeline(paint);
first.setBindGroup(0, bind(paint, [{ binding: 0, resource: board.createView() }]));
first.dispatchWorkgroups(1);
first.end();
const second = encoder.beginRenderPass(attachment(samples, middle));
second.setPipeline(show);
second.setBindGroup(0, bind(show, [{ binding: 1, resource: board.createView() }, { binding: 2, resource: device.createSampler() }]));
second.draw(3);
second.end();
const bundle = device.createRenderBundleEncoder({ colorFormats: [format] });
bundle.setPipeline(swap);
bundle.setBindGroup(0, bind(swap, [{ binding: 1, resource: middle.createView() }]));
bundle.draw(3);
const third = encoder.beginRenderPass(attachment(target));
third.executeBundles([bundle.finish()]);
third.end();
device.queue.submit([encoder.finish()]);

const picture = await readPicture(device, target);
checkPixel(picture, size, 4, 4, [153, 102, 51, 255]);
checkPixel(picture, size, 12, 4, [0, 255, 255, 255]);
checkPixel(picture, size, 60, 60, [153, 102, 51, 255]);
process.exit(0);

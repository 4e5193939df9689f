// SPDX-License-Identifier: MIT
//
// PlayCanvas without a window: lit materials, shadows, a texture and fog, three frames.
import { fakeCanvas, load, pretendBrowser, readPicture, tellPicture } from "./webgpu.mjs";

pretendBrowser();
const pc = await load("playcanvas");
const canvas = fakeCanvas();
const graphics = await pc.createGraphicsDevice(canvas, { deviceTypes: ["webgpu"], glslangUrl: "", twgslUrl: "", antialias: false });
if (graphics.deviceType !== "webgpu") throw new Error(`the device is ${graphics.deviceType}`);
const options = new pc.AppOptions();
options.graphicsDevice = graphics;
options.componentSystems = [pc.RenderComponentSystem, pc.CameraComponentSystem, pc.LightComponentSystem];
const app = new pc.AppBase(canvas);
app.init(options);
app.scene.ambientLight = new pc.Color(0.2, 0.2, 0.2);

function add(name, component, data, place) {
  const entity = new pc.Entity(name);
  entity.addComponent(component, data);
  entity.setPosition(...place);
  app.root.addChild(entity);
  return entity;
}

const texture = new pc.Texture(graphics, { width: 8, height: 8, format: pc.PIXELFORMAT_RGBA8, mipmaps: false });
texture.lock().set(new Uint8Array(8 * 8 * 4).map((_, index) => (index * 37) % 256));
texture.unlock();
const plain = new pc.StandardMaterial(), textured = new pc.StandardMaterial(), glass = new pc.StandardMaterial();
plain.diffuse = new pc.Color(1, 0.5, 0.2);
plain.gloss = 0.7;
textured.diffuseMap = texture;
glass.diffuse = new pc.Color(0.4, 0.7, 1);
glass.opacity = 0.5;
glass.blendType = pc.BLEND_NORMAL;
for (const material of [plain, textured, glass]) material.update();

add("camera", "camera", { clearColor: new pc.Color(0.1, 0.2, 0.3) }, [0, 1, 4]).lookAt(0, 0, 0);
add("sun", "light", { type: "directional", castShadows: true }, [0, 0, 0]).setEulerAngles(45, 30, 0);
add("lamp", "light", { type: "omni", color: new pc.Color(1, 0.8, 0.4), range: 6 }, [1, 2, 1]);
const box = add("box", "render", { type: "box", material: plain }, [-0.8, 0, 0]);
add("sphere", "render", { type: "sphere", material: glass }, [0.8, 0, 0.5]);
add("ground", "render", { type: "plane", material: textured }, [0, -0.6, 0]).setLocalScale(6, 1, 6);

app.autoRender = false;
app.start();
for (let frame = 0; frame < 3; ++frame) {
  box.setEulerAngles(20, frame * 25, 0);
  app.update(0.016);
  app.render();
}
tellPicture("playcanvas", await readPicture(canvas.context.device, canvas.context.texture));
process.exit(0);

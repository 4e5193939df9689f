// SPDX-License-Identifier: MIT
//
// frames-app LAYER: 40 frames of 2 milliseconds over the null driver. The 30th draws with a pipeline that no frame
// before it used, and is long if that pipeline's parts are compiled then. The driver itself takes no time.
#include "tests/layer/null-driver/null_app.h"

int main(int argc, char **argv) {
  if (argc != 2)
    return 2;
  dovetail::null_driver::App app(argv[1], 2, false);
  app.namePipeline(1, "explosion");
  for (int frame = 1; frame <= 40; ++frame) {
    app.bindPipeline(0);
    app.draw();
    if (frame == 30) {
      app.bindPipeline(1);
      app.draw();
    }
    app.present();
  }
}

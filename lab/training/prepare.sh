#!/bin/sh
# Trains the scene network from nothing, in this folder. Needs npm and node with the engine's dependencies installed,
# python3 with numpy, opencv, torch and onnx, git, and python3-skimage for its sample pictures.
set -e

# 1. Backbone: MobileNetV2 weights of nsfwjs 4.4.0 (MIT).
npm pack nsfwjs@4.4.0
tar xf nsfwjs-4.4.0.tgz
node backbone.mjs package/dist/models/mobilenet_v2 mobilenet_v2

# 2. Public-domain photographs into originals/: Immich's test assets and the CC0 and public-domain samples of
#    scikit-image that the model card lists (by hand). Then small, upright JPEGs; some are held back to look at.
node convert.mjs originals photographs
mkdir -p held-back
for name in japanese-shop silver_fir mongolels portrait prairie_falcon tanners_ridge; do
  mv "photographs/$name.jpg" held-back/
done

# 3. Mattes of the photographs, for the cut-outs.
node matte.mjs mattes photographs/*.jpg

# 4. Validation scenes, then the endless stream (one process per core, each with its own SEED) and the training.
SEED=999 python3 generate.py shards validation 1 300
SEED=1 python3 generate.py shards shards 400 500 40 &
python3 train.py main "$(date -d '+45 minutes' +%s)"

# 5. The file that ships, and the proof that it computes what PyTorch computed.
python3 rescale.py main_3.pt scene-depth.pt
python3 export.py scene-depth.pt scene-depth.onnx
node parity.mjs scene-depth.onnx

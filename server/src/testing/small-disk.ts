import { spawnSync } from 'node:child_process';

/** Runs `$@` in a namespace of its own, with a file system of the given options mounted on a folder. */
const mounted = (folder: string, options: string, before: string): readonly string[] => [
  'unshare',
  '--user',
  '--map-root-user',
  '--mount',
  'sh',
  '-c',
  `mount -t tmpfs -o "${options}" none "${folder}" && { ${before}; exec "$@"; }`,
  'sh',
];

/** Whether this machine lets a program mount a file system for itself: Linux with user namespaces. */
export const canMount =
  spawnSync('unshare', ['--user', '--map-root-user', '--mount', 'mount', '-t', 'tmpfs', 'none', '/mnt']).status === 0;

/** A program and its options that run another one, for which the folder is on a disk without room. */
export const onFullDisk = (folder: string) =>
  mounted(folder, 'size=16k', `cat /dev/zero >"${folder}/ballast" 2>/dev/null`);

/** As `onFullDisk`, with a disk of this size that is empty. */
export const onSmallDisk = (folder: string, size: string) => mounted(folder, `size=${size}`, 'true');

/** As `onFullDisk`, with a disk that is mounted read-only. */
export const onReadOnlyDisk = (folder: string) => mounted(folder, 'ro', 'true');

/** As `onFullDisk`; root loses the right to write everywhere. */
export const withoutRights = process.getuid?.() === 0 ? ['setpriv', '--bounding-set=-all'] : [];

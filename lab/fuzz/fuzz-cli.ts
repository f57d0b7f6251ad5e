/** Runs damaged files through the converter: `npm run fuzz -- --count 1000 --seed 7`. */
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { fuzz } from './fuzz.ts';
import { KINDS } from './kinds.ts';

const USAGE = `usage: npm run fuzz [-- options]

  --count N      inputs (default 1000)
  --seed S       another seed makes other inputs (default 1)
  --kind A,B,…   ${KINDS.join(', ')} (default: all)
  --first I      number of the first input: --first I --count 1 makes one finding again
  --keep DIR     where inputs that fail are kept
  --json FILE    writes the outcome as JSON too

Ends with 1 when an input did not end in a result or a typed error, hung, or left files behind.
`;
const EVERY = 250;

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '1000' },
    seed: { type: 'string', default: '1' },
    kind: { type: 'string', default: KINDS.join(',') },
    first: { type: 'string', default: '0' },
    keep: { type: 'string' },
    json: { type: 'string' },
    help: { type: 'boolean' },
  },
});
const names = values.kind.split(',');
const kinds = KINDS.filter((kind) => names.includes(kind));
const numbers = [values.count, values.seed, values.first].map(Number);
const [count, seed, first] = numbers as [number, number, number];
if (
  values.help ||
  kinds.length !== names.length ||
  !numbers.every((number) => Number.isInteger(number) && number >= 0)
) {
  (values.help ? process.stdout : process.stderr).write(USAGE);
  process.exitCode = values.help ? 0 : 2;
} else {
  const started = performance.now();
  const result = await fuzz({
    count,
    seed,
    kinds,
    first,
    ...(values.keep === undefined ? {} : { keep: resolve(values.keep) }),
    onFinding: ({ index, kind, how, problem }) =>
      process.stdout.write(`FINDING ${index} ${kind} (${how.join(', ')}): ${problem}\n`),
    onProgress: (done) => void (done % EVERY === 0 && process.stderr.write(`${done} of ${count}\n`)),
  });
  const { inputs, conversions, outcomes, crashes, unexplained, slow, findings, slowestMs } = result;
  const tell = (line: string) => process.stdout.write(`${line}\n`);
  tell(
    `${inputs} inputs, ${conversions} of them converted, in ${Math.round((performance.now() - started) / 1000)} s; slowest ${slowestMs} ms`,
  );
  for (const [name, number] of Object.entries(outcomes).sort((a, b) => b[1] - a[1])) tell(`  ${name} ${number}`);
  for (const [title, list] of [
    ['processes that died, contained', crashes],
    ['failures that do not name the file', unexplained],
    ['ended by the time limit', slow],
    ['findings', findings],
  ] as const) {
    tell(`${title}: ${list.length}`);
    for (const { index, kind, problem } of list.slice(0, 20))
      tell(`  ${index} ${kind}: ${problem.split('\n').slice(0, 3).join(' ')}`);
  }
  if (values.json) writeFileSync(resolve(values.json), `${JSON.stringify(result, null, 2)}\n`);
  if (findings.length > 0) process.exitCode = 1;
}

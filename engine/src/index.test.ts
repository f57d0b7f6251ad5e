import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';

test('a server that imports the engine loads no native decoder and no network', () => {
  const script = `
    import { registerHooks } from 'node:module';
    registerHooks({
      load(url, context, next) {
        console.log(url);
        return next(url, context);
      },
    });
    await import(${JSON.stringify(new URL('./index.ts', import.meta.url).href)});`;
  const loaded = execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
  expect(loaded).toContain('/engine/src/index.ts');
  const packages = [...loaded.matchAll(/\/node_modules\/((?:@[^/]+\/)?[^/]+)/g)].map(([, name]) => name);
  expect(packages.filter((name) => name !== 'zod')).toEqual([]);
});

import { expect, test } from 'vitest';
import { median } from './median.ts';
import { type Figures, intoPage, markdown } from './report.ts';

const run = { ms: 2000, rssMb: 700, steps: { depth: 900, views: 100 } };
const video = { ms: 10_000, fps: 30, rssMb: 400, steps: { views: 9000, pack: 500 } };
const ratio = { width: 3360, height: 3360, viewsMs: 100, packMs: 300, jpegMs: 320, viewsAndPackingOverJpeg: 1.25 };
const figures: Figures = {
  machine: { cpu: 'Test CPU', cores: 2, memoryGb: 24, node: '20.0.0', date: '2025-01-31' },
  photo: 'photo.jpg',
  photo12mp: { ...run, cold: { ...run, ms: 3000 }, mattingMs: 800, withoutMattingMs: 1200 },
  identityMs: 600,
  ratios: { quilt: ratio, sbs4096: ratio },
  loopDelayMs: { p50: 1.1, p99: 4.2, max: 20 },
  video720p: {
    frames: 300,
    transcodeFps: 90,
    identity: { ...video, fps: 60 },
    fast: { ...video, fps: 40.5, overTranscode: 0.45 },
    best: { ...video, fps: 13.5, overTranscode: 0.15 },
  },
  video: { rssMb: { '1min': 300, '10min': 309 } },
  scaling: {
    photos: [{ megapixels: 48, ms: 5000, rssMb: 900 }],
    videos: [{ seconds: 600, ms: 90_000, rssMb: 309 }],
  },
};

test('the table names the command, the machine and the date, and each step with its share', () => {
  const text = markdown(figures);
  expect(text).toContain('`npm run bench` on Test CPU, 2 cores, 24 GB, Node 20.0.0, 2025-01-31.');
  expect(text).toContain('| depth | 900 ms | 45 % | 900 ms |');
  expect(text).toContain('| everything but the matting network, which takes 800 ms | **1200 ms** |');
  expect(text).toContain('| Portrait quilt, 3360 x 3360 | 100 ms | 300 ms | 320 ms | **1.25** |');
  expect(text).toContain('p99 4.2 ms');
  expect(text).toContain('| tier fast | 40.5 | **0.45** | 90 % | 5 % | 400 MB |');
  expect(text).toContain('identity: the same video, no depth | 60.0 | 0.67 |');
  expect(text).toContain('of ten minutes: 309 MB (+3.0 %)');
  expect(text).toContain('| 48 megapixels | 5000 ms | 900 MB |');
  expect(text).toContain('| 600 s | 90.0 s | 0.15 s | 309 MB |');
});

test('figures replace the older ones on the page, and nothing else', () => {
  const page = '# Benchmarks\n\n## Quality\n\nkept\n';
  const first = intoPage(page, 'old\n');
  expect(first).toContain('kept');
  const second = intoPage(`${first}\n## After\n`, 'new\n');
  expect(second).toContain('new');
  expect(second).not.toContain('old');
  expect(second.match(/kept|## After/g)).toHaveLength(2);
});

test('the median is the middle value, or between the two middle ones', () => {
  expect(median([9, 1, 5])).toBe(5);
  expect(median([4, 1, 3, 2])).toBe(2.5);
});

import { expect, it } from 'vitest';
import { createReport } from './report.ts';

const NOW = '2026-01-01T00:00:00.000Z';

it('tells each problem once, and everything until a heartbeat has arrived', () => {
  let news = 0;
  const report = createReport(
    () => NOW,
    () => news++,
  );
  report.problem('a', 'notDecoded', new Error('odd bytes'));
  report.problem('a', 'notDecoded', new Error('odd bytes'));
  report.showing('b');
  report.showing('b');
  report.complete('v1');
  expect(news).toBe(2);
  const first = report.take();
  expect(first.body).toEqual({
    playlist: 'v1',
    showing: { item: 'b', since: NOW },
    problems: [{ item: 'a', code: 'notDecoded', detail: 'odd bytes' }],
    shown: ['b'],
  });
  // The heartbeat was lost, and more has happened meanwhile.
  report.showing('c');
  const second = report.take();
  expect(second.body).toMatchObject({ problems: first.body.problems, shown: ['b', 'c'] });
  second.sent();
  report.problem('a', 'notDecoded', new Error('odd bytes'));
  expect(report.take().body).toMatchObject({ problems: [], shown: [] });
  report.forget();
  report.problem('a', 'notDecoded', 'x'.repeat(999));
  expect(report.take().body.problems?.[0]?.detail).toHaveLength(200);
});

import { describe, expect, it } from 'vitest';
import { createLog, plainLine } from './log.ts';

describe('the log', () => {
  it('blanks secrets, whatever logs them', () => {
    let lines = '';
    const log = createLog('info', { write: (line) => (lines += line) });
    log.info({ token: 's3cret', body: { password: 's3cret', code: 's3cret' }, headers: { cookie: 's3cret' } }, 'x');
    log.info({ input: { newPassword: 's3cret', pin_code: 's3cret', guestId: 's3cret' } }, 'x');
    log.info({ req: { headers: { authorization: 's3cret' } } }, 'x');
    log.debug('not at this level');
    expect(lines).not.toContain('s3cret');
    expect(lines.trim().split('\n')).toHaveLength(3);
  });

  it('is one plain line for a person at a terminal', () => {
    const line = JSON.stringify({ level: 40, time: Date.UTC(2026, 0, 1), msg: 'A job failed', job: 'mail.send' });
    expect(plainLine(line)).toMatch(/^\d\d:\d\d:\d\d WARN A job failed job="mail\.send"\n$/);
    const error = JSON.stringify({ level: 50, time: 0, msg: 'x', err: { message: 'm', stack: 'Error: m\n  at y' } });
    expect(plainLine(error)).toContain('ERROR x\nError: m\n  at y\n');
  });
});

import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { COMMON_ERRORS, type Endpoint } from './endpoint.ts';
import { api } from './endpoints.ts';
import { ApiError, ERRORS, type ErrorCode, isErrorCode } from './errors.ts';

const codes = Object.keys(ERRORS) as ErrorCode[];
describe('the error table', () => {
  it('gives each code an HTTP status of a failure; 401 means only that there is no session, 404 hides what is not yours', () => {
    for (const code of codes) {
      const { status } = ERRORS[code];
      expect(code === 'networkError' ? status === 0 : status >= 400 && status < 600, code).toBe(true);
    }
    expect(codes.filter((code) => ERRORS[code].status === 401)).toEqual(['tokenExpired']);
    expect(ERRORS.loginFailed.status).toBe(422);
    expect(ERRORS.mediaNotFound.status).toBe(404);
  });

  it('knows no code that only looks like one', () => {
    expect([isErrorCode('noSuchCode'), isErrorCode('toString')]).toEqual([false, false]);
  });

  it('carries the code, lines of detail and the time to wait', () => {
    const cause = new Error('why');
    const error = new ApiError('tooManyRequests', ['5 a minute'], { retryAfter: 12, cause });
    expect(error).toMatchObject({ code: 'tooManyRequests', details: ['5 a minute'], retryAfter: 12, cause });
    expect(error).toBeInstanceOf(Error);
  });
});

describe('the endpoints', () => {
  const endpoints = Object.entries(api) as [string, Endpoint][];

  it('are each named as their key, summarised, open to somebody, and unique by method and path', () => {
    for (const [key, endpoint] of endpoints) {
      expect(endpoint.name).toBe(key);
      expect(endpoint.summary).toMatch(/^[A-Z].*\.$/);
      expect(endpoint.actors.length).toBeGreaterThan(0);
      expect(endpoint.path).toMatch(/^\/[\w/{}]+$/);
    }
    expect(new Set(endpoints.map(([, { method, path }]) => `${method} ${path}`)).size).toBe(endpoints.length);
  });

  it('refuse unknown keys', () => {
    for (const [key, { input }] of endpoints) {
      const forms = input instanceof z.ZodDiscriminatedUnion ? input.options : [input];
      for (const form of forms) {
        const result = z.safeParse(form, { surprise: 1 });
        expect(
          result.error?.issues.map(({ code }) => code),
          key,
        ).toContain('unrecognized_keys');
      }
    }
  });

  it('declare only errors of the table, and none twice', () => {
    for (const [key, { errors }] of endpoints) {
      const all = [...COMMON_ERRORS, ...errors];
      expect(all.every(isErrorCode), key).toBe(true);
      expect(new Set(all).size, key).toBe(all.length);
    }
  });
});

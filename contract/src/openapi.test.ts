import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import { answerSchema, type Endpoint, fillPath } from './endpoint.ts';
import { api } from './endpoints.ts';
import { ERRORS } from './errors.ts';
import { openApiDocument } from './openapi.ts';

const document = openApiDocument('/api', '1.2.3');
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    path,
    method,
    ...(operation as {
      operationId: string;
      parameters: { name: string; in: string; required: boolean }[];
      responses: Record<string, { description: string }>;
      security: object[];
      requestBody?: object;
    }),
  })),
);

describe('the OpenAPI document', () => {
  it('is valid OpenAPI 3.1', async () => {
    const { valid, errors } = await new Validator().validate(JSON.parse(JSON.stringify(document)));
    expect(errors).toBeUndefined();
    expect(valid).toBe(true);
    expect(document.openapi).toMatch(/^3\.1\./);
  });

  it('describes every endpoint once, with its parameters and failures [R-7.base.2]', () => {
    expect(operations.map(({ operationId }) => operationId).sort()).toEqual(Object.keys(api).sort());
    for (const { operationId, path, parameters, responses, requestBody, method } of operations) {
      const endpoint: Endpoint = api[operationId as keyof typeof api];
      const inPath = parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name);
      expect(inPath.sort()).toEqual([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort());
      expect(requestBody === undefined).toBe(method === 'get');
      for (const code of endpoint.errors) expect(responses[ERRORS[code].status]?.description).toContain(code);
      expect(responses['200']).toBeDefined();
    }
  });

  it('says which calls need no session', () => {
    const open = operations.filter(({ security }) => security.some((way) => Object.keys(way).length === 0));
    expect(open.map(({ operationId }) => operationId)).toContain('login');
    expect(open.map(({ operationId }) => operationId)).not.toContain('videos');
  });
});

describe('an endpoint', () => {
  it('has an envelope for what it answers [R-3.paged-list.1][R-7.responses.2]', () => {
    const list = answerSchema(api.effect_params);
    const links = { self: '/api/effect_params', next: null };
    expect(list?.safeParse({ success: true, data: [], meta: { hasNext: false }, links }).success).toBe(true);
    expect(list?.safeParse({ success: true, message: [] }).success).toBe(false);
    expect(answerSchema(api.logout)?.safeParse({ success: true, message: {} }).success).toBe(true);
    expect(answerSchema(api.mediaPart)).toBeNull();
    expect(answerSchema(api.mediaEvents)).toBeNull();
  });

  it('fills its path, encoded, and misses no parameter', () => {
    expect(fillPath('/media/{id}/{part}', { id: 'a/b', part: 'cover' })).toBe('/media/a%2Fb/cover');
    expect(() => fillPath('/media/{id}', {})).toThrow('needs the parameter id');
  });
});

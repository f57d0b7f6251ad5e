import { z } from 'zod';
import { answerSchema, COMMON_ERRORS, type Endpoint, failureEnvelope } from './endpoint.ts';
import { api } from './endpoints.ts';
import { ERRORS, type ErrorCode } from './errors.ts';

const json = (schema: unknown) => ({ 'application/json': { schema } });
const CONTENT = { events: 'text/event-stream', file: 'application/octet-stream' } as const;

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Record<string, unknown> {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return rest;
}

function parameters(where: 'path' | 'query', schema: z.ZodType) {
  const { properties = {}, required = [] } = schemaOf(schema, 'input') as {
    properties?: Record<string, unknown>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: where,
    required: where === 'path' || required.includes(name),
    schema: property,
  }));
}

function failures(endpoint: Endpoint) {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of [...COMMON_ERRORS, ...endpoint.errors]) {
    const { status } = ERRORS[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      String(status),
      { description: codes.join(', '), content: json({ $ref: '#/components/schemas/Failure' }) },
    ]),
  );
}

function bodyOf(endpoint: Endpoint) {
  if (endpoint.takes === 'file') return { [CONTENT.file]: { schema: {} } };
  return json(schemaOf(endpoint.input, 'input'));
}

function success(endpoint: Endpoint) {
  const answer = answerSchema(endpoint);
  if (answer) return { description: 'Success', content: json(schemaOf(answer, 'output')) };
  const type = endpoint.kind === 'events' ? CONTENT.events : CONTENT.file;
  return { description: 'Success', content: { [type]: { schema: schemaOf(endpoint.output, 'output') } } };
}

/** Returns the API as an OpenAPI 3.1 document. `base` is the API base, e.g. `/api`. */
export function openApiDocument(base: string, version: string) {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const endpoint of Object.values(api) as Endpoint[]) {
    const reads = endpoint.method === 'GET';
    const open = endpoint.actors.includes('visitor');
    paths[endpoint.path] = {
      ...paths[endpoint.path],
      [endpoint.method.toLowerCase()]: {
        operationId: endpoint.name,
        summary: endpoint.summary,
        description: `Who may call: ${endpoint.actors.join(', ')}.`,
        security: open ? [{}, { bearer: [] }, { cookie: [] }] : [{ bearer: [] }, { cookie: [] }],
        parameters: [...parameters('path', endpoint.params), ...(reads ? parameters('query', endpoint.input) : [])],
        ...(reads ? {} : { requestBody: { required: true, content: bodyOf(endpoint) } }),
        responses: {
          '200': success(endpoint),
          ...(endpoint.kind === 'versioned' && {
            '304': { description: 'Not changed since the ETag in If-None-Match' },
          }),
          ...failures(endpoint),
        },
      },
    };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Framelift',
      version,
      license: { name: 'AGPL-3.0-or-later', identifier: 'AGPL-3.0-or-later' },
      description:
        'Actions answer {success, message}, lists {success, data, meta, links}, failures {success, code, message, errors}. Messages follow accept-language (en, zh, ja).',
    },
    servers: [{ url: base }],
    paths,
    components: {
      schemas: { Failure: schemaOf(failureEnvelope, 'output') },
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer' },
        cookie: { type: 'apiKey', in: 'cookie', name: 'token' },
      },
    },
  };
}

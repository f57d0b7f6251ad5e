import { ERRORS, openApiDocument } from '@framelift/contract';
import { errorText } from '@framelift/texts/node';
import type { FastifyInstance } from 'fastify';
import { type Html, html } from '../platform/html.ts';
import { page } from './page.ts';

type Document = ReturnType<typeof openApiDocument>;

interface Operation {
  readonly summary: string;
  readonly description: string;
  readonly parameters: readonly { name: string; in: string; required: boolean; schema: unknown }[];
  readonly requestBody?: { content: Record<string, { schema: unknown }> };
  readonly responses: Record<string, { description: string; content?: Record<string, { schema: unknown }> }>;
}

/** Serves the description of the API as OpenAPI 3.1, and as an HTML page generated from it. */
export function mountDocs(app: FastifyInstance, base: string, version: string): void {
  const document = openApiDocument(base, version);
  const printed = docsPage(document, base);
  app.get(`${base}/docs/openapi.json`, async (_request, reply) =>
    reply.header('cache-control', 'no-cache').send(document),
  );
  app.get(`${base}/docs`, async (_request, reply) =>
    reply.header('cache-control', 'no-cache').type('text/html; charset=utf-8').send(printed),
  );
}

function docsPage(document: Document, base: string): string {
  const paths = Object.entries(document.paths) as [string, Record<string, Operation>][];
  const operations = paths.flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => operationCard(base, path, method, operation)),
  );
  return page(
    'Framelift API',
    html`<p>${document.info.description}</p>
<p>A session is a cookie named <code>token</code> or the header <code>Authorization: Bearer …</code>; both come from
<code>login</code> or <code>guestLogin</code>. For programs: <a href="${base}/docs/openapi.json">openapi.json</a>
(OpenAPI ${document.openapi}, version ${document.info.version}).</p>
<h2>Calls</h2>
${operations}
<h2>Errors</h2>
<div class="card"><table><tr><th>Code</th><th>Status</th><th>What to do</th><th>Text</th></tr>
${Object.entries(ERRORS).map(
  ([code, rule]) =>
    html`<tr><td><code>${code}</code></td><td>${rule.status || '–'}</td><td>${rule.handling}</td><td>${errorText(code, 'en')}</td></tr>`,
)}</table></div>`,
  );
}

function operationCard(base: string, path: string, method: string, operation: Operation): Html {
  const body = operation.requestBody?.content['application/json']?.schema;
  const { '200': success, ...failures } = operation.responses;
  const [type, answer] = Object.entries(success?.content ?? {})[0] ?? [];
  return html`<details class="card"><summary><span class="verb">${method.toUpperCase()}</span> <code>${base}${path}</code><br>
<span class="soft">${operation.summary}</span></summary>
<p class="soft">${operation.description}</p>
${
  operation.parameters.length > 0
    ? html`<table>${operation.parameters.map(
        (parameter) =>
          html`<tr><th>${parameter.name}</th><td>${parameter.in}${parameter.required ? '' : ', optional'}</td><td><code>${JSON.stringify(parameter.schema)}</code></td></tr>`,
      )}</table>`
    : html``
}
${body ? html`<p>Body</p><pre>${JSON.stringify(body, null, 2)}</pre>` : html``}
<p>Answer <span class="soft">${type ?? ''}</span></p><pre>${JSON.stringify(answer?.schema ?? {}, null, 2)}</pre>
<p>Failures</p><table>${Object.entries(failures).map(
    ([status, failure]) => html`<tr><th>${status}</th><td>${failure.description}</td></tr>`,
  )}</table></details>`;
}

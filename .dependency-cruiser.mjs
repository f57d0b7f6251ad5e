// Allowed import directions, including type imports. docs/architecture.md has a diagram.

const TESTS = '[.]test[.]tsx?$|/testing/';
const BROWSER_ENGINE = '^engine/src/(geometry|formats|edit|webgl)/';

/** Selects files below `path` except tests, which may read any file and import anything. */
const sources = (path) => ({ path, pathNot: TESTS });

/** Domains of the server. Each may use those of the rows above its own, but none of its own row or below. */
const DOMAINS = [
  ['user', 'site', 'device-type'],
  ['voucher', 'notification', 'points', 'membership', 'depth-model'],
  ['media', 'friend'],
  ['album', 'order', 'frame', 'share', 'upload-link'],
  ['catalogue', 'ad', 'live'],
  ['payment'],
  ['account'],
  ['admin'],
];

const domains = DOMAINS.flatMap((row, level) =>
  row.map((name) => ({
    name: `domain-${name}`,
    comment: `${name} may use the domains above it: ${DOMAINS.slice(0, level).flat().join(', ') || 'none'}.`,
    from: sources(`^server/src/domain/${name}/`),
    to: {
      path: '^server/src/domain/[^/]+/',
      pathNot: `^server/src/domain/(${[name, ...DOMAINS.slice(0, level).flat()].join('|')})/`,
    },
  })),
);

const rules = [
  {
    name: 'no-circles',
    comment: 'No cyclic imports, type imports included.',
    from: {},
    to: { circular: true },
  },
  {
    name: 'resolvable',
    comment: 'Every import resolves.',
    from: {},
    to: { couldNotResolve: true },
  },
  {
    name: 'by-name',
    comment: 'Other workspaces are imported by package name. Only lab/ imports their files.',
    from: sources('^(contract|engine|server|texts|web|frame)/'),
    to: { path: '^(contract|engine|lab|server|texts|web|frame)/', pathNot: '^$1/', dependencyTypes: ['local'] },
  },
  {
    name: 'contract',
    comment: 'The contract imports nothing but zod and runs anywhere.',
    from: sources('^contract/src/'),
    to: { pathNot: '^contract/src/|^node_modules/zod/' },
  },
  {
    name: 'texts',
    comment: 'Texts import only the contract, for its languages and error codes.',
    from: sources('^texts/'),
    to: { path: '^(engine|lab|server|web|frame|e2e|scripts)/' },
  },
  {
    name: 'engine',
    comment: 'The engine imports no HTTP, database, user interface or lab code.',
    from: sources('^engine/src/'),
    to: {
      path: '^(lab|server|texts|web|frame|e2e|scripts)/|^node_modules/(fastify|drizzle-orm|pg|pg-boss|react|react-dom)/',
    },
  },
  {
    name: 'engine-in-browsers',
    comment: 'Geometry, formats, edits and drawing also run in browsers and import no other part of the engine.',
    from: sources(BROWSER_ENGINE),
    to: { pathNot: [BROWSER_ENGINE, '^engine/src/(errors|types)[.]ts$', '^contract/src/', '^node_modules/zod/'] },
  },
  {
    name: 'laboratory',
    comment: 'The lab imports the engine and the database, but no user interface.',
    from: sources('^lab/'),
    to: { path: '^(web|frame|e2e)/' },
  },
  {
    name: 'server',
    comment: 'The server imports no user interface and no lab code.',
    from: { path: '^server/src/' },
    to: { path: '^(lab|web|frame|e2e)/|^node_modules/(react|react-dom)/' },
  },
  {
    name: 'main',
    comment: 'Nothing imports main.ts.',
    from: { path: '^server/src/' },
    to: { path: '^server/src/main[.]ts$' },
  },
  {
    name: 'platform',
    comment: 'The platform is below the domains and does not import them.',
    from: sources('^server/src/platform/'),
    to: { path: '^server/src/(domain|http)/|^server/src/(app|main)[.]ts$' },
  },
  {
    name: 'sandbox',
    comment: 'A sandbox of a provider knows nothing of Framelift but its texts: it could run on another machine.',
    from: sources('^server/src/sandbox/'),
    to: {
      path: '^server/src/|^engine/',
      pathNot: '^server/src/sandbox/|^server/src/platform/((log|html)[.]ts|db/(open|schema)[.]ts)$',
    },
  },
  {
    name: 'sandbox-by-url',
    comment: 'Only app.ts and main.ts mount a sandbox. Everybody else talks to it by its URL, as to the provider.',
    from: { path: '^server/src/', pathNot: ['^server/src/(sandbox/|app[.]ts$|main[.]ts$)', TESTS] },
    to: { path: '^server/src/sandbox/' },
  },
  {
    name: 'domain',
    comment: 'A domain imports no HTTP code and gets its settings from the context.',
    from: sources('^server/src/domain/'),
    to: {
      path: '^server/src/http/|^server/src/(app|main|config)[.]ts$|^(node:)?http$|^node_modules/(fastify|@fastify/[^/]+)/',
    },
  },
  ...domains,
  {
    name: 'http',
    comment: 'HTTP is an adapter: it calls verbs, never queries.',
    from: sources('^server/src/http/'),
    to: { path: '^server/src/(app|main)[.]ts$|[.](sql|queries)[.]ts$' },
  },
  {
    name: 'browser',
    comment: 'Browser code imports no server and only the browser parts of the engine.',
    from: sources('^(web|frame)/src/'),
    to: { path: '^(server|lab|e2e|engine)/', pathNot: BROWSER_ENGINE },
  },
  {
    name: 'browser-no-node',
    comment: 'Browser code imports no Node modules.',
    from: sources('^(web|frame)/src/'),
    to: { dependencyTypes: ['core'] },
  },
  {
    name: 'ui',
    comment: 'UI components call no API and import no feature.',
    from: sources('^web/src/ui/'),
    to: { path: '^web/src/(api|shared|features)/|^web/src/(routes[.]tsx|other-pages[.]ts)$' },
  },
  {
    name: 'api',
    comment: 'API calls import no user interface.',
    from: sources('^web/src/api/'),
    to: { path: '^web/src/(ui|shared|features)/|^web/src/(routes[.]tsx|other-pages[.]ts)$' },
  },
  {
    name: 'shared',
    comment: 'Shared parts import no feature.',
    from: sources('^web/src/(shared|i18n)/'),
    to: { path: '^web/src/features/|^web/src/(routes[.]tsx|other-pages[.]ts)$' },
  },
  {
    name: 'features',
    comment: 'Features never import each other: only routes.tsx composes them.',
    from: sources('^web/src/features/([^/]+)/'),
    to: { path: '^web/src/features/|^web/src/(routes[.]tsx|other-pages[.]ts)$', pathNot: '^web/src/features/$1/' },
  },
  {
    name: 'frame',
    comment: 'The frame page is small and independent of the web app.',
    from: sources('^frame/src/'),
    to: { path: '^web/|^node_modules/(@mantine/[^/]+|react|react-dom)/' },
  },
  {
    name: 'scripts',
    comment:
      'Scripts run before dependencies are installed. What they share with the server has no dependencies either.',
    // The probe runs in a copy of the tree that a test creates.
    from: { path: '^scripts/.*[.]mjs$', pathNot: [TESTS, '^scripts/lib/language-probe[.]mjs$'] },
    to: {
      path: '^node_modules/|^(contract|engine|lab|server|texts|web|frame)/',
      pathNot: '^server/src/platform/db/embedded/binaries[.]ts$',
    },
  },
];

export default {
  forbidden: rules.map((rule) => ({ severity: 'error', ...rule })),
  options: {
    // Its other TypeScript parser needs the compiler's API, which TypeScript 7 lacks.
    parser: 'swc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '/(dist|training)/' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'types', 'node', 'default'] },
  },
};

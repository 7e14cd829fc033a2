// Directions between rooms (design, rooms; docs/decisions/0002-layer-rooms.md). Type imports count.
const rooms = 'core|tape|shim|providers|runner|plugin|reporters|cli|daemon|surface|products';
const only = (from, to) => ({
  name: `${from}-imports-only-${to.replaceAll('|', '-') || 'itself'}`,
  severity: 'error',
  from: { path: `^src/(${from})/` },
  to: { path: `^src/(${rooms})/`, pathNot: `^src/(${[from, to].filter(Boolean).join('|')})/` },
});

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    only('core', ''),
    only('tape', 'core'),
    only('shim', 'core'),
    only('providers', 'core'),
    only('runner', 'core|tape|providers'),
    only('reporters', 'core'),
    only('plugin', 'core|runner'),
    only('cli', 'core|runner'),
    only('surface', 'core'),
    only('products', 'core'),
    { name: 'daemon-imports-only-core', severity: 'error', from: { path: '^src/daemon/', pathNot: '^src/daemon/main-' }, to: { path: `^src/(${rooms})/`, pathNot: '^src/(core|daemon)/' } },
    { name: 'daemon-compositions-import-what-they-hand-in', severity: 'error', from: { path: '^src/daemon/main-' }, to: { path: `^src/(${rooms})/`, pathNot: '^src/(core|daemon|tape|providers)/' } },
    { name: 'replaying-daemon-starts-nothing', severity: 'error', from: { path: '^src/daemon/main-replay\\.ts$' }, to: { path: '^(node:)?child_process$', reachable: true } },
    { name: 'engine-is-pure', severity: 'error', from: { path: '^src/surface/engine/', pathNot: '\\.test\\.ts$' }, to: { dependencyTypes: ['core', 'npm', 'npm-dev'] } },
    { name: 'core-is-pure', severity: 'error', comment: 'core does no input or output', from: { path: '^src/core/', pathNot: '\\.test\\.ts$' }, to: { dependencyTypes: ['core'], pathNot: '^(node:)?(crypto|buffer)$' } },
    { name: 'replay-stand-in-starts-nothing', severity: 'error', from: { path: '^src/(core|shim)/', pathNot: '^src/shim/record\\.ts$' }, to: { path: '^(node:)?child_process$' } },
    { name: 'shim-has-no-dependencies', severity: 'error', from: { path: '^src/shim/' }, to: { dependencyTypes: ['npm', 'npm-dev', 'npm-peer'] } },
    { name: 'published-code-uses-published-dependencies', severity: 'error', from: { path: '^src/', pathNot: '\\.test\\.ts$|/fixtures/|^src/(daemon|surface)/' }, to: { dependencyTypes: ['npm-dev'], pathNot: 'node_modules/(@playwright|playwright|@types)' } },
    { name: 'products-know-nothing-of-us', severity: 'error', from: { path: '^fixtures/(products/[^/]+|model)/' }, to: { path: '^src/' } },
    { name: 'no-circles', severity: 'error', from: { path: '^src/' }, to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } } },
  ],
  options: {
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'default'] },
  },
};

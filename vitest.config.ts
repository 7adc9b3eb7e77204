import { cloudflareTest } from '@cloudflare/vitest-plugin'
import { playwright } from '@vitest/browser-playwright'
import { defineConfig } from 'vitest/config'

const core = 'test/core/**/*.test.ts'

/** Found late, they would make the page load again in the middle of a run. */
const PREPARED = [
  '@modelcontextprotocol/client',
  '@modelcontextprotocol/ext-apps/app-bridge',
  'axe-core',
  'ext-apps-v1/app-bridge',
  'fast-check',
  'preact',
  'preact/hooks',
  'preact/jsx-dev-runtime',
  'preact/jsx-runtime',
]

/** Whole pages that take their time: attacks, conformance, all looks, trouble, large workspaces. */
const JUDGES = [
  'attack*',
  'connection',
  'console-keyboard',
  'console-questions',
  'console-trouble',
  'console-look',
  'files-view-follow',
  'files-view-large',
  'host-conformance',
  'official-app',
  'polyfill-annex',
  'polyfill-annex-dialog',
  'polyfill-annex-remote',
  'polyfill-annex-roads',
  'polyfill-core',
  'polyfill-core-hostile',
].map((name) => `test/pages/${name}.test.ts`)

/**
 * A real browser on a machine that others use, too, now and then stands still for seconds. What fails twice
 * is a fault; what needed the second try says so in the report.
 */
const pages = { testTimeout: 60_000, hookTimeout: 60_000, maxWorkers: 2, retry: 1 }

const e2e = { testTimeout: 120_000, hookTimeout: 60_000, maxWorkers: 2 }

/** What strangers might do to the running product; in the slow set, with what they might do to its pages. */
const ATTACKS = ['test/e2e/attack-*.test.ts', 'test/e2e/oauth-documents.test.ts']

/** Every kind of caller with all that a request can bring along. */
const SLOW_IN_WORKERD = ['test/worker/access-{matrix-more,notifications}.test.ts']

const inWorkerd = { setupFiles: ['test/worker/setup.ts'], maxWorkers: 2 }

/** Tried many times over by the slow set. */
const laws = {
  setupFiles: ['test/slow/laws.setup.ts'],
  testTimeout: 600_000,
}

/** What `test/core/random.ts` draws from. */
const define = { __SEED__: process.env['EDGEWISE_SEED'] ?? '20261121' }

// The same core tests run on every global object that core has to live with.
export default defineConfig({
  test: {
    fsModuleCache: false, // workerd cannot read the cached files
    projects: [
      { define, test: { name: 'node', include: ['test/rooms.test.ts', core] } },
      {
        define,
        plugins: [cloudflareTest({ wrangler: { configPath: './wrangler.toml' } })],
        test: {
          ...inWorkerd,
          name: 'workerd',
          include: ['test/worker/**/*.test.ts', core],
          exclude: [...SLOW_IN_WORKERD, 'test/worker/attack-*.test.ts'],
          testTimeout: 20_000,
        },
      },
      {
        define,
        optimizeDeps: { include: PREPARED },
        test: {
          name: 'browser',
          include: ['test/{views,host,polyfill}/**/*.test.{ts,tsx}', core],
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            provider: playwright({
              launchOptions: {
                executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
                args: ['--no-sandbox', '--disable-background-networking'],
              },
            }),
            instances: [{ browser: 'chromium' }],
          },
        },
      },
      {
        define,
        test: {
          ...e2e,
          name: 'e2e',
          include: ['test/e2e/**/*.test.ts', 'test/examples.test.ts'],
          exclude: ATTACKS,
        },
      },
      { test: { ...e2e, name: 'attacks', include: ATTACKS } },
      {
        define,
        plugins: [cloudflareTest({ wrangler: { configPath: './wrangler.toml' } })],
        test: {
          ...inWorkerd,
          name: 'attacks-workerd',
          include: ['test/worker/attack-*.test.ts'],
          testTimeout: 20_000,
        },
      },
      {
        test: { ...pages, name: 'pages', include: ['test/pages/*.test.ts'], exclude: JUDGES },
      },
      {
        test: { ...pages, name: 'judges', include: JUDGES },
      },
      {
        define,
        test: {
          name: 'slow',
          include: ['test/slow/**/*.test.ts', 'test/clients/*.test.ts'],
          testTimeout: 600_000,
          hookTimeout: 120_000,
          fileParallelism: false,
        },
      },
      {
        define,
        test: {
          ...laws,
          name: 'laws',
          include: [
            'test/core/{scope,diff,diff-unified,intent}.test.ts',
            'test/core/fuzz.test.ts',
            'test/worker/{delegation-laws,fuzz-meta}.test.ts',
          ],
        },
      },
      {
        define,
        plugins: [cloudflareTest({ wrangler: { configPath: './wrangler.toml' } })],
        test: {
          ...inWorkerd,
          ...laws,
          setupFiles: [...inWorkerd.setupFiles, ...laws.setupFiles],
          name: 'laws-workerd',
          include: [
            'test/worker/{preview-laws,fuzz-mcp,fuzz-tar,access-laws,access-matrix}.test.ts',
            ...SLOW_IN_WORKERD,
          ],
        },
      },
    ],
  },
})

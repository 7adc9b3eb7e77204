import { cloudflareTest } from '@cloudflare/vitest-plugin'
import { playwright } from '@vitest/browser-playwright'
import { defineConfig } from 'vitest/config'
import { serveBundles } from './test/support/pages/view-bundles.ts'

const core = 'test/core/**/*.test.ts'

const EXAMPLES = 'test/examples.test.ts'

/** Found late, they would make the page load again in the middle of a run. */
const PREPARED = [
  '@modelcontextprotocol/client',
  '@modelcontextprotocol/client/validators/ajv',
  '@modelcontextprotocol/ext-apps/app-bridge',
  'axe-core',
  'ext-apps-v1/app-bridge',
  'fast-check',
  'preact',
  'preact/hooks',
  'preact/jsx-dev-runtime',
  'preact/jsx-runtime',
  'react',
  'react-dom',
  'react-dom/client',
]

/** For a machine with other programs, on which a test now and then takes ten times as long. */
const patient = {
  testTimeout: 120_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 30_000 } },
}

/** Tests of real browsers, servers and clients. */
const outside = {
  ...patient,
  globalSetup: ['test/support/e2e/build.setup.ts'],
}

/**
 * All projects of the slow set: Vitest runs one with a single worker after all others, and refuses different numbers
 * side by side. More than two, because tests of pages, servers and clients wait for half of their time.
 */
const slow = { maxWorkers: 3 }

const many = { ...patient, ...slow, testTimeout: 600_000 }

/**
 * One process or runtime for many files, which would otherwise start, load every module and open a browser for each
 * file. Files keep their state in workspaces, contexts and folders of their own, so that any order of them passes:
 * `--sequence.shuffle.files` checks it.
 */
const shared = { isolate: false }

/**
 * The same for all projects of a run: Vitest runs one with a single worker after all others, and refuses different
 * numbers side by side.
 */
const beside = { ...patient, maxWorkers: 2 }

/** One runtime for all files, beside the other run of `npm test`; in one run with others it comes after them. */
const alone = { ...patient, maxWorkers: 1, sequence: { groupOrder: 1 } }

/** What `test/support/core/random.ts` draws from. */
const define = { __SEED__: process.env['EDGEWISE_SEED'] ?? '20261121' }

/**
 * Left out of `npm test`: attacks, conformance suites, whole pages in every look; and what needs a quiet machine or
 * minutes, which the slow set leaves out as well.
 */
const SLOW = '**/*.{slow,nightly}.test.ts'

/** Properties that `npm test` checks with a few examples, the slow set with more and the nightly set with many. */
const SOME_RUNS = 'test/support/laws.setup.ts'
const ALL_RUNS = 'test/support/all-laws.setup.ts'

const setupFiles = ['test/support/worker/setup.ts']

const inTests = (path: string) => new URL(`test/${path}`, import.meta.url).pathname

/** A test of the Worker in plain Node, over a platform in memory. Base64 of typed arrays is behind a flag in Node 24. */
const memory = {
  resolve: {
    alias: {
      'cloudflare:test': inTests('support/memory/cloudflare-test.ts'),
      'cloudflare:workers': inTests('support/memory/cloudflare-workers.ts'),
    },
  },
  test: {
    setupFiles: ['test/support/memory/setup.ts'],
    // Pages and scripts that the Worker serves.
    globalSetup: ['test/support/e2e/build.setup.ts'],
    server: { deps: { inline: ['@cloudflare/workers-oauth-provider'] } },
    execArgv: ['--js-base-64'],
  },
}

/**
 * Tests that run in workerd as well, to hold the platform in memory to it: what the platform is, the contract of the
 * store and its laws, cryptography, and at least 20 tests of each room.
 */
const IN_BOTH = [
  'memory/platform',
  'store/{store,objects,draft,opening,migrate}',
  'texts/kept',
  'texts/documents/{readers,hostile}',
  'store/*.laws',
  'access/vectors',
  'api/configured',
  'apps/{app-resource,manifest}',
  'audit/audit',
  'auth/{grants,methods}',
  'call/{batches,confirm-limits}',
  'changes/changes',
  'drafts/{drafts,decide}',
  'front/sandbox',
  'mcp/{resources,schemas}',
  'observe/observe',
  'passkeys/{ecdsa-signature,passkeys}',
  'requests/requests',
  'search/{grep,index}',
  'sessions/delegate',
  'tools/{examples,tools}',
].map((name) => `test/worker/${name}.test.ts`)

/** A test in workerd, with the bindings of `wrangler.toml` and the Worker as it is written. */
const workerd = () =>
  cloudflareTest({ main: './worker/index.ts', wrangler: { configPath: './wrangler.toml' } })

interface Laws {
  readonly setup: string
  readonly maxWorkers: number
  readonly testTimeout: number
  readonly fileParallelism?: boolean
}

/** The laws of each place, as often as `setup` says. */
const laws = (prefix: string, { setup, ...options }: Laws) => [
  {
    define,
    test: {
      ...options,
      name: `${prefix}laws`,
      include: ['test/*.laws.test.ts', 'test/core/**/*.laws.test.ts'],
      setupFiles: [setup],
    },
  },
  {
    define,
    ...memory,
    test: {
      ...memory.test,
      ...options,
      name: `${prefix}laws-logic`,
      include: ['test/worker/**/*.laws.test.ts'],
      setupFiles: [...memory.test.setupFiles, setup],
    },
  },
  {
    define,
    plugins: [workerd()],
    test: {
      ...options,
      name: `${prefix}laws-workerd`,
      include: ['test/platform/**/*.laws.test.ts'],
      setupFiles: [...setupFiles, setup],
    },
  },
]

// The same core tests run on every global object that core has to live with.
export default defineConfig({
  test: {
    fsModuleCache: false, // workerd cannot read the cached files
    projects: [
      {
        define,
        test: {
          name: 'node',
          include: ['test/*.test.ts', core],
          exclude: [EXAMPLES],
          ...shared,
          ...beside,
        },
      },
      {
        define,
        ...memory,
        test: {
          ...memory.test,
          name: 'logic',
          include: ['test/worker/**/*.test.ts'],
          exclude: [SLOW],
          ...shared,
          ...beside,
        },
      },
      {
        define,
        plugins: [workerd()],
        test: {
          name: 'workerd',
          include: ['test/platform/**/*.test.ts', ...IN_BOTH, core],
          exclude: [SLOW],
          setupFiles,
          ...shared,
          ...alone,
        },
      },
      {
        define,
        optimizeDeps: { include: PREPARED },
        // The hooks import their package by its name.
        resolve: {
          alias: [
            {
              find: /^@edgewise\/webmcp$/,
              replacement: new URL('polyfill/index.ts', import.meta.url).pathname,
            },
          ],
        },
        plugins: [serveBundles()],
        test: {
          name: 'browser',
          include: ['test/{views,host,polyfill}/**/*.test.{ts,tsx}', core],
          setupFiles: ['test/support/views/page.setup.ts'],
          ...shared,
          ...beside,
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
          ...beside,
          ...outside,
          ...shared,
          name: 'e2e',
          include: ['test/e2e/**/*.test.ts', EXAMPLES],
          exclude: [SLOW],
        },
      },
      {
        test: {
          ...beside,
          ...outside,
          ...shared,
          name: 'pages',
          include: ['test/pages/**/*.test.ts'],
          // Published apps of the nightly set are installed in a folder of their own.
          exclude: [SLOW, '**/node_modules/**'],
        },
      },
      {
        define,
        test: {
          ...outside,
          ...shared,
          ...slow,
          name: 'slow-e2e',
          include: ['test/e2e/**/*.slow.test.ts'],
        },
      },
      {
        test: {
          ...outside,
          ...shared,
          ...slow,
          name: 'slow-pages',
          include: ['test/pages/**/*.slow.test.ts'],
        },
      },
      {
        define,
        ...memory,
        test: {
          ...memory.test,
          name: 'slow-logic',
          include: ['test/worker/**/*.slow.test.ts'],
          ...shared,
          ...many,
        },
      },
      {
        define,
        plugins: [workerd()],
        test: {
          name: 'slow-workerd',
          include: ['test/platform/**/*.slow.test.ts'],
          setupFiles,
          ...shared,
          ...many,
        },
      },
      ...laws('', { ...many, setup: SOME_RUNS }),
      {
        define,
        test: {
          ...many,
          name: 'judges',
          include: ['test/{conformance,clients}/**/*.slow.test.ts'],
        },
      },
      {
        define,
        test: {
          ...outside,
          ...many,
          name: 'nightly',
          include: ['test/{load,e2e,pages}/**/*.nightly.test.ts'],
          fileParallelism: false,
        },
      },
      ...laws('nightly-', { ...many, setup: ALL_RUNS, fileParallelism: false }),
    ],
  },
})

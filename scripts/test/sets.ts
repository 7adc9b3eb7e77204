/**
 * The sets of tests: which lanes and steps each of `npm test`, `npm run test:slow` and `npm run test:nightly` has.
 *
 * @module
 */

import { inProject } from '../settings.ts'
import type { Lane } from './lane.ts'
import type { Step } from './step.ts'

/** What one command runs. */
export interface TestSet {
  /** Steps before all else, beside each other. */
  readonly preparations: readonly Step[]
  readonly lanes: readonly Lane[]
  /** Steps beside the lanes. They read what the preparations have written, and change nothing that tests read. */
  readonly checks: readonly Step[]
  /** Steps after the lanes, one after the other. */
  readonly after: readonly Step[]
}

const tool = (path: string) => inProject('node_modules', path)

const BUILD: Step = ['build', [inProject('scripts/build.ts')]]

/**
 * Tests in workerd have one runtime, which takes one core and loads every module once, while those of pages and
 * servers wait for half of their time. Threads of the compiler and of the linter each compute what they share, which
 * tests pay for: one is enough.
 */
export const FAST: TestSet = {
  preparations: [BUILD],
  lanes: [
    { name: 'tests', projects: ['node', 'logic', 'browser', 'e2e', 'pages'] },
    { name: 'workerd', projects: ['workerd'], isQuiet: true },
  ],
  checks: [
    ['types', [tool('typescript/bin/tsc'), '-b', '--singleThreaded']],
    ['lint', [tool('oxlint/bin/oxlint'), '--type-aware', '--deny-warnings']],
    ['docs', [inProject('scripts/docs.ts'), '--check']],
    ['format', [tool('oxfmt/bin/oxfmt'), '--check']],
  ],
  after: [],
}

/** They have a lock file of their own. */
const PUBLISHED_APPS: Step = [
  'published apps',
  [inProject('test/clients/install.ts'), inProject('test/pages/published-apps')],
]

/** The third-party clients have their own lock file and types. */
export const SLOW: TestSet = {
  preparations: [BUILD, ['clients', [inProject('test/clients/install.ts')]]],
  lanes: [
    {
      name: 'tests',
      projects: [
        ...['judges', 'slow-e2e', 'slow-pages', 'slow-logic', 'slow-workerd'],
        ...['laws', 'laws-logic', 'laws-workerd'],
      ],
    },
  ],
  checks: [['types of clients', [tool('typescript/bin/tsc'), '-p', inProject('test/clients')]]],
  after: [],
}

/** One file at a time, with nothing beside it. Tests of load write more than fits into memory. */
export const NIGHTLY: TestSet = {
  preparations: [BUILD, PUBLISHED_APPS],
  lanes: [
    {
      name: 'nightly',
      projects: ['nightly', 'nightly-laws', 'nightly-laws-logic', 'nightly-laws-workerd'],
      isOnDisk: true,
    },
  ],
  checks: [],
  after: [['planted faults', [inProject('test/planted/run.ts')]]],
}

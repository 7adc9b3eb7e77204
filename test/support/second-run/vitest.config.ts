/** Two projects that share a file, and one that ends its process when it runs for the first time. @module */

import { defineConfig } from 'vitest/config'
import { isFirstTime } from './first-time.ts'

if (process.argv.includes('--project=crash') && isFirstTime('crash')) process.exit(3)

const SHARED = 'files/shared.test.ts'

export default defineConfig({
  test: {
    pool: 'threads',
    isolate: false,
    maxWorkers: 1,
    projects: [
      { test: { name: 'one', include: ['files/**/*.test.ts'], env: { PROJECT: 'one' } } },
      { test: { name: 'two', include: [SHARED], env: { PROJECT: 'two' } } },
      { test: { name: 'crash', include: ['crash/*.test.ts'] } },
      { test: { name: 'many', include: ['many/*.test.ts'] } },
    ],
  },
})

/**
 * `npm run dev`: `wrangler dev`, which builds again when a source changes. Options are passed on.
 * `test/e2e/dev.slow.test.ts` tests both.
 *
 * @module
 */

import { runWrangler } from './wrangler.ts'

// wrangler ends with Ctrl+C, and this process after it.
process.on('SIGINT', () => undefined)
process.exitCode = await runWrangler('dev', ...process.argv.slice(2))

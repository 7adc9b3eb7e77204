/**
 * Loads what the Worker loads late. In tests an `import()` goes through a socket of the test runner: two objects
 * cannot share it, and it never ends where the request that began it was aborted.
 *
 * @module
 */

import { loadCompilePattern } from '#worker/search/load.ts'

await loadCompilePattern()

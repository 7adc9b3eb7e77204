/**
 * Loads the Worker's lazy modules. In tests an `import()` goes through a socket of the test runner: two objects
 * cannot share it, and it never ends where the request that began it was aborted.
 *
 * @module
 */

import { loadVerify } from '#worker/passkeys/load.ts'
import { loadCompilePattern } from '#worker/search/load.ts'

await loadCompilePattern()
await loadVerify()

/**
 * Loads the Worker's lazy modules. In tests an `import()` goes through a socket of the test runner: two objects
 * cannot share it, and it never ends where the request that began it was aborted.
 *
 * The files of a project share a runtime, so that what a file has stored is deleted after it.
 *
 * @module
 */

import { reset } from 'cloudflare:test'
import { afterAll } from 'vitest'
import { loadVerify } from '#worker/passkeys/load.ts'
import { loadCompilePattern } from '#worker/search/load.ts'
import { keepMainModule } from './main-module.ts'

keepMainModule()

await loadCompilePattern()
await loadVerify()

afterAll(() => reset())

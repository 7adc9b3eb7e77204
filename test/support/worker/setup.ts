/**
 * Loads the Worker's lazy modules. In tests an `import()` goes through a socket of the test runner: two objects
 * cannot share it, and it never ends where the request that began it was aborted.
 *
 * The files of a project share a runtime, so that what a file has stored is deleted after it, and a file fails that
 * keeps the console silent: those after it would show no errors.
 *
 * @module
 */

import { reset } from 'cloudflare:test'
import { afterAll, expect, vi } from 'vitest'
import { loadNotifier } from '#worker/notifier-object.ts'
import { loadVerify } from '#worker/passkeys/load.ts'
import { loadCompilePattern } from '#worker/search/load.ts'
import { keepMainModule } from './main-module.ts'

keepMainModule()

await loadCompilePattern()
await loadVerify()
await loadNotifier()

afterAll(() => reset())

// What a file has registered itself runs before this. workerd wraps a method that is read from its console.
afterAll(() => {
  const methods = Object.entries(Object.getOwnPropertyDescriptors(console))
  const silenced = methods.filter(([, { value }]) => vi.isMockFunction(value))
  expect(silenced.map(([name]) => name)).toEqual([])
})

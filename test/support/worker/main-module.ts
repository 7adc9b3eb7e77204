/**
 * The module of the Worker, kept for the file that runs. The plugin imports it again for every request and
 * every call of an object, and each of these imports asks the process of Vitest for the path, over a socket.
 *
 * @module
 */

import { afterAll } from 'vitest'

type Import = (specifier: string, ...rest: unknown[]) => Promise<unknown>

declare global {
  var __vitest_mocker__: { readonly moduleRunner: { import: Import } }
}

/** `main` in `vitest.config.ts`. */
const MAIN = '/worker/index.ts'

/** Imports it once, until the file ends. */
export function keepMainModule(): void {
  const { moduleRunner } = globalThis.__vitest_mocker__
  const load: Import = moduleRunner.import.bind(moduleRunner)
  let main: unknown
  moduleRunner.import = async (specifier, ...rest) =>
    specifier.endsWith(MAIN) ? (main ??= await load(specifier, ...rest)) : load(specifier, ...rest)
  afterAll(() => Reflect.deleteProperty(moduleRunner, 'import'))
}

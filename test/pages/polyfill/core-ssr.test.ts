/**
 * The module where there is no page: it can be imported, and does nothing.
 *
 * @module
 */

import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { promisify } from 'node:util'
import { beforeAll, expect, it } from 'vitest'
import { buildArtefacts } from '../../../scripts/artefacts.ts'
import { inProject } from '../../../scripts/settings.ts'

const MODULE = inProject('dist/assets/webmcp-core.mjs')

beforeAll(async () => {
  if (!existsSync(MODULE)) await buildArtefacts()
})

const run = async (code: string) => {
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--input-type=module',
    '-e',
    code,
  ])
  return stdout.trim()
}

it('is imported, asked and applied in Node, and leaves nothing', async () => {
  const code = `
    const before = Reflect.ownKeys(globalThis).length
    const { apply, isSupported, ...rest } = await import(${JSON.stringify(MODULE)})
    const undo = apply({ results: 'spec' })
    undo()
    const same = Reflect.ownKeys(globalThis).length === before
    console.log(JSON.stringify([isSupported(), typeof undo, same, Object.keys(rest)]))`
  expect(JSON.parse(await run(code))).toEqual([false, 'function', true, []])
})

it('is imported without DOMException and EventTarget', async () => {
  const code = `
    for (const name of ['DOMException', 'Event', 'EventTarget', 'MessageChannel', 'AbortController'])
      delete globalThis[name]
    const { apply, isSupported } = await import(${JSON.stringify(MODULE)})
    apply()()
    console.log(isSupported())`
  expect(await run(code)).toBe('false')
})

/** Which variables the Worker gets under `npm run dev`: those of files, and those that are exported. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { devVariables } from '../scripts/dev-variables.ts'

type Files = Readonly<Record<string, string>>

function read(files: Files, exported: Files = {}, environment?: string) {
  const folder = mkdtempSync(join(tmpdir(), 'edgewise-variables-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  return Object.fromEntries(devVariables(folder, environment, exported))
}

it('keeps those of .env beside an exported one', () => {
  const files = { '.env': 'EDGEWISE_OWNER_SECRET=abc\nEDGEWISE_LOG=text' }
  expect(read(files, { EDGEWISE_LOG: 'json', HOME: '/' })).toEqual({
    EDGEWISE_OWNER_SECRET: 'abc',
    EDGEWISE_LOG: 'json',
  })
})

it('keeps those of .dev.vars, instead of .env, as they are written', () => {
  const files = { '.dev.vars': "EDGEWISE_OWNER_SECRET='a$HOME'", '.env': 'EDGEWISE_HOSTS=x' }
  expect(read(files, { EDGEWISE_LOG: 'json' })).toEqual({
    EDGEWISE_OWNER_SECRET: 'a$HOME',
    EDGEWISE_LOG: 'json',
  })
})

it('reads the files of an environment', () => {
  const vars = { '.dev.vars': 'A=1', '.dev.vars.one': 'B=2' }
  expect(read(vars, {}, 'one')).toEqual({ B: '2' })
  expect(read(vars, {}, 'two')).toEqual({ A: '1' })
  const env = { '.env': 'A=1\nB=1\nC=1', '.env.local': 'A=2', '.env.one': 'B=2', '.env.two': 'C=3' }
  expect(read(env, {}, 'one')).toEqual({ A: '2', B: '2', C: '1' })
})

it.each([
  'EDGEWISE_OWNER_SECRET=# your secret here',
  'EDGEWISE_OWNER_SECRET=abc\nEDGEWISE_OWNER_SECRET=',
  'EDGEWISE_OWNER_SECRET=""',
  '# EDGEWISE_OWNER_SECRET=abc',
])('has no value for %j', (text) => {
  expect(read({ '.dev.vars': text })).toEqual({})
})

it('keeps the value of a file beside an exported one that is empty', () => {
  const files = { '.dev.vars': 'EDGEWISE_OWNER_SECRET=abc' }
  expect(read(files, { EDGEWISE_OWNER_SECRET: '' })).toEqual({ EDGEWISE_OWNER_SECRET: 'abc' })
})

/**
 * The whole product, without mocks: a person starts it, imports published packages, three kinds of client
 * work on them, and the export equals the import.
 *
 * @module
 */

import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  contentsOf,
  expectSame,
  fetched,
  removeFolder,
  temporaryFolder,
  unpacked,
  type Found,
} from '../support/e2e/folder.ts'
import { fillWithPackages } from '../support/e2e/package-sources.ts'
import { run } from '../support/e2e/run.ts'
import { useServer } from '../support/e2e/server.ts'

/** `INLINE_BYTES` of the Worker. */
const INLINE_BYTES = 128 * 1024

const server = useServer()
const folder = temporaryFolder()
let input: Found[]

beforeAll(() => {
  fillWithPackages(folder)
  input = contentsOf(folder)
})

afterAll(() => removeFolder(folder))

const isFile = ({ name }: Found) => !name.endsWith('/')

it('has input of every kind', () => {
  const files = input.filter(isFile)
  expect(files.length).toBeGreaterThan(2_000)
  expect(files.filter(({ bytes }) => bytes.length > INLINE_BYTES).length).toBeGreaterThan(10)
  expect(files.filter(({ bytes }) => bytes.includes(0)).length).toBeGreaterThan(3)
  expect(files.some(({ bytes }) => bytes.length === 0)).toBe(true)
  expect(files.some(({ name }) => name.length > 256)).toBe(true)
  expect(input.map(({ name }) => name)).toContain('empty/inside/')
})

it('imports a folder', async () => {
  const files = input.filter(isFile).length
  const { code, stdout, stderr } = await run(
    'scripts/import.ts',
    folder,
    server.url,
    '--to',
    '/src',
  )
  expect({ code, stderr }).toMatchObject({ code: 0 })
  expect(stdout).toMatch(`${files} files and ${input.length - files} folders`)
  expect(stdout).not.toContain('Skipped')
  expect(stderr).toMatch(`${files} of ${files} files`)
})

it('exports the same paths, bytes and times', async () => {
  expectSame(unpacked(await fetched(`${server.url}/export?from=/src`)), input)
})

/** In one of the packages, whose archive each step compares with a copy. */
it('serves a client in each mode: legacy, auto, modern', async () => {
  const tour = await run('examples/workspace-tour.ts', `${server.url}/mcp`, '/src/zod')
  expect(tour).toMatchObject({ code: 0, stderr: '' })
  for (const mode of ['legacy', 'auto', 'modern'])
    expect(tour.stdout).toContain(`${mode}: protocol`)
})

/**
 * The tables of planted faults: each fault can be planted, and the last run of `test/planted/run.ts` found it.
 *
 * @module
 */

import { existsSync, globSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { FOUND_FILE, type FoundTable } from './planted/fault.ts'
import { FAULTS } from './planted/faults.ts'
import { projectOf, roomOf, wholeProjects } from './planted/places.ts'

const names = FAULTS.map(({ name }) => name)

const found: FoundTable = JSON.parse(readFileSync(FOUND_FILE, 'utf8'))

/** The rooms of the product; in `worker/`, each folder. */
const ROOMS = [...'core polyfill host views scripts'.split(' '), ...globSync('worker/*/')]

describe.each(FAULTS)('$name', ({ name, file, before, after, tests }) => {
  it('can be planted', () => {
    expect(readFileSync(file, 'utf8').split(before)).toHaveLength(2)
    expect(after).not.toBe(before)
  })

  it('names tests that exist, in projects that exist', () => {
    expect(tests.length).toBeGreaterThan(0)
    expect(tests.length).toBeLessThan(4)
    expect(tests.filter((test) => !existsSync(test))).toEqual([])
    expect(tests.map(projectOf)).not.toContain('')
    expect(wholeProjects(file)).not.toEqual([])
  })

  it('was found by a test that exists', () => {
    expect(found).toHaveProperty([name])
    expect(existsSync(found[name]?.file ?? '')).toBe(true)
  })
})

it('names are unique, and those of the last run', () => {
  expect(new Set(names).size).toBe(names.length)
  expect(Object.keys(found)).toEqual(names.toSorted())
})

it('there are at least 60, and one in every room', () => {
  expect(FAULTS.length).toBeGreaterThanOrEqual(60)
  const planted = new Set(FAULTS.map(({ file }) => roomOf(file)))
  expect(ROOMS.filter((room) => !planted.has(room))).toEqual([])
})

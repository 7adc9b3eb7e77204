/**
 * A model of a store: a map of paths, random moves, and what a move does to the map.
 *
 * @module
 */

import { parsePath } from '#core/path.ts'
import { INLINE_BYTES } from '#worker/limits.ts'
import type { Step, Store } from '#worker/store/store.ts'
import { expect } from 'vitest'
import fc from '../core/random.ts'
import { act, textOf } from './store-contract.ts'

/** What a path is: the state of a file ({@link formatState}), or null for a folder. */
export type Model = Map<string, string | null>

/** What the state of an executable file begins with. No text here does. */
const EXECUTABLE = '(executable) '

/** Formats the state of a file: its text, and whether it is executable. */
export const formatState = (text: string, isExecutable: boolean | undefined): string =>
  (isExecutable ? EXECUTABLE : '') + text

/** Returns the parts of a state. */
export function parseState(state: string): { readonly text: string; readonly executable: boolean } {
  const executable = state.startsWith(EXECUTABLE)
  return { text: executable ? state.slice(EXECUTABLE.length) : state, executable }
}

/** Reads the state of a path; null if it is no file. */
export async function stateIn(store: Store, path: string): Promise<string | null> {
  const entry = store.stat(parsePath(path))
  const text = await textOf(store, path)
  return text === null ? null : formatState(text, entry?.type === 'file' && entry.executable)
}

/** One step, with the text of a file in place of stored content. */
export type Move =
  | {
      readonly type: 'put'
      readonly path: string
      readonly text: string
      /** By default as before. */
      readonly executable?: boolean
    }
  | { readonly type: 'folder'; readonly path: string }
  | { readonly type: 'remove'; readonly path: string }
  | { readonly type: 'move'; readonly from: string; readonly to: string }

// Few names, so that files and folders are in each other's way all the time.
const path = fc
  .array(fc.constantFrom('a', 'b', 'a-', 'ü', '𝒳'), { minLength: 1, maxLength: 3 })
  .map((names) => `/${names.join('/')}`)

const text = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom('', 'one', 'two', 'three') },
  { weight: 1, arbitrary: fc.constantFrom('x', 'y').map((char) => char.repeat(INLINE_BYTES + 1)) },
)

/** Steps on few paths, so that files and folders are in each other's way. */
export const move: fc.Arbitrary<Move> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ type: fc.constant('put'), path, text }) },
  {
    weight: 2,
    arbitrary: fc.record({ type: fc.constant('put'), path, text, executable: fc.boolean() }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('folder'), path }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('remove'), path }) },
  {
    weight: 2,
    arbitrary: fc
      .record({ type: fc.constant('move'), from: path, to: path })
      .filter(({ from, to }) => !to.startsWith(`${from}/`)), // the tool refuses this
  },
)

/** The map after one step, or why the step cannot be made. */
export function after(model: Model, step: Move): Model | string {
  const next = new Map(model)
  switch (step.type) {
    case 'put': {
      const old = next.get(step.path)
      if (old === null) return 'is_folder'
      const executable = step.executable ?? parseState(old ?? '').executable
      return makeFolders(next, step.path) ?? next.set(step.path, formatState(step.text, executable))
    }
    case 'folder':
      if (typeof next.get(step.path) === 'string') return 'not_a_folder'
      return makeFolders(next, step.path) ?? next.set(step.path, null)
    case 'remove':
      if (!next.has(step.path)) return 'not_found'
      for (const each of below(next, step.path)) next.delete(each)
      return next
    case 'move': {
      if (!next.has(step.from)) return 'not_found'
      if (next.has(step.to)) return 'exists'
      const fault = makeFolders(next, step.to)
      if (fault !== null) return fault
      for (const each of below(next, step.from)) {
        next.set(step.to + each.slice(step.from.length), next.get(each) ?? null)
        next.delete(each)
      }
      return next
    }
  }
}

function makeFolders(model: Model, path: string): string | null {
  for (let at = path.indexOf('/', 1); at > 0; at = path.indexOf('/', at + 1)) {
    const above = path.slice(0, at)
    if (typeof model.get(above) === 'string') return 'not_a_folder'
    model.set(above, null)
  }
  return null
}

/** The paths of a folder and of everything below it. */
export const below = (model: Model, path: string) =>
  [...model.keys()].filter((each) => each === path || each.startsWith(`${path}/`))

async function stepFor(store: Store, step: Move): Promise<Step> {
  switch (step.type) {
    case 'put': {
      const content = await store.hold(new TextEncoder().encode(step.text))
      const { executable } = step
      const mode = executable === undefined ? {} : { executable }
      return { type: 'put', path: parsePath(step.path), content, ...mode }
    }
    case 'folder':
    case 'remove':
      return { type: step.type, path: parsePath(step.path) }
    case 'move':
      return { type: 'move', from: parsePath(step.from), to: parsePath(step.to) }
  }
}

/** Applies moves to a store and to the model, and expects the same of both. */
export async function change(store: Store, model: Model, moves: readonly Move[]): Promise<Model> {
  let expected: Model | string = model
  for (const step of moves) {
    expected = after(expected, step)
    if (typeof expected === 'string') break
  }
  const version = store.totals.version
  const applied = act(store, ...(await Promise.all(moves.map((each) => stepFor(store, each)))))
  if (typeof expected === 'string') {
    expect(applied).toMatchObject({ ok: false, error: { reason: expected } })
    return model
  }
  expect(applied).toMatchObject({ ok: true, value: { version: version + 1 } })
  return expected
}

/** Expects that a store has the paths, states and totals of the model. */
export async function expectSame(store: Store, model: Model): Promise<void> {
  const found: Model = new Map()
  for (const { path } of store.walk(parsePath('/'))) found.set(path, await stateIn(store, path))
  expect(Object.fromEntries(found)).toEqual(Object.fromEntries(model))
  const texts = [...model.values()].flatMap((each) => (each === null ? [] : parseState(each).text))
  expect(store.totals).toMatchObject({
    files: texts.length,
    bytes: texts.reduce((sum, each) => sum + each.length, 0),
  })
}

/** Splits a program at its evictions: the commands of each life of an object. */
export function livesOf<C>(program: readonly (C | 'evict')[]): C[][] {
  const lives: C[][] = [[]]
  for (const each of program) {
    if (each === 'evict') lives.push([])
    else lives.at(-1)?.push(each)
  }
  return lives
}

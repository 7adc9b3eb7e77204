/**
 * A plain reading of the tools that change files: a map of paths, and what each call does to it.
 *
 * @module
 */

import fc from '../core/random.ts'
import { after, below, formatState, parseState, type Model, type Move } from './store-model.ts'

/** One call of a tool. */
export interface ToolCall {
  readonly name: string
  readonly args: Readonly<Record<string, unknown>>
  /** What it does to the files, or null if it fails. */
  readonly act: (model: Model) => Model | null
}

// Few names, so that calls are in each other's way.
const path = fc.constantFrom('/a', '/b', '/c', '/a/x', '/a/y', '/b/x', '/b/x/z', '/c/y')
const text = fc.constantFrom('one', 'two', 'one two', '')

const made = (model: Model, move: Move): Model | null => {
  const next = after(model, move)
  return typeof next === 'string' ? null : next
}

const textIn = (model: Model, path: string): string | null => {
  const state = model.get(path) ?? null
  return state && parseState(state).text
}

const write = fc.record({ path, text }).map(({ path, text }): ToolCall => ({
  name: 'write_file',
  args: { path, content: text },
  act: (model) => made(model, { type: 'put', path, text }),
}))

const append = fc.record({ path, text }).map(({ path, text }): ToolCall => ({
  name: 'write_file',
  args: { path, content: text, mode: 'append' },
  act: (model) => {
    const old = textIn(model, path) ?? ''
    const isWhole = old === '' || old.endsWith('\n') || text === ''
    const joined = isWhole ? old + text : `${old}\n${text}`
    return made(model, { type: 'put', path, text: joined })
  },
}))

const edit = fc
  .record({ path, find: fc.constantFrom('one', 'two'), replace: text })
  .map(({ path, find, replace }): ToolCall => ({
    name: 'edit_file',
    args: { path, edits: [{ find, replace }] },
    act: (model) => {
      const parts = textIn(model, path)?.split(find) ?? []
      if (parts.length !== 2) return null
      return made(model, { type: 'put', path, text: parts.join(replace) })
    },
  }))

const isInside = (path: string, folder: string) => path === folder || path.startsWith(`${folder}/`)

const move = fc.record({ from: path, to: path }).map(({ from, to }): ToolCall => ({
  name: 'move_file',
  args: { from, to },
  act: (model) => (isInside(to, from) ? null : made(model, { type: 'move', from, to })),
}))

const copy = fc.record({ from: path, to: path }).map(({ from, to }): ToolCall => ({
  name: 'copy_file',
  args: { from, to },
  act: (model) => {
    if (!model.has(from) || model.has(to) || isInside(to, from)) return null
    let next: Model | null = model
    for (const each of below(model, from).toSorted()) {
      const target = to + each.slice(from.length)
      const content: string | null = model.get(each) ?? null
      next &&= made(
        next,
        content === null
          ? { type: 'folder', path: target }
          : { type: 'put', path: target, ...parseState(content) },
      )
    }
    return next
  },
}))

const remove = path.map((path): ToolCall => ({
  name: 'delete_file',
  args: { path },
  act: (model) => made(model, { type: 'remove', path }),
}))

const folder = path.map((path): ToolCall => ({
  name: 'create_folder',
  args: { path },
  act: (model) => (model.has(path) ? null : made(model, { type: 'folder', path })),
}))

/** A change that no tool makes: a file becomes executable, or is no longer. */
export const modeChange = path.map((path): ToolCall => ({
  name: 'import',
  args: { path },
  act: (model) => {
    const state = model.get(path)
    if (typeof state !== 'string') return null
    const { text, executable } = parseState(state)
    return new Map(model).set(path, formatState(text, !executable))
  },
}))

/** A call of any of the tools, on few paths. */
export const toolCall: fc.Arbitrary<ToolCall> = fc.oneof(
  { weight: 4, arbitrary: write },
  { weight: 2, arbitrary: append },
  { weight: 4, arbitrary: edit },
  { weight: 3, arbitrary: move },
  { weight: 2, arbitrary: copy },
  { weight: 2, arbitrary: remove },
  { weight: 1, arbitrary: folder },
)

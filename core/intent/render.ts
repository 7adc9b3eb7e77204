/**
 * Rendering: a parsed template and a call's arguments become the sentence that a person reads.
 *
 * Arguments come from strangers. They are never read as template, only own properties are looked
 * up, and however large they are, the text ends at {@link MAX_RENDERED_LENGTH} and the work at a
 * fixed number of steps. The rules I1 to I11 are told in `GRAMMAR.md`.
 *
 * @module
 */

import type { Field, Group, Node, Template } from './template.ts'

/** A rendered text longer than this is cut there and ends with `…`. */
export const MAX_RENDERED_LENGTH = 100_000

// Steps are key segments followed, array elements visited and blank characters skipped. They bound
// the work where no text comes out of it, as with a long array of nulls in a group.
const MAX_STEPS = 1_000_000

// Arrays deeper in each other than this show nothing, so that a ring of arrays ends.
const MAX_ARRAY_DEPTH = 64

/**
 * A piece of the sentence: the author's words, what the call brought in, or a placeholder that the
 * call left open. A default after `|` is the author's, so it is text.
 */
export type Part =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'value'; readonly text: string; readonly key: string }
  | { readonly type: 'missing'; readonly text: string; readonly key: string }

export interface RenderedIntent {
  /** The texts of all parts, joined. */
  readonly text: string
  readonly parts: readonly Part[]
}

/** Fills a template in. Anything that is no object counts as no arguments. */
export function renderIntent(template: Template, args: unknown): RenderedIntent {
  const line = new Line()
  renderNodes(template.nodes, { args: isObject(args) ? args : {}, line, pass: null })
  return { text: line.parts.map((part) => part.text).join(''), parts: line.parts }
}

/** One index of one array, while a group is repeated over it. */
interface Pass {
  readonly array: string
  readonly index: number
}

interface Rendering {
  readonly args: unknown
  readonly line: Line
  readonly pass: Pass | null
}

function renderNodes(nodes: readonly Node[], rendering: Rendering): void {
  const { line } = rendering
  for (const node of nodes) {
    if (line.full) return
    if (node.type === 'space') line.space()
    else if (node.type === 'text') line.words(node.text)
    else if (node.type === 'field') renderField(node, rendering)
    else renderGroup(node, rendering)
  }
}

function renderField(field: Field, rendering: Rendering): void {
  const { line } = rendering
  const { key, written, fallback } = field
  const text = textOf(field, rendering)
  if (text !== null) line.add({ type: 'value', text, key })
  else if (fallback !== null) line.add({ type: 'text', text: fallback })
  else line.add({ type: 'missing', text: written, key })
}

function renderGroup(group: Group, rendering: Rendering): void {
  // During a pass the other arrays are not indexed (I5), so no group repeats inside another.
  const arrays = rendering.pass ? [] : arraysIn(group, rendering.args)
  if (arrays.length > 0) renderEntries(group, arrays, rendering)
  else if (isComplete(group, rendering)) renderNodes(group.nodes, rendering)
  else rendering.line.drop()
}

function renderEntries(group: Group, arrays: Met[], { args, line }: Rendering): void {
  const before = line.place()
  for (const { array, items } of arrays) {
    for (let index = 0; index < items.length && !line.full; index++) {
      line.startEntry(before)
      const entry = { args, line, pass: { array, index } }
      if (isComplete(group, entry)) renderNodes(group.nodes, entry)
    }
  }
  line.endEntries(before)
}

/** Whether every placeholder that stands in the group directly has something to show. */
function isComplete(group: Group, rendering: Rendering): boolean {
  return group.nodes.every(
    (node) =>
      node.type !== 'field' ||
      node.fallback !== null ||
      valuesOf(node, rendering).next().done === false,
  )
}

/** An array on the way along a key: its own key, its items, and the rest of the way. */
interface Met {
  readonly array: string
  readonly items: readonly unknown[]
  readonly rest: readonly string[]
}

/** The arrays that the placeholders of a group lead through, each once, in order. */
function arraysIn(group: Group, args: unknown): Met[] {
  const arrays = new Map<string, Met>()
  for (const field of fieldsIn(group)) {
    const met = follow(args, field.path)
    if ('array' in met && !arrays.has(met.array)) arrays.set(met.array, met)
  }
  return [...arrays.values()]
}

function* fieldsIn(group: Group): Generator<Field> {
  for (const node of group.nodes) {
    if (node.type === 'field') yield node
    else if (node.type === 'group') yield* fieldsIn(node)
  }
}

/** Goes along a key up to its end or to the first array. */
function follow(from: unknown, path: readonly string[]): Met | { readonly value: unknown } {
  let value = from
  for (let at = 0; ; at++) {
    if (Array.isArray(value)) {
      return { array: path.slice(0, at).join('.'), items: value, rest: path.slice(at) }
    }
    const segment = path[at]
    if (segment === undefined) return { value }
    value = isObject(value) && Object.hasOwn(value, segment) ? value[segment] : undefined
  }
}

/** What a placeholder shows, or null when it is missing. */
function textOf(field: Field, rendering: Rendering): string | null {
  const texts: string[] = []
  let length = 0
  for (const value of valuesOf(field, rendering)) {
    const text = typeof value === 'string' ? value : jsonOf(value)
    texts.push(text)
    length += text.length
    if (length > MAX_RENDERED_LENGTH) break // the line has no room for more
  }
  return texts.length > 0 ? texts.join(', ') : null
}

/** The values that a placeholder stands for: one, or those of an array, flattened. */
function* valuesOf({ path }: Field, { args, line, pass }: Rendering): Generator<unknown> {
  line.spend(path.length)
  const met = follow(args, path)
  if (!('array' in met)) yield* leaves(met.value, [], line, 0)
  else if (met.array === pass?.array) yield* leaves(met.items[pass.index], met.rest, line, 0)
  else yield* leaves(met.items, met.rest, line, 0)
}

function* leaves(
  from: unknown,
  path: readonly string[],
  line: Line,
  depth: number,
): Generator<unknown> {
  line.spend(1)
  if (line.full || depth > MAX_ARRAY_DEPTH) return
  const met = follow(from, path)
  if (!('array' in met)) {
    if (isValue(met.value, line)) yield met.value
    return
  }
  for (const item of met.items) {
    yield* leaves(item, met.rest, line, depth + 1)
    if (line.full) return
  }
}

/** Whether there is something to show. What JSON has no word for does not count. */
function isValue(value: unknown, line: Line): boolean {
  if (typeof value === 'string') {
    const visible = value.search(/\S/)
    line.spend(visible < 0 ? value.length : visible)
    return visible >= 0
  }
  return typeof value === 'number'
    ? Number.isFinite(value)
    : typeof value === 'boolean' || isObject(value)
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? '{…}'
  } catch {
    return '{…}' // a ring of objects, or a number too large for JSON somewhere inside
  }
}

/** Where a repeated group begins. */
interface Place {
  readonly lead: string
  readonly fresh: boolean
  readonly length: number
}

/**
 * The sentence as it grows. White space waits in `lead` until something visible follows it, so it
 * can still go: at both ends, next to other white space, and before a mark (I8, I11).
 */
class Line {
  readonly parts: Part[] = []
  full = false
  #length = 0
  #steps = MAX_STEPS
  #lead = ''
  #fresh = true // nothing visible yet, in the line or in this entry
  #dropped = false // the template's last element was a group that dropped

  space(): void {
    if (!this.#fresh) this.#lead = ' '
    this.#dropped = false
  }

  words(text: string): void {
    if (this.#dropped && this.#lead === ' ' && /^[.,;:!?]/.test(text)) this.#lead = ''
    this.add({ type: 'text', text })
  }

  add(part: Part): void {
    this.#dropped = false
    if (part.text === '') return // an empty default takes no room
    if (this.#lead !== '') this.#push({ type: 'text', text: this.#lead })
    this.#push(part)
    this.#lead = ''
    this.#fresh = false
  }

  drop(): void {
    this.#dropped = true
  }

  place(): Place {
    return { lead: this.#lead, fresh: this.#fresh, length: this.#length }
  }

  /** Entries are trimmed and joined with a comma; one that shows nothing leaves no trace. */
  startEntry(before: Place): void {
    this.#lead = this.#length > before.length ? ', ' : before.lead
    this.#fresh = true
  }

  endEntries(before: Place): void {
    const shown = this.#length > before.length
    this.#fresh = !shown && before.fresh
    if (shown) this.#lead = ''
    else this.drop()
  }

  /** Counts work. Where too much was asked for, the text ends. */
  spend(steps: number): void {
    this.#steps -= steps
    if (this.#steps < 0) this.#cut()
  }

  #push(part: Part): void {
    if (this.full) return
    const room = MAX_RENDERED_LENGTH - this.#length
    const fits = part.text.length <= room
    const text = fits ? part.text : part.text.slice(0, room).replace(/[\ud800-\udbff]$/, '')
    this.#append({ ...part, text })
    if (!fits) this.#cut()
  }

  #append(part: Part): void {
    const last = this.parts.at(-1)
    this.#length += part.text.length
    if (part.type !== 'text' || last?.type !== 'text') this.parts.push(part)
    else this.parts[this.parts.length - 1] = { type: 'text', text: last.text + part.text }
  }

  #cut(): void {
    if (this.full) return
    this.#append({ type: 'text', text: '…' })
    this.full = true
  }
}

/**
 * Rendering: fills a parsed template with a call's arguments, which gives the sentence that a person reads.
 *
 * Arguments are untrusted. They are never parsed as a template, and whatever their size, the text ends at
 * {@link MAX_RENDERED_LENGTH} and the work after a fixed number of steps. `GRAMMAR.md` has the rules I1 to
 * I11.
 *
 * @module
 */

import { recordOf } from '../json.ts'
import { Line, type Part } from './line.ts'
import type { Field, Group, Node, Template } from './template.ts'
import { follow, textOf, valuesOf, type Met, type Rendering } from './values.ts'

export { MAX_RENDERED_LENGTH, type Part } from './line.ts'

/** A rendered sentence. */
export interface RenderedIntent {
  /** The texts of all parts, joined. */
  readonly text: string
  readonly parts: readonly Part[]
}

/** Renders a template. Arguments that are not an object count as empty. */
export function renderIntent(template: Template, args: unknown): RenderedIntent {
  const line = new Line()
  renderNodes(template.nodes, { args: recordOf(args), line, pass: null })
  return { text: line.parts.map((part) => part.text).join(''), parts: line.parts }
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

/** Whether every placeholder directly in the group has a value or a default. */
function isComplete(group: Group, rendering: Rendering): boolean {
  return group.nodes.every(
    (node) =>
      node.type !== 'field' ||
      node.fallback !== null ||
      valuesOf(node, rendering).next().done === false,
  )
}

/** Returns the arrays on the keys of a group's placeholders, in order, without duplicates. */
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

/**
 * Texts in which every line has the label of its text, so that a mix of two texts is detected.
 *
 * A text is generated from its label, and its first line is the label: so a reader can compute the
 * whole expected text.
 *
 * @module
 */

import assert from 'node:assert/strict'

export interface Label {
  /** Who wrote it. */
  readonly by: string
  /** The how-manieth of theirs it is. */
  readonly turn: number
  readonly bytes: number
  /** How often its first line was edited since. */
  readonly revision: number
}

/** Words that a search can look for. */
export const WORDS = ['amber', 'basalt', 'cobalt', 'dune', 'ember']

/** Bytes of a file that is a large object of its own. */
export const LARGE_BYTES = 160 * 1024

export const tagOf = ({ by, turn, bytes }: Label) => `${by}-${turn}-${bytes}`
export const firstLine = (label: Label) => `revision ${label.revision} of ${tagOf(label)}`
export const headLine = (label: Label) =>
  `head ${WORDS[label.turn % WORDS.length]} ${tagOf(label)}.`

export function textOf(label: Label): string {
  const tag = tagOf(label)
  const lines = [firstLine(label), headLine(label)]
  let length = 0
  for (const line of lines) length += line.length + 1
  while (length < label.bytes) {
    const line = `${tag} line ${lines.length}.`
    length += line.length + 1
    lines.push(line)
  }
  return `${lines.join('\n')}\n`
}

const FIRST = /^revision (\d+) of (\w+)-(\d+)-(\d+)\n/

/** The label of a text that is whole. */
export function labelOf(text: string): Label {
  const [, revision, by, turn, bytes] = FIRST.exec(text) ?? []
  assert(by !== undefined, `A text begins with ${JSON.stringify(text.slice(0, 80))}`)
  const label = { by, turn: Number(turn), bytes: Number(bytes), revision: Number(revision) }
  assertSame(text, textOf(label), firstLine(label))
  return label
}

/** Describes the first difference of two texts, without the rest. */
export function assertSame(text: string, wanted: string, what: string): void {
  if (text === wanted) return
  let at = 0
  while (text[at] === wanted[at] && at < text.length) at++
  const near = (from: string) => JSON.stringify(from.slice(Math.max(0, at - 20), at + 60))
  assert.fail(
    `${what}: ${text.length} characters instead of ${wanted.length}; ` +
      `at ${at} it is ${near(text)} instead of ${near(wanted)}`,
  )
}

/** The text as `read_file` shows the whole of it. */
export function numbered(text: string): string {
  const lines = text.split('\n')
  if (lines.at(-1) === '') lines.pop()
  return lines.map((line, index) => `${index + 1}: ${line}`).join('\n')
}

/**
 * Offsets of the values in a JSON text, so that one of them can be changed and every other byte
 * stays.
 *
 * `test/views/templates/edits.test.ts` compares it with `JSON.parse`.
 *
 * @module
 */

import { MAX_DEPTH } from '../limits.ts'

/** A value and its offsets. */
export interface JsonNode {
  readonly from: number
  readonly to: number
  /** The items of an array; null for other values. */
  readonly items: readonly JsonNode[] | null
  /** The members of an object; null for other values. */
  readonly members: readonly JsonMember[] | null
}

/** A member of an object. */
export interface JsonMember {
  readonly key: string
  /** The offset of the quote before its key. */
  readonly from: number
  readonly value: JsonNode
}

/** Locates the values of a text; null if it is not JSON, or too deep. */
export function locateJson(text: string): JsonNode | null {
  try {
    JSON.parse(text)
    return readValue(text, skipSpace(text, 0), 0)
  } catch {
    return null
  }
}

/** Returns the value of a member; of a repeated key, the last, as `JSON.parse` does. */
export function memberOf(node: JsonNode, key: string): JsonNode | null {
  return node.members?.findLast((member) => member.key === key)?.value ?? null
}

// The text is valid JSON, so these functions need to find only where values begin and end.

function readValue(text: string, from: number, depth: number): JsonNode {
  if (depth > MAX_DEPTH) throw new RangeError('The JSON is too deep')
  const char = text[from]
  if (char === '[') return readArray(text, from, depth)
  if (char === '{') return readObject(text, from, depth)
  const to = char === '"' ? endOfString(text, from) : endOfWord(text, from)
  return { from, to, items: null, members: null }
}

function readArray(text: string, from: number, depth: number): JsonNode {
  const items: JsonNode[] = []
  let at = skipSpace(text, from + 1)
  while (text[at] !== ']') {
    const item = readValue(text, at, depth + 1)
    items.push(item)
    at = skipComma(text, item.to)
  }
  return { from, to: at + 1, items, members: null }
}

function readObject(text: string, from: number, depth: number): JsonNode {
  const members: JsonMember[] = []
  let at = skipSpace(text, from + 1)
  while (text[at] !== '}') {
    const end = endOfString(text, at)
    const key = String(JSON.parse(text.slice(at, end)))
    const colon = skipSpace(text, end)
    const value = readValue(text, skipSpace(text, colon + 1), depth + 1)
    members.push({ key, from: at, value })
    at = skipComma(text, value.to)
  }
  return { from, to: at + 1, items: null, members }
}

function skipSpace(text: string, from: number): number {
  let at = from
  while (SPACE.has(text[at] ?? '')) at++
  return at
}

const SPACE = new Set([' ', '\t', '\n', '\r'])

function skipComma(text: string, from: number): number {
  const at = skipSpace(text, from)
  return text[at] === ',' ? skipSpace(text, at + 1) : at
}

function endOfString(text: string, from: number): number {
  let at = from + 1
  while (text[at] !== '"') at += text[at] === '\\' ? 2 : 1
  return at + 1
}

function endOfWord(text: string, from: number): number {
  let at = from
  while (at < text.length && !/[\s,\]}]/.test(text[at] ?? '')) at++
  return at
}

/**
 * The frontmatter of `SKILL.md`: YAML, which the protocol sends as JSON, with every field that its author wrote.
 *
 * Hosts read the same text and compare it field by field, so what JSON cannot say is a problem and is never changed:
 * aliases (with which a small text means a large value), keys that are no text, and numbers without an exact value.
 * It has the YAML parser, so it is loaded when a skill is first reviewed.
 * `test/worker/skills/frontmatter.test.ts` has the table.
 *
 * @module
 */

import { escapePointerStep, type JsonRecord } from '#core/json.ts'
import { err, ok, type Result } from '#core/result.ts'
import { isAlias, isMap, isScalar, isSeq, parseDocument, type ParsedNode } from 'yaml'
import { MAX_FRONTMATTER_BYTES, MAX_FRONTMATTER_DEPTH, MAX_SKILL_PROBLEMS } from './limits.ts'

/** A problem, with its place in the frontmatter as a JSON Pointer (RFC 6901). */
export interface FrontmatterProblem {
  readonly pointer: string
  readonly message: string
}

type Read<T> = Result<T, readonly FrontmatterProblem[]>

/** Reads the frontmatter of the text of a `SKILL.md`. */
export function readFrontmatter(text: string): Read<JsonRecord> {
  const yaml = frontmatterOf(text)
  if (yaml === null)
    return fail('must begin with a line `---`, and have another one after its frontmatter')
  if (new TextEncoder().encode(yaml).length > MAX_FRONTMATTER_BYTES)
    return fail(`has a frontmatter of more than ${MAX_FRONTMATTER_BYTES} bytes`)
  return parse(yaml)
}

/** Returns what is between the first two lines `---`; null if the text does not begin with one. */
function frontmatterOf(text: string): string | null {
  const lines = text.replace(/^\ufeff/, '').split(/\r?\n/)
  const end = lines.findIndex((line, index) => index > 0 && /^---[ \t]*$/.test(line))
  return lines[0] === '---' && end > 0 ? lines.slice(1, end).join('\n') : null
}

const fail = (message: string, pointer = ''): Read<never> => err([{ pointer, message }])

function parse(yaml: string): Read<JsonRecord> {
  try {
    const document = parseDocument(yaml)
    const faults = [...document.errors, ...document.warnings]
    if (faults.length > 0) return err(faults.slice(0, MAX_SKILL_PROBLEMS).map(problemOf))
    const { contents } = document
    if (!isMap(contents)) return fail('has a frontmatter that is no list of `key: value`')
    return convertMap(contents, '', 1)
  } catch (error) {
    // The parser is recursive, so deep nesting ends its stack.
    if (error instanceof RangeError) return fail(TOO_DEEP)
    throw error
  }
}

const TOO_DEEP = `is nested deeper than ${MAX_FRONTMATTER_DEPTH} levels`

/** The first line of a message; the others draw the place. */
const problemOf = ({ message }: Error): FrontmatterProblem => ({
  pointer: '',
  message: `has a frontmatter that is no YAML: ${message.split('\n')[0]?.replace(/:$/, '') ?? ''}`,
})

/** Converts a node to a value of JSON. */
function convert(node: unknown, pointer: string, depth: number): Read<unknown> {
  if (node === null || node === undefined) return ok(null)
  if (isAlias(node)) return fail('is an alias: write the value itself', pointer)
  if (isScalar(node)) return convertScalar(node.value, pointer)
  if (depth >= MAX_FRONTMATTER_DEPTH) return fail(TOO_DEEP, pointer)
  if (isMap<ParsedNode, ParsedNode | null>(node)) return convertMap(node, pointer, depth + 1)
  if (!isSeq(node)) return fail('is no value of JSON', pointer)
  const items: unknown[] = []
  for (const [index, item] of node.items.entries()) {
    const read = convert(item, `${pointer}/${index}`, depth + 1)
    if (!read.ok) return read
    items.push(read.value)
  }
  return ok(items)
}

interface Pairs {
  readonly items: readonly { readonly key: unknown; readonly value: unknown }[]
}

function convertMap({ items }: Pairs, pointer: string, depth: number): Read<JsonRecord> {
  const entries: [string, unknown][] = []
  for (const { key, value } of items) {
    const name = isScalar(key) ? key.value : null
    // `__proto__` is no key that every reader of JSON keeps.
    if (typeof name !== 'string' || name === '__proto__')
      return fail('has a key that is no text: quote it', pointer)
    const read = convert(value, `${pointer}/${escapePointerStep(name)}`, depth)
    if (!read.ok) return read
    entries.push([name, read.value])
  }
  return ok(Object.fromEntries(entries))
}

function convertScalar(value: unknown, pointer: string): Read<unknown> {
  if (value === null || typeof value === 'boolean') return ok(value)
  if (typeof value === 'string')
    return value.isWellFormed() ? ok(value) : fail('is no valid text', pointer)
  if (typeof value !== 'number') return fail('is no value of JSON', pointer)
  const isExact =
    Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value))
  return isExact ? ok(value) : fail('is no number that JSON can say exactly: quote it', pointer)
}

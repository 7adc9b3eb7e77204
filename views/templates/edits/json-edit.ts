/**
 * Edits of a JSON text that keep its formatting: an item more, or another value of a member.
 *
 * What is added looks like its neighbour: its indentation, its spaces and its line ends.
 * `test/views/templates/edits.test.ts` covers it.
 *
 * @module
 */

import { memberOf, type JsonNode } from '../data/json-text.ts'

/** Returns the text with one item more at the end of an array. */
export function appendItem(text: string, array: JsonNode, value: unknown): string {
  const last = array.items?.at(-1)
  if (!last) {
    const newline = newlineOf(text)
    const outer = indentAt(text, array.from)
    const item = indentLines(JSON.stringify(value, null, 2), newline, `${outer}  `)
    return splice(text, array.from, array.to, `[${newline}${outer}  ${item}${newline}${outer}]`)
  }
  const before = array.items?.at(-2)
  const space = text.slice(before ? before.to : array.from + 1, last.from).replace(/^\s*,/, '')
  return splice(text, last.to, last.to, `,${space}${formatLike(text, last, value)}`)
}

/** Returns the text with another value of a member; a missing member is added at the end. */
export function setMember(text: string, object: JsonNode, key: string, value: unknown): string {
  const found = memberOf(object, key)
  if (found) return splice(text, found.from, found.to, JSON.stringify(value))
  const last = object.members?.at(-1)
  const member = `${JSON.stringify(key)}${colonOf(text, object)}${JSON.stringify(value)}`
  if (!last) return splice(text, object.from, object.to, `{ ${member} }`)
  const before = object.members?.at(-2)
  const space = text
    .slice(before ? before.value.to : object.from + 1, last.from)
    .replace(/^\s*,/, '')
  const gap = before || space.includes('\n') ? space : ' '
  return splice(text, last.value.to, last.value.to, `,${gap}${member}`)
}

const splice = (text: string, from: number, to: number, piece: string) =>
  text.slice(0, from) + piece + text.slice(to)

const newlineOf = (text: string) => (text.includes('\r\n') ? '\r\n' : '\n')

function indentLines(json: string, newline: string, indent: string): string {
  return json.replaceAll('\n', newline + indent)
}

/** Returns the white space at the start of the line of an offset. */
function indentAt(text: string, at: number): string {
  const start = text.lastIndexOf('\n', at - 1) + 1
  return /^[ \t]*/.exec(text.slice(start, at))?.[0] ?? ''
}

/** Formats a value as its neighbour is formatted. */
function formatLike(text: string, neighbour: JsonNode, value: unknown): string {
  const sample = text.slice(neighbour.from, neighbour.to)
  const indent = indentAt(text, neighbour.from)
  const first = neighbour.members?.[0]?.from ?? neighbour.items?.[0]?.from ?? neighbour.from
  const inner = indentAt(text, first)
  if (sample.includes('\n') && inner.startsWith(indent) && inner !== indent)
    return indentLines(
      JSON.stringify(value, null, inner.slice(indent.length)),
      newlineOf(text),
      indent,
    )
  return formatInline(value, {
    colon: colonOf(text, neighbour),
    comma: /,\s/.test(sample) || !sample.includes(',') ? ', ' : ',',
    padding: /^[{[]\s/.test(sample) ? ' ' : '',
  })
}

/** Returns the colon of an object, with the space after it. */
function colonOf(text: string, { members }: JsonNode): string {
  const member = members?.[0]
  return member && text[member.value.from - 1] === ':' ? ':' : ': '
}

interface InlineStyle {
  readonly colon: string
  readonly comma: string
  readonly padding: string
}

function formatInline(value: unknown, style: InlineStyle): string {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return JSON.stringify(value)
  const { colon, comma, padding } = style
  const members = Object.entries(value).map(
    ([key, each]) => `${JSON.stringify(key)}${colon}${JSON.stringify(each)}`,
  )
  return `{${padding}${members.join(comma)}${padding}}`
}

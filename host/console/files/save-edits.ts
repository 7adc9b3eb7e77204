/**
 * Turns what a person typed into a call: line edits (`edit_file`), so that the encoding, the byte order mark and the
 * endings of all other lines stay; or the bytes of the whole file (`write_file`), where edits are too many. Both name the
 * version that was read, so nothing that was changed since is overwritten.
 * `test/host/console/files/save-edits.test.ts` has the cases.
 *
 * @module
 */

import { keepEndings, plainEndings } from '#core/diff/keep-endings.ts'
import { editsBetween, type LineEdit } from '#core/diff/line-edits.ts'
import type { JsonRecord } from '#core/json.ts'
import type { Encoding, Source } from './source.ts'

/** A replacement of a text that occurs once. */
interface Replacement {
  readonly find: string
  readonly replace: string
}

/** Most edits of one call (`MAX_EDITS` of the server). */
const MAX_EDITS = 200

/** Most characters that looking for edits passes over; a text with more is written as a whole. */
const MAX_STEPS = 64 * 1024 * 1024

/** A call that saves. */
export interface SaveCall {
  readonly tool: 'edit_file' | 'write_file'
  readonly args: JsonRecord
}

/**
 * Returns the call that saves a text.
 *
 * @param typed The text as the field has it: every line ends with `\n`.
 */
export function describeSave(path: string, source: Source, typed: string): SaveCall {
  const if_version = source.version
  // The server counts a return alone as a character of its line, which a field cannot show.
  const edits = /\r(?!\n)/.test(source.text) ? null : findEdits(plainEndings(source.text), typed)
  if (edits !== null) return { tool: 'edit_file', args: { path, edits, if_version } }
  const whole = encodeText(source, keepEndings(source.text, typed))
  return { tool: 'write_file', args: { path, content_base64: toBase64(whole), if_version } }
}

/** Returns edits that occur once each, in the order in which they are made; null if there are none or too many. */
export function findEdits(before: string, after: string): readonly Replacement[] | null {
  const edits = editsBetween(before, after)
  if (before === '' || edits.length === 0 || edits.length > MAX_EDITS) return null
  const budget = { left: MAX_STEPS }
  const lines = linesOf(before)
  const made: Replacement[] = []
  let shift = 0
  for (const edit of edits) {
    const found = makeUnique(lines, { ...edit, at: edit.at + shift }, budget)
    if (found === null) return null
    made.push(found)
    const inserted = linesOf(edit.insert)
    lines.splice(edit.at + shift - 1, edit.remove, ...inserted)
    shift += inserted.length - edit.remove
  }
  return made
}

const linesOf = (text: string) => text.match(/[^\n]*\n|[^\n]+$/g) ?? []

/** Adds lines around an edit until what it finds occurs once. */
function makeUnique(
  lines: readonly string[],
  { at, remove, insert }: LineEdit,
  budget: { left: number },
): Replacement | null {
  const text = lines.join('')
  for (let around = remove === 0 ? 1 : 0; ; around = Math.max(1, around * 2)) {
    const [start, end] = [Math.max(0, at - 1 - around), at - 1 + remove + around]
    const [head, tail] = [lines.slice(start, at - 1), lines.slice(at - 1 + remove, end)]
    const find = lines.slice(start, end).join('')
    budget.left -= 2 * text.length
    if (budget.left < 0) return null
    const first = find === '' ? -1 : text.indexOf(find)
    if (first !== -1 && text.indexOf(find, first + 1) === -1)
      return { find, replace: head.join('') + insert + tail.join('') }
    if (start === 0 && end >= lines.length) return null
  }
}

/** Encodes a text as the file is encoded. */
function encodeText({ encoding, hasMark }: Source, text: string): Uint8Array {
  const marked = hasMark ? `\ufeff${text}` : text
  return encoding === 'utf-8' ? new TextEncoder().encode(marked) : encodeUtf16(marked, encoding)
}

function encodeUtf16(text: string, encoding: Exclude<Encoding, 'utf-8'>): Uint8Array {
  const view = new DataView(new ArrayBuffer(text.length * 2))
  for (let at = 0; at < text.length; at++)
    view.setUint16(at * 2, text.charCodeAt(at), encoding === 'utf-16le')
  return new Uint8Array(view.buffer)
}

/** Bytes that become characters at once. */
const CHUNK = 0x8000

function toBase64(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += CHUNK)
    text += String.fromCharCode(...bytes.subarray(at, at + CHUNK))
  return btoa(text)
}

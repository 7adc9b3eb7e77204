/**
 * Problems of a configuration or a policy, as data: a code for programs, a message for people, and the
 * place as a JSON Pointer (RFC 6901).
 *
 * The parser of each field makes them, because only it knows the place. The messages are those of the
 * mcp4h proposals.
 *
 * @module
 */

import { cutMiddle } from '../cut-middle.ts'
import { escapePointerStep } from '../json.ts'
import { err, type Result } from '../result.ts'

/** The code of each kind of problem, and what it means. */
export const CONFIG_CODES = {
  UNKNOWN_FIELD: 'There is no such field, or it may not be set here.',
  MISSING_FIELD: 'A required field is missing.',
  WRONG_TYPE: 'The value has another JSON type than the field.',
  INVALID_VALUE: 'The value has the right type and is not one that the field can have.',
  INVALID_PATH: 'The path is malformed, or outside of every root (in a policy).',
  INVALID_GLOB: 'The pattern is malformed.',
  TOO_MANY: 'The value has more entries or characters than the limit.',
  NOT_ALLOWED: 'The value would widen access, or may only be set elsewhere.',
} as const

/** What is wrong with a field. */
export type ConfigCode = keyof typeof CONFIG_CODES

/** One problem of a document. */
export interface ConfigProblem {
  readonly code: ConfigCode
  /** Names the field, and the value where it is short. */
  readonly message: string
  /** The place, such as `/roots/0/path`; empty for the whole document. */
  readonly pointer: string
}

/** The problems of one document, at least one and at most {@link MAX_PROBLEMS}. */
export type ConfigProblems = readonly [ConfigProblem, ...ConfigProblem[]]

/** Maximum number of problems that are reported of one document. */
export const MAX_PROBLEMS = 20

/** A field of a document: its name in messages, such as `root.path`, and its JSON Pointer. */
export interface Place {
  readonly name: string
  readonly pointer: string
}

/** Parses an untrusted value. A problem names its place. */
export type Read<T> = (place: Place, value: unknown) => Result<T, ConfigProblem>

/** Returns the place of a top-level field. */
export function topLevel(name: string): Place {
  return { name, pointer: `/${escapePointerStep(name)}` }
}

/** Returns the place of a field of an entry of `roots`, whose messages start with `root.`. */
export function inEntry(entry: string, name: string): Place {
  return { name: `root.${name}`, pointer: `${entry}/${escapePointerStep(name)}` }
}

/** Maximum length, in UTF-16 code units, of a message and of a pointer; both repeat names of the document. */
const MAX_TEXT = 300

function shortened(text: string): string {
  const cut = cutMiddle(text, MAX_TEXT)
  return cut ? `${cut.head}…${cut.tail}` : text
}

/** Builds a failure with one problem. Long texts lose their middle. */
export function fail(
  code: ConfigCode,
  pointer: string,
  message: string,
): { readonly ok: false; readonly error: ConfigProblem } {
  return err({ code, message: shortened(message), pointer: shortened(pointer) })
}

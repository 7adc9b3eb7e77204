/**
 * Arguments: untrusted JSON, parsed against a tool's schema. All errors are reported, with the code of the first.
 *
 * The codes are those of the mcp4h file server: a missing path is `MISSING_PATH`, an invalid one
 * `INVALID_PATH`, an empty list of edits `EMPTY_EDITS`.
 *
 * @module
 */

import { err, ok, type Result } from '#core/result.ts'
import * as z from 'zod/mini'
import { toDotPath } from 'zod/v4/core'
import en from 'zod/v4/locales/en.js'
import type { Problem } from '../../errors/problem.ts'
import { decode, unwrapOptional, withoutAbsent } from './decode.ts'

// For every schema of the Worker: the sentences of issues, of which zod/mini has none by itself.
z.config(en())

/** Text without lone surrogates. JSON can carry them, but UTF-8 cannot, so they would change in a file. */
export const wellFormedText = (error?: string) =>
  z.string(error).check(z.refine((text) => text.isWellFormed(), 'it has a lone surrogate'))

/** The same with the usual error. */
export const wellFormed = wellFormedText()

/** A path argument. */
export const path = wellFormed.check(z.describe('Absolute, or relative to the default root'))

/** The version that a caller relies on; see `checkVersion`. */
export const ifVersion = z
  .optional(z.int().check(z.minimum(0)))
  .check(z.describe('Fail unless the file is at this version; 0: unless it does not exist'))

/** Parses a body as it is. The problem names every invalid field, and has the code of the first one. */
export function readArguments<T>(schema: z.ZodMiniType<T>, args: unknown): Result<T, Problem> {
  const read = schema.safeParse(args === undefined ? {} : args)
  return read.success ? ok(read.data) : err(explain(read.error, args, schema))
}

/** The arguments of a call: in the types of its tool, and as JSON in the form of the schema. */
export interface ParsedArguments<T> {
  readonly input: T
  readonly args: unknown
}

/** Parses the arguments of a call, in any form whose meaning is certain. */
export function readCall<T>(
  schema: z.ZodMiniType<T>,
  given: unknown,
  prepare = (args: unknown) => args,
): Result<ParsedArguments<T>, Problem> {
  const sent = prepare(withoutAbsent(schema, given))
  const read = schema.safeParse(sent)
  if (read.success) return ok({ input: read.data, args: sent })
  const args = prepare(withoutAbsent(schema, decode(schema, sent)))
  const input = readArguments(schema, args)
  return input.ok ? ok({ input: input.value, args }) : input
}

/** Invalid fields that one error names. */
const MAX_NAMED_FIELDS = 10

function explain({ issues }: z.core.$ZodError, args: unknown, schema: z.ZodMiniType): Problem {
  const [first] = issues
  if (!first) throw new Error('Cannot explain an invalid argument: the schema reported no issue')
  const code = codeOf(first, args)
  const [only, ...more] = issues.slice(0, MAX_NAMED_FIELDS).map((issue) => describe(issue, schema))
  const rest =
    issues.length > MAX_NAMED_FIELDS ? `; and ${issues.length - MAX_NAMED_FIELDS} more` : ''
  const detail = `Cannot use ${[only, ...more].join('; ')}${rest}`
  return { reason: 'bad_argument', code, detail }
}

function codeOf(issue: z.core.$ZodIssue, args: unknown): string {
  const field = issue.path.findLast((key) => typeof key === 'string')
  if (field === undefined) return 'INVALID_ARGUMENTS'
  const name = field.toUpperCase()
  if (valueAt(args, issue.path) === undefined) return `MISSING_${name}`
  if (issue.code !== 'too_small' || issue.origin === 'number') return `INVALID_${name}`
  return name === 'FIND' ? 'FIND_EMPTY' : `EMPTY_${name}`
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (inner, key) =>
      typeof inner === 'object' && inner !== null && Object.hasOwn(inner, key)
        ? Reflect.get(inner, key)
        : undefined,
    value,
  )
}

function describe(issue: z.core.$ZodIssue, schema: z.ZodMiniType): string {
  const where = toDotPath(issue.path)
  const known = issue.code === 'unrecognized_keys' ? namesAt(schema, issue.path) : []
  const names = known.length === 0 ? '' : ` (known: ${known.join(', ')})`
  return `${where ? `the argument ${where}` : 'these arguments'}: ${wanted(issue)}${names}`
}

/** Lists the members of the object that a schema has at a path; empty if it has none there. */
function namesAt(schema: unknown, [key, ...rest]: readonly PropertyKey[]): string[] {
  const inner = unwrapOptional(schema)
  if (inner instanceof z.ZodMiniArray && key !== undefined) return namesAt(inner.def.element, rest)
  if (!(inner instanceof z.ZodMiniObject)) return []
  return key === undefined ? Object.keys(inner.shape) : namesAt(inner.shape[String(key)], rest)
}

/** A union says by itself nothing of what it takes. */
function wanted(issue: z.core.$ZodIssue): string {
  if (issue.code !== 'invalid_union') return issue.message
  const messages = issue.errors.flatMap((issues) => issues.slice(0, 1).map(wanted))
  return [...new Set(messages)].join(', or ')
}

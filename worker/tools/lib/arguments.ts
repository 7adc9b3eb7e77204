/**
 * Arguments: untrusted JSON, parsed against a tool's schema. The first error is reported with one of our
 * codes.
 *
 * The codes are those of the mcp4h file server: a missing path is `MISSING_PATH`, an invalid one
 * `INVALID_PATH`, an empty list of edits `EMPTY_EDITS`.
 *
 * @module
 */

import { err, ok, type Result } from '#core/result.ts'
import * as z from 'zod'
import { toDotPath } from 'zod/v4/core'
import type { Problem } from '../../errors/problem.ts'

/** Text without lone surrogates. JSON can carry them, but UTF-8 cannot, so they would change in a file. */
export const wellFormed = z
  .string()
  .refine((text) => text.isWellFormed(), 'it has a lone surrogate')

/** A path argument. */
export const path = wellFormed.describe('Absolute, or relative to the default root')

/** The version that a caller relies on; see `checkVersion`. */
export const ifVersion = z
  .int()
  .min(0)
  .optional()
  .describe('Fail unless the file is at this version; 0: unless it does not exist')

/** Parses arguments; absent ones are an empty object. The problem names the first invalid field. */
export function readArguments<T>(schema: z.ZodType<T>, args: unknown): Result<T, Problem> {
  const read = schema.safeParse(args === undefined ? {} : args)
  if (read.success) return ok(read.data)
  const issue = read.error.issues[0]
  if (!issue) throw new Error('Cannot explain an invalid argument: the schema reported no issue')
  return err({ reason: 'bad_argument', code: codeOf(issue, args), detail: detailOf(issue) })
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

function detailOf(issue: z.core.$ZodIssue): string {
  const where = toDotPath(issue.path)
  return where
    ? `Cannot use the argument ${where}: ${issue.message}`
    : `Cannot use these arguments: ${issue.message}`
}

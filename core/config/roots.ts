/**
 * The field `roots`: the folders that tools may use.
 *
 * @module
 */

import { APPROVAL_LEVELS, type ApprovalLevel } from '../approval.ts'
import { MAX_GLOB_LENGTH, type Glob } from '../glob.ts'
import { own, type JsonRecord } from '../json.ts'
import { resolvePlainPath } from '../path/candidates.ts'
import { MAX_PATH_BYTES, ROOT, type StorePath } from '../path.ts'
import { ok, type Result } from '../result.ts'
import {
  MAX_LIST,
  MAX_ROOTS,
  readEntries,
  readPatterns,
  ROOTS_POINTER,
  type Entry,
  type EntryKind,
  type Lists,
} from './entries.ts'
import { ANYWHERE, CONFIGURED, type Field, type FieldSchema } from './field.ts'
import { fail, inEntry, type ConfigProblem } from './problem.ts'
import { collect, readBoolean } from './values.ts'

/** A folder that tools may use, and the patterns that restrict it. */
export interface Root extends Lists<Glob> {
  readonly path: StorePath
  /** Relative paths count from here. True for exactly one root. */
  readonly default: boolean
  /** What the folder adds to the level of the workspace; `none` adds nothing. */
  readonly approval: ApprovalLevel
  /** Set if a lease in the folder stops the changes of other agents. */
  readonly binding_leases?: true
}

/** The folders of a configuration. */
export type Roots = readonly [Root, ...Root[]]

export const ROOTS: Field<Roots, typeof ANYWHERE> = {
  default: [{ path: ROOT, default: true, approval: 'none', deny: [], allow: [], immutable: [] }],
  read: (_place, value) => readRoots(value),
  // The folders of flags are not met with those of a configuration: both hold, each with its own lists.
  width: () => 0,
  sentence: 'access',
  schema: {
    type: 'array',
    title: 'Folders',
    description: 'The folders that tools may use. Paths outside them are invisible to tools.',
    minItems: 1,
    maxItems: MAX_ROOTS,
    default: [{ path: ROOT }],
    items: {
      type: 'object',
      additionalProperties: false,
      required: ['path'],
      properties: {
        path: {
          type: 'string',
          title: 'Path',
          description: 'The folder, such as /notes. In a policy, a root or a folder below one.',
          minLength: 1,
          maxLength: MAX_PATH_BYTES,
          ...ANYWHERE,
        },
        default: {
          type: 'boolean',
          title: 'Default',
          description: 'Relative paths count from here. Otherwise they count from the first root.',
          default: false,
          ...CONFIGURED,
        },
        allow: globs('Allow', 'Only what matches one of these may be used; empty: everything.'),
        deny: globs('Deny', 'What matches one of these may not be used, whatever else matches.'),
        immutable: globs('Immutable', 'What matches one of these may be read and not changed.'),
        approval: {
          type: 'string',
          title: 'Approval in this folder',
          description: 'Raises the approval level of changes in the folder, and never lowers it.',
          enum: APPROVAL_LEVELS,
          default: 'none',
          ...ANYWHERE,
        },
        binding_leases: {
          type: 'boolean',
          title: 'Binding leases',
          description:
            'A lease in the folder refuses the changes of other agents, and not only tells them.',
          default: false,
          ...CONFIGURED,
        },
        blocked: {
          type: 'boolean',
          title: 'Blocked',
          description: 'Denies the folder and everything below it for one call.',
          default: false,
          scope: 'policy',
          audience: 'any',
        },
      },
    },
    ...ANYWHERE,
  },
}

function globs(title: string, description: string): FieldSchema {
  return {
    type: 'array',
    title,
    description: `${description} Patterns count from the path, as in src/**/*.ts.`,
    maxItems: MAX_LIST,
    items: { type: 'string', minLength: 1, maxLength: MAX_GLOB_LENGTH },
    default: [],
    ...ANYWHERE,
  }
}

const IN_CONFIGURATION: EntryKind = {
  /** Only a policy can block a folder. `false` is accepted, because a form may send the default. */
  check(fields, pointer) {
    const blocked = own(fields, 'blocked')
    const at = inEntry(pointer, 'blocked').pointer
    if (blocked !== undefined && blocked !== false)
      return fail('NOT_ALLOWED', at, 'root.blocked may only be set by a policy')
    return readFlags(fields, pointer)
  },

  /** Ignores items that are not strings, unless that would empty `allow` and so open the whole root. */
  checkList({ name, pointer }, strings, items) {
    const opened = name === 'root.allow' && items > 0 && strings === 0
    if (!opened) return ok(null)
    return fail('INVALID_VALUE', pointer, `${name} must hold a pattern or be empty`)
  },
}

/** Reads the fields that are true or false; without one it is false. */
function readFlags(fields: JsonRecord, pointer: string) {
  return collect(['default', 'binding_leases'], (name) => {
    const given = own(fields, name)
    return readBoolean(inEntry(pointer, name), given === undefined ? false : given)
  })
}

function readRoots(value: unknown): Result<Roots, ConfigProblem> {
  const entries = readEntries(value, IN_CONFIGURATION)
  if (!entries.ok) return entries
  const chosen = entries.value.findIndex(({ fields }) => own(fields, 'default') === true)
  const roots = collect(entries.value, (entry, index) =>
    readRoot(entry, index === Math.max(chosen, 0)),
  )
  if (!roots.ok) return roots
  const [first, ...rest] = roots.value
  return first
    ? ok([first, ...rest])
    : fail('INVALID_VALUE', ROOTS_POINTER, 'roots must not be empty')
}

function readRoot(entry: Entry, isDefault: boolean): Result<Root, ConfigProblem> {
  const path = resolvePlainPath(entry.path)
  if (!path.ok) return notAPath(entry, path.error)
  const patterns = readPatterns(entry)
  if (!patterns.ok) return patterns
  const { approval, fields } = entry
  const binding = own(fields, 'binding_leases') === true && ({ binding_leases: true } as const)
  return ok({ path: path.value, default: isDefault, approval, ...patterns.value, ...binding })
}

function notAPath({ path, pointer }: Entry, reason: string) {
  const message = `root.path ${JSON.stringify(path)} is no path: ${reason}`
  return fail('INVALID_PATH', inEntry(pointer, 'path').pointer, message)
}

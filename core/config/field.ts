/**
 * What one configuration field consists of, and builders for the usual kinds.
 *
 * @module
 */

import type { JsonObject } from '../policy/form.ts'
import type { Read } from './problem.ts'
import { APPROVAL_LEVELS, type ApprovalLevel } from '../approval.ts'
import {
  PASSKEY_RULES,
  readApproval,
  readBoolean,
  readCount,
  readPasskeyRule,
  type PasskeyRule,
} from './values.ts'

/** Where a field may be set, and by whom. */
export type Marks = {
  readonly scope: 'configuration' | 'policy' | 'any'
  readonly audience: 'human' | 'llm' | 'any'
}

/** The schema of one field, with its marks. */
export type FieldSchema<M extends Marks = Marks> = JsonObject & M

/** The group of sentences in which the console describes a field. */
export type SentenceKey = 'access' | 'approval' | 'sizes' | 'history' | 'previews' | 'output'

/** One configuration field. Types, defaults, parser, schema, documentation and console follow from it. */
export interface Field<T, M extends Marks = Marks> {
  /** What holds if the field is not set. */
  readonly default: T
  readonly read: Read<T>
  /** How much a value allows: a flag is met with the rules by keeping what allows less. */
  readonly width: (value: T) => number
  /** Meets a value with that of a flag, where neither of them allows less than the other. */
  readonly meet?: (value: T, flag: T) => T
  readonly schema: FieldSchema<M>
  /** Null if no sentence of the console describes the field. */
  readonly sentence: SentenceKey | null
}

/** May be set in a configuration and in a policy, by anyone. */
export const ANYWHERE = { scope: 'any', audience: 'any' } as const
/** May be set in a configuration only. */
export const CONFIGURED = { scope: 'configuration', audience: 'any' } as const
/** May be set in a configuration and in a policy, by a person. */
export const CALL_LIMIT = { scope: 'any', audience: 'human' } as const

/** What people read about a field. */
interface Description {
  readonly title: string
  readonly description: string
  readonly sentence: SentenceKey | null
}

/** Describes a field that is on or off; `widest` is the value that allows more. */
export function flag<const M extends Marks>(
  preset: boolean,
  widest: boolean,
  marks: M,
  { title, description, sentence }: Description,
): Field<boolean, M> {
  const schema = { type: 'boolean', title, description, default: preset, ...marks }
  const width = (value: boolean) => (value === widest ? Infinity : 0)
  return { default: preset, read: readBoolean, width, schema, sentence }
}

/** Describes a field that is a number of things, of which 0 means "no limit". */
export function count<const M extends Marks>(
  preset: number,
  marks: M,
  { title, description, sentence }: Description,
): Field<number, M> {
  const schema = {
    title,
    type: 'integer',
    description: `${description} 0 means no limit.`,
    minimum: 0,
    default: preset,
    ...marks,
  }
  const width = (value: number) => value || Infinity
  return { default: preset, read: readCount, width, schema, sentence }
}

/** Describes a field that is an approval level. */
export function approval<const M extends Marks>(
  preset: ApprovalLevel,
  marks: M,
  { title, description, sentence }: Description,
): Field<ApprovalLevel, M> {
  const schema = {
    type: 'string',
    title,
    description,
    enum: APPROVAL_LEVELS,
    default: preset,
    ...marks,
  }
  return { default: preset, read: readApproval, width: widthIn(APPROVAL_LEVELS), schema, sentence }
}

/** Describes a field that says when a decision needs a passkey. */
export function passkey<const M extends Marks>(
  preset: PasskeyRule,
  marks: M,
  { title, description, sentence }: Description,
): Field<PasskeyRule, M> {
  const schema = {
    type: 'string',
    title,
    description,
    enum: PASSKEY_RULES,
    default: preset,
    ...marks,
  }
  return { default: preset, read: readPasskeyRule, width: widthIn(PASSKEY_RULES), schema, sentence }
}

/** The first of a list of values restricts nothing, the last one most. */
const widthIn =
  <T>(values: readonly T[]) =>
  (value: T): number => {
    const rank = values.indexOf(value)
    return rank === 0 ? Infinity : values.length - rank
  }

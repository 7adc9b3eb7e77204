/**
 * What a tool is: facts for people and clients, a schema, the paths it touches, and one step.
 *
 * `defineRead` and `defineChange` tie the three together once, where the types are known, and give
 * a tool that the road in `call.ts` can carry without knowing any of them.
 *
 * @module
 */

import { parseIntent, type Template } from '#core/intent/template.ts'
import type { Config } from '#core/config.ts'
import type { StorePath } from '#core/path.ts'
import type { Result } from '#core/result.ts'
import * as z from 'zod'
import type { Problem } from '../problem.ts'
import type { Access } from '../access/access.ts'
import type { Touch } from '../access/authorize.ts'
import type { SearchView } from '../access/file-view.ts'
import type { ReadStore } from '../access/workspace.ts'
import type { Step } from '../store/store.ts'
import type { DelegationWish } from '../sessions/delegate.ts'
import type { TransferWish } from '../sessions/callers.ts'
import type { Session } from '../sessions/sessions.ts'
import { readArguments } from './arguments.ts'

/** How much a person has to do with a call, from the mcp4h proposal. */
export type Attention = 'none' | 'notify' | 'review' | 'confirm'

/** The touches of a call, in order, after they have been resolved and allowed. */
export type Places<T extends readonly Touch[]> = { readonly [K in keyof T]: StorePath }

/** What a tool works on. */
export interface Desk {
  /** Files and history, as this caller sees them. */
  readonly store: ReadStore
  readonly search: SearchView
  /** The configuration, with the limits that hold for this call. */
  readonly config: Config
  /** Entries that no argument of the call may exceed; 0 for no such limit. */
  readonly mostFound: number
  readonly access: Access
  /** Whether text is to be answered as an HTML table. */
  readonly highlight: boolean
  /** Reports the progress of long work. */
  readonly progress?: (done: number, total: number) => Promise<void>
  /** Aborted when the client no longer waits for the result. */
  readonly signal?: AbortSignal
}

export type Block =
  | { type: 'text'; text: string }
  | { type: 'image'; data: string; mimeType: string }
  | {
      type: 'resource_link'
      uri: string
      name: string
      mimeType: string
      annotations: { audience: 'user'[] }
    }

export interface Answer {
  /** What a model needs, and no more. */
  readonly text: string
  /** The same for programs; none beside images, which hosts drop where there is any. */
  readonly structured?: Record<string, unknown>
  /** In place of the text alone, when there is more to show. */
  readonly blocks?: Block[]
}

/** What a call would do, and what it would answer. The steps are not taken yet. */
export interface Plan {
  readonly steps: readonly Step[]
  readonly answer: Answer
}

export interface ToolFacts {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly intent: string
  readonly attention: Attention
  readonly destructive?: boolean
  readonly idempotent?: boolean
  readonly priority?: number
  /** Only for views: a model is not bothered with it (MCP Apps, `_meta.ui.visibility`). */
  readonly appOnly?: true
  /** It needs to read what it changes. */
  readonly reads?: true
  /** The view of this server that shows its results. */
  readonly view?: 'review' | 'files'
}

interface Definition<I, T extends readonly Touch[]> extends ToolFacts {
  readonly input: z.ZodType<I>
  /** None where a result may come without structured content. */
  readonly output?: z.ZodType
  touches(input: I): T
}

interface Common extends Omit<ToolFacts, 'intent'> {
  readonly intent: Template
  readonly intentText: string
  readonly input: z.ZodType
  readonly output?: z.ZodType
  parse(args: unknown): Result<unknown, Problem>
  touches(input: unknown): readonly Touch[]
}

export interface ReadTool extends Common {
  readonly kind: 'read'
  read(input: unknown, places: readonly StorePath[], desk: Desk): Promise<Result<Answer, Problem>>
}

export interface ChangeTool extends Common {
  readonly kind: 'change'
  plan(input: unknown, places: readonly StorePath[], desk: Desk): Promise<Result<Plan, Problem>>
}

/** A tool that does something else than change files, so there is nothing to show beforehand. */
export interface ActTool extends Common {
  readonly kind: 'act'
  act(
    input: unknown,
    places: readonly StorePath[],
    office: Office,
  ): Promise<Result<Answer, Problem>>
}

export type Tool = ReadTool | ChangeTool | ActTool

/** A session that was handed on, and the URL that it is. */
export interface Handed {
  readonly session: Session
  readonly url: string
}

/** What an acting tool may do on behalf of its caller. */
export interface Office extends Pick<Desk, 'store' | 'config'> {
  readonly delegate: (wish: DelegationWish) => Promise<Result<Handed, Problem>>
  readonly transfer: (wish: TransferWish) => Promise<Result<Handed, Problem>>
}

type Reads<I, T extends readonly Touch[]> = Definition<I, T> & {
  read(input: I, places: Places<T>, desk: Desk): Promise<Result<Answer, Problem>>
}

type Plans<I, T extends readonly Touch[]> = Definition<I, T> & {
  readonly output: z.ZodObject
  plan(input: I, places: Places<T>, desk: Desk): Promise<Result<Plan, Problem>>
}

export function defineRead<I, const T extends readonly Touch[]>(tool: Reads<I, T>): ReadTool {
  return {
    ...common(tool),
    kind: 'read',
    // `parse` made the input and `touches` the places, so both have the tool's own types.
    read: (input, places, desk) => tool.read(input as I, places as Places<T>, desk),
  }
}

/** What every change answers beside what its plan says; see `changes/result.ts`. */
const CHANGED = { version: z.int().describe('The version of the workspace that it makes') }

export function defineChange<I, const T extends readonly Touch[]>(tool: Plans<I, T>): ChangeTool {
  return {
    ...common({ ...tool, output: tool.output.extend(CHANGED) }),
    kind: 'change',
    plan: (input, places, desk) => tool.plan(input as I, places as Places<T>, desk),
  }
}

type Acts<I, T extends readonly Touch[]> = Definition<I, T> & {
  act(input: I, places: Places<T>, office: Office): Promise<Result<Answer, Problem>>
}

export function defineAct<I, const T extends readonly Touch[]>(tool: Acts<I, T>): ActTool {
  return {
    ...common(tool),
    kind: 'act',
    act: (input, places, office) => tool.act(input as I, places as Places<T>, office),
  }
}

function common<I, T extends readonly Touch[]>(tool: Definition<I, T>): Common {
  return {
    ...tool,
    intent: parseIntent(tool.intent),
    intentText: tool.intent,
    parse: (args) => readArguments(tool.input, args),
    touches: (input) => tool.touches(input as I),
  }
}

export const reading = (text: string) => ({ action: 'read', text }) as const
export const readingFolder = (text: string) => ({ action: 'read', text, isFolder: true }) as const
export const writing = (text: string) => ({ action: 'write', text }) as const
/** A write whose result depends on the content that is there. */
export const rewriting = (text: string) => ({ action: 'write', text, reveals: 'always' }) as const
/** A move, which brings content to another place. */
export const moving = (text: string) => ({ action: 'write', text, reveals: 'where moved' }) as const
/** A write that is refused unless the file is at a version: that tells whether it is. */
export const writingAt = (text: string, version: number | undefined) =>
  version === undefined ? writing(text) : rewriting(text)

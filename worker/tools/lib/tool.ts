/**
 * The definition of a tool: facts for people and clients, a schema, the paths it touches, and one step.
 *
 * `defineRead`, `defineChange` and `defineAct` check the types of these parts against each other once, and
 * return a tool that the pipeline in `call.ts` runs without knowing those types.
 *
 * @module
 */

import { parseIntent, type Template } from '#core/intent/template.ts'
import type { ApprovalLevel } from '#core/approval.ts'
import type { Config } from '#core/config.ts'
import type { JsonRecord } from '#core/json.ts'
import type { StorePath } from '#core/path.ts'
import type { Result } from '#core/result.ts'
import * as z from 'zod/mini'
import type { Problem } from '../../errors/problem.ts'
import type { Access } from '../../access/access.ts'
import type { Touch } from '../../access/authorize.ts'
import type { SearchView } from '../../access/file-view.ts'
import type { CommentView } from '../../access/comment-view.ts'
import type { DraftView } from '../../access/draft-view.ts'
import type { LeaseView } from '../../access/lease-view.ts'
import type { ReadStore } from '../../access/workspace.ts'
import type { Checkpoint, Step } from '../../store/store.ts'
import type { DelegationRequest } from '../../sessions/delegate.ts'
import type { TransferRequest } from '../../sessions/make-link.ts'
import type { Session } from '../../access/session.ts'
import type { ViewName } from '../../views.ts'
import { readCall, type ParsedArguments } from './arguments.ts'

/** The resolved paths of a call's touches, in the same order, after authorization. */
export type Places<T extends readonly Touch[]> = { readonly [K in keyof T]: StorePath }

/** The context of a tool call. */
export interface ToolContext {
  /** Files and history, as this caller sees them. */
  readonly store: ReadStore
  readonly search: SearchView
  /** The configuration with the limits of this call. */
  readonly config: Config
  /** Most entries that any argument of the call may ask for; 0 for no limit. */
  readonly maxFound: number
  readonly access: Access
  /** The caller's draft. */
  readonly draft: DraftView
  /** The comments that the caller may read. */
  readonly comments: CommentView
  /** The leases that the caller takes. */
  readonly leases: LeaseView
  /** The beginning of a link to the workspace, as the caller reaches it; may be empty. */
  readonly base: string
  /** The principal whose share a call takes. */
  readonly budget: string
  /** Whether text is returned as an HTML table. */
  readonly highlight: boolean
  /** Whether the client shows apps. */
  readonly showsApps: boolean
  /** Reports the progress of long work; `total` is null if the caller must not learn it. */
  readonly progress?: (done: number, total: number | null) => Promise<void>
  /** Aborted when the client no longer waits for the result. */
  readonly signal?: AbortSignal
}

/** One block of a result's content. */
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

/** The result of a tool, before it becomes a `CallToolResult`. */
export interface Answer {
  /** All that a model needs, and no more. */
  readonly text: string
  /** The same as data; absent beside images, because hosts then drop the images. */
  readonly structured?: Record<string, unknown>
  /** Replaces the text block when the result has more than text. */
  readonly blocks?: Block[]
}

/** The steps that a call would take, none of them taken yet, and the result it would return. */
export interface Plan {
  readonly steps: readonly Step[]
  readonly answer: Answer
}

/** What people and clients read about a tool. */
export interface ToolFacts {
  readonly name: string
  readonly title: string
  readonly description: string
  /** An intent template of the mcp4h proposals. */
  readonly intent: string
  /** Markdown for a person about the arguments, as an intent template whose white space is kept. */
  readonly inputTemplate?: string
  /** The same about the structured content of a result. */
  readonly outputTemplate?: string
  readonly approval: ApprovalLevel
  readonly destructive?: boolean
  readonly idempotent?: boolean
  /** Whether a call reaches beyond the workspace: it makes a link for others, or fetches from other systems. */
  readonly openWorld?: true
  readonly priority?: number
  /** Whether a call can take so long that its client may follow its progress and cancel it. */
  readonly cancellable?: true
  /** Whether its result has the form of another product, to which no news and no note is added. */
  readonly exactResult?: true
  /** Only for views and hidden from models (MCP Apps, `_meta.ui.visibility`). */
  readonly appOnly?: true
  /** Whether a change has to read, too, so that it needs the read scope. */
  readonly reads?: true
  /** Whether a tool that changes no file needs the write scope. */
  readonly writes?: true
  /** Whether a call concerns only the caller's draft: the audit log has it, and the history of the workspace does not. */
  readonly draftOnly?: true
  /** Whether a call is in the audit log, and makes no version of the workspace. */
  readonly auditOnly?: true
  /** Whether a call is planned once: another plan could bring something else, so a draft of it is never planned again. */
  readonly plansOnce?: true
  /** The arguments that are files of a conversation, which ChatGPT hands over (`_meta["openai/fileParams"]`). */
  readonly fileParams?: readonly string[]
  /** Returns the arguments as the sentence for people has them, without what is secret in them. */
  readonly shownArguments?: (args: JsonRecord) => JsonRecord
  /** The scopes that a list of tools names, if they are not those of its kind. A call may need only one of them. */
  readonly scopes?: readonly string[]
  /** The view of this server that shows the results. */
  readonly view?: ViewName
  /**
   * The app that it belongs to; only callers who may read its folder know of the tool. `uri` is that of the
   * page that it opens.
   */
  readonly app?: { readonly uri?: string; readonly folder: StorePath }
}

interface Definition<
  I,
  T extends readonly Touch[],
  O extends z.ZodMiniType = z.ZodMiniType,
> extends ToolFacts {
  /** Builds the schema of the arguments. Called once, on first use: all of them take long to build. */
  readonly input: () => z.ZodMiniType<I>
  /** Builds the schema of the result; absent when a result may have no structured content. */
  readonly output?: () => O
  /** Replaces a value of a form that only this tool takes. */
  readonly prepare?: (args: unknown) => unknown
  touches(input: I): T
}

interface Common extends Omit<ToolFacts, 'intent'> {
  readonly intent: Template
  readonly intentText: string
  readonly input: () => z.ZodMiniType
  readonly output?: () => z.ZodMiniType
  parse(args: unknown): Result<ParsedArguments<unknown>, Problem>
  touches(input: unknown): readonly Touch[]
}

/** A tool that changes nothing. */
export interface ReadTool extends Common {
  readonly kind: 'read'
  read(
    input: unknown,
    places: readonly StorePath[],
    context: ToolContext,
  ): Promise<Result<Answer, Problem>>
}

/** A tool that plans a change; the pipeline previews or applies it. */
export interface ChangeTool extends Common {
  readonly kind: 'change'
  plan(
    input: unknown,
    places: readonly StorePath[],
    context: ToolContext,
  ): Promise<Result<Plan, Problem>>
}

/** A tool with an effect other than on files, so there is nothing to preview. */
export interface ActTool extends Common {
  readonly kind: 'act'
  concerns(input: unknown, base: StorePath): readonly StorePath[]
  act(
    input: unknown,
    places: readonly StorePath[],
    context: ActContext,
  ): Promise<Result<Answer, Problem>>
}

/** A tool of any kind. */
export type Tool = ReadTool | ChangeTool | ActTool

/** A new session and the URL of its link. */
export interface NewLink {
  readonly session: Session
  readonly url: string
}

/** The context of an acting tool: it can create links and checkpoints for its caller. */
export interface ActContext extends Pick<
  ToolContext,
  'store' | 'config' | 'access' | 'draft' | 'comments' | 'leases'
> {
  /** Names the current state of the workspace. */
  readonly createCheckpoint: (name: string) => Result<Checkpoint, Problem>
  /** Creates a session link. */
  readonly delegate: (request: DelegationRequest) => Promise<Result<NewLink, Problem>>
  /** Creates a transfer link. */
  readonly transfer: (request: TransferRequest) => Promise<Result<NewLink, Problem>>
}

type Reads<I, T extends readonly Touch[]> = Definition<I, T> & {
  read(input: I, places: Places<T>, context: ToolContext): Promise<Result<Answer, Problem>>
}

type Plans<I, T extends readonly Touch[]> = Definition<I, T, z.ZodMiniObject> & {
  readonly output: () => z.ZodMiniObject
  plan(input: I, places: Places<T>, context: ToolContext): Promise<Result<Plan, Problem>>
}

/** Defines a tool that reads. */
export function defineRead<I, const T extends readonly Touch[]>(tool: Reads<I, T>): ReadTool {
  return {
    ...common(tool),
    kind: 'read',
    // `parse` made the input and `touches` the places, so both have the tool's own types.
    read: (input, places, context) => tool.read(input as I, places as Places<T>, context),
  }
}

/** The fields that the result of every change has beside those of its plan; see `changes/change-result.ts`. */
const changed = () => ({
  version: z.int().check(z.describe('Workspace version after the change')),
  draft: z.optional(z.string()).check(z.describe('Set if the change waits for approval')),
})

/** Defines a tool that plans a change. */
export function defineChange<I, const T extends readonly Touch[]>(tool: Plans<I, T>): ChangeTool {
  return {
    ...common({ ...tool, output: () => z.extend(tool.output(), changed()) }),
    kind: 'change',
    plan: (input, places, context) => tool.plan(input as I, places as Places<T>, context),
  }
}

type Acts<I, T extends readonly Touch[]> = Definition<I, T> & {
  /** The paths that its arguments name beside those that it touches: restricted readers of history do not see it. */
  concerns?(input: I, base: StorePath): readonly StorePath[]
  act(input: I, places: Places<T>, context: ActContext): Promise<Result<Answer, Problem>>
}

/** Defines a tool with an effect other than on files. */
export function defineAct<I, const T extends readonly Touch[]>(tool: Acts<I, T>): ActTool {
  return {
    ...common(tool),
    kind: 'act',
    concerns: (input, base) => tool.concerns?.(input as I, base) ?? [],
    act: (input, places, context) => tool.act(input as I, places as Places<T>, context),
  }
}

function common<I, T extends readonly Touch[]>(tool: Definition<I, T>): Common {
  const input = once(tool.input)
  return {
    ...tool,
    intent: parseIntent(tool.intent),
    intentText: tool.intent,
    input,
    parse: (args) => readCall(input(), args, tool.prepare),
    touches: (input) => tool.touches(input as I),
  }
}

/** Returns a function that makes its result on first use. */
function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null
  return () => (made ??= { value: make() }).value
}

/** Declares a read of a file. */
export const reading = (text: string) => ({ action: 'read', text }) as const
/** Declares a read of one file of several. */
export const readingEach = (text: string) => ({ action: 'read', text, each: true }) as const
/** Declares a read of a folder and of what is below it. */
export const readingFolder = (text: string) => ({ action: 'read', text, isFolder: true }) as const
/** Declares a write whose result does not depend on existing content. */
export const writing = (text: string) => ({ action: 'write', text }) as const
/** Declares a write of a target: a folder into which `from` is put, if it ends in a slash. */
export const writingTarget = (text: string, from: string) =>
  ({ action: 'write', text, named: from }) as const
/** Declares a write whose result depends on existing content. */
export const rewriting = (text: string) => ({ action: 'write', text, reveals: 'always' }) as const
/** Declares a write of anything in a folder, whose result depends on existing content. */
export const rewritingFolder = (text: string) =>
  ({ action: 'write', text, isFolder: true, reveals: 'always' }) as const
/** Declares a move, which makes content readable at another path. */
export const moving = (text: string) => ({ action: 'write', text, reveals: 'where moved' }) as const
/** Declares a write with a required version: whether it is refused reveals the file's version. */
export const writingAt = (text: string, version: number | undefined) =>
  version === undefined ? writing(text) : rewriting(text)

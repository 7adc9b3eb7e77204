/**
 * Tool facts: what a tool declares beside its schema, read from `_meta["dev.edgewise/tool"]` or,
 * where an intermediary has dropped that, from its annotations.
 *
 * Facts are claims of the server. They can only make a host more careful: an invalid hint counts as
 * the strictest. `test/host/mcp/tool-facts.test.ts` is the table.
 *
 * @module
 */

import { renderIntent, type RenderedIntent } from '#core/intent/render.ts'
import { parseIntent, type Template } from '#core/intent/template.ts'
import { describeValues } from '#core/intent/words.ts'
import { isRecord, own, recordOf, type JsonRecord } from '#core/json.ts'
import { visibilityOf, type Visibility } from '#core/visibility.ts'
import { CHANGE_META, DRAFT_META, TOOL_META } from '#core/wire.ts'
import { APPROVAL_LEVELS, type ApprovalLevel } from '#core/approval.ts'
import type { CallFacts } from '../consent/types.ts'
import { numberOf, textOf, textsOf } from './parse.ts'
import type { CallToolResult, Resource, Tool } from './types.ts'

/** What a host needs to know about a tool before calling it. */
export interface ToolFacts {
  /** Template of the sentence that describes a call; null if the tool has none. */
  readonly intentTemplate: string | null
  /** The approval level; the default if the server declares none. */
  readonly hint: ApprovalLevel
  /** Whether the tool can return its change without applying it. */
  readonly preview: boolean
  readonly scopes: readonly string[]
  /** Scopes that a call may need, depending on its arguments. */
  readonly dynamicScopes: readonly string[]
  /** Heading under which a host may list the tool. */
  readonly group: string | null
  readonly priority: number | null
  /** The tool's MCP App view. */
  readonly ui: { readonly resourceUri: string } | null
  /** Who may call it: the model, views, or both. */
  readonly visibility: Visibility
  /** The standard hints of MCP, with the specification's defaults. */
  readonly readOnly: boolean
  readonly destructive: boolean
  readonly idempotent: boolean
  readonly openWorld: boolean
  /** Whether it runs as a task only. */
  readonly isTask: boolean
}

/** Scopes that a tool may name. */
const MAX_SCOPES = 50

const isApprovalLevel = (value: unknown): value is ApprovalLevel =>
  APPROVAL_LEVELS.some((level) => level === value)

/** Reads the facts of a tool from its metadata and annotations. */
export function factsOf(tool: Tool): ToolFacts {
  const { annotations, meta } = tool
  const declared = recordOf(own(meta, TOOL_META))
  const fact = (name: string) => own(declared, name) ?? own(annotations, name)
  const readOnly = annotations['readOnlyHint'] === true
  return {
    intentTemplate: textOf(fact('intentTemplate')) || null,
    hint: hintOf(fact('humanInTheLoopHint'), fact('consequentialHint') === true, readOnly),
    preview: fact('preview') === true,
    scopes: textsOf(fact('scopes')).slice(0, MAX_SCOPES),
    dynamicScopes: textsOf(fact('dynamic_scopes')).slice(0, MAX_SCOPES),
    group: textOf(fact('group')) || null,
    priority: numberOf(fact('priority')),
    ui: uiOf(meta),
    visibility: visibilityOf(meta),
    readOnly,
    destructive: !readOnly && annotations['destructiveHint'] !== false,
    idempotent: readOnly || annotations['idempotentHint'] === true,
    openWorld: annotations['openWorldHint'] !== false,
    isTask: needsTask(tool),
  }
}

/** Whether a tool runs as a task only (MCP 2025-11-25, section Tasks). */
export const needsTask = ({ raw }: Pick<Tool, 'raw'>) =>
  recordOf(own(raw, 'execution'))['taskSupport'] === 'required'

/** The default is `confirm`; for a read-only tool it is `none`. */
function hintOf(hint: unknown, consequential: boolean, readOnly: boolean): ApprovalLevel {
  if (consequential) return 'confirm'
  if (hint === undefined || hint === null) return readOnly ? 'none' : 'confirm'
  return isApprovalLevel(hint) ? hint : 'confirm'
}

/**
 * The URI of the tool's view, from its current or its older key. Only `ui://` is accepted, which
 * the server itself provides.
 */
function uiOf(meta: JsonRecord): { resourceUri: string } | null {
  const uri =
    textOf(recordOf(meta['ui'])['resourceUri']) ||
    textOf(meta['ui/resourceUri']) ||
    textOf(meta['openai/outputTemplate'])
  return uri.startsWith('ui://') ? { resourceUri: uri } : null
}

/**
 * Describes a call of the tool in a sentence; without a usable template, describes the tool.
 *
 * @param args The arguments of the call, not validated.
 */
export function intentOf(tool: Tool, args: unknown): RenderedIntent {
  const template = templateOf(factsOf(tool).intentTemplate)
  if (template) {
    const intent = describeValues(renderIntent(template, args))
    if (intent.text !== '') return intent
  }
  const text = tool.description || tool.title
  return { text, parts: [{ type: 'text', text }] }
}

function templateOf(text: string | null): Template | null {
  if (text === null) return null
  try {
    return parseIntent(text)
  } catch {
    return null // exceeds the limits; the description is used instead
  }
}

/**
 * Collects the facts that the consent rules need for one call.
 *
 * @param args The arguments of the call, not validated.
 */
export function callFactsOf(tool: Tool, args: unknown): CallFacts {
  const { hint, preview, scopes, readOnly } = factsOf(tool)
  return { title: tool.title, intent: intentOf(tool, args), hint, preview, scopes, readOnly }
}

/** The change that `_meta["dev.edgewise/change"]` of a result describes. */
export interface ChangeFacts {
  /** The preview id, or the id of the applied change. */
  readonly id: string
  readonly tool: string
  /** Paths that the change touches; the server may list only the first ones. */
  readonly paths: readonly string[]
  readonly intent: string
  /** Whether the change was made; false for a preview. */
  readonly applied: boolean
  /** Whether it waits in a draft for the owner's approval. */
  readonly waits: boolean
  /** The id of that draft; null without one. */
  readonly draft: string | null
  /** The workspace version after the change; null for a preview. */
  readonly version: number | null
  /** When a preview expires (ISO 8601); null otherwise. */
  readonly expiresAt: string | null
  /** URIs of the review page and of the unified diff; null unless they are `ui://`. */
  readonly review: string | null
  readonly diff: string | null
  readonly stats: JsonRecord
  /** The member as received, hunks included. */
  readonly raw: JsonRecord
}

/** Reads the change from a result; null if there is none. */
export function changeOf(result: CallToolResult): ChangeFacts | null {
  const raw = own(result.meta, CHANGE_META)
  if (!isRecord(raw) || textOf(raw['id']) === '') return null
  return {
    id: textOf(raw['id']),
    tool: textOf(raw['tool']),
    paths: textsOf(raw['paths']),
    intent: textOf(raw['intent']),
    applied: raw['applied'] === true,
    waits: isRecord(own(result.meta, DRAFT_META)),
    draft: textOf(recordOf(own(result.meta, DRAFT_META))['id']) || null,
    version: numberOf(raw['version']),
    expiresAt: textOf(raw['expires_at']) || null,
    review: uriOf(raw['review']),
    diff: uriOf(raw['diff']),
    stats: recordOf(raw['stats']),
    raw,
  }
}

const uriOf = (value: unknown) => (textOf(value).startsWith('ui://') ? textOf(value) : null)

/** Whether a resource is an application: an HTML page of its own, tied to no call. */
export function isApplication({ annotations, mimeType }: Resource): boolean {
  const isTagged = textOf(annotations['type']).toLowerCase() === 'application'
  return isTagged && (mimeType ?? '').startsWith('text/html')
}

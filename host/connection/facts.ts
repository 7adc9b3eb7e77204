/**
 * Facts about a tool: what it says of itself beside its schema, read from `_meta["dev.edgewise/tool"]`
 * or, where a client has kept them, from its annotations.
 *
 * Facts are claims of the server. They can make a host more careful and never less: a hint that
 * cannot be understood counts as the strictest. `test/host/connection-facts.test.ts` is the table.
 *
 * @module
 */

import { renderIntent, type RenderedIntent } from '#core/intent/render.ts'
import { parseIntent, type Template } from '#core/intent/template.ts'
import { isRecord, own, recordOf, type JsonRecord } from '#core/json.ts'
import { visibilityOf, type Visibility } from '#core/visibility.ts'
import { CHANGE_META, TOOL_META } from '#core/wire.ts'
import type { Attention, CallFacts } from '../consent/types.ts'
import { numberOf, textOf, textsOf } from './read.ts'
import type { CallToolResult, Resource, Tool } from './types.ts'

/** What a host needs to know of a tool before it is called. */
export interface ToolFacts {
  readonly intentTemplate: string | null
  /** The hint, with the default where the server gives none. */
  readonly hint: Attention
  readonly preview: boolean
  readonly scopes: readonly string[]
  /** Scopes that it may need, known only when it runs. */
  readonly dynamicScopes: readonly string[]
  readonly group: string | null
  readonly priority: number | null
  readonly ui: { readonly resourceUri: string } | null
  readonly visibility: Visibility
  readonly readOnly: boolean
  readonly destructive: boolean
  readonly idempotent: boolean
  readonly openWorld: boolean
}

/** Scopes that a tool may name. */
const MAX_SCOPES = 50

const ATTENTIONS: readonly Attention[] = ['none', 'notify', 'review', 'confirm']

const isAttention = (value: unknown): value is Attention =>
  ATTENTIONS.some((attention) => attention === value)

export function factsOf(tool: Tool): ToolFacts {
  const { annotations, meta } = tool
  const told = recordOf(own(meta, TOOL_META))
  const fact = (name: string) => own(told, name) ?? own(annotations, name)
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
  }
}

/** The default is `confirm`, and `none` for a tool that only reads. */
function hintOf(hint: unknown, consequential: boolean, readOnly: boolean): Attention {
  if (consequential) return 'confirm'
  if (hint === undefined || hint === null) return readOnly ? 'none' : 'confirm'
  return isAttention(hint) ? hint : 'confirm'
}

/** The view of a tool, under its name of today and of yesterday. Only the server's own will do. */
function uiOf(meta: JsonRecord): { resourceUri: string } | null {
  const uri = textOf(recordOf(meta['ui'])['resourceUri']) || textOf(meta['ui/resourceUri'])
  return uri.startsWith('ui://') ? { resourceUri: uri } : null
}

/** What a call of the tool will do, in a sentence; without a template, what the tool does. */
export function intentOf(tool: Tool, args: unknown): RenderedIntent {
  const template = templateOf(factsOf(tool).intentTemplate)
  if (template) {
    const intent = renderIntent(template, args)
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
    return null // over the limits; the description has to do
  }
}

export function callFactsOf(tool: Tool, args: unknown): CallFacts {
  const { hint, preview, scopes } = factsOf(tool)
  return { title: tool.title, intent: intentOf(tool, args), hint, preview, scopes }
}

/** What `_meta["dev.edgewise/change"]` says of a change. */
export interface ChangeFacts {
  readonly id: string
  readonly tool: string
  readonly paths: readonly string[]
  readonly intent: string
  readonly applied: boolean
  readonly version: number | null
  readonly expiresAt: string | null
  /** Where the change can be looked at: a page, and a unified diff. */
  readonly review: string | null
  readonly diff: string | null
  readonly stats: JsonRecord
  /** As it came, hunks included. */
  readonly raw: JsonRecord
}

export function changeOf(result: CallToolResult): ChangeFacts | null {
  const raw = own(result.meta, CHANGE_META)
  if (!isRecord(raw) || textOf(raw['id']) === '') return null
  return {
    id: textOf(raw['id']),
    tool: textOf(raw['tool']),
    paths: textsOf(raw['paths']),
    intent: textOf(raw['intent']),
    applied: raw['applied'] === true,
    version: numberOf(raw['version']),
    expiresAt: textOf(raw['expires_at']) || null,
    review: uriOf(raw['review']),
    diff: uriOf(raw['diff']),
    stats: recordOf(raw['stats']),
    raw,
  }
}

const uriOf = (value: unknown) => (textOf(value).startsWith('ui://') ? textOf(value) : null)

/** A resource that is a page of its own, beyond any one call. */
export function isApplication({ annotations, mimeType }: Resource): boolean {
  const isTagged = textOf(annotations['type']).toLowerCase() === 'application'
  return isTagged && (mimeType ?? '').startsWith('text/html')
}

/**
 * Stored decisions of the user, which answer later questions.
 *
 * A decision belongs to one server, in every spelling of its address. A denial holds for each way to its workspace,
 * which session links are too. A decision for the session lives as long as the page; one for always
 * is stored in `localStorage` for 90 days. If nothing can be stored, all of them end with the page.
 * Stored data is untrusted input. `test/host/consent/stored-decisions.test.ts` covers it.
 *
 * @module
 */

import { promptOptions, type Remembered } from './decide.ts'
import { recordOf } from '#core/json.ts'
import { describeScope } from '#core/intent/words.ts'
import { covers, readScope, type Scope } from '#core/scope.ts'
import { endpointKey, workspaceKey } from '../mcp/workspace-address.ts'
import { openLocalStorage, readList, writeList } from '../records/storage.ts'
import type { Duration, PromptOption, StoredDecision } from './types.ts'

const KEY = 'edgewise.rules'
const MAX_DECISIONS = 500
const LIFETIME_MS = 90 * 24 * 60 * 60 * 1000

/** A decision to store. */
export interface Decision {
  /** The server's URL. */
  readonly server: string
  readonly decision: 'allow' | 'deny'
  readonly scopes: readonly string[]
  readonly duration: Duration
}

/** The decisions of all servers. */
export interface DecisionStore {
  /** Stores a decision, unless it is for one call only. */
  remember(decision: Decision): void
  /** Returns a server's decisions in the form that `decide.ts` takes. */
  decisionsFor(server: string): Remembered
  /** Lists the decisions of one server, or of all, newest first. */
  list(server?: string): readonly StoredDecision[]
  forget(id: string): void
  forgetAll(server?: string): void
  /** Adds a listener for any change; returns the function that removes it. */
  onChange(listener: () => void): () => void
}

/** Options of {@link createDecisions}. */
export interface DecisionOptions {
  /** Where decisions for always are stored: `localStorage` by default, null for nowhere. */
  readonly storage?: Storage | null
  /** The current time in milliseconds since 1970. */
  readonly now?: () => number
}

/** Opens the stored decisions. */
export function createDecisions({ storage, now = Date.now }: DecisionOptions = {}): DecisionStore {
  const store = storage === undefined ? openLocalStorage() : storage
  const listeners = new Set<() => void>()
  let inMemory: readonly StoredDecision[] = []

  const stored = () => readList(store, KEY, MAX_DECISIONS).filter(isStoredDecision)
  const isAlive = ({ expiresAt }: StoredDecision) => expiresAt === null || expiresAt > now()
  const all = () => [...inMemory, ...stored()].filter(isAlive)

  function replace(decisions: readonly StoredDecision[]): void {
    const newest = [...decisions].toSorted(newestFirst).slice(0, MAX_DECISIONS)
    const lasting = newest.filter(({ duration }) => duration === 'always')
    // Decisions that cannot be stored are kept as long as the page.
    const isStored = writeList(store, KEY, lasting)
    inMemory = isStored ? newest.filter(({ duration }) => duration === 'session') : newest
    for (const listener of [...listeners]) listener()
  }

  function remember({ server, decision, scopes, duration }: Decision): void {
    if (duration === 'call' || scopes.length === 0) return
    const madeAt = now()
    const expiresAt = duration === 'always' ? madeAt + LIFETIME_MS : null
    const added = scopes.map((scope): StoredDecision => {
      return { id: crypto.randomUUID(), server, decision, scope, duration, madeAt, expiresAt }
    })
    // A later decision replaces an earlier one on the same scope.
    const rest = all().filter((one) => !isOf(one, server) || !scopes.includes(one.scope))
    replace([...added, ...rest])
  }

  function decisionsFor(server: string): Remembered {
    const scopesOf = (decision: StoredDecision['decision'], key: (address: string) => string) =>
      all()
        .filter((one) => one.decision === decision && key(one.server) === key(server))
        .flatMap(({ scope }) => toScopes(scope))
    return { allow: scopesOf('allow', endpointKey), deny: scopesOf('deny', workspaceKey) }
  }

  return {
    remember,
    decisionsFor,
    list: (server) =>
      all()
        .filter((one) => isOf(one, server))
        .toSorted(newestFirst),
    forget: (id) => replace(all().filter((one) => one.id !== id)),
    forgetAll: (server) => replace(all().filter((one) => !isOf(one, server))),
    onChange(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

/** Whether a decision was made for a server. */
const isOf = (one: StoredDecision, server: string | undefined) =>
  server === undefined || endpointKey(one.server) === endpointKey(server)

const newestFirst = (a: StoredDecision, b: StoredDecision) => b.madeAt - a.madeAt

/** Returns the scope for a tool itself, independent of what a call touches. */
export const toolScope = (tool: string) => `tool:${tool}`

/** Whether a scope is for a tool itself. Only this browser knows these scopes. */
export const isToolScope = ({ words: [action] }: Scope) => action === 'tool'

/** Lists the choices of a scope prompt, from wide to narrow; the tool itself if it names no scope. */
export function buildScopeOptions(tool: string, scopes: readonly string[]): PromptOption[] {
  const wanted = scopes.flatMap(toScopes)
  if (wanted.length === 0)
    return [{ scope: toolScope(tool), label: `Use ${tool}`, enough: true, suggested: true }]
  const options = promptOptions(tool, wanted).map((scope) => {
    const enough = wanted.every((one) => toScopes(scope).some((held) => covers(held, one)))
    return { scope, label: startSentence(describeScope(scope)), enough }
  })
  const narrowest = options.findLast(({ enough }) => enough)
  return options.map((option) => ({ ...option, suggested: option === narrowest }))
}

const startSentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`

/** Parses a scope; empty if it is invalid. */
export function toScopes(text: string): Scope[] {
  const scope = readScope(text)
  return scope.ok ? [scope.value] : []
}

function isStoredDecision(value: unknown): value is StoredDecision {
  const { id, server, decision, scope, duration, madeAt, expiresAt } = recordOf(value)
  return (
    [id, server, scope].every((text) => typeof text === 'string') &&
    (decision === 'allow' || decision === 'deny') &&
    duration === 'always' &&
    typeof madeAt === 'number' &&
    typeof expiresAt === 'number'
  )
}

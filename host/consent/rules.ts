/**
 * Rules: stored decisions of the user, which answer later questions.
 *
 * A rule belongs to one server, in every spelling of its address. A denial holds for each way to its workspace,
 * which session links are too. A rule for the session lives as long as the page; a rule for always
 * is stored in `localStorage` for 90 days. If nothing can be stored, all rules end with the page.
 * Stored data is untrusted input. `test/host/consent/rules.test.ts` covers it.
 *
 * @module
 */

import { promptOptions, type Remembered } from './decide.ts'
import { recordOf } from '#core/json.ts'
import { describeScope } from '#core/intent/words.ts'
import { covers, readScope, type Scope } from '#core/scope.ts'
import { endpointKey, workspaceKey } from '../mcp/workspace-address.ts'
import { openLocalStorage, readList, writeList } from '../records/storage.ts'
import type { Duration, PromptOption, Rule } from './types.ts'

const KEY = 'edgewise.rules'
const MAX_RULES = 500
const LIFETIME_MS = 90 * 24 * 60 * 60 * 1000

/** A decision to store. */
export interface Decision {
  /** The server's URL. */
  readonly server: string
  readonly decision: 'allow' | 'deny'
  readonly scopes: readonly string[]
  readonly duration: Duration
}

/** The rules of all servers. */
export interface RuleStore {
  /** Stores a decision, unless it is for one call only. */
  remember(decision: Decision): void
  /** Returns a server's decisions in the form that `decide.ts` takes. */
  decisionsFor(server: string): Remembered
  /** Lists the rules of one server, or of all, newest first. */
  list(server?: string): readonly Rule[]
  forget(id: string): void
  forgetAll(server?: string): void
  /** Adds a listener for any change; returns the function that removes it. */
  onChange(listener: () => void): () => void
}

/** Options of {@link createRules}. */
export interface RuleOptions {
  /** Where rules for always are stored: `localStorage` by default, null for nowhere. */
  readonly storage?: Storage | null
  /** The current time in milliseconds since 1970. */
  readonly now?: () => number
}

/** Opens the stored rules. */
export function createRules({ storage, now = Date.now }: RuleOptions = {}): RuleStore {
  const store = storage === undefined ? openLocalStorage() : storage
  const listeners = new Set<() => void>()
  let inMemory: readonly Rule[] = []

  const stored = () => readList(store, KEY, MAX_RULES).filter(isRule)
  const isAlive = ({ expiresAt }: Rule) => expiresAt === null || expiresAt > now()
  const all = () => [...inMemory, ...stored()].filter(isAlive)

  function replace(rules: readonly Rule[]): void {
    const newest = [...rules].toSorted(newestFirst).slice(0, MAX_RULES)
    const lasting = newest.filter(({ duration }) => duration === 'always')
    // Rules that cannot be stored are kept as long as the page.
    const isStored = writeList(store, KEY, lasting)
    inMemory = isStored ? newest.filter(({ duration }) => duration === 'session') : newest
    for (const listener of [...listeners]) listener()
  }

  function remember({ server, decision, scopes, duration }: Decision): void {
    if (duration === 'call' || scopes.length === 0) return
    const madeAt = now()
    const expiresAt = duration === 'always' ? madeAt + LIFETIME_MS : null
    const added = scopes.map((scope): Rule => {
      return { id: crypto.randomUUID(), server, decision, scope, duration, madeAt, expiresAt }
    })
    // A later decision replaces an earlier one on the same scope.
    const rest = all().filter((rule) => !isOf(rule, server) || !scopes.includes(rule.scope))
    replace([...added, ...rest])
  }

  function decisionsFor(server: string): Remembered {
    const scopesOf = (decision: Rule['decision'], key: (address: string) => string) =>
      all()
        .filter((rule) => rule.decision === decision && key(rule.server) === key(server))
        .flatMap(({ scope }) => toScopes(scope))
    return { allow: scopesOf('allow', endpointKey), deny: scopesOf('deny', workspaceKey) }
  }

  return {
    remember,
    decisionsFor,
    list: (server) =>
      all()
        .filter((rule) => isOf(rule, server))
        .toSorted(newestFirst),
    forget: (id) => replace(all().filter((rule) => rule.id !== id)),
    forgetAll: (server) => replace(all().filter((rule) => !isOf(rule, server))),
    onChange(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

/** Whether a rule was made for a server. */
const isOf = (rule: Rule, server: string | undefined) =>
  server === undefined || endpointKey(rule.server) === endpointKey(server)

const newestFirst = (a: Rule, b: Rule) => b.madeAt - a.madeAt

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

function isRule(value: unknown): value is Rule {
  const { id, server, decision, scope, duration, madeAt, expiresAt } = recordOf(value)
  return (
    [id, server, scope].every((text) => typeof text === 'string') &&
    (decision === 'allow' || decision === 'deny') &&
    duration === 'always' &&
    typeof madeAt === 'number' &&
    typeof expiresAt === 'number'
  )
}

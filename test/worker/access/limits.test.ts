/** The limits of the access of one request: at the limit it works, and one beyond it is refused or cut. */

import { MAX_RULE_WORDS, ruleCaches } from '#core/cache-budget.ts'
import { DEFAULT_CONFIG } from '#core/config.ts'
import { parsePath } from '#core/path.ts'
import { ownerAccess } from '#worker/access/access.ts'
import { viewHistory } from '#worker/access/history-view.ts'
import {
  MAX_CACHED_RULES,
  MAX_CACHED_RULES_LENGTH,
  MAX_EXAMINED_CHANGES,
  MAX_EXAMINED_PATHS,
  MAX_SCOPES,
} from '#worker/access/limits.ts'
import { rememberParsed } from '#worker/access/parse-cache.ts'
import type { AppliedChange, ChangeRecord, ChangesQuery } from '#worker/store/store.ts'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { freshWorkspace } from '../../support/worker/client.ts'
import { withToolContext } from '../../support/worker/tool-context.ts'

const scopes = (count: number) =>
  Array.from({ length: count }, (_, index) => `write:file:/other/${index}`)

it.each(['granted_scopes', 'allowed_scopes', 'denied_scopes'])(
  'a request has at most MAX_SCOPES in %s',
  async (key) => {
    const workspace = freshWorkspace()
    const write = (count: number) =>
      workspace.call('write_file', { path: '/a', content: String(count) }, { [key]: scopes(count) })
    expect((await write(MAX_SCOPES)).result).toMatchObject({ structuredContent: { version: 1 } })
    const { error } = await write(MAX_SCOPES + 1)
    expect(error).toMatchObject({ code: -32602, message: expect.stringContaining('_scopes') })
    expect(await workspace.text('read_file', { path: '/a' })).toBe(`1: ${MAX_SCOPES}`)
  },
)

/** A page of the history of a session, whose only change is the oldest of `total`. */
const pageOf = (total: number, before?: number) =>
  withToolContext({}, async ({ store }) => {
    const record = (version: number): ChangeRecord => ({
      id: String(version),
      tool: 'delegate',
      intent: '',
      version,
      at: 0,
      approval: null,
      actor: { principal: 'owner', session: version === 1 ? 'own' : 'other', label: null },
    })
    const listChanges = ({ before: end = total + 1, limit }: ChangesQuery) =>
      Array.from({ length: Math.min(limit, end - 1) }, (_, index) => record(end - 1 - index))
    const changesOf = (id: string): AppliedChange[] => [
      { ...record(Number(id)), paths: [], touched: 0, complete: true },
    ]
    const view = viewHistory(
      { ...store, listChanges, changesOf },
      ownerAccess(DEFAULT_CONFIG),
      'own',
    )
    const { changes, next } = view.listChanges({ limit: 1, before })
    return [changes.map(({ version }) => version), next]
  })

it('a page of history is made from MAX_EXAMINED_CHANGES, and the next page continues', async () => {
  expect(await pageOf(MAX_EXAMINED_CHANGES)).toEqual([[1], 1])
  expect(await pageOf(MAX_EXAMINED_CHANGES + 1)).toEqual([[], 2])
  expect(await pageOf(MAX_EXAMINED_CHANGES + 1, 2)).toEqual([[1], null])
})

/** The history of a session with 3 changes of `paths` paths each, and how often a change was looked up. */
const historyOf = (paths: number, idOf: (version: number) => string) =>
  withToolContext({}, async ({ store }) => {
    const change = { tool: 'import', intent: 'Import', at: 0, approval: null, file: null }
    const actor = { principal: 'owner', session: 'other', label: null }
    const all = [3, 2, 1].map((version) => ({ ...change, version, id: idOf(version), actor }))
    const path = parsePath('/a')
    const touched = { paths: Array.from({ length: paths }, () => path), touched: paths }
    const changesOf = vi.fn((id: string): AppliedChange[] =>
      all.filter((one) => one.id === id).map((one) => ({ ...one, ...touched, complete: true })),
    )
    const listChanges = ({ before = 4 }: ChangesQuery) =>
      all.filter(({ version }) => version < before)
    const history = () => all
    const view = viewHistory(
      { ...store, listChanges, changesOf, history },
      ownerAccess(DEFAULT_CONFIG),
      'own',
    )
    const pages: number[][] = []
    for (let before: number | null | undefined; before !== null;) {
      const { changes, next } = view.listChanges({ limit: 10, before: before ?? undefined })
      pages.push(changes.map(({ version }) => version))
      before = next
    }
    const found = changesOf.mock.calls.length
    return { pages, found, intents: view.history(path, 3).map(({ intent }) => intent) }
  })

it('a page of history ends once MAX_EXAMINED_PATHS are examined, and the next page continues', async () => {
  const half = MAX_EXAMINED_PATHS / 2
  const within = await historyOf(half, String)
  expect(within).toMatchObject({ pages: [[3, 2, 1]], intents: ['Import', 'Import', 'Import'] })
  const beyond = await historyOf(half + 1, String)
  expect(beyond).toMatchObject({
    pages: [[3, 2], [1]],
    intents: ['Import', 'Import', 'Change /a'],
  })
})

it('a change in many parts, such as an import, is examined once for a page of history', async () => {
  const { pages, found } = await historyOf(10, () => 'import')
  expect([pages, found]).toEqual([[[3, 2, 1]], 1])
})

describe('parsed rules in memory', () => {
  // Other files of this runtime have filled caches of the same budget, which would empty these in the middle.
  beforeEach(() => ruleCaches.charge({ empty: () => {} }, MAX_RULE_WORDS + 1))

  const counted = () => {
    const parse = vi.fn((_: object, value: unknown) => JSON.stringify(value))
    return { parse, read: rememberParsed(parse) }
  }

  it('are at most MAX_CACHED_RULES, and those beyond are parsed correctly', () => {
    const { parse, read } = counted()
    const key = {}
    const readAll = (count: number) => {
      for (let rule = 0; rule < count; rule++) expect(read(key, rule)).toBe(String(rule))
    }
    readAll(MAX_CACHED_RULES)
    readAll(MAX_CACHED_RULES)
    expect(parse).toHaveBeenCalledTimes(MAX_CACHED_RULES)
    readAll(MAX_CACHED_RULES + 1)
    read(key, 0)
    expect(parse).toHaveBeenCalledTimes(MAX_CACHED_RULES + 2)
  })

  it('are at most MAX_CACHED_RULES_LENGTH long', () => {
    for (const [over, times] of [[0, 1] as const, [1, 2] as const]) {
      const { parse, read } = counted()
      const [key, value] = [{}, 'x'.repeat(MAX_CACHED_RULES_LENGTH - '""'.length + over)]
      expect(read(key, value)).toBe(read(key, value))
      expect(parse).toHaveBeenCalledTimes(times)
    }
  })
})

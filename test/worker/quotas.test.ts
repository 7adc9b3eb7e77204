/**
 * Quotas: what a file, a workspace and its history may come to, by every road that writes. At the edge
 * it works; one step beyond is refused in the same words everywhere and nothing has changed; where
 * room is made, it works again. `PROVED` says of each limit of the Worker where its edge is tried.
 */

import * as limits from '#worker/limits.ts'
import { createAudit, type Audit, type Fate } from '#worker/store/audit.ts'
import { evictDurableObject, runInDurableObject } from 'cloudflare:test'
import { packTar } from 'modern-tar'
import { describe, expect, it } from 'vitest'
import { freshWorkspace, errorOf } from './client.ts'
import { expectWhole } from './invariants.ts'
import { stubOf } from './life.ts'

const PROVED = {
  INLINE_BYTES: 'limits',
  MAX_FILE_BYTES: 'limits',
  MAX_WORKSPACE_BYTES: 'limits',
  MAX_AUDIT: 'quotas',
  MAX_AUDIT_NOTES: 'quotas',
  MAX_AUDIT_NOTES_ALL: 'quotas',
  AUDIT_BATCH: 'quotas',
  AUDIT_BATCH_ALL: 'quotas',
  MAX_AUDIT_ENTRY: 'quotas',
  MAX_AUDIT_SCOPES: 'quotas',
  AUDIT_PATHS: 'quotas',
  MAX_CHANGES: 'old-changes',
  MAX_FILES: 'limits',
  MAX_FOLDERS: 'quotas',
  MAX_EDIT_BYTES: 'limits',
  MAX_SEARCH_FILE_BYTES: 'limits',
  MAX_SEARCH_SCAN_BYTES: 'limits',
  MAX_IMAGE_BYTES: 'limits',
  MAX_RESOURCE_BYTES: 'limits',
  MAX_MESSAGE_BYTES: 'limits',
  MAX_JSON_DEPTH: 'limits',
  HISTORY_VERSIONS: 'limits',
  MAX_DIFF_BYTES: 'limits',
  MAX_DIFF_FILES: 'limits',
  MAX_DIFF_LINES: 'limits',
  MAX_RESULT_HUNKS_LENGTH: 'results',
  MAX_PREVIEW_BYTES: 'large-rows',
  MAX_INTENT_LENGTH: 'large-rows',
  MAX_LISTED_PATHS: 'limits',
  MAX_PREVIEWS: 'limits',
  MAX_WORKSPACE_PREVIEWS: 'budgets',
  MAX_EDITS: 'limits',
  MAX_COPY_ENTRIES: 'copy-file',
  MAX_EDIT_STEPS: 'hostile-text',
  MAX_READ_FILES: 'limits',
  MAX_FIND_LIMIT: 'limits',
  MAX_CURSOR_LENGTH: 'find-cursor',
  MAX_FIND_STEPS: 'limits',
  MAX_SEARCH_MS: 'limits',
  MAX_SEARCH_STEPS: 'hostile-text',
  MAX_GLOBS: 'limits',
  MAX_CONTEXT_LINES: 'limits',
  RESOURCE_PAGE: 'limits',
  FOLDER_PAGE: 'limits',
  MAX_SESSIONS: 'limits',
  MAX_WORKSPACE_SESSIONS: 'budgets',
  MAX_INITIALIZE_BYTES: 'budgets',
  MAX_STORED_METADATA_BYTES: 'budgets',
  MAX_NAME_LENGTH: 'budgets',
  MAX_BATCH: 'batches',
  MAX_DELEGATION_DEPTH: 'limits',
  MAX_DELEGATION_SECONDS: 'limits',
  MAX_REFRESH_RETRY_SECONDS: 'revocation',
  MAX_REFRESH_USES: 'revocation',
  SESSION_IDLE_HOURS: 'limits',
  CALLS_PER_SECOND: 'pace',
  CALLS_AT_ONCE: 'pace',
  MAX_STREAMS: 'budgets',
  MAX_WORKSPACE_STREAMS: 'budgets',
  MAX_STREAM_WAITING_BYTES: 'connections',
  MAX_SUBSCRIPTIONS: 'limits',
  MAX_PRINCIPAL_SUBSCRIPTIONS: 'budgets',
  MAX_TAR_NOTE_BYTES: 'attack-archives',
  MAX_UNPACKED_BYTES: 'attack-archives',
  MAX_UNPACK_RATIO: 'attack-archives',
  MAX_TRANSFER_SECONDS: 'transfer-link',
  SWEEP_GRACE_MS: 'slow-import',
} as const satisfies Record<keyof typeof limits, string>

it('every limit is tried at its edge', () => {
  expect(Object.keys(PROVED).sort()).toEqual(Object.keys(limits).sort())
})

type Workspace = ReturnType<typeof freshWorkspace>

async function configure({ fetch }: Workspace, config: Record<string, unknown>): Promise<void> {
  const answer = await fetch('/config', { method: 'PUT', body: JSON.stringify(config) })
  expect(answer.status, await answer.text()).toBe(200)
}

/** What holds of the files, whatever is indexed by now. */
async function totals({ fetch }: Workspace) {
  const { version, files, bytes } = await (
    await fetch('/status')
  ).json<{ version: number; files: number; bytes: number }>()
  return { version, files, bytes }
}

/** A refusal, as a program and as a person read it; null when it was done. */
interface Refusal {
  readonly code?: unknown
  readonly sentence: string
}

async function toolRefusal(
  workspace: Workspace,
  name: string,
  args: Record<string, unknown>,
  preview = false,
): Promise<Refusal | null> {
  const { result, error } = await workspace.call(name, args, { preview })
  if (!result) throw new Error(error?.message)
  if (!result.isError) return null
  return {
    code: errorOf(result)['code'],
    sentence: (result.content[0]?.text ?? '').replace(/ \[[A-Z_]+\]$/, ''),
  }
}

async function idOf(workspace: Workspace, path: string): Promise<unknown> {
  const { result } = await workspace.call('delete_file', { path })
  return JSON.parse(JSON.stringify(result?._meta['dev.edgewise/change'])).id
}

/** A way to write: what has to be there before, and how so many new bytes come into the workspace. */
interface Road {
  readonly name: string
  readonly prepare?: (workspace: Workspace, bytes: number) => Promise<Record<string, unknown>>
  readonly add: (
    workspace: Workspace,
    bytes: number,
    known: Record<string, unknown>,
  ) => Promise<Refusal | null>
}

const text = (bytes: number) => 'n'.repeat(bytes)

/** Something of that size has been there, and was taken away again. */
async function gone(workspace: Workspace, bytes: number) {
  const { version } = await workspace.put('/gone', text(bytes)).then((body) => Object(body))
  return { version, id: await idOf(workspace, '/gone') }
}

const ROADS: readonly Road[] = [
  {
    name: 'write_file',
    add: (workspace, bytes) =>
      toolRefusal(workspace, 'write_file', { path: 'new', content: text(bytes) }),
  },
  {
    name: 'a preview',
    add: async (workspace, bytes) => {
      const args = { path: 'new', content: text(bytes) }
      const refused = await toolRefusal(workspace, 'write_file', args, true)
      return refused ?? toolRefusal(workspace, 'write_file', args)
    },
  },
  {
    name: 'write_file that appends',
    add: (workspace, bytes) =>
      toolRefusal(workspace, 'write_file', { path: 'seed', content: text(bytes), mode: 'append' }),
  },
  {
    name: 'edit_file',
    add: (workspace, bytes) =>
      toolRefusal(workspace, 'edit_file', {
        path: 'seed',
        edits: [{ find: '\n', replace: `${text(bytes)}\n` }],
      }),
  },
  {
    name: 'write_file, bytes',
    add: (workspace, bytes) =>
      toolRefusal(workspace, 'write_file', { path: 'new', content_base64: btoa(text(bytes)) }),
  },
  {
    name: 'PUT',
    add: async ({ fetch }, bytes) => {
      const answer = await fetch('/files/new', { method: 'PUT', body: text(bytes) })
      const { code, message } = await answer.json<{ code?: string; message: string }>()
      return answer.ok ? null : { code, sentence: message }
    },
  },
  {
    name: 'undo_change',
    prepare: gone,
    add: (workspace, _, { id }) => toolRefusal(workspace, 'undo_change', { id }),
  },
  {
    name: 'restore_file',
    prepare: gone,
    add: (workspace, _, { version }) =>
      toolRefusal(workspace, 'restore_file', { path: 'gone', version }),
  },
]

const IMPORT: Road = {
  name: 'an import',
  add: async ({ fetch }, bytes) => {
    const archive = await packTar([{ header: { name: 'new', size: bytes }, body: text(bytes) }])
    const answer = await fetch('/import', { method: 'POST', body: archive })
    const { error, reasons } = await answer.json<{
      error?: string
      reasons: { reason: string }[]
    }>()
    const said = error ?? reasons[0]?.reason
    return said === undefined ? null : { sentence: said }
  },
}

/** Ten bytes that can be spared, and one that can grow. */
async function prepared(road: Road, bytes: number) {
  const workspace = freshWorkspace()
  const known = (await road.prepare?.(workspace, bytes)) ?? {}
  await workspace.put('/old', '0123456789')
  await workspace.put('/seed', '\n')
  return { workspace, known }
}

describe('the bytes of a workspace', () => {
  const FULL = 'The workspace may hold 20 bytes at most. Delete something first'

  it.each([...ROADS, IMPORT])('have an edge for $name', async (road) => {
    const edge = await prepared(road, 9)
    await configure(edge.workspace, { max_workspace_bytes: 20 })
    expect(await road.add(edge.workspace, 9, edge.known)).toBeNull()
    expect(await totals(edge.workspace)).toMatchObject({ bytes: 20 })

    const { workspace, known } = await prepared(road, 10)
    await configure(workspace, { max_workspace_bytes: 20 })
    const before = await totals(workspace)
    const refused = await road.add(workspace, 10, known)
    expect(refused).toMatchObject({ sentence: FULL })
    if (refused?.code !== undefined) expect(refused.code).toBe('WORKSPACE_FULL')
    expect(await totals(workspace)).toEqual(before)
    await expectWhole(stubOf(workspace))

    await workspace.text('delete_file', { path: 'old' })
    expect(await road.add(workspace, 10, known)).toBeNull()
    expect(await totals(workspace)).toMatchObject({ bytes: 11 })
    await expectWhole(stubOf(workspace))
  })

  it('keep nobody from moving, shrinking and deleting what is there', async () => {
    const workspace = freshWorkspace()
    await workspace.put('/a', '0123456789')
    await configure(workspace, { max_workspace_bytes: 5 })
    await workspace.text('move_file', { from: 'a', to: 'd/b' })
    await workspace.text('write_file', { path: 'd/b', content: '012345678' })
    expect(await workspace.code('write_file', { path: 'd/b', content: '0123456789' })).toBe(
      'WORKSPACE_FULL',
    )
    await workspace.text('delete_file', { path: 'd' })
    await workspace.text('write_file', { path: 'c', content: '01234' })
    expect(await totals(workspace)).toMatchObject({ files: 1, bytes: 5 })
  })
})

describe('the bytes of a file', () => {
  const LARGE = 'A file may have 12 bytes at most'

  /** A file that grows has one byte already. */
  const most = (road: Road) => (/append|edit/.test(road.name) ? 11 : 12)

  it.each(ROADS)('have an edge for $name', async (road) => {
    const edge = await prepared(road, most(road))
    await configure(edge.workspace, { max_file_bytes: 12 })
    expect(await road.add(edge.workspace, most(road), edge.known)).toBeNull()

    const { workspace, known } = await prepared(road, most(road) + 1)
    await configure(workspace, { max_file_bytes: 12 })
    const before = await totals(workspace)
    expect(await road.add(workspace, most(road) + 1, known)).toEqual({
      code: 'FILE_TOO_LARGE',
      sentence: LARGE,
    })
    expect(await totals(workspace)).toEqual(before)
    await expectWhole(stubOf(workspace))

    await configure(workspace, { max_file_bytes: 13 })
    expect(await road.add(workspace, most(road) + 1, known)).toBeNull()
    await expectWhole(stubOf(workspace))
  })

  it('have an edge for an import, which goes on after it', async () => {
    const workspace = freshWorkspace()
    await configure(workspace, { max_file_bytes: 12 })
    expect(await IMPORT.add(workspace, 12, {})).toBeNull()
    expect(await IMPORT.add(workspace, 13, {})).toEqual({ sentence: 'it is larger than 12 bytes' })
    expect(await totals(workspace)).toMatchObject({ files: 1, bytes: 12 })
  })
})

describe('the number of files', () => {
  const FULL = `The workspace may hold ${limits.MAX_FILES} files at most. Delete something first`

  /** Lets a workspace believe that it holds so many more. */
  async function believing({ base }: Workspace, more: number): Promise<void> {
    const stub = stubOf({ base })
    await runInDurableObject(stub, (_, { storage }) => {
      storage.sql.exec('UPDATE changes SET files = files + ?', more)
    })
    await evictDurableObject(stub)
  }

  const makesOne = ({ name }: Road) => !/append|edit/.test(name)

  it.each([...ROADS, IMPORT].filter(makesOne))('has an edge for $name', async (road) => {
    const { workspace, known } = await prepared(road, 3)
    await believing(workspace, limits.MAX_FILES - 2)
    const before = await totals(workspace)
    expect(before.files).toBe(limits.MAX_FILES)
    expect(await road.add(workspace, 3, known)).toMatchObject({ sentence: FULL })
    expect(await totals(workspace)).toEqual(before)
    // Something else may come in its place.
    await workspace.text('delete_file', { path: 'old' })
    expect(await road.add(workspace, 3, known)).toBeNull()
    expect((await totals(workspace)).files).toBe(limits.MAX_FILES)
  })

  it('lets what is there be moved and changed', async () => {
    const { workspace } = await prepared(IMPORT, 0)
    await believing(workspace, limits.MAX_FILES - 2)
    await workspace.text('move_file', { from: 'old', to: 'new' })
    await workspace.text('write_file', { path: 'seed', content: 'more' })
    expect((await totals(workspace)).files).toBe(limits.MAX_FILES)
  })
})

describe('the number of folders', () => {
  const FULL = `The workspace may hold ${limits.MAX_FOLDERS} folders at most. Delete something first`

  /** A workspace with one folder, that believes it holds so many. */
  async function holding(folders: number): Promise<Workspace> {
    const workspace = freshWorkspace()
    await workspace.put('/old/file', 'x')
    await runInDurableObject(stubOf(workspace), (_, { storage }) => {
      storage.sql.exec('UPDATE changes SET folders = ?', folders)
    })
    await evictDurableObject(stubOf(workspace))
    return workspace
  }

  const write = (workspace: Workspace, path: string) =>
    workspace.call('write_file', { path, content: '' })

  it('has an edge, however a folder comes about', async () => {
    const workspace = await holding(limits.MAX_FOLDERS - 1)
    const before = await totals(workspace)
    const over = await write(workspace, 'a/b/file')
    expect(over.result?.content[0]?.text).toContain(FULL)
    expect(errorOf(over.result)['code']).toBe('WORKSPACE_FULL')
    expect(await workspace.code('move_file', { from: 'old', to: 'c/d/old' })).toBe('WORKSPACE_FULL')
    const upload = await workspace.fetch('/files/a/b/file', { method: 'PUT', body: 'x' })
    expect(upload.status).toBe(507)
    expect(await totals(workspace)).toEqual(before)

    expect((await write(workspace, 'a/file')).result?.isError).not.toBe(true)
    expect(await workspace.code('write_file', { path: 'b/file', content: '' })).toBe(
      'WORKSPACE_FULL',
    )
    // Files need none, and what is there may be moved.
    await workspace.text('write_file', { path: 'a/other', content: '' })
    await workspace.text('move_file', { from: 'old', to: 'new' })
    await workspace.text('delete_file', { path: 'new' })
    expect((await write(workspace, 'b/file')).result?.isError).not.toBe(true)
  })
})

describe('the audit', () => {
  interface Entry {
    readonly seq: number
    readonly intent: string
    readonly decision: string
    readonly paths: readonly string[]
    readonly paths_left_out?: number
    readonly scopes_left_out?: number
  }

  const auditOf = async ({ fetch }: Workspace, query = '') =>
    (await (await fetch(`/audit${query}`)).json<{ entries: Entry[] }>()).entries

  it('names so many paths of one change, and counts the others', async () => {
    const workspace = freshWorkspace()
    const importAll = async (names: readonly string[]) => {
      const entries = names.map((name) => ({ header: { name, size: 1 }, body: 'x' }))
      await workspace.fetch('/import', { method: 'POST', body: await packTar(entries) })
      return (await auditOf(workspace))[0]
    }
    const names = Array.from({ length: limits.AUDIT_PATHS + 5 }, (_, at) => `f${at}`)
    const edge = await importAll(names.slice(0, limits.AUDIT_PATHS))
    expect(edge?.paths).toHaveLength(limits.AUDIT_PATHS)
    expect(edge).not.toHaveProperty('paths_left_out')
    const over = await importAll(names)
    expect(over?.paths).toEqual(names.slice(0, limits.AUDIT_PATHS).map((name) => `/${name}`))
    expect(over?.paths_left_out).toBe(5)
  })

  it('names granted scopes of so many characters, and counts the others', async () => {
    const workspace = freshWorkspace()
    /** As a text of JSON and with what separates it from the next, each has 60 characters. */
    const scopes = Array.from({ length: 12 }, (_, at) => `read:file:/${at + 10}`.padEnd(57, 'x'))
    const write = async (granted_scopes: readonly string[]) => {
      await workspace.call('write_file', { path: '/a', content: '' }, { granted_scopes })
      return (await auditOf(workspace))[0]
    }
    const fitting = scopes.slice(0, limits.MAX_AUDIT_SCOPES / 60)
    const edge = await write(fitting)
    expect(edge?.decision).toBe(`configuration; granted ${fitting.join(', ')}`)
    expect(edge).not.toHaveProperty('scopes_left_out')
    const over = await write(scopes)
    expect(over?.decision).toBe(edge?.decision)
    expect(over?.scopes_left_out).toBe(2)
  })

  it('keeps so much of a sentence, as does the history', async () => {
    const workspace = freshWorkspace()
    const scope = (length: number) => 'read:file:/'.padEnd(length, 'x')
    const handOn = async (length: number) => {
      const scopes = [scope(length)]
      await workspace.text('delegate', { label: 'l', scopes })
      return (await auditOf(workspace))[0]?.intent ?? ''
    }
    const rest = (await handOn(12)).length - 12
    const edge = await handOn(limits.MAX_INTENT_LENGTH - rest)
    expect(edge).toHaveLength(limits.MAX_INTENT_LENGTH)
    expect(edge).toMatch(/seconds$/)
    const over = await handOn(limits.MAX_INTENT_LENGTH - rest + 1)
    expect(over).toHaveLength(limits.MAX_INTENT_LENGTH)
    expect(over).toMatch(/secon…$/)
    expect(await workspace.text('list_changes', { limit: 1 })).toContain(over)
  })

  /** The audit of an object, as the object itself opens it. */
  const inside = <T>(workspace: Workspace, work: (audit: Audit, sql: SqlStorage) => T) =>
    runInDurableObject(stubOf(workspace), (_, { storage: { sql } }) => work(createAudit(sql), sql))

  const noteOf = (principal: string, intent = '', outcome: Fate = 'refused') => ({
    ...{ id: '', tool: '', intent, digest: '', decision: '', at: 0, outcome, version: null },
    ...{ actor: { principal, session: null, label: null }, paths: [] },
  })

  it('keeps so many characters of an entry', async () => {
    const workspace = freshWorkspace()
    await workspace.put('/a', '')
    const stored = await inside(workspace, (audit, sql) => {
      const last = 'SELECT entry FROM audit ORDER BY seq DESC LIMIT 1'
      const record = (length: number) => {
        audit.record(noteOf('p', 'x'.repeat(length)))
        return sql.exec<{ entry: string }>(last).one().entry
      }
      const room = limits.MAX_AUDIT_ENTRY - record(0).length
      return [record(room), record(room + 1)]
    })
    expect(stored.map(({ length }) => length)).toEqual(Array(2).fill(limits.MAX_AUDIT_ENTRY))
    expect(stored.map((text) => text.includes('…'))).toEqual([false, true])
  })

  /** So many more entries, as if they had been there for long. Nobody looks at their hashes. */
  function fill(sql: SqlStorage, count: number, budget: string): void {
    sql.exec(
      `INSERT INTO audit (seq, at, principal, budget, entry, hash)
         WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < ?)
         SELECT (SELECT head FROM audit_state) + n, 0, '', ${budget}, '{}', '' FROM n`,
      count,
    )
    sql.exec(`DELETE FROM audit_shares;
      INSERT INTO audit_shares SELECT budget, count(*) FROM audit WHERE budget IS NOT NULL GROUP BY 1;
      UPDATE audit_state SET head = (SELECT max(seq) FROM audit),
        applied = (SELECT sum(budget IS NULL) FROM audit), notes = (SELECT count(budget) FROM audit)`)
  }

  const record = (audit: Audit, times: number, ...note: Parameters<typeof noteOf>) => {
    for (let at = 0; at < times; at++) audit.record(noteOf(...note))
  }

  const countOf = (sql: SqlStorage, where: string) =>
    sql.exec<{ count: number }>(`SELECT count(*) AS count FROM audit WHERE ${where}`).one().count

  it('keeps so many refusals of one', async () => {
    const { MAX_AUDIT_NOTES: most, AUDIT_BATCH: batch } = limits
    const workspace = freshWorkspace()
    await workspace.put('/a', '')
    await inside(workspace, (audit, sql) => {
      record(audit, 1, 'other')
      record(audit, most + batch - 1, 'p')
      expect(countOf(sql, `budget = 'p'`)).toBe(most + batch - 1)
      record(audit, 1, 'p', 'newest')
      expect(countOf(sql, `budget = 'p'`)).toBe(most)
      expect(audit.find({ limit: 1 })).toMatchObject([{ intent: 'newest' }])
      expect(audit.check()).toEqual({ entries: most + 2, dropped: batch, broken: null })
    })
  })

  it('keeps so many refusals of all, and takes from who has the most', async () => {
    const { MAX_AUDIT_NOTES_ALL: most, AUDIT_BATCH_ALL: batch, MAX_AUDIT_NOTES: own } = limits
    const workspace = freshWorkspace()
    await workspace.put('/a', '')
    await inside(workspace, (audit, sql) => {
      record(audit, 1, 'other')
      fill(sql, most + batch - 3, `'p' || (n / ${own})`)
      record(audit, 1, 'other')
      expect(countOf(sql, 'budget IS NOT NULL')).toBe(most + batch - 1)
      record(audit, 1, 'other')
      expect(countOf(sql, 'budget IS NOT NULL')).toBe(most)
      expect(countOf(sql, `budget = 'other'`)).toBe(3)
      expect(countOf(sql, 'budget IS NULL AND first_seq IS NULL')).toBe(1)
    })
  })

  it('keeps so many applied entries, and lets the oldest go', async () => {
    const { MAX_AUDIT: most, AUDIT_BATCH_ALL: batch } = limits
    const workspace = freshWorkspace()
    await workspace.put('/a', '')
    await inside(workspace, (audit, sql) => {
      const oldest = () => sql.exec('SELECT seq FROM audit WHERE first_seq IS NULL LIMIT 1').one()
      fill(sql, most + batch - 3, 'NULL')
      record(audit, 1, 'p', '', 'applied')
      expect(countOf(sql, 'budget IS NULL')).toBe(most + batch - 1)
      expect(oldest()).toEqual({ seq: 1 })
      record(audit, 1, 'p', '', 'applied')
      expect(countOf(sql, 'first_seq IS NULL')).toBe(most)
      expect(oldest()).toEqual({ seq: batch + 1 })
    })
  })
})

describe('names and settings', () => {
  const of = (bytes: number) => 'x'.repeat(bytes)

  it.each<[string, Record<string, unknown>, Record<string, unknown>, string]>([
    [
      'write_file',
      { path: of(1_023), content: '' },
      { path: of(1_024), content: '' },
      'INVALID_PATH',
    ],
    ['create_folder', { path: of(1_023) }, { path: of(1_024) }, 'INVALID_PATH'],
    ['delegate', { label: of(200) }, { label: of(201) }, 'INVALID_LABEL'],
    [
      'delegate',
      { label: 'x', scopes: Array(50).fill('read') },
      { label: 'x', scopes: Array(51).fill('read') },
      'INVALID_SCOPES',
    ],
    ['search_files', { pattern: of(1_000) }, { pattern: of(1_001) }, 'INVALID_PATTERN'],
    ['find_files', { pattern: of(1_000) }, { pattern: of(1_001) }, 'INVALID_PATTERN'],
  ])('%s takes so much and no more', async (name, edge, over, code) => {
    const workspace = freshWorkspace()
    expect(await toolRefusal(workspace, name, edge)).toBeNull()
    const before = await totals(workspace)
    expect(await toolRefusal(workspace, name, over)).toMatchObject({ code })
    expect(await totals(workspace)).toEqual(before)
  })

  it('a workspace has a name of 63 characters at most', async () => {
    const { fetch, base } = freshWorkspace()
    const named = (bytes: number) => fetch(`/../${of(bytes)}/status`)
    expect(base).toContain('/w/')
    expect((await named(63)).status).toBe(200)
    const refused = await named(64)
    expect(refused.status).toBe(404)
    expect(await refused.json()).toEqual({
      code: 'INVALID_WORKSPACE',
      message: 'A workspace has a name of a-z, 0-9 and -, 63 characters at most',
    })
  })

  it('a configuration is as long as a message, and what is longer changes nothing', async () => {
    const { fetch } = freshWorkspace()
    const send = (size: number) => {
      const body = JSON.stringify({ find_limit: 7 }).padEnd(size)
      return fetch('/config', { method: 'PUT', body })
    }
    const over = await send(limits.MAX_MESSAGE_BYTES + 1)
    expect(over.status).toBe(400)
    expect(await over.json()).toMatchObject({ code: 'INVALID_CONFIG' })
    expect(await (await fetch('/config')).json()).toMatchObject({ find_limit: 200 })
    expect((await send(limits.MAX_MESSAGE_BYTES)).status).toBe(200)
    expect(await (await fetch('/config')).json()).toMatchObject({ find_limit: 7 })
  })
})

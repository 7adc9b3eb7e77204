/**
 * Quotas: the limits of a file, a workspace and its history, on every route that writes. The limit itself
 * is accepted; one more is refused with the same error everywhere and changes nothing; after
 * a deletion, writes succeed again.
 */

import type { Ground } from '#core/grounds.ts'
import * as limits from '#worker/limits.ts'
import { createAudit, type Audit, type AuditOutcome } from '#worker/audit/audit.ts'
import { evictDurableObject, runInDurableObject } from 'cloudflare:test'
import { packTar } from 'modern-tar'
import { describe, expect, it } from 'vitest'
import { linkOf, type Workspace } from '../../support/worker/attack-link.ts'
import { freshWorkspace, errorOf } from '../../support/worker/client.ts'
import { expectWhole } from '../../support/worker/invariants.ts'
import { stubOf } from '../../support/worker/object-life.ts'

async function configure({ fetch }: Workspace, config: Record<string, unknown>): Promise<void> {
  const answer = await fetch('/config', { method: 'PUT', body: JSON.stringify(config) })
  expect(answer.status, await answer.text()).toBe(200)
}

/** The totals of the files, independent of the index. */
async function totals({ fetch }: Workspace) {
  const { version, files, bytes } = await (
    await fetch('/status')
  ).json<{ version: number; files: number; bytes: number }>()
  return { version, files, bytes }
}

/** A refusal with code and sentence; null after a success. */
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

/** A way to write: its preparation, and how it adds the given number of bytes. */
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

/** Writes and deletes a file of that size, which stays in the history. */
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
    const reason = error ?? reasons[0]?.reason
    return reason === undefined ? null : { sentence: reason }
  },
}

/** A file of ten bytes to delete, and one of a byte to extend. */
async function prepare(road: Road, bytes: number) {
  const workspace = freshWorkspace()
  const known = (await road.prepare?.(workspace, bytes)) ?? {}
  await workspace.put('/old', '0123456789')
  await workspace.put('/seed', '\n')
  return { workspace, known }
}

describe('the bytes of a workspace', () => {
  const FULL = expect.stringContaining(' 20 bytes')

  it.each([
    { scopes: ['read:file:/docs', 'write:file:/docs'] },
    { policy: { roots: [{ path: '/', deny: ['private/**'] }] } },
  ])('are in no refusal of a caller with %j, which may not read all of them', async (wish) => {
    const workspace = freshWorkspace()
    await workspace.put('/private/a', 'x'.repeat(15))
    await configure(workspace, { max_workspace_bytes: 20 })
    const { client } = await linkOf(workspace, wish)
    const write = { path: '/docs/a', content: 'x'.repeat(6) }
    const upload = await linkTo(client, '/docs/a')
    const answers = [
      JSON.stringify((await client.call('write_file', write)).result),
      JSON.stringify((await client.call('write_file', write, { preview: true })).result),
      await (await upload.fetch('/file', { method: 'PUT', body: write.content })).text(),
    ]
    await configure(workspace, { max_workspace_bytes: 20, approval: 'review' })
    answers.push(JSON.stringify((await client.call('write_file', write)).result))
    for (const answer of answers) {
      expect(answer).toContain('WORKSPACE_FULL')
      expect(answer).toContain('the workspace has no room for it')
      expect(answer).not.toMatch(/\b(20|15|5|21) /)
    }
  })

  /** Makes a link that uploads one file. */
  async function linkTo(client: Workspace, path: string): Promise<Workspace> {
    const { result } = await client.call('transfer_link', { path, direction: 'upload' })
    return freshWorkspace(String(result?.structuredContent['url']).replace(/\/file$/, ''))
  }

  it.each([...ROADS, IMPORT])('are limited for $name', async (road) => {
    const edge = await prepare(road, 9)
    await configure(edge.workspace, { max_workspace_bytes: 20 })
    expect(await road.add(edge.workspace, 9, edge.known)).toBeNull()
    expect(await totals(edge.workspace)).toMatchObject({ bytes: 20 })

    const { workspace, known } = await prepare(road, 10)
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

  it('do not prevent moving, shrinking and deleting existing files', async () => {
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
  const LARGE = expect.stringContaining(' 12 bytes')

  /** The size of a file before it grows. */
  const most = (road: Road) => (/append|edit/.test(road.name) ? 11 : 12)

  it.each(ROADS)('are limited for $name', async (road) => {
    const edge = await prepare(road, most(road))
    await configure(edge.workspace, { max_file_bytes: 12 })
    expect(await road.add(edge.workspace, most(road), edge.known)).toBeNull()

    const { workspace, known } = await prepare(road, most(road) + 1)
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

  it('are limited for an import, which continues with the next file', async () => {
    const workspace = freshWorkspace()
    await configure(workspace, { max_file_bytes: 12 })
    expect(await IMPORT.add(workspace, 12, {})).toBeNull()
    expect(await IMPORT.add(workspace, 13, {})).toEqual({ sentence: LARGE })
    expect(await totals(workspace)).toMatchObject({ files: 1, bytes: 12 })
  })
})

describe('the number of files', () => {
  const FULL = expect.stringContaining(` ${limits.MAX_FILES} files`)

  /** Raises the recorded number of files of a workspace. */
  async function raiseFileCount({ base }: Workspace, more: number): Promise<void> {
    const stub = stubOf({ base })
    await runInDurableObject(stub, (_, { storage }) => {
      storage.sql.exec('UPDATE changes SET files = files + ?', more)
    })
    await evictDurableObject(stub)
  }

  const makesOne = ({ name }: Road) => !/append|edit/.test(name)

  it.each([...ROADS, IMPORT].filter(makesOne))('is limited for $name', async (road) => {
    const { workspace, known } = await prepare(road, 3)
    await raiseFileCount(workspace, limits.MAX_FILES - 2)
    const before = await totals(workspace)
    expect(before.files).toBe(limits.MAX_FILES)
    expect(await road.add(workspace, 3, known)).toMatchObject({ sentence: FULL })
    expect(await totals(workspace)).toEqual(before)
    // Another file can take its place.
    await workspace.text('delete_file', { path: 'old' })
    expect(await road.add(workspace, 3, known)).toBeNull()
    expect((await totals(workspace)).files).toBe(limits.MAX_FILES)
  })

  it('does not prevent moving and changing existing files', async () => {
    const { workspace } = await prepare(IMPORT, 0)
    await raiseFileCount(workspace, limits.MAX_FILES - 2)
    await workspace.text('move_file', { from: 'old', to: 'new' })
    await workspace.text('write_file', { path: 'seed', content: 'more' })
    expect((await totals(workspace)).files).toBe(limits.MAX_FILES)
  })
})

describe('the number of folders', () => {
  const FULL = ` ${limits.MAX_FOLDERS} folders`

  /** A workspace with one folder and a changed number of folders. */
  async function createWithFolders(folders: number): Promise<Workspace> {
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

  it('is limited for every way to create a folder', async () => {
    const workspace = await createWithFolders(limits.MAX_FOLDERS - 1)
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
    // Files need no new folder, and existing folders can be moved.
    await workspace.text('write_file', { path: 'a/other', content: '' })
    await workspace.text('move_file', { from: 'old', to: 'new' })
    await workspace.text('delete_file', { path: 'new' })
    expect((await write(workspace, 'b/file')).result?.isError).not.toBe(true)
  })
})

describe('the audit log', () => {
  interface Entry {
    readonly seq: number
    readonly intent: string
    readonly decision: readonly Ground[]
    readonly paths: readonly string[]
    readonly paths_left_out?: number
  }

  const auditOf = async ({ fetch }: Workspace, query = '') =>
    (await (await fetch(`/audit${query}`)).json<{ entries: Entry[] }>()).entries

  it('names a limited number of paths per change, and counts the others', async () => {
    const workspace = freshWorkspace()
    const importAll = async (names: readonly string[]) => {
      const entries = names.map((name) => ({ header: { name, size: 1 }, body: 'x' }))
      await workspace.fetch('/import', { method: 'POST', body: await packTar(entries) })
      return (await auditOf(workspace))[0]
    }
    const names = Array.from({ length: limits.MAX_AUDIT_PATHS + 5 }, (_, at) => `f${at}`)
    const edge = await importAll(names.slice(0, limits.MAX_AUDIT_PATHS))
    expect(edge?.paths).toHaveLength(limits.MAX_AUDIT_PATHS)
    expect(edge).not.toHaveProperty('paths_left_out')
    const over = await importAll(names)
    expect(over?.paths).toEqual(names.slice(0, limits.MAX_AUDIT_PATHS).map((name) => `/${name}`))
    expect(over?.paths_left_out).toBe(5)
  })

  it('names granted scopes up to a number of characters, and counts the others', async () => {
    const workspace = freshWorkspace()
    /** Each takes 60 characters in JSON, with its separator. */
    const scopes = Array.from({ length: 12 }, (_, at) => `read:file:/${at + 10}`.padEnd(57, 'x'))
    const write = async (granted_scopes: readonly string[]) => {
      await workspace.call('write_file', { path: '/a', content: '' }, { granted_scopes })
      return (await auditOf(workspace))[0]
    }
    const fitting = scopes.slice(0, limits.MAX_AUDIT_SCOPES / 60)
    const edge = await write(fitting)
    const configuration = { kind: 'configuration' }
    expect(edge?.decision).toEqual([configuration, { kind: 'grant', scopes: fitting }])
    const over = await write(scopes)
    expect(over?.decision).toEqual([configuration, { kind: 'grant', scopes: fitting, left_out: 2 }])
  })

  it('keeps an intent up to a maximum length, as does the history', async () => {
    const workspace = freshWorkspace()
    const scope = (length: number) => 'read:file:/'.padEnd(length, 'x')
    const handOn = async (length: number) => {
      const scopes = [scope(400), scope(400), scope(length)]
      await workspace.text('delegate', { label: 'l', scopes })
      return (await auditOf(workspace))[0]?.intent ?? ''
    }
    const rest = (await handOn(12)).length - 12
    const edge = await handOn(limits.MAX_INTENT_LENGTH - rest)
    expect(edge).toHaveLength(limits.MAX_INTENT_LENGTH)
    expect(edge).toMatch(/for 1 hour$/)
    const over = await handOn(limits.MAX_INTENT_LENGTH - rest + 1)
    expect(over).toHaveLength(limits.MAX_INTENT_LENGTH)
    expect(over).toMatch(/for 1 ho…$/)
    expect(await workspace.text('list_changes', { limit: 1 })).toContain(over)
  })

  /** The audit of an object, as the object itself opens it. */
  const inside = <T>(workspace: Workspace, work: (audit: Audit, sql: SqlStorage) => T) =>
    runInDurableObject(stubOf(workspace), (_, { storage }) =>
      work(createAudit(storage), storage.sql),
    )

  const noteOf = (principal: string, intent = '', outcome: AuditOutcome = 'refused') => ({
    ...{ id: '', tool: '', intent, digest: '', decision: [], at: 0, outcome, version: null },
    ...{ actor: { principal, session: null, label: null }, paths: [] },
  })

  it('keeps a limited number of characters per entry', async () => {
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

  const LOG = `(SELECT seq, budget, first_seq FROM audit
    UNION ALL SELECT seq, NULL, NULL FROM changes WHERE entry IS NOT NULL)`

  /** Inserts old entries, with invalid hashes. */
  function fill(sql: SqlStorage, count: number, budget: string): void {
    sql.exec(
      `INSERT INTO audit (seq, at, principal, budget, entry, hash)
         WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < ?)
         SELECT (SELECT max(seq) FROM ${LOG}) + n, 0, '', ${budget}, '{}', '' FROM n`,
      count,
    )
    sql.exec(`UPDATE audit_state SET (head, applied, notes) =
        (SELECT max(seq), sum(budget IS NULL), count(budget) FROM ${LOG})`)
  }

  const record = (audit: Audit, times: number, ...note: Parameters<typeof noteOf>) => {
    for (let at = 0; at < times; at++) audit.record(noteOf(...note))
  }

  const countOf = (sql: SqlStorage, where: string) =>
    sql.exec<{ count: number }>(`SELECT count(*) AS count FROM ${LOG} WHERE ${where}`).one().count

  it('keeps a limited number of refusals per principal', async () => {
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

  it('keeps a limited number of refusals in total, and drops from the largest share', async () => {
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

  it('keeps a limited number of applied entries, and drops the oldest of the largest share', async () => {
    const { MAX_AUDIT: most, AUDIT_BATCH_ALL: batch } = limits
    const workspace = freshWorkspace()
    await workspace.put('/a', '')
    await inside(workspace, (audit, sql) => {
      const oldest = () =>
        sql
          .exec<{ seq: number }>(
            `SELECT seq FROM ${LOG} WHERE first_seq IS NULL ORDER BY seq LIMIT 2`,
          )
          .toArray()
      fill(sql, most + batch - 3, 'NULL')
      record(audit, 1, 'p', '', 'applied')
      expect(countOf(sql, 'budget IS NULL')).toBe(most + batch - 1)
      expect(oldest()).toEqual([{ seq: 1 }, { seq: 2 }])
      record(audit, 1, 'p', '', 'applied')
      expect(countOf(sql, 'first_seq IS NULL')).toBe(most)
      // The first is of another principal, and the only one that it has.
      expect(oldest()).toEqual([{ seq: 1 }, { seq: batch + 2 }])
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
  ])('%s has a maximum length', async (name, edge, over, code) => {
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
      message: expect.stringContaining('63'),
    })
  })

  it('a configuration may be as long as a message, and a longer one changes nothing', async () => {
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

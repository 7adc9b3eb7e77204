/** Documents in a workspace: read, searched, compared, refused, and kept by their content. */

import { describe, expect, it } from 'vitest'
import { parsePath, ROOT } from '#core/path.ts'
import { createSearch } from '#worker/search/search.ts'
import type { Extracted } from '#worker/texts/document.ts'
import { MAX_KEPT_TEXT, MAX_SEARCH_EXTRACTED } from '#worker/texts/limits.ts'
import { toBase64 } from '#worker/encoding/base64.ts'
import { createBlobs } from '#worker/store/content/blobs.ts'
import { createR2Objects } from '#worker/store/content/objects.ts'
import { openTables } from '#worker/store/open/opening.ts'
import { createSqliteStore, type SqliteStore } from '#worker/store/open/sqlite.ts'
import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { errorOf, freshWorkspace } from '../../support/worker/client.ts'
import {
  docxParts,
  makeArchive,
  makePdf,
  odfParts,
  pageOf,
  paragraph,
} from '../../support/worker/make-archive.ts'
import { withToolContext } from '../../support/worker/tool-context.ts'
import { newStub } from '../../support/worker/object-life.ts'
import { act } from '../../support/worker/store-contract.ts'

const docx = async (...lines: readonly string[]) =>
  makeArchive(docxParts(lines.map(paragraph).join('')))

const pdf = (...pages: readonly string[]) =>
  makePdf(pages.map((page) => ({ data: pageOf(...page.split('\n')) })))

type Workspace = ReturnType<typeof freshWorkspace>

async function textOf({ call }: Workspace, name: string, args: Record<string, unknown>) {
  const { result } = await call(name, args)
  const [block] = result?.content ?? []
  if (block?.type !== 'text') throw new Error(JSON.stringify(result))
  return { text: block.text ?? '', structured: result?.structuredContent ?? {} }
}

const read = (workspace: Workspace, args: Record<string, unknown>) =>
  textOf(workspace, 'read_file', args)

describe('reading', () => {
  it('shows the lines of a document, and says what it is', async () => {
    const workspace = freshWorkspace()
    await workspace.put('/a.docx', await docx('one', 'two'))
    const { text, structured } = await read(workspace, { path: 'a.docx' })
    expect(text).toBe(
      '1: one\n2: two\n(version 1; text of a document (docx), which edits cannot change)',
    )
    expect(structured).toMatchObject({ content: '1: one\n2: two', format: 'docx', pages: 1 })
  })

  it('reads a page, whose lines are those of the document', async () => {
    const workspace = freshWorkspace()
    await workspace.put('/a.pdf', pdf('one', 'two\nthree', 'four'))
    const page = await read(workspace, { path: 'a.pdf', page: 2 })
    expect(page.structured).toMatchObject({
      content: '3: [page 2]\n4: two\n5: three',
      start_line: 3,
      next_start_line: 6,
      format: 'pdf',
      pages: 3,
    })
    const cut = await read(workspace, { path: 'a.pdf', page: 2, limit: 1 })
    expect(cut.structured).toMatchObject({ content: '3: [page 2]', next_start_line: 4 })
    const rest = await read(workspace, { path: 'a.pdf', page: 2, start_line: 4 })
    expect(rest.structured).toMatchObject({ content: '4: two\n5: three' })
    const last = await read(workspace, { path: 'a.pdf', page: 3 })
    expect(last.structured).toMatchObject({ content: '6: [page 3]\n7: four' })
  })

  it('refuses a page that there is none of', async () => {
    const workspace = freshWorkspace()
    await workspace.put('/a.pdf', pdf('one', 'two'))
    await workspace.put('/a.txt', 'text')
    const codeOf = async (args: Record<string, unknown>) =>
      errorOf((await workspace.call('read_file', args)).result)?.code
    expect(await codeOf({ path: 'a.pdf', page: 3 })).toBe('INVALID_PAGE')
    expect(await codeOf({ path: 'a.txt', page: 2 })).toBe('INVALID_PAGE')
    expect((await read(workspace, { path: 'a.txt', page: 1 })).text).toContain('1: text')
    expect(await codeOf({ path: 'a.pdf', page: 1, encoding: 'base64' })).toBe('INVALID_PAGE')
  })

  it('reads text formats as they are, and as readable text by page', async () => {
    const workspace = freshWorkspace()
    await workspace.put('/a.html', '<p>one &amp; two</p>')
    expect((await read(workspace, { path: 'a.html' })).structured).toMatchObject({
      content: '1: <p>one &amp; two</p>',
    })
    expect((await read(workspace, { path: 'a.html', page: 1 })).structured).toMatchObject({
      content: '1: one & two',
      format: 'html',
    })
  })

  it('tells why a document has no text, each time', async () => {
    const workspace = freshWorkspace()
    const manifest = { name: 'META-INF/manifest.xml', content: '<m><encryption-data/></m>' }
    await workspace.put('/a.odt', await makeArchive([...odfParts('text', ''), manifest]))
    await workspace.put('/a.pdf', makePdf([{ data: '0 0 9 9 re f' }]))
    const damaged = await docx('one')
    await workspace.put('/a.docx', damaged.slice(0, damaged.length - 40))
    for (const [path, code] of [
      ['a.odt', 'DOCUMENT_ENCRYPTED'],
      ['a.odt', 'DOCUMENT_ENCRYPTED'],
      ['a.pdf', 'DOCUMENT_SCANNED'],
      ['a.docx', 'DOCUMENT_BROKEN'],
    ]) {
      const { result } = await workspace.call('read_file', { path })
      expect(errorOf(result)).toMatchObject({ code })
    }
    const { result } = await workspace.call('read_multiple_files', { paths: ['a.pdf'] })
    expect(result?.structuredContent).toMatchObject({ files: [{ code: 'DOCUMENT_SCANNED' }] })
  })
})

describe('changing', () => {
  it('refuses an edit with what to do instead, and replaces a document by a write', async () => {
    const workspace = freshWorkspace()
    await workspace.put('/a.docx', await docx('one'))
    const edits = [{ find: 'one', replace: 'two' }]
    const edit = await workspace.call('edit_file', { path: 'a.docx', edits })
    expect(errorOf(edit.result)).toMatchObject({ code: 'DOCUMENT_READ_ONLY' })
    const append = { path: 'a.docx', content: 'x', mode: 'append' }
    const appended = await workspace.call('write_file', append)
    expect(errorOf(appended.result)).toMatchObject({ code: 'DOCUMENT_READ_ONLY' })
    const content = toBase64(await docx('new'))
    await workspace.call('write_file', { path: 'a.docx', content_base64: content })
    expect((await read(workspace, { path: 'a.docx' })).structured).toMatchObject({
      content: '1: new',
    })
  })
})

describe('searching', () => {
  const search = (workspace: Workspace, pattern: string, more: Record<string, unknown> = {}) =>
    textOf(workspace, 'search_files', { pattern, ...more })

  it('finds lines with the page on which they are', async () => {
    const workspace = freshWorkspace()
    await workspace.put('/a.pdf', pdf('one', 'a needle here\nother\na needle'))
    await workspace.put('/b.docx', await docx('no', 'needle'))
    const { structured } = await search(workspace, 'needle')
    expect(structured).toMatchObject({
      files: [
        { path: 'a.pdf', matches: ['3- [page 2]\n4: a needle here', '6: a needle'] },
        { path: 'b.docx', matches: ['2: needle'] },
      ],
    })
    const one = await search(workspace, 'needle', { root: 'a.pdf' })
    expect(one.structured).toMatchObject({ total_matches: 2 })
  })

  it('names documents that it could not read, and refuses one that is named', async () => {
    const workspace = freshWorkspace()
    await workspace.put('/a.pdf', makePdf([{ data: '0 0 9 9 re f' }]))
    const { text } = await search(workspace, 'needle')
    expect(text).toBe('No matches in what was searched\n(files not searched: 1 not text: a.pdf)')
    const { result } = await workspace.call('search_files', { pattern: 'x', root: 'a.pdf' })
    expect(errorOf(result)).toMatchObject({ code: 'DOCUMENT_SCANNED' })
  })

  // In a context without alarms, which would read them meanwhile.
  it('reads some documents itself, and names those that are still to be read', () =>
    withToolContext({}, async ({ call, store }) => {
      for (let at = 0; at <= MAX_SEARCH_EXTRACTED; at++) {
        const content = await store.hold(await docx(`needle ${at}`))
        const path = parsePath(`/${at}.docx`)
        expect(act(store, { type: 'put', path, content }).ok).toBe(true)
      }
      const find = async () => {
        const reply = await call('search_files', { pattern: 'needle' })
        if (reply.refused) throw new Error('Refused')
        return JSON.stringify(reply.outcome)
      }
      const first = await find()
      expect(first).toContain(`"total_files":${MAX_SEARCH_EXTRACTED},`)
      expect(first).toContain('"skipped":1')
      expect(first).toContain('1 documents still to be read, search again later')
      const next = await find()
      expect(next).toContain(`"total_files":${MAX_SEARCH_EXTRACTED + 1},`)
      expect(next).not.toContain('"skipped"')
    }))
})

/** Runs work on a store that counts what is extracted. */
function withStore(
  extract: (bytes: Uint8Array) => Promise<Extracted>,
  work: (
    store: SqliteStore,
    reopen: () => SqliteStore,
    storage: DurableObjectStorage,
  ) => Promise<void>,
): Promise<void> {
  return runInDurableObject(newStub(), async (_, { storage }) => {
    const objects = createR2Objects(env.FILES, 'documents')
    const open = () =>
      createSqliteStore(storage, objects, () => {}, openTables(storage), { extract })
    await work(open(), open, storage)
  })
}

const TEXT: Extracted = { ok: true, value: { format: 'pdf', text: 'text\n', pages: [1] } }

async function putDocument(store: SqliteStore, path: string, page = 'one') {
  const content = await store.hold(pdf(page))
  expect(content.encoding).toBe('document')
  expect(act(store, { type: 'put', path: parsePath(path), content }).ok).toBe(true)
  const file = store.stat(parsePath(path))
  if (file?.type !== 'file') throw new Error('No file')
  return file
}

describe('keeping', () => {
  it('extracts equal content once, under any names and after the object was opened again', async () => {
    let count = 0
    const extract = async () => {
      count++
      return TEXT
    }
    await withStore(extract, async (store, reopen) => {
      const [one, other] = [await putDocument(store, '/a.pdf'), await putDocument(store, '/b.pdf')]
      const found = await Promise.all([store.documentText(one), store.documentText(other)])
      expect(found).toEqual([TEXT, TEXT])
      expect(await reopen().documentText(one)).toEqual(TEXT)
      expect(count).toBe(1)
    })
  })

  it('extracts again what a store of schema 1 kept, and searches it', async () => {
    let count = 0
    const extract = async () => {
      count++
      return TEXT
    }
    await withStore(extract, async (store, reopen, storage) => {
      const file = await putDocument(store, '/a.pdf')
      await store.documentText(file)
      storage.sql.exec(`
        DROP TABLE text_parts;
        CREATE TABLE text_parts (
          blob INTEGER NOT NULL, part INTEGER NOT NULL, text TEXT NOT NULL, PRIMARY KEY (blob, part)
        ) STRICT, WITHOUT ROWID;
        INSERT INTO text_parts VALUES (${file.blob}, 0, 'text');
        UPDATE meta SET value = 1 WHERE name = 'schema'`)
      const migrated = reopen()
      const search = createSearch(storage, migrated)
      expect([...search.candidates(ROOT, null).files]).toMatchObject([
        { path: '/a.pdf', content: null },
      ])
      expect(await migrated.documentText(file)).toEqual(TEXT)
      expect([...search.candidates(ROOT, null).files]).toMatchObject([{ content: 'text\n' }])
      expect(count).toBe(2)
    })
  })

  it('keeps long texts whole, also with characters of two units', async () => {
    const text = `${'a😀'.repeat(600_000)}\n`
    const long: Extracted = { ok: true, value: { format: 'pdf', text, pages: [1] } }
    await withStore(
      async () => long,
      async (store) => {
        const file = await putDocument(store, '/a.pdf')
        await store.documentText(file)
        const again = await store.documentText(file)
        expect(again?.ok && again.value.text === text).toBe(true)
      },
    )
  })

  it('drops the text of the oldest content beyond MAX_KEPT_TEXT, and reads it again', async () => {
    const read: string[] = []
    const extract = async (bytes: Uint8Array): Promise<Extracted> => {
      const [name = ''] = /(?<=\()\w+(?=\) Tj)/.exec(new TextDecoder('latin1').decode(bytes)) ?? []
      read.push(name)
      return { ok: true, value: { format: 'pdf', text: `${name}\n`, pages: [1] } }
    }
    await withStore(extract, async (store, _, { sql }) => {
      const a = await putDocument(store, '/a.pdf', 'aa')
      const b = await putDocument(store, '/b.pdf', 'bb')
      const c = await putDocument(store, '/c.pdf', 'cc')
      for (const file of [a, b]) await store.documentText(file)
      const fill = "UPDATE meta SET value = value + ? WHERE name = 'kept_text'"
      sql.exec(fill, MAX_KEPT_TEXT - 'aa\nbb\n'.length)
      for (const file of [b, a]) await store.documentText(file)
      expect(read).toEqual(['aa', 'bb'])
      // The text of c takes the place of that of a, which takes that of b.
      for (const file of [c, b, a, c, a]) await store.documentText(file)
      expect(read).toEqual(['aa', 'bb', 'cc', 'aa'])
      await store.documentText(b)
      expect(read).toEqual(['aa', 'bb', 'cc', 'aa', 'bb'])
    })
  })

  it('drops the text with the content', async () => {
    await withStore(
      async () => TEXT,
      async (store, _, { sql }) => {
        const { blob, path } = await putDocument(store, '/a.pdf')
        await store.documentText({ blob, size: 0 })
        const query = 'SELECT (SELECT count(*) FROM texts) + (SELECT count(*) FROM text_parts) AS n'
        expect(sql.exec(query).one()).toEqual({ n: 2 })
        sql.exec('DELETE FROM files')
        sql.exec('DELETE FROM versions')
        createBlobs(sql, () => {}).dropUnnamed([{ blob, path }])
        expect(sql.exec(query).one()).toEqual({ n: 0 })
      },
    )
  })

  it('does not read a document again that ended the object three times', async () => {
    let count = 0
    const never = () => {
      count++
      return new Promise<Extracted>(() => {})
    }
    await withStore(never, async (store, reopen) => {
      const file = await putDocument(store, '/a.pdf')
      for (const opened of [store, reopen(), reopen()]) {
        void opened.documentText(file)
        await scheduler.wait(1)
      }
      expect(await reopen().documentText(file)).toMatchObject({ ok: false, why: 'broken' })
      expect(count).toBe(3)
    })
  })

  it('tries a document again whose content could not be read', async () => {
    let fails = true
    const extract = async () => {
      if (fails) throw new Error('No content')
      return TEXT
    }
    await withStore(extract, async (store) => {
      const file = await putDocument(store, '/a.pdf')
      for (let times = 0; times < 5; times++)
        await expect(store.documentText(file)).rejects.toThrow('No content')
      fails = false
      expect(await store.documentText(file)).toEqual(TEXT)
    })
  })
})

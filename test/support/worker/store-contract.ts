/**
 * The contract of the store, as a suite that every backend runs.
 *
 * `open` gives a fresh workspace; `reopen` gives the same one after its object was evicted.
 *
 * @module
 */

import { isWithin, parsePath } from '#core/path.ts'
import { INLINE_BYTES } from '#worker/limits.ts'
import { STORE_LIMITS } from '#worker/store/limits.ts'
import { rangesWithin } from '#worker/store/path-ranges.ts'
import type { Change, Entry, Store, Step } from '#worker/store/store.ts'
import { describe, expect, it } from 'vitest'

export interface Backend {
  /** Runs with the workspace's store, and once more with `again` after an eviction. */
  readonly use: <T>(work: (store: Store) => Promise<T>) => Promise<T>
  readonly evict: () => Promise<void>
}

const p = parsePath
const bytes = (text: string) => new TextEncoder().encode(text)
export const large = (seed: number) => new Uint8Array(INLINE_BYTES + 1).fill(seed)

/** The principal of the tests' changes. */
export const TESTER = { principal: 'tester', session: null, label: null }

export async function put(store: Store, path: string, content: string | Uint8Array) {
  const held = await store.hold(typeof content === 'string' ? bytes(content) : content)
  return act(store, { type: 'put', path: p(path), content: held })
}

const NOTE = { tool: 'test', intent: 'Test', actor: TESTER, decision: [] }

export function act(store: Store, ...steps: Step[]) {
  return store.apply({ basis: store.totals.version, steps, note: NOTE })
}

/** What a change that must be applied was applied as. */
export function applied(result: ReturnType<Store['apply']>): Change {
  if (!result.ok) throw new Error(result.error.reason)
  return result.value
}

export async function textOf(store: Store, path: string): Promise<string | null> {
  const entry = store.stat(p(path))
  return entry?.type === 'file' ? new TextDecoder().decode(await store.bytes(entry)) : null
}

export function paths(store: Store, folder = '/'): string[] {
  return [...store.walk(p(folder))].map((entry) => entry.path)
}

export function describeStore(name: string, open: () => Promise<Backend>): void {
  describe(`store: ${name}`, () => {
    it('returns null for a missing path', async () => {
      const { use } = await open()
      await use(async (store) => {
        expect(store.stat(p('/a'))).toBeNull()
        expect(store.list(p('/a'), { limit: 10 })).toEqual([])
        expect(store.totals).toEqual({ version: 0, files: 0, folders: 0, bytes: 0 })
      })
    })

    it.each([
      ['inline', 'one'],
      ['large', 'x'.repeat(INLINE_BYTES + 1)],
      ['empty', ''],
    ])('keeps %s content over an eviction', async (_, content) => {
      const { use, evict } = await open()
      await use(async (store) => expect((await put(store, '/a/b', content)).ok).toBe(true))
      await evict()
      await use(async (store) => {
        expect(await textOf(store, '/a/b')).toBe(content)
        expect(store.stat(p('/a'))).toMatchObject({ type: 'folder' })
        expect(store.totals).toEqual({ version: 1, files: 1, folders: 1, bytes: content.length })
      })
    })

    it('streams a range of small and of large content', async () => {
      const { use } = await open()
      await use(async (store) => {
        const content = large(0).map((_, index) => index % 251)
        await put(store, '/small', content.slice(0, 1000))
        await put(store, '/large', content)
        for (const path of ['/small', '/large']) {
          const entry = store.stat(p(path))
          if (entry?.type !== 'file') throw new Error('not a file')
          const stream = await store.stream(entry, { offset: 300, length: 400 })
          const part = new Uint8Array(await new Response(stream).arrayBuffer())
          expect(part, path).toEqual(content.slice(300, 700))
        }
      })
    })

    it('gives every change the next version, and files the version of their last change', async () => {
      const { use } = await open()
      await use(async (store) => {
        await put(store, '/a', 'one')
        await put(store, '/b', 'two')
        const third = await put(store, '/a', 'three')
        expect(third).toMatchObject({ ok: true, value: { version: 3 } })
        expect(store.stat(p('/a'))?.version).toBe(3)
        expect(store.stat(p('/b'))?.version).toBe(2)
      })
    })

    it('applies all steps or none', async () => {
      const { use } = await open()
      await use(async (store) => {
        await put(store, '/a', 'one')
        const content = await store.hold(bytes('two'))
        const refused = act(
          store,
          { type: 'put', path: p('/b'), content },
          { type: 'remove', path: p('/missing') },
        )
        expect(refused).toEqual({ ok: false, error: { reason: 'not_found', path: '/missing' } })
        expect(paths(store)).toEqual(['/a'])
        expect(store.totals.version).toBe(1)
      })
    })

    it('refuses a proposal only if one of its paths changed after its basis', async () => {
      const { use } = await open()
      await use(async (store) => {
        await put(store, '/a/x', 'one')
        await put(store, '/b', 'two')
        const basis = store.totals.version
        await put(store, '/a/x', 'meanwhile')
        const at = (step: Step) => store.apply({ basis, steps: [step], note: NOTE })
        const content = await store.hold(bytes('late'))
        const stale = { ok: false, error: { reason: 'changed_meanwhile' } }
        expect(at({ type: 'put', path: p('/a/x'), content })).toMatchObject(stale)
        expect(at({ type: 'remove', path: p('/a') })).toMatchObject(stale)
        expect(at({ type: 'move', from: p('/a'), to: p('/c') })).toMatchObject(stale)
        expect(at({ type: 'put', path: p('/b'), content })).toMatchObject({ ok: true })
        expect(await textOf(store, '/a/x')).toBe('meanwhile')
      })
    })

    it('never lets a path be a file and a folder', async () => {
      const { use } = await open()
      await use(async (store) => {
        await put(store, '/file', 'one')
        act(store, { type: 'folder', path: p('/folder') })
        expect(await put(store, '/file/x', 'two')).toMatchObject({
          error: { reason: 'not_a_folder' },
        })
        expect(await put(store, '/folder', 'two')).toMatchObject({ error: { reason: 'is_folder' } })
        expect(act(store, { type: 'folder', path: p('/file') })).toMatchObject({ ok: false })
        expect(paths(store)).toEqual(['/file', '/folder'])
      })
    })

    it('removes a folder with everything below it, and nothing else', async () => {
      const { use } = await open()
      await use(async (store) => {
        for (const path of ['/a/1', '/a/b/2', '/a-b', '/a.txt', '/ab/3', '/a0'])
          await put(store, path, path)
        act(store, { type: 'remove', path: p('/a') })
        expect(paths(store)).toEqual(['/a-b', '/a.txt', '/a0', '/ab', '/ab/3'])
        expect(store.totals).toMatchObject({ files: 4, bytes: 4 + 6 + 5 + 3 })
      })
    })

    it('moves a folder with everything below it, also with non-ASCII names', async () => {
      const { use, evict } = await open()
      await use(async (store) => {
        for (const path of ['/𝒳é/1', '/𝒳é/b/2', '/𝒳é-b']) await put(store, path, path)
        act(store, { type: 'move', from: p('/𝒳é'), to: p('/new/place') })
      })
      await evict()
      await use(async (store) => {
        expect(paths(store)).toEqual([
          '/new',
          '/new/place',
          '/new/place/1',
          '/new/place/b',
          '/new/place/b/2',
          '/𝒳é-b',
        ])
        expect(await textOf(store, '/new/place/b/2')).toBe('/𝒳é/b/2')
        expect(store.totals).toMatchObject({ files: 3 })
      })
    })

    it('keeps the executable bit when a file is written over or moved', async () => {
      const { use, evict } = await open()
      const isExecutable = (entry: Entry | null) => entry?.type === 'file' && !!entry.executable
      await use(async (store) => {
        const content = await store.hold(bytes('run'))
        const mode = { executable: true }
        for (const path of ['/d/tool', '/d/other'])
          act(store, { type: 'put', path: p(path), content, ...mode })
        await put(store, '/d/tool', 'run again')
        act(store, { type: 'move', from: p('/d'), to: p('/e') })
        act(store, { type: 'move', from: p('/e/tool'), to: p('/e/moved') })
        act(store, { type: 'put', path: p('/e/other'), content, executable: false })
        await put(store, '/new', 'text')
      })
      await evict()
      await use(async (store) => {
        const now = [...store.walk(p('/'))].filter((entry) => isExecutable(entry))
        expect(now.map(({ path }) => path)).toEqual(['/e/moved'])
        expect(isExecutable(store.open(p('/e/moved')))).toBe(true)
        const states = store.history(p('/e/other'), 9).map(({ file }) => isExecutable(file))
        expect(states).toEqual([false, true])
        expect(store.stateAt(p('/d/tool'), 3)).toMatchObject({ executable: true })
        act(store, { type: 'remove', path: p('/e/moved') })
        await put(store, '/e/moved', 'text')
        expect(isExecutable(store.stat(p('/e/moved')))).toBe(false)
      })
    })

    it('lists a folder in pages, without deeper levels', async () => {
      const { use } = await open()
      await use(async (store) => {
        for (const path of ['/d/a/x/1', '/d/a/y', '/d/a-b', '/d/b', '/d/c/z', '/e'])
          await put(store, path, '')
        const names = (after?: string) =>
          store
            .list(p('/d'), { limit: 2, ...(after && { after: p(after) }) })
            .map((entry) => entry.path)
        expect(names()).toEqual(['/d/a', '/d/a-b'])
        expect(names('/d/a-b')).toEqual(['/d/b', '/d/c'])
        expect(names('/d/c')).toEqual([])
        expect(store.list(p('/'), { limit: 9 }).map((entry) => entry.path)).toEqual(['/d', '/e'])
      })
    })

    it('reads within ranges what a read of everything has there', async () => {
      const { use } = await open()
      await use(async (store) => {
        const all = [
          '/a',
          '/d/a/x/1',
          '/d/a/y',
          '/d/a-b',
          '/d/b',
          '/d/c/z',
          '/d/\u{1f600}',
          '/e/f',
          '/z',
        ]
        for (const path of all) await put(store, path, '')
        act(store, { type: 'remove', path: p('/d/b') })
        const content = await store.hold(bytes('x'))
        const both = act(
          store,
          { type: 'put', path: p('/d/a/y'), content },
          { type: 'put', path: p('/d/a-b'), content },
        )
        const folders = ['/d/a', '/d/c', '/d/\u{1f600}', '/e/f', '/d/b', '/none']
        const within = rangesWithin(folders.map((path) => p(path)))
        const isIn = (path: string) => folders.some((folder) => isWithin(p(path), p(folder)))
        const id = both.ok ? both.value.id : ''
        expect(store.changesOf(id, within)).toEqual([
          { ...store.changesOf(id)[0], paths: ['/d/a/y'], complete: false },
        ])
        for (const folder of ['/', '/d', '/d/a', '/e', '/none'].map((path) => p(path))) {
          const walk = (more = {}) =>
            Array.from(store.walk(folder, { ...more }), (entry) => entry.path)
          const after = p('/d/a/x')
          expect(walk({ within })).toEqual(walk().filter(isIn))
          expect(walk({ within, names: '"d" AND "x"' })).toEqual(walk().filter(isIn))
          if (isWithin(after, folder))
            expect(walk({ within, after })).toEqual(walk({ after }).filter(isIn))
          const list = (more = {}) =>
            store.list(folder, { limit: 9, ...more }).map((entry) => entry.path)
          expect(list({ within })).toEqual(list().filter(isIn))
          expect(list({ within, limit: 1 })).toEqual(list().filter(isIn).slice(0, 1))
          expect(list({ within: [] })).toEqual([])
          const span = { folder, after: 2, until: store.totals.version }
          const changed = (more = {}) => [...store.changedPaths({ ...span, ...more })]
          expect(changed({ within })).toEqual(changed().filter(isIn))
          const query = { path: folder, limit: 99 }
          const touching = store
            .listChanges(query)
            .filter(({ id }) =>
              store
                .changesOf(id)
                .some((change) =>
                  change.paths.some((path) => isIn(path) && isWithin(path, folder)),
                ),
            )
          expect(store.listChanges({ ...query, within })).toEqual(touching)
        }
      })
    })

    it('keeps every state of a path, newest first', async () => {
      const { use } = await open()
      await use(async (store) => {
        await put(store, '/a', 'one')
        await put(store, '/a', 'two')
        act(store, { type: 'remove', path: p('/a') })
        const states = store.history(p('/a'), 10)
        expect(states.map(({ version, file }) => [version, file?.size ?? null])).toEqual([
          [3, null],
          [2, 3],
          [1, 3],
        ])
        const first = states[2]?.file
        if (!first) throw new Error('no first state')
        expect(new TextDecoder().decode(await store.bytes(first))).toBe('one')
      })
    })

    it('distinguishes dropped states from missing ones', async () => {
      const { use, evict } = await open()
      const limits = { ...STORE_LIMITS, versions: 2 }
      await use(async (store) => {
        const write = async (path: string, ...contents: string[]) => {
          const held = await Promise.all(contents.map((content) => store.hold(bytes(content))))
          const steps = held.map((content) => ({ type: 'put', path: p(path), content }) as const)
          return store.apply({ basis: store.totals.version, steps, note: NOTE, limits })
        }
        await write('/other', 'x')
        await write('/a', 'one')
        await write('/a', 'two')
        expect(store.stateAt(p('/a'), 1)).toBeNull()
        expect(store.stateAt(p('/a'), 2)).toMatchObject({ type: 'file', version: 2 })
        // Twice in one change, so that the oldest kept state is written over.
        await write('/a', 'three', 'four')
      })
      await evict()
      await use(async (store) => {
        expect(store.stateAt(p('/a'), 2)).toBe('forgotten')
        expect(store.stateAt(p('/a'), 3)).toMatchObject({ type: 'file', version: 3 })
        expect(store.stateAt(p('/a'), 0)).toBeNull()
        expect(store.stateAt(p('/other'), 0)).toBeNull()
        expect(store.stateAt(p('/missing'), 3)).toBeNull()
        const steps = [{ type: 'move', from: p('/a'), to: p('/b') }] as const
        store.apply({
          basis: 4,
          steps,
          note: NOTE,
          limits: { ...limits, versions: 1 },
        })
        expect(store.stateAt(p('/a'), 4)).toBe('forgotten')
        expect(store.stateAt(p('/a'), 5)).toBeNull()
        expect(store.stateAt(p('/b'), 4)).toBeNull()
      })
    })

    it('reports whether history still has all paths of a change', async () => {
      const { use, evict } = await open()
      const ids: string[] = []
      await use(async (store) => {
        const content = await store.hold(bytes('x'))
        const made = act(
          store,
          { type: 'put', path: p('/d/a'), content },
          { type: 'put', path: p('/d/a'), content },
          { type: 'put', path: p('/d/b'), content },
        )
        const moved = act(store, { type: 'move', from: p('/d'), to: p('/e/f') })
        const nothing = act(store)
        for (const change of [made, moved, nothing]) if (change.ok) ids.push(change.value.id)
      })
      await evict()
      await use(async (store) => {
        const complete = () => ids.map((id) => store.changesOf(id).map((each) => each.complete))
        expect(complete()).toEqual([[true], [true], [true]])
        const content = await store.hold(bytes('y'))
        store.apply({
          basis: 3,
          steps: [{ type: 'put', path: p('/e/f/a'), content }],
          note: NOTE,
          limits: { ...STORE_LIMITS, versions: 1 },
        })
        expect(complete()).toEqual([[true], [false], [true]])
      })
    })

    it('reports the version of a folder: the newest change below it', async () => {
      const { use } = await open()
      await use(async (store) => {
        await put(store, '/a/1', 'one')
        await put(store, '/a/2', 'two')
        await put(store, '/b', 'three')
        expect(store.versionOf(p('/a'))).toBe(2)
        act(store, { type: 'remove', path: p('/a/2') })
        expect(store.versionOf(p('/a'))).toBe(4)
        expect(store.versionOf(p('/missing'))).toBe(0)
      })
    })
  })
}

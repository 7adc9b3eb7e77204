/** Files as resources: stable pages, names in URIs, content and completion, in both eras. */

import { MAX_RESOURCE_BYTES, RESOURCE_PAGE } from '#worker/limits.ts'
import fc from '../../support/core/random.ts'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { toBase64 } from '#worker/encoding/base64.ts'
import { bytesOf, freshWorkspace } from '../../support/worker/client.ts'
import { damagedLog, utf16 } from '../../support/worker/encoded.ts'
import { seed, stubOf } from '../../support/worker/object-life.ts'
import { readEvents } from '../../support/worker/event-stream.ts'

type Workspace = ReturnType<typeof freshWorkspace>

const Listed = z.strictObject({
  uri: z.string(),
  name: z.string(),
  mimeType: z.string(),
  size: z.int(),
  annotations: z.strictObject({ lastModified: z.iso.datetime() }),
})
const Page = z.looseObject({
  resources: z.array(z.looseObject({ uri: z.string() })),
  nextCursor: z.string().optional(),
})
const Failure = z.looseObject({ code: z.int(), message: z.string() })
const Result = z.record(z.string(), z.unknown())

type Listed = z.infer<typeof Listed>

/** A client of either era: sends a request, and returns the result or throws the error. */
type Ask = (method: string, params?: Record<string, unknown>) => Promise<Record<string, unknown>>

class Refused extends Error {
  readonly code: number
  constructor({ code, message }: z.infer<typeof Failure>) {
    super(message)
    this.code = code
  }
}

const modern =
  ({ send }: Workspace): Ask =>
  async (method, params) => {
    const { result, error } = await send(method, params)
    if (error) throw new Refused(Failure.parse(error))
    return { ...result }
  }

const legacy =
  ({ fetch }: Workspace): Ask =>
  async (method, params = {}) => {
    const response = await fetch('/mcp', {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2025-11-25',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    })
    const { result, error } = await readEvents(response).next()
    if (error !== undefined) throw new Refused(Failure.parse(error))
    return Result.parse(result)
  }

const ERAS: [string, (workspace: Workspace) => Ask][] = [
  ['modern', modern],
  ['legacy', legacy],
]

async function page(ask: Ask, cursor?: string) {
  const answer = await ask('resources/list', cursor === undefined ? {} : { cursor })
  const { resources, nextCursor } = Page.parse(answer)
  // The list has the server's views as well; `views.test.ts` is about them.
  const files = resources.filter(({ uri }) => uri.startsWith('file:'))
  return { found: files.map((file) => Listed.parse(file)), next: nextCursor }
}

/** The server's views, the draft and the comments are on the first page and count towards its size. */
const NO_FILES = 4
const FIRST_PAGE = RESOURCE_PAGE - NO_FILES

const namesOf = (found: readonly Listed[]) => found.map(({ name }) => name)

/** Lists all names page by page, and runs a function between two pages. */
async function listAll(ask: Ask, between: () => Promise<unknown> = async () => {}) {
  const pages: string[][] = []
  let cursor: string | undefined
  do {
    const { found, next } = await page(ask, cursor)
    pages.push(namesOf(found))
    cursor = next
    if (cursor !== undefined) await between()
  } while (cursor !== undefined)
  return pages
}

const numbered = (count: number) =>
  Array.from({ length: count }, (_, index) => `f${String(index).padStart(4, '0')}`)

describe.each(ERAS)('pages in the %s era', (_, speak) => {
  it('list every file once, in order, and no folder', async () => {
    const workspace = freshWorkspace()
    const names = [...numbered(2 * RESOURCE_PAGE), 'g/h/deep', 'g-1', 'g.txt', 'ü', '𝒳', '😀']
    await seed(
      stubOf(workspace),
      names.map((name) => `/${name}`),
    )
    const pages = await listAll(speak(workspace))
    expect(pages.map(({ length }) => length)).toEqual([FIRST_PAGE, RESOURCE_PAGE, 6 + NO_FILES])
    // In byte order: `-`, `.` and `/` follow each other.
    const tail = ['g-1', 'g.txt', 'g/h/deep', 'ü', '😀', '𝒳'].sort(byBytes)
    expect(pages.flat()).toEqual([...numbered(2 * RESOURCE_PAGE), ...tail])
  })

  it('stay complete while files are created and deleted', async () => {
    const workspace = freshWorkspace()
    const names = numbered(2 * RESOURCE_PAGE + 10)
    await seed(
      stubOf(workspace),
      names.map((name) => `/${name}`),
    )
    const cursorAt = names[FIRST_PAGE - 1]
    const gone = names.slice(FIRST_PAGE + 5, FIRST_PAGE + 8)
    let first = true
    const pages = await listAll(speak(workspace), async () => {
      if (!first) return
      first = false
      // The file in the cursor, files of both pages, and new ones next to the cursor.
      for (const path of [cursorAt, names[0], ...gone])
        await workspace.text('delete_file', { path })
      for (const path of [`${cursorAt}a`, `${cursorAt}-`, 'a', 'z'])
        await workspace.text('write_file', { path, content: '' })
      await workspace.text('move_file', { from: names[FIRST_PAGE + 1], to: 'b' })
      await workspace.text('move_file', { from: names[1], to: 'zz' })
      await workspace.text('write_file', { path: names[2], content: 'changed' })
    })
    const left = new Set([...gone, names[FIRST_PAGE + 1]])
    expect(pages.flat()).toEqual([
      ...names.slice(0, FIRST_PAGE),
      `${cursorAt}-`,
      `${cursorAt}a`,
      ...names.slice(FIRST_PAGE).filter((name) => !left.has(name)),
      'z',
      'zz',
    ])
  })
})

function byBytes(left: string, right: string): number {
  const [a, b] = [bytesOf(left), bytesOf(right)]
  const at = a.findIndex((byte, index) => byte !== b[index])
  return at === -1 ? a.length - b.length : (a[at] ?? -1) - (b[at] ?? -1)
}

it('pages list each unchanged file exactly once, whatever changes in between', async () => {
  const workspace = freshWorkspace()
  const ask = modern(workspace)
  const names = numbered(3 * RESOURCE_PAGE)
  await seed(
    stubOf(workspace),
    names.map((name) => `/${name}`),
  )
  const here = new Set(names)
  const touched = new Set<string>()
  const name = fc.constantFrom(...names, 'a', 'f0100x', 'f0199x', 'f0399-', 'g')
  const deed = fc.record({ what: fc.constantFrom('write', 'delete', 'move'), name, to: name })

  async function act({ what, name, to }: { what: string; name: string; to: string }) {
    touched.add(name)
    if (what === 'write') {
      await workspace.put(`/${name}`, 'y')
      here.add(name)
    } else if (what === 'delete' && here.delete(name)) {
      await workspace.text('delete_file', { path: name })
    } else if (what === 'move' && here.has(name) && !here.has(to)) {
      touched.add(to)
      await workspace.text('move_file', { from: name, to })
      here.delete(name)
      here.add(to)
    }
  }

  await fc.assert(
    fc.asyncProperty(fc.array(deed, { minLength: 1, maxLength: 8 }), async (deeds) => {
      touched.clear()
      const before = new Set(here)
      const listed = (
        await listAll(ask, async () => {
          for (const each of deeds) await act(each)
        })
      ).flat()
      expect(new Set(listed).size).toBe(listed.length)
      const stayed = [...before].filter((each) => here.has(each) && !touched.has(each))
      expect(stayed.filter((each) => !listed.includes(each))).toEqual([])
      expect(listed.filter((each) => !before.has(each) && !touched.has(each))).toEqual([])
    }),
    { numRuns: 15, interruptAfterTimeLimit: 15_000 },
  )
})

describe.each(ERAS)('a resource in the %s era', (_, speak) => {
  it.each([
    ['a b', 'file:///a%20b'],
    ['ü', 'file:///%C3%BC'],
    ['a#b', 'file:///a%23b'],
    ['a?b', 'file:///a%3Fb'],
    ['100%', 'file:///100%25'],
    ['%20', 'file:///%2520'],
    ['😀/𝒳.txt', 'file:///%F0%9F%98%80/%F0%9D%92%B3.txt'],
    ['a+b&c=d;e:f@g', 'file:///a%2Bb%26c%3Dd%3Be%3Af%40g'],
    ["it's (here)!*~", "file:///it's%20(here)!*~"],
    ['[x]{y}|^`"<>', 'file:///%5Bx%5D%7By%7D%7C%5E%60%22%3C%3E'],
  ])('named %s has the URI %s', async (name, uri) => {
    const workspace = freshWorkspace()
    const ask = speak(workspace)
    await workspace.text('write_file', { path: name, content: name })
    expect((await page(ask)).found).toMatchObject([{ uri, name, size: bytesOf(name).length }])
    const { contents } = await ask('resources/read', { uri })
    expect(contents).toMatchObject([{ uri, text: name }])
  })

  it('is listed with its metadata', async () => {
    const workspace = freshWorkspace()
    await workspace.put('/d/a.ts', 'x')
    const { found } = await page(speak(workspace))
    expect(found).toEqual([
      {
        uri: 'file:///d/a.ts',
        name: 'd/a.ts',
        mimeType: 'text/typescript',
        size: 1,
        annotations: { lastModified: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) },
      },
    ])
    const { lastModified } = found[0]?.annotations ?? {}
    expect(Math.abs(Date.now() - Date.parse(lastModified ?? ''))).toBeLessThan(60_000)
  })

  it.each<[string, Uint8Array, Record<string, string>]>([
    ['text', bytesOf('one\r\ntwo'), { text: 'one\r\ntwo' }],
    ['nothing', bytesOf(''), { text: '' }],
    ['text with a mark', bytesOf('\ufeffone'), { text: '\ufeffone' }],
    ['bytes', new Uint8Array([0xff, 0xfe, 0x00]), { blob: btoa('\xff\xfe\x00') }],
    ['text with a NUL', bytesOf('a\0b'), { blob: btoa('a\0b') }],
    ['UTF-16', utf16('zwölf\n'), { text: 'zwölf\n' }],
  ])('that holds %s', async (_, bytes, content) => {
    const workspace = freshWorkspace()
    await workspace.put('/a', bytes)
    const { contents } = await speak(workspace)('resources/read', { uri: 'file:///a' })
    const mimeType = 'text' in content ? 'text/plain' : 'application/octet-stream'
    expect(contents).toEqual([{ uri: 'file:///a', mimeType, ...content }])
  })

  it('that holds damaged text has its bytes, because no note could say what is damaged', async () => {
    const workspace = freshWorkspace()
    await workspace.put('/a.log', damagedLog(0xe9))
    const { contents } = await speak(workspace)('resources/read', { uri: 'file:///a.log' })
    expect(contents).toMatchObject([{ blob: toBase64(damagedLog(0xe9)) }])
  })

  it('in R2 is complete', async () => {
    const workspace = freshWorkspace()
    const text = 'line\n'.repeat(100_000)
    await workspace.put('/big.log', text)
    const { contents } = await speak(workspace)('resources/read', { uri: 'file:///big.log' })
    expect(contents).toMatchObject([{ text }])
  })

  it('above the size limit names the URL for a download', async () => {
    const workspace = freshWorkspace()
    await workspace.put('/a b', new Uint8Array(MAX_RESOURCE_BYTES + 1))
    const read = speak(workspace)('resources/read', { uri: 'file:///a%20b' })
    await expect(read).rejects.toMatchObject({
      code: -32602,
      message: expect.stringMatching(new RegExp(`${MAX_RESOURCE_BYTES}.*/files/a`)),
    })
  })

  it.each(['file:///missing', 'file:///d', 'file:///', 'file:///%', 'https://a/b', 'd/a'])(
    'with an invalid or unknown URI is not found: %s',
    async (uri) => {
      const workspace = freshWorkspace()
      await workspace.put('/d/a', 'x')
      const read = speak(workspace)('resources/read', { uri })
      await expect(read).rejects.toMatchObject({ message: expect.stringContaining(uri) })
    },
  )

  it('has the media type of its new name after a rename', async () => {
    const workspace = freshWorkspace()
    await workspace.put('/a', 'x')
    await workspace.text('move_file', { from: 'a', to: 'b.json' })
    const { found } = await page(speak(workspace))
    expect(found).toMatchObject([{ mimeType: 'application/json' }])
  })

  it('matches the resource template', async () => {
    const { resourceTemplates } = await speak(freshWorkspace())('resources/templates/list')
    expect(resourceTemplates).toMatchObject([{ uriTemplate: 'file:///{+path}', name: 'file' }])
  })
})

describe.each(ERAS)('completion in the %s era', (_, speak) => {
  async function complete(workspace: Workspace, value: string) {
    const { completion } = await speak(workspace)('completion/complete', {
      ref: { type: 'ref/resource', uri: 'file:///{+path}' },
      argument: { name: 'path', value },
    })
    return completion
  }

  const tree = ['/ab/1', '/ab-c', '/ab.txt', '/abc/d/e', '/b', '/ü/x', '/.hidden']

  it.each([
    ['', ['.hidden', 'ab/', 'ab-c', 'ab.txt', 'abc/', 'b', 'ü/']],
    ['a', ['ab/', 'ab-c', 'ab.txt', 'abc/']],
    ['ab', ['ab/', 'ab-c', 'ab.txt', 'abc/']],
    ['ab.', ['ab.txt']],
    ['ab/', ['ab/1']],
    ['abc', ['abc/']],
    ['abc/d', ['abc/d/']],
    ['abc/d/', ['abc/d/e']],
    ['b', ['b']],
    ['ü', ['ü/']],
    ['u\u0308', ['ü/']],
    ['/a', ['ab/', 'ab-c', 'ab.txt', 'abc/']],
    ['b/', []],
    ['missing', []],
    ['missing/', []],
    ['A', []],
    ['.', ['.hidden']],
    ['.h', ['.hidden']],
    ['abc/.', []],
    ['abc/../.', ['.hidden']],
    ['..', []],
    ['\u0000', []],
    ['x'.repeat(5_000), []],
  ])('completes %j to %j', async (value, values) => {
    const workspace = freshWorkspace()
    await seed(stubOf(workspace), tree)
    expect(await complete(workspace, value)).toEqual({ values, hasMore: false })
  })

  it('returns a hundred values and hasMore', async () => {
    const workspace = freshWorkspace()
    const names = numbered(101)
    await seed(
      stubOf(workspace),
      names.map((name) => `/d/${name}/x`),
    )
    const folders = names.map((name) => `d/${name}/`)
    const first = folders.slice(0, 100)
    expect(await complete(workspace, 'd/')).toMatchObject({ values: first, hasMore: true })
    expect(await complete(workspace, 'd/f')).toMatchObject({ values: first, hasMore: true })
    expect(await complete(workspace, 'd/f00')).toMatchObject({ values: first, hasMore: false })
    expect(await complete(workspace, 'd/f01')).toMatchObject({
      values: folders.slice(100),
      hasMore: false,
    })
  })

  it('returns nothing for a prompt, because there are no prompts', async () => {
    const { completion } = await speak(freshWorkspace())('completion/complete', {
      ref: { type: 'ref/prompt', name: 'none' },
      argument: { name: 'path', value: '' },
    })
    expect(completion).toMatchObject({ values: [] })
  })
})

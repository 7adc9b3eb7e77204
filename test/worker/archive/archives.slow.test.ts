/**
 * Malicious archives: tar slip, tar bombs, decompression bombs. An import writes only below its target folder,
 * reports what it skipped and why, and leaves the workspace consistent.
 */

import { MAX_FILE_BYTES, MAX_TAR_NOTE_BYTES } from '#worker/limits.ts'
import { gunzip } from '#worker/archive/gunzip.ts'
import type { ImportReport } from '#worker/archive/batch.ts'
import { unpackTar } from 'modern-tar'
import { describe, expect, it } from 'vitest'
import { bytesOf, freshWorkspace } from '../../support/worker/client.ts'
import { expectWhole } from '../../support/worker/invariants.ts'
import { stubOf } from '../../support/worker/object-life.ts'
import * as raw from '../../support/worker/raw-tar.ts'
import { withTimeout } from '../../support/worker/with-timeout.ts'

const { END, entry, file, gnu, header, join, pad, pax } = raw

type Workspace = ReturnType<typeof freshWorkspace>

/** Time (ms) after which an import counts as a denial of service. */
const TOO_LONG = 60_000

async function send(workspace: Workspace, body: BodyInit, to = '/in') {
  const sent = workspace.fetch(`/import?to=${to}`, { method: 'POST', body })
  const answer = await withTimeout(sent, TOO_LONG, 'an import')
  return { status: answer.status, report: await answer.json<ImportReport>() }
}

/** All files and folders, from the export. */
async function readTree(workspace: Workspace): Promise<Record<string, string>> {
  const archive = await (await workspace.fetch('/export')).arrayBuffer()
  const found = await unpackTar(new Uint8Array(archive), { strict: true })
  const decoder = new TextDecoder()
  return Object.fromEntries(
    found.map(({ header: { name }, data }) => [name, data ? decoder.decode(data) : '']),
  )
}

/** Files beside the target folder and in it, before the import. */
const KEPT = { '/outside': 'mine', '/in/kept': 'mine' }
const BESIDE = { 'in/': '', 'in/kept': 'mine', outside: 'mine' }

async function target(): Promise<Workspace> {
  const workspace = freshWorkspace()
  for (const [path, text] of Object.entries(KEPT)) await workspace.put(path, text)
  return workspace
}

/** Expects that a valid archive is still imported. */
async function expectUnharmed(workspace: Workspace): Promise<void> {
  await expectWhole(stubOf(workspace))
  const { status, report } = await send(workspace, join(file('fine', 'fine'), END), '/after')
  expect({ status, report }).toEqual({
    status: 200,
    report: { files: 1, folders: 0, bytes: 4, skipped: 0, reasons: [] },
  })
  expect(new TextDecoder().decode(await workspace.raw('/after/fine'))).toBe('fine')
}

type Skips = readonly (readonly [name: string, reason: string])[]

/** Each archive, the files after its import, and the skipped entries. */
type Case = readonly [string, readonly Uint8Array[], Readonly<Record<string, string>>, Skips]

const LEAVES = 'the name leaves the folder'
const SLASHES = 'it holds a backslash; folders are separated by /'
const CONTROL = 'it holds a control character'

const NAMELESS = ['', '.', './', '/', '//', './/.']

const SLIPS: readonly Case[] = [
  ['a name that leads up', [file('../up')], {}, [['../up', LEAVES]]],
  ['one that leads down first', [file('a/../../up')], {}, [['a/../../up', LEAVES]]],
  ['one that leads up and back', [file('a/../b')], {}, [['a/../b', LEAVES]]],
  ['one from the top that leads up', [file('/../../up')], {}, [['/../../up', LEAVES]]],
  ['one after a dot', [file('././../up')], {}, [['././../up', LEAVES]]],
  ['one from the top', [file('/etc/passwd', 'p')], { 'etc/': '', 'etc/passwd': 'p' }, []],
  ['one of another machine', [file('//host/a', 'h')], { 'host/': '', 'host/a': 'h' }, []],
  ['one with a drive', [file('C:/up', 'c')], { 'C:/': '', 'C:/up': 'c' }, []],
  [
    'backslashes',
    [file('..\\up'), file('C:\\up')],
    {},
    [
      ['..\\up', SLASHES],
      ['C:\\up', SLASHES],
    ],
  ],
  ['a prefix that leads up', [entry({ prefix: '..', name: 'up' }, 'x')], {}, [['../up', LEAVES]]],
  [
    'no prefix in the dialect of GNU',
    [entry({ prefix: '..', name: 'a', magic: 'ustar  ' }, 'x')],
    { a: 'x' },
    [],
  ],
  [
    'an extended header that leads up',
    [pax({ path: '../up' }), file('good')],
    {},
    [['../up', LEAVES]],
  ],
  [
    'one for all files',
    [pax({ path: '../up' }, 'g'), file('one'), pax({ path: 'two' }), file('x', '2')],
    { two: '2' },
    [['../up', LEAVES]],
  ],
  [
    'one with a NUL in its name',
    [pax({ path: 'a\u0000b' }), file('good')],
    {},
    [['a\u0000b', CONTROL]],
  ],
  ['a long name that leads up', [gnu('L', '../up'), file('good')], {}, [['../up', LEAVES]]],
  [
    'a long name within the folder',
    [gnu('K', '/outside'), gnu('L', 'l'.repeat(300)), file('short')],
    { ['l'.repeat(300)]: 'x' },
    [],
  ],
  [
    'a link, and a file through it',
    [entry({ name: 'dir', type: '2', link: '/' }), file('dir/outside', 'slip')],
    { 'dir/': '', 'dir/outside': 'slip' },
    [['dir', 'it is a symbolic link']],
  ],
  [
    'a second name for a file outside, which is then overwritten',
    [entry({ name: 'hard', type: '1', link: '../outside' }), file('hard', 'slip')],
    { hard: 'slip' },
    [['hard', 'it is a hard link to ../outside, which is no earlier file of this archive']],
  ],
  [
    'further names of files of the archive',
    [
      file('./t/a', 'one'),
      entry({ name: 't/hard', type: '1', link: './t/a' }),
      entry({ name: 'again', type: '1', link: 't/hard' }),
      file('large', 'l'.repeat(200_000)),
      pax({ linkpath: 'large' }),
      entry({ name: 'pax', type: '1', link: 'short' }),
      gnu('K', 't/a'),
      entry({ name: 'gnu', type: '1', link: 'short' }),
      file('t/a', 'two'),
    ],
    {
      't/': '',
      't/a': 'two',
      't/hard': 'one',
      again: 'one',
      large: 'l'.repeat(200_000),
      pax: 'l'.repeat(200_000),
      gnu: 'one',
    },
    [],
  ],
  [
    'further names of what is no earlier file of the archive',
    [
      entry({ name: 'a', type: '1', link: 'kept' }),
      entry({ name: 'b', type: '1', link: '/../outside' }),
      entry({ name: 'c', type: '1', link: 'later' }),
      file('later', 'x'),
      entry({ name: 'd', type: '1', link: 'folder' }),
      entry({ name: 'folder', type: '5' }),
      entry({ name: 'symbolic', type: '2', link: '/outside' }),
      entry({ name: 'e', type: '1', link: 'symbolic' }),
    ],
    { later: 'x', 'folder/': '' },
    [
      ['a', 'it is a hard link to kept, which'],
      ['b', 'it is a hard link to /../outside, which'],
      ['c', 'it is a hard link to later, which'],
      ['d', 'it is a hard link to folder, which'],
      ['symbolic', 'it is a symbolic link'],
      ['e', 'it is a hard link to symbolic, which'],
    ],
  ],
  [
    'metadata of macOS',
    [
      file('._a', '\u0000\u0005\u0016\u0007 and more'),
      file('a', 'x'),
      entry({ name: '__MACOSX/', type: '5' }),
      file('__MACOSX/._a', '\u0000\u0005\u0016\u0007'),
      file('._own', 'text'),
      file('._', ''),
    ],
    { a: 'x', '._own': 'text', '._': '' },
    [
      ['._a', 'it is metadata of macOS'],
      ['__MACOSX/', 'it is metadata of macOS'],
      ['__MACOSX/._a', 'it is metadata of macOS'],
    ],
  ],
  [
    'a name that begins as another format',
    [file('BZh91', 'x'), file('PK')],
    { BZh91: 'x', PK: 'x' },
    [],
  ],
  [
    'links and devices with a wrong size',
    ['1', '2', '3', '4', '6'].map((type) => header({ name: `t${type}`, type, size: 512 })),
    {},
    [
      ['t1', 'it is a hard link'],
      ['t2', 'it is a symbolic link'],
      ['t3', 'it is a device'],
      ['t4', 'it is a device'],
      ['t6', 'it is a pipe'],
    ],
  ],
  [
    'unknown entry types',
    [entry({ name: 'v', type: 'V' }), entry({ name: 'z', type: 'Z' }, 'body'), file('a')],
    { a: 'x' },
    [
      ['v', 'unknown type "V"'],
      ['z', 'unknown type "Z"'],
    ],
  ],
  [
    'kinds that are files after all',
    [entry({ name: 'old', type: '\u0000' }, 'o'), entry({ name: 'seven', type: '7' }, 's')],
    { old: 'o', seven: 's' },
    [],
  ],
  [
    'files with holes, whose content would be another',
    [
      header({ name: 's', type: 'S', size: 3, at: { 482: 1 } }),
      new Uint8Array(512).fill(1),
      new Uint8Array(512),
      pad(bytesOf('one')),
      pax({ 'GNU.sparse.major': '1', path: 'GNUSparseFile.0/p' }),
      file('p', '1\n0\n3\n'),
      file('after'),
    ],
    { after: 'x' },
    [
      ['s', 'it is a sparse file. Archive it with'],
      ['GNUSparseFile.0/p', 'it is a sparse file'],
    ],
  ],
  [
    'a file with holes under the name that it has',
    [
      pax({ 'GNU.sparse.major': '1', 'GNU.sparse.name': 'd/p', path: 'd/GNUSparseFile.0/p' }),
      file('p', '1\n0\n3\n'),
    ],
    {},
    [['d/p', '--no-read-sparse']],
  ],
  [
    'folders of an incremental archive',
    [entry({ name: 'd/', type: 'D' }, 'Ya\0\0'), file('d/a')],
    { 'd/': '', 'd/a': 'x' },
    [],
  ],
  [
    'metadata of macOS, and files that only have such names',
    [
      file('.DS_Store', '\0\0\0\u0001Bud1\0'),
      file('d/._a', '\0\u0005\u0016\u0007'),
      file('d/.DS_Store', 'mine'),
      file('d/._b', 'mine'),
    ],
    { 'd/': '', 'd/.DS_Store': 'mine', 'd/._b': 'mine' },
    [
      ['.DS_Store', 'it is metadata of macOS'],
      ['d/._a', 'it is metadata of macOS'],
    ],
  ],
  [
    'no name at all',
    NAMELESS.map((name) => file(name)),
    {},
    NAMELESS.map((name) => [name, 'it has no name']),
  ],
  ['the folder itself', NAMELESS.map((name) => entry({ name, type: '5' })), {}, []],
  [
    'slashes at the end',
    [file('empty/', ''), file('full/', 'x'), entry({ name: 'dir', type: '5', size: 512 })],
    { 'dir/': '', 'empty/': '' },
    [['full/', 'it is a folder with content']],
  ],
  ['the same file twice', [file('a', 'one'), file('a', 'two')], { a: 'two' }, []],
  [
    'a file as a folder of another',
    [file('a', 'one'), file('a/b', 'two')],
    { a: 'one' },
    [['a/b', '/in/a as a folder']],
  ],
  [
    'a file over a folder',
    [file('a/b', 'one'), file('a', 'two')],
    { 'a/': '', 'a/b': 'one' },
    [['a', '/in/a as a file']],
  ],
  [
    'a folder over a file',
    [file('a', 'one'), entry({ name: 'a', type: '5' })],
    { a: 'one' },
    [['a', '/in/a as a folder']],
  ],
  [
    'what is there already',
    [file('kept/a'), entry({ name: 'kept', type: '5' })],
    {},
    [
      ['kept/a', '/in/kept as a folder'],
      ['kept', '/in/kept as a folder'],
    ],
  ],
  ['names that differ in case', [file('A', '1'), file('a', '2')], { A: '1', a: '2' }, []],
  ['one name in two forms', [file('\u00e9', '1'), file('e\u0301', '2')], { '\u00e9': '2' }, []],
  [
    'invalid names',
    [
      file(new Uint8Array([0xe4])),
      file(new Uint8Array([0xed, 0xa0, 0x80])),
      file('a\nb'),
      file('\u007f'),
      pax({ path: 'd/'.repeat(600) }),
      file('deep'),
    ],
    {},
    [
      [String.raw`\xe4`, 'its name is not UTF-8 text'],
      [String.raw`\xed\xa0\x80`, 'its name is not UTF-8 text'],
      ['a\nb', CONTROL],
      ['\u007f', CONTROL],
      ['d/'.repeat(100), 'it is longer than 1024 bytes'],
    ],
  ],
]

describe('tar slip', () => {
  it.each(SLIPS)('%s', async (_, parts, left, skipped) => {
    const workspace = await target()
    const { status, report } = await send(workspace, join(...parts, END))
    const reasons = skipped.map(([name, reason]) => ({
      name,
      reason: expect.stringContaining(reason),
    }))
    expect(report).toMatchObject({ skipped: reasons.length, reasons })
    expect({ status, error: report.error }).toEqual({ status: 200, error: undefined })
    const below = Object.entries(left).map(([name, text]) => [`in/${name}`, text])
    expect(await readTree(workspace)).toEqual({ ...BESIDE, ...Object.fromEntries(below) })
    await expectUnharmed(workspace)
  })
})

const SHORT = 'truncated'
const WRONG = 'invalid header'
const NO_TAR = 'no tar or zip archive'
const UNREADABLE = 'invalid number'
const EXTENDED = 'extended header'
const DAMAGED = 'gzip'

const MANY_DIGITS = '9'.repeat(16)

/** A number in the base-256 encoding of GNU tar. */
const binary = (...bytes: number[]) => pad(new Uint8Array(bytes)).subarray(0, 12)

/** What breaks an archive after one valid file, and the reported error. */
const BROKEN: readonly (readonly [string, readonly Uint8Array[], string])[] = [
  ['nothing more', [], SHORT],
  ['half a block', [new Uint8Array(100)], SHORT],
  ['one empty block', [new Uint8Array(512)], SHORT],
  ['one empty block in the middle', [new Uint8Array(512), file('b')], WRONG],
  ['something after the end', [END, file('b')], 'follows its end'],
  ['a wrong checksum', [file('b').fill(9, 0, 1)], WRONG],
  ['a missing body', [header({ name: 'b', size: 9 })], SHORT],
  ['a missing large body', [header({ name: 'b', size: 9_000_000 }), END], SHORT],
  ['invalid digits', [header({ size: 'zzz' })], UNREADABLE],
  ['a sign', [header({ size: '-0000000001' })], UNREADABLE],
  ['a negative size', [header({ size: binary(255, 255) })], UNREADABLE],
  ['a size above the safe integers', [header({ size: binary(128, 255) })], UNREADABLE],
  ['an invalid extended size', [pax({ size: '-1' }), file('b')], UNREADABLE],
  ['an extended size above the safe integers', [pax({ size: MANY_DIGITS }), file('b')], UNREADABLE],
  ['a wrong extended size', [pax({ size: '99999' }), file('b')], SHORT],
  [
    'records that cannot be parsed, each of which could be scanned many times',
    [entry({ type: 'x' }, `${'2x'.repeat(MAX_TAR_NOTE_BYTES / 2 - 1)} `)],
    EXTENDED,
  ],
  ['a record that ends after the header', [entry({ type: 'x' }, '99 path=a\n')], EXTENDED],
  [
    'an extended header without end',
    [header({ type: 'x', size: MAX_TAR_NOTE_BYTES + 1 })],
    `${MAX_TAR_NOTE_BYTES} bytes`,
  ],
  [
    'a long name without end',
    [header({ type: 'L', size: '77777777777' })],
    `${MAX_TAR_NOTE_BYTES} bytes`,
  ],
  ['extended headers, and no entry after them', Array(5_000).fill(pax({ path: 'p' })), SHORT],
  [
    'a map of holes that does not end',
    [header({ type: 'S', at: { 482: 1 } }), ...Array(5_000).fill(new Uint8Array(512).fill(1))],
    SHORT,
  ],
]

describe('another format', () => {
  it.each([
    ['a part of a split zip archive', 'PK\u0007\u0008'],
    ['bzip2 data', 'BZh9'],
    ['xz data', new Uint8Array([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0])],
    ['Zstandard data', new Uint8Array([0x28, 0xb5, 0x2f, 0xfd])],
    ['a 7z archive', new Uint8Array([0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c])],
    ['a RAR archive', 'Rar!\u001a\u0007'],
  ])('%s is named', async (name, start) => {
    const workspace = await target()
    for (const rest of [0, 2_000]) {
      const { status, report } = await send(workspace, new Blob([start, new Uint8Array(rest)]))
      const error = `Cannot import: this is ${name}. Send tar, tar.gz or zip.`
      expect({ status, report }).toMatchObject({ status: 422, report: { files: 0, error } })
    }
    await expectUnharmed(workspace)
  })
})

describe('no archive', () => {
  const page = `<!doctype html><title>404</title>${' '.repeat(600)}`
  it.each<[string, Uint8Array | Promise<Uint8Array>]>([
    ['a page that was saved under the name of an archive', bytesOf(page)],
    ['a file of cpio', bytesOf('070701'.padEnd(600, '0'))],
    ['one text, compressed', raw.gzip(bytesOf(page))],
  ])('%s is not called damaged', async (_, body) => {
    const { status, report } = await send(await target(), await body)
    const error = 'Cannot import: this is no tar or zip archive. Send tar, tar.gz or zip.'
    expect({ status, report }).toMatchObject({ status: 422, report: { files: 0, error } })
  })
})

describe('a broken archive', () => {
  it.each(BROKEN)('%s', async (_, parts, reason) => {
    const workspace = await target()
    const { status, report } = await send(workspace, join(file('good', 'g'), ...parts))
    expect(report).toMatchObject({ files: 1, bytes: 1, error: expect.stringContaining(reason) })
    expect(status).toBe(422)
    expect(await readTree(workspace)).toEqual({ ...BESIDE, 'in/good': 'g' })
    await expectUnharmed(workspace)
  })

  it('with a header that claims 8 GiB skips the entry without allocating memory', async () => {
    const workspace = await target()
    const claim = header({ name: 'huge', size: '77777777777' })
    const { report } = await send(workspace, join(file('good', 'g'), claim, file('x')))
    expect(report).toEqual({
      files: 1,
      folders: 0,
      bytes: 1,
      skipped: 1,
      reasons: [{ name: 'huge', reason: expect.stringContaining(` ${MAX_FILE_BYTES} bytes`) }],
      error: expect.stringContaining(SHORT),
    })
    await expectUnharmed(workspace)
  })

  it('that is cut at any byte imports exactly what it reports', async () => {
    const whole = join(
      file('a', 'one'),
      pax({ path: 'p' }),
      file('b', 'x'.repeat(700)),
      gnu('L', 'l'),
      file('c', 'three'),
      END,
    )
    const contents = { a: 'one', p: 'x'.repeat(700), l: 'three' }
    for (let at = 0; at < whole.length; at += 256) {
      const workspace = freshWorkspace()
      const { status, report } = await send(workspace, whole.slice(0, at), '/')
      expect(report.error, `at ${at}`).toContain(SHORT)
      expect(status).toBe(422)
      const found = Object.entries(await readTree(workspace))
      expect(found).toHaveLength(report.files)
      expect(contents).toMatchObject(Object.fromEntries(found))
    }
  })
})

it.each([
  ['before 1970, as GNU tar has it', Array<number>(12).fill(255)],
  ['above the safe integers', [128, ...Array<number>(11).fill(127)]],
  ['with a sign', [...bytesOf('-0000000001')]],
])('a time %s loses neither its file nor those after it', async (_, time) => {
  const workspace = await target()
  const at = Object.fromEntries(time.map((byte, index) => [136 + index, byte]))
  const { status, report } = await send(
    workspace,
    join(entry({ name: 'a', at }, 'x'), file('b'), END),
  )
  expect({ status, report }).toMatchObject({ status: 200, report: { files: 2, skipped: 0 } })
  const { entries } = await (
    await workspace.fetch('/files/in')
  ).json<{ entries: { name: string; mtime: number }[] }>()
  expect(entries.find(({ name }) => name === 'a')?.mtime).toBeGreaterThan(Date.now() - TOO_LONG)
  await expectUnharmed(workspace)
})

describe('an archive of very many entries', () => {
  it('that are skipped takes linear time and gives a short report', async () => {
    const workspace = await target()
    const link = header({ name: 'link', type: '2' })
    const some = join(...Array<Uint8Array>(1_000).fill(link))
    const { stream } = raw.repeat(some, 100, END)
    const { report } = await send(workspace, stream)
    expect(report).toMatchObject({ files: 0, skipped: 100_000 })
    expect(report.reasons).toHaveLength(20)
    expect(await readTree(workspace)).toEqual(BESIDE)
    await expectUnharmed(workspace)
  })

  it('with one name leaves one file', async () => {
    const workspace = await target()
    const { report } = await send(workspace, join(...Array(2_000).fill(file('a', '')), END))
    expect(report).toMatchObject({ files: 2_000, skipped: 0 })
    expect(await readTree(workspace)).toEqual({ ...BESIDE, 'in/a': '' })
    await expectUnharmed(workspace)
  })

  it('at the maximum depth is imported and exported again', async () => {
    const workspace = await target()
    const deep = `${'d/'.repeat(500)}f`
    const { report } = await send(workspace, join(pax({ path: deep }), file('x', 'deep'), END))
    expect(report).toMatchObject({ files: 1, skipped: 0 })
    expect(await readTree(workspace)).toMatchObject({ [`in/${deep}`]: 'deep' })
    await expectUnharmed(workspace)
  })
})

describe('a decompression bomb', () => {
  const MIB = 1024 * 1024

  const packZeros = async () => {
    const { stream } = raw.repeat(new Uint8Array(MIB), 64)
    const packed = stream.pipeThrough(new CompressionStream('gzip'))
    return new Uint8Array(await new Response(packed).arrayBuffer())
  }

  let packed: Promise<Uint8Array> | undefined

  /** 64 MiB of zeros in 65 kB. A gzip stream may have any number of such members. */
  const member = () => (packed ??= packZeros())

  const TOO_MUCH = expect.stringContaining(' 100 times')

  it('of 10 GiB of zeros is rejected after a tenth', async () => {
    const workspace = await target()
    const { stream, pulled } = raw.repeat(await member(), 160)
    const { status, report } = await send(workspace, stream)
    expect(report).toEqual({
      files: 0,
      folders: 0,
      bytes: 0,
      skipped: 0,
      reasons: [],
      error: TOO_MUCH,
    })
    expect(status).toBe(422)
    // The rest of the body is read, so that the sender gets the response.
    expect(pulled()).toBe(161)
    expect(await readTree(workspace)).toEqual(BESIDE)
    await expectUnharmed(workspace)
  })

  it('after a valid file keeps that file', async () => {
    const workspace = await target()
    const claim = header({ name: 'huge', size: '77777777777' })
    const start = await raw.gzip(join(file('good', 'g'), claim))
    const zeros = await member()
    const { stream } = raw.repeat(join(zeros, zeros), 20)
    const body = new ReadableStream<Uint8Array>({
      async start(controller) {
        controller.enqueue(start)
        for await (const part of stream) controller.enqueue(part)
        controller.close()
      },
    })
    const { report } = await send(workspace, body)
    expect(report).toMatchObject({ files: 1, skipped: 1, error: TOO_MUCH })
    expect(await readTree(workspace)).toEqual({ ...BESIDE, 'in/good': 'g' })
    await expectUnharmed(workspace)
  })

  it('is decompressed only as fast as it is read', async () => {
    const { stream, pulled } = raw.repeat(await member(), 1_000)
    const reader = stream.getReader()
    const pieces = gunzip({
      async next() {
        const { done, value } = await reader.read()
        return done ? { done } : { value }
      },
    })
    let read = 0
    while (read < MIB) read += (await pieces.next()).value?.length ?? 0
    // Leaves time for a reader that would read ahead.
    await scheduler.wait(100)
    expect(pulled()).toBe(1)
    await withTimeout(pieces.return(undefined), TOO_LONG, 'the end')
    expect(pulled()).toBe(1)
  })

  /** Text that compresses badly. */
  const noise = Array.from({ length: 200 }, () => crypto.randomUUID()).join()

  it.each([
    ['gzip in gzip', async (tar: Uint8Array) => raw.gzip(await raw.gzip(tar)), NO_TAR],
    ['gzip that is cut', async (tar: Uint8Array) => (await raw.gzip(tar)).slice(0, -9), DAMAGED],
    [
      'gzip that is damaged',
      async (tar: Uint8Array) => (await raw.gzip(tar)).fill(255, 12, 40),
      DAMAGED,
    ],
    ['two bytes of gzip', async () => new Uint8Array([0x1f, 0x8b]), DAMAGED],
    ['zstd', async () => new Uint8Array(600).fill(0x28).fill(0xb5, 1), NO_TAR],
  ])('is refused if the compression is %s', async (_, pack, reason) => {
    const workspace = await target()
    const { status, report } = await send(workspace, await pack(join(file('good', noise), END)))
    expect({ status, error: report.error }).toEqual({
      status: 422,
      error: expect.stringContaining(reason),
    })
    expect(await readTree(workspace)).toMatchObject(BESIDE)
    await expectUnharmed(workspace)
  })

  it.each([
    ['a file', 'PUT', '/files/in/a', 'gzip', 415, 'UNSUPPORTED_ENCODING'],
    ['a file', 'PUT', '/files/in/a', 'deflate', 415, 'UNSUPPORTED_ENCODING'],
    ['a file', 'PUT', '/files/in/a', 'br', 415, 'UNSUPPORTED_ENCODING'],
    ['a file', 'PUT', '/files/in/a', 'zstd', 415, 'UNSUPPORTED_ENCODING'],
    ['a file', 'PUT', '/files/in/a', 'gzip, gzip', 415, 'UNSUPPORTED_ENCODING'],
    ['a file', 'PUT', '/files/in/a', 'identity, gzip', 415, 'UNSUPPORTED_ENCODING'],
    ['a message', 'POST', '/mcp', 'gzip', 415, 'Content-Encoding: gzip'],
    ['a message', 'POST', '/mcp', 'deflate', 415, 'Content-Encoding: deflate'],
    ['an archive', 'POST', '/import?to=/in', 'gzip', 422, '100 times'],
    ['an archive', 'POST', '/import?to=/in', 'gzip, gzip', 422, '100 times'],
  ])(
    'in %s is refused: %s %s with Content-Encoding %s returns %i',
    async (_, method, path, coding, status, expected) => {
      const workspace = await target()
      const body = join(...Array<Uint8Array>(20).fill(await member()))
      const headers = {
        'content-encoding': coding,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      }
      const sent = workspace.fetch(path, { method, headers, body })
      const answer = await withTimeout(sent, TOO_LONG, 'an answer')
      expect(await answer.text()).toContain(expected)
      expect(answer.status).toBe(status)
      expect(await readTree(workspace)).toEqual(BESIDE)
      await expectUnharmed(workspace)
    },
  )

  it('differs from a valid gzip file with several members, which is imported', async () => {
    const workspace = await target()
    const parts = await Promise.all([file('a', '1'), file('b', '2'), END].map(raw.gzip))
    const { report } = await send(workspace, join(...parts))
    expect(report).toMatchObject({ files: 2, skipped: 0 })
    expect(await readTree(workspace)).toEqual({ ...BESIDE, 'in/a': '1', 'in/b': '2' })
  })
})

/**
 * Imported zip archives: as macOS, Windows and Unix make them, with every form of header, and malicious ones. An import
 * writes only below its target folder, reports what it skipped and why, and writes nothing else of an archive that
 * contradicts itself.
 */

import type { ImportReport } from '#worker/archive/batch.ts'
import { describe, expect, it } from 'vitest'
import { bytesOf, freshWorkspace } from '../../support/worker/client.ts'
import { join } from '../../support/worker/raw-tar.ts'
import {
  extraField,
  FOLLOWS,
  numbers,
  UTF8,
  zip,
  zipEnd,
  zipEntry,
  zipFile,
  zipListed,
  type ZipFields,
} from '../../support/worker/raw-zip.ts'
import { readZipDirectory } from '../../support/worker/read-zip.ts'

type Workspace = ReturnType<typeof freshWorkspace>

async function send({ fetch }: Workspace, body: Uint8Array, to = '/in') {
  const response = await fetch(`/import?to=${to}`, { method: 'POST', body: body.slice() })
  return { status: response.status, report: await response.json<ImportReport>() }
}

/** All files below the target, with their texts and whether they are executable. */
async function readTree({ fetch }: Workspace): Promise<Record<string, string>> {
  const response = await fetch('/export/in?format=zip')
  if (!response.ok) return {}
  const found = readZipDirectory(new Uint8Array(await response.arrayBuffer()))
  const text = new TextDecoder()
  const files = found.filter(({ name }) => !name.endsWith('/'))
  return Object.fromEntries(
    files.map(({ name, mode, body }) => [name, (mode & 0o111 ? 'x:' : '') + text.decode(body)]),
  )
}

const folder = (name: string): ZipFields => ({ name, mode: 0o40755 })

const UNIX_TIME = extraField(0x5455, numbers([1, 1], [1_600_000_000, 4]))
const OWNERS_OF_MACOS = extraField(0x5855, numbers([1_600_000_000, 4], [1_600_000_000, 4]))

/** An AppleDouble file. */
const DOUBLE = new Uint8Array([0, 5, 22, 7, 0, 2, 0, 0, 77, 97, 99])

/** As `ditto -c -k` and the Finder make them: UTF-8 without the flag, and sizes after each content. */
const ofMacos = (name: string, body: string | Uint8Array, mode = 0o100644): ZipFields => ({
  name,
  body,
  mode,
  method: 8,
  flags: FOLLOWS,
  descriptor: 4,
  extra: OWNERS_OF_MACOS,
  directoryExtra: OWNERS_OF_MACOS,
})

type Skips = readonly (readonly [name: string, reason: string])[]

type Case = readonly [string, readonly ZipFields[], Readonly<Record<string, string>>, Skips]

const LEAVES = 'the name leaves the folder'
const OF_MACOS = 'it is metadata of macOS'
const REPEATED = 'an earlier entry has the same name'

const IMPORTED: readonly Case[] = [
  [
    'of the Finder',
    [
      { ...folder('Berg/'), flags: 0 },
      ofMacos('Berg/\u00e9t\u00e9.txt', 'summer\n'),
      ofMacos('Berg/run', 'echo\n', 0o100755),
      ofMacos('Berg/.DS_Store', new Uint8Array([0, 0, 0, 1, ...bytesOf('Bud1')])),
      { ...folder('__MACOSX/'), flags: 0 },
      { ...folder('__MACOSX/Berg/'), flags: 0 },
      ofMacos('__MACOSX/Berg/._run', DOUBLE),
    ],
    { 'Berg/\u00e9t\u00e9.txt': 'summer\n', 'Berg/run': 'x:echo\n' },
    [
      ['Berg/.DS_Store', OF_MACOS],
      ['__MACOSX/', OF_MACOS],
      ['__MACOSX/Berg/', OF_MACOS],
      ['__MACOSX/Berg/._run', OF_MACOS],
    ],
  ],
  [
    'of the Explorer, with names in the code page of the format',
    [
      {
        name: new Uint8Array([0x84, ...bytesOf('rger.txt')]),
        body: 'old\n',
        flags: 0,
        host: 0,
        mode: 0,
      },
      { name: 'new/\u4e2d.txt', body: 'new\n', method: 8, host: 0, mode: 0 },
    ],
    { '\u00e4rger.txt': 'old\n', 'new/\u4e2d.txt': 'new\n' },
    [],
  ],
  [
    'of PowerShell 5, with backslashes',
    [
      { name: 'a\\', host: 0, mode: 0, flags: 0 },
      { name: 'a\\b.txt', body: 'text\n', method: 8, host: 0, mode: 0, flags: 0 },
      { name: 'a\\..\\..\\up', body: 'slip\n', host: 0, mode: 0 },
    ],
    { 'a/b.txt': 'text\n' },
    [['a/../../up', LEAVES]],
  ],
  [
    'of Info-ZIP, with times, permissions and a link',
    [
      { name: 'run', body: 'x\n', mode: 0o100755, extra: UNIX_TIME },
      { name: 'link', body: '../../etc/passwd', mode: 0o120777 },
      { name: 'line', body: 'no end of line' },
      { name: 'pipe', mode: 0o010644 },
    ],
    { run: 'x:x\n', line: 'no end of line' },
    [
      ['link', 'it is a symbolic link'],
      ['pipe', 'it is a pipe'],
    ],
  ],
  [
    'with each form of what follows a content',
    ([4, 8, 'bare 4', 'bare 8'] as const).flatMap((descriptor) => [
      { name: `d${descriptor}`, body: 'text\n', method: 8, descriptor },
      { name: `e${descriptor}`, body: '', descriptor },
      { name: `z${descriptor}`, body: '', method: 8, descriptor },
    ]),
    Object.fromEntries(
      [4, 8, 'bare 4', 'bare 8'].flatMap((form) => [
        [`d${form}`, 'text\n'],
        [`e${form}`, ''],
        [`z${form}`, ''],
      ]),
    ),
    [],
  ],
  [
    'with sizes before the content and after it',
    [{ name: 'a', body: 'text\n', method: 8, descriptor: 4, sizes: [7, 5] }],
    { a: 'text\n' },
    [],
  ],
  [
    'with sizes of eight bytes',
    [
      {
        name: 'a',
        body: 'text\n',
        sizes: [0xffffffff, 0xffffffff],
        extra: extraField(1, numbers([5, 8], [5, 8])),
        directoryExtra: extraField(1, numbers([5, 8], [5, 8], [0, 8])),
        listed: { size: 0xffffffff, packed: 0xffffffff, offset: 0xffffffff },
      },
    ],
    { a: 'text\n' },
    [],
  ],
  [
    'with the name of a Unicode path, unless it belongs to another name',
    [
      { name: 'plain', body: 'a\n', flags: 0, extra: unicodePath('plain', '\u00fcber') },
      { name: 'kept', body: 'b\n', flags: 0, extra: unicodePath('other', 'changed') },
    ],
    { '\u00fcber': 'a\n', kept: 'b\n' },
    [],
  ],
  [
    'with names that lead out, or to the top',
    [
      zipFile('../up'),
      zipFile('a/../../up'),
      zipFile('/etc/passwd', 'p'),
      zipFile('C:/up', 'c'),
      zipFile('a\u0000b'),
      zipFile(''),
    ],
    { 'etc/passwd': 'p', 'C:/up': 'c' },
    [
      ['../up', LEAVES],
      ['a/../../up', LEAVES],
      ['a\u0000b', 'control character'],
      ['', 'it has no name'],
    ],
  ],
  [
    'with a link, and a file through it',
    [{ name: 'dir', body: '/', mode: 0o120777 }, zipFile('dir/outside', 'slip')],
    { 'dir/outside': 'slip' },
    [['dir', 'it is a symbolic link']],
  ],
  [
    'with a name twice',
    [zipFile('a', 'first\n'), zipFile('./a', 'second\n'), zipFile('b\\c'), zipFile('b/c', 'y')],
    { a: 'first\n', 'b/c': 'x' },
    [
      ['./a', REPEATED],
      ['b/c', REPEATED],
    ],
  ],
  [
    'with what cannot be written',
    [
      { name: 'lzma', body: 'x', method: 14 },
      { name: 'folder/', body: 'x' },
      { name: new Uint8Array([0xff, 0xfe]), body: 'x' },
      { name: 'damaged', body: 'x', crc: 1 },
      {
        name: 'damaged later',
        body: 'x',
        method: 8,
        flags: UTF8 | FOLLOWS,
        descriptor: wrongSum(),
      },
      zipFile('good'),
    ],
    { good: 'x' },
    [
      ['lzma', 'compression method 14'],
      ['folder/', 'folder with content'],
      [String.raw`\xff\xfe`, 'its name is not UTF-8 text'],
      ['damaged', 'another checksum'],
      ['damaged later', 'another checksum'],
    ],
  ],
  ['that is empty', [], {}, []],
]

function unicodePath(of: string, name: string): Uint8Array {
  return extraField(0x7075, join(numbers([1, 1], [checksumOf(of), 4]), bytesOf(name)))
}

/** The checksum of a text, from the header of an entry with it. */
function checksumOf(text: string): number {
  const header = zipEntry({ name: '', body: text })
  return new DataView(header.buffer, header.byteOffset).getUint32(14, true)
}

/** What follows the deflated content `x`, with a wrong checksum. */
function wrongSum(): Uint8Array {
  return numbers([0x08074b50, 4], [1, 4], [3, 4], [1, 4])
}

describe('a zip archive', () => {
  it.each(IMPORTED)('%s', async (_, entries, files, skipped) => {
    const workspace = freshWorkspace()
    await workspace.put('/outside', 'mine')
    const listed = entries.map((fields) =>
      fields.name === 'damaged later' ? { ...fields, listed: { crc: 1 } } : fields,
    )
    const { status, report } = await send(workspace, zip(listed, { comment: 'a comment' }))
    expect(report.error).toBeUndefined()
    expect(status).toBe(200)
    const reasons = skipped.map(([name, reason]) => ({
      name,
      reason: expect.stringContaining(reason),
    }))
    expect(report.reasons).toHaveLength(reasons.length)
    expect(report.reasons).toEqual(expect.arrayContaining(reasons))
    expect(report.files).toBe(Object.keys(files).length)
    expect(await readTree(workspace)).toEqual(files)
  })
})

const AFTER = zipFile('good', 'good\n')

/** An archive whose entries are followed by a directory as the test has it. */
function withDirectory(
  entries: readonly ZipFields[],
  directory: readonly Uint8Array[],
  count: number,
) {
  const bodies = entries.map(zipEntry)
  const listed = join(...directory)
  const offset = bodies.reduce((sum, { length }) => sum + length, 0)
  return join(...bodies, listed, zipEnd(count, listed.length, offset))
}

/** Archives that two programs would read differently, of which nothing is written. */
const CONTRADICTIONS: readonly (readonly [string, Uint8Array])[] = [
  ['another name in the directory', zip([AFTER, { name: 'a', body: 'x', listed: { name: 'b' } }])],
  ['another size', zip([{ name: 'a', body: 'x', listed: { size: 2 } }])],
  ['another checksum', zip([{ name: 'a', body: 'x', listed: { crc: 7 } }])],
  ['another method', zip([{ name: 'a', body: 'x', listed: { method: 8 } }])],
  ['another place', zip([{ name: 'a', body: 'x', listed: { offset: 1 } }])],
  ['an entry that is not in the directory', zip([AFTER, { name: 'hidden', listed: null }])],
  [
    'one that is in it twice',
    withDirectory([AFTER], [zipListed(AFTER, 0), zipListed(AFTER, 0)], 2),
  ],
  [
    'one that is in it alone',
    withDirectory([AFTER], [zipListed(AFTER, 0), zipListed(AFTER, 9)], 2),
  ],
  ['another number at its end', withDirectory([AFTER], [zipListed(AFTER, 0)], 2)],
  ['two sizes of a stored entry', zip([{ name: 'a', body: 'x', sizes: [1, 2] }, AFTER])],
  ['less than it says', zip([{ name: 'a', body: 'x', method: 8, sizes: [3, 2] }, AFTER])],
  ['more than it says', zip([{ name: 'a', body: 'xy', method: 8, sizes: [4, 1] }, AFTER])],
  [
    'a second entry in the content of the first',
    zip([{ name: 'a', method: 8, body: 'x', packed: join(deflated('x'), zipEntry(AFTER)) }]),
  ],
  [
    'sizes after it that are others',
    zip([
      {
        name: 'a',
        body: 'x',
        method: 8,
        descriptor: numbers([0x08074b50, 4], [9, 4], [9, 4], [9, 4]),
      },
    ]),
  ],
  [
    'a stored content whose size only follows it',
    zip([{ name: 'a', body: 'stored', descriptor: 4 }, AFTER]),
  ],
]

function deflated(text: string): Uint8Array {
  const bytes = zipEntry({ name: '', body: text, method: 8 })
  return bytes.subarray(30)
}

describe('an archive that contradicts itself', () => {
  it.each(CONTRADICTIONS)('by %s writes nothing', async (_, archive) => {
    const workspace = freshWorkspace()
    const { status, report } = await send(workspace, archive)
    expect({ status, report }).toMatchObject({
      status: 422,
      report: { files: 0, error: expect.stringContaining('Cannot read the whole archive') },
    })
    expect(await readTree(workspace)).toEqual({})
  })
})

const GOOD = zip([AFTER])

/** What breaks an archive, and the reported error. */
const BROKEN: readonly (readonly [string, Uint8Array, string])[] = [
  ['no directory', zipEntry(AFTER), 'truncated'],
  ['a directory that is cut', GOOD.subarray(0, -30), 'truncated'],
  ['an end that is cut', GOOD.subarray(0, -2), 'truncated'],
  ['data after its end', join(GOOD, bytesOf('x')), 'data follows its end'],
  [
    'a comment that is longer',
    join(GOOD.subarray(0, -2), numbers([5, 2]), bytesOf('x')),
    'truncated',
  ],
  ['another header', join(zipEntry(AFTER), numbers([0x12345678, 4])), 'invalid header'],
  [
    'an extra field that is cut',
    zip([AFTER, { name: 'a', extra: numbers([1, 2], [9, 2]) }]),
    'invalid extra field',
  ],
  [
    'a field of zip64 that is cut',
    zip([AFTER, { name: 'a', sizes: [0xffffffff, 0], extra: extraField(1, numbers([5, 4])) }]),
    'invalid zip64 field',
  ],
  [
    'a number above the safe integers',
    zip([
      AFTER,
      {
        name: 'a',
        sizes: [0xffffffff, 0xffffffff],
        extra: extraField(1, new Uint8Array(16).fill(255)),
      },
    ]),
    'invalid number',
  ],
  [
    'damaged data',
    zip([AFTER, { name: 'a', body: 'x', method: 8, packed: bytesOf('\u0007no') }]),
    'deflate',
  ],
  [
    'a method that is unknown and sizes that follow',
    zip([AFTER, { name: 'a', body: 'x', method: 14, descriptor: 4 }]),
    'compression method 14',
  ],
]

describe('a broken zip archive', () => {
  it.each(BROKEN)('with %s has what it reports', async (_, archive, reason) => {
    const workspace = freshWorkspace()
    const { status, report } = await send(workspace, archive)
    expect({ status, report }).toMatchObject({
      status: 422,
      report: { files: 1, error: expect.stringContaining(reason) },
    })
    expect(await readTree(workspace)).toEqual({ good: 'good\n' })
  })

  it.each([
    ['encrypted', { name: 'a', body: 'x', flags: 1 }, 'it is encrypted'],
    [
      'encrypted, with sizes that follow',
      { name: 'a', body: 'x', flags: 9, descriptor: 4 },
      'it is encrypted',
    ],
    ['strongly encrypted', { name: 'a', body: 'x', flags: 65 }, 'it is encrypted'],
    ['masked', { name: 'a', body: 'x', flags: 8192 }, 'it is encrypted'],
    ['a patch', { name: 'a', body: 'x', flags: 32 }, 'patch'],
  ] as const)('that is %s writes nothing', async (_, fields, reason) => {
    const { status, report } = await send(freshWorkspace(), zip([fields, AFTER]))
    expect({ status, report }).toMatchObject({
      status: 422,
      report: { files: 0, error: expect.stringContaining(reason) },
    })
  })

  it('that is cut at any byte has exactly what it reports', async () => {
    const entries: ZipFields[] = [
      { name: 'a', body: 'one\n' },
      { name: 'b', body: 'two\n'.repeat(200), method: 8, descriptor: 4 },
      { name: 'c', body: 'three\n', method: 8 },
    ]
    const whole = zip(entries)
    const workspace = freshWorkspace()
    for (let at = 1; at < whole.length; at += 7) {
      const { status, report } = await send(workspace, whole.subarray(0, at), `/in/${at}`)
      expect({ status, error: report.error }, `at ${at}`).toEqual({
        status: 422,
        error: expect.stringMatching(/truncated/),
      })
      const tree = await readTree(workspace)
      const found = Object.keys(tree).filter((name) => name.startsWith(`${at}/`))
      expect(found, `at ${at}`).toHaveLength(report.files)
    }
  })
})

it('has the time of each file', async () => {
  const workspace = freshWorkspace()
  const ticks = (1_500_000_000 + 11_644_473_600) * 10_000_000
  const ntfs = numbers([0, 4], [1, 2], [24, 2], [ticks, 8], [ticks, 8], [ticks, 8])
  await send(
    workspace,
    zip([
      { name: 'unix', body: 'x', extra: UNIX_TIME },
      { name: 'ntfs', body: 'x', extra: extraField(10, ntfs) },
      { name: 'dos', body: 'x' },
    ]),
  )
  const { entries } = await (
    await workspace.fetch('/files/in')
  ).json<{ entries: { name: string; mtime: number }[] }>()
  expect(Object.fromEntries(entries.map(({ name, mtime }) => [name, mtime]))).toEqual({
    unix: 1_600_000_000_000,
    ntfs: 1_500_000_000_000,
    dos: Date.UTC(2020, 0, 1, 12),
  })
})

it('writes a file again when its permission comes after it was written, and no link before', async () => {
  const workspace = freshWorkspace()
  const some = Array.from({ length: 600 }, (_, at) => zipFile(`f/${at}`, 'text\n'))
  const run = { name: 'a', body: 'run\n', mode: 0o100755 }
  const link = { name: 'link', body: '/outside', mode: 0o120777 }
  const { report } = await send(workspace, zip([run, link, ...some]))
  expect(report).toMatchObject({ files: 601, bytes: 601 * 5 - 1, skipped: 1 })
  expect(report.reasons).toEqual([{ name: 'link', reason: 'it is a symbolic link' }])
  expect(await readTree(workspace)).toMatchObject({ a: 'x:run\n' })
  const again = await send(workspace, zip([{ ...run, mode: 0o100644 }, ...some]))
  expect(again.report).toMatchObject({ files: 601 })
  expect(await readTree(workspace)).toMatchObject({ a: 'run\n' })
})

it('is refused inside of gzip', async () => {
  const packed = new Blob([zip([AFTER]).slice()])
    .stream()
    .pipeThrough(new CompressionStream('gzip'))
  const body = new Uint8Array(await new Response(packed).arrayBuffer())
  const { report } = await send(freshWorkspace(), body)
  expect(report.error).toBe(
    'Cannot import: this is a zip archive inside of gzip. Send tar, tar.gz or zip.',
  )
})

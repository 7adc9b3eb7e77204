/**
 * Property test of untrusted archives: each entry is imported below the target folder or
 * skipped, or the archive is refused, within a time limit and with a report. The slow set sends 100,000 archives.
 */

import { isWithin, parsePath, ROOT } from '#core/path.ts'
import type { ImportReport } from '#worker/archive/batch.ts'
import { importArchive } from '#worker/archive/import.ts'
import { limitsOf } from '#worker/store/limits.ts'
import { packTar, type TarEntry } from 'modern-tar'
import fc from '../../support/core/random.ts'
import { expect, it } from 'vitest'
import { batches, SOON_MS } from '../../support/core/hostile.ts'
import { withToolContext, type TestContext } from '../../support/worker/tool-context.ts'
import { bytesOf } from '../../support/worker/client.ts'
import { withTimeout } from '../../support/worker/with-timeout.ts'
import { TESTER } from '../../support/worker/store-contract.ts'

const INTO = parsePath('/in/here')
const BLOCK = 512

/** Archives per workspace. */
const TOGETHER = 500

const file = (name: string, body: string): TarEntry => ({
  header: { name, size: body.length, type: 'file', mtime: new Date(1_000) },
  body,
})
const link = (name: string, linkname: string): TarEntry => ({
  header: { name, size: 0, type: 'symlink', linkname },
})

const ENTRIES: readonly TarEntry[][] = [
  [file('a', 'one'), file('d/b', 'x'.repeat(600))],
  [{ header: { name: 'd/', size: 0, type: 'directory' } }, file('d/ä', ''), file('d', 'two')],
  [file(`${'long/'.repeat(60)}a`, 'pax'), file('after', 'x')],
  [link('out', '/'), file('out/../../secret', 'slip'), file('/etc/passwd', 'slip')],
  [
    {
      header: { name: 'p', size: 2, type: 'file', pax: { path: '../../p', comment: 'x' } },
      body: 'ab',
    },
  ],
]

interface Bend {
  readonly at: number
  readonly how: 'byte' | 'cut' | 'drop' | 'double' | 'field' | 'size'
  readonly by: number
  /** Whether the changed header gets a correct checksum. */
  readonly honest: boolean
}

const bends = fc.array(
  fc.record({
    at: fc.nat(20_000),
    how: fc.constantFrom('byte', 'byte', 'cut', 'drop', 'double', 'field', 'size'),
    by: fc.nat(255),
    honest: fc.boolean(),
  }),
  { maxLength: 4 },
)

/** Values for the fields of a header. */
const FIELDS: readonly (readonly [offset: number, length: number, texts: readonly string[]])[] = [
  [
    0,
    100,
    ['../../../x', '/abs', '..', '.', '', 'a\u0000b', 'c:\\x', '\u00ff\u00fe', '\n', './/./y'],
  ],
  [124, 12, ['77777777777', '-1', 'zzz', '00000000001', '\u00ff'.repeat(12), '\u0080', ' ', '']],
  [156, 1, ['0', '1', '2', '3', '5', '6', '7', 'x', 'g', 'L', 'K', 'S', 'V', '\u0000', 'z']],
  [345, 155, ['..', '/', '../..', 'x'.repeat(155)]],
  [257, 8, ['ustar\u000000', 'ustar  \u0000', '', 'xxxxx']],
]

function bend(archive: Uint8Array, { at, how, by, honest }: Bend): Uint8Array {
  const place = at % (archive.length + 1)
  const block = place - (place % BLOCK)
  if (how === 'cut') return archive.slice(0, place)
  if (how === 'drop') return join(archive.slice(0, block), archive.slice(block + BLOCK))
  if (how === 'double') return join(archive.slice(0, block + BLOCK), archive.slice(block))
  const bent = archive.slice()
  if (how === 'byte') bent[place] = by
  else {
    const [offset, length, texts] = FIELDS[how === 'size' ? 1 : by % FIELDS.length] ?? [0, 0, []]
    const text = texts[by % texts.length] ?? ''
    bent.fill(0, block + offset, block + offset + length)
    for (let index = 0; index < Math.min(text.length, length); index++)
      bent[block + offset + index] = text.charCodeAt(index)
  }
  if (honest) sign(bent.subarray(block, block + BLOCK))
  return bent
}

/** Writes the checksum of a header, which is computed with blanks in its own field. */
function sign(header: Uint8Array): void {
  if (header.length < BLOCK) return
  header.fill(32, 148, 156)
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.set(bytesOf(`${sum.toString(8).padStart(6, '0')}\u0000 `), 148)
}

function join(...parts: Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}

function toStream(bytes: Uint8Array, piece: number): ReadableStream<Uint8Array> {
  let at = 0
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) return controller.close()
      controller.enqueue(bytes.slice(at, (at += piece)))
    },
  })
}

async function gzip(bytes: Uint8Array): Promise<Uint8Array> {
  const packed = new Blob([bytes]).stream().pipeThrough(new CompressionStream('gzip'))
  return new Uint8Array(await new Response(packed).arrayBuffer())
}

/** Imports as the owner's request does, with a time limit. */
async function runImport(
  bytes: Uint8Array,
  piece: number,
  { caller, owner }: TestContext,
): Promise<ImportReport> {
  const limits = limitsOf(caller.access.owner)
  const context = { workspace: owner, actor: TESTER, limits, decision: [] }
  return withTimeout(
    importArchive(toStream(bytes, piece), { into: INTO, after: null }, context),
    SOON_MS,
    'an import',
  )
}

it('an archive changes only its target folder', async () => {
  const good = await Promise.all(ENTRIES.map((entries) => packTar([...entries])))
  const packed = await Promise.all(good.map(gzip))
  const seeds = [...good, ...good, ...packed]
  const archives = fc
    .tuple(fc.constantFrom(...seeds), bends, fc.constantFrom(700, 100_000))
    .map(([seed, list, piece]) => ({ bytes: list.reduce(bend, seed), piece }))
  let whole = 0
  let broken = 0

  const law = fc.asyncProperty(
    fc.array(archives, { minLength: TOGETHER, maxLength: TOGETHER }),
    (all) =>
      withToolContext({}, async (context) => {
        await context.write({ '/secret': 'mine', '/in/beside': 'mine', '/etc/passwd': 'mine' })
        for (const { bytes, piece } of all) {
          const { store } = context
          const { version, files } = store.totals
          const report = await runImport(bytes, piece, context)
          if (report.error === undefined) whole++
          else broken++
          expect(report.error).not.toBe('')
          expect(report.reasons.length).toBeLessThanOrEqual(report.skipped)
          expect(store.totals.files - files).toBeLessThanOrEqual(report.files)
          if (report.files + report.folders === 0) expect(store.totals.version).toBe(version)
        }
        for (const { path } of context.store.walk(ROOT))
          expect(isWithin(path, INTO) || KNOWN.has(path), path).toBe(true)
        for (const path of MINE) expect(await context.text(path)).toBe('mine')
      }),
  )
  await fc.assert(law, batches(TOGETHER, TOGETHER))
  expect(whole).toBeGreaterThan(20)
  expect(broken).toBeGreaterThan(20)
})

const MINE = ['/secret', '/in/beside', '/etc/passwd']
const KNOWN = new Set<string>([...MINE, '/in', '/etc'])

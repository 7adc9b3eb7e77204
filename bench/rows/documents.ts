/**
 * The first read of a page of a PDF, which extracts the text of the whole, beside `pdftotext`, and a later read of it. Each
 * PDF is new content, because a text is kept by its content.
 *
 * @module
 */

import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Figure } from '../../scripts/figure.ts'
import { inProject } from '../../scripts/settings.ts'
import { latency, type Target } from '../load.ts'
import { interleave } from '../median.ts'
import type { Context, Row } from '../row.ts'
import { put } from '../upload.ts'
import { modern, toolCall } from '../wire.ts'
import type { Server } from '../workerd.ts'

/** A text of ten pages. */
const PDF = inProject('test/documents/made/long.pdf')

const ABSENT = { name: 'pdftotext not installed', value: null }

const program = spawnSync('pdftotext', ['-v']).status === 0 ? 'pdftotext' : null

/** The row of documents. */
export const rows: Row[] = [
  {
    name: 'documents',
    goal: 'reported',
    limit:
      'The library interprets the fonts and the operators of each page in JavaScript, and lets other requests run after each page; a later read finds the text in SQLite.',
    run: compareReads,
  },
]

async function compareReads(context: Context): Promise<Figure[]> {
  const { scale } = context
  const server = await context.product('documents')
  const folder = mkdtempSync(join(tmpdir(), 'edgewise-bench-'))
  const bytes = readFileSync(PDF)
  let count = 0
  try {
    const measured = await interleave(scale.rounds, {
      first: async () => {
        await put(server, '/files/bench/long.pdf', withComment(bytes, ++count))
        return latency(readOf(server), 1)
      },
      later: () => latency(readOf(server), scale.requests),
      pdftotext: async () => extract(program, folder, bytes),
    })
    const isThere = program !== null
    const baseline = isThere ? { name: 'pdftotext', value: measured.pdftotext } : ABSENT
    const common = { unit: 'ms', baseline } as const
    return [
      { ...common, work: 'first read of a PDF of 10 pages', edgewise: measured.first },
      { ...common, work: 'later read of it', edgewise: measured.later },
    ]
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Returns other content that is read alike. */
const withComment = (bytes: Uint8Array, number: number) =>
  Uint8Array.from([...bytes, ...new TextEncoder().encode(`\n% ${number}\n`)])

const readOf = ({ port }: Server): Target => ({
  ...{ name: 'read_file', port, marker: '[page 5]' },
  request: () => toolCall(modern, 'read_file', { path: '/bench/long.pdf', page: 5 }),
})

/** Measures one run of pdftotext, in milliseconds. */
function extract(program: string | null, folder: string, bytes: Uint8Array): number {
  if (program === null) return 0
  const file = join(folder, 'long.pdf')
  writeFileSync(file, bytes)
  const start = performance.now()
  execFileSync(program, [file, join(folder, 'long.txt')])
  return performance.now() - start
}

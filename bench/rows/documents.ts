/**
 * Documents: the first read of a page of a PDF, which extracts the text of the whole, beside `pdftotext`, and a later read of
 * it; and searches in many documents beside the same texts as text files. Each PDF that is read first is new content,
 * because a text is kept by its content.
 *
 * @module
 */

import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Figure } from '../../scripts/figure.ts'
import { inProject } from '../../scripts/settings.ts'
import { makeDocx } from '../docx.ts'
import { latency, type Target } from '../load.ts'
import { oneFolder } from '../many-files.ts'
import { interleave } from '../median.ts'
import type { Context, Row } from '../row.ts'
import { importTar, put, waitForIndex } from '../upload.ts'
import { modern, toolCall } from '../wire.ts'
import type { Server } from '../workerd.ts'

/** A text of ten pages. */
const PDF = inProject('test/documents/made/long.pdf')

const ABSENT = { name: 'pdftotext not installed', value: null }

const program = spawnSync('pdftotext', ['-v']).status === 0 ? 'pdftotext' : null

/** A word in {@link FOUND} documents. */
const NEEDLE = 'zanzibar'
const FOUND = 5

const LINES = 20

const SEARCHES = [
  { work: 'search by the index', pattern: NEEDLE },
  { work: 'search of every text', pattern: `(${NEEDLE}|[0-9][A-Z]q)` },
] as const

/** The rows of documents. */
export const rows: Row[] = [
  {
    name: 'documents',
    goal: 'reported',
    limit:
      'The library pdf.js interprets the fonts and the operators of each page in JavaScript, and lets other requests run after each page; a later read finds the text in SQLite.',
    run: compareReads,
  },
  {
    name: 'documents-search',
    goal: 'at most 1.5 times the same texts as text files',
    limit:
      'A short text is read with the row of its file in both cases; that of a document is in tables of its own.',
    tried: 'Texts of documents are read with the rows, 64 at a time, and not by a query for each.',
    run: compareSearches,
  },
]

async function compareSearches(context: Context): Promise<Figure[]> {
  const { treeFiles, rounds, requests } = context.scale
  const server = await context.product('documents-search')
  await importTar(
    server,
    oneFolder('texts', treeFiles, (file) => linesOf(file).join('\n')),
  )
  await importTar(
    server,
    oneFolder('documents', treeFiles, (file) => makeDocx(linesOf(file))),
  )
  await waitForIndex(server)
  const figures: Figure[] = []
  for (const { work, pattern } of SEARCHES) {
    const { edgewise, texts } = await interleave(rounds, {
      edgewise: () => latency(searchOf(server, 'documents', pattern), requests),
      texts: () => latency(searchOf(server, 'texts', pattern), requests),
    })
    const baseline = { name: 'text files', value: texts }
    figures.push({
      ...{ work: `${treeFiles} documents, ${work}`, unit: 'ms', edgewise, baseline },
      goal: { ratioAtMost: 1.5 },
    })
  }
  return figures
}

/** The first files have the word, as some of the last ones may not be read yet. */
const linesOf = (file: number) =>
  Array.from({ length: LINES }, (_, line) =>
    line === 0 && file < FOUND
      ? `${NEEDLE} ${file}`
      : `line ${line} of document ${file} has some words in it, and a number ${file * LINES + line}`,
  )

const searchOf = ({ port }: Server, root: string, pattern: string): Target => ({
  ...{ name: `search_files in ${root}`, port, marker: `"total_matches":${FOUND},` },
  request: () => toolCall(modern, 'search_files', { pattern, root }),
})

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

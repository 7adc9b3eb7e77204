/**
 * `search` of the research profile: finds the files that fit a question best, in the shape of ChatGPT's research and company
 * knowledge: `{ results: [{ id, title, url }] }`.
 *
 * It searches what the views of the caller show, so nothing else decides on access. `test/worker/research/search.test.ts` has
 * the cases.
 *
 * @module
 */

import { isWithin, nameOf, relativeTo, type StorePath } from '#core/path.ts'
import { err, ok, type Result } from '#core/result.ts'
import * as z from 'zod/mini'
import { MAX_SEARCH_FILE_BYTES, MAX_SEARCH_SCAN_BYTES } from '../limits.ts'
import type { Problem } from '../errors/problem.ts'
import type { Candidate } from '../search/candidates.ts'
import { createTurns, type Turns } from '../search/turns.ts'
import { MAX_SEARCH_EXTRACTED } from '../texts/limits.ts'
import { wellFormed } from '../tools/lib/arguments.ts'
import { findPage } from '../tools/lib/find-page.ts'
import { defineRead, readingFolder, type Answer, type ToolContext } from '../tools/lib/tool.ts'
import { fileUrl } from '../waiting-url.ts'
import { idOf } from './document-id.ts'
import { MAX_RESEARCH_QUERY_LENGTH, MAX_RESEARCH_RESULTS } from './limits.ts'
import { createRanking, type Ranked } from './ranking.ts'
import { indexQueryOf, scorePath, scoreText, wordsOf } from './words.ts'

/** Finds files by words in their texts, in the texts of documents, and in their paths. */
export const search = defineRead({
  name: 'search',
  title: 'Search',
  description:
    'Find files and documents by words of a question. Returns the best results; fetch reads one by its id.',
  intent: 'Search for {query}',
  approval: 'none',
  cancellable: true,
  exactResult: true,
  input: () =>
    z.strictObject({
      query: wellFormed.check(
        z.minLength(1),
        z.maxLength(MAX_RESEARCH_QUERY_LENGTH),
        z.describe('Words to find'),
      ),
    }),
  output: () =>
    z.object({
      results: z.array(z.object({ id: z.string(), title: z.string(), url: z.string() })),
      note: z.optional(z.string()),
    }),

  touches: () => [readingFolder('.')],

  read: ({ query }, _places, context) => context.search.first(() => runSearch(query, context)),
})

/** One run of the search. */
interface Run {
  readonly words: readonly string[]
  readonly phrase: string
  readonly context: ToolContext
  readonly turns: Turns
  readonly ranking: ReturnType<typeof createRanking>
  /** Bytes searched, and documents whose text was extracted. */
  scanned: number
  extracted: number
}

async function runSearch(query: string, context: ToolContext): Promise<Result<Answer, Problem>> {
  const words = wordsOf(query)
  if (words.length === 0) return err(NO_WORD)
  const turns = createTurns(null, context)
  const ranking = createRanking(MAX_RESEARCH_RESULTS)
  const phrase = query.trim().toLowerCase()
  const run: Run = { words, phrase, context, turns, ranking, scanned: 0, extracted: 0 }
  const isComplete = await searchFolders(run)
  const results = ranking.list().map((file) => resultOf(file, context))
  // What was found is of use, so it is no error.
  const structured = { results, ...(!isComplete && { note: INCOMPLETE }) }
  return ok({ text: JSON.stringify(structured), structured })
}

const NO_WORD: Problem = {
  reason: 'bad_argument',
  code: 'INVALID_QUERY',
  detail: 'Cannot search for this query: it has no letter or digit. Send words',
}

const INCOMPLETE = 'Not all files were searched: there are too many. Search for rarer words.'

/** Searches the folders that the caller may use. Resolves to whether all was searched. */
async function searchFolders(run: Run): Promise<boolean> {
  const all = run.context.access.folders()
  const outer = all.filter((one) => !all.some((other) => other !== one && isWithin(one, other)))
  const index = indexQueryOf(run.words)
  for (const folder of outer) {
    if (!(await searchNames(folder, run))) return false
    if (!(await searchTexts(folder, index, run))) return false
  }
  return true
}

/** Finds files whose names have a word: also images, and everything else without a text. */
async function searchNames(root: StorePath, run: Run): Promise<boolean> {
  const { words, context, turns, ranking } = run
  const shared = { glob: false, literal: true, case_sensitive: false, type: 'file' as const }
  for (const word of words) {
    const query = { ...shared, pattern: word, exclude: [], hidden: false, offset: 0 }
    const page = await findPage(query, { root, limit: MAX_RESEARCH_RESULTS, after: null }, context)
    if (!page.ok) return false
    for (const relative of page.value.found) {
      const path = `${root === '/' ? '' : root}/${relative}` as StorePath
      ranking.add({ path, score: scorePath(path, words) })
    }
    if (!(await turns.taken(NAMES_AS_BYTES, 0))) return false
  }
  return true
}

/** What a search of names counts as, in bytes that are searched. */
const NAMES_AS_BYTES = 256 * 1024

async function searchTexts(root: StorePath, index: string | null, run: Run): Promise<boolean> {
  const { context, turns } = run
  let count = 0
  for (const file of context.search.candidates(root, index).files) {
    count++
    if (isHidden(relativeTo(file.path, root))) continue
    const size = await rankText(file, run)
    if (size === null || !(await turns.taken(size, count))) return false
  }
  return true
}

/** As in `find_files` and `search_files`, a name that begins with a dot is not searched. */
const isHidden = (relative: string) => /(?:^|\/)\./.test(relative)

/** Adds one file to the ranking. Returns the bytes that were searched; null if there is no room for them. */
async function rankText(file: Candidate, run: Run): Promise<number | null> {
  const { words, phrase, context, ranking } = run
  if (run.scanned + Math.min(file.size, MAX_SEARCH_FILE_BYTES) > MAX_SEARCH_SCAN_BYTES) return null
  const mayExtract = () => run.extracted++ < MAX_SEARCH_EXTRACTED
  const text = (await context.search.text(file, mayExtract)) ?? ''
  const score = scoreText(text, words, phrase)
  if (score > 0) ranking.add({ path: file.path, score: score + scorePath(file.path, words) })
  const size = text.length * words.length
  run.scanned += size
  return size
}

const resultOf = ({ path }: Ranked, { base }: ToolContext) => ({
  id: idOf(path),
  title: nameOf(path),
  url: fileUrl(base, path),
})

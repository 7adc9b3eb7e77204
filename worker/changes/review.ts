/**
 * The review: a page that shows a change to a person, before they approve it or after it was made.
 *
 * The page contains everything that it shows: it has no script and loads nothing, so it works in a sandbox
 * and in any host. The content of the change is untrusted and stays text (`review-html.ts`), and nothing in
 * it can be hidden (`review-text.ts`). What does not fit is counted.
 *
 * @module
 */

import { visible } from '#core/visible.ts'
import { factsOf, filesIn, linesOf, numbered, sizeOf, type ReviewFile } from './review-files.ts'
import { fitFiles, type Fitted } from './review-fit.ts'
import { Html, markup } from './review-html.ts'
import { STYLE } from './review-style.ts'
import { tablesOf } from './review-tables.ts'
import { count, visibleHtml } from './review-text.ts'

/** What a review shows. */
export interface ReviewFacts {
  /** The rendered intent: a sentence that says what the call does. */
  readonly intent: string
  readonly tool: string
  /** False for a preview. */
  readonly applied: boolean
  readonly files: readonly ReviewFile[]
  /** Files that are not in `files`. */
  readonly more?: number
  /** Bytes of all files that are deleted or moved. */
  readonly bytes?: number
  /** Further sentences for the person. */
  readonly notes: readonly string[]
}

/** Most files that a page lists. */
export const MOST_FILES = 500

/** Longest sentence that a page shows, in UTF-16 code units. */
export const MOST_SENTENCE = 1_000

const CSP = "default-src 'none'; style-src 'unsafe-inline'"

export type { ReviewFile } from './review-files.ts'

/** Renders the review as a complete HTML page. */
export function reviewPage(facts: ReviewFacts): string {
  const fitted = fitFiles(facts.files.slice(0, MOST_FILES))
  const intent = shorten(facts.intent)
  const page = markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${CSP}">
<meta name="viewport" content="width=device-width">
<title>${visible(intent)}</title>
<style>${Html.trusted(STYLE)}</style>
</head>
<body>
${headerOf(facts, intent)}${mainOf(facts, fitted)}</body>
</html>
`
  return page.toString()
}

const VIEWS = markup`<fieldset class="views" role="radiogroup"><legend class="hidden">View</legend>
<label><input type="radio" name="view" autocomplete="off" checked>Unified</label>
<label><input type="radio" name="view" autocomplete="off" id="side">Side by side</label>
</fieldset>`

function headerOf(facts: ReviewFacts, intent: string): Html {
  const { applied, tool, files } = facts
  const state = applied
    ? markup`<b class="done">Applied</b>`
    : markup`<b>Preview</b> · nothing has been changed yet`
  const views = files.some(({ hunks }) => hunks.length > 0) ? VIEWS : null
  return markup`<header>
<p class="state">${state} · <code>${visibleHtml(tool)}</code></p>
<h1><bdi>${visibleHtml(intent)}</bdi></h1>
<div class="bar"><p class="sum">${sumOf(facts)}</p>${views}</div>
</header>
`
}

function mainOf({ files, notes }: ReviewFacts, fitted: readonly Fitted<ReviewFile>[]): Html {
  const said = [...notes.map(shorten), ...missingNotes(files, fitted)]
  const shown = fitted.filter(({ file }) => file.hunks.length > 0)
  return markup`<main>
${notesOf(said)}${listOf(fitted)}${shown.map(sectionOf)}</main>
`
}

function sumOf({ files, more = 0, bytes = 0 }: ReviewFacts): Html {
  const all = files.reduce((sum, file) => sum + filesIn(file), more)
  const added = files.reduce((sum, { stats }) => sum + stats.added, 0)
  const removed = files.reduce((sum, { stats }) => sum + stats.removed, 0)
  const lines = added + removed > 0 ? markup` · ${linesOf({ added, removed })}` : null
  const size = bytes > 0 && lines === null ? `, ${sizeOf(bytes)}` : null
  return markup`${numbered(all, 'file')}${size}${lines}`
}

function notesOf(notes: readonly string[]): Html | null {
  if (notes.length === 0) return null
  return markup`<ul class="notes">${notes.map((note) => markup`<li>${visibleHtml(note)}</li>\n`)}</ul>\n`
}

function missingNotes(files: readonly ReviewFile[], fitted: readonly Fitted<ReviewFile>[]) {
  const lines = fitted.reduce((sum, { missing }) => sum + missing, 0)
  const beyond = files.slice(fitted.length).reduce((sum, file) => sum + filesIn(file), 0)
  return [
    ...(lines > 0 ? [notShown(lines, 'line')] : []),
    ...(beyond > 0 ? [notShown(beyond, 'file')] : []),
  ]
}

function notShown(number: number, thing: string): string {
  return `${numbered(number, `more ${thing}`)} ${number === 1 ? 'is' : 'are'} not shown`
}

/** Lists all files. A single file with lines to show needs no list. */
function listOf(fitted: readonly Fitted<ReviewFile>[]): Html | null {
  if (fitted.length === 0) return markup`<p class="none">Nothing changes.</p>\n`
  if (fitted.length === 1 && fitted[0]?.file.hunks.length !== 0) return null
  return markup`<ul class="list">${fitted.map(({ file }) => markup`<li>${factsOf(file)}</li>\n`)}</ul>\n`
}

function sectionOf(fitted: Fitted<ReviewFile>): Html {
  const { file, missing, crlf } = fitted
  const rest = missing > 0 ? markup`<p class="rest">${notShown(missing, 'line')}</p>` : null
  return markup`<details class="file" open><summary>${factsOf(file, crlf)}</summary>
${tablesOf(fitted)}${rest}</details>
`
}

function shorten(text: string): string {
  if (text.length <= MOST_SENTENCE) return text
  return `${text.slice(0, MOST_SENTENCE).toWellFormed()}… (${count(text.length - MOST_SENTENCE)} more characters)`
}

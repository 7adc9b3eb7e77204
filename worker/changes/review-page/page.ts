/**
 * The review: a page that shows a change to a person, before they approve it or after it was made.
 *
 * The page contains everything that it shows: it has no script and loads nothing, so it works in a sandbox
 * and in any host. The content of the change is untrusted and stays text (`encoding/html.ts`), and nothing in
 * it can be hidden (`encoding/visible-html.ts`). What does not fit is counted.
 *
 * @module
 */

import { visible } from '#core/visible.ts'
import { factsOf, filesIn, linesOf, formatCount, sizeOf, type ReviewFile } from './files.ts'
import { fitFiles, type Fitted } from './fit.ts'
import { Html, markup } from '../../encoding/html.ts'
import { STYLE } from './style.ts'
import { tablesOf } from './tables.ts'
import { sentenceHtml, visibleHtml } from '../../encoding/visible-html.ts'
import { count } from './text.ts'
import { MAX_REVIEW_FILES, MAX_REVIEW_INTENT_LENGTH } from './limits.ts'

/** What a review shows. */
export interface ReviewFacts {
  /** The rendered intent: a sentence that says what the call does. */
  readonly intent: string
  readonly tool: string
  /** False for a preview. */
  readonly applied: boolean
  /** It waits for approval; `url` is the page on which the owner decides, if it is known. */
  readonly waits?: { readonly url: string | null }
  /** It is the difference between two moments, and no change. */
  readonly comparison?: true
  readonly files: readonly ReviewFile[]
  /** Files that are not in `files`. */
  readonly more?: number
  /** Bytes of all files that are deleted or moved. */
  readonly bytes?: number
  /** Further sentences for the person. */
  readonly notes: readonly string[]
}

const CSP = "default-src 'none'; style-src 'unsafe-inline'"

export type { ReviewFile } from './files.ts'

/** Renders the review as a complete HTML page. */
export function reviewPage(facts: ReviewFacts): string {
  const fitted = fitFiles(facts.files.slice(0, MAX_REVIEW_FILES))
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
  const { tool } = facts
  const state = stateOf(facts)
  return markup`<header>
<p class="state">${state} · <code>${visibleHtml(tool)}</code></p>
<h1><bdi>${sentenceHtml(intent)}</bdi></h1>
${decideAt(facts)}${barOf(facts)}</header>
`
}

/** The sum and the view switch. Of a single file without lines, the list says all that the sum would. */
function barOf(facts: ReviewFacts): Html | null {
  const { files, more = 0 } = facts
  const hasLines = files.some(({ hunks }) => hunks.length > 0)
  if (!hasLines && files.length + more <= 1) return null
  return markup`<div class="bar"><p class="sum">${sumOf(facts)}</p>${hasLines ? VIEWS : null}</div>\n`
}

function stateOf({ applied, waits, comparison }: ReviewFacts): Html {
  if (comparison) return markup`<b>Comparison</b>`
  if (waits) return markup`<b>Waits for approval</b> · nothing has been changed yet`
  return applied
    ? markup`<b class="done">Applied</b>`
    : markup`<b>Preview</b> · nothing has been changed yet`
}

/** The address is text: a page in a sandbox can open no link, but a person can copy it. */
function decideAt({ waits }: ReviewFacts): Html | null {
  if (!waits?.url) return null
  return markup`<p class="sum decide">Decide at <bdi>${visibleHtml(waits.url)}</bdi></p>\n`
}

function mainOf(
  { files, notes, more = 0 }: ReviewFacts,
  fitted: readonly Fitted<ReviewFile>[],
): Html {
  const sentences = [...notes.map(shorten), ...missingNotes(files, fitted)]
  const shown = fitted.filter(({ file }) => file.hunks.length > 0)
  const isOnly = files.length + more === 1
  return markup`<main>
${notesOf(sentences)}${listOf(fitted)}${shown.map((one) => sectionOf(one, isOnly))}</main>
`
}

function sumOf({ files, more = 0, bytes = 0 }: ReviewFacts): Html {
  const all = files.reduce((sum, file) => sum + filesIn(file), more)
  const added = files.reduce((sum, { stats }) => sum + stats.added, 0)
  const removed = files.reduce((sum, { stats }) => sum + stats.removed, 0)
  const lines = added + removed > 0 ? markup` · ${linesOf({ added, removed })}` : null
  // Beside lines for deleted folders alone: the bytes are those of deleted and moved files.
  const hasSize = lines === null || (all > 1 && files.every(({ to }) => to === null))
  const size = bytes > 0 && hasSize ? `, ${sizeOf(bytes)}` : null
  return markup`${formatCount(all, 'file')}${size}${lines}`
}

function notesOf(notes: readonly string[]): Html | null {
  if (notes.length === 0) return null
  return markup`<ul class="notes">${notes.map((note) => markup`<li>${sentenceHtml(note)}</li>\n`)}</ul>\n`
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
  return `${formatCount(number, `more ${thing}`)} ${number === 1 ? 'is' : 'are'} not shown`
}

/** Lists all files. A single file with lines to show needs no list. */
function listOf(fitted: readonly Fitted<ReviewFile>[]): Html | null {
  if (fitted.length === 0) return markup`<p class="none">Nothing changes.</p>\n`
  if (fitted.length === 1 && fitted[0]?.file.hunks.length !== 0) return null
  return markup`<ul class="list">${fitted.map(({ file }) => markup`<li>${factsOf(file)}</li>\n`)}</ul>\n`
}

function sectionOf(fitted: Fitted<ReviewFile>, isOnly: boolean): Html {
  const { file, missing, crlf } = fitted
  const rest = missing > 0 ? markup`<p class="rest">${notShown(missing, 'line')}</p>` : null
  return markup`<details class="file" open><summary>${factsOf(file, { crlf, isCounted: !isOnly })}</summary>
${tablesOf(fitted)}${rest}</details>
`
}

function shorten(text: string): string {
  if (text.length <= MAX_REVIEW_INTENT_LENGTH) return text
  return `${text.slice(0, MAX_REVIEW_INTENT_LENGTH).toWellFormed()}… (${count(text.length - MAX_REVIEW_INTENT_LENGTH)} more characters)`
}

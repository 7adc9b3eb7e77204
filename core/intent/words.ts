/**
 * Words for values that are not written for people: durations in seconds, and scopes.
 *
 * A template names its arguments as the tool has them, so a sentence says `for 3600 seconds` and
 * `read:file:/docs`. The server stores the sentence and the console asks with it; both say `for 1 hour` and
 * `read files in /docs`. `test/core/intent-words.test.ts` has the cases.
 *
 * @module
 */

import { quoteValue } from '../quote.ts'
import { readScope } from '../scope.ts'
import type { Part, RenderedIntent } from './render.ts'

/**
 * Replaces durations and scopes in a rendered sentence by words. All other values stay as they are, and in its text, in
 * which nothing else sets them apart, those of several words are quoted.
 */
export function describeValues({ parts }: RenderedIntent): RenderedIntent {
  const inWords = parts.map((part, index) => sayPart(part, parts[index - 1], parts[index + 1]))
  const kept = inWords.filter(({ text }) => text !== '')
  const texts = kept.map((part) => (parts.includes(part) ? textOf(part) : part.text))
  return { text: texts.join(''), parts: kept }
}

const textOf = (part: Part) => (part.type === 'value' ? quoteValue(part.text) : part.text)

const UNIT = /^ seconds\b/
const WRITTEN = /\b(\d{1,12}) seconds\b/g

function sayPart(part: Part, before: Part | undefined, after: Part | undefined): Part {
  if (part.type === 'value') {
    const words = sayValue(part, after)
    return words === null ? part : { ...part, text: words }
  }
  if (part.type === 'missing') return part
  const text = before && isDuration(before) ? part.text.replace(UNIT, '') : part.text
  return {
    type: 'text',
    text: text.replace(WRITTEN, (_, count: string) => describeSeconds(+count)),
  }
}

/** The words of a value; null for one that stays as it is. */
function sayValue(part: Part & { readonly type: 'value' }, after: Part | undefined): string | null {
  if (isDuration(part) && after?.type === 'text' && UNIT.test(after.text))
    return describeSeconds(Number(part.text))
  return /(^|\.)scopes?$/.test(part.key)
    ? part.text.split(', ').map(describeScope).join(', ')
    : null
}

const isDuration = (part: Part) => part.type === 'value' && /^\d{1,12}$/.test(part.text)

const STEPS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const

/** Describes a duration in the largest unit that divides it, such as "1 hour" or "90 minutes". */
export function describeSeconds(seconds: number): string {
  const [unit, size] = STEPS.find(([, length]) => seconds > 0 && seconds % length === 0) ?? [
    'second',
    1,
  ]
  const count = seconds / size
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}

const VERBS: Readonly<Record<string, string>> = { read: 'read', write: 'change' }

/** Describes a scope in words, such as "read files in /docs"; one of another kind stays as written. */
export function describeScope(text: string): string {
  const scope = readScope(text)
  if (!scope.ok) return quoteValue(text)
  const { words, path } = scope.value
  const [action = '', kind, ...rest] = words
  const verb = VERBS[action]
  if (verb === undefined || (kind ?? 'file') !== 'file' || rest.length > 0) return quoteValue(text)
  if (path === null || path === '/')
    return `${verb} ${kind === undefined ? 'anything' : 'all files'}`
  // Only the server knows what is there: a name with an ending is nearly always a file.
  const name = quoteValue(path)
  return /[^/]\.[^/.]+$/.test(path) ? `${verb} ${name}` : `${verb} files in ${name}`
}

/**
 * The consent page as its HTML has it: what it shows, and the fields that its form sends.
 *
 * @module
 */

/** One row, with the box as it is at first. */
export interface ConsentRow {
  readonly scope: string
  /** The text beside the box, without markup. */
  readonly text: string
  readonly isSelected: boolean
}

export interface ConsentPage {
  readonly html: string
  readonly handle: string
  readonly shown: string
  readonly added: readonly string[]
  readonly rows: readonly ConsentRow[]
  readonly workspace: string
  /** What went wrong or was done, sentence by sentence. */
  readonly notices: readonly string[]
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
}

const textOf = (html: string) =>
  html
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/&(?:amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity] ?? entity)
    .trim()

const allOf = (html: string, pattern: RegExp) =>
  [...html.matchAll(pattern)].map(([, text = '']) => textOf(text))

const fieldIn = (html: string, name: string) =>
  allOf(html, new RegExp(`name="${name}"\\s+value="([^"]*)"`, 'g'))

export function readConsent(html: string): ConsentPage {
  const rows = [...html.matchAll(/<li>(.*?)<\/li>/gs)].map(([, row = '']) => ({
    scope: fieldIn(row, 'row')[0] ?? '',
    text: textOf(row),
    isSelected: /\schecked\b/.test(row),
  }))
  return {
    html,
    handle: fieldIn(html, 'handle')[0] ?? '',
    shown: fieldIn(html, 'shown')[0] ?? '',
    added: fieldIn(html, 'added'),
    rows,
    workspace: allOf(html, /<dt>Workspace<\/dt>\s*<dd>(.*?)<\/dd>/gs)[0] ?? '',
    // A browser with scripts shows nothing of what is for one without.
    notices: allOf(
      html.replace(/<noscript.*?<\/noscript\s*>/gs, ''),
      /<p class="(?:note|wrong)"[^>]*>(.*?)<\/p>/gs,
    ),
  }
}

/** The scopes of the rows that are selected at first. */
export const selectedIn = ({ rows }: ConsentPage): string[] =>
  rows.flatMap(({ scope, isSelected }) => (isSelected ? [scope] : []))

/** The fields that a button of the form sends, with the boxes as they are, or with these ones. */
export function fieldsOf(
  page: ConsentPage,
  answer: 'allow' | 'deny' | 'add',
  selected: readonly string[] = selectedIn(page),
): [name: string, value: string][] {
  const { handle, shown, added } = page
  return [
    ['handle', handle],
    ['shown', shown],
    ...added.map((scope): [string, string] => ['added', scope]),
    ...selected.map((scope): [string, string] => ['row', scope]),
    ['answer', answer],
  ]
}

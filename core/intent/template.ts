/**
 * Intent templates: the sentence with which a tool describes what a call will do, such as
 * `Search for {pattern} [in {root}]`.
 *
 * A template is parsed once, when a tool is registered, into placeholders, groups and plain text. Every
 * text within the limits is a template: a special character that is out of place is plain text.
 * `GRAMMAR.md` has the rules; `test/core/intent.laws.test.ts` runs the table of cases.
 *
 * @module
 */

/** Maximum length of a template, in UTF-16 code units. */
export const MAX_TEMPLATE_LENGTH = 2000

/** Maximum nesting depth of groups. */
export const MAX_GROUP_DEPTH = 16

/** A placeholder such as `{paths.path}`. */
export interface Field {
  readonly type: 'field'
  /** The segments of the key, at least one, none empty. */
  readonly path: readonly string[]
  /** The segments joined with dots. */
  readonly key: string
  /** The placeholder as written in the template, shown when its value is missing. */
  readonly written: string
  /** The default after `|`; null without one. */
  readonly fallback: string | null
}

/** A part of the sentence that is dropped when one of its placeholders has no value. */
export interface Group {
  readonly type: 'group'
  readonly nodes: readonly Node[]
}

/** A part of a template. White space is its own node, because both sides decide how much of it stays. */
export type Node =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'space' }
  | Field
  | Group

/** A parsed template. */
export interface Template {
  readonly source: string
  readonly nodes: readonly Node[]
}

/** A template over the limits. The message shows the text with a caret under the error. */
export class IntentSyntaxError extends SyntaxError {
  override readonly name = 'IntentSyntaxError'
  declare readonly reason: string
  declare readonly template: string
  /** UTF-16 code units before the error. */
  declare readonly index: number

  constructor(reason: string, template: string, index: number) {
    super(`${reason}\n${pointAt(template, index)}`)
    this.reason = reason
    this.template = template
    this.index = index
  }
}

// Every character of a text matches exactly one alternative, in exactly one way. The look-ahead excludes
// `{}` and `{ . }` from the placeholders.
const TOKEN =
  /(?<space>\s+)|(?<open>\[)|(?<close>\])|\{(?=[\s.]*[^\s.|}])(?<key>[^|}]*)(?:\|(?<fallback>[^}]*))?\}|(?<text>[^\s[\]{]+|\{)/g

/**
 * Parses a template.
 *
 * @throws IntentSyntaxError if it is too long or nested too deep.
 */
export function parseIntent(template: string): Template {
  if (template.length > MAX_TEMPLATE_LENGTH) {
    const reason = `An intent template may have ${MAX_TEMPLATE_LENGTH} characters`
    throw new IntentSyntaxError(reason, template, MAX_TEMPLATE_LENGTH)
  }

  const root: Node[] = []
  const outside: Node[][] = []
  let nodes = root
  for (const { 0: token, index, groups = {} } of template.matchAll(TOKEN)) {
    if (groups['open']) {
      if (outside.length === MAX_GROUP_DEPTH) {
        const reason = `Groups may be nested ${MAX_GROUP_DEPTH} deep`
        throw new IntentSyntaxError(reason, template, index)
      }
      const inner: Node[] = []
      nodes.push({ type: 'group', nodes: inner })
      outside.push(nodes)
      nodes = inner
    } else if (groups['close']) {
      const outer = outside.pop()
      if (outer) nodes = outer
      else nodes.push({ type: 'text', text: token })
    } else if (groups['space']) nodes.push({ type: 'space' })
    else if (groups['key'] === undefined) nodes.push({ type: 'text', text: token })
    else nodes.push(fieldOf(groups['key'], groups['fallback']))
  }
  return { source: template, nodes: root }
}

function fieldOf(text: string, fallback: string | undefined): Field {
  const segments = text.split('.').map((segment) => segment.trim())
  const path = segments.filter((segment) => segment !== '')
  return {
    type: 'field',
    path,
    key: path.join('.'),
    written: `{${text.trim()}}`,
    fallback: fallback?.trim() ?? null,
  }
}

/** Formats two lines: the text around a position, and a caret under it. */
function pointAt(text: string, index: number): string {
  const from = Math.max(0, index - 50)
  const shown = text.slice(from, index + 20).toWellFormed()
  // A line break or a tab would move the text away from its caret.
  return `  ${shown.replace(/\s/g, ' ')}\n  ${' '.repeat(index - from)}^`
}

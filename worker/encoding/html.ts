/**
 * HTML without injection, for every page that the Worker writes: text becomes markup only through
 * {@link markup}, which escapes every value. A value that is {@link Html} already is inserted as it is, and
 * untrusted input cannot be one. `test/platform/changes/review.test.ts` tests it.
 *
 * @module
 */

/** Escaped markup. The constructor is private, so every value comes from this module. */
export class Html {
  readonly #text: string

  private constructor(text: string) {
    this.#text = text
  }

  /** Wraps markup that this program wrote itself. Values go through {@link markup}. */
  static trusted(text: string): Html {
    return new Html(text)
  }

  get length(): number {
    return this.#text.length
  }

  toString(): string {
    return this.#text
  }
}

/** What a template accepts; null is nothing. */
export type Value = string | number | Html | null | readonly Html[]

/**
 * Builds HTML from a template: the template is markup, its values are escaped unless they are {@link Html}.
 */
export function markup(strings: TemplateStringsArray, ...values: readonly Value[]): Html {
  return Html.trusted(strings.map((part, at) => part + markupOf(values[at] ?? null)).join(''))
}

/** Concatenates HTML. */
export function joinHtml(parts: readonly Html[]): Html {
  return Html.trusted(parts.join(''))
}

function markupOf(value: Value): string {
  if (value === null) return ''
  if (typeof value === 'string') return escape(value)
  if (typeof value === 'number') return `${value}`
  return value instanceof Html ? value.toString() : value.map(markupOf).join('')
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (char) => ESCAPES[char] ?? '')
}

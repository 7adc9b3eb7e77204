/**
 * HTML that cannot be injected into: text becomes markup only through {@link markup}, which escapes
 * every value that it is given. What is already {@link Html} passes as it is, and nothing that comes
 * from outside can be one.
 *
 * @module
 */

export class Html {
  readonly #text: string

  private constructor(text: string) {
    this.#text = text
  }

  /** Markup that this program wrote itself. Values go through {@link markup}. */
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

export type Value = string | number | Html | null | readonly Html[]

/** A template: what stands in it is markup, what is filled in is text, or {@link Html} made before. */
export function markup(strings: TemplateStringsArray, ...values: readonly Value[]): Html {
  return Html.trusted(strings.map((part, at) => part + markupOf(values[at] ?? null)).join(''))
}

export function joinHtml(parts: readonly Html[]): Html {
  return Html.trusted(parts.join(''))
}

function markupOf(value: Value): string {
  if (value === null) return ''
  if (typeof value === 'string') return escape(value)
  if (typeof value === 'number') return `${value}`
  return value instanceof Html ? value.toString() : value.join('')
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

/**
 * The line: builds the sentence, normalises its white space and limits its length.
 *
 * @module
 */

import { cutEnd } from '../cut-middle.ts'

/** Maximum length of a rendered text in UTF-16 code units; a longer text is cut and ends with `…`. */
export const MAX_RENDERED_LENGTH = 100_000

// Steps are key segments followed, array elements visited and blank characters skipped. They limit work
// that produces no text, such as a long array of nulls in a group.
const MAX_STEPS = 1_000_000

/**
 * A part of the sentence: text of the template, a value from the call, or a placeholder without a value.
 * A default after `|` belongs to the template, so it is text.
 */
export type Part =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'value'; readonly text: string; readonly key: string }
  | { readonly type: 'missing'; readonly text: string; readonly key: string }

/** The state of a {@link Line} where a repeated group begins. */
export interface Place {
  /** White space or a comma that is written before the next visible part. */
  readonly lead: string
  /** Whether nothing visible was written before, in the line or the entry. */
  readonly fresh: boolean
  /** UTF-16 code units written before. */
  readonly length: number
}

/**
 * Collects the parts of a sentence. White space waits in `lead` until something visible follows, so that
 * it can be dropped: at both ends, next to other white space, and before punctuation (I8, I11).
 */
export class Line {
  readonly parts: Part[] = []
  /** Whether the text reached its limit; nothing is added any more. */
  full = false
  #length = 0
  #steps = MAX_STEPS
  #lead = ''
  #fresh = true // nothing visible yet, in the line or in this entry
  #dropped = false // the template's last element was a group that dropped

  /** Adds white space, unless nothing visible precedes it. */
  space(): void {
    if (!this.#fresh) this.#lead = ' '
    this.#dropped = false
  }

  /** Adds text of the template. */
  words(text: string): void {
    if (this.#dropped && this.#lead === ' ' && /^[.,;:!?]/.test(text)) this.#lead = ''
    this.add({ type: 'text', text })
  }

  add(part: Part): void {
    this.#dropped = false
    if (part.text === '') return // an empty default adds nothing
    if (this.#lead !== '') this.#push({ type: 'text', text: this.#lead })
    this.#push(part)
    this.#lead = ''
    this.#fresh = false
  }

  /** Notes that a group was dropped, so that the space before a following punctuation mark goes. */
  drop(): void {
    this.#dropped = true
  }

  place(): Place {
    return { lead: this.#lead, fresh: this.#fresh, length: this.#length }
  }

  /** Starts an entry of a repeated group. Entries are joined with a comma; an empty one adds nothing. */
  startEntry(before: Place): void {
    this.#lead = this.#length > before.length ? ', ' : before.lead
    this.#fresh = true
  }

  /** Ends a repeated group that began at `before`. */
  endEntries(before: Place): void {
    const shown = this.#length > before.length
    this.#fresh = !shown && before.fresh
    if (shown) this.#lead = ''
    else this.drop()
  }

  /** Counts steps, and ends the text when too many were used. */
  spend(steps: number): void {
    this.#steps -= steps
    if (this.#steps < 0) this.#cut()
  }

  #push(part: Part): void {
    if (this.full) return
    const room = MAX_RENDERED_LENGTH - this.#length
    this.#append({ ...part, text: cutEnd(part.text, room) })
    if (part.text.length > room) this.#cut()
  }

  #append(part: Part): void {
    const last = this.parts.at(-1)
    this.#length += part.text.length
    if (part.type !== 'text' || last?.type !== 'text') this.parts.push(part)
    else this.parts[this.parts.length - 1] = { type: 'text', text: last.text + part.text }
  }

  #cut(): void {
    if (this.full) return
    this.#append({ type: 'text', text: '…' })
    this.full = true
  }
}

/**
 * The line: a sentence as it grows, with its white space in order and an end to its length.
 *
 * @module
 */

/** A rendered text longer than this is cut there and ends with `…`. */
export const MAX_RENDERED_LENGTH = 100_000

// Steps are key segments followed, array elements visited and blank characters skipped. They bound
// the work where no text comes out of it, as with a long array of nulls in a group.
const MAX_STEPS = 1_000_000

/**
 * A piece of the sentence: the author's words, what the call brought in, or a placeholder that the
 * call left open. A default after `|` is the author's, so it is text.
 */
export type Part =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'value'; readonly text: string; readonly key: string }
  | { readonly type: 'missing'; readonly text: string; readonly key: string }

/** Where a repeated group begins. */
export interface Place {
  readonly lead: string
  readonly fresh: boolean
  readonly length: number
}

/**
 * The sentence as it grows. White space waits in `lead` until something visible follows it, so it
 * can still go: at both ends, next to other white space, and before a mark (I8, I11).
 */
export class Line {
  readonly parts: Part[] = []
  full = false
  #length = 0
  #steps = MAX_STEPS
  #lead = ''
  #fresh = true // nothing visible yet, in the line or in this entry
  #dropped = false // the template's last element was a group that dropped

  space(): void {
    if (!this.#fresh) this.#lead = ' '
    this.#dropped = false
  }

  words(text: string): void {
    if (this.#dropped && this.#lead === ' ' && /^[.,;:!?]/.test(text)) this.#lead = ''
    this.add({ type: 'text', text })
  }

  add(part: Part): void {
    this.#dropped = false
    if (part.text === '') return // an empty default takes no room
    if (this.#lead !== '') this.#push({ type: 'text', text: this.#lead })
    this.#push(part)
    this.#lead = ''
    this.#fresh = false
  }

  drop(): void {
    this.#dropped = true
  }

  place(): Place {
    return { lead: this.#lead, fresh: this.#fresh, length: this.#length }
  }

  /** Entries are trimmed and joined with a comma; one that shows nothing leaves no trace. */
  startEntry(before: Place): void {
    this.#lead = this.#length > before.length ? ', ' : before.lead
    this.#fresh = true
  }

  endEntries(before: Place): void {
    const shown = this.#length > before.length
    this.#fresh = !shown && before.fresh
    if (shown) this.#lead = ''
    else this.drop()
  }

  /** Counts work. Where too much was asked for, the text ends. */
  spend(steps: number): void {
    this.#steps -= steps
    if (this.#steps < 0) this.#cut()
  }

  #push(part: Part): void {
    if (this.full) return
    const room = MAX_RENDERED_LENGTH - this.#length
    const fits = part.text.length <= room
    const text = fits ? part.text : part.text.slice(0, room).replace(/[\ud800-\udbff]$/, '')
    this.#append({ ...part, text })
    if (!fits) this.#cut()
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

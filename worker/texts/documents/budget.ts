/**
 * The budget of one extraction: bytes that are decompressed, objects, pages, and text that comes out.
 *
 * It is counted and not timed, because the clock of a Worker does not advance while code runs. After some thousand objects,
 * and after each page, other requests get a turn. `test/worker/texts/documents/hostile.test.ts` tests it.
 *
 * @module
 */

import {
  MAX_DOCUMENT_OBJECTS,
  MAX_DOCUMENT_PAGES,
  MAX_DOCUMENT_TEXT,
  MAX_INFLATED_BYTES,
  MAX_PART_BYTES,
} from '../limits.ts'
import { DocumentFault } from '../document.ts'

/** Objects after which other requests get a turn: about 10 ms. */
const TURN_OBJECTS = 20_000

/** The budget of one extraction. */
export type Budget = ReturnType<typeof createBudget>

/** Creates a budget. `turn` lets other requests run. */
export function createBudget(turn: () => Promise<void>) {
  let [inflated, objects, pages, text] = [0, 0, 0, 0]
  return {
    turn,
    /** The bytes to which the next part may be decompressed. */
    room: (): number => Math.min(MAX_PART_BYTES, MAX_INFLATED_BYTES - inflated),
    /** Counts bytes that were decompressed. */
    inflate(bytes: number): void {
      inflated += bytes
      if (inflated > MAX_INFLATED_BYTES) throw tooLarge(`${MAX_INFLATED_BYTES} decompressed bytes`)
    },
    /** The bytes that were decompressed so far. */
    inflated: (): number => inflated,
    /** Counts an object, or what takes as long as several. Returns whether other requests should get a turn. */
    object: (weight = 1): boolean => {
      const before = objects
      objects += weight
      if (objects > MAX_DOCUMENT_OBJECTS) throw tooLarge(`${MAX_DOCUMENT_OBJECTS} objects`)
      return Math.floor(before / TURN_OBJECTS) < Math.floor(objects / TURN_OBJECTS)
    },
    /** Counts a page, and lets other requests run. */
    page(): Promise<void> {
      if (++pages > MAX_DOCUMENT_PAGES) throw tooLarge(`${MAX_DOCUMENT_PAGES} pages`)
      return turn()
    },
    /** Counts code units of text. */
    text(length: number): void {
      text += length
      if (text > MAX_DOCUMENT_TEXT) throw tooLarge(`${MAX_DOCUMENT_TEXT} characters of text`)
    },
  }
}

/** Returns the fault of a document that is over a limit. */
export const tooLarge = (limit: string): DocumentFault =>
  new DocumentFault('too_large', `it has more than ${limit}`)

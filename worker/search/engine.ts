/**
 * The regular expression engine, with limited work. RE2 takes at most the product of the program size and
 * the text length, which is minutes for a large program and a long line, without interruption.
 *
 * On most texts the next state of its automaton is cached, and a character costs one look-up for any
 * pattern; this work is not counted. Work proportional to the program size occurs when a new state is built,
 * and when a text needs too many states. Both happen in methods that can be replaced on an instance, so the
 * engine keeps its speed and stops when its steps are used up.
 *
 * @module
 */

import type { RE2JS } from 're2js'
import { createFinder } from './find-text.ts'
import { unlimited, type Meter } from './meter.ts'

/** Visits of each instruction when a state is built: computing closures, sorting and caching. */
const LOOKS_PER_STATE = 4

/** Maximum length, in UTF-16 code units, of a pattern whose literals are searched natively first. */
const MAX_PREFILTERED_LENGTH = 64

/** A compiled pattern with limited work. */
export interface Engine {
  /** Whether a text matches; null if the meter ran out of steps. */
  test(text: string, meter: Meter): boolean | null
}

/** Aborts the engine; caught in this module. */
class Spent extends Error {}

/** Limits the work of a compiled pattern. It modifies `compiled`. */
export function createEngine(compiled: RE2JS): Engine {
  const program = compiled.re2()
  // The pattern is a plain text, for which a native search could take pattern length times text length.
  if (program.prefixComplete) return literalEngine(String(program.prefix))
  if (compiled.pattern().length > MAX_PREFILTERED_LENGTH) program.prefilter = null

  const size = Number(program.numberOfInstructions())
  let current = unlimited()
  function take(steps: number): void {
    if (current.left < steps) throw new Spent()
    current.left -= steps
  }

  const { dfa } = program
  const step = dfa.step.bind(dfa)
  dfa.step = (state, kind, ...rest) => {
    // At the end of a text, the engine calls this without checking its cache.
    const known: unknown = state.next?.[kind]
    if (known) return known
    take(LOOKS_PER_STATE * size)
    return step(state, kind, ...rest)
  }
  const match = dfa.match.bind(dfa)
  dfa.match = (input, ...rest) => {
    const found = match(input, ...rest)
    // The automaton gave up; the fallback visits all instructions for each character.
    if (found === null) take(size * Number(input.endPos()))
    return found
  }

  function test(text: string, meter: Meter): boolean | null {
    current = meter
    try {
      return compiled.test(text)
    } catch (error) {
      if (error instanceof Spent) return null
      throw error
    }
  }
  return { test }
}

function literalEngine(literal: string): Engine {
  const find = createFinder(literal)
  return { test: (text) => find(text, 0, unlimited()) !== -1 }
}

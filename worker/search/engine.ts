/**
 * The regex engine, metered. RE2 takes at most the product of its program and the text, which is
 * minutes for a large program and a long line, all in one stretch.
 *
 * On most texts it knows the next state of its automaton already, and a character costs one look-up,
 * whatever the pattern; that is not counted. What costs the length of the program is a state that has to
 * be made, and a text for which there are too many states. Both are asked for in places that can be
 * taken over in an instance, so the engine is as fast as ever, and stops where its steps are used up.
 *
 * @module
 */

import type { RE2JS } from 're2js'
import { createFinder } from './find.ts'
import { unlimited, type Meter } from './meter.ts'

/** Looks at each instruction while a state is made: closures, sorting and remembering it. */
const LOOKS_PER_STATE = 4

/** UTF-16 code units of a pattern up to which the platform may look for its literals. */
const LONGEST_PREFILTERED = 64

export interface Engine {
  /** Whether a text matches; null when the meter had not enough steps to find out. */
  test(text: string, meter: Meter): boolean | null
}

/** Thrown through the engine, and never out of here. */
class Spent extends Error {}

export function createEngine(compiled: RE2JS): Engine {
  const program = compiled.re2()
  // Then the pattern is nothing else, and the platform would take the product of it and the text.
  if (program.prefixComplete) return literalEngine(String(program.prefix))
  if (compiled.pattern().length > LONGEST_PREFILTERED) program.prefilter = null

  const size = Number(program.numberOfInstructions())
  let current = unlimited()
  function take(steps: number): void {
    if (current.left < steps) throw new Spent()
    current.left -= steps
  }

  const { dfa } = program
  const step = dfa.step.bind(dfa)
  dfa.step = (state, kind, ...rest) => {
    // At the end of a text it asks without looking first.
    const known: unknown = state.next?.[kind]
    if (known) return known
    take(LOOKS_PER_STATE * size)
    return step(state, kind, ...rest)
  }
  const match = dfa.match.bind(dfa)
  dfa.match = (input, ...rest) => {
    const found = match(input, ...rest)
    // It gave up, and what follows looks at all instructions for each character.
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

/**
 * Generator of text that resembles source code for a search: few frequent and many rare words,
 * punctuation, and some unique numbers.
 *
 * @module
 */

import { below, pick, seeded, type Random } from './random.ts'

const SYLLABLES =
  'ba co de fi ga ho in ka le mo na or pe qui ra se ti un ve wo xe ya zu str ent ing'
const WORDS = 3_000
const LINES = 50_000

/** One line in this many contains a unique number. */
const UNIQUE_EVERY = 60

/** Returns the next text of about this many bytes. */
export type SourceText = (bytes: number) => string

/** Creates the generator of a seed. */
export function createSourceText(seed: number): SourceText {
  const random = seeded(seed)
  const words = makeWords(random)
  const lines = Array.from({ length: LINES }, () => makeLine(random, words))
  return (bytes) => {
    let text = ''
    while (text.length < bytes)
      text += below(random, UNIQUE_EVERY) === 0 ? uniqueLine(random) : pick(random, lines)
    return text
  }
}

function makeWords(random: Random): string[] {
  const syllables = SYLLABLES.split(' ')
  const make = () => Array.from({ length: 2 + below(random, 3) }, () => pick(random, syllables))
  return Array.from({ length: WORDS }, () => make().join(''))
}

function uniqueLine(random: Random): string {
  return `// id ${below(random, 2 ** 32)
    .toString(16)
    .padStart(8, '0')}\n`
}

function makeLine(random: Random, words: readonly string[]): string {
  // The third power makes the first words of the list far more frequent than the last.
  const word = () => words[Math.floor(words.length * random() ** 3)] ?? ''
  const name = () => `${word()}${capital(word())}`
  const number = () => below(random, 1000)
  return pick(random, [
    () => `const ${name()} = ${word()}.${word()}(${word()}, ${number()})\n`,
    () => `  return ${word()}.${name()}(${number()})\n`,
    () => `  if (${word()}.${word()} === '${word()}') throw new Error('${word()} ${word()}')\n`,
    () => `// ${word()} ${word()} ${word()} ${word()} ${word()} ${word()}\n`,
    () => `export function ${name()}(${word()}: string): ${capital(word())} {\n`,
    () => `import { ${name()} } from './${word()}/${word()}.ts'\n`,
    () => `}\n\n`,
  ])()
}

const capital = (word: string) => word.slice(0, 1).toUpperCase() + word.slice(1)

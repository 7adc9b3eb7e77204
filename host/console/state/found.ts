/** Fuzzy search by title. @module */

interface Titled {
  readonly title: string
}

/** Returns the items whose title contains the letters in order; consecutive matches come first. */
export function found<T extends Titled>(all: readonly T[], text: string): T[] {
  const wanted = text.trim().toLowerCase()
  if (wanted === '') return [...all]
  return all
    .map((one) => ({ one, rank: rankOf(one.title.toLowerCase(), wanted) }))
    .filter(({ rank }) => rank < Infinity)
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ one }) => one)
}

function rankOf(title: string, wanted: string): number {
  const at = title.indexOf(wanted)
  if (at === 0) return 0
  if (at > 0) return /[\s(_-]/.test(title[at - 1] ?? '') ? 1 : 2
  let place = -1
  for (const letter of wanted) {
    if (letter === ' ') continue
    place = title.indexOf(letter, place + 1)
    if (place < 0) return Infinity
  }
  return 3
}

/** The name that is most like a misspelt one. Tested by `test/flags.test.ts`. @module */

/** Returns the name with the fewest letters to change; undefined without any name. */
export function nearestName(given: string, names: readonly string[]): string | undefined {
  const distances = names.map((name) => [distance(given, name), name] as const)
  return distances.toSorted(([a], [b]) => a - b)[0]?.[1]
}

/** How many letters have to be inserted, removed or replaced (Levenshtein). */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, column) => column)
  for (const [line, letter] of from.split('').entries()) {
    const next = [line + 1]
    for (const [column, other] of to.split('').entries()) {
      const replaced = (row[column] ?? 0) + (letter === other ? 0 : 1)
      next.push(Math.min(replaced, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1))
    }
    row = next
  }
  return row[to.length] ?? 0
}

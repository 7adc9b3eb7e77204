/** Keys of the board: the next card, or the next column. `test/views/templates/page.test.ts` has the table. @module */

import type { Lane } from '../data/cards.ts'

/** What a key does at a card. */
export type BoardStep =
  | { readonly kind: 'focus'; readonly card: string }
  | { readonly kind: 'move'; readonly column: string }

/** Returns what a key does; null for nothing. With Alt, an arrow moves the card. */
export function findNeighbour(
  { key, altKey }: Pick<KeyboardEvent, 'key' | 'altKey'>,
  lanes: readonly Lane[],
  card: string,
): BoardStep | null {
  const column = lanes.findIndex(({ cards }) => cards.some(({ id }) => id === card))
  const cards = lanes[column]?.cards ?? []
  const row = cards.findIndex(({ id }) => id === card)
  const side = key === 'ArrowRight' ? 1 : key === 'ArrowLeft' ? -1 : 0
  if (altKey) {
    const target = side === 0 ? undefined : lanes[column + side]
    return target ? { kind: 'move', column: target.id } : null
  }
  const next = side === 0 ? within(key, cards, row) : beside(lanes, column, side, row)
  return next === undefined ? null : { kind: 'focus', card: next }
}

function within(key: string, cards: Lane['cards'], row: number): string | undefined {
  if (key === 'ArrowDown') return cards[row + 1]?.id
  if (key === 'ArrowUp') return cards[row - 1]?.id
  if (key === 'Home') return cards[0]?.id
  return key === 'End' ? cards.at(-1)?.id : undefined
}

/** Returns the card at the same height in the next column that has cards. */
function beside(
  lanes: readonly Lane[],
  column: number,
  side: number,
  row: number,
): string | undefined {
  for (let at = column + side; at >= 0 && at < lanes.length; at += side) {
    const cards = lanes[at]?.cards ?? []
    if (cards.length > 0) return cards[Math.min(row, cards.length - 1)]?.id
  }
  return undefined
}

/**
 * T6, the kanban board: columns of cards that are moved by pointer, by keyboard, or by a menu.
 *
 * A move is shown at once, and taken back with the reason if it fails.
 *
 * @module
 */

import type { SettingsOf } from '#core/apps/templates.ts'
import type { RefObject } from 'preact'
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { SafeText } from '../../safe-text.tsx'
import type { Dashboard } from '../dashboard.ts'
import type { AppData } from '../data/files.ts'
import { useLoaded } from '../use-loaded.ts'
import { Column, type CardActions } from './column.tsx'
import { findNeighbour } from './board-keys.ts'
import { loadBoard, type BoardSource } from './load-board.ts'
import { Mover } from './mover.ts'

export interface BoardProps {
  readonly dashboard: Dashboard
  readonly data: AppData
  readonly settings: SettingsOf<'kanban'>
}

/** Renders the board. */
export function Board({ dashboard, data, settings }: BoardProps) {
  const { value, error } = useLoaded(() => loadBoard(dashboard, data, settings), [data])
  return (
    <>
      {error !== '' && (
        <p class="problem" role="alert">
          <SafeText text={error} />
        </p>
      )}
      {value && <Lanes {...{ dashboard, settings }} board={value} />}
    </>
  )
}

interface LanesProps {
  readonly dashboard: Dashboard
  readonly settings: SettingsOf<'kanban'>
  readonly board: BoardSource
}

function Lanes({ dashboard, settings, board }: LanesProps) {
  const [, redraw] = useState(0)
  const [active, setActive] = useState('')
  const place = useRef<HTMLDivElement>(null)
  const focusNext = useRef('')
  const mover = useMemo(
    () => new Mover(dashboard, settings, () => redraw((count) => count + 1)),
    [dashboard, settings],
  )
  mover.show(board)
  const { lanes } = mover
  const all = lanes.flatMap(({ cards }) => cards)
  const current = all.some(({ id }) => id === active) ? active : (all[0]?.id ?? '')

  useFocusedCard(place, focusNext)
  const focusCard = (id: string) => {
    focusNext.current = id
    setActive(id)
    redraw((count) => count + 1)
  }
  const move = (id: string, column: string) => {
    focusCard(id)
    void mover.move(id, column)
  }
  const click = (id: string) => {
    const { onCardClickTool: tool } = settings
    if (tool !== null) void dashboard.act(tool, { cardId: id }, 'Done')
  }
  const actions: CardActions = {
    canMove: settings.draggable && mover.canMove,
    canClick: settings.onCardClickTool !== null && dashboard.canCall,
    active: current,
    lanes,
    isMoving: (id) => mover.isMoving(id),
    onFocus: setActive,
    move,
    click,
    press(event, card) {
      const step = findNeighbour(event, lanes, card)
      if (step?.kind === 'move' && settings.draggable && mover.canMove) move(card, step.column)
      else if (step?.kind === 'focus') focusCard(step.card)
      else return
      event.preventDefault()
    },
  }
  return (
    <>
      {actions.canMove && (
        <p class="hint keys">
          Drag a card, choose a column in its menu, or press <kbd>Alt</kbd> with an arrow key.
        </p>
      )}
      <div class="board" ref={place}>
        {lanes.map((lane) => (
          <Column key={lane.id} lane={lane} actions={actions} />
        ))}
      </div>
    </>
  )
}

/**
 * Moves the focus to the next card. A card that changes its column is a new element: if the old one
 * had the focus, the new one receives it.
 */
function useFocusedCard(place: RefObject<HTMLElement | null>, next: { current: string }): void {
  const { activeElement } = document
  const focused = activeElement instanceof HTMLElement ? activeElement.dataset['card'] : undefined
  useLayoutEffect(() => {
    const isLost = focused !== undefined && document.activeElement === document.body
    const wanted = next.current || (isLost ? focused : '')
    next.current = ''
    if (wanted === '') return
    const cards = place.current?.querySelectorAll<HTMLElement>('[data-card]') ?? []
    ;[...cards].find((card) => card.dataset['card'] === wanted)?.focus()
  })
}

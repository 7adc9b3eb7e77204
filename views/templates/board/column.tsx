/** A column of the board and its cards. @module */

import { visible } from '#core/visible.ts'
import type { TargetedKeyboardEvent } from 'preact'
import { useId, useState } from 'preact/hooks'
import { SafeLine, SafeText, ShortText } from '../../safe-text.tsx'
import type { Card, Lane } from '../data/cards.ts'

/** What can be done with cards. */
export interface CardActions {
  readonly canMove: boolean
  readonly canClick: boolean
  /** The card in the tab order. */
  readonly active: string
  readonly lanes: readonly Lane[]
  readonly isMoving: (card: string) => boolean
  readonly onFocus: (card: string) => void
  readonly move: (card: string, column: string) => void
  readonly click: (card: string) => void
  readonly press: (event: TargetedKeyboardEvent<HTMLElement>, card: string) => void
}

/** The type under which a dragged card is known; other drags are ignored. */
const DRAG_TYPE = 'application/x-edgewise-card'

export function Column({ lane, actions }: { readonly lane: Lane; readonly actions: CardActions }) {
  const [isOver, setOver] = useState(false)
  const heading = useId()
  const drop = (event: DragEvent) => {
    setOver(false)
    const card = event.dataTransfer?.getData(DRAG_TYPE)
    if (!card) return
    event.preventDefault()
    if (!lane.cards.some(({ id }) => id === card)) actions.move(card, lane.id)
  }
  const over = (event: DragEvent) => {
    if (!actions.canMove || !event.dataTransfer?.types.includes(DRAG_TYPE)) return
    event.preventDefault()
    setOver(true)
  }
  return (
    <section
      class={isOver ? 'lane over' : 'lane'}
      aria-labelledby={heading}
      onDragOver={over}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <h2 id={heading}>
        <ShortText text={lane.title} /> <span class="count">{lane.cards.length}</span>
      </h2>
      {lane.cards.length === 0 ? (
        <p class="hint">No cards</p>
      ) : (
        <ul>
          {lane.cards.map((card) => (
            <CardItem key={card.id} {...{ card, lane, actions }} />
          ))}
        </ul>
      )}
    </section>
  )
}

interface CardProps {
  readonly card: Card
  readonly lane: Lane
  readonly actions: CardActions
}

function CardItem({ card, lane, actions }: CardProps) {
  const { id, title, description, isChecked } = card
  const isMoving = actions.isMoving(id)
  const drag = (event: DragEvent) => event.dataTransfer?.setData(DRAG_TYPE, id)
  return (
    <li>
      <article
        class={isMoving ? 'card moving' : 'card'}
        data-card={id}
        tabIndex={id === actions.active ? 0 : -1}
        draggable={actions.canMove}
        aria-busy={isMoving}
        aria-label={visible(title)}
        aria-keyshortcuts={actions.canMove ? 'Alt+ArrowLeft Alt+ArrowRight' : undefined}
        onDragStart={drag}
        onFocus={() => actions.onFocus(id)}
        onKeyDown={(event) => {
          if (event.target === event.currentTarget) actions.press(event, id)
        }}
      >
        <h3 class={isChecked ? 'checked' : undefined}>
          {actions.canClick ? (
            <button class="link" onClick={() => actions.click(id)}>
              <ShortText text={title} />
            </button>
          ) : (
            <ShortText text={title} />
          )}
        </h3>
        {description !== '' && (
          <p class="details">
            <SafeText text={description} />
          </p>
        )}
        <CardFacts card={card} />
        {actions.canMove && <MoveMenu {...{ card, lane, actions }} />}
      </article>
    </li>
  )
}

function CardFacts({ card: { priority, tags, assignee } }: { readonly card: Card }) {
  if (priority === '' && tags.length === 0 && assignee === '') return null
  return (
    <p class="facts">
      {priority !== '' && <span class={`badge ${priority}`}>{priority}</span>}
      {tags.slice(0, MAX_SHOWN_TAGS).map((tag) => (
        <span class="badge">
          <SafeLine text={tag} />
        </span>
      ))}
      {assignee !== '' && (
        <span class="assignee">
          <SafeLine text={assignee} />
        </span>
      )}
    </p>
  )
}

/** Tags of a card that are shown. */
const MAX_SHOWN_TAGS = 12

/** Renders the menu that moves a card without drag, also for touch. */
function MoveMenu({ card, lane, actions }: CardProps) {
  return (
    <select
      class="move"
      aria-label={`Column of ${visible(card.title)}`}
      onChange={({ currentTarget }) => {
        const { value } = currentTarget
        if (value !== lane.id) actions.move(card.id, value)
      }}
    >
      {actions.lanes.map(({ id, title }) => (
        <option value={id} selected={id === lane.id}>
          {title}
        </option>
      ))}
    </select>
  )
}

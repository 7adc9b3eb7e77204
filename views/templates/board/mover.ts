/**
 * Moves of cards: shown at once, written one after the other, taken back if they fail.
 *
 * A move calls `onMoveTool`, or edits the file of the board if the app may write it. Each move is
 * planned against the newest text; the version of the file goes with it, so that a change by others
 * is never overwritten. `test/views/templates/page.test.ts` covers every outcome.
 *
 * @module
 */

import type { SettingsOf } from '#core/apps/templates.ts'
import { mayWrite } from '../app.ts'
import type { Dashboard, Outcome } from '../dashboard.ts'
import type { Card, Lane } from '../data/cards.ts'
import type { FileText } from '../data/files.ts'
import { findEdit } from '../edits/edit-call.ts'
import { fileOf, loadBoard, moveInText, type BoardSource } from './load-board.ts'

interface Move {
  readonly card: string
  readonly from: string
  readonly to: string
}

/** The moves of one board. */
export class Mover {
  readonly #dashboard: Dashboard
  readonly #settings: SettingsOf<'kanban'>
  readonly #onChange: () => void
  #board: BoardSource = { lanes: [], files: [], isTasks: false }
  #given: BoardSource | null = null
  /** Moves that are shown and not yet in the data. */
  #moves: readonly Move[] = []
  #queue: Promise<unknown> = Promise.resolve()

  /**
   * Creates the moves of a board, none at first.
   *
   * @param onChange Called when the board has to be rendered again.
   */
  constructor(dashboard: Dashboard, settings: SettingsOf<'kanban'>, onChange: () => void) {
    this.#dashboard = dashboard
    this.#settings = settings
    this.#onChange = onChange
  }

  /** Takes a board, unless it was taken before: a newer one may have been read since. */
  show(board: BoardSource): void {
    if (board === this.#given) return
    this.#given = board
    this.#board = board
  }

  /** The columns, with the moves that are under way. */
  get lanes(): readonly Lane[] {
    return this.#moves.reduce(withMove, this.#board.lanes)
  }

  /** Whether cards can be moved at all. */
  get canMove(): boolean {
    const { app, canCall } = this.#dashboard
    const { files } = this.#board
    if (!canCall) return false
    return this.#settings.onMoveTool !== null || files.some(({ path }) => mayWrite(app, path))
  }

  /** Whether a move of a card is under way. */
  isMoving(card: string): boolean {
    return this.#moves.some((move) => move.card === card)
  }

  /** Moves a card to a column. Resolves when the move has been made or taken back. */
  move(card: string, to: string): Promise<void> {
    const from = this.lanes.find(({ cards }) => cards.some(({ id }) => id === card))?.id
    if (!this.canMove || from === undefined || from === to) return Promise.resolve()
    const move: Move = { card, from, to }
    this.#moves = [...this.#moves, move]
    this.#onChange()
    const made = this.#queue.then(() => this.#make(move))
    this.#queue = made
    return made
  }

  async #make(move: Move): Promise<void> {
    const target = this.#board.lanes.find(({ id }) => id === move.to)
    const outcome = await this.#write(move, target)
    if (outcome.kind !== 'failed' || outcome.code !== '') await this.#reload()
    this.#moves = this.#moves.filter((each) => each !== move)
    this.#dashboard.notify(outcome)
    this.#onChange()
  }

  async #reload(): Promise<void> {
    await this.#dashboard.refresh()
    const { data } = this.#dashboard.state
    if (!data) return
    // Read here as well: the component loads it later, and the card would jump back until then.
    const board = await loadBoard(this.#dashboard, data, this.#settings).catch(() => null)
    if (board) this.#board = board
  }

  async #write({ card: id, from, to }: Move, target: Lane | undefined): Promise<Outcome> {
    const { onMoveTool } = this.#settings
    const done = `Moved to ${target?.title ?? to}`
    if (onMoveTool !== null) {
      const args = { cardId: id, fromColumn: from, toColumn: to }
      return tell(await this.#dashboard.act(onMoveTool, args, done), id)
    }
    const { lanes, isTasks } = this.#board
    const card = lanes.flatMap(({ cards }) => cards).find((each) => each.id === id)
    const file = card && fileOf(this.#board, card)
    if (!file || !target) return failure('The card is no longer on the board', id)
    if (!mayWrite(this.#dashboard.app, file.path))
      return failure(`The app may not change ${file.path}`, id)
    const next = moveInText(file, card, target, isTasks)
    if (!next.ok) return failure(next.error, id)
    if (next.value === file.text) return { kind: 'done', text: done, code: '' }
    const call = callFor(file, next.value)
    return tell(await this.#dashboard.act(call.tool, call.args, done), id)
  }
}

/** Returns the call that writes the next text of a file. */
function callFor({ path, version: if_version, text }: FileText, next: string) {
  const edit = findEdit(text, next)
  return edit
    ? { tool: 'edit_file', args: { path, edits: [edit], if_version } }
    : { tool: 'write_file', args: { path, content: next, if_version } }
}

/** Adds to a failed outcome what it means for the card. */
function tell(outcome: Outcome, card: string): Outcome {
  return outcome.kind === 'failed'
    ? { ...failure(outcome.text, card), code: outcome.code }
    : outcome
}

const failure = (reason: string, card: string): Outcome => ({
  kind: 'failed',
  text: `${card} was moved back: ${reason}`,
  code: '',
})

function withMove(lanes: readonly Lane[], { card: id, to }: Move): readonly Lane[] {
  const card = lanes.flatMap(({ cards }): readonly Card[] => cards).find((each) => each.id === id)
  if (!card) return lanes
  return lanes.map((lane) => {
    const others = lane.cards.filter((each) => each.id !== id)
    return { ...lane, cards: lane.id === to ? [...others, card] : others }
  })
}

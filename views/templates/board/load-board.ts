/**
 * A board out of the data of an app, and the edit of its file that moves a card.
 *
 * `test/views/templates/page.test.ts` moves cards in all formats.
 *
 * @module
 */

import type { SettingsOf } from '#core/apps/templates.ts'
import { recordOf } from '#core/json.ts'
import { err, ok, type Result } from '#core/result.ts'
import type { Dashboard } from '../dashboard.ts'
import {
  arrange,
  cardsOfCsv,
  cardsOfJson,
  cardsOfMarkdown,
  columnKey,
  type Card,
  type Lane,
} from '../data/cards.ts'
import { parseCsv } from '../data/csv.ts'
import type { AppData, AppFile, FileText } from '../data/files.ts'
import { locateJson, memberOf, type JsonNode } from '../data/json-text.ts'
import { moveCard, parseBoard } from '../data/markdown-board.ts'
import { withoutBom } from '../data/rows.ts'
import { areTasks, cardOfTask, setColumn } from '../data/task-files.ts'
import { setField } from '../edits/csv-edit.ts'
import { setMember } from '../edits/json-edit.ts'
import { runNow } from '../slices.ts'

/** A board and the files that it is from. */
export interface BoardSource {
  readonly lanes: readonly Lane[]
  /** One file with all cards, or one file for each card; none if it is the result of another tool. */
  readonly files: readonly FileText[]
  /** Whether each file is a card, at the index of the card. */
  readonly isTasks: boolean
}

/** Loads the board: of Markdown files which are tasks, else of the first file, or of a result. */
export async function loadBoard(
  dashboard: Pick<Dashboard, 'text'>,
  data: AppData,
  { columns }: SettingsOf<'kanban'>,
): Promise<BoardSource> {
  const none = { files: [], isTasks: false }
  if (data.kind === 'value') return { lanes: arrange(cardsOfJson(data.value), columns), ...none }
  const [first] = data.files
  if (!first) return { lanes: arrange([], columns), ...none }
  const read = async (file: AppFile): Promise<FileText> => {
    const { path, version } = file
    return { path, version, text: withoutBom(await dashboard.text(file)) }
  }
  const mayBeTasks = data.files.every(({ path }) => isMarkdown(path))
  const files = mayBeTasks ? await Promise.all(data.files.map(read)) : []
  if (mayBeTasks && areTasks(files))
    return { lanes: arrange(files.map(cardOfTask), columns), files, isTasks: true }
  const file = files[0] ?? (await read(first))
  return { lanes: lanesOfFile(file.path, file.text, columns), files: [file], isTasks: false }
}

/** Returns the columns and cards of a file, by its name. */
function lanesOfFile(path: string, text: string, columns: SettingsOf<'kanban'>['columns']): Lane[] {
  if (isMarkdown(path)) {
    const board = parseBoard(text)
    return arrange(
      cardsOfMarkdown(board),
      columns,
      board.map(({ title }) => title),
    )
  }
  if (isCsv(path)) return arrange(cardsOfCsv(runNow(parseCsv(text, path, MAX_ROWS))), columns)
  return arrange(cardsOfJson(JSON.parse(text)), columns)
}

/** More rows of a CSV board are not read; the limit of cards is lower. */
const MAX_ROWS = 10_000

const isMarkdown = (path: string) => /\.(?:md|markdown)$/i.test(path)

const isCsv = (path: string) => /\.(?:csv|tsv)$/i.test(path)

/** Returns the file of a card; null if there is none. */
export const fileOf = ({ files, isTasks }: BoardSource, { index }: Card): FileText | null =>
  files[isTasks ? index : 0] ?? null

/** Returns the text of the file after a move. */
export function moveInText(
  { path, text }: FileText,
  card: Card,
  { spelling }: Lane,
  isTask = false,
): Result<string, string> {
  if (isTask) return ok(setColumn(text, spelling))
  if (isMarkdown(path)) return moveInMarkdown(text, card, spelling)
  if (isCsv(path)) {
    const column = columnOfCsv(text, path)
    return column === null
      ? err(`${path} has no column named column or status`)
      : setField(text, path, { row: card.index, column, value: spelling })
  }
  const node = nodeOfCard(text, card.index)
  if (!node) return err(`Cannot find the card in ${path}`)
  const key = columnKey(recordOf(JSON.parse(text.slice(node.from, node.to))))
  return ok(setMember(text, node, key, spelling))
}

function moveInMarkdown(text: string, { index }: Card, spelling: string): Result<string, string> {
  const board = parseBoard(text)
  const card = board.flatMap(({ cards }) => cards)[index]
  const target = board.find(({ title }) => title === spelling)
  if (!card) return err('Cannot find the card in the file')
  return target ? moveCard(text, card, target) : err(`The file has no heading "## ${spelling}"`)
}

function columnOfCsv(text: string, path: string): string | null {
  const { header } = runNow(parseCsv(text, path, 0))
  const find = (wanted: string) => header.find((name) => name.trim().toLowerCase() === wanted)
  return find('column') ?? find('status') ?? null
}

/** Returns the node of a card: an item of the list, or of `cards` or `items`. */
function nodeOfCard(text: string, index: number): JsonNode | null {
  const root = locateJson(text)
  if (!root) return null
  const named = ['cards', 'items'].find((name) => memberOf(root, name)?.items)
  const array = root.items ? root : named ? memberOf(root, named) : null
  return array?.items?.[index] ?? null
}

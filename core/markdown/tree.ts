/**
 * The tree that Markdown is parsed to. Nothing in it is markup: each text is shown as it is, and who prints the tree
 * decides which addresses become links. `test/core/markdown/` tests the parser.
 *
 * @module
 */

/** A piece of a line. */
export type Inline =
  | { readonly type: 'text' | 'code'; readonly text: string }
  | { readonly type: 'strong' | 'em' | 'del'; readonly children: readonly Inline[] }
  /** `address` is as it was written, and can be anything. */
  | { readonly type: 'link'; readonly address: string; readonly children: readonly Inline[] }
  | { readonly type: 'image'; readonly address: string; readonly text: string }
  | { readonly type: 'break' }

/** An item of a list; `isDone` is null unless it is a task. */
export interface Item {
  readonly isDone: boolean | null
  readonly children: readonly Block[]
}

/** How a column of a table is aligned; null where the text does not say it. */
export type Alignment = 'left' | 'center' | 'right' | null

/** A cell of a table. */
export type Cell = readonly Inline[]

/** A block of lines. */
export type Block =
  | { readonly type: 'heading'; readonly level: number; readonly children: readonly Inline[] }
  | { readonly type: 'paragraph'; readonly children: readonly Inline[] }
  /** `language` is the first word after the fence; it may be empty. */
  | { readonly type: 'code'; readonly language: string; readonly text: string }
  | { readonly type: 'quote'; readonly children: readonly Block[] }
  | {
      readonly type: 'list'
      /** The number of the first item; null for a list without numbers. */
      readonly start: number | null
      /** Whether its items are paragraphs, because there are empty lines between them. */
      readonly isLoose: boolean
      readonly items: readonly Item[]
    }
  | {
      readonly type: 'table'
      readonly alignments: readonly Alignment[]
      readonly head: readonly Cell[]
      readonly rows: readonly (readonly Cell[])[]
    }
  | { readonly type: 'rule' }

/** The text of pieces, without their form. */
export const plainText = (pieces: readonly Inline[]): string =>
  pieces
    .map((piece) => {
      if (piece.type === 'break') return ' '
      return 'children' in piece ? plainText(piece.children) : piece.text
    })
    .join('')

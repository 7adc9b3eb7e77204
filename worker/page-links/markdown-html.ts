/**
 * Markdown as HTML. The parser makes a tree of text, and only what this module writes is markup: HTML of the file is shown as
 * its text. Links lead where `addresses.ts` lets them; a picture is one of the same page link, and any other is only named.
 * `test/worker/page-links/render.test.ts` has the cases.
 *
 * @module
 */

import { parseMarkdown } from '#core/markdown/blocks.ts'
import { plainText, type Block, type Inline, type Item } from '#core/markdown/tree.ts'
import type { StorePath } from '#core/path.ts'
import { Html, joinHtml, markup } from '../encoding/html.ts'
import { addressOf, resolveAddress, type PageAddresses } from './addresses.ts'
import { codeBlock } from './code-html.ts'
import { MAX_PAGE_IMAGES } from './limits.ts'

interface Printing {
  readonly addresses: PageAddresses
  /** The file whose text it is. */
  readonly from: StorePath
  /** How often each heading was there. */
  readonly headings: Map<string, number>
  images: number
}

/** Renders the Markdown of a file. */
export function markdownHtml(text: string, from: StorePath, addresses: PageAddresses): Html {
  const printing: Printing = { addresses, from, headings: new Map(), images: 0 }
  return markup`<article class="prose" dir="auto">${printBlocks(parseMarkdown(text), printing)}</article>`
}

const printBlocks = (blocks: readonly Block[], printing: Printing): Html =>
  joinHtml(blocks.map((block) => printBlock(block, printing)))

function printBlock(block: Block, printing: Printing): Html {
  switch (block.type) {
    case 'heading':
      return printHeading(block.level, block.children, printing)
    case 'paragraph':
      return markup`<p>${printInline(block.children, printing)}</p>`
    case 'code':
      return codeBlock(block.text.split('\n'), `.${block.language}`)
    case 'quote':
      return markup`<blockquote>${printBlocks(block.children, printing)}</blockquote>`
    case 'rule':
      return markup`<hr />`
    case 'list':
      return printList(block, printing)
    case 'table':
      return printTable(block, printing)
  }
}

/** The name of the file is the first heading of the page, so those of the text are below it. */
function printHeading(level: number, children: readonly Inline[], printing: Printing): Html {
  const tag = Html.trusted(`h${Math.min(level + 1, 6)}`)
  const id = idOf(plainText(children), printing)
  return markup`<${tag} id="${id}">${printInline(children, printing)}</${tag}>`
}

/** The name of a heading in links to it, as GitHub has them. */
function idOf(text: string, { headings }: Printing): string {
  const name = text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-')
  const count = headings.get(name) ?? 0
  headings.set(name, count + 1)
  return count === 0 ? name : `${name}-${count}`
}

type Of<Type extends Block['type']> = Extract<Block, { type: Type }>

function printList({ start, isLoose, items }: Of<'list'>, printing: Printing): Html {
  const children = items.map((item) => printItem(item, isLoose, printing))
  if (start === null) return markup`<ul>${children}</ul>`
  return markup`<ol start="${start}">${children}</ol>`
}

function printItem({ isDone, children }: Item, isLoose: boolean, printing: Printing): Html {
  const inner = children.map((block) =>
    block.type === 'paragraph' && !isLoose
      ? printInline(block.children, printing)
      : printBlock(block, printing),
  )
  if (isDone === null) return markup`<li>${inner}</li>`
  const box = isDone
    ? markup`<input type="checkbox" disabled checked />`
    : markup`<input type="checkbox" disabled />`
  return markup`<li class="task">${box} ${inner}</li>`
}

function printTable({ alignments, head, rows }: Of<'table'>, printing: Printing): Html {
  const row = (cells: readonly (readonly Inline[])[], tag: Html) =>
    cells.map((cell, column) => {
      const align = alignments[column] ?? 'start'
      return markup`<${tag} class="${`a-${align}`}">${printInline(cell, printing)}</${tag}>`
    })
  const [th, td] = [Html.trusted('th'), Html.trusted('td')]
  return markup`<div class="wide" tabindex="0" role="region" aria-label="Table"><table><thead><tr>${row(
    head,
    th,
  )}</tr></thead><tbody>${rows.map((cells) => markup`<tr>${row(cells, td)}</tr>`)}</tbody></table></div>`
}

const printInline = (pieces: readonly Inline[], printing: Printing): Html =>
  joinHtml(pieces.map((piece) => printPiece(piece, printing)))

function printPiece(piece: Inline, printing: Printing): Html {
  switch (piece.type) {
    case 'text':
      return markup`${piece.text}`
    case 'code':
      return markup`<code>${piece.text}</code>`
    case 'break':
      return markup`<br />`
    case 'image':
      return printImage(piece, printing)
    case 'link':
      return printLink(piece.address, printInline(piece.children, printing), printing)
    case 'strong':
    case 'em':
    case 'del': {
      const tag = Html.trusted(piece.type)
      return markup`<${tag}>${printInline(piece.children, printing)}</${tag}>`
    }
  }
}

function printLink(address: string, inner: Html, { addresses, from }: Printing): Html {
  const target = resolveAddress(addresses, from, address)
  if (target === null) return inner
  if (target.type === 'site')
    return markup`<a href="${target.href}" rel="noreferrer noopener nofollow">${inner}</a>`
  const href =
    target.type === 'place' ? target.href : addressOf(addresses, target.path) + target.fragment
  return markup`<a href="${href}">${inner}</a>`
}

/** A picture of another site would tell that site who reads the page, so it is a link. */
function printImage(piece: Extract<Inline, { type: 'image' }>, printing: Printing): Html {
  const { address, text } = piece
  const { addresses, from } = printing
  const target = resolveAddress(addresses, from, address)
  if (target?.type !== 'file' || printing.images >= MAX_PAGE_IMAGES)
    return markup`<span class="picture">${printLink(address, markup`${text || 'Picture'}`, printing)}</span>`
  printing.images++
  const src = `${addressOf(addresses, target.path)}?image`
  return markup`<img src="${src}" alt="${text}" loading="lazy" />`
}

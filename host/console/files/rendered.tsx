/**
 * A Markdown file as it reads. It becomes elements of this page and never HTML text. Links and pictures of the workspace are
 * followed; any other link is text with its address, because an agent may have written it, and nothing is loaded.
 * `test/host/console/files/place.test.tsx` has the cases.
 *
 * @module
 */

import type { ComponentChildren } from 'preact'
import { useMemo } from 'preact/hooks'
import { plainEndings } from '#core/diff/keep-endings.ts'
import { parseMarkdown } from '#core/markdown/blocks.ts'
import { plainText, type Block, type Cell, type Inline, type Item } from '#core/markdown/tree.ts'
import { decodePercent } from '#core/percent.ts'
import { parentOf, resolvePath, type StorePath } from '#core/path.ts'
import { isPicture } from '../drafts/pictures.tsx'
import { linkTo } from '../shell/route.ts'
import { Visible } from '../ui/visible.tsx'
import { Picture } from './picture.tsx'
import { SourceLines } from './source-lines.tsx'

interface Props {
  readonly path: StorePath
  readonly text: string
}

/** Whether a file is Markdown, by its name. */
export const isMarkdownName = (path: string): boolean => /\.(?:md|markdown)$/i.test(path)

/** Most characters that are rendered. */
const MAX_RENDERED = 200_000

/** Shows the beginning of a Markdown text. */
export function Rendered({ path, text }: Props) {
  const blocks = useMemo(() => parseMarkdown(plainEndings(text.slice(0, MAX_RENDERED))), [text])
  return (
    <div class="rendered">
      <Blocks path={path} blocks={blocks} />
      {text.length > MAX_RENDERED && (
        <p class="faint small">Only the beginning is rendered. Source has all of it.</p>
      )}
    </div>
  )
}

interface BlocksProps {
  readonly path: StorePath
  readonly blocks: readonly Block[]
}

const Blocks = ({ path, blocks }: BlocksProps) => (
  <>
    {blocks.map((block, index) => (
      <BlockView key={index} path={path} block={block} />
    ))}
  </>
)

function BlockView({ path, block }: { readonly path: StorePath; readonly block: Block }) {
  const line = (children: readonly Inline[]) => <Line path={path} of={children} />
  switch (block.type) {
    case 'heading':
      // The page has the two levels above.
      return (
        <div role="heading" aria-level={block.level + 2} data-level={block.level}>
          {line(block.children)}
        </div>
      )
    case 'paragraph':
      return <p>{line(block.children)}</p>
    case 'code':
      return <SourceLines path={`/code.${block.language}`} text={block.text} isPlain />
    case 'quote':
      return (
        <blockquote>
          <Blocks path={path} blocks={block.children} />
        </blockquote>
      )
    case 'list':
      return <List path={path} {...block} />
    case 'table':
      return <Table path={path} {...block} />
    case 'rule':
      return <hr />
  }
}

type ListProps = Extract<Block, { type: 'list' }> & { readonly path: StorePath }

function List({ path, start, items }: ListProps) {
  const drawn = items.map((item, index) => <ListItem key={index} path={path} item={item} />)
  return start === null ? <ul>{drawn}</ul> : <ol start={start}>{drawn}</ol>
}

const ListItem = ({ path, item }: { readonly path: StorePath; readonly item: Item }) => (
  <li class={item.isDone === null ? undefined : 'task'}>
    {item.isDone !== null && (
      <input type="checkbox" disabled checked={item.isDone} aria-label="Done" />
    )}
    <Blocks path={path} blocks={item.children} />
  </li>
)

type TableProps = Extract<Block, { type: 'table' }> & { readonly path: StorePath }

function Table({ path, alignments, head, rows }: TableProps) {
  const align = (column: number) => alignments[column] ?? 'left'
  const cell = (of: Cell) => <Line path={path} of={of} />
  return (
    <div class="renderedtable" tabIndex={0} role="region" aria-label="Table">
      <table>
        <thead>
          <tr>
            {head.map((of, column) => (
              <th key={column} scope="col" data-align={align(column)}>
                {cell(of)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={index}>
              {row.map((of, column) => (
                <td key={column} data-align={align(column)}>
                  {cell(of)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

interface LineProps {
  readonly path: StorePath
  readonly of: readonly Inline[]
}

const Line = ({ path, of: pieces }: LineProps) => (
  <>
    {pieces.map((piece, index) => (
      <Piece key={index} path={path} piece={piece} />
    ))}
  </>
)

function Piece({ path, piece }: { readonly path: StorePath; readonly piece: Inline }) {
  switch (piece.type) {
    case 'text':
      return <Text text={piece.text} />
    case 'code':
      return (
        <code>
          <Text text={piece.text} />
        </code>
      )
    case 'break':
      return <br />
    case 'image':
      return <Image path={path} {...piece} />
    case 'link':
      return <Link path={path} {...piece} />
    case 'strong':
    case 'em':
    case 'del': {
      const Element = ({ strong: 'strong', em: 'em', del: 's' } as const)[piece.type]
      return (
        <Element>
          <Line path={path} of={piece.children} />
        </Element>
      )
    }
  }
}

/** Shows text with its line breaks, and hidden characters by name. */
const Text = ({ text }: { readonly text: string }) => (
  <>
    {text.split('\n').map((line, index) => (
      <>
        {index > 0 && '\n'}
        <Visible text={line} />
      </>
    ))}
  </>
)

type LinkProps = Extract<Inline, { type: 'link' }> & { readonly path: StorePath }

function Link({ path, address, children }: LinkProps): ComponentChildren {
  const label = <Line path={path} of={children} />
  const target = findTarget(path, address)
  if (target !== null) return <a href={linkTo(['files'], { path: target })}>{label}</a>
  return (
    <>
      {label}
      {plainText(children) !== address && <Address text={address} />}
    </>
  )
}

const Address = ({ text }: { readonly text: string }) => (
  <span class="faint small">
    {' ('}
    <Visible text={text} />)
  </span>
)

type ImageProps = Extract<Inline, { type: 'image' }> & { readonly path: StorePath }

function Image({ path, address, text }: ImageProps) {
  const target = findTarget(path, address)
  if (target !== null && isPicture(target)) return <Picture path={target} alt={text} />
  return (
    <>
      <Visible text={text} />
      <Address text={address} />
    </>
  )
}

/** Returns the path in the workspace that an address names; null for any other address. */
export function findTarget(path: StorePath, address: string): StorePath | null {
  if (address === '' || /^(?:[a-z][a-z\d+.-]*:|\/\/|#)/i.test(address)) return null
  const [plain = ''] = address.split(/[?#]/, 1)
  const found = resolvePath(decodePercent(plain), parentOf(path))
  return found.ok ? found.value : null
}

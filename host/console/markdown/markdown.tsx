/**
 * Shows Markdown of a server: headings, paragraphs, lists, quotes, code, emphasis. It becomes elements of
 * this page and never HTML text. Links show their address and images their text, and neither loads
 * anything. Values of a call are text, marked as such.
 *
 * @module
 */

import type { ComponentChildren } from 'preact'
import { Visible } from '../ui/visible.tsx'
import { VALUE_MARK, type MarkdownSource } from './template.ts'

/** Most characters and lines that are shown. */
const MAX_LENGTH = 50_000
const MAX_LINES = 2_000

/** Shows the beginning of a Markdown text. */
export function Markdown({ source: { text, values } }: { readonly source: MarkdownSource }) {
  const lines = text.slice(0, MAX_LENGTH).split('\n').slice(0, MAX_LINES)
  return (
    <div class="markdown">
      {toBlocks(lines).map((block, index) => (
        <BlockView key={index} block={block} values={values} />
      ))}
    </div>
  )
}

interface Block {
  readonly kind: 'heading' | 'list' | 'numbers' | 'quote' | 'code' | 'rule' | 'text'
  readonly lines: readonly string[]
}

/** Each kind of block by its first line, with what a line of it loses. */
const STARTS: readonly (readonly [Block['kind'], RegExp])[] = [
  ['rule', /^ {0,3}(?:-{3,}|\*{3,}|_{3,})\s*$/],
  ['heading', /^ {0,3}#{1,6}\s+/],
  ['list', /^\s*[-*+]\s+/],
  ['numbers', /^\s*\d{1,9}[.)]\s+/],
  ['quote', /^ {0,3}>\s?/],
]

const FENCE = /^ {0,3}(?:`{3,}|~{3,})/

function toBlocks(lines: readonly string[]): readonly Block[] {
  const blocks: Block[] = []
  for (let at = 0; at < lines.length;) {
    const { block, next } = readBlock(lines, at)
    if (block) blocks.push(block)
    at = next
  }
  return blocks
}

function readBlock(lines: readonly string[], at: number): { block: Block | null; next: number } {
  const line = lines[at] ?? ''
  if (line.trim() === '') return { block: null, next: at + 1 }
  if (FENCE.test(line)) return readFence(lines, at)
  const kind = kindOf(line)
  const start = STARTS.find(([name]) => name === kind)?.[1] ?? /^\s*/
  const single = kind === 'heading' || kind === 'rule'
  let next = at + 1
  while (!single && next < lines.length && continues(lines[next] ?? '', kind)) next++
  const taken = lines.slice(at, next).map((one) => one.replace(start, ''))
  return { block: { kind, lines: taken }, next }
}

const kindOf = (line: string): Block['kind'] =>
  STARTS.find(([, start]) => start.test(line))?.[0] ?? 'text'

const continues = (line: string, kind: Block['kind']) =>
  line.trim() !== '' && !FENCE.test(line) && kindOf(line) === kind

function readFence(lines: readonly string[], at: number) {
  const end = lines.findIndex((line, index) => index > at && FENCE.test(line))
  const last = end === -1 ? lines.length : end
  return { block: { kind: 'code', lines: lines.slice(at + 1, last) } as const, next: last + 1 }
}

interface BlockProps {
  readonly block: Block
  readonly values: readonly string[]
}

function BlockView({ block: { kind, lines }, values }: BlockProps) {
  const inline = (text: string) => <Inline text={text} values={values} />
  const items = lines.map((line, index) => <li key={index}>{inline(line)}</li>)
  switch (kind) {
    case 'rule':
      return <hr />
    case 'heading':
      return (
        <p>
          <strong>{inline(lines.join(' '))}</strong>
        </p>
      )
    case 'list':
      return <ul>{items}</ul>
    case 'numbers':
      return <ol>{items}</ol>
    case 'quote':
      return <blockquote>{inline(lines.join('\n'))}</blockquote>
    case 'code':
      return (
        <pre class="plainbox" tabIndex={0} role="region" aria-label="Code">
          <Values text={lines.join('\n')} values={values} />
        </pre>
      )
    case 'text':
      return <p>{inline(lines.join('\n'))}</p>
  }
}

interface InlineProps {
  readonly text: string
  readonly values: readonly string[]
}

/** Code, links and images, strong, emphasis; no form may contain its own end. */
const INLINE =
  /`([^`\n]+)`|!?\[([^[\]\n]*)\]\(([^()\s]*)\)|\*\*([^*\n]+)\*\*|\*([^*\s][^*\n]*)\*|__([^_\n]+)__/

/** Shows a line; each piece between two forms is text. */
function Inline({ text, values }: InlineProps): ComponentChildren {
  const pieces = text.split(INLINE)
  const shown: ComponentChildren[] = []
  for (let at = 0; at < pieces.length; at += GROUPS + 1) {
    const [plain = '', code, label, address, strong, em, other] = pieces.slice(at)
    shown.push(<Values key={at} text={plain} values={values} />)
    if (at + 1 < pieces.length)
      shown.push(toForm({ code, label, address, strong: strong ?? other, em }, values))
  }
  return shown
}

/** Groups of {@link INLINE}. */
const GROUPS = 6

type Form = Readonly<Record<'code' | 'label' | 'address' | 'strong' | 'em', string | undefined>>

function toForm({ code, label, address, strong, em }: Form, values: readonly string[]) {
  const show = (text: string) => <Values text={text} values={values} />
  if (code !== undefined) return <code>{show(code)}</code>
  if (strong !== undefined) return <strong>{show(strong)}</strong>
  if (em !== undefined) return <em>{show(em)}</em>
  return (
    <span>
      {show(label ?? '')} (<code>{show(address ?? '')}</code>)
    </span>
  )
}

/** Shows text with its values. */
function Values({ text, values }: InlineProps) {
  const pieces = text.split(VALUE_MARK)
  return (
    <>
      {pieces.map((piece, index) =>
        index % 2 === 0 ? (
          <Lines key={index} text={piece} />
        ) : (
          <mark key={index}>
            <Lines text={values[Number(piece)] ?? ''} />
          </mark>
        ),
      )}
    </>
  )
}

/** Shows text with its line breaks and tabs, and other control characters by name. */
const Lines = ({ text }: { readonly text: string }) => (
  <>
    {text
      .split(/([\n\t])/)
      .map((piece, index) => (index % 2 === 0 ? <Visible key={index} text={piece} /> : piece))}
  </>
)

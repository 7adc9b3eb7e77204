/** One file of a change: its header and its lines, which can be collapsed. @module */

import { useMemo } from 'preact/hooks'
import { statsOf } from '#core/diff/hunks.ts'
import type { FileDiff } from '#core/diff/unified.ts'
import { fateOf, type Fate } from './change.ts'
import { Icon } from './icons.tsx'
import { FileLines } from './file-lines.tsx'
import type { LineReader } from './lines.ts'
import type { Layout } from './segments.ts'
import { Counts, Visible } from './words.tsx'

const FATES: Readonly<Record<Fate, string>> = {
  new: 'New',
  deleted: 'Deleted',
  moved: 'Moved',
  changed: 'Changed',
}

/** Props of {@link File}. */
export interface FileProps {
  readonly file: FileDiff
  readonly layout: Layout
  readonly folded: boolean
  /** Reads unchanged lines; null if the host cannot call tools. */
  readonly read: LineReader | null
  readonly fold: () => void
}

/** Renders a file. */
export function File(props: FileProps) {
  const { file, folded, fold } = props
  const returns = useMemo(() => hasReturns(file), [file])
  const facts = <Facts file={file} returns={returns} />
  if (file.hunks.length === 0)
    return (
      <section class="file">
        <h2 class="file-head">
          <span class="line">{facts}</span>
        </h2>
      </section>
    )
  return (
    <section class="file">
      <h2 class="file-head">
        <button class="line" aria-expanded={!folded} onClick={fold}>
          <Icon name="chevron" />
          {facts}
        </button>
      </h2>
      {!folded && <FileLines {...props} quietReturns={returns} />}
    </section>
  )
}

interface FactsProps {
  readonly file: FileDiff
  readonly returns: boolean
}

function Facts({ file, returns }: FactsProps) {
  const fate = fateOf(file)
  const stats = useMemo(() => statsOf(file.hunks), [file.hunks])
  return (
    <>
      <span class={`fate ${fate}`}>{FATES[fate]}</span>
      <span class="path">
        {fate === 'moved' && (
          <>
            <Path path={file.from ?? ''} />
            <span class="to"> → </span>
          </>
        )}
        <Path path={file.to ?? file.from ?? ''} />
      </span>
      <span class="stat">
        {returns && 'CRLF '}
        {detailOf(file) ?? <Counts {...stats} />}
      </span>
    </>
  )
}

function Path({ path }: { readonly path: string }) {
  const relative = path.startsWith('/') && path !== '/' ? path.slice(1) : path
  const name = relative.lastIndexOf('/') + 1
  return (
    <bdi>
      <span class="folder">
        <Visible text={relative.slice(0, name)} />
      </span>
      <Visible text={relative.slice(name)} />
    </bdi>
  )
}

/** Returns the note for a file without lines to show; null if it has lines. */
function detailOf(file: FileDiff): string | null {
  if (file.binary) return 'not shown line by line'
  if (file.hunks.length > 0) return null
  const fate = fateOf(file)
  return fate === 'moved' || fate === 'changed' ? 'content unchanged' : 'empty'
}

/** Reports whether every line ends with `\r\n`; the header then says so once. */
function hasReturns({ hunks }: FileDiff): boolean {
  const ends = hunks.every(({ lines }) => lines.every((l) => l.noNewline ?? l.text.endsWith('\r')))
  return ends && hunks.some(({ lines }) => lines.some(({ text }) => text.endsWith('\r')))
}

/** One file of a change: its header and its lines, which can be collapsed. @module */

import { useMemo } from 'preact/hooks'
import { statsOf } from '#core/diff/hunks.ts'
import type { FileDiff } from '#core/diff/unified.ts'
import { SafePath } from '../safe-path.tsx'
import { classifyFile, type FileKind } from './change.ts'
import { Icon } from './icons.tsx'
import { FileLines } from '../diff/file-lines.tsx'
import { hasReturns } from '../diff/parse.ts'
import type { LineReader } from '../diff/gap.tsx'
import type { Layout } from '../diff/segments.ts'
import { LineCounts } from '../diff/line-counts.tsx'

const KINDS: Readonly<Record<FileKind, string>> = {
  new: 'New',
  deleted: 'Deleted',
  moved: 'Moved',
  changed: 'Changed',
}

export interface FileProps {
  readonly file: FileDiff
  readonly layout: Layout
  readonly folded: boolean
  /** Whether the sum of the change is that of this file. */
  readonly isOnly: boolean
  /** Whether the host shows the path, and what happened to it. */
  readonly isListed: boolean
  /** Reads unchanged lines; null if the host cannot call tools. */
  readonly read: LineReader | null
  readonly fold: () => void
}

export function File(props: FileProps) {
  const { file, folded, isOnly, isListed, fold } = props
  const crlf = useMemo(() => hasReturns(file), [file])
  const facts = <FileFacts file={file} crlf={crlf} isOnly={isOnly} />
  if (file.hunks.length === 0)
    return (
      <section class="file">
        <h2 class="file-head">
          <span class="line">{facts}</span>
        </h2>
      </section>
    )
  if (isListed) return <FileLines {...props} hidesReturns={false} />
  return (
    <section class="file">
      <h2 class="file-head">
        <button class="line" aria-expanded={!folded} onClick={fold}>
          <Icon name="chevron" />
          {facts}
        </button>
      </h2>
      {!folded && <FileLines {...props} hidesReturns={crlf} />}
    </section>
  )
}

interface FileFactsProps {
  readonly file: FileDiff
  readonly crlf: boolean
  readonly isOnly: boolean
}

function FileFacts({ file, crlf, isOnly }: FileFactsProps) {
  const kind = classifyFile(file)
  const stats = useMemo(() => statsOf(file.hunks), [file.hunks])
  return (
    <>
      <span class={`kind ${kind}`}>{KINDS[kind]}</span>
      <span class="path">
        {kind === 'moved' && (
          <>
            <Path path={file.from ?? ''} />
            <span class="to"> → </span>
          </>
        )}
        <Path path={file.to ?? file.from ?? ''} />
      </span>
      <span class="stat">
        {crlf && 'CRLF '}
        {describeContent(file) ?? (!isOnly && <LineCounts {...stats} />)}
      </span>
    </>
  )
}

function Path({ path }: { readonly path: string }) {
  const name = path.lastIndexOf('/') + 1
  return (
    <bdi dir="ltr">
      <span class="folder">
        <SafePath text={path.slice(0, name)} />
      </span>
      <SafePath text={path.slice(name)} />
    </bdi>
  )
}

/** Returns the note for a file without lines to show; null if it has lines. */
function describeContent(file: FileDiff): string | null {
  if (file.binary) return 'not shown line by line'
  if (file.hunks.length > 0) return null
  const kind = classifyFile(file)
  return kind === 'moved' || kind === 'changed' ? 'content unchanged' : 'empty'
}

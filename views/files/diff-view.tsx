/** The files of a change with their lines, drawn as everywhere: in one column or two, a long difference cut at first. @module */

import { useMemo, useState } from 'preact/hooks'
import type { FileDiff } from '#core/diff/unified.ts'
import { ignoreWhiteSpace } from '#core/diff/white-space.ts'
import { cutHunks } from '../diff/cut-hunks.ts'
import { FileLines } from '../diff/file-lines.tsx'
import { hasReturns } from '../diff/parse.ts'
import type { Layout } from '../diff/segments.ts'
import { SafePath } from '../safe-path.tsx'
import { pluralize } from '../safe-text.tsx'

interface Props {
  readonly files: readonly FileDiff[]
  /** Whether each file has its path above it. */
  readonly named?: boolean
}

/** Renders each file: its paths, then its lines. */
export function ChangedFilesView({ files, named = true }: Props) {
  const [isSplit, setSplit] = useState(false)
  const [ignoresSpace, setIgnoresSpace] = useState(false)
  return (
    <>
      {files.some(({ from, to, hunks }) => from !== null && to !== null && hunks.length > 0) && (
        <div class="bar">
          <button aria-pressed={isSplit} onClick={() => setSplit(!isSplit)}>
            Side by side
          </button>
          <button aria-pressed={ignoresSpace} onClick={() => setIgnoresSpace(!ignoresSpace)}>
            Hide white space
          </button>
        </div>
      )}
      {files.map((file) => (
        <section key={file.to ?? file.from}>
          {named && <Paths {...file} />}
          {file.binary && <p class="hint">Not shown line by line</p>}
          <Lines
            key={String(ignoresSpace)}
            file={file}
            layout={isSplit ? 'split' : 'unified'}
            ignoresSpace={ignoresSpace}
          />
        </section>
      ))}
    </>
  )
}

const Paths = ({ from, to }: FileDiff) => (
  <h4>
    <SafePath text={from ?? to ?? ''} />
    {from !== null && to !== null && from !== to && (
      <>
        {' → '}
        <SafePath text={to} />
      </>
    )}
    {to === null && ' (deleted)'}
  </h4>
)

interface LinesProps {
  readonly file: FileDiff
  readonly layout: Layout
  readonly ignoresSpace: boolean
}

function Lines({ file, layout, ignoresSpace }: LinesProps) {
  const [showsAll, setShowsAll] = useState(false)
  const { drawn, left } = useMemo(() => {
    const hunks = ignoresSpace ? ignoreWhiteSpace(file.hunks) : file.hunks
    const { shown, left } = showsAll ? { shown: hunks, left: 0 } : cutHunks(hunks)
    return { drawn: { ...file, hunks: shown }, left }
  }, [file, showsAll])
  if (drawn.hunks.length === 0)
    return file.hunks.length > 0 && <p class="hint">Only white space differs</p>
  return (
    <>
      <FileLines file={drawn} layout={layout} read={null} hidesReturns={hasReturns(file)} />
      {left > 0 && (
        <button onClick={() => setShowsAll(true)}>Show {pluralize(left, 'more line')}</button>
      )}
    </>
  )
}

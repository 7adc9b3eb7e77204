/**
 * The source of a text file, with line numbers and colours; hidden characters are drawn by name. A long text shows its
 * beginning first. `test/host/console/files/place.test.tsx` has the cases.
 *
 * @module
 */

import { useMemo, useState } from 'preact/hooks'
import { plainEndings } from '#core/diff/keep-endings.ts'
import { visible } from '#core/visible.ts'
import { formatCount } from '../ui/format.ts'
import { Visible } from '../ui/visible.tsx'
import { createPainter, type Painter } from './painter.ts'

interface Props {
  readonly path: string
  readonly text: string
  /** Leaves out the numbers of lines, as of a piece of a text. */
  readonly isPlain?: boolean
}

/** Lines that are drawn at first, and with each press. */
const PART = 2_000

/** Characters of one piece of a line that are drawn. */
const MAX_DRAWN = 5_000

/** Shows the lines. */
export function SourceLines({ path, text, isPlain = false }: Props) {
  const [most, setMost] = useState(PART)
  const lines = useMemo(() => linesOf(plainEndings(text)), [text])
  const painter = useMemo(() => {
    const made = createPainter(path.slice(path.lastIndexOf('/') + 1))
    made.setLines(lines)
    return made
  }, [path, lines])
  const left = lines.length - most
  return (
    <>
      <div
        class="sourcelines code"
        tabIndex={0}
        role="region"
        aria-label={isPlain ? 'Code' : `Source of ${visible(path)}`}
      >
        <table>
          <tbody>
            {lines.slice(0, most).map((_, line) => (
              <tr key={line}>
                {!isPlain && <td class="codeline">{line + 1}</td>}
                <td>
                  <Tokens painter={painter} line={line} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {left > 0 && (
        <p class="row">
          <button type="button" class="button small" onClick={() => setMost(most + PART)}>
            Show more
          </button>
          <span class="faint small">{formatCount(left, 'more line')}</span>
        </p>
      )}
    </>
  )
}

/** An ending of the last line begins no further one. */
const linesOf = (text: string) => (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n')

const Tokens = ({ painter, line }: { readonly painter: Painter; readonly line: number }) => (
  <>
    {painter.tokensOf(line).map(([text, kind], index) => (
      <span key={index} class={kind ?? undefined}>
        {text
          .split(/(\t)/)
          .map((piece, at) =>
            piece === '\t' ? piece : <Visible key={at} text={piece} most={MAX_DRAWN} />,
          )}
      </span>
    ))}
  </>
)

/**
 * How far a long piece of work has come, on stderr: one line that is drawn again and again where
 * somebody watches, and a line now and then where it goes into a log.
 *
 * @module
 */

/** Milliseconds between two lines. */
const TERMINAL_MS = 100
const LOG_MS = 5_000

const CLEAR_LINE = '\r\u001b[2K'

/** Work in files and bytes. */
export interface Amount {
  readonly files: number
  readonly bytes: number
}

export function createProgress(total: Amount, out: NodeJS.WriteStream = process.stderr) {
  const pause = out.isTTY ? TERMINAL_MS : LOG_MS
  let done: Amount = { files: 0, bytes: 0 }
  let drawn = Date.now()

  function draw(): void {
    const line = `${done.files} of ${total.files} files, ${megabytes(done.bytes)} of ${megabytes(total.bytes)}`
    out.write(out.isTTY ? `${CLEAR_LINE}${line}` : `${line}\n`)
    drawn = Date.now()
  }

  return {
    add({ files, bytes }: Amount): void {
      done = { files: done.files + files, bytes: done.bytes + bytes }
      if (Date.now() - drawn >= pause) draw()
    },
    /** The last line, and the end of it. */
    end(): void {
      draw()
      if (out.isTTY) out.write('\n')
    },
  }
}

export const megabytes = (bytes: number) => `${(bytes / 1_000_000).toFixed(1)} MB`

/**
 * Progress of a long task, on stderr: one line that is redrawn in a terminal, occasional lines in a
 * log.
 *
 * @module
 */

/** Milliseconds between two lines, in a terminal and in a log. */
const TERMINAL_MS = 100
const LOG_MS = 5_000

const CLEAR_LINE = '\r\u001b[2K'

/** Amount of work in files and bytes. */
export interface Amount {
  readonly files: number
  readonly bytes: number
}

/** Creates the progress of a task. */
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
    /** Writes the last line. */
    end(): void {
      draw()
      if (out.isTTY) out.write('\n')
    },
  }
}

/** Formats bytes as MB. */
export const megabytes = (bytes: number) => `${(bytes / 1_000_000).toFixed(1)} MB`

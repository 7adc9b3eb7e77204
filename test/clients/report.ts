/**
 * `node report.ts <origin> [--write] [client…]`: drives clients against a product that runs, and prints the failures with their reasons.
 *
 * `--write` writes `docs/clients.md` out of a run of all.
 *
 * @module
 */

import { write, type Recorded } from './document.ts'
import { describe } from './model-input.ts'
import { findKnown } from './known-failures.ts'
import { drive, ROWS, type Row } from './run.ts'
import { KINDS } from './clients.ts'
import { tokensOfTools } from './tokens.ts'

async function report(row: Row, origin: string): Promise<Recorded> {
  const cells = await drive(row.file, row.mode, origin).catch((error: unknown) => {
    console.log(describe(error))
    return undefined
  })
  const steps: readonly string[] = KINDS[row.kind]
  const marks = steps.map((step) =>
    cells?.[step] === undefined
      ? '–'
      : cells[step] === null
        ? '✓'
        : findKnown(row, step)
          ? 'k'
          : '✗',
  )
  console.log(`${marks.join(' ')}  ${row.title} ${row.version}, ${row.mode}`)
  for (const step of steps) if (cells?.[step]) console.log(`    ${step}: ${cells[step]}`)
  return { ...row, cells }
}

const [origin = '', ...rest] = process.argv.slice(2)
const wanted = rest.filter((argument) => argument !== '--write')
const recorded: Recorded[] = []
for (const row of ROWS)
  if (wanted.length === 0 || wanted.includes(row.file)) recorded.push(await report(row, origin))
if (rest.includes('--write') && wanted.length === 0)
  await write(recorded, await tokensOfTools(origin))

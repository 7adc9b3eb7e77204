/**
 * `node report.ts <origin> [client…]`: drives clients against a product that runs, and prints what is red.
 *
 * @module
 */

import { CLIENTS, versionOf } from './clients.ts'
import { describe } from './handed.ts'
import { drive } from './run.ts'
import { STEPS } from './script.ts'

const [origin = '', ...wanted] = process.argv.slice(2)
const chosen = CLIENTS.filter(({ file }) => wanted.length === 0 || wanted.includes(file))
for (const { file, title, from, modes } of chosen)
  for (const mode of modes) {
    const head = `${title} ${versionOf(from)}, ${mode}`
    const begun = Date.now()
    const cells = await drive(file, mode, origin).catch(describe)
    const took = ((Date.now() - begun) / 1000).toFixed(1)
    if (typeof cells === 'string') {
      console.log(`${head}: ${cells}`)
      continue
    }
    const marks = STEPS.map((step) =>
      cells[step] === undefined ? '–' : cells[step] === null ? '✓' : '✗',
    )
    console.log(`${marks.join(' ')}  ${head} (${took} s)`)
    for (const step of STEPS) if (cells[step]) console.log(`    ${step}: ${cells[step]}`)
  }

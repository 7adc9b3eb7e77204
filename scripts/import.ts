/**
 * `npm run import -- <folder> [url]`: imports a folder into a workspace, as tar over HTTP.
 *
 * Entries that an archive or the workspace cannot hold are listed with the reason. An interrupted
 * import can be repeated, because every file gets the same path again.
 *
 * @module
 */

import { ImportError } from './import-error.ts'
import { HELP, readJob, type Job } from './import-job.ts'
import { partsOf, type Watcher } from './pack.ts'
import { createProgress, megabytes } from './progress.ts'
import { scan, type Item, type Skipped } from './scan.ts'
import { knock, upload, type Report } from './upload.ts'

/** Most skipped entries that are listed. */
const NAMED = 20

interface Total {
  /** Whether the server has sent a report. */
  answered: boolean
  files: number
  folders: number
  bytes: number
  skipped: number
  readonly reasons: Skipped[]
}

async function importFolder(job: Job): Promise<void> {
  const target = `${job.base}/import?to=${encodeURIComponent(job.to)}`
  const proof = await knock(target, process.env['EDGEWISE_OWNER_SECRET'])
  const { items, skipped } = await scan(job.folder, job.all)
  const total = totalOf(skipped)
  const progress = createProgress(amountOf(items))
  const watcher: Watcher = {
    packed: (item) => progress.add({ files: 1, bytes: item.size }),
    skipped: (one) => skip(total, one),
  }
  try {
    await sendParts(items, (part) => upload(part, target, proof, watcher), total)
  } finally {
    progress.end()
    if (total.answered) print(total, job)
  }
}

type Send = (part: readonly Item[]) => Promise<Report>

async function sendParts(items: Item[], send: Send, total: Total): Promise<void> {
  for (const part of partsOf(items)) {
    const report = await send(part)
    add(total, report)
    if (report.error !== undefined) throw new ImportError(`The server stopped: ${report.error}`)
  }
}

function amountOf(items: readonly Item[]) {
  const files = items.filter((item) => item.type === 'file')
  return { files: files.length, bytes: files.reduce((sum, { size }) => sum + size, 0) }
}

function totalOf(skipped: readonly Skipped[]): Total {
  const nothing = { answered: false, files: 0, folders: 0, bytes: 0 }
  return { ...nothing, skipped: skipped.length, reasons: [...skipped] }
}

function skip(total: Total, skipped: Skipped): void {
  total.skipped++
  total.reasons.push(skipped)
}

function add(total: Total, report: Report): void {
  total.answered = true
  total.files += report.files
  total.folders += report.folders
  total.bytes += report.bytes
  total.skipped += report.skipped
  total.reasons.push(...report.reasons)
}

function print({ files, folders, bytes, skipped, reasons }: Total, { base, to }: Job): void {
  console.log(`${files} files and ${folders} folders (${megabytes(bytes)}) are in ${to} of ${base}`)
  if (skipped === 0) return
  console.log(`${skipped} left out:`)
  for (const { name, reason } of reasons.slice(0, NAMED))
    console.log(`  ${JSON.stringify(name)}: ${reason}`)
  if (skipped > NAMED) console.log(`  and ${skipped - Math.min(NAMED, reasons.length)} more`)
}

try {
  const job = readJob()
  if (job === null) console.log(HELP)
  else await importFolder(job)
} catch (error) {
  if (!(error instanceof ImportError)) throw error
  console.error(error.message)
  process.exitCode = 1
}

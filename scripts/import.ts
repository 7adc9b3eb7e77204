/**
 * `npm run import -- <folder> [url]`: imports a folder into a workspace, as tar over HTTP.
 *
 * Entries that an archive or the workspace cannot hold are listed with the reason. An interrupted
 * import can be repeated, because every file gets the same path again.
 *
 * @module
 */

import { printable, runScript, UserError } from './errors.ts'
import { HELP, readArguments, type ImportJob } from './import/arguments.ts'
import { splitParts, type PackListener } from './import/archive.ts'
import { confirmOverwrites } from './import/overwrites.ts'
import { createProgress, megabytes } from './import/progress.ts'
import { scan, type Item, type Skipped } from './import/scan.ts'
import { describeLeft } from './sync/outcome.ts'
import { authenticate, uploadPart, type Report } from './import/upload.ts'

/** Most skipped entries that are listed. */
const MAX_LISTED = 20

interface Total {
  /** Whether there is something to report. */
  reported: boolean
  files: number
  folders: number
  bytes: number
  skipped: number
  readonly reasons: Skipped[]
}

async function importFolder(job: ImportJob): Promise<void> {
  const target = `${job.base}/import?to=${encodeURIComponent(job.to)}`
  const credentials = await authenticate(target, process.env['EDGEWISE_OWNER_SECRET'])
  const { items, skipped, left } = await scan(job.folder, job.all)
  if (!job.overwrite && !(await confirmOverwrites(job, items, credentials))) return
  const total = totalOf(skipped)
  const progress = createProgress(amountOf(items))
  const listener: PackListener = {
    packed: (item) => progress.add({ files: 1, bytes: item.size }),
    skipped: (one) => skip(total, one),
  }
  try {
    await sendParts(items, (part) => uploadPart(part, target, credentials, listener), total)
  } finally {
    progress.end()
    if (total.reported) print(total, job)
    for (const line of describeLeft(left)) console.log(`${line} (--all imports it)`)
  }
}

type Send = (part: readonly Item[]) => Promise<Report>

async function sendParts(items: Item[], send: Send, total: Total): Promise<void> {
  for (const part of splitParts(items)) {
    const report = await send(part)
    add(total, report)
    if (report.error !== undefined)
      throw new UserError(`The server stopped the import: ${report.error}`)
  }
  total.reported = true // also where nothing was left to send
}

function amountOf(items: readonly Item[]) {
  const files = items.filter((item) => item.type === 'file')
  return { files: files.length, bytes: files.reduce((sum, { size }) => sum + size, 0) }
}

function totalOf(skipped: readonly Skipped[]): Total {
  const nothing = { reported: false, files: 0, folders: 0, bytes: 0 }
  return { ...nothing, skipped: skipped.length, reasons: [...skipped] }
}

function skip(total: Total, skipped: Skipped): void {
  total.skipped++
  total.reasons.push(skipped)
}

function add(total: Total, report: Report): void {
  total.reported = true
  total.files += report.files
  total.folders += report.folders
  total.bytes += report.bytes
  total.skipped += report.skipped
  total.reasons.push(...report.reasons)
}

function print({ files, folders, bytes, skipped, reasons }: Total, { base, to }: ImportJob): void {
  console.log(
    `Imported ${counted(files, 'file')} and ${counted(folders, 'folder')} (${megabytes(bytes)}) into ${to} of ${base}`,
  )
  if (skipped === 0) return
  console.log(`Skipped ${skipped}:`)
  for (const { name, reason } of reasons.slice(0, MAX_LISTED))
    console.log(printable(`  ${JSON.stringify(name)}: ${reason}`))
  if (skipped > MAX_LISTED)
    console.log(`  and ${skipped - Math.min(MAX_LISTED, reasons.length)} more`)
}

const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`

/** What the command line asks for. */
export async function run(): Promise<void> {
  const job = readArguments()
  if (job === null) console.log(HELP)
  else await importFolder(job)
}

if (import.meta.main) await runScript(run)

/**
 * Keeping a folder of many files in step after one of them has changed, beside rsync and rclone between two folders of this
 * machine. Each is a whole process, as its user starts it.
 *
 * @module
 */

import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Figure } from '../../scripts/figure.ts'
import { inProject } from '../../scripts/settings.ts'
import { interleave } from '../median.ts'
import { findProgram, run } from '../program.ts'
import type { Context, Row } from '../row.ts'
import { OUT } from '../workerd.ts'

/** The row of the command `sync`. */
export const rows: Row[] = [
  {
    name: 'sync',
    goal: 'reported',
    limit:
      'Node starts and loads the command, the folder is scanned, and the state file is written whole; the workspace is asked for its changes, and gets the one file.',
    run: compareSync,
  },
]

const FOLDER = join(OUT, 'sync')

/** A line of each file, which has twenty. */
const LINE = 'a line of a file that is kept in step with a workspace\n'

async function compareSync(context: Context): Promise<Figure[]> {
  const { rounds, treeFiles } = context.scale
  const server = await context.product('sync')
  const folder = makeFolder(treeFiles)
  let changes = 0
  /** Changes one file, so that each program has something to send. */
  const timed = async (program: string | null, args: string[]): Promise<number> => {
    if (program === null) return 0
    changes++
    writeFileSync(nameOf(folder, changes % treeFiles), `${LINE.repeat(20)}${changes}\n`)
    return (await run(program, args)).milliseconds
  }
  const sync = [inProject('scripts/sync.ts'), folder, server.url('')]
  const [rsync, rclone] = [findProgram('rsync'), findProgram('rclone')]
  const measured = await interleave(rounds, {
    edgewise: () => timed(process.execPath, sync),
    rsync: () => timed(rsync, ['--archive', '--delete', `${folder}/`, join(FOLDER, 'rsync')]),
    rclone: () => timed(rclone, ['sync', folder, join(FOLDER, 'rclone')]),
  })
  const count = treeFiles.toLocaleString('en-US')
  const common = {
    work: `sync of one changed file among ${count}`,
    unit: 'ms',
    edgewise: measured.edgewise,
  } as const
  const baseline = (name: string, program: string | null, value: number) => ({
    ...common,
    baseline: program
      ? { name: `${name} to a folder beside it`, value }
      : { name: `${name} not installed`, value: null },
  })
  return [baseline('rsync', rsync, measured.rsync), baseline('rclone', rclone, measured.rclone)]
}

/** Makes a folder with so many files of a kilobyte, in a hundred folders. */
function makeFolder(count: number): string {
  rmSync(FOLDER, { recursive: true, force: true })
  const folder = join(FOLDER, 'local')
  for (let at = 0; at < count; at++) {
    const file = nameOf(folder, at)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, `${LINE.repeat(20)}${-at}\n`)
  }
  return folder
}

const nameOf = (folder: string, at: number) => join(folder, `d${at % 100}`, `file-${at}.txt`)
